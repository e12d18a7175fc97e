"""Finds advice about a failed game, from the record of the failure and the config of the run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from harness.arena.config.clock import time_control
from harness.arena.config.opening_tables import SgfOpenings
from harness.arena.config.tables import EngineTable, MatchConfig, RunTable, pair_of
from harness.arena.records import ON_STDERR, OPPONENT_RUNS, OTHER_RUNS, TIME_IS_OVER
from harness.arena.store.rows import StoredFailure
from harness.arena.verdicts import FailureCause
from harness.gtp.command_hints import look_alike_hint, missing_variable

_SENT = re.compile(r"(?m)^ *[\d.]+ > (\S+)")
"""The command in a line of a transcript that was sent, such as "    0.1234 > genmove b"."""
_STARTING = frozenset({"name", "version", "list_commands", "ref-playouts"})
"""Commands that the harness sends only at the start of a process."""

_NO_MEMORY = re.compile(r"(?i)out of memory|outofmemory|cannot allocate|bad_alloc|MemoryError")
"""Words of a program that had too little memory."""
_IN_USE = re.compile(r"(?i)in use|already|another|busy|\block|cannot bind|only one")
"""Words of a program that found another process of it: its port, file or device was taken."""
_TIME_REFUSED = re.compile(r"refused (?:(?:kgs-|kata-)?time_settings|time_left)\b")


@dataclass(frozen=True)
class _Case:
    """A failure, the last command that the engine got, and the tables of the config that concern it.

    run      the table `[run]` with the keys of the game's `[[pair]]`
    places   by key that this `[[pair]]` sets, the name of the table, such as "[[pair]] 12"
    """

    failure: StoredFailure
    command: str
    engine: EngineTable
    run: RunTable
    places: Mapping[str, str]

    def place_of(self, key: str) -> str:
        """Name the table that sets `key` for this game."""
        return self.places.get(key, "[run]")

    @property
    def failed_at_start(self) -> bool:
        """True if the engine got no command, or one of _STARTING last. The `gtp` commands come later."""
        return not self.command or self.command in _STARTING

    @property
    def check_line(self) -> str:
        """A shell line that checks this engine outside the match, from its folder if it has one."""
        launch = self.engine.launch()
        folder = f"cd {shlex.quote(str(launch.cwd))} && " if launch.cwd is not None else ""
        sandbox = " --sandbox" if launch.sandbox else ""
        variables = "".join(f" --env {shlex.quote(f'{n}={v}')}" for n, v in self.engine.env.items())
        return f"{folder}conform check {shlex.quote(launch.command)}{sandbox}{variables}"


def cause_of(failure: StoredFailure, config: MatchConfig) -> FailureCause:
    """Describe the cause of a failed game."""
    return FailureCause(
        failure.offender, failure.reason, failure.game_id, failure.detail, hint_of(failure, config)
    )


def hint_of(failure: StoredFailure, config: MatchConfig) -> str:
    """Return advice about a failed game; empty if there is none."""
    hints: dict[str, Callable[[_Case], str]] = {"crash": _crash, "timeout": _timeout, "protocol": _protocol}
    engine = config.engines.get(failure.offender)
    if engine is None or failure.reason not in hints:
        return ""
    sent = _SENT.findall(failure.transcript)
    run, places = config.run, {}
    if config.pair:
        number = pair_of(failure.game_id)
        run = config.run_of(number)
        places = dict.fromkeys(config.pair[number - 1].replacements(), f"[[pair]] {number}")
    case = _Case(failure, sent[-1] if sent else "", engine, run, places)
    # If the engine was not started, the detail has the hint already.
    ended_at_start = case.failed_at_start and failure.exit != "was not started"
    look_alike = look_alike_hint(engine.command) if ended_at_start else ""
    return look_alike or hints[failure.reason](case)


def _crash(case: _Case) -> str:
    exit_, detail = case.failure.exit, case.failure.detail
    if exit_ == "was not started":
        return ""  # the detail has a hint of its own
    variable = missing_variable(detail)
    if variable:
        return _add_variable(case.engine, variable)
    if case.failed_at_start:
        return _start(case)
    if _NO_MEMORY.search(detail) or ("SIGKILL" in exit_ and "harness" not in exit_):
        return _memory(case)
    if "SIGILL" in exit_:
        return "the program was built for another processor: build it on this machine"
    return "the line `by hand` in its failure.txt plays the game again up to this move"


def _add_variable(engine: EngineTable, variable: str) -> str:
    """Return how to give an engine an environment variable that it lacks."""
    remedy = f'add {variable} to the env table of {engine.name}, as env = {{ {variable} = "…" }}'
    names = engine.inherit_env
    if names is True or (names and variable in names):
        return f"inherit_env gives the engine {variable} as the shell has it: correct it there, or {remedy}"
    if names:
        return f"from the shell, it gets only PATH, HOME, LANG and the names in inherit_env: {remedy}"
    return f"engines get only PATH, HOME and LANG of the shell: {remedy}"


def _start(case: _Case) -> str:
    """Return advice about a program that ended at its start, perhaps because another process of it ran."""
    alone, remedy = f"{case.check_line} starts it alone", _to_run_one_at_a_time(case)
    if not remedy:
        return alone
    if _IN_USE.search(case.failure.detail):
        return f"only one process of the program seems to run at a time: {remedy}"
    return f"{alone}; if that works, only one process of it can run at a time: {remedy}"


def _to_run_one_at_a_time(case: _Case) -> str:
    """Return how to avoid a second process of the program; empty if none ran at the failure."""
    if OPPONENT_RUNS in case.failure.exit:
        return (
            "give each engine what they share (a port, a file, a device) of its own, by options, cwd or env"
        )
    if OTHER_RUNS not in case.failure.exit:
        return ""
    if case.run.workers != 1:
        return "set workers = 1 in [run]"
    return 'end the other one; if that is another engine of this match, set restart = "game" in [run]'


def _memory(case: _Case) -> str:
    """Return advice about an engine that had too little memory."""
    if case.engine.memory_mb is not None:
        return f"raise memory_mb of {case.engine.name}, which is {case.engine.memory_mb}"
    if case.run.workers != 1:
        return "each worker runs engines of its own: with fewer workers in [run] each has more memory"
    return "the engine needs more memory than there is: close other programs, or make it use less"


def _timeout(case: _Case) -> str:
    detail, _, _ = case.failure.detail.partition(ON_STDERR)  # what the engine wrote may have the same words
    if TIME_IS_OVER in detail:  # in runs of earlier versions, where a loss on time was a failure
        return (
            f"main_time in [run] is {case.run.main_time or 0:g} s for all moves of a side: raise it if needed"
        )
    if "stopped by a signal" in detail:
        return "a stopped process is continued by kill -CONT, or by the terminal that stopped it"
    if ", only " in detail:
        return f"what it printed is no GTP answer; {case.check_line} names what is wrong with it"
    if case.command == "name":
        more = f"raise startup of {case.engine.name}, which is {case.engine.startup:g} s, if it needs longer"
        return f"{more} to load; if it never answers, {case.check_line} says why"
    own = case.engine.timeout
    limit = (
        f"timeout in [run], which is {case.run.timeout:g} s"
        if own is None
        else f"timeout of {case.engine.name}, which is {own:g} s"
    )
    if case.command == case.engine.genmove:
        control = time_control(case.engine, case.run)
        if control is not None:
            return (
                f"its time ({control}) was over, and then {limit}: it must move within time_left; make it "
                "think less, or give it more time (main_time, byoyomi)"
            )
        return f"raise {limit}, or make the engine think less (a number of playouts, a time for each move)"
    return f"raise {limit}, if {case.command} takes longer"


def _protocol(case: _Case) -> str:
    detail, run = case.failure.detail, case.run
    if any(detail.startswith(f"refused {line}") for line in case.engine.gtp):
        return f"correct gtp of {case.engine.name}: it is sent after each start"
    if any(detail.startswith(f"refused {line.partition(' ')[0]}") for line in case.engine.gtp_game):
        return f"correct gtp_game of {case.engine.name}: it is sent before each game"
    if detail.startswith("refused komi"):
        return _komi(case)
    if detail.startswith("refused boardsize"):
        return f"set size in {case.place_of('size')}, which is {run.size}, to one that the engine plays"
    if _TIME_REFUSED.match(detail):
        return "give it a time control that it takes (main_time, byoyomi), or correct its time commands"
    if detail.startswith("refused ref-playouts"):
        return f"change playouts of {case.engine.name}, or correct ref-playouts of the engine"
    if detail.startswith("refused the legal move"):
        ko = "simple ko" if run.rules.ko == "simple" else f"{run.rules.ko} superko"
        return (
            f"the referee allows it ({run.rules.counting} rules, {ko}): {case.check_line} --only 'gtp.play.*'"
        )
    return f"{case.check_line} names what is wrong with its answers"


def _komi(case: _Case) -> str:
    """Return advice about a komi that the engine refused."""
    openings = case.run.openings
    if isinstance(openings, SgfOpenings) and openings.komi == "file":
        return (
            'the komi may be that of the opening\'s file: set komi = "run" in openings, or take another file'
        )
    return f"set komi in {case.place_of('komi')}, which is {case.run.komi:g}, to one that the engine takes"
