"""Tests of lines: numbers belong to their variables, words follow a new expression, and no old value is left."""

from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from generators.flaws.flawed_solution import FlawDiscardError, FlawDiscardReason
from generators.flaws.mutation_operator import Mutant, value_of
from generators.flaws.solution.source_solution import FlawSource, UnfitError, UnfitReason
from generators.flaws.text.line_rewrite import (
    StyledExpressionWriter,
    _edited_line,
    _EditedLine,
    check_equations,
    rendered_lines,
)
from generators.flaws.text.solution_lines import (
    FlawSourceText,
    StepLine,
    WritingStyle,
    WrittenExpression,
    read_source_text,
    read_step_line,
)
from harness.domain import Exact
from harness.program import ir
from harness.program.value_parser import read_expression
from harness.solution.solution_text import LineText, PlacedVariable, claim_literals, render_line
from harness.solution.trace import propagate
from tests.cases import cases
from tests.generators.flaws.flaw_laws import worded, worth
from tests.generators.flaws.solution_strategies import solutions

KNOWN: dict[str, Exact] = {"boxes": 4, "pens": 6, "spare": 6, "total": 24, "part": Fraction(1, 4), "four": 4}


def line_of(words: str, expression: str = "boxes * pens") -> StepLine:
    """Read a line that works out the total."""
    text = claim_literals(LineText("L1", (words,)), KNOWN)
    return read_step_line(text, {"total": read_expression(expression)}, KNOWN)


@cases(
    ("words", "expression", "found"),
    [
        ("4*6 = <<4*6=24>>24 pens", "boxes * pens", ["4*6", "4*6"]),
        ("6 pens x 4 boxes = 24", "boxes * pens", ["6 pens x 4 boxes"]),
        ("She has 4 boxes of 6, 24 = 4 * 6", "boxes * pens", ["4 * 6"]),
        ("(4 * 6) = 24", "boxes * pens", ["(4 * 6)"]),
        ("4 * 5 = <<4*5=20>>20", "boxes * pens", []),
        ("24 pens", "boxes * pens", []),
        ("6 - 4 = 2", "pens - boxes", ["6 - 4"]),
        ("4 - 6 = -2", "pens - boxes", []),
    ],
)
def test_expressions_are_found_where_they_are_written_out(words: str, expression: str, found: list[str]) -> None:
    """In annotations and in prose, operands of a sum or product in either order."""
    line = line_of(words, expression)
    assert [words[place.start : place.end] for place in line.written["total"]] == found


def test_numbers_become_places_of_the_operands() -> None:
    """Though two variables are four and two are six, the equation tells which ones these are."""
    line = line_of("4 boxes of 6: 4*6 = <<4*6=24>>24 pens")
    shown = [
        part if isinstance(part, str) else f"{part.variable} {line.words[start:end]}"
        for (start, end), part in line.parts
    ]
    annotation = ["boxes 4", "*", "pens 6", "=", "total 24", ">>", "total 24", " pens"]
    assert shown == ["4 boxes of 6: ", "boxes 4", "*", "pens 6", " = <<", *annotation]


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
        for (start, end), part in line.parts
        if isinstance(part, PlacedVariable) and not any(first < end and start < last for first, last in replaced)
    ]
    assert render_line(found, KNOWN) == words
    assert [part.variable for part in found.parts if isinstance(part, PlacedVariable)] == kept


@settings(max_examples=40)
@given(solutions())
def test_replacing_nothing_gives_the_line_back(source: FlawSource) -> None:
    """A line taken apart and put together is the line, in words and in places."""
    for line, words in zip(read_source_text(source).lines, source.problem.solution.split("\n"), strict=True):
        assert line.rewritten({}) == line.text
        assert render_line(line.text, source.values) == line.words == words


def test_a_solution_that_is_false_itself_is_unfit() -> None:
    """With the line that is."""
    code = "# L1\na = 4 # 4\nb = 6 # 6\nc = a * b\n# L2\nd = 5 # 5\ne = c + d\nanswer = e\nreturn answer"
    with pytest.raises(UnfitError) as error:
        read_source_text(worded(code, "{a} * {b} = {c}", "{c} + {d} = {e} = 3 + 4"))
    assert (error.value.unfit, str(error.value)) == (UnfitReason.FALSE, f"{UnfitReason.FALSE}: L2")


DRIVE = """
# L1
speed = 60 # 60 miles per hour
hours = 3 # 3 hours
distance = speed * hours
# L2
back = 45 # 45 miles
rest = distance - back
answer = rest
return answer
"""
ONWARD = (
    "That leaves {distance} miles on the way - {back} miles on the way back = <<{distance}-{back}={rest}>>{rest} miles"
)
SOURCE = worded(
    DRIVE,
    "At {speed} miles/hour, in {hours} hours he drives {speed} miles/hour * {hours} hours = <<{speed}*{hours}={distance}>>{distance} miles",
    ONWARD,
)


