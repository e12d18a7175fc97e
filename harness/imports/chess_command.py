"""Translates a command line of cutechess-cli or fastchess, whose options are nearly the same.

An example, with the tables of the match config that `import_chess_command` makes of it, and a note on an
option that has no key in a match config:

    cutechess-cli -engine cmd=a -engine cmd=b -each tc=60+1 -rounds 10 -games 2 -repeat -maxmoves 200

    [run]       name = "match", size = 9, komi = 7.5, format = "round-robin", games = 20
    [[engine]]  name = "a", command = "a", main_time = 60.0, increment = 1.0; the same for b
    note        -maxmoves 200: a game ends after 3·N·N moves, and is then scored

`-engine`, `-each`, `-openings` and `-sprt` are followed by words KEY=VALUE, such as `tc=60+1`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.arena.config.tables import MOST_ENGINES
from harness.imports.imported import Imported, ImportSettingsError, engine_name, run_name

_NOT_KEPT = {
    "-resign": "no game is adjudicated; an engine may resign",
    "-draw": "no game is adjudicated",
    "-maxmoves": "a game ends after 3·N·N moves, and is then scored",
    **dict.fromkeys(("-tb", "-tbpieces", "-tbignore50", "-tbadjudicate"), "there are no tablebases"),
    "-variant": "the game is Go; rules in [run] has its rules",
    "-pgnout": "game records are SGF files in the folder of the run",
    "-epdout": "game records are SGF files in the folder of the run",
    "-livepgnout": "conform serve shows the games while they are played",
    "-bookmode": "opening files are read game by game",
    **dict.fromkeys(
        ("-log", "-debug"), "a log of each failed game is kept; logs in [run] keeps those of all games"
    ),
    "-site": "game records have no place",
    "-ucinewgame-ms": "timeout in [run] limits each answer",
    "-ping-ms": "timeout in [run] limits each answer",
    "-strict": "failures of engines make the exit code 1; other notices do not",
    "-testEnv": "it is about servers that test chess engines",
    "-check-mate-pvs": "it is about chess",
    "-quick": "write -engine for each engine, and -openings",
    "-engines": "engines.json is not read",
    "-resultformat": "the tables have columns of their own",
    "-csvout": "tables are CSV files in the folder of the run",
    "-reverse": "the first engine of a pair has Black in its first game; exchange the [[engine]] tables",
    "-wait": "engines are asked for the next game at once",
    "-autosaveinterval": "every game is stored when it ends",
    **dict.fromkeys(
        ("-config", "-tournamentfile", "-resume"), "a stopped match is continued by the same command"
    ),
}
"""For each option that has no key in a match config: the text of its note."""

_WITHOUT_NOTE = frozenset(
    {
        "-recover",
        "-ratinginterval",
        "-scoreinterval",
        "-outcomeinterval",
        "-report",
        "-output",
        "-crc32",
        "-force-concurrency",
        "-show-latency",
    }
)
"""Options for what a match does anyway, or prints in its own way."""

_ENGINE_NOTES = {
    "proto": "engines speak GTP",
    "initstr": "its commands are not GTP: write GTP commands into gtp of the engine",
    "ponder": "write the engine's own option for thinking ahead into its command",
    "book": "an engine gets its book by options of its own",
    "bookdepth": "an engine gets its book by options of its own",
    "stderr": "stderr is kept with failed games",
    "timemargin": "a move that is late by any time loses; timeout is the limit after the clock",
    "depth": "an engine gets a limit of its search by options of its own, or as playouts",
    "plies": "an engine gets a limit of its search by options of its own, or as playouts",
    "whitepov": "scores of engines are not read",
    "trust": "the referee of the match checks every move; scorer in [run] says whose score counts",
    "tscale": "timeout and startup are the limits",
    "debug": "logs in [run] keeps what is sent and answered",
}
"""For each key of -engine that has none in an [[engine]] table: the text of its note."""

_FLAGS = frozenset({"ponder", "whitepov", "trust", "debug"})
"""Keys of -engine that are written without a value."""
_NUMBERS = {"-concurrency": "workers", "-srand": "seed", "-seeds": "gauntlet_seeds"}
"""For each option with one number: the key of [run] that gets it."""
_RESTART = {"on": "game", "off": "on-error", "auto": "on-error"}
"""For each value of restart: that of restart in [run]."""


def import_chess_command(line: str) -> Imported:
    """Translate a command line of cutechess-cli or fastchess into a config and notes about it.

    Raises ImportSettingsError if it cannot be read, or if an engine has no command.
    """
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise ImportSettingsError(
            f"this is not a command line: {str(error).lower()}; close every quote"
        ) from None
    if words and not words[0].startswith("-"):
        program, words = words[0].rsplit("/", 1)[-1], words[1:]
    else:
        program = "cutechess-cli"
    made = Imported(f"a command line of {program}")
    made.note("board size, komi, rules and scorer are those of Go: set size, komi, rules and scorer in [run]")
    return _Translation(made, fast="fast" in program).translate(list(_options(words)))


def _options(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the options of a command line with their words, in order: `-games 2` gives ("-games", ["2"]).

    Raises ImportSettingsError for a word before the first option.
    """
    option, values = "", list[str]()
    for word in words:
        if re.match(r"-[A-Za-z]", word):  # a negative number is no option
            if option:
                yield option, values
            option, values = word, []
        elif not option:
            raise ImportSettingsError(f"{word!r} comes before the first option")
        else:
            values.append(word)
    if option:
        yield option, values


