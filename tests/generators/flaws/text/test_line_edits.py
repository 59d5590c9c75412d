"""Tests of line edits: the words of a line follow its new expression, or are marked for manual editing."""

import pytest

from generators.flaws.flawed_solution import FlawDiscardReason
from generators.flaws.mutation_operator import Mutant
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.text.line_edits import EditedLine, edit_line
from generators.flaws.text.solution_rewrite import FlawDiscardError, read_source_text
from harness.program import ir
from harness.solution.solution_text import render_line
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


def edit(variable: str, expression: ir.Expr, source: FlawSource = SOURCE) -> EditedLine:
    """Return the line of a variable with another expression."""
    text = read_source_text(source)
    return edit_line(text, text.lines[source.line_number(variable) - 1], Mutant(variable, "a", "b", (), expression))


def words(variable: str, expression: ir.Expr, source: FlawSource = SOURCE) -> str:
    """Return the words of the edited line, its results as they were."""
    edited = edit(variable, expression, source)
    return render_line(edited.line, {**source.values, **edited.misread}, source.values)


def binary(operator: str, left: str | int, right: str | int) -> ir.Expr:
    """Return an operation on variables and numbers."""
    sides = [ir.Name(operand) if isinstance(operand, str) else ir.Const(operand) for operand in (left, right)]
    return ir.Binary(operator, *sides)


def test_a_misread_number_keeps_its_unit_and_is_misread_in_the_whole_line() -> None:
    """`60 miles/hour` becomes `90 miles/hour`, where the line first mentions it as well."""
    assert words("distance", binary("*", 90, "hours")) == (
        "At 90 miles/hour, in 3 hours he drives 90 miles/hour * 3 hours = <<90*3=180>>180 miles"
    )


def test_another_variable_takes_over_the_unit() -> None:
    """What is read in the place of a number is written like it."""
    assert words("distance", binary("*", "speed", "back")) == (
        "At 60 miles/hour, in 45 hours he drives 60 miles/hour * 45 hours = <<60*45=180>>180 miles"
    )


def test_the_noun_agrees_with_the_number() -> None:
    """One hour, not one hours."""
    assert "in 1 hour he drives 60 miles/hour * 1 hour =" in words("distance", binary("*", "speed", 1))


def test_a_number_that_is_still_read_stays() -> None:
    """Only what the step reads no more is misread."""
    assert words("distance", binary("*", "speed", "speed")).startswith("At 60 miles/hour, in 60 hours he drives 60")
    assert edit("distance", binary("*", "hours", "hours")).misread == {"speed": 3}


def test_a_unit_per_unit_is_no_quotient() -> None:
    """`60 miles/hour` needs no parentheses behind a division sign."""
    assert "he drives 3 hours / 60 miles/hour = <<3/60=" in words("distance", binary("/", "hours", "speed"))


def test_words_after_a_dropped_number_are_left_to_a_person() -> None:
    """`on the way back` says of which number it was; those of the number that stays are no reason."""
    assert edit("rest", ir.Name("distance")).edits[0] == "the equation has nothing to work out"
    assert "the words still say 'on the way back'" in edit("rest", ir.Name("distance")).edits
    assert not [said for said in edit("rest", binary("-", 9, "back")).edits if "way" in said]


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


def test_another_step_of_the_line_reads_rightly() -> None:
    """A second equation keeps the number that the first one misreads."""
    code = DRIVE.replace("# L2\n", "").replace("distance - back", "speed - back")
    source = worded(
        code,
        "At {speed} it is {speed} * {hours} = <<{speed}*{hours}={distance}>>{distance}, then {speed} - {back} = <<{speed}-{back}={rest}>>{rest}",
        "So {rest} miles",
    )
    assert words("distance", binary("*", 80, "hours"), source) == (
        "At 80 it is 80 * 3 = <<80*3=180>>180, then 60 - 45 = <<60-45=15>>15"
    )


def test_a_number_read_twice_and_misread_once_is_not_misread() -> None:
    """The words may mean the one that is right."""
    source = worded(
        DRIVE.replace("speed * hours", "hours * hours"),
        "In {hours} hours: {hours} * {hours} = <<{hours}*{hours}={distance}>>{distance}",
        SECOND,
    )
    for new in (7, "speed"):
        assert edit("distance", binary("*", "hours", new), source).misread == {}


def test_a_number_that_may_be_the_misread_one_is_left_to_a_person() -> None:
    """Where two variables have its value, nobody knows which one the words mean."""
    source = worded(
        DRIVE.replace("back = 45 # 45", "back = 3 # 3"),
        "All of 3 times he drives {speed} * {hours} = <<{speed}*{hours}={distance}>>{distance} miles",
        "That leaves {distance} - {back} = <<{distance}-{back}={rest}>>{rest} miles",
    )
    assert "the words still say '3'" in edit("distance", binary("*", "speed", 8), source).edits
    assert not edit("distance", binary("*", 61, "hours"), source).edits


def test_what_cannot_be_written_is_discarded() -> None:
    """A call has no place in a line."""
    with pytest.raises(FlawDiscardError):
        edit("distance", ir.Call("ceil", (ir.Name("hours"),), ()))


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


def test_a_mutant_without_an_expression_is_misuse() -> None:
    """It says which."""
    text = read_source_text(SOURCE)
    with pytest.raises(ValueError, match="changes nothing"):
        edit_line(text, text.lines[0], Mutant("distance", "a", "b", (), result="speed"))


def test_a_percentage_written_in_hundredths_is_a_share() -> None:
    """`80 x 10/100` is 80 times a tenth: the base is replaced before the percentage, which keeps its words."""
    code = "# L1\nmeal = 80 # $80\ntax = 8 # $8\nrate = 0.1 # 10%\ntip = meal * rate\n# L2\nmore = 5 # 5\nrest = tip + more\nanswer = rest\nreturn answer"
    source = worded(
        code,
        "The tip is ${meal} x 10/100 = $<<{meal}*10/100={tip}>>{tip}",
        "{tip} + {more} = <<{tip}+{more}={rest}>>{rest}",
    )
    base = ir.Binary("*", binary("+", "meal", "tax"), ir.Name("rate"))
    assert words("tip", base, source).startswith("The tip is ($80 + $8) x 10/100 = $<<(80+8)*10/100=")
