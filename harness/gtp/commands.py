"""The commands of GTP and of its common extensions, as data: arguments, origin, and which are required.

docs/gtp.md says what each command does; a test compares the page with this table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """The type of an argument."""

    INT = "int"
    FLOAT = "float"
    STRING = "string"
    COLOR = "color"
    VERTEX = "vertex"
    MOVE = "move"  # two words: a colour and a vertex

    @property
    def words(self) -> int:
        """The number of words of one argument of this type."""
        return 2 if self is Kind.MOVE else 1


class Origin(Enum):
    """The project that defined a command, and the public address of its definition."""

    DRAFT = ("the draft", "http://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html")
    GNU_GO = ("GNU Go", "https://www.gnu.org/software/gnugo/gnugo_19.html")
    KGS = ("KGS", "https://www.weddslist.com/kgs/how/kgsGtp.html")
    GOMILL = ("Gomill", "https://mjw.woodcraft.me.uk/gomill/doc/0.8.3/gtp_extensions.html")
    GOGUI = ("GoGui", "https://github.com/Remi-Coulom/gogui/tree/master/doc/manual/xml")
    FUEGO = ("Fuego", "https://fuego.sourceforge.net/")
    LEELA_ZERO = ("Leela Zero", "https://github.com/leela-zero/leela-zero/blob/next/CONTRIBUTING.md")
    KATAGO = ("KataGo", "https://github.com/lightvector/KataGo/blob/master/docs/GTP_Extensions.md")
    CGOS = ("CGOS", "https://github.com/zakki/cgos")
    SABAKI = (
        "Sabaki",
        "https://github.com/SabakiHQ/Sabaki/blob/master/docs/guides/engine-analysis-integration.md",
    )

    @property
    def label(self) -> str:
        """The name of the project, for readers."""
        return self.value[0]

    @property
    def address(self) -> str:
        """The URL of the page that defines the commands of the project."""
        return self.value[1]


@dataclass(frozen=True)
class Argument:
    """One argument. A repeated one is the last, and stands for one or more; if optional, also for none."""

    name: str
    kind: Kind
    optional: bool = False
    repeated: bool = False

    def __str__(self) -> str:
        name = f"{self.name} …" if self.repeated else self.name
        return f"[{name}]" if self.optional else name


@dataclass(frozen=True)
class GtpCommand:
    """One command: its name, its arguments, who defined it, and the clause by which its answers are judged.

    `required`: the draft requires it of every engine (as in `syntax.REQUIRED_COMMANDS`).
    """

    name: str
    arguments: tuple[Argument, ...]
    origin: Origin
    clause: str
    required: bool = False

    @property
    def usage(self) -> str:
        """The name and the arguments. An optional argument is in brackets, a repeated one ends with `…`."""
        return " ".join([self.name, *map(str, self.arguments)])


def _argument(text: str) -> Argument:
    """Read `name:type`, with `?` at its end if optional, `+` if repeated, and `*` if both."""
    name, _, kind = text.partition(":")
    return Argument(
        name, Kind(kind.rstrip("?+*")), optional=kind.endswith(("?", "*")), repeated=kind.endswith(("+", "*"))
    )


def _commands(origin: Origin, clause: str, *lines: str, required: bool = False) -> tuple[GtpCommand, ...]:
    """Read one command a line: the name, then its arguments."""
    commands = []
    for line in lines:
        name, *arguments = line.split()
        commands.append(GtpCommand(name, tuple(map(_argument, arguments)), origin, clause, required))
    return tuple(commands)


_ANALYSIS = "color:color? interval:int? options:string*"

_ALL = (
    *_commands(
        Origin.DRAFT,
        "gtp",
        "protocol_version",
        "name",
        "version",
        "known_command name:string",
        "list_commands",
        "quit",
        "boardsize size:int",
        "clear_board",
        "komi komi:float",
        "play color:color vertex:vertex",
        "genmove color:color",
        required=True,
    ),
    *_commands(Origin.DRAFT, "gtp", "undo", "reg_genmove color:color"),
    *_commands(
        Origin.DRAFT,
        "gtp-handicap",
        "fixed_handicap stones:int",
        "place_free_handicap stones:int",
        "set_free_handicap vertices:vertex+",
    ),
    *_commands(
        Origin.DRAFT,
        "gtp-time",
        "time_settings main_time:int byo_yomi_time:int byo_yomi_stones:int",
        "time_left color:color time:int stones:int",
    ),
    *_commands(Origin.DRAFT, "gtp-score", "final_score", "final_status_list status:string"),
    *_commands(Origin.DRAFT, "gtp-records", "loadsgf filename:string move_number:int?"),
    *_commands(Origin.DRAFT, "gtp-position", "showboard"),
    *_commands(
        Origin.GNU_GO,
        "gtp-position",
        "list_stones color:color",
        "color vertex:vertex",
        "countlib vertex:vertex",
        "findlib vertex:vertex",
        "captures color:color",
        "last_move",
        "move_history",
        "get_handicap",
        "is_legal color:color vertex:vertex",
        "all_legal color:color",
        "orientation orientation:int",
        "query_orientation",
        "invariant_hash",
    ),
    *_commands(Origin.GNU_GO, "gtp-rules", "get_komi", "query_boardsize"),
    *_commands(
        Origin.GNU_GO,
        "gtp",
        "gg-undo moves:int?",
        "black vertex:vertex",
        "white vertex:vertex",
        "genmove_black",
        "genmove_white",
        "gg_genmove color:color seed:int?",
        "restricted_genmove color:color vertices:vertex+",
        "trymove color:color vertex:vertex",
        "tryko color:color vertex:vertex",
        "popgo",
    ),
    *_commands(
        Origin.GNU_GO,
        "gtp-score",
        "final_status vertex:vertex",
        "estimate_score",
        "experimental_score color:color",
    ),
    *_commands(Origin.GNU_GO, "gtp-records", "printsgf filename:string?"),
    *_commands(
        Origin.GNU_GO,
        "gtp-tools",
        "top_moves",
        "top_moves_black",
        "top_moves_white",
        "move_probabilities",
        "cputime",
        "clear_cache",
        "level level:int",
        "get_random_seed",
        "set_random_seed seed:int",
        "help",
        "echo words:string*",
        "echo_err words:string*",
    ),
    *_commands(Origin.FUEGO, "gtp-records", "savesgf filename:string"),
    *_commands(
        Origin.KGS,
        "gtp-kgs",
        "kgs-genmove_cleanup color:color",
        "kgs-game_over",
        "kgs-rules rules:string",
        "kgs-chat kind:string name:string message:string*",
    ),
    *_commands(Origin.KGS, "gtp-time", "kgs-time_settings system:string numbers:int*"),
    *_commands(
        Origin.GOMILL,
        "gtp-tools",
        "gomill-explain_last_move",
        "gomill-describe_engine",
        "gomill-cpu_time",
        "gomill-genmove_ex color:color? keywords:string*",
        "gomill-passthrough command:string words:string*",
    ),
    *_commands(Origin.GOMILL, "gtp-records", "gomill-savesgf filename:string properties:string*"),
    *_commands(
        Origin.GOGUI,
        "gtp-tools",
        "gogui-analyze_commands",
        "gogui-interrupt",
        "gogui-sigint",
        "gogui-title",
        "gogui-version version:string",
        "gogui-action_forward moves:int",
        "gogui-action_backward moves:int",
    ),
    *_commands(
        Origin.GOGUI,
        "gtp-position",
        "gogui-play_sequence moves:move*",
        "gogui-setup stones:move*",
        "gogui-setup_player color:color",
    ),
    *_commands(
        Origin.GOGUI,
        "gtp-rules",
        "gogui-rules_game_id",
        "gogui-rules_board",
        "gogui-rules_board_size",
        "gogui-rules_board_gfx",
        "gogui-rules_captured_count",
        "gogui-rules_legal_moves",
        "gogui-rules_side_to_move",
        "gogui-rules_final_result",
    ),
    *_commands(
        Origin.LEELA_ZERO,
        "gtp-analysis",
        f"lz-analyze {_ANALYSIS}",
        f"lz-genmove_analyze {_ANALYSIS}",
    ),
    *_commands(
        Origin.LEELA_ZERO,
        "gtp-tools",
        "heatmap symmetry:string?",
        "lz-memory_report",
        "lz-setoption words:string*",
    ),
    *_commands(
        Origin.KATAGO,
        "gtp-rules",
        "rectangular_boardsize width:int height:int",
        "kata-get-rules",
        "kata-set-rules rules:string+",
        "kata-set-rule rule:string value:string",
    ),
    *_commands(Origin.KATAGO, "gtp-position", "set_position stones:move*"),
    *_commands(
        Origin.KATAGO,
        "gtp-time",
        "kata-list_time_settings",
        "kata-time_settings system:string numbers:float*",
    ),
    *_commands(
        Origin.KATAGO,
        "gtp-analysis",
        f"kata-analyze {_ANALYSIS}",
        f"kata-genmove_analyze {_ANALYSIS}",
        f"kata-search_analyze {_ANALYSIS}",
        f"kata-search_analyze_cancellable {_ANALYSIS}",
        "stop",
    ),
    *_commands(
        Origin.KATAGO,
        "gtp-tools",
        "kata-search color:color",
        "kata-search_cancellable color:color",
        "genmove_debug color:color",
        "kata-search_debug color:color",
        "kata-raw-nn words:string+",
        "kata-raw-human-nn words:string+",
        "kata-get-param parameter:string",
        "kata-set-param parameter:string value:string",
        "kata-list-params",
        "kata-get-params",
        "kata-set-params parameters:string+",
        "kata-get-models",
        "kata-benchmark visits:int",
        "kata-debug-print-tc",
        "debug_moves words:string*",
    ),
    *_commands(Origin.SABAKI, "gtp-analysis", f"analyze {_ANALYSIS}", f"genmove_analyze {_ANALYSIS}"),
    *_commands(
        Origin.CGOS,
        "gtp-analysis",
        f"cgos-analyze {_ANALYSIS}",
        f"cgos-genmove_analyze {_ANALYSIS}",
    ),
    *_commands(
        Origin.CGOS,
        "gtp-tools",
        "cgos-opponent_name name:string",
        "cgos-opponent_rating rating:string",
        "cgos-gameover result:string",
        "cgos-game_info game:string black:string white:string",
        "cgos-game_over result:string",
    ),
)

COMMANDS: dict[str, GtpCommand] = {command.name: command for command in _ALL}
"""Every command by name: those of the draft first."""
