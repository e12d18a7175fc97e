"""Matches of refbot's own search in this process: stored like a real match, without engines and without GTP.

A match takes a tenth of the time of a real one, so hundreds of them can be played. Faults of the rules of the
game, of the state between searches and of the wire do not show: they are not in the search.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping
from pathlib import Path

from harness.arena.config.opening import Opening
from harness.arena.config.openings import OpeningBook
from harness.arena.config.tables import MatchConfig
from harness.arena.folder.audit import audit_store, run_to_end
from harness.arena.folder.folder import open_run
from harness.arena.judge.judge import judge
from harness.arena.pairings import pairings
from harness.arena.records import Ending, Game, GameRecord, Introduction, Played, Search
from harness.arena.run.stop import Stop
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.files import timestamp
from harness.gtp import Colour, format_vertex, other, parse_vertex
from refbot.rules import BLACK, WHITE
from refbot.rules import Game as Board
from refbot.search import Search as Searcher

STONES: Mapping[Colour, int] = {"b": BLACK, "w": WHITE}
SCORE_DIGITS = 4  # of a score that the bot prints


def simulated(
    config: MatchConfig, folder: Path, faults: Mapping[str, Collection[str]], seed: int
) -> MatchVerdicts:
    """Play, store and audit the match of `config`; `faults` of bots by their names. Equal seeds, equal games.

    The commands of the engines are ignored; their playouts count. The audit is as the config says.
    """
    with open_run(config, folder) as store:
        play_games(store, config, faults, seed)
        run_to_end(audit_store(store, config, config.run.audit, stop=Stop(), workers=config.run.workers))
        return judge(store, config)


def play_games(store: Store, config: MatchConfig, faults: Mapping[str, Collection[str]], seed: int) -> None:
    """Play and store all games of the match."""
    bots = {}
    for number, (name, engine) in enumerate(config.engines.items()):
        assert engine.playouts is not None, "a simulated bot needs a number of playouts"
        bots[name] = Searcher(engine.playouts, faults.get(name, ()), seed=1000 * seed + number)
        store.introduce(Introduction(name, "refbot", "simulated", engine.playouts))
    book = OpeningBook(config.run)
    pairs = pairings(store.engine_names(), config.run.format)
    for number, pair in itertools.product(range(1, config.run.games + 1), pairs):
        game = pair.game(number)
        store.add(_played(game, config, book.opening(game.opening), bots))


def _played(game: Game, config: MatchConfig, opening: Opening, bots: Mapping[str, Searcher]) -> GameRecord:
    run = config.run
    board = Board(run.size, run.komi)
    moves: list[Played] = []
    searches: list[Search] = []

    def play(colour: Colour, vertex: str) -> None:
        point = parse_vertex(vertex, run.size)
        board.play(STONES[colour], None if point is None else point[0] * run.size + point[1])
        moves.append(Played(colour, vertex))

    for move in opening.moves:
        play(*move)
    colour = opening.to_move
    while board.passes < 2 and len(moves) < run.move_cap:
        found = bots[game.engine(colour)].search(board, STONES[colour])
        vertex = format_vertex(None if found.move is None else divmod(found.move, run.size))
        score = round(found.score, SCORE_DIGITS)
        searches.append(Search(len(moves) + 1, colour, vertex, found.nodes, score, found.stats.seconds))
        play(colour, vertex)
        colour = other(colour)
    return GameRecord(
        game=game,
        board=(run.size, run.komi),
        opening=opening.name,
        opening_moves=len(opening.moves),
        moves=tuple(moves),
        searches=tuple(searches),
        ending=_ending(board.area_score(), capped=board.passes < 2),
        started=timestamp(),
        finished=timestamp(),
    )


def _ending(margin: float, *, capped: bool) -> Ending:
    reason = "move-cap" if capped else "score"
    if margin == 0:
        return Ending(reason, "0", None)  # type: ignore[arg-type]
    winner: Colour = "b" if margin > 0 else "w"
    return Ending(reason, f"{winner.upper()}+{abs(margin):g}", winner)  # type: ignore[arg-type]
