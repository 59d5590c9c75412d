"""Tests of the summary of a run: the findings are readable with any text and in a narrow terminal."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from reports.terminal.problem import UnknownProblemError, print_problem
from reports.terminal.run_summary import print_findings, print_summary


def text_of(console: Console) -> str:
    """Return what was printed to `console`."""
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def console(*, width: int = 100, color: bool = False) -> Console:
    """Return a console that writes to memory."""
    return Console(file=io.StringIO(), width=width, force_terminal=color, highlight=False)


@pytest.fixture
def summary(run: Path) -> list[str]:
    """Return the summary of the small run, a line each, spaces collapsed."""
    paper = console()
    print_summary(run, paper)
    return [" ".join(line.split()) for line in text_of(paper).splitlines()]


@pytest.mark.parametrize(
    "line",
    [
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
    ],
)
def test_summary_prints_each_step_of_the_funnel(summary: list[str], line: str) -> None:
    """Every step from problems to oracles is counted, with its share."""
    assert line in [shown.rstrip(" █") for shown in summary]


@pytest.mark.parametrize(
    "line",
    [
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
    ],
)
def test_summary_says(summary: list[str], line: str) -> None:
    """Methods, cliques, confidence, agreement, findings and doubts are on the screen."""
    assert line in summary


def test_summary_names_the_next_command(summary: list[str], run: Path) -> None:
    """The reader is told how to look at one problem."""
    assert f"look at one: oracle-factory report {run} --problem ID" in summary


def test_summary_limits_findings_and_says_how_to_see_the_rest(many_findings_run: Path) -> None:
    """Of twenty findings fifteen are shown, and the command that shows all."""
    paper = console(width=200)
    print_summary(many_findings_run, paper)
    lines = text_of(paper).splitlines()
    shown = [line for line in lines if line.lstrip().startswith("UT-1 p-")]
    more = [line for line in lines if "5 more: oracle-factory report" in line and "--findings" in line]
    assert (len(shown), len(more)) == (15, 1)


def test_more_than_ten_models_get_a_table(many_findings_run: Path) -> None:
    """Twelve models are listed with agreement and UT-1 rate; a matrix would not fit."""
    paper = console()
    print_summary(many_findings_run, paper)
    assert "model    agree  pairs  UT-1" in text_of(paper)


def test_every_finding_is_printed_on_request(many_findings_run: Path) -> None:
    """`--findings` prints each finding on one uncut line."""
    paper = console(width=20)
    print_findings(many_findings_run, paper)
    lines = text_of(paper).splitlines()
    assert (len(lines), lines[0]) == (20, "UT-1 p-00 model-a: gives 1, the gold answer is 2")


@pytest.mark.parametrize("width", [30, 40, 60, 80, 200])
@pytest.mark.parametrize("name", ["run", "many_findings_run", "empty_run"])
def test_summary_fits_the_console(request: pytest.FixtureRequest, name: str, width: int) -> None:
    """Except for the two commands to copy, no line is wider than the console."""
    paper = console(width=width)
    print_summary(request.getfixturevalue(name), paper)
    lines = text_of(paper).splitlines()
    assert max(len(line.rstrip()) for line in lines if "oracle-factory report" not in line) <= width


def test_empty_run_is_summarised(empty_run: Path) -> None:
    """A run without problems has a summary that says so."""
    paper = console()
    print_summary(empty_run, paper)
    assert "no problems" in text_of(paper)


@pytest.mark.parametrize("color", [False, True])
def test_hostile_text_is_text_in_the_summary(hostile_run: Path, *, color: bool) -> None:
    """Markup stays as written, and no escape sequence of the data reaches the terminal."""
    paper = console(width=2000, color=color)
    print_summary(hostile_run, paper)
    print_findings(hostile_run, paper)
    text = text_of(paper)
    assert "<img src=x onerror=alert(1)>[bold]␛[31m␀<U+202E>" in text
    assert not {"\x00", "\u202e", "\ud800"} & set(text)
    assert color or "\x1b" not in text


def test_hostile_text_is_text_in_a_problem(hostile_run: Path, hostile: str) -> None:
    """Question, code, comments, reasons and alignments of one problem are shown as written."""
    paper = console(width=4000)
    print_problem(hostile_run, f"p-1{hostile}", paper)
    text = text_of(paper)
    assert text.count("</script><img src=x onerror=alert(1)>[bold]␛[31m␀") > 20
    assert not {"\x1b", "\x00", "\u202e", "\ud800"} & set(text)


@pytest.mark.parametrize(
    "line",
    [
        "How much?",
        "gold 6   tier 2",
        "oracle ada",
        "confidence 0.800 = 0.800, the mean score of the clique's 1 pair, times 1.00 for a clique of 2",
        "2     # L1",
        "dissents: not equivalent",
        "UT-3 REFUTED ada ~ cyd  hypothesis, 1 checked",
        "with b = 1 and everything else as in the problem: left 7, right 5",
        "UT-3 CONFIRMED ada ~ bob  schwartz-zippel, 1 checked, error at most 2^-122, 2 of 4 inputs frozen",
        "domain: a|a integers >= 1",
        "a = a (3), similarity 0.93",
        "unaligned right: rate",
    ],
)
def test_problem_is_printed_in_full(run: Path, line: str) -> None:
    """Question, clique, programs, verdicts, counterexamples and alignments of a problem are printed."""
    paper = console()
    print_problem(run, "p-1", paper)
    assert line in [shown.strip() for shown in text_of(paper).splitlines()]


def test_unreadable_program_says_why(run: Path) -> None:
    """A program that could not be read is shown with the reason, and with what was tried."""
    paper = console()
    print_problem(run, "p-2", paper)
    wanted = ("could not be read: syntax-error: '(' was never closed (line 1)", "repaired: dropped the prose")
    assert all(words in text_of(paper) for words in wanted)


def test_unknown_problem_names_the_closest(run: Path) -> None:
    """A mistyped id is answered with the id that was meant."""
    with pytest.raises(UnknownProblemError, match=r"p-3: expected the id of a problem.*did you mean p-\d"):
        print_problem(run, "p-3", console())