def edited(expression: str, source: FlawSource = SOURCE) -> _EditedLine:
    """Return the first line with another expression."""
    text = read_source_text(source)
    mutant = Mutant(source.steps[0].variable, "a", "b", expression=read_expression(expression))
    return _edited_line(text, text.lines[0], mutant)


@cases(
    ("expression", "line"),
    [
        ("90 * hours", "At 90 miles/hour, in 3 hours he drives 90 miles/hour * 3 hours = <<90*3=180>>180 miles"),
        ("speed * back", "At 60 miles/hour, in 45 hours he drives 60 miles/hour * 45 hours = <<60*45=180>>180 miles"),
        ("speed * 1", "At 60 miles/hour, in 1 hour he drives 60 miles/hour * 1 hour = <<60*1=180>>180 miles"),
        (
            "speed * speed",
            "At 60 miles/hour, in 60 hours he drives 60 miles/hour * 60 miles/hour = <<60*60=180>>180 miles",
        ),
        ("hours / speed", "At 60 miles/hour, in 3 hours he drives 3 hours / 60 miles/hour = <<3/60=180>>180 miles"),
        ("hours", "At 60 miles/hour, in 3 hours he drives 180 miles"),
    ],
)
def test_the_whole_line_follows_its_expression(expression: str, line: str) -> None:
    """What the step reads no more is misread wherever the line has it; what takes its place has its unit, in the right number."""
    found = edited(expression)
    assert render_line(found.line, {**SOURCE.values, **found.misread}, SOURCE.values) == line


def test_a_number_that_may_be_the_misread_one_is_left_to_a_person() -> None:
    """Where two variables have its value, nobody knows which one the words mean."""
    source = worded(
        DRIVE.replace("back = 45 # 45", "back = 3 # 3"),
        "All of 3 times he drives {speed} * {hours} = <<{speed}*{hours}={distance}>>{distance} miles",
        "That leaves {distance} - {back} = <<{distance}-{back}={rest}>>{rest} miles",
    )
    assert "the words still say '3'" in edited("speed * 8", source).edits
    assert not edited("61 * hours", source).edits


BOXES = """
# L1
boxes = 4 # 4 boxes
pens = 6 # 6 pens
total = boxes * pens
# L2
given = 10 # 10 pens
left = total - given
# L3
more = 5 # 5 pens
final = left + more
answer = final
return answer
"""
LINES = (
    "There are {boxes} * {pens} = <<{boxes}*{pens}={total}>>{total} pens",
    "So {total} - {given} = <<{total}-{given}={left}>>{left} pens are left",
    "With {more} more, {left} + {more} = <<{left}+{more}={final}>>{final} pens",
)


def text_of(*lines: str, **replaced: str) -> FlawSourceText:
    """Return the text of a solution whose code has other inputs."""
    code = BOXES
    for name, new in replaced.items():
        old = next(line for line in BOXES.splitlines() if line.startswith(f"{name} = "))
        code = code.replace(old, f"{name} = {new} # {new}")
    return read_source_text(worded(code, *lines))


def discard_of(
    text: FlawSourceText, first: int, wrong: int | None, propagated: str = "", **changed: Exact
) -> FlawDiscardReason | None:
    """Return why lines with changed values are discarded; the result `propagated` has its effects, too."""
    values = {**text.source.values, **changed}
    if propagated:
        values = dict(propagate(text.source.trace, propagated, changed[propagated]).values)
    try:
        check_equations(rendered_lines(text, first, values), text, wrong=wrong)
    except FlawDiscardError as error:
        return error.discard
    return None


@cases(
    ("first", "wrong", "propagated", "changed", "reason"),
    [
        (0, 1, "total", {"total": 25}, FlawDiscardReason.ELSEWHERE),
        (0, None, "total", {"total": 25}, FlawDiscardReason.ELSEWHERE),
        (0, 0, "", {"total": 25}, FlawDiscardReason.ELSEWHERE),
        (0, 0, "", {}, FlawDiscardReason.NO_EQUATION),
        (1, None, "", {"total": 25}, FlawDiscardReason.EARLIER),
        (0, None, "", {"total": Fraction(1, 3)}, FlawDiscardReason.UNWRITABLE),
        (0, 0, "total", {"total": 25}, None),
    ],
)
def test_lines_that_do_not_fit_are_discarded(
    first: int, wrong: int | None, propagated: str, changed: dict[str, Exact], reason: FlawDiscardReason | None
) -> None:
    """What was not propagated makes a second line false, the wrong line has to be wrong, a third has no decimals."""
    assert discard_of(text_of(*LINES), first, wrong, propagated, **changed) is reason


