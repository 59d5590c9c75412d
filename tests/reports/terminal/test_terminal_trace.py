"""Tests of the terminal report of one trace: it shows how a template solves a problem."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from reports.terminal.problem import UnknownProblemError
from reports.terminal.trace import print_trace


def printed(run: Path, problem_id: str, *, width: int = 120) -> str:
    """Return what is printed of a problem's traces."""
    console = Console(file=io.StringIO(), width=width, highlight=False)
    print_trace(run, problem_id, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize(
    "line",
    [
        "gold 71 tier 1",
        "CONFIRMED answer",
        "L1 tomato_rows 6 question input 6 rows of tomato seedlings",
        "tomato_seedlings 54 output tomato_rows * tomatoes_per_row",
        "FA answer 71 answer left",
        "REFUTED lines 3 of 4 lines differ",
        "L1 differs in punctuation",
        "template: Amara plants 6*9 = <<6*9=54>>54 tomato seedlings!",
        "solution: Amara plants 6*9 = <<6*9=54>>54 tomato seedlings.",
    ],
)
def test_trace_is_printed_in_full(template_run: Path, line: str) -> None:
    """Each variable has its line, value, origin and expression; a line that differs has both texts."""
    assert line in [" ".join(shown.split()) for shown in printed(template_run, "mini-001").splitlines()]


def test_dead_variables_are_named(template_run: Path) -> None:
    """What the answer does not depend on says so."""
    assert printed(template_run, "mini-009").count(", dead") == 3


def test_findings_are_printed(template_run: Path) -> None:
    """A finding of a claim has its line, its cause and what was found."""
    assert "    L2 no such value: found '7', expected '17'" in printed(template_run, "mini-009")


def test_template_without_a_trace_says_why(template_run: Path) -> None:
    """What could not be read is printed with its verdicts."""
    text = printed(template_run, "mini-048")
    assert "REFUTED   structure  broken-json" in text
    assert "no trace was made of this template" in text


def test_numbers_without_a_variable_are_named(template_run: Path) -> None:
    """Numbers of the solution that no variable explains for certain are listed by line."""
    assert "without a certain variable: L2 two" in printed(template_run, "mini-005")


@pytest.mark.parametrize("width", [40, 80, 200])
def test_trace_fits_the_console(template_run: Path, width: int) -> None:
    """No line is wider than the console."""
    assert max(map(len, printed(template_run, "mini-030", width=width).splitlines())) <= width


def test_hostile_text_is_text(hostile_template_run: Path, hostile: str) -> None:
    """Names, values, comments, reasons and lines are shown as written."""
    text = printed(hostile_template_run, f"mini-001{hostile}", width=4000)
    assert text.count("</script><img src=x onerror=alert(1)>[bold]␛[31m␀") > 50
    assert not {"\x1b", "\x00", "\u202e", "\ud800"} & set(text)


def test_unknown_problem_names_the_closest(template_run: Path) -> None:
    """A mistyped id is answered with the command that was meant."""
    with pytest.raises(UnknownProblemError, match=r"did you mean mini-0\d\d.*--trace mini-0\d\d"):
        printed(template_run, "mini-05")
