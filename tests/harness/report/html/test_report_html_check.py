"""The page of a check: what comes first, what is drawn, and that it needs nothing but itself."""

import re
from dataclasses import replace
from functools import cache, partial

import jsonschema

from harness.check.judges.enumerated_choice import choices
from harness.check.model import Confirmation, Judgement, Outcome, Result
from harness.check.phases.findings import Findings
from harness.check.profile import Profile
from harness.diagnosis.diagnose import diagnose
from harness.report.html.board import board_picture
from harness.report.html.check_evidence import MOST_POINTS, numbers_of_searches, trails
from harness.report.html.check_exploration import MOST_ROWS, explored
from harness.report.html.check_page import check_page
from harness.report.html.check_pictures import STATISTICS, deviations
from harness.report.html.positions import replay
from harness.report.records.check import as_data, schema
from harness.report.terminal import recorded
from harness.report.text.console import show_report
from harness.report.text.playouts import playout_lines
from harness.suite.registry import select
from tests.harness.report.html.page_helpers import COVERED, PLAYOUTS, Page, all_passed, found, report_of

FAULT = "eye-edge-as-centre"


@cache
def page_of(fault: str) -> str:
    """The page about a bot with this fault."""
    return check_page(report_of(found(fault)))


def test_the_verdict_and_the_cause_come_before_everything_else() -> None:
    text = Page(page_of(FAULT)).text
    places = [
        text.index(part) for part in ("deviates", "Start here", "Requirements", "Failures", "Deviations")
    ]
    assert places == sorted(places)
    start = text[places[1] : places[2]]
    assert "Expected" in start
    assert "Observed" in start
    assert "conform check" in start


def test_the_page_counts_as_the_terminal_does() -> None:
    report = report_of(found(FAULT))
    printed = recorded(200, lambda console: show_report(console, report, quiet=False, everything=False))
    (line,) = [line for line in printed.splitlines() if re.match(r" *\d+ checks?: ", line)]
    assert line.partition(": ")[2] in Page(check_page(report)).text


def test_the_number_of_checks_names_a_profile_that_has_not_all_of_them() -> None:
    findings = found(FAULT)
    number = f"{len(findings.results)} checks"
    for profile, words in ((Profile.REFERENCE, number), (Profile.GTP, f"{number} of the profile gtp")):
        report = report_of(replace(findings, profile=profile))
        assert f"{words} : " in Page(check_page(report)).text  # a space for the end of an element
        lines = recorded(200, partial(show_report, report=report, quiet=False, everything=False))
        assert f"  {words}: " in lines


def test_a_failure_that_needs_earlier_lines_is_repeated_by_a_whole_check() -> None:
    findings = found(FAULT)
    command = f'conform check "{findings.command}"'
    again = {}
    for confirmation in (Confirmation.CONFIRMED, Confirmation.WITH_HISTORY):
        results = tuple(replace(result, confirmation=confirmation) for result in findings.results)
        page = Page(check_page(report_of(replace(findings, results=results))))
        again[confirmation] = f"{command} --only" in page.text
        assert command in page.text
    assert again == {Confirmation.CONFIRMED: True, Confirmation.WITH_HISTORY: False}


def log_of(*lines: str) -> str:
    return "".join(f"0.1 {line}\\n\n" for line in lines)


def test_a_replayed_log_has_the_stones_of_a_handicap() -> None:
    answered = log_of("> fixed_handicap 2", "< = C3 G7\\n", "> genmove w", "< = E5\\n", "> undo", "< =\\n")
    given = log_of("> set_free_handicap C3 G7", "< =\\n", "> undo", "< ? cannot undo\\n")
    refused = log_of("> set_free_handicap C3 C3", "< ? bad vertices\\n")
    for log in (answered, given):
        end = replay(log)
        assert end is not None
        assert end.position.stones() == {(2, 2): "b", (6, 6): "b"}
    assert replay(refused) is None