class _Translation:
    """The translation of one command line into the config `made`.

    fast   the program is fastchess, whose defaults differ
    """

    def __init__(self, made: Imported, *, fast: bool) -> None:
        self.made = made
        self.fast = fast
        self.made.run |= {"name": "match", "size": 9, "komi": 7.5, "format": "round-robin"}
        self.games: int | None = None
        self.rounds: int | None = None
        self.repeat = False
        self.startup: float | None = None  # seconds

    def translate(self, options: Sequence[tuple[str, list[str]]]) -> Imported:
        """Translate all options. An engine has the values of `-each` that its own words do not replace.

        `tc` and `st` are both about the clock: either of them replaces both.
        """
        common: dict[str, list[str]] = {}
        for option, values in options:
            if option == "-each":
                common |= _pairs(option, values)
        for option, values in options:
            if option == "-engine":
                own = _pairs(option, values)
                clocks = {"tc", "st"} if {"tc", "st"} & own.keys() else set()
                self._add_engine({key: value for key, value in common.items() if key not in clocks} | own)
            elif option != "-each":
                self._translate_option(option, values)
        self._set_number_of_games()
        if self.startup is not None:
            for engine in self.made.engines:
                engine["startup"] = self.startup
        return self.made

    # --- engines -------------------------------------------------------------------------------------------

    def _add_engine(self, given: Mapping[str, list[str]]) -> None:
        """Add the [[engine]] table of one -engine option; `given` has its values by key.

        Raises ImportSettingsError if the table cannot be made.
        """
        values = {key: own[-1] for key, own in given.items()}  # of a repeated key the last counts
        if "conf" in values:
            raise ImportSettingsError(
                f"-engine conf={values['conf']}: engines.json is not read; write cmd= and its options"
            )
        command = values.get("cmd")
        if not command:
            number = len(self.made.engines) + 1
            raise ImportSettingsError(f"-engine {number} has no cmd=: add the command that starts the engine")
        if len(self.made.engines) == MOST_ENGINES:
            raise ImportSettingsError(f"-engine comes more than {MOST_ENGINES:,} times, the most of a match")
        taken = {engine["name"] for engine in self.made.engines}
        engine: dict[str, Any] = {"name": engine_name(values.get("name", command.rsplit("/", 1)[-1]), taken)}
        engine["command"] = command if self.fast else shlex.join(_split(command) or [command])
        arguments = [*given.get("arg", []), *(word for own in given.get("args", []) for word in _split(own))]
        if arguments:
            engine["args"] = arguments
        if "dir" in values:
            engine["cwd"] = values["dir"]
        if "nodes" in values:
            self.made.note(
                "nodes is the number of playouts: write {playouts} into a command without ref-playouts"
            )
            engine["playouts"] = _number("nodes", values["nodes"])
        if "restart" in values and values["restart"] not in _RESTART:
            self.made.note(f"restart={values['restart']}: this setting is not known")
        elif "restart" in values:
            self.made.run["restart"] = _RESTART[values["restart"]]
        engine |= self._clock(values)
        self._note_options(engine["name"], given)
        self.made.engines.append(engine)

    def _clock(self, values: Mapping[str, str]) -> dict[str, Any]:
        """Return the keys of a clock, from `st` (seconds a move) or `tc` ([MOVES/]TIME[+INCREMENT]).

        TIME is in seconds, or as MINUTES:SECONDS. Without a clock there are no keys.
        """
        if "st" in values:
            return {"byoyomi": {"time": _decimal("st", values["st"]), "stones": 1}}
        given = values.get("tc", "inf")
        if given in ("inf", "infinite"):
            return {}
        moves, slash, rest = given.rpartition("/")
        time, plus, increment = rest.partition("+")
        seconds = 0.0
        for part in time.split(":"):
            seconds = 60.0 * seconds + _decimal("tc", part)
        if slash:
            if plus:
                self.made.note(f"tc={given}: moves in a time exclude an increment, which is left out")
            return {"byoyomi": {"time": seconds, "stones": _number("tc", moves)}}
        return {"main_time": seconds} | ({"increment": _decimal("tc", increment)} if plus else {})

    def _note_options(self, name: str, given: Mapping[str, list[str]]) -> None:
        """Add a note for each key of -engine that the table of the engine does not keep."""
        known = {"cmd", "name", "arg", "args", "dir", "tc", "st", "nodes", "restart"}
        for key, own in given.items():
            if key in known:
                continue
            if key.startswith("option."):
                self.made.note(
                    f"{key}={own[-1]} of {name} is no GTP: write what sets it into command, args or gtp"
                )
            else:
                why = _ENGINE_NOTES.get(key, "this setting is not known")
                self.made.note(f"{key if key in _FLAGS else f'{key}={own[-1]}'}: {why}")

    # --- the match -----------------------------------------------------------------------------------------

    def _translate_option(self, option: str, values: list[str]) -> None:
        """Translate an option about the match; add a note if it is not kept."""
        first = values[0] if values else ""
        match option:
            case "-games":
                self.games = _number(option, first)
            case "-rounds":
                self.rounds = _number(option, first)
            case "-repeat":
                self.repeat = True
                if self.fast and first:
                    self.games = _number(option, first)
            case _ if option in _NUMBERS:
                self.made.run[_NUMBERS[option]] = _number(option, first)
            case "-noswap":
                self.made.run["colours"] = "fixed"
            case "-event":
                self.made.run["name"] = run_name(" ".join(values))
            case "-tournament":
                self._set_format(first)
            case "-openings":
                self._set_openings({key: own[-1] for key, own in _pairs(option, values).items()})
            case "-sprt":
                self._set_sprt({key: own[-1] for key, own in _pairs(option, values).items()})
            case "-use-affinity":
                self.made.run["affinity"] = True
            case "-startup-ms":
                self.startup = max(0.001, _number(option, first) / 1000.0)
            case _ if option not in _WITHOUT_NOTE:
                shown = " ".join([option, *values])
                self.made.note(f"{shown}: {_NOT_KEPT.get(option, 'this option is not known')}")

    def _set_format(self, kind: str) -> None:
        """Set the form of the match: gauntlet or round robin; the latter, with a note, for any other."""
        forms = {"round-robin": "round-robin", "roundrobin": "round-robin", "gauntlet": "gauntlet"}
        if kind not in forms:
            self.made.note(
                f"-tournament {kind} is not known: this match is a round robin; for another form, set format "
                "in [run], or write [[pair]] tables"
            )
        self.made.run["format"] = forms.get(kind, "round-robin")

    def _set_openings(self, given: Mapping[str, str]) -> None:
        """Set the openings: an SGF file, or random moves in place of any other kind of file."""
        file = given.get("file", "")
        if not file.lower().endswith(".sgf"):
            self.made.note(
                f"-openings file={file}: openings are SGF files; here they are random moves; for your own, "
                'set openings = { kind = "sgf", files = ["FILE"] } in [run]'
            )
            self.made.run["openings"] = {"kind": "random", "moves": 4}
            return
        openings: dict[str, Any] = {"kind": "sgf", "files": [file]}
        if "plies" in given:
            openings["plies"] = _number("plies", given["plies"])
        if given.get("order") == "random":
            openings["order"] = "random"
        if "start" in given:
            self.made.note(
                f"-openings start={given['start']} is not kept: the games are used from the first one; to "
                "begin later, remove the earlier games from the file"
            )
        if "policy" in given:
            self.made.note(
                f"-openings policy={given['policy']}: each pair of engines plays the same openings"
            )
        self.made.run["openings"] = openings

    def _set_sprt(self, given: Mapping[str, str]) -> None:
        """Set the judge of the match: a sequential test between elo0 and elo1."""
        judge: dict[str, Any] = {"kind": "sprt"}
        for key in ("elo0", "elo1", "alpha", "beta"):
            if key in given:
                judge[key] = _decimal(f"-sprt {key}", given[key])
        model = given.get("model", "normalized" if self.fast else "logistic")
        if model == "bayesian":
            self.made.note("-sprt model=bayesian: elo0 and elo1 are taken as logistic Elo")
            model = "logistic"
        self.made.judge = judge | {"model": model}

    def _set_number_of_games(self) -> None:
        """Set the number of games of each pair: rounds times games per round, with the program's defaults."""
        games_per_round = (2 if self.fast or self.repeat else 1) if self.games is None else self.games
        rounds = (2 if self.fast else 1) if self.rounds is None else self.rounds
        given = games_per_round * rounds
        games = max(1, given)
        if games % 2 and self.made.run.get("colours") != "fixed":
            games += 1
            self.made.note(f"{given} games became {games}, so that both engines have Black equally often")
        self.made.run["games"] = games


def _pairs(option: str, values: Sequence[str]) -> dict[str, list[str]]:
    """Return the values of KEY=VALUE words by key. The value of a word of _FLAGS alone is an empty text.

    Raises ImportSettingsError for any other word without a value.
    """
    found: dict[str, list[str]] = {}
    for word in values:
        key, equals, value = word.partition("=")
        if not equals and word not in _FLAGS:
            raise ImportSettingsError(f"{option} has {word!r}, which is not KEY=VALUE")
        found.setdefault(key, []).append(value)
    return found


def _split(text: str) -> list[str]:
    """Split a text into words as a shell does; return the whole text if a quote is left open."""
    try:
        return shlex.split(text)
    except ValueError:
        return [text]


def _number(what: str, text: str) -> int:
    if not re.fullmatch(r"\d{1,9}", text):
        raise ImportSettingsError(f"{what} is {text!r}, not a whole number of 1 to 9 digits")
    return int(text)


def _decimal(what: str, text: str) -> float:
    if not re.fullmatch(r"-?(\d{1,9}(\.\d{0,9})?|\.\d{1,9})", text):
        raise ImportSettingsError(
            f"{what} is {text!r}, not a decimal number of at most 9 digits before and after the point"
        )
    return float(text)
