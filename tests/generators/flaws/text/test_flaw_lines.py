"""Tests of expressions in lines: every number is assigned to its variable, and taking a line apart loses nothing."""

from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from generators.flaws.solution.source_solution import FlawSource, UnfitError, UnfitReason
from generators.flaws.text.solution_lines import StepLine, read_source_text, read_step_line
from harness.domain import Exact
from harness.program import ir
from harness.solution.solution_text import LineText, PlacedVariable, claim_literals, render_line
from tests.cases import cases
from tests.generators.flaws.flaw_laws import worded
from tests.generators.flaws.solution_strategies import solutions

VALUES: dict[str, Exact] = {"boxes": 4, "pens": 6, "spare": 6, "total": 24, "part": Fraction(1, 4), "four": 4}
PRODUCT = ir.Binary("*", ir.Name("boxes"), ir.Name("pens"))


def line_of(words: str, expression: ir.Expr = PRODUCT, variable: str = "total") -> StepLine:
    """Read a line that works out one variable."""
    return read_step_line(claim_literals(LineText("L1", (words,)), VALUES), {variable: expression}, VALUES)


def told(line: StepLine) -> list[str | tuple[str, str]]:
    """Return the parts of a line, places as variable and text."""
    return [
        part if isinstance(part, str) else (part.variable, line.words[start:end]) for start, end, part in line.parts
    ]


def written(line: StepLine, variable: str = "total") -> list[str]:
    """Return where the expression of a variable is written out."""
    return [line.words[place.start : place.end] for place in line.written[variable]]


@cases(
    ("words", "found"),
    [
        ("4*6 = <<4*6=24>>24 pens", ["4*6", "4*6"]),
        ("6 pens x 4 boxes = 24", ["6 pens x 4 boxes"]),
        ("She has 4 boxes of 6, 24 = 4 * 6", ["4 * 6"]),
        ("(4 * 6) = 24", ["(4 * 6)"]),
        ("4 * 5 = <<4*5=20>>20", []),
        ("4 + 6 = 10", []),
        ("24 pens", []),
    ],
)
def test_expressions_are_found_where_they_are_written_out(words: str, found: list[str]) -> None:
    """In annotations and in prose, operands of a sum or product in either order."""
    assert written(line_of(words)) == found


def test_an_order_that_matters_is_kept() -> None:
    """`6 - 4` is no `4 - 6`."""
    difference = ir.Binary("-", ir.Name("pens"), ir.Name("boxes"))
    assert (written(line_of("6 - 4 = 2", difference)), written(line_of("4 - 6 = -2", difference))) == (["6 - 4"], [])


def test_numbers_become_places_of_the_operands() -> None:
    """Though two variables are four and two are six, the equation tells which ones these are."""
    assert told(line_of("4 boxes of 6: 4*6 = <<4*6=24>>24 pens")) == [
        "4 boxes of 6: ",
        ("boxes", "4"),
        "*",
        ("pens", "6"),
        " = <<",
        ("boxes", "4"),
        "*",
        ("pens", "6"),
        "=",
        ("total", "24"),
        ">>",
        ("total", "24"),
        " pens",
    ]


@settings(max_examples=40)
@given(solutions())
def test_replacing_nothing_gives_the_line_back(source: FlawSource) -> None:
    """A line taken apart and put together is the line, in words and in places."""
    for entry in source.steps:
        number = source.line_number(entry.variable) - 1
        line = read_step_line(
            source.text.lines[number], {entry.variable: source.expression(entry.variable)}, source.values
        )
        again = line.rewritten({})
        assert again == line.text
        assert render_line(again, source.values) == line.words == source.problem.solution.split("\n")[number]


@st.composite
def edits(draw: st.DrawFn) -> tuple[StepLine, dict[tuple[int, int], str]]:
    """Draw edits of a line that do not overlap."""
    line = line_of(draw(st.sampled_from(["4*6 = <<4*6=24>>24 pens", "So 6 pens x 4 boxes = 24, of 1/4", "24 of 4"])))
    ends = sorted(draw(st.lists(st.integers(0, len(line.words)), max_size=6, unique=True)))
    spans = list(zip(ends[::2], ends[1::2], strict=False))
    return line, {span: draw(st.sampled_from(["", "$", "7 + 8", "ß"])) for span in spans}


@given(edits())
def test_edits_change_their_words_only(drawn: tuple[StepLine, dict[tuple[int, int], str]]) -> None:
    """The words read as if replaced in the text; places that no edit touches are still places."""
    line, replaced = drawn
    words = line.words
    for (start, end), new in sorted(replaced.items(), reverse=True):
        words = words[:start] + new + words[end:]
    found = line.rewritten(replaced)
    kept = [
        part.variable
        for start, end, part in line.parts
        if isinstance(part, PlacedVariable) and not any(first < end and start < last for first, last in replaced)
    ]
    assert render_line(found, VALUES) == words
    assert [part.variable for part in found.parts if isinstance(part, PlacedVariable)] == kept


def test_a_solution_that_is_false_itself_is_unfit() -> None:
    """With the line that is."""
    code = "# L1\na = 4 # 4\nb = 6 # 6\nc = a * b\n# L2\nd = 5 # 5\ne = c + d\nanswer = e\nreturn answer"
    source = worded(code, "{a} * {b} = {c}", "{c} + {d} = {e} = 3 + 4")
    with pytest.raises(UnfitError) as error:
        read_source_text(source)
    assert (error.value.unfit, str(error.value)) == (UnfitReason.FALSE, f"{UnfitReason.FALSE}: L2")