def test_every_failure_has_its_board_its_log_and_the_lines_to_run_it_again() -> None:
    findings = found(FAULT)
    page = Page(page_of(FAULT))
    failed = [result for result in findings.results if result.refuses]
    assert len(failed) >= 3
    boards = [
        attributes["aria-label"] for _, attributes in page.elements if attributes.get("class") == "board"
    ]
    for result in failed:
        assert any(label and label.startswith(f"Position of {result.check.id}") for label in boards)
        assert f'conform check "{findings.command}" --only {result.check.id}' in page.text


def test_a_failure_shows_the_playouts_of_a_right_bot_where_they_can_be_listed() -> None:
    page = Page(page_of(FAULT))
    (check,) = select(["ref.eye.edge"])
    assert check.procedure.search_plan is not None
    for line in playout_lines(check.procedure.search_plan.probe):
        assert " ".join(line.split()) in " ".join(page.text.split())
    assert "1/2 " in page.text


def test_five_failures_stand_open_the_evidence_of_the_causes_first() -> None:
    whole = found(FAULT)
    refused = select(["gtp.setup.*"])[:7]
    observed = [
        Result(check, Judgement(Outcome.FAIL, "an answer", f"none to {check.id}")) for check in refused
    ]
    many = replace(whole, results=(*observed, *whole.results))
    report = report_of(many)
    text = check_page(report)
    failures = text[text.index("<h2>Failures</h2>") :]
    open_ones, folded = failures.split("more failures</summary>", 1)
    assert open_ones.count('<article class="failure"') == 5
    assert folded.count('<article class="failure"') >= 3
    evidence = diagnose(many).causes[0].evidence
    assert open_ones.index('<article class="failure"') < open_ones.index(f'-{evidence}"') < 400


def test_a_failure_that_another_check_observed_is_shown_as_that_check_saw_it() -> None:
    findings = found(FAULT)
    (subject,) = select(["game.pass.candidate"])
    observed = next(result for result in findings.results if result.check.id == "ref.eye.edge")
    attributed = replace(observed, check=subject, observer=observed.check)
    report = report_of(replace(findings, results=(attributed,)))
    page = Page(check_page(replace(report, settings=replace(report.settings, options="--playouts 200"))))
    (board,) = {a["aria-label"] for _, a in page.elements if a.get("class") == "board"}
    plan = observed.check.procedure.search_plan
    assert plan is not None
    assert board == f"Position of game.pass.candidate: {plan.probe.occasion}"
    drawn = re.search(r'<svg.*?class="board".*?</svg>', check_page(report), re.DOTALL)
    assert drawn is not None
    stones = len(re.findall(r'class="(?:black|white)"', drawn[0]))
    assert stones == len(plan.probe.position.stones())
    again = f'"{findings.command}" --playouts 200 --only game.pass.candidate --only ref.eye.edge'
    assert f"conform check {again}" in page.text
    shown = recorded(100, lambda console: show_report(console, report, quiet=False, everything=False))
    assert "--only game.pass.candidate --only ref.eye.edge" in shown
    assert plan.probe.position.draw().splitlines()[1].strip() in shown


def test_clauses_count_their_checks() -> None:
    findings = found(FAULT)
    page = page_of(FAULT)
    eye = page[page.index('id="bot-1-clause-eye"') :]
    summary = eye[: eye.index("</summary>")]
    numbers = [int(text) for text in re.findall(r"</span>(\d+)</span>", summary)]
    own = [result for result in findings.results if result.check.clause == "eye"]
    assert sum(numbers) == len(own)
    assert numbers[1] == sum(result.refuses for result in own)


