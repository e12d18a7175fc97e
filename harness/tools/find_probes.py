"""Finds the probes of `data/battery.json`: positions near the end where faults show most.

    python -m harness.tools.find_probes --seconds 600 --seed 1

A candidate for a probe is the settled board with random stones in a patch, and a few random moves after that:
small enough to be enumerated, rich enough in eyes, captures and kos. At each one, bots with one fault of the
registry search, and their results are compared with those of a right bot. A candidate *separates* a fault if
they differ clearly. The probes that are kept separate as many faults as possible.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace

from harness.check.judges.moves import choosable
from harness.check.procedures.probe import Probe
from harness.check.stored_data import DATA_FOLDER
from harness.gtp import format_vertex
from harness.oracle import Number, StateLimitError, enumerate_playouts
from harness.oracle.expected import Expected, summarise
from harness.tools.finding import (
    COLOURS,
    choose_greedily,
    clause_of,
    draw_scrambled,
    enumerate_records,
    game_of,
    parse_options,
    report,
    stored_choice,
    stored_probe,
    take_for,
    write_probes,
)
from refbot import FAULTS, Game, Search
from refbot.playouts import playouts

DATA = DATA_FOLDER / "battery.json"
MAX_STATES = 1500
"""Limit of the states of an enumeration; chosen: larger candidates take too long."""

PLAYOUTS = 1000
"""Playouts per search for which separations are measured."""

SAMPLE = 5_000
"""Playouts of each faulty bot at a candidate; chosen: enough to see a separation."""

CHOICES = 30
"""Searches of each faulty bot at a candidate; chosen."""

CAP = 12.0
"""Standard errors from which a separation is certain; larger ones count as CAP; chosen."""

LEAST_SHARE, LEAST_ERRORS = 0.15, 3.0
"""Least share of wrong moves, and least standard errors of a mean, with which the data file lists a fault as
separated; chosen."""

MOST_CHOICES = 0.9
"""Share of wrong moves from which a separation by moves is certain; chosen."""

SHARE_LOST = 0.4
"""Share of the playouts, at least, that Black does not win at the komi of a candidate; chosen: about half."""

MOST_LEFT_OUT = 1e-9
"""Largest probability of the playouts that an enumeration left out; chosen: no printed digit shows it."""

ENOUGH_COVER, LEAST_GAIN = 1.5, 0.05
"""Sum of the scores of a fault over the probes kept (1: one certain separation) that is enough, and the gain
in these sums from which one more probe is kept; chosen."""

ENOUGH = 20
"""Number of candidates that separate a fault for certain, after which it is tried on no more; chosen."""

CLAUSES = {
    "moments": ("uniform", "eye", "simple-ko", "no-suicide", "area-scoring", "forced-pass"),
    "choices": ("amaf", "best-rate"),
}
"""The clauses that a probe of each kind may be about. Faults of other clauses show at nearly every probe."""


@dataclass(frozen=True)
class Candidate:
    """A probe, the answers of a conforming bot, and the scores of the faults that were tried there.

    moments   by fault: the distance of its mean length and result, in standard errors of a search (0 to CAP)
    choices   by fault: the share of its moves that no conforming bot chooses (0 to 1)
    """

    probe: Probe
    expected: Expected
    moments: dict[str, float] = field(default_factory=dict)
    choices: dict[str, float] = field(default_factory=dict)


def random_candidates(rng: random.Random) -> Iterator[Candidate]:
    """Yield candidates at random positions that can be enumerated, without end; no score is known yet."""
    number = 0
    while True:
        found = draw_scrambled(rng)
        if found is None:
            continue
        board, to_move, tail = found
        probe = Probe(f"battery-{number}", board, to_move, 0.0, tail)  # its margins show which komi is even
        number += 1
        try:
            spread = enumerate_playouts(
                probe.position,
                to_move,
                ko=probe.position.ko_ban(to_move),
                max_states=MAX_STATES,
                tolerance=1e-12,
            )
            komi = _balanced_komi(spread.margins, rng)
            probe = replace(probe, komi=komi)
            expected = summarise(spread, komi)
            if len(probe.position.candidates(to_move)) < 2 or spread.remainder > MOST_LEFT_OUT:
                continue
            yield Candidate(probe, expected)
        except StateLimitError:
            continue


def _balanced_komi(margins: Mapping[int, Number], rng: random.Random) -> float:
    """Return a komi with which each side wins about half of the playouts.

    margins   the probability of each lead of Black, in ascending order of the leads

    In one case of four it is a margin itself, so that playouts end in draws.
    """
    total, middle = 0.0, 0
    for margin, probability in margins.items():
        middle = margin
        total += float(probability)
        if total >= SHARE_LOST:
            break
    return float(middle) + rng.choice((0.5, 0.5, 0.5, 0.0))


def unseparated(found: list[Candidate], kind: str, where: tuple[str, ...], sure: float) -> list[str]:
    """Return the faults that fewer than ENOUGH candidates have separated for certain.

    kind    the field of `Candidate` with the scores: moments or choices
    where   the parts of the bot whose faults are meant
    sure    the score from which a separation is certain
    """
    names = [name for name, fault in FAULTS.items() if fault.where in where]
    times = Counter(name for c in found for name, score in getattr(c, kind).items() if score >= sure)
    return [name for name in names if times[name] < ENOUGH]


def measure(candidate: Candidate, found: list[Candidate], seed: int) -> Candidate:
    """Return the candidate with the scores of the faults that are still `unseparated` by those found before.

    Raises AssertionError if a bot without a fault chooses a wrong move: then the expected moves are wrong.
    """
    moments = _moment_scores(candidate, unseparated(found, "moments", ("playout",), CAP), seed)
    faults = unseparated(found, "choices", ("amaf", "selection"), MOST_CHOICES)
    return replace(candidate, moments=moments, choices=_choice_scores(candidate.probe, faults, seed))


def _moment_scores(candidate: Candidate, faults: Iterable[str], seed: int) -> dict[str, float]:
    """Return the scores of faults of the playouts, as `Candidate.moments` has them."""
    probe, wanted = candidate.probe, candidate.expected
    position = game_of(probe.position, probe.komi).position(COLOURS[probe.to_move])
    moments = {}
    for name in faults:
        stats = playouts(position, SAMPLE, komi=probe.komi, seed=seed, faults={name})
        rate = stats.black_rate if probe.to_move == "b" else 1.0 - stats.black_rate
        length = _distance(stats.mean_moves, wanted.mean_length, wanted.sd_length, stats.sd_moves)
        result = _distance(rate, wanted.mean_result, wanted.sd_result, 0.5)
        moments[name] = min(CAP, math.hypot(length, result))
    return moments


def _choice_scores(probe: Probe, faults: Iterable[str], seed: int) -> dict[str, float]:
    """Return the scores of faults of the choice, as `Candidate.choices` has them.

    Empty if any move may be chosen at the probe, or if the moves that may be cannot be enumerated.
    """
    try:
        allowed = set(choosable(probe, PLAYOUTS))
    except StateLimitError:
        return {}
    if len(allowed) == len(probe.position.candidates(probe.to_move)):
        return {}
    game, colour = game_of(probe.position, probe.komi), COLOURS[probe.to_move]
    right = _choices(game, colour, None, seed)
    if any(move not in allowed for move in right):
        raise AssertionError(f"the conforming bot chooses {right}, allowed is {allowed}: {probe}")
    scores = {}
    for name in faults:
        chosen = _choices(game, colour, name, seed)
        scores[name] = sum(times for move, times in chosen.items() if move not in allowed) / CHOICES
    return scores


def _distance(mean: float, wanted: float, sd: float, faulty_sd: float) -> float:
    """Return the distance of two means in standard errors of a search; CAP if a certain value is missed.

    mean, faulty_sd   of the sample of a faulty bot; a distance of three errors of it counts as 0, as chance
    wanted, sd        of a conforming bot; its value is certain if `sd` is 0
    """
    if sd == 0.0:
        return CAP if abs(mean - wanted) > 1e-3 else 0.0  # up to this, the means are equal but for rounding
    noise = faulty_sd / math.sqrt(SAMPLE)
    return max(0.0, abs(mean - wanted) - 3 * noise) / (sd / math.sqrt(PLAYOUTS))


def _choices(game: Game, colour: int, fault: str | None, seed: int) -> Counter[str]:
    """Return how often a bot with a fault (None: without) chooses each move, in CHOICES searches."""
    search = Search(PLAYOUTS, frozenset([fault] if fault else []), seed)
    return Counter(
        format_vertex(None if move is None else divmod(int(move), game.size)).upper()
        for move in (search.search(game, colour).move for _ in range(CHOICES))
    )


def best_probes(found: list[Candidate], kind: str, most: int) -> list[dict[str, object]]:
    """Return up to `most` probes of a kind (moments or choices), as the data file has them."""
    scores = [getattr(candidate, kind) for candidate in found]
    unit, least = (CAP, LEAST_ERRORS) if kind == "moments" else (1.0, LEAST_SHARE)
    parts = [{name: score / unit for name, score in one.items()} for one in scores]
    entries = []
    for number, index in enumerate(choose_greedily(parts, most, goal=ENOUGH_COVER, least=LEAST_GAIN), 1):
        probe = found[index].probe
        name, clause = f"{kind}-{number:02}", clause_of(scores[index], scores, CLAUSES[kind])
        if kind == "choices":
            records = enumerate_records(probe).records(probe.komi, probe.position.candidates(probe.to_move))
            stored = stored_choice(name, probe, scores[index], least, records)
        else:
            stored = {
                **stored_probe(name, probe, scores[index], least),
                "expected": asdict(found[index].expected),
            }
        entries.append({**stored, "clause": clause})
    return entries


def main() -> None:
    """Command line."""
    options = parse_options(__doc__, moments=20, choices=16)
    found: list[Candidate] = []
    for candidate in take_for(options.seconds, random_candidates(random.Random(options.seed))):
        found.append(measure(candidate, found, options.seed))
    report(f"{len(found)} candidates")
    write_probes(
        DATA,
        "battery",
        best_probes(found, "moments", options.moments) + best_probes(found, "choices", options.choices),
    )


if __name__ == "__main__":
    main()
