"""The data that every check is made of, and the contract of what observes and judges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from functools import cached_property
from typing import Any, Protocol

from harness.check.bot.session import Session
from harness.check.bot.wording import by_hand


class Level(StrEnum):
    """How much a check weighs: only a failed MUST (or, with --strict, a SHOULD) refuses a bot."""

    MUST = "must"
    SHOULD = "should"
    INFO = "info"


class Outcome(StrEnum):
    """How a check ended."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    SKIP = "skip"
    BLOCKED = "blocked"  # an ability that the check relies on is missing; another check reports that
    CRASH = "crash"
    TIMEOUT = "timeout"
    ERROR = "error"


REFUSING = frozenset({Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT})
"""Outcomes that count against the bot."""


class Verdict(StrEnum):
    """The verdict of a whole run of checks on a bot."""

    CONFORMS = "conforms"
    DEVIATES = "deviates"
    INCONCLUSIVE = "inconclusive"
    UNUSABLE = "unusable"


class Phase(Enum):
    """When a procedure runs."""

    DIALOGUE = "dialogue"  # first: conversations, in the order of the checks
    SEARCH = "search"  # then searches, in an order that the planner chooses
    FINAL = "final"  # then what may leave the bot in an unknown state
    EXPLORATION = "exploration"  # then generated dialogues and positions, which need not be decided
    MATCH = "match"  # last: games against the reference bot


class Ability(StrEnum):
    """Something a bot can do that checks about other subjects rely on.

    The value is the id of the check that shows whether the bot has the ability. While that check fails, the
    checks that rely on the ability are blocked.
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
    REFUSES_UNDO = "gtp.play.undo-empty"
    KOMI_IN_FORCE = "game.komi.in-force"
    SCORES = "gtp.score.form"
    SCORES_WITH_KOMI = "game.final-score-komi"
    COUNTS_MOVES = "ref.nodes.readable"
    REPORTS_SCORE = "ref.score.readable"
    REPORTS_PASSES = "ref.nodes.pass"


COMMAND_ABILITIES = {"ref-nodes": Ability.COUNTS_MOVES, "ref-score": Ability.REPORTS_SCORE}
"""The checks that report a missing or unreadable private command."""


@dataclass(frozen=True)
class Requirements:
    """Features that a bot must have before a check can judge its subject.

    commands            private commands of the specification; a bot without them fails their own checks, and
                        this check is blocked
    optional_commands   commands that a bot need not have: without them the check is skipped
    board_size          the check is skipped if dialogues are held on another board
    optional_size       the check is skipped if the bot refuses the size of the board during the set-up
    abilities           what the check relies on beside its subject
    playout_count       the number of playouts per search must be known
    isolated            earlier lines may spoil the check: it is judged in a process of its own
    """

    commands: tuple[str, ...] = ()
    optional_commands: tuple[str, ...] = ()
    board_size: int | None = None
    optional_size: bool = False
    abilities: frozenset[Ability] = frozenset()
    playout_count: bool = False
    isolated: bool = False

    def with_those_of(self, other: Requirements) -> Requirements:
        """These requirements and the others; a board size of the other is left out."""
        return replace(
            self,
            commands=tuple(dict.fromkeys(self.commands + other.commands)),
            optional_commands=tuple(dict.fromkeys(self.optional_commands + other.optional_commands)),
            optional_size=self.optional_size or other.optional_size,
            abilities=self.abilities | other.abilities,
            playout_count=self.playout_count or other.playout_count,
            isolated=self.isolated or other.isolated,
        )


PLAYOUT_COUNT = Requirements(playout_count=True)
"""Requirements of a check of chosen moves."""

NODES_AND_SCORE = Requirements(commands=("ref-nodes", "ref-score"), playout_count=True)
"""Requirements of a check of playout lengths and results."""


@dataclass(frozen=True)
class Judgement:
    """A judge's conclusion from the observation of one check.

    A statistical judge gives `p_value` (valid at any time) and leaves the last word to the error budget over
    all checks; an exact judge leaves `p_value` None. `playouts_needed` is an estimate of how many more
    playouts decide an inconclusive check, None where nothing is known. A judgement may name a `clause` of its
    own, where what was observed shows it better than the check does, and a `reduced` procedure that observes
    the same failure with less. The judgement of an exploration has its `coverage`: what the exploration went
    through, counted by subject (such as "commands") and name. With `written_wrong` the bot did what it had to
    do, and only the form of its answer is wrong.
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

    def with_outcome(self, outcome: Outcome) -> Judgement:
        """The judgement with another outcome."""
        return replace(self, outcome=outcome)


