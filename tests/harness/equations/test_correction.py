"""Tests of corrections: each that is shown is read again as true."""

from hypothesis import given, strategies as st

from harness.equations.derivation import false_steps
from harness.equations.false_equations import corrected_line, due_equation
from harness.equations.line_reader import read_line

SMALL = st.integers(2, 60)
FORMS = ["{a} + {b} = {w}", "${a}.50 * {b} = ${w}.25", "{a}% of {b}0 = {w}", "{a}/{b}00 = {w}%", "{a} minutes * {b} = {w} hours", "{a},500 + {b} = {w},000", "{a} / {b} = {w}.5", "{a} + {b} = {w} + 1 = {w}", "2 dozen + {a} = {w} eggs", "{a} million * {b} = {w} million", "({a} + 1) * {b} = {w} pens", "so {a} - {b} = {w}"]  # fmt: skip


@given(SMALL, SMALL, SMALL, st.sampled_from(FORMS))
def test_every_correction_that_is_shown_is_true(a: int, b: int, wrong: int, form: str) -> None:
    """Whatever its unit, percent sign or decimals; no line is corrected to itself."""
    line = form.format(a=a, b=b, w=wrong)
    for equation in read_line(line).false:
        due = due_equation(equation, line)
        assert not due or (due != line and not read_line(due).false), due
    corrected = corrected_line(line)
    assert corrected != line
    assert not read_line(corrected).false, corrected
    if line == f"{a} + {b} = {wrong}" and a + b != wrong:
        assert corrected == f"{a} + {b} = {a + b}"


@given(SMALL, SMALL, SMALL, st.integers(1, 9))
def test_the_due_step_of_a_derivation_has_the_root_of_the_first(factor: int, rest: int, root: int, off: int) -> None:
    """`2x + 16 = 40` is followed by `2x = 24`."""
    first, second = f"{factor}x + {rest} = {factor * root + rest}", f"{factor}x = {factor * (root + off)}"
    for step in false_steps([first, second]):
        assert step.due == f"{factor}x = {factor * root}"
        assert not list(false_steps([first, step.due]))
