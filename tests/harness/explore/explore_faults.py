"""How many faults of the registry an exploration finds, with every listed check off: `make explore-faults`.

Each fault is explored for a minute, up to its first deviation. A bot whose answers cannot be read is refused
before anything is explored; it counts as found.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from statistics import median

from harness.check.phases.events import Event
from harness.check.phases.run import follow
from harness.explore.dialogue_case import DialogueCase
from harness.explore.exploration import DeviationFound, Exploration, Plan
from harness.explore.explorer import explore
from harness.gtp import Launch, Limits
from harness.selftest.faulty import command, in_parallel
from harness.suite.families.last_phases import DIALOGUES, POSITIONS
from refbot.deviations.command_faults import CommandFaults
from refbot.deviations.fault import Fault
from refbot.deviations.faults import FAULTS, AmafFaults, PlayoutFaults, SearchFaults
from refbot.deviations.game_command_faults import GameCommandFaults
from refbot.deviations.game_faults import GameFaults
from refbot.deviations.record_faults import RecordFaults
from refbot.deviations.switches import members
from refbot.deviations.wire_faults import WireFaults

GROUPS = {
    "playouts and choice": members(Fault, PlayoutFaults, AmafFaults, SearchFaults),
    "game and state": members(Fault, GameFaults),
    "wire": members(Fault, WireFaults),
    "commands": members(Fault, CommandFaults, GameCommandFaults, RecordFaults),
}

LIMITS = Limits(startup=30.0, answer=5.0)
"""A fault that leaves commands unanswered costs this much each time that it is seen."""


@dataclass(frozen=True)
class Explored:
    """What came of one fault. `lines`: the number of lines of a reduced dialogue, 0 for a position."""

    fault: str
    seconds: float
    clause: str = ""  # empty: nothing was found
    lines: int = 0
    unusable: str = ""

    @property
    def refused(self) -> bool:
        """Whether a deviation was found, or no answer could be read."""
        return bool(self.clause or self.unusable)


def explored(fault: str, seed: int, seconds: float) -> Explored:
    """Explore the reference bot with a fault, up to the first deviation."""
    found = Exploration("refbot")

    def take(event: Event) -> None:
        found.note(event)
        if isinstance(event, DeviationFound):
            raise KeyboardInterrupt  # it is enough

    launch = Launch(command(fault, seed))
    plan = Plan(launch, DIALOGUES, POSITIONS, LIMITS, seed=seed, seconds=seconds, instances=1)
    follow(explore(plan), take)
    if not found.results:
        return Explored(fault, found.seconds, unusable=found.unusable)
    (result,) = found.results
    case = result.judgement.reduced
    lines = len(case.lines) if isinstance(case, DialogueCase) else 0
    return Explored(fault, found.seconds, result.clause, lines)


def lines_of(one: Explored) -> Iterator[str]:
    """What is printed of a fault."""
    yield f"{one.fault} ({FAULTS[one.fault].clause}):"
    if one.clause:
        yield f"found by {one.clause}" + (f", {one.lines} lines" if one.lines else ", a position")
    else:
        yield f"unusable ({one.unusable})" if one.unusable else "NOT FOUND"
    yield f"[{one.seconds:.0f} s]"


def main() -> None:
    """Print a line for each fault, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--for", dest="seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("faults", nargs="*", default=list(FAULTS))
    options = parser.parse_args()
    job = partial(explored, seed=options.seed, seconds=options.seconds)
    results = {}
    for one in in_parallel(job, options.faults, options.jobs):
        results[one.fault] = one
        print(*lines_of(one), flush=True)  # noqa: T201
    for name, group in GROUPS.items():
        tried = [results[fault] for fault in group if fault in results]
        missed = [one.fault for one in tried if not one.refused]
        if tried:
            print(f"{name}: found {len(tried) - len(missed)} of {len(tried)}; not {missed}")  # noqa: T201
    lengths = [one.lines for one in results.values() if one.lines]
    if lengths:
        print(f"median length of a reduced dialogue: {median(lengths):g} lines")  # noqa: T201


if __name__ == "__main__":
    main()
