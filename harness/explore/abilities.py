"""Abilities of a bot under exploration: board sizes, commands and features. Sessions use nothing else."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fnmatch import fnmatchcase

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError
from harness.check.bot.introduction import Introduction
from harness.check.play_rules import REFERENCE_RULES, PlayRules
from harness.check.procedures.late_probes import CAP, late
from harness.gtp import Exchange

CAPPED = late(CAP)
"""A position in which the game has already reached the move cap."""

SMALL_SIZES = (2, 3, 4, 5, 6, 7)
"""Sizes tried besides those of the introduction. Chosen: playouts on them can be enumerated."""


class Feature(StrEnum):
    """An optional spelling of a line, or an optional kind of line. Sessions avoid it if a bot fails at it."""

    IDS = "ids"
    COMMENTS = "comments"
    BLANK_LINES = "blank lines"
    CRLF = "CR LF"
    TABS = "tabs"
    CONTROL = "control characters"
    VERTEX_CASE = "vertices in either case"
    COLOUR_NAMES = "names of colours"
    PASS = "passes"
    SAME_COLOUR = "moves of one colour in a row"
    REFUSED_SIZES = "refused board sizes"
    REFUSED_KOMI = "refused komi"
    REFUSED_POINTS = "moves on stones"
    SUICIDE = "suicide"
    REPETITION = "moves that repeat a board"
    BAD_VERTICES = "bad vertices"
    BAD_COLOURS = "bad colours"
    MISSING_ARGUMENTS = "missing arguments"
    UNKNOWN_COMMANDS = "unknown commands"
    EMPTY_UNDO = "undo at the start"
    UNDO = "undo"
    KOMI = "komi"
    ANY_KOMI = "komi of any size, sign and fraction"  # some engines take whole and half points only
    ADMINISTRATION = "questions about commands"
    NOISE = "output between answers"
    FINAL_SCORE = "final_score"  # of a game that is over, by area
    SCORES = "final_score of any position"
    STATUSES = "final_status_list"
    HANDICAPS = "handicaps"
    REFUSED_HANDICAPS = "refused handicaps"
    CLOCKS = "clocks"
    REFUSED_CLOCKS = "refused clocks"
    SHOWN_MOVES = "moves that are not made"
    SHOWN_BOARDS = "showboard"
    SHOWN_STATE = "questions about the position"
    SHOWN_RULES = "questions about the rules"
    LOADED_RECORDS = "loadsgf"
    REFUSED_RECORDS = "refused records"
    PRINTED_RECORDS = "printsgf"
    SEQUENCES = "gogui-setup and gogui-play_sequence"
    SERVERS = "commands of servers"
    TOOLS = "commands of tools"
    ANALYSES = "analyses"
    WRONG_WORDS = "wrong arguments of optional commands"
    NODES = "ref-nodes"
    SCORE = "ref-score"


OF_PLAYOUTS = ("ref.[!ce]*", "ref.c[!h]*", "ref.e[!x]*")
"""Patterns of the ids of checks of playouts: all of ref.* except ref.choice.* and ref.explore."""

SETTING_KOMI = (
    *("gtp.setup.komi", "gtp.setup.komi-keeps-board"),
    *("gtp.setup.clear-keeps-komi", "game.komi.in-force"),
)
"""The ids of the checks of a komi that every engine takes."""

SHOWN_BY: dict[Feature, tuple[str, ...]] = {
    Feature.IDS: ("gtp.frame.id-*",),
    Feature.COMMENTS: ("gtp.frame.comment-*",),
    Feature.BLANK_LINES: ("gtp.frame.blank-line",),
    Feature.CRLF: ("gtp.frame.crlf",),
    Feature.TABS: ("gtp.frame.tab",),
    Feature.CONTROL: ("gtp.frame.control-dropped",),
    Feature.VERTEX_CASE: ("gtp.play.vertex-case", "gtp.play.pass-case"),
    Feature.COLOUR_NAMES: ("gtp.play.colour-names", "gtp.play.genmove-colour-names"),
    Feature.PASS: ("gtp.play.pass",),
    Feature.SAME_COLOUR: ("gtp.play.either-colour", "gtp.play.colour"),
    Feature.REFUSED_SIZES: (
        *("gtp.setup.boardsize-abc", "gtp.setup.boardsize-edge"),
        *("gtp.setup.unacceptable-size", "gtp.refused.boardsize"),
    ),
    Feature.REFUSED_KOMI: ("gtp.setup.komi-syntax", "gtp.setup.komi-nan", "gtp.refused.komi"),
    Feature.REFUSED_POINTS: ("gtp.play.occupied", "gtp.play.refusal-changes-nothing", "gtp.refused.play"),
    Feature.SUICIDE: ("game.suicide.*", "gtp.refused.play"),
    Feature.REPETITION: ("gtp.refused.play",),
    Feature.BAD_VERTICES: (
        *("gtp.play.off-board", "gtp.play.resign"),
        *("gtp.play.letter-i*", "gtp.refused.play"),
    ),
    Feature.BAD_COLOURS: ("gtp.play.colour-bad", "gtp.play.genmove-bad-colour", "gtp.refused.genmove"),
    Feature.MISSING_ARGUMENTS: ("gtp.play.missing-argument",),
    Feature.UNKNOWN_COMMANDS: (
        *("gtp.admin.unknown-command", "gtp.admin.exact-name"),
        *("gtp.admin.name-case", "gtp.refused.unknown"),
    ),
    Feature.EMPTY_UNDO: ("gtp.play.undo-empty", "gtp.refused.undo"),
    Feature.UNDO: ("gtp.play.undo*", "game.superko.undo*", "gtp.admin.listed-works"),
    Feature.KOMI: SETTING_KOMI,
    Feature.ANY_KOMI: (*SETTING_KOMI, "gtp.setup.komi-range"),
    Feature.ADMINISTRATION: ("gtp.admin.*",),
    Feature.NOISE: ("gtp.frame.no-noise", "gtp.frame.two-newlines"),
    Feature.FINAL_SCORE: ("gtp.score.form", "game.final-score*"),
    Feature.SCORES: ("gtp.score.form", "gtp.score.unfinished", "gtp.score.keeps"),
    Feature.STATUSES: ("gtp.score.status-*", "gtp.score.keeps"),
    Feature.HANDICAPS: ("gtp.handicap.*",),
    Feature.REFUSED_HANDICAPS: ("gtp.handicap.*",),
    Feature.CLOCKS: ("gtp.clock.*", "gtp.admin.time-settings"),
    Feature.REFUSED_CLOCKS: ("gtp.clock.*", "gtp.admin.*-refused"),
    Feature.SHOWN_MOVES: ("gtp.reg.*",),
    Feature.SHOWN_BOARDS: ("gtp.shown.whole", "gtp.shown.keeps"),
    Feature.SHOWN_STATE: ("gtp.shown.*", "gtp.rules.*"),
    Feature.SHOWN_RULES: ("gtp.rules.*",),
    Feature.LOADED_RECORDS: ("gtp.record.*",),
    Feature.REFUSED_RECORDS: ("gtp.record.*", "gtp.admin.*-refused"),
    Feature.PRINTED_RECORDS: ("gtp.record.print*",),
    Feature.SEQUENCES: ("gtp.tools.setup", "gtp.tools.play-sequence", "gtp.tools.sequence-refused"),
    Feature.SERVERS: ("gtp.kgs.*",),
    Feature.TOOLS: ("gtp.tools.*",),
    Feature.ANALYSES: ("gtp.analysis.*",),
    Feature.WRONG_WORDS: ("gtp.admin.arguments-*", "gtp.asked.*", "gtp.analysis.*"),
    Feature.NODES: OF_PLAYOUTS,
    Feature.SCORE: (*OF_PLAYOUTS, "game.komi.in-force"),
}
"""Id patterns of the checks of each feature. If one of these checks fails, sessions avoid the feature."""

COMMAND_FEATURES = {
    "undo": (Feature.UNDO, Feature.EMPTY_UNDO),
    "final_score": (Feature.FINAL_SCORE,),
    "ref-nodes": (Feature.NODES, Feature.ANY_KOMI),
    "ref-score": (Feature.SCORE,),
}
"""Features that need an optional command, by the command. A bot without ref-nodes may be any GTP engine: some
take whole and half komi only."""


@dataclass(frozen=True)
class Abilities:
    """The abilities that sessions may rely on.

    sizes         board sizes that the bot accepts, smallest first; never empty
    commands      the names of its commands
    features      optional features that sessions may use
    cap_of_game   the bot is known to count the moves of the game towards the move cap
    rules         the rules that the bot plays by
    """

    sizes: tuple[int, ...]
    commands: frozenset[str] = frozenset()
    features: frozenset[Feature] = field(default_factory=lambda: frozenset(Feature))
    cap_of_game: bool = False
    rules: PlayRules = REFERENCE_RULES

    def without(self, features: Collection[Feature]) -> Abilities:
        """Return a copy with fewer features."""
        return replace(self, features=self.features - frozenset(features))


def lacking_features(has: Callable[[str], bool]) -> set[Feature]:
    """Return the features whose command is missing; `has` reports whether the bot has a command."""
    return {one for command, features in COMMAND_FEATURES.items() if not has(command) for one in features}


def find_abilities(
    bot: Bot,
    introduction: Introduction,
    playouts: int | None,
    failed: Collection[str] = (),
    rules: PlayRules = REFERENCE_RULES,
) -> Abilities:
    """Find the abilities of a bot: try small board sizes, a ko, the end of a game and the move cap.

    failed   ids of checks that have failed: the features that they test are left out
    Raises UnusableBotError if it cannot be started again.
    """
    sizes = {*introduction.sizes, *(size for size in SMALL_SIZES if _succeeds(bot, f"boardsize {size}"))}
    lacking = lacking_features(introduction.has)
    for feature, patterns in SHOWN_BY.items():
        if any(fnmatchcase(check, pattern) for check in failed for pattern in patterns):
            lacking.add(feature)
    if not _refuses_repetition(bot, introduction.size):
        lacking.add(Feature.REPETITION)
    if rules.scoring != "area" or rules.passing == "free":
        lacking.add(Feature.FINAL_SCORE)  # the bot may take stones for dead
    if introduction.has("kgs-game_over") and _leaves_after_game(bot):
        lacking.add(Feature.SERVERS)
    cap_of_game = Feature.NODES not in lacking and _counts_moves_of_game(bot, playouts)
    found = Abilities(tuple(sorted(sizes)), introduction.commands, cap_of_game=cap_of_game, rules=rules)
    return found.without(lacking)


def _counts_moves_of_game(bot: Bot, playouts: int | None) -> bool:
    """Return True if the bot's playouts are single moves at a position where the game has reached the cap.

    playouts   per search; None if not known: then the result is False
    """
    if not all(_succeeds(bot, line.decode("ascii").rstrip("\n")) for line in CAPPED.setup()):
        return False
    _answer(bot, CAPPED.question().decode("ascii").rstrip("\n"))
    nodes = _answer(bot, "ref-nodes")
    return nodes is not None and nodes.ok and nodes.text.strip() == str(playouts)


def _refuses_repetition(bot: Bot, size: int) -> bool:
    """Return True if `play` refuses to retake a ko at once. The specification allows both answers."""
    moves = ("b B2", "w A3", "b C1", "w A2", "b pass", "w B1", "b A1")
    if not all(
        _succeeds(bot, line) for line in (f"boardsize {size}", "clear_board", *map("play {}".format, moves))
    ):
        return False
    answer = _answer(bot, "play w B1")
    return answer is not None and not answer.ok


def _leaves_after_game(bot: Bot) -> bool:
    """Return True if the bot ends after kgs-game_over, as it may."""
    return _answer(bot, "kgs-game_over") is not None and _answer(bot, "name") is None


def _succeeds(bot: Bot, line: str) -> bool:
    answer = _answer(bot, line)
    return answer is not None and answer.ok


def _answer(bot: Bot, line: str) -> Exchange | None:
    try:
        return bot.ask(f"{line}\n".encode("ascii"))
    except BotInterruptedError:
        return None
