"""`gtp.rules.*` on engines that play several sets of rules, and boards that are not square."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import ClassVar

import pytest

from harness.check.model import Outcome
from harness.check.phases.findings import Findings
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.check.verdict import verdict
from harness.commands.board_sizes import ENOUGH, SIZES, EveryBoardSize, RectangularBoard
from harness.commands.shown_rules import STONES
from harness.go import symmetries
from harness.selftest.hosted_bot import HostedBot, HostedEngine
from harness.suite.registry import select
from tests.hosted import hosted_by

FAMILY = ("gtp.rules.*",)
Rules = dict[str, object]

NAMES: dict[str, Rules] = {
    "chinese": {"ko": "SIMPLE", "scoring": "AREA", "suicide": False},
    "japanese": {"ko": "SIMPLE", "scoring": "TERRITORY", "suicide": False},
    "tromp-taylor": {"ko": "POSITIONAL", "scoring": "AREA", "suicide": True},
}
VALUES: dict[str, list[object]] = {
    "ko": ["SIMPLE", "POSITIONAL"],
    "scoring": ["AREA", "TERRITORY"],
    "suicide": [True, False],
}


class SeveralRules(HostedEngine):
    """Plays three named sets of rules, and every combination of their fields but one."""

    names: ClassVar[dict[str, Rules]] = NAMES
    layout: ClassVar[dict[str, object]] = {}  # how the rules are printed

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.rules: Rules = dict(NAMES["tromp-taylor"])

    def _take(self, line: bytes) -> None:
        words = line.decode("ascii").split()
        if not words or not words[0].startswith("kata-"):
            super()._take(line)
            return
        answer = getattr(self, words[0].replace("-", "_"))(*words[1:])
        self.output += f"{answer}\n\n".encode("ascii")

    def kata_get_rules(self) -> str:
        return f"= {json.dumps(self.rules, **self.layout)}"  # type: ignore[arg-type]

    def kata_set_rules(self, *words: str) -> str:
        text = " ".join(words)
        if text in self.names:
            return self.use(self.names[text])
        try:
            wanted = json.loads(text)
        except ValueError:
            return "? unknown rules"
        return self.use({**self.rules, **wanted})

    def kata_set_rule(self, field: str = "", word: str = "") -> str:
        named = {str(value).upper(): value for value in VALUES.get(field, [])}
        if word.upper() not in named:
            return "? unknown value"
        return self.use({**self.rules, field: named[word.upper()]})

    def use(self, wanted: Rules) -> str:
        if any(value not in VALUES.get(field, []) for field, value in wanted.items()):
            return "? unknown rules"
        if wanted["scoring"] == "TERRITORY" and wanted["suicide"]:
            return "? unsupported combination"
        self.rules = dict(wanted)
        return "= "


class Spread(SeveralRules):
    """Prints its rules over several lines."""

    layout: ClassVar[dict[str, object]] = {"indent": 2}


class Cumulative(SeveralRules):
    """A name changes only the fields in which it differs from the rules of the start."""

    names: ClassVar[dict[str, Rules]] = {**NAMES, "japanese": {**NAMES["japanese"], "scoring": "AREA"}}


class Forgetful(SeveralRules):
    """The second time, chinese means something else."""

    uses = 0

    def kata_set_rules(self, *words: str) -> str:
        answer = super().kata_set_rules(*words)
        if words == ("chinese",):
            self.uses += 1
            self.rules["suicide"] = self.uses > 1
        return answer


class Careless(SeveralRules):
    """Sets the fields one by one, until one is wrong."""

    def use(self, wanted: Rules) -> str:
        answer = super().use(wanted)
        if answer != "= ":
            self.rules["suicide"] = not self.rules["suicide"]
        return answer


class SetsAnother(SeveralRules):
    """kata-set-rule ko changes suicide, too."""

    def kata_set_rule(self, field: str = "", word: str = "") -> str:
        answer = super().kata_set_rule(field, word)
        if field == "ko":
            self.rules["suicide"] = False
        return answer


class Unwilling(SeveralRules):
    """kata-set-rule refuses the value that is in force."""

    def kata_set_rule(self, field: str = "", word: str = "") -> str:
        in_force = str(self.rules.get(field)).upper() == word.upper()
        return "? nothing to change" if in_force else super().kata_set_rule(field, word)


def hosted(engine: type[HostedEngine], *switches: str) -> HostedBot:
    return hosted_by(engine, "extensions", *switches)


def found(bot: HostedBot, *only: str) -> Findings:
    with bot:
        return findings_of(check_bot(bot, RunSettings(bot.launch, select(only or FAMILY))))


def failing(bot: HostedBot) -> set[str]:
    return {result.check.id for result in found(bot).results if result.refuses}


@pytest.mark.parametrize("engine", [SeveralRules, Spread])
def test_an_engine_with_several_sets_of_rules_conforms(engine: type[HostedEngine]) -> None:
    findings = found(hosted(engine))
    assert {result.outcome for result in findings.results} == {Outcome.PASS}
    assert verdict(findings, strict=True) == "conforms"


@pytest.mark.parametrize(
    ("engine", "wanted"),
    [
        (Cumulative, {"gtp.rules.named"}),
        (Forgetful, {"gtp.rules.named"}),
        (Careless, {"gtp.rules.refused", "gtp.rules.single"}),
        (SetsAnother, {"gtp.rules.single"}),
        (Unwilling, {"gtp.rules.single"}),
    ],
)
def test_rules_that_do_not_agree_are_refused(engine: type[HostedEngine], wanted: set[str]) -> None:
    assert failing(hosted(engine)) == wanted


def test_the_rules_are_brought_back() -> None:
    with hosted(SeveralRules) as bot:
        for check in select(FAMILY):
            findings_of(check_bot(bot, RunSettings(bot.launch, (check,))))
            engine = bot.running_engine()
            assert isinstance(engine, SeveralRules)
            assert engine.rules == NAMES["tromp-taylor"], check.id


def test_unreadable_rules_are_reported_once(check_hosted: Callable[..., Findings]) -> None:
    findings = check_hosted("shown-rules-named", only=FAMILY)
    assert {result.check.id for result in findings.results if result.refuses} == {"gtp.rules.shown"}


def test_an_engine_without_these_commands_is_not_judged_on_them(
    check_hosted: Callable[..., Findings],
) -> None:
    findings = check_hosted(only=FAMILY)
    outcomes = {result.check.id: result.outcome for result in findings.results}
    assert outcomes.pop("gtp.rules.every-size") is Outcome.PASS
    assert set(outcomes.values()) == {Outcome.SKIP}


class Padded(HostedEngine):
    """get_komi pads the number with blanks, as GNU Go does; query_boardsize names both sides."""

    answers: ClassVar[dict[str, str]] = {"get_komi": "= {komi:5.1f}", "query_boardsize": "= {size} {size}"}

    def _take(self, line: bytes) -> None:
        session, text = self.server.session, self.answers.get(line.decode("ascii").strip())
        if text is None:
            super()._take(line)
        else:
            self.output += f"{text.format(komi=session.komi, size=session.size)}\n\n".encode("ascii")


def test_other_forms_of_a_number_are_right() -> None:
    assert failing(hosted(Padded)) == set()


# --- the commands of a referee ------------------------------------------------------------------------------


class Mirrored(HostedEngine):
    """gogui-rules_board draws each row from right to left."""

    def _take(self, line: bytes) -> None:
        before = len(self.output)
        super()._take(line)
        if line.startswith(b"gogui-rules_board\n"):
            rows = self.output[before:].decode("ascii").removeprefix("=").strip().splitlines()
            drawn = "\n".join(row[::-1] for row in rows)
            self.output[before:] = f"= {drawn}\n\n".encode("ascii")


class NoMoves(HostedEngine):
    """gogui-rules_legal_moves fails."""

    def _take(self, line: bytes) -> None:
        if line.startswith(b"gogui-rules_legal_moves"):
            self.output += b"? out of memory\n\n"
        else:
            super()._take(line)


def test_a_mirrored_board_is_refused() -> None:
    assert failing(hosted(Mirrored)) == {"gtp.rules.referee-board"}


@pytest.mark.parametrize("size", [9, 13, 19])
def test_no_symmetry_keeps_the_stones_of_the_referee(size: int) -> None:
    _, *others = symmetries(size)
    assert all({(colour, image(point)) for colour, point in STONES} != set(STONES) for image in others)


def test_a_refused_list_of_moves_is_shown_as_a_refusal() -> None:
    (result,) = found(hosted(NoMoves), "gtp.rules.referee-moves").results
    assert result.judgement.observed == "gogui-rules_legal_moves → ? out of memory"


# --- sizes --------------------------------------------------------------------------------------------------


def test_all_sizes_are_tried() -> None:
    assert sorted(SIZES) == list(range(2, 26))


@pytest.mark.parametrize("switch", ["size-9-only", "boardsize-keeps-position"])
def test_an_engine_may_refuse_sizes(check_hosted: Callable[..., Findings], switch: str) -> None:
    (result,) = check_hosted(switch, only=["gtp.rules.every-size"]).results
    assert result.outcome is Outcome.PASS


@pytest.mark.parametrize(
    "real",
    [
        lambda size: min(size, 19) if size <= 25 else size,
        lambda size: max(size, 3) if size else 0,
        lambda size: size + 1 if size in (12, 16) else size,
        lambda size: 11 if size == 21 else size,
    ],
)
def test_a_board_of_another_size_is_refused(real: Callable[[int], int]) -> None:
    class Resized(HostedEngine):
        def _take(self, line: bytes) -> None:
            words = line.split()
            if words[:1] == [b"boardsize"] and words[1].isdigit():
                line = b"boardsize %d\n" % real(int(words[1]))
            super()._take(line)

    (result,) = found(hosted(Resized), "gtp.rules.every-size").results
    assert result.outcome is Outcome.FAIL


class Slow(HostedEngine):
    """Says that each answer took as long as a check may wait for all sizes."""

    asked: ClassVar[list[bytes]] = []

    def ask(self, line: bytes, **limits: float | None) -> object:  # type: ignore[override]
        self.asked.append(line)
        return super().ask(line, **limits)._replace(seconds=0.6 * ENOUGH)


def test_a_slow_engine_is_asked_for_few_sizes() -> None:
    Slow.asked.clear()
    (result,) = found(hosted(Slow), "gtp.rules.every-size").results
    assert result.outcome is Outcome.PASS
    assert len({line for line in Slow.asked if line.startswith(b"boardsize")}) < 8


class Rectangular(HostedEngine):
    """Says that it made a board of 9x5, and looks at vertices by itself afterwards."""

    rows: ClassVar[int] = 5
    made = False

    def _take(self, line: bytes) -> None:
        words = line.decode("ascii").split()
        if words[:1] == ["rectangular_boardsize"]:
            self.made = True
            self.output += b"= \n\n"
        elif self.made and words[:1] == ["play"]:
            self.output += b"= \n\n" if int(words[2][1:]) <= self.rows else b"? illegal move\n\n"
        else:
            self.made = self.made and words[:1] != ["boardsize"]
            super()._take(line)


def test_a_rectangle_may_be_played() -> None:
    class Tall(Rectangular):
        rows: ClassVar[int] = 9

    outcomes = [
        found(hosted(engine), "gtp.rules.rectangle").results[0].outcome for engine in (Rectangular, Tall)
    ]
    assert outcomes == [Outcome.PASS, Outcome.FAIL]


def test_procedures_describe_themselves() -> None:
    assert EveryBoardSize().describe() != []
    assert RectangularBoard().describe() != []


class RefusesByWord(HostedEngine):
    """Writes its refusals with the sign of a success, as some engines do."""

    def _take(self, line: bytes) -> None:
        before = len(self.output)
        super()._take(line)
        if line.startswith((b"play", b"boardsize")):
            self.output[before:] = self.output[before:].replace(b"? ", b"= ")


class EndsOffTheBoard(HostedEngine):
    """Ends at a move above a board of 7x7."""

    def _take(self, line: bytes) -> None:
        if line == b"play w G8\n" and self.server.session.size == 7:
            self.dead = True
        super()._take(line)


def test_a_refusal_with_the_sign_of_a_success_is_left_to_another_check() -> None:
    (result,) = found(hosted(RefusesByWord), "gtp.rules.every-size").results
    assert result.outcome is Outcome.PASS


def test_an_end_at_the_edge_is_a_crash() -> None:
    (result,) = found(hosted(EndsOffTheBoard), "gtp.rules.every-size").results
    assert result.outcome is Outcome.CRASH
    assert "7x7" in result.judgement.expected
    assert "play w G8" in result.judgement.observed
