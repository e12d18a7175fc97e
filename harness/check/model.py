"""A check as data: what it requires, its procedure, its judgement and its result; and the run's verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from harness.check.bot.session import Session
from harness.check.search_plan import SearchPlan
from harness.gtp.shell import dialogue_command


class Level(StrEnum):
    """Weight of a check. A failed MUST refuses a bot; with --strict a failed SHOULD does too."""

    MUST = "must"
    SHOULD = "should"
    INFO = "info"


class Outcome(StrEnum):
    """The outcome of a check."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"  # too little was observed to decide
    SKIP = "skip"  # the check does not apply to this bot or this run
    BLOCKED = "blocked"  # the bot lacks an ability that the check relies on; another check reports the lack
    CRASH = "crash"  # the bot ended without an answer
    TIMEOUT = "timeout"  # the bot was silent
    ERROR = "error"  # not made: no new process started, or the match or its reference bot failed


REFUSING = frozenset({Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT})
"""Outcomes that count against the bot."""

JUDGED = REFUSING | {Outcome.PASS}
"""Outcomes of a check that was judged."""


class Verdict(StrEnum):
    """The verdict of a whole run of checks on a bot."""

    CONFORMS = "conforms"
    DEVIATES = "deviates"
    INCONCLUSIVE = "inconclusive"
    UNUSABLE = "unusable"


class Phase(Enum):
    """The part of a run in which a procedure runs. The parts run in this order."""

    DIALOGUE = "dialogue"  # conversations, in the order of the checks
    SEARCH = "search"  # searches, in an order that the planner chooses
    FINAL = "final"  # procedures that may leave the bot in an unknown state
    EXPLORATION = "exploration"  # generated dialogues and positions; they may stay undecided
    MATCH = "match"  # games against the reference bot


