"""Finds what a user should read about the engines and games of a run, as `NoticeGiven` events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from harness.arena.clock import Clock
from harness.arena.config.clock import time_control
from harness.arena.config.tables import PLAYOUTS_WORD, MatchConfig
from harness.arena.records import NO_SCORE, GameSummary, Introduction
from harness.arena.run.events import NoticeGiven, NoticeKind


class Notices:
    """The notices of one start of a run.

    Each kind is given once for an engine, a disputed score once in all; each change of a program is reported.
    """

    def __init__(
        self, config: MatchConfig, programs: Iterable[tuple[str, str, str | None, str, str | None]]
    ) -> None:
        """`programs`: for each stored game (id, Black, its program, White, its program), from the store."""
        self._config = config
        self._programs: defaultdict[str, set[str]] = defaultdict(set)  # by engine, of its stored games
        for _, black, black_program, white, white_program in programs:
            self._programs[black].update([black_program] if black_program else [])
            self._programs[white].update([white_program] if white_program else [])
        self._warned: set[tuple[NoticeKind, str]] = set()  # kind of warning and engine

    def about_engine(self, introduction: Introduction) -> Iterator[NoticeGiven]:
        """Yield the notices about an engine that was started."""
        yield from self._about_playouts(introduction)
        yield from self._about_clock(introduction)

    def about_game(self, summary: GameSummary) -> Iterator[NoticeGiven]:
        """Yield the notices about a game that has ended. Called once for each game."""
        yield from self._about_programs(summary)
        yield from self._about_score(summary)

    def _once(self, kind: NoticeKind, text: str, engine: str = "") -> Iterator[NoticeGiven]:
        """Yield a notice, unless one of this kind was given about this engine."""
        if (kind, engine) not in self._warned:
            self._warned.add((kind, engine))
            yield NoticeGiven(kind, text, engine)

    def _about_programs(self, summary: GameSummary) -> Iterator[NoticeGiven]:
        """Report an engine whose program played none of its earlier games."""
        for name, program in zip((summary.game.black, summary.game.white), summary.programs, strict=True):
            known = self._programs[name]
            if program is not None and known and program not in known:
                sentence = f"the program of {name} has changed: its earlier games are kept apart"
                yield NoticeGiven("program", sentence, name)
            known.update([program] if program is not None else [])

    def _about_score(self, summary: GameSummary) -> Iterator[NoticeGiven]:
        """Report the first game at whose end an engine fails when it is asked for the score: once per engine.

        If the config chooses no scorer, also report the first game of the run whose score an engine disputes.
        """
        scoring, run, detail = summary.scoring, self._config.run, summary.ending.detail
        if detail and not summary.failed:
            for table in self._config.engine:
                if f"; {table.name} {NO_SCORE}: " in f"; {detail}":
                    yield from self._once("scorer", f"{summary.game.id}: {detail}", table.name)
        if run.scorer is not None or scoring is None or not scoring.disputed:
            return
        sides = ((summary.game.black, scoring.black_says), (summary.game.white, scoring.white_says))
        reports = " and ".join(f"{name} reports {says}" for name, says in sides if says is not None)
        yield from self._once(
            "scorer",
            f"{summary.game.id} is scored {scoring.area_result} by area, every stone alive, but {reports}: "
            'in a new run (--new, or another --out), set scorer = "players" or "referee" in [run], or use '
            '--scorer players; "area" keeps the scores without this warning',
        )

    def _about_playouts(self, introduction: Introduction) -> Iterator[NoticeGiven]:
        """Warn once if nothing passes the configured number of playouts on to an engine."""
        name, table = introduction.engine, self._config.engines[introduction.engine]
        informed = table.takes_playouts or "ref-playouts" in introduction.commands
        if table.playouts is not None and not informed:
            yield from self._once(
                "playouts",
                f"{name} may not make {table.playouts} playouts per search: its command has no "
                f"{PLAYOUTS_WORD}, and it has no ref-playouts; add one of them",
                name,
            )

    def _about_clock(self, introduction: Introduction) -> Iterator[NoticeGiven]:
        """Warn once if an engine has a clock, and lists no command that sets it, or no `time_left`."""
        name = introduction.engine
        control = time_control(self._config.engines[name], self._config.run)
        if control is None:
            return
        commands = frozenset(introduction.commands)
        missing = [] if "time_left" in commands else ["time_left"]
        missing += [] if any(Clock(control).settings(commands)) else ["time_settings"]
        if missing:
            yield from self._once(
                "clock",
                f"{name} has a clock ({control} s), but does not list {' and '.join(missing)}: it may not "
                "know how much time it has",
                name,
            )
