"""Judges the answers of one session by a model of a right bot, and records what was sent and answered."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from harness.check.bot.errors import UnreadableAnswerError
from harness.check.bot.refusals import form_hint
from harness.check.bot.wording import answer_text, exchange_text, failure_text, sent_text
from harness.check.model import Outcome
from harness.check.procedures.conversation import read_move, read_nodes, read_score
from harness.check.stored_records import with_records_folder
from harness.explore.abilities import Abilities, Feature
from harness.explore.analysing import Analysing
from harness.explore.answers import compare, move_of
from harness.explore.asking_commands import ANALYSIS
from harness.explore.command_model import CommandModel
from harness.explore.command_state import EFFECTS
from harness.explore.game_model import LastSearch
from harness.explore.laws import PlayoutLaw, alternatives
from harness.explore.moves import wrong_move
from harness.explore.number_laws import clause_of_nodes, clause_of_score, laws_of_search
from harness.explore.spelling import odd_features, plain
from harness.explore.wanted import Command, Kind, Wanted, read_line
from harness.gtp import Colour, Exchange, command_name, parse_colour, parse_vertex

NUMBERS: Mapping[Kind, tuple[str, Callable[[Exchange], float]]] = {
    Kind.NODES: ("ref-nodes", read_nodes),
    Kind.SCORE: ("ref-score", read_score),
}
"""For each number of a search: its command (also the name of its clause), and the parser of the answer."""

PREDICTABLE = frozenset({Kind.SUCCESS, Kind.REFUSAL, Kind.TEXT, Kind.LINE, Kind.COMMANDS, *NUMBERS})
"""Kinds of answers whose effect on the model is known before the bot answers; that of a number is none."""

FORGETTING = frozenset({"boardsize", "clear_board", "undo", *EFFECTS})
"""Commands that may make the model drop the last search. The numbers of that search must be judged first."""

MOST_TOGETHER = 50
"""Most lines in one write. Chosen: 50 lines fit into the buffer of a pipe, so the write does not block."""

ENDER = "protocol_version"
"""A line that ends an analysis if the session has none after it."""

Ended = Callable[[], Exchange | None]
"""Returns the exchange of the analysis that the last line ended, None without one: `Bot.take_analysis`."""


@dataclass(frozen=True)
class Deviation:
    """An answer that a right bot does not give.

    log_e     log of the e-value (evidence) that the answer is wrong: infinite for a proof
    number    index of the line, among those that were sent; if the bot failed, of the last line of its write
    outcome   fail, crash or timeout
    feature   optional feature that the line uses; None if the line uses only what every bot needs
    hint      what to change, where only the form of the answer is wrong
    """

    clause: str
    expected: str
    observed: str
    number: int
    log_e: float = math.inf
    outcome: Outcome = Outcome.FAIL
    feature: Feature | None = None
    hint: str = ""

    @property
    def is_proof(self) -> bool:
        """Return True if this one answer proves that the bot is wrong."""
        return math.isinf(self.log_e)


def as_bytes(line: str) -> bytes:
    """Return the bytes of a line as they are sent."""
    return with_records_folder(line.encode("latin-1") + b"\n")


@dataclass(frozen=True)
class SessionStep:
    """A line of a session with its required answer.

    predicted   the model has applied the line before the answer came, since only one effect is right
    """

    line: str
    sent: bytes
    command: Command
    wanted: Wanted
    predicted: bool


class SessionJudge:
    """A session in progress: the model of a right bot, and the record of lines and answers so far.

    `walk` takes the next lines from `next_group`, sends them, and passes each answer to `judge`. If no answer
    comes, it calls `judge_failure`.

    suspicious   log of the e-value from which a number of a search is a deviation
    evidence     log of the e-value against the bot, by the index of the ref-nodes or ref-score line
    searches     number of judged moves that the bot chose
    judged       number of judged answers, by kind of the required answer
    refusals     number of lines that a right bot refuses, by the feature that they try
    """

    def __init__(self, abilities: Abilities, playouts: int | None, suspicious: float) -> None:
        self.model = CommandModel(abilities)
        self.playouts = playouts
        self.suspicious = suspicious
        self.steps: list[SessionStep] = []
        self.analysing: Analysing | None = None  # the analysis that the next line ends
        self.exchanges: list[Exchange] = []
        self.evidence: dict[int, float] = {}
        self.searches = 0
        self.judged: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()

    def next_group(self, waiting: deque[str], *, together: bool) -> list[SessionStep]:
        """Take the next line to send from `waiting`; an empty list after the last line.

        With `together`, take several lines whose effects are known in advance, and apply them to the model.
        A line without a known effect, or one with a line feed in it, is a group of its own. A group that asks
        for a number of a search ends before a line that may make the model drop the search.
        """
        if not together or self.analysing is not None:
            step = self._next_step(waiting)
            return [] if step is None else [step]
        group: list[SessionStep] = []
        while len(group) < MOST_TOGETHER and (step := self._next_step(waiting)) is not None:
            predicted = step.wanted.kind in PREDICTABLE and "\n" not in step.line
            asks_number = any(one.wanted.kind in NUMBERS for one in group)
            if group and (not predicted or (asks_number and step.command.name in FORGETTING)):
                waiting.appendleft(step.line)  # it begins the next group
                return group
            group.append(replace(step, predicted=predicted))
            if not predicted:
                return group
            if step.wanted.kind is Kind.REFUSAL:
                self.model.apply_refusal(step.command)
            else:
                self.model.apply_success(step.command)
        return group

    def _next_step(self, waiting: deque[str]) -> SessionStep | None:
        """Take the next line that has a required answer, and drop the lines before it; None if none is left.

        A line after an analysis ends it, so it is spelt plainly. If none is left then, ENDER ends it.
        """
        while waiting:
            line = waiting.popleft()
            line = line if self.analysing is None else plain(line)
            command = read_line(line)
            wanted = self.model.wanted(command) if command is not None else None
            if command is None or wanted is None or not odd_features(line) <= self.model.abilities.features:
                continue
            return SessionStep(line, self._as_sent(line), command, wanted, predicted=False)
        return None if self.analysing is None else self._ender()

    def judge_failure(self, group: Sequence[SessionStep], exchange: Exchange) -> Deviation:
        """Return the deviation of a bot that died or was silent after these lines."""
        self.steps += group
        self.exchanges.append(exchange)
        outcome = {"eof": Outcome.CRASH, "timeout": Outcome.TIMEOUT}.get(exchange.ending, Outcome.FAIL)
        sent = sent_text(exchange.sent)
        clause = "complete-games" if command_name(exchange.sent) == b"genmove" else group[-1].wanted.clause
        if self.analysing is not None:
            clause = ANALYSIS
        return Deviation(
            clause,
            f"{sent} → an answer",
            f"{sent} → it {failure_text(exchange)}",
            len(self.steps) - 1,
            outcome=outcome,
            feature=group[-1].wanted.feature if self.analysing is None else Feature.ANALYSES,
        )

    def judge(self, step: SessionStep, exchange: Exchange, ended: Ended) -> Deviation | None:
        """Return the deviation in an answer. If there is none, apply the line to the model."""
        wanted, number = step.wanted, len(self.steps)
        self.steps.append(step)
        self.exchanges.append(exchange)
        fault = self._fault_of_analysis(ended())
        if fault:
            expected = f"{sent_text(self.steps[-2].sent)} → lines of analysis, and an empty line at its end"
            return Deviation(ANALYSIS, expected, fault, number, feature=Feature.ANALYSES)
        self.judged[wanted.kind.name.lower()] += 1
        if wanted.kind is Kind.REFUSAL and wanted.feature is not None:
            self.refusals[wanted.feature.value] += 1
        deviation = self._judge_form(step.command, exchange) or self._judge_content(step, exchange)
        if deviation is not None:
            hint = form_hint(exchange, refusal_wanted=wanted.kind is Kind.REFUSAL)
            return replace(deviation, number=number, feature=wanted.feature, hint=hint)
        if wanted.kind is Kind.ANALYSIS:
            self._begin_analysis(step.command, exchange)
        elif exchange.ok and wanted.kind is not Kind.MOVE and not step.predicted:  # a move is made already
            self.model.apply_success(step.command, exchange.text)
        elif not exchange.ok and not step.predicted:
            self.model.apply_refusal(step.command)
        return None

    def _ender(self) -> SessionStep:
        """Return the line ENDER, which ends an analysis. Any answer is right if the model requires none."""
        command = Command(None, ENDER, ())
        wanted = self.model.wanted(command) or Wanted(Kind.ANSWER)
        return SessionStep(ENDER, as_bytes(ENDER), command, wanted, predicted=False)

    def _as_sent(self, line: str) -> bytes:
        """Return the bytes of a line, with the paths of records and the rules that the bot has shown."""
        return as_bytes(line.replace("{rules}", self.model.shown_rules or ""))

    def _begin_analysis(self, command: Command, exchange: Exchange) -> None:
        """Note that an analysis goes on, if it was not refused."""
        position = self.model.position
        assert position is not None, "else the line is not sent"
        if exchange.ok:
            self.model.analysed.add(command.name)
            self.analysing = Analysing(
                position.copy(), parse_colour(command.arguments[0]), self.model.abilities.rules
            )

    def _fault_of_analysis(self, whole: Exchange | None) -> str:
        """Return what is wrong with the analysis that the last line ended; empty for a right one or none.

        whole   the whole answer of the analysis
        """
        analysing, self.analysing = self.analysing, None
        return "" if analysing is None or whole is None else analysing.fault(whole)

    def _judge_form(self, command: Command, exchange: Exchange) -> Deviation | None:
        """Return the deviation in the form: no GTP answer, a wrong id, or other output.

        Here and below, `judge` sets the number, feature and hint of a deviation.
        """
        sent = sent_text(exchange.sent)
        if exchange.answer is None or exchange.answer.id != command.id:
            number = "" if command.id is None else f" with the id {command.id}"
            return _unmet("gtp", f"{sent} → a GTP answer{number}", exchange)
        if exchange.noise and Feature.NOISE in self.model.abilities.features:
            return _unmet("gtp", f"{sent} → one answer and nothing else", exchange)
        return None

    def _judge_content(self, step: SessionStep, exchange: Exchange) -> Deviation | None:
        """Return the deviation of an answer in the right form."""
        command, wanted = step.command, step.wanted
        match wanted.kind:
            case Kind.MOVE | Kind.SHOWN_MOVE:
                return self._judge_move(step, exchange)
            case Kind.NODES | Kind.SCORE:
                return self._judge_number(wanted.kind, exchange)
        if wanted.reading is not None and exchange.ok:
            fault = wanted.reading(exchange.text)
            sent = sent_text(exchange.sent)
            if not fault:
                return None
            observed = f"{sent} → {answer_text(exchange)}: {fault}"
            return Deviation(wanted.clause, f"{sent} → an answer that fits the game", observed, 0)
        right, expected = compare(wanted, exchange)
        if right:
            return None
        clause = wanted.clause
        if wanted.kind is Kind.SUCCESS and not step.predicted:  # else the model is beyond this line
            clause = self.model.clause_of_refused(command, wanted)
        why = f" ({wanted.why})" if wanted.why else ""
        return _unmet(clause, f"{sent_text(exchange.sent)} → {expected}{why}", exchange)

    def _judge_move(self, step: SessionStep, exchange: Exchange) -> Deviation | None:
        """Return the deviation of a chosen move; make a right one in the model, if the command makes it."""
        model, command = self.model, step.command
        position, colour = model.position, parse_colour(command.arguments[0])
        assert position is not None, "else the line is not sent"
        self.searches += 1
        try:
            move = read_move(move_of(command, exchange), position.size)
        except UnreadableAnswerError as unreadable:
            return _unmet(step.wanted.clause, f"{sent_text(exchange.sent)} → {unreadable.wanted}", exchange)
        rules = model.rules_of_move(command)
        wrong = None if self._is_open(colour, move) else wrong_move(position, colour, move, rules)
        if wrong is None:
            if step.wanted.kind is Kind.MOVE:
                model.apply_move(command, move)
            return None
        observed = f"{exchange_text(exchange)}: {wrong.observed}\n{position.draw()}"
        return Deviation(wrong.clause, f"{sent_text(exchange.sent)} → {wrong.expected}", observed, 0)

    def _is_open(self, colour: Colour, move: str) -> bool:
        """Return True if the specification lets bots differ about the legality of this move."""
        position = self.model.position
        if position is None or move in ("PASS", "RESIGN"):
            return False
        return self.model.leaves_open(position.legality(colour, parse_vertex(move, position.size)))

    def _judge_number(self, kind: Kind, exchange: Exchange) -> Deviation | None:
        """Return the deviation in a ref-nodes or ref-score: it is no number, has changed, or fits no law.

        A law is the exact distribution of the number; there are several if the specification is open.
        """
        last = self.model.last_search
        assert last is not None, "else the line is not sent"
        name, read = NUMBERS[kind]
        sent = sent_text(exchange.sent)
        try:
            number = read(exchange)
        except UnreadableAnswerError as unreadable:
            return _unmet(name, f"{sent} → {unreadable.wanted}", exchange)
        before = last.numbers.get(name)
        if before is not None:
            as_before = f"{sent} → {before}, as before: no search was made since"
            return None if number == before else _unmet(name, as_before, exchange)
        self.model.last_search = replace(last, numbers={**last.numbers, name: number})
        playouts = self.playouts
        laws = laws_of_search(last, number if kind is Kind.NODES else last.numbers.get("ref-nodes"), playouts)
        if playouts is None or not laws:
            return None
        judge_by_laws = self._judge_nodes if kind is Kind.NODES else self._judge_score
        return judge_by_laws(last, laws, playouts, number, exchange_text(exchange))

    def _judge_nodes(
        self, last: LastSearch, laws: Sequence[PlayoutLaw], playouts: int, nodes: float, seen: str
    ) -> Deviation | None:
        """Return the deviation of a ref-nodes from all laws. There is at least one law."""
        log_e = self._record_evidence(law.length.log_e(nodes, playouts) for law in laws)
        if log_e < self.suspicious:
            return None
        expected = f"{alternatives(law.length.text() for law in laws)}, in {playouts} playouts"
        clause = clause_of_nodes(last, laws, nodes, playouts)
        return Deviation(clause, expected, f"{seen}: {nodes / playouts:.3f} moves a playout", 0, log_e)

    def _judge_score(
        self, last: LastSearch, laws: Sequence[PlayoutLaw], playouts: int, score: float, seen: str
    ) -> Deviation | None:
        """Return the deviation of a ref-score from all laws of the result; None if there is no such law."""
        results = [law.result for law in laws if law.result is not None]
        log_e = self._record_evidence(law.log_e(score, playouts) for law in results)
        if not results or log_e < self.suspicious:
            return None
        clause = clause_of_score(last, laws, score, playouts, self.model.earlier_komis)
        return Deviation(clause, f"ref-score → {alternatives(law.text() for law in results)}", seen, 0, log_e)

    def _record_evidence(self, log_es: Iterable[float]) -> float:
        """Record and return the evidence of the last answer against the best-fitting law; 0.0 without one."""
        log_e = min(log_es, default=0.0)
        if log_e:
            self.evidence[len(self.steps) - 1] = log_e
        return log_e


def _unmet(clause: str, expected: str, exchange: Exchange) -> Deviation:
    """Return the deviation of an answer; the caller sets its number."""
    return Deviation(clause, expected, f"{sent_text(exchange.sent)} → {answer_text(exchange)}", 0)