class Ability(StrEnum):
    """Something that a bot can do and that checks of other subjects rely on.

    The value is the id of the check of this ability. If that check fails, the checks that rely on the
    ability are blocked.
    """

    WELL_FORMED_ANSWERS = "gtp.frame.form"
    ANSWERS_IN_ORDER = "gtp.frame.several-lines"
    ECHOES_IDS = "gtp.frame.id-echo"
    ECHOES_IDS_OF_REFUSALS = "gtp.frame.id-echo-error"
    SKIPS_BLANK_LINES = "gtp.frame.blank-line"
    SKIPS_COMMENTS = "gtp.frame.comment-line"
    REFUSES_UNKNOWN_COMMANDS = "gtp.admin.unknown-command"
    DISTINGUISHES_CASE = "gtp.admin.name-case"
    MATCHES_WHOLE_NAMES = "gtp.admin.exact-name"
    DENIES_COMMANDS = "gtp.admin.known-false"
    KNOWS_ITS_COMMANDS = "gtp.admin.known-command"
    ACCEPTS_ITS_SIZE = "gtp.setup.size-accepted"
    CHANGES_SIZE = "gtp.setup.boardsize"
    ENDS_THE_BOARD = "gtp.setup.boardsize-edge"
    HAS_ITS_SIZES = "gtp.rules.every-size"
    CLEARS_THE_BOARD = "gtp.setup.clear-board"
    FORGETS_GAMES = "game.superko.forgets"
    SETS_KOMI = "gtp.setup.komi"
    SETS_ANY_KOMI = "gtp.setup.komi-range"
    REFUSES_SIZES = "gtp.setup.unacceptable-size"
    REFUSES_KOMI = "gtp.setup.komi-syntax"
    PLAYS = "gtp.play.legal"
    PLAYS_EITHER_COLOUR = "gtp.play.either-colour"
    PLACES_BOTH_COLOURS = "gtp.play.colour"
    READS_COLOUR_NAMES = "gtp.play.colour-names"
    REFUSES_COLOURS = "gtp.play.colour-bad"
    NAMES_COLUMNS = "gtp.play.letter-i"
    PASSES = "gtp.play.pass"
    CAPTURES = "game.capture.stone"
    CAPTURES_CHAINS = "game.capture.chain"
    CAPTURES_SEVERAL_CHAINS = "game.capture.two-chains"
    CAPTURES_BEFORE_SUICIDE = "game.capture.before-suicide"
    RETAKES_KO = "game.ko.ends"
    REFUSES_MOVES = "gtp.play.occupied"
    REFUSES_VERTICES = "gtp.play.off-board"
    REFUSES_MISSING_ARGUMENTS = "gtp.play.missing-argument"
    GENERATES_MOVES = "gtp.play.genmove"
    SEARCHES_AGAIN = "gtp.play.genmove-again"
    GENERATES_EITHER_COLOUR = "gtp.play.genmove-either-colour"
    GENERATES_AFTER_PASSES = "gtp.play.genmove-never-fails"
    SEARCHES_AFTER_PASSES = "game.pass.searches"
    PLAYS_ITS_MOVES = "gtp.play.genmove-plays"
    UNDOES = "gtp.admin.listed-works"
    UNDOES_SINGLY = "gtp.play.undo"
    UNDOES_PASSES = "gtp.play.undo-pass"
    REFUSES_UNDO = "gtp.play.undo-empty"
    SCORES_AFTER_UNDO = "game.score.undone"
    KOMI_IN_FORCE = "game.komi.in-force"
    SCORES = "gtp.score.form"
    SCORES_AND_GOES_ON = "gtp.score.keeps"
    SCORES_WITH_KOMI = "game.final-score-komi"
    FORGETS_HANDICAPS = "gtp.handicap.cleared"
    PLACES_FIXED_HANDICAPS = "gtp.handicap.fixed"
    HOLDS_HANDICAPS = "gtp.handicap.fixed-stones"
    SETS_HANDICAPS = "gtp.handicap.set"
    REFUSES_HANDICAPS = "gtp.handicap.set-pass"
    SETS_CLOCKS = "gtp.admin.time-settings"
    TAKES_TIME_LEFT = "gtp.clock.left"
    LOADS_RECORDS = "gtp.record.load"
    PRINTS_WHOLE_RECORDS = "gtp.record.print-whole"
    PRINTS_RECORDS = "gtp.record.print"
    SHOWS_WHOLE_BOARDS = "gtp.shown.whole"
    LISTS_STATUSES = "gtp.score.status-stones"
    SCORES_ITS_KOMI = "gtp.kept.komi-in-force"
    CLEARS_NO_KOMI = "gtp.kept.clear-komi"
    KOMI_CLEARS_NOTHING = "gtp.setup.komi-keeps-board"
    REFUSES_WITHOUT_A_MOVE = "gtp.play.refusal-changes-nothing"
    COUNTS_MOVES = "ref.nodes.readable"
    REPORTS_SCORE = "ref.score.readable"
    REPORTS_PASSES = "ref.nodes.pass"
    STARTS_ANALYSES = "gtp.analysis.starts"
    ENDS_ANALYSES = "gtp.analysis.ends"
    NAMES_ANALYSED_MOVES = "gtp.analysis.genmove"


COMMAND_ABILITIES = {"ref-nodes": Ability.COUNTS_MOVES, "ref-score": Ability.REPORTS_SCORE}
"""By private command: the ability whose check reports that the command is missing or unreadable."""


@dataclass(frozen=True)
class Requirements:
    """Features that a bot must have before a check can judge its subject.

    commands            private commands of the specification; without them the check is blocked, and the
                        checks of these commands fail
    optional_commands   commands that a bot need not have; without them the check is skipped
    board_size          size of the dialogues; the check is skipped if the run holds them on another size
    optional_size       skip the check if the bot refuses the size of the board during the set-up
    abilities           abilities that the check relies on and does not judge
    playout_count       the number of playouts per search must be known
    isolated            a failure counts only in a new process, since earlier commands could cause it
    one_of_commands     optional commands of which a bot needs one; without all of them the check is skipped
    rules               rules by which the bot must play, such as `superko=positional` (see PlayRules); the
                        check is skipped if it plays by others
    """

    commands: tuple[str, ...] = ()
    optional_commands: tuple[str, ...] = ()
    board_size: int | None = None
    optional_size: bool = False
    abilities: frozenset[Ability] = frozenset()
    playout_count: bool = False
    isolated: bool = False
    one_of_commands: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    def with_those_of(self, other: Requirements) -> Requirements:
        """Return both requirements together.

        Two sets of alternatives cannot be joined: `one_of_commands` are those of this one if it has any. The
        board size is always that of this one.
        """
        return replace(
            self,
            commands=tuple(dict.fromkeys(self.commands + other.commands)),
            optional_commands=tuple(dict.fromkeys(self.optional_commands + other.optional_commands)),
            one_of_commands=self.one_of_commands or other.one_of_commands,
            optional_size=self.optional_size or other.optional_size,
            abilities=self.abilities | other.abilities,
            playout_count=self.playout_count or other.playout_count,
            isolated=self.isolated or other.isolated,
            rules=tuple(dict.fromkeys(self.rules + other.rules)),
        )


