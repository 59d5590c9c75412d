"""Tests of rewritten lines: the words of a line follow its new expression, and no old value is left in the text."""

from fractions import Fraction

import pytest

from generators.flaws.flawed_solution import FlawDiscardError, FlawDiscardReason
from generators.flaws.mutation_operator import Mutant
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.text.line_rewrite import _edited_line, _EditedLine, check_equations, flawed_answer, rendered_lines
from generators.flaws.text.solution_lines import FlawSourceText, read_source_text
from harness.domain import Exact
from harness.program import ir
from harness.solution.solution_text import render_line
from harness.solution.trace import propagate
from tests.cases import cases
from tests.generators.flaws.flaw_laws import worded

DRIVE = """
# L1
speed = 60 # 60 miles per hour
hours = 3 # 3 hours
distance = speed * hours
# L2
back = 45 # 45 miles
rest = distance - back
# FA
answer = rest
return answer
"""
FIRST = "At {speed} miles/hour, in {hours} hours he drives {speed} miles/hour * {hours} hours = <<{speed}*{hours}={distance}>>{distance} miles"
SECOND = (
    "That leaves {distance} miles on the way - {back} miles on the way back = <<{distance}-{back}={rest}>>{rest} miles"
)
SOURCE = worded(DRIVE, FIRST, SECOND)


def edit(variable: str, expression: ir.Expr, source: FlawSource = SOURCE) -> _EditedLine:
    """Return the line of a variable with another expression."""
    text = read_source_text(source)
    mutant = Mutant(variable, "a", "b", expression=expression)
    return _edited_line(text, text.lines[source.line_number(variable) - 1], variable, mutant)


def words(variable: str, expression: ir.Expr, source: FlawSource = SOURCE) -> str:
    """Return the words of the edited line, its results as they were."""
    edited = edit(variable, expression, source)
    return render_line(edited.line, {**source.values, **edited.misread}, source.values)


def binary(operator: str, left: str | int, right: str | int) -> ir.Expr:
    """Return an operation on variables and numbers."""
    sides = [ir.Name(operand) if isinstance(operand, str) else ir.Const(operand) for operand in (left, right)]
    return ir.Binary(operator, *sides)


@cases(
    ("expression", "line"),
    [
        (
            binary("*", 90, "hours"),
            "At 90 miles/hour, in 3 hours he drives 90 miles/hour * 3 hours = <<90*3=180>>180 miles",
        ),
        (
            binary("*", "speed", "back"),
            "At 60 miles/hour, in 45 hours he drives 60 miles/hour * 45 hours = <<60*45=180>>180 miles",
        ),
        (
            binary("*", "speed", 1),
            "At 60 miles/hour, in 1 hour he drives 60 miles/hour * 1 hour = <<60*1=180>>180 miles",
        ),
        (
            binary("*", "speed", "speed"),
            "At 60 miles/hour, in 60 hours he drives 60 miles/hour * 60 miles/hour = <<60*60=180>>180 miles",
        ),
        (
            binary("/", "hours", "speed"),
            "At 60 miles/hour, in 3 hours he drives 3 hours / 60 miles/hour = <<3/60=180>>180 miles",
        ),
    ],
)
def test_the_whole_line_follows_its_expression(expression: ir.Expr, line: str) -> None:
    """What the step reads no more is misread wherever the line has it; what takes its place has its unit, in the right number."""
    assert words("distance", expression) == line


def test_only_the_step_misreads() -> None:
    """Another equation of the line that reads the same number keeps it."""
    source = worded(
        DRIVE.replace("# L2\n", ""),
        "He drives {speed} * {hours} = <<{speed}*{hours}={distance}>>{distance} miles, the {speed} miles of each hour, that is {distance} - {back} = <<{distance}-{back}={rest}>>{rest} more",
        "So {rest} miles",
    )
    found = words("distance", binary("*", 80, "hours"), source)
    assert found == (
        "He drives 80 * 3 = <<80*3=180>>180 miles, the 80 miles of each hour, that is 180 - 45 = <<180-45=135>>135 more"
    )


