"""Tests of the terminal report of one trace: it shows how a template solves a problem."""

from pathlib import Path

from reports.terminal.trace import print_trace
from tests.reports.terminal.printing import printed, words


def shown(run: Path, problem_id: str) -> str:
    """Return what is printed of a problem's traces."""
    return printed(lambda console: print_trace(run, problem_id, console))


def test_trace_is_printed_in_full(template_run: Path) -> None:
    """Each variable has its line, value, origin and expression; a line that differs has both texts."""
    wanted = {
        "gold 71 tier 1",
        "CONFIRMED answer",
        "L1 tomato_rows 6 question input 6 rows of tomato seedlings",
        "tomato_seedlings 54 output tomato_rows * tomatoes_per_row",
        "FA answer 71 answer left",
        "REFUTED lines 3 of 4 lines differ",
        "L1 differs in punctuation",
        "template: Amara plants 6*9 = <<6*9=54>>54 tomato seedlings!",
        "solution: Amara plants 6*9 = <<6*9=54>>54 tomato seedlings.",
    }
    assert wanted - set(words(shown(template_run, "mini-001"))) == set()


def test_dead_variables_are_named(template_run: Path) -> None:
    """A variable that the answer does not depend on is marked."""
    assert shown(template_run, "mini-009").count(", dead") == 3


def test_findings_are_shown(template_run: Path) -> None:
    """A finding of a claim has its line, its cause and what was found."""
    assert "    L2 no such value: found '7', expected '17'" in shown(template_run, "mini-009")


def test_template_without_a_trace_says_why(template_run: Path) -> None:
    """What could not be read is printed with its verdicts."""
    text = shown(template_run, "mini-048")
    assert "REFUTED   structure  broken-json" in text
    assert "no trace was made of this template" in text


def test_numbers_without_a_variable_are_named(template_run: Path) -> None:
    """Numbers of the solution that no variable explains for certain are listed by line."""
    assert "without a certain variable: L2 two" in shown(template_run, "mini-005")