PLAYOUT_COUNT = Requirements(playout_count=True)
"""Requirements of a check of chosen moves."""

NODES_AND_SCORE = Requirements(commands=("ref-nodes", "ref-score"), playout_count=True)
"""Requirements of a check of playout lengths and results."""


@dataclass(frozen=True)
class Judgement:
    """A judge's conclusion from the observation of one check.

    numbers           statistics for the reports, by name
    p_value           of a statistical judge, valid however often the check is judged: the error budget over
                      all checks then decides whether the check fails. None for an exact judge
    playouts_needed   estimate of the further playouts that decide an inconclusive check; None if not known
    reported_by       id of the check that reports this failure; empty for the check that observed it
    clause            clause that the failure breaks, if the observation shows a more exact one than the check
    reduced           a shorter procedure that observes the same failure
    coverage          of an exploration: counts by subject (such as "commands") and name
    written_wrong     the bot did the right thing, and only the form of its answer is wrong
    unlike            known faults that the check must catch, and that answer otherwise than this bot did
    """

    outcome: Outcome
    expected: str = ""
    observed: str = ""
    hint: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict)
    p_value: float | None = None
    playouts_needed: float | None = None
    reported_by: str = ""
    clause: str = ""
    reduced: Procedure | None = field(default=None, compare=False, repr=False)
    coverage: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    written_wrong: bool = False
    unlike: tuple[str, ...] = ()

    def with_outcome(self, outcome: Outcome) -> Judgement:
        """Return a copy of the judgement with another outcome."""
        return replace(self, outcome=outcome)


def passed(expected: str, observed: str = "") -> Judgement:
    """Return the judgement of a requirement that is met."""
    return Judgement(Outcome.PASS, expected, observed or expected)


def failed(expected: str, observed: str, hint: str = "", *, unlike: tuple[str, ...] = ()) -> Judgement:
    """Return the judgement of a requirement that is not met."""
    return Judgement(Outcome.FAIL, expected, observed, hint, unlike=unlike)


OUT_OF_TIME = Judgement(Outcome.INCONCLUSIVE, observed="no time was left")
"""The judgement of a check that ran out of time."""


class Procedure(Protocol):
    """The part of a check that observes a bot and judges the observation.

    `observe` only records; `judge` is a pure function of the record, so that a stored observation can be
    judged again without a bot. Each procedure defines a frozen dataclass for its observation.
    """

    @property
    def phase(self) -> Phase:
        """When the procedure runs."""

    @property
    def requires(self) -> Requirements:
        """Requirements of the lines that the procedure sends. Its check may state more."""

    @property
    def search_plan(self) -> SearchPlan | None:
        """The searches to plan and share between checks; None for a procedure that plans none."""

    def observe(self, session: Session) -> Any:
        """Talk to the bot. Raises ExchangeError."""

    def judge(self, observation: Any) -> Judgement:
        """Judge what `observe` returned."""

    def describe(self) -> list[str]:
        """Describe the procedure in lines for `conform explain`."""