def passed(expected: str, observed: str = "") -> Judgement:
    """The judgement of a requirement that is met."""
    return Judgement(Outcome.PASS, expected, observed or expected)


def failed(expected: str, observed: str, hint: str = "") -> Judgement:
    """The judgement of a requirement that is not met."""
    return Judgement(Outcome.FAIL, expected, observed, hint)


OUT_OF_TIME = Judgement(Outcome.INCONCLUSIVE, observed="no time was left")
"""The judgement of a check that ran out of time."""


class SearchPlan(Protocol):
    """The planner's view of a procedure that makes a bot search."""

    @property
    def probe(self) -> Any:
        """Where the bot searches: a `harness.check.procedures.probe.Probe`."""

    @property
    def least(self) -> int:
        """Searches that are made in any case."""

    @property
    def least_quick(self) -> int | None:
        """Least number of searches in a quick run; None for `least`."""

    @property
    def most(self) -> int:
        """Searches that are made at most in a standard run."""


class Procedure(Protocol):
    """How a check observes a bot and judges what it observed.

    `observe` only records; `judge` is a pure function of the record, so that a stored observation can be
    judged again without a bot. The observation is a frozen dataclass of the procedure's own.
    """

    @property
    def phase(self) -> Phase:
        """When the procedure runs."""

    @property
    def requires(self) -> Requirements:
        """Requirements of the lines that the procedure sends, beside those of its check."""

    @property
    def search_plan(self) -> SearchPlan | None:
        """The searches that the planner makes and shares between checks; None for any other procedure."""

    def observe(self, session: Session) -> Any:
        """Talk to the bot. Raises ExchangeError."""

    def judge(self, observation: Any) -> Judgement:
        """Judge what `observe` returned."""

    def describe(self) -> list[str]:
        """Describe the procedure in lines for `conform explain`."""


@dataclass(frozen=True)
class Check:
    """One requirement: its clause, what it needs, how to observe and judge it.

    `kills` names the faults of the registry that this check is there to catch, `tolerates` the harmless
    habits that look like one of them. A check that `may_stay_open` is a second proof of what others show:
    undecided, it does not delay a verdict. A check that `identifies` a fault shows what no mean of its
    searches shows, so that its outcome is evidence for the diagnosis. A check `shares` the observation of the
    check with that id where both run, since their procedures observe alike.
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
        """All that the bot must offer: what the check states and what its procedure derives.

        A check never relies on its own subject.
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
    CONFIRMED = "confirmed"  # in a new process, by the printed lines alone
    WITH_HISTORY = "with history"  # in a new process, after all earlier commands of the old one
    UNSTABLE = "unstable"  # it did not come back
    NOT_TRIED = "not tried"  # other failures were confirmed, time was short, or no new process started


@dataclass(frozen=True)
class Result:
    """One check on one bot, ready for a report."""

    check: Check
    judgement: Judgement
    lines: tuple[bytes, ...] = ()  # sent to a new process, they show the outcome again
    shell_line: str = ""  # how a shell starts the bot
    transcript: str = ""  # the exchange, escaped for a terminal
    blocked_by: tuple[str, ...] = ()  # ids of the checks that report the missing abilities
    confirmation: Confirmation = Confirmation.NOT_NEEDED
    seconds: float = 0.0  # how long it took; searches that several checks share are split evenly
    observer: Check | None = None  # the check that made the observation, where that is another one

    @property
    def observed_by(self) -> Check:
        """The check whose procedure made the observation: its position and its lines show it."""
        return self.observer or self.check

    @property
    def reproduce(self) -> str:
        """A line to paste into a shell, which shows the outcome again; empty without lines."""
        return by_hand(self.lines, self.shell_line) if self.lines else ""

    @property
    def outcome(self) -> Outcome:
        """How the check ended."""
        return self.judgement.outcome

    @property
    def clause(self) -> str:
        """The clause that the result is about."""
        return self.judgement.clause or self.check.clause

    @property
    def refuses(self) -> bool:
        """True if the outcome counts against the bot."""
        return self.outcome in REFUSING
