"""Tests of the summary of a run: the findings are readable with any text and in a narrow terminal."""

from pathlib import Path

import pytest

from reports.terminal.formalization_stage import print_findings, print_summary
from reports.terminal.problem import print_problem
from tests.cases import cases
from tests.reports.embedded import blobs, strings
from tests.reports.html.report_pages import PAGES
from tests.reports.stage_records import formalization_records, seal_stage
from tests.reports.terminal.printing import printed, words


@pytest.fixture
def summary(run: Path) -> list[str]:
    """Return the summary of the small run, a line each, spaces collapsed."""
    return words(printed(lambda console: print_summary(run, console), width=100))


def test_summary_prints_each_step_of_the_funnel(summary: list[str]) -> None:
    """Every step from problems to oracles is counted, with its share."""
    wanted = {
        "problems 2",
        "responses 5",
        "readable programs 4 80.0%",
        "UT-1 confirmed 3 75.0%",
        "pairs 3",
        "UT-2 fully aligned 2 66.7%",
        "UT-2 partly aligned 1 33.3%",
        "UT-3 confirmed 1 33.3%",
        "of these mostly frozen 1",
        "UT-3 refuted 1 33.3%",
        "UT-3 unknown 1 33.3%",
        "problems with an oracle 1 50.0%",
    }
    assert wanted - {line.rstrip(" █") for line in summary} == set()


def test_summary_says(summary: list[str]) -> None:
    """Methods, cliques, confidence, agreement, findings and doubts are on the screen."""
    wanted = {
        "schwartz-zippel 1 · ·",
        "hypothesis · · 1",
        "none · 1 ·",
        "2 programs 1 ████████████████████████",
        "no clique 1 ████████████████████████",
        "0.8 to 0.9 1 ████████████████████████",
        "1 ada · 100 0",
        "2 bob 100 · -",
        "UT-3 p-1 1~3 left 7, right 5 at b = 1",
        "UT-1 p-2 1 gives 9, the gold answer is 8",
        "0.00 p-2 none of 1 readable programs passed UT-1",
        "0.80 p-1 clique of 2 of 3 readable; cyd dissents: not equivalent",
    }
    assert wanted - set(summary) == set()


def test_summary_names_the_next_command(summary: list[str], run: Path) -> None:
    """The reader is told how to look at one problem."""
    assert f"look at one: oracle-factory report {run} --problem ID" in summary


def test_summary_limits_findings_and_says_how_to_see_the_rest(many_findings_run: Path) -> None:
    """Of twenty findings fifteen are shown, and the command that shows all."""
    lines = printed(lambda console: print_summary(many_findings_run, console), width=200).splitlines()
    shown = [line for line in lines if line.lstrip().startswith("UT-1 p-")]
    more = [line for line in lines if "5 more: oracle-factory report" in line and "--findings" in line]
    assert (len(shown), len(more)) == (15, 1)


def test_more_than_ten_models_get_a_table(many_findings_run: Path) -> None:
    """Twelve models are listed with agreement and UT-1 rate; a matrix would not fit."""
    text = printed(lambda console: print_summary(many_findings_run, console), width=100)
    assert "model    agree  pairs  UT-1" in text


def test_every_finding_is_printed_on_request(many_findings_run: Path) -> None:
    """`--findings` prints each finding on one uncut line."""
    lines = printed(lambda console: print_findings(many_findings_run, console), width=20).splitlines()
    assert (len(lines), lines[0]) == (20, "UT-1 p-00 model-a: gives 1, the gold answer is 2")


@cases("width", [30, 40, 60, 80, 200])
def test_summary_of_many_models_fits_the_console(many_findings_run: Path, width: int) -> None:
    """Except for the commands to copy, no line is wider than the console."""
    lines = printed(lambda console: print_summary(many_findings_run, console), width=width).splitlines()
    assert max(len(line.rstrip()) for line in lines if "oracle-factory report" not in line) <= width


def test_problem_is_printed_in_full(run: Path) -> None:
    """Question, clique, programs, verdicts, counterexamples and alignments of a problem are printed."""
    lines = printed(lambda console: print_problem(run, "p-1", console)).splitlines()
    wanted = {
        "How much?",
        "gold 6   tier 2",
        "oracle ada",
        "p_right 0.873, by the known answer, which leaves the logic in doubt",
        "confidence 0.800 = 0.800, the mean score of the clique's 1 pair, times 1.00 for a clique of 2",
        "2     # L1",
        "dissents: not equivalent",
        "UT-3 REFUTED ada ~ cyd  hypothesis, 1 checked",
        "with b = 1 and everything else as in the problem: left 7, right 5",
        "UT-3 CONFIRMED ada ~ bob  schwartz-zippel, 1 checked, error at most 2^-122, 2 of 4 inputs frozen",
        "domain: a|a integers >= 1",
        "a = a (3), similarity 0.93",
        "unaligned right: rate",
    }
    assert wanted - {line.strip() for line in lines} == set()


def test_a_lowered_probability_is_shown_with_its_reason(tmp_path: Path) -> None:
    """The page of a problem and the pages of its run say that p_right was lowered, from what, and why."""
    records = formalization_records()
    records["consensus"][0] |= {"p_right": 0.98, "p_right_basis": "agreement", "p_right_independent": 0.9961}
    run = seal_stage(tmp_path, "formalization", records)
    because = "because the answers do not show that the models that agree are independent and not one group"
    page = "\n".join(strings(blobs(PAGES[0].text(run))))
    for text in (printed(lambda console: print_problem(run, "p-1", console), width=300), page):
        assert f"what the models agree on; lowered from 0.996, {because}" in text
    for text in (printed(lambda console: print_summary(run, console), width=300), page):
        assert f"1 probability is lowered, to 0.980 at most, {because}" in text


def test_unreadable_program_says_why(run: Path) -> None:
    """A program that could not be read is shown with the reason, and with what was tried."""
    text = printed(lambda console: print_problem(run, "p-2", console))
    wanted = ("could not be read: syntax-error: '(' was never closed (line 1)", "repaired: dropped the prose")
    assert all(words in text for words in wanted)