@dataclass(frozen=True)
class Check:
    """One requirement on a bot, with the procedure that observes and judges it.

    level           what a failure means for the verdict: see `Level`
    requires        requirements on the bot beyond those of the procedure; `needs` has both
    hint            what to change in the bot after a failure, unless the judgement has a hint of its own
    kills           faults of `refbot` that this check must catch, by name
    tolerates       harmless habits that this check notes, too: it cannot distinguish them from one of these
                    faults. For readers; the tests check the names
    may_stay_open   other checks prove the same: an undecided result does not make the verdict inconclusive
    identifies      the diagnosis compares the outcome of this check with those of known faults, in place of
                    the moves of its searches
    shares          id of a check whose procedure observes the same: if both run, the bot is observed once
    """

    id: str
    clause: str
    level: Level
    title: str
    procedure: Procedure
    requires: Requirements = field(default_factory=Requirements)
    hint: str = ""
    kills: tuple[str, ...] = ()
    tolerates: tuple[str, ...] = ()
    may_stay_open: bool = False
    identifies: bool = False
    shares: str = ""

    @cached_property
    def needs(self) -> Requirements:
        """All requirements on the bot: those of the check and those of its procedure.

        Where a bot must pass, it may do so without a search. A check that reads `ref-nodes` there relies on
        the report of such a pass. A check never relies on the ability that it judges.
        """
        all_needs = self.requires.with_those_of(self.procedure.requires)
        abilities, plan = set(all_needs.abilities), self.procedure.search_plan
        if plan is not None and plan.probe.must_pass and "ref-nodes" in all_needs.commands:
            abilities.add(Ability.REPORTS_PASSES)
        return replace(all_needs, abilities=frozenset(abilities - {self.id}))

    @cached_property
    def relies_on(self) -> frozenset[str]:
        """The ids of the checks whose abilities the check relies on."""
        abilities = {*self.needs.abilities, *(COMMAND_ABILITIES[name] for name in self.needs.commands)}
        return frozenset(str(ability) for ability in abilities if ability != self.id)


class Confirmation(StrEnum):
    """Result of the attempt to see a failure a second time."""

    NOT_NEEDED = "not needed"
    CONFIRMED = "confirmed"  # by the lines of the check, in a new process or another search of the run
    WITH_HISTORY = "with history"  # in a new process, after those earlier commands that it needs
    UNSTABLE = "unstable"  # the printed lines do not show it again: the check is inconclusive
    NOT_TRIED = "not tried"  # other failures were confirmed, time was short, or no new process started


class Sightings(NamedTuple):
    """How many tries by the same lines showed a failure, and how many were made.

    A try is a new process, or, for a rare failure of a search, a search of the run.
    """

    seen: int
    tried: int

    @property
    def is_intermittent(self) -> bool:
        """True if the failure was seen in some of the processes only."""
        return 0 < self.seen < self.tried


NO_SIGHTINGS = Sightings(0, 0)
"""The sightings of a failure that was not repeated, and of any other outcome."""


@dataclass(frozen=True)
class Result:
    """One check on one bot, ready for a report."""

    check: Check
    judgement: Judgement
    lines: tuple[bytes, ...] = ()  # a new process that gets them shows the outcome again, if it is stable
    shell_line: str = ""  # how a shell starts the bot
    transcript: str = ""  # the exchange, escaped for a terminal
    blocked_by: tuple[str, ...] = ()  # ids of the checks that report the missing abilities
    confirmation: Confirmation = Confirmation.NOT_NEEDED
    sightings: Sightings = NO_SIGHTINGS  # of the failure, by `lines`
    seconds: float = 0.0  # duration; the time of searches that several checks share is split evenly
    observer: Check | None = None  # the check that made the observation, if it is another check

    @property
    def observed_by(self) -> Check:
        """The check that made the observation: its position and its lines show the outcome."""
        return self.observer or self.check

    @property
    def reproduce(self) -> str:
        """A shell command that shows the outcome again; empty without `lines`."""
        return dialogue_command(self.lines, self.shell_line) if self.lines else ""

    @property
    def outcome(self) -> Outcome:
        """The outcome of the judgement."""
        return self.judgement.outcome

    @property
    def clause(self) -> str:
        """The clause that the result is about."""
        return self.judgement.clause or self.check.clause

    @property
    def refuses(self) -> bool:
        """True if the outcome counts against the bot."""
        return self.outcome in REFUSING