@cases(
    ("words", "replaced", "changed", "stale"),
    [
        ("{2}, of ¼", {"boxes": "0.25", "pens": "96"}, {"boxes": 3}, True),
        ("{2}, of ¼", {"boxes": "0.25", "pens": "96"}, {"more": 6}, False),
        ("{2}; 6 is few", {"given": "6"}, {"given": 7}, True),
        ("{2}; 6 is few", {"given": "6"}, {"more": 7}, False),
        ("{2} for everyone", {"given": "1"}, {"given": 7}, False),
        ("With -7 and {2}", {"given": "31"}, {"left": -8}, True),
    ],
)
def test_no_old_value_is_left(words: str, replaced: dict[str, str], changed: dict[str, Exact], *, stale: bool) -> None:
    """A number in the words that may be an old value, in any form, spoils the line; one that a variable keeps does not."""
    text = text_of(*LINES[:2], words.replace("{2}", LINES[2]), **replaced)
    assert (discard_of(text, 0, None, **changed) is FlawDiscardReason.STALE) is stale


A, C, D = ir.Name("a"), ir.Name("c"), ir.Name("d")
VALUES: dict[str, Exact] = {"a": 12, "b": -3, "c": Fraction(1, 4), "d": 7, "e": Fraction(2, 3), "f": 12500}
LEAVES = st.sampled_from([*(ir.Name(name) for name in VALUES), ir.Const(5), ir.Const(Fraction(5, 2)), ir.Const(-2)])
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(ir.Binary, st.sampled_from("+-*/"), inner, inner) | st.builds(ir.Unary, st.just("-"), inner)
    ),
    max_leaves=7,
)


def write_out(
    expression: ir.Expr,
    dress: dict[ir.Expr, str] | None = None,
    joints: dict[str, str] | None = None,
    *,
    annotation: bool = False,
    style: WritingStyle | None = None,
    instead: dict[ir.Expr, ir.Expr] | None = None,
) -> str | None:
    """Return an expression as a line writes it that has these numbers and signs."""
    like = WrittenExpression(0, 0, annotation, dress or {}, joints or {})
    return StyledExpressionWriter(VALUES, like, style or WritingStyle(), instead or {}).write(expression)


@given(EXPRESSIONS)
def test_what_is_written_is_worth_what_the_expression_is(expression: ir.Expr) -> None:
    """By Python's own precedence, fractions and negative numbers included."""
    text = write_out(expression)
    assert text is not None
    assert worth(text) == value_of(expression, VALUES)


def test_expressions_have_the_style_of_the_solution() -> None:
    """What stood there stands there again, what is new gets a dollar sign where others have one; signs are the solution's."""
    style = WritingStyle(frozenset({"d"}), "×")
    dress: dict[ir.Expr, str] = {A: "$12.00", C: "a quarter"}
    assert write_out(ir.Binary("*", A, C), dress, {"*": " x "}, style=style) == "$12.00 x a quarter"
    assert write_out(ir.Binary("+", A, D), dress, {"*": " x "}, style=style) == "$12.00 + $7"
    expression = ir.Binary("*", ir.Binary("+", A, C), D)
    assert write_out(expression, style=style) == "(12 + 0.25) × 7"
    assert write_out(expression, {}, {"+": "+"}, style=style) == "(12+0.25)×7"
    assert write_out(expression, annotation=True, style=style) == "(12+0.25)*7"


@cases(
    ("dress", "new", "text"),
    [
        ("12 apples", 15, "15 apples + 7"),
        ("12 apples", 1, "1 apple + 7"),
        ("$12/gallon", 400, "$400/gallon + 7"),
        ("$12.00", Fraction(5, 2), "$2.50 + 7"),
        ("the first 12 apples", 15, "the first 15 apples + 7"),
        ("12 half-full decks", 15, "15 + 7"),
        ("12", -4, "-4 + 7"),
        ("twelve apples", 15, "fifteen apples + 7"),
    ],
)
def test_dress_is_handed_on(dress: str, new: Exact, text: str) -> None:
    """Another number in the same place takes over the words and signs that belong to it, where that can be told."""
    expression = ir.Binary("+", ir.Const(new), D)
    assert write_out(expression, {A: dress, D: "7"}, {"+": " + "}, instead={ir.Const(new): A}) == text


@cases(("dress", "text"), [("3/4", "7 / (3/4)"), ("3 / 4", "7 / (3 / 4)"), ("60 miles/hour", "7 / 60 miles/hour")])
def test_a_quotient_binds_as_one(dress: str, text: str) -> None:
    """A fraction after a division sign needs parentheses, a unit per another none."""
    assert write_out(ir.Binary("/", D, C), {C: dress}, {"/": " / "}) == text