def test_each_search_is_a_point_and_each_statistic_an_interval() -> None:
    findings = found(FAULT)
    page = page_of(FAULT)
    length = next(one for one in findings.series if one.probe.id.startswith("empty"))
    chart = page[page.index('aria-label="Playout lengths of ref.empty.length') :]
    chart = chart[: chart.index("</svg>")]
    assert chart.count('class="point c0"') == len(length.searches)
    judged = [key for r in findings.results for key in r.judgement.numbers if key.endswith("_margin")]
    judged = [key for key in judged if "proved" not in key]
    assert judged
    assert page.count('class="interval-picture"') == len(judged)


def test_the_evidence_over_the_playouts_ends_where_the_judgement_stands() -> None:
    findings = found(FAULT)
    drawn = [*trails(findings, deviations(report_of(findings).bots[0]))]
    assert drawn
    failed = [trail for trail in drawn if trail.result.refuses]
    assert failed
    for trail in drawn:
        numbers, last = trail.result.judgement.numbers, trail.points[-1]
        assert last.playouts == numbers["playouts"]
        assert (last.low, last.high) in [
            (numbers[f"{name}_low"], numbers[f"{name}_high"])
            for name in STATISTICS
            if f"{name}_low" in numbers
        ]
        widths = [point.high - point.low for point in trail.points]
        assert widths == sorted(widths, reverse=True)
    page = page_of(FAULT)
    assert page.count('aria-label="Deviation of ') == len(drawn)
    assert "leaves 0 out from" in failed[0].sentence


def test_numbers_of_searches_grow_to_the_last() -> None:
    for total in (0, 1, 2, 3, 30, 400, 100_000):
        numbers = numbers_of_searches(total)
        assert numbers == sorted(set(numbers))
        assert len(numbers) <= MOST_POINTS + 20
        assert numbers[-1:] == ([total] if total > 1 else [])


def test_one_session_is_in_the_singular() -> None:
    model = found("").results[-1]
    numbers = {"sessions": 1.0, "commands": 7.0, "searches": 1.0}
    judgement = replace(model.judgement, coverage={"commands": {"play": 7}}, numbers=numbers)
    findings = replace(found(""), results=(replace(model, judgement=judgement),))
    ((_, totals, _),) = explored(findings)
    assert totals == "1 session, 7 commands, 1 search"


def test_a_share_that_rounds_to_0_percent_has_no_number() -> None:
    board = board_picture(9, {}, "", shares={(0, 0): 0.005, (1, 1): 0.0051, (2, 2): 0.9899})
    assert re.findall('class="share">([^<]*)<', board) == ["1", "99"]


def test_the_page_says_what_the_exploration_went_through() -> None:
    text = Page(page_of("")).text
    part = text[text.index("Exploration Beside") :]
    assert "25 sessions" in part
    assert "play 706 genmove 142" in part
    assert "moves on stones 66" in part
    commands = COVERED.commands.most_common()
    left_out = commands[MOST_ROWS:]
    assert f"{len(left_out)} more {sum(count for _, count in left_out)}" in part


def test_the_json_has_what_the_exploration_went_through() -> None:
    (bot,) = as_data(report_of(found("")))["bots"]
    (check,) = [check for check in bot["checks"] if "coverage" in check]
    assert check["id"] == "gtp.explore"
    assert check["coverage"]["refused"] == {"moves on stones": 66, "bad colours": 7}
    assert "positions" not in check["coverage"]
    jsonschema.validate(as_data(report_of(found(""))), schema())


def test_the_shares_on_a_heat_map_are_those_of_the_searches() -> None:
    findings = found("")
    page = page_of("")
    start = page.index('aria-label="Moves of the bot in ref.choice.midgame-1"')
    drawn = re.findall(r'class="share">(\d+)<', page[start : page.index("</svg>", start)])
    result = next(r for r in findings.results if r.check.id == "ref.choice.midgame-1")
    plan = result.check.procedure.search_plan
    assert plan is not None
    series = next(one for one in findings.series if one.probe.id == plan.probe.id)
    moves = [search.move for search in series.searches]
    expected = [f"{100 * moves.count(move) / len(moves):.0f}" for move in set(moves)]
    assert sorted(drawn) == sorted(expected)