def test_a_number_that_may_be_the_misread_one_is_left_to_a_person() -> None:
    """Where two variables have its value, nobody knows which one the words mean."""
    source = worded(
        DRIVE.replace("back = 45 # 45", "back = 3 # 3"),
        "All of 3 times he drives {speed} * {hours} = <<{speed}*{hours}={distance}>>{distance} miles",
        "That leaves {distance} - {back} = <<{distance}-{back}={rest}>>{rest} miles",
    )
    assert "the words still say '3'" in edit("distance", binary("*", "speed", 8), source).edits
    assert not edit("distance", binary("*", 61, "hours"), source).edits


def test_an_equation_that_keeps_the_old_expression_is_discarded() -> None:
    """Where not all that states the result can be rewritten, it would be false, however kindly percentages are read."""
    code = "# L1\nall_of_them = 80 # 80\nten = 0.1 # 10%\nsome = all_of_them * ten\n# L2\nmore = 5 # 5\nrest = some + more\nanswer = rest\nreturn answer"
    source = worded(
        code,
        "10% of all is {all_of_them} * 20/100 / 2 = <<{all_of_them}*20/100/2={some}>>{some} watches",
        "{some} + {more} = <<{some}+{more}={rest}>>{rest}",
    )
    with pytest.raises(FlawDiscardError) as error:
        edit("some", binary("/", "all_of_them", "ten"), source)
    assert error.value.discard is FlawDiscardReason.NOT_SHOWN


CODE = """
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
    code = CODE
    for name, new in replaced.items():
        old = next(line for line in CODE.splitlines() if line.startswith(f"{name} = "))
        code = code.replace(old, f"{name} = {new} # {new}")
    return read_source_text(worded(code, *lines))


TEXT = text_of(*LINES)


def outcome(
    text: FlawSourceText, first: int, wrong: int | None, propagated: str = "", **changed: Exact
) -> FlawDiscardReason | dict[int, str]:
    """Return the lines with changed values, or why they are discarded; the result `propagated` has its effects, too."""
    values = {**text.source.values, **changed}
    if propagated:
        values = dict(propagate(text.source.trace, propagated, changed[propagated]).values)
    try:
        rewritten = rendered_lines(text, first, values)
        check_equations(rewritten, text, wrong=wrong)
    except FlawDiscardError as error:
        return error.discard
    return dict(rewritten.lines)


@cases(
    ("first", "wrong", "propagated", "changed", "reason"),
    [
        (0, 1, "total", {"total": 25}, FlawDiscardReason.ELSEWHERE),
        (0, None, "total", {"total": 25}, FlawDiscardReason.ELSEWHERE),
        (0, 0, "", {"total": 25}, FlawDiscardReason.ELSEWHERE),
        (0, 0, "", {}, FlawDiscardReason.NO_EQUATION),
        (1, None, "", {"total": 25}, FlawDiscardReason.EARLIER),
        (0, None, "", {"total": Fraction(1, 3)}, FlawDiscardReason.UNWRITABLE),
    ],
)
def test_lines_that_do_not_fit_are_discarded(
    first: int, wrong: int | None, propagated: str, changed: dict[str, Exact], reason: FlawDiscardReason
) -> None:
    """What was not propagated makes a second line false, the wrong line has to be wrong, a third has no decimals."""
    assert outcome(TEXT, first, wrong, propagated, **changed) is reason


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
    assert (outcome(text, 0, None, **changed) is FlawDiscardReason.STALE) is stale


@pytest.mark.parametrize(("gold", "value", "written"), [("1,200", 1300, "1,300"), ("$50", 20, "$20"), ("24", -3, "-3")])
def test_the_answer_is_written_as_the_gold_answer(gold: str, value: int, written: str) -> None:
    """With its separators and signs; what cannot be written so is discarded."""
    more = int(gold.strip("$").replace(",", "")) - 14
    source = worded(CODE.replace("more = 5 # 5", f"more = {more} # more"), *LINES, gold=gold)
    assert flawed_answer(source, propagate(source.trace, "final", value)) == written
    with pytest.raises(FlawDiscardError):
        flawed_answer(source, propagate(source.trace, "final", Fraction(1, 3)))
