"""How many faults the audit of a short match finds: `make audit-faults`.

For each fault of the registry that changes playouts, their records, the choice of a move or what is
reported, a right bot and a bot with the fault play a match. The audit must refuse the faulty bot and must not
refuse the right one. `--others` takes the faults of tests/engines/wrong_bots.py in place of the registry's,
`--simulated` plays the matches in this process (`simulated_match`).
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness.arena.audit import Audit
from harness.arena.config.reader import check_config
from harness.arena.folder.audit import audit_store, run_to_end
from harness.arena.folder.folder import open_run
from harness.arena.judge.judge import judge
from harness.arena.run.stop import Stop
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from refbot.deviations.fault import Fault
from refbot.deviations.faults import FAULTS, AmafFaults, PlayoutFaults, SearchFaults
from refbot.deviations.switches import members
from tests.harness.arena.audit.simulated_match import play_games
from tests.harness.arena.match_helpers import play_run
from tests.interpreter import PYTHON

WRONG_BOTS = Path(__file__).parents[3] / "engines" / "wrong_bots.py"
NOT_IN_SEARCHES = {"undo-keeps-superko", "undo-loses-ko", "komi-unsigned"}
"""Faults of wrong_bots.py that no match shows: nobody takes moves back, and the komi is positive."""
SUBJECTS = members(Fault, PlayoutFaults, AmafFaults, SearchFaults)
KOMI = 7.0
HALF_KOMI = {"komi-truncated", "whole-komi"}
"""Faults that need a komi with a fraction. The others get one with draws."""


def match(fault: str, folder: Path, options: argparse.Namespace) -> MatchVerdicts:
    """Play and audit a match of the right bot against one with this fault."""
    komi = KOMI + 0.5 if fault in HALF_KOMI else KOMI
    run = {
        "size": options.size,
        "komi": komi,
        "games": options.games,
        "openings": {"kind": "random", "moves": 2},
        "seed": options.seed,
        "workers": 1,
        "audit": "off",
        "timeout": 600.0,
    }
    right = f"{PYTHON} -m refbot.cli gtp --playouts {{playouts}}"
    wrong = f"{PYTHON} {shlex.quote(str(WRONG_BOTS))} {fault} --playouts {{playouts}} --seed {options.seed}"
    engines = [
        {
            "name": "right",
            "command": f"{right} --seed {options.seed}",
            "playouts": options.playouts,
            "startup": 600.0,
        },
        {
            "name": "faulty",
            "command": f"{right} --fault {fault}" if fault in FAULTS else wrong,
            "playouts": options.playouts,
            "startup": 600.0,
        },
    ]
    config = check_config({"run": run, "engine": engines, "report": {"formats": []}}, "audit-faults")
    if options.simulated:
        with open_run(config, folder) as store:
            play_games(store, config, {"faulty": [fault]}, options.seed)
    else:
        play_run(config, folder, workers=True)
    with Store.open(folder) as store:
        if options.find:
            Audit(store, "all", stop=Stop()).run()
        else:
            run_to_end(audit_store(store, config, "all", stop=Stop()))
        return judge(store, config)


def ways(verdicts: MatchVerdicts, bot: str) -> list[str]:
    """In what the bot differs: phase and statistic."""
    return [
        f"{row.phase}: {statistic}"
        for row in verdicts.playouts
        if row.bot == bot
        for statistic, verdict in (
            ("length", row.verdict),
            ("score", row.score_verdict),
            ("choice", row.choice_verdict),
        )
        if verdict == "different"
    ]


def diagnosis(verdicts: MatchVerdicts, bot: str) -> str:
    """What the bot looks like, with the probabilities."""
    named = (f"{s.fault} {s.probability:.2f}" for s in verdicts.suspects if s.bot == bot)
    return " or ".join(named) or "nothing named"


def other_faults() -> dict[str, str]:
    """The clause of each fault of wrong_bots.py that a match may show, by its name."""
    listing = subprocess.run(
        [sys.executable, str(WRONG_BOTS), "--list"], capture_output=True, text=True, check=True
    ).stdout
    clauses = dict(line.split()[:2] for line in listing.splitlines())
    return {name: clause for name, clause in clauses.items() if name not in NOT_IN_SEARCHES}


def main() -> None:
    """Print a line for each fault, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--size", type=int, default=7)
    parser.add_argument("--playouts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--others", action="store_true", help="faults that the registry does not have")
    parser.add_argument("--simulated", action="store_true", help="without processes; faults of the registry")
    parser.add_argument("--find", action="store_true", help="find faults, and name none: half of the time")
    parser.add_argument("faults", nargs="*")
    options = parser.parse_args()
    clauses = {name: FAULTS[name].clause for name in SUBJECTS}
    if options.others:
        clauses = other_faults()
    options.faults = options.faults or sorted(clauses)
    found, wrongly, named = [], [], []
    for fault in options.faults:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            verdicts = match(fault, Path(folder), options)
        seen, wrong = ways(verdicts, "faulty"), ways(verdicts, "right")
        first = next((s.fault for s in verdicts.suspects if s.bot == "faulty"), "")
        named += [fault] * (first == fault)
        found += [fault] * bool(seen)
        wrongly += [fault] * bool(wrong)
        failures = sum(verdicts.failures["faulty"].values())
        note = f"; {failures} games failed" if failures else ""
        note += f"; the right bot refused: {', '.join(wrong)}" if wrong else ""
        how = f"{', '.join(seen[:3])}: {diagnosis(verdicts, 'faulty')}" if seen else "NOT FOUND"
        print(f"{fault} ({clauses[fault]}): {how}{note} [{time.monotonic() - began:.0f} s]", flush=True)  # noqa: T201
    missed = sorted(set(options.faults) - set(found))
    print(f"found {len(found)} of {len(options.faults)}; right bot refused in {len(wrongly)}")  # noqa: T201
    print(f"named first {len(named)}; not: {', '.join(sorted(set(found) - set(named))) or 'none'}")  # noqa: T201
    print(f"not found: {', '.join(missed) or 'none'}")  # noqa: T201


if __name__ == "__main__":
    main()