def test_expected_choices_are_drawn_beside_those_of_the_bot() -> None:
    page = page_of("")
    start = page.index('aria-label="Moves of a conforming bot in ref.choice.close-1"')
    drawn = re.findall(r'class="share">(\d+)<', page[start : page.index("</svg>", start)])
    shares = choices("close")["close-1"].expected(PLAYOUTS).values()
    assert sorted(drawn) == sorted(f"{100 * share:.0f}" for share in shares if share >= 0.005)


def test_a_bot_that_conforms_has_no_failure_to_start_with() -> None:
    text = Page(page_of("")).text
    assert "Failures" not in text
    assert f"of {PLAYOUTS} playouts" in text


def test_several_bots_share_a_matrix_of_the_checks_that_one_of_them_fails() -> None:
    right, wrong = found(""), found(FAULT)
    page = Page(check_page(report_of(right, wrong)))
    matrix = page.text[page.text.index("Checks that some bot does not pass") :]
    assert "ref.eye.edge" in matrix[: matrix.index("Start here")]
    assert sum(attributes.get("id") in ("bot-1", "bot-2") for _, attributes in page.elements) == 2


def test_of_several_bots_those_that_conform_are_folded_and_the_verdicts_link_to_all() -> None:
    right, wrong = all_passed(), found(FAULT)
    page = Page(check_page(report_of(right, wrong, right, Findings("./gone", unusable="no such file"))))
    links = [a["href"] for tag, a in page.elements if tag == "a" and (a["href"] or "").startswith("#bot-")]
    assert links[:4] == ["#bot-1", "#bot-2", "#bot-3", "#bot-4"]
    folded = {f"#{a['id']}": "open" not in a for tag, a in page.elements if tag == "details" and "id" in a}
    assert [folded[str(link)] for link in links[:4]] == [True, False, True, False]


def test_checks_that_no_bot_fails_are_folded_in_the_matrix() -> None:
    right = all_passed()
    skipped, *others = right.results
    skipped = replace(skipped, judgement=Judgement(Outcome.SKIP, "an answer", "no such command"))
    almost = replace(right, results=(skipped, *others))
    text = check_page(report_of(right, almost, found(FAULT)))
    matrix = text[text.index("Checks that some bot does not pass") : text.index('<details id="bot-1"')]
    shown, folded = matrix.split("<details>")
    assert ">ref.eye.edge<" in shown
    assert f">{skipped.check.id}<" not in shown
    assert f">{skipped.check.id}<" in folded
    assert ">ref.eye.edge<" not in folded


def test_a_bot_that_could_not_be_run_says_why_and_what_to_do() -> None:
    findings = Findings("./gone", unusable="./gone: no such file", hint="build the bot first")
    text = Page(check_page(report_of(findings))).text
    assert "unusable" in text
    assert "./gone: no such file" in text
    assert "build the bot first" in text


def test_the_page_allows_itself_nothing_but_its_own_style_and_script() -> None:
    page = Page(page_of(""))
    policies = [a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert policies[0] is not None
    assert policies[0].startswith("default-src 'none'")
    assert "unsafe" not in policies[0]
    for tag, attributes in page.elements:
        assert "style" not in attributes
        assert not any(name.startswith("on") for name in attributes)
        assert tag not in ("iframe", "img", "object", "embed", "form", "base")
        for name in ("src", "href"):
            address = attributes.get(name) or "#"
            assert address.startswith("#") or address == "data:,"


def test_a_log_of_megabytes_is_cut() -> None:
    findings = found(FAULT)
    long = tuple(replace(result, transcript="x" * 3_000_000) for result in findings.results[:2])
    page = check_page(report_of(replace(findings, results=long)))
    assert "characters left out" in page
    assert len(page) < 2_000_000
