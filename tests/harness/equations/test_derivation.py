"""Derivations in one unknown and corrections: a false step is proved, a correct one never accused, and each correction is read again as true."""

from fractions import Fraction
from pathlib import Path

from hypothesis import given, strategies as st

from harness.equations.derivation import false_steps, linear_equations, solved_lines
from harness.equations.false_equations import corrected_line, due_equation
from harness.equations.line_reader import read_line
from tests.cases import cases, rows, texts

CORRECT = Path(__file__).with_name("derivations.txt")
"""Correct derivations in many styles, one a line; a bar parts the lines of a solution."""
LEFT = (
    *texts("""{a}{x} = {c} | {a} * {x} = {c} | {a}{x} + {b} = {cb} | {b} + {a}{x} = {cb} | {a}({x} + {b}) = {cab}
{c} = {a}{x}"""),
)
BEFORE = ("", "The price: ", "Combining like terms, ", "$")
JOINTS = ("\n", ", ", "; ", ".\n", " => ")


@st.composite
def derivations(draw: st.DrawFn) -> tuple[str, int, str]:
    """Draw a derivation up to its result, the result, and the text after it."""
    a, b, value = draw(st.integers(2, 30)), draw(st.integers(1, 40)), draw(st.integers(2, 400))
    x, lead = draw(st.sampled_from("xynpWC")), draw(st.sampled_from(BEFORE))
    stated = draw(st.sampled_from(LEFT)).format(a=a, x=x, b=b, c=a * value, cb=a * value + b, cab=a * (value + b))
    close = "$" if lead == "$" else ""
    return f"{lead}{stated}{close}{draw(st.sampled_from(JOINTS))}{close}{x} = ", value, f"{close}."


@given(derivations(), st.integers(1, 99))
def test_a_false_step_is_proved(drawn: tuple[str, int, str], off: int) -> None:
    """Of a derivation and its twin with another result, the second alone has a false step, on the line of the result."""
    text, value, after = drawn
    off = off if 50 * off >= value else off + value
    assert not list(false_steps(f"{text}{value}{after}".split("\n")))
    (step,) = false_steps(f"{text}{value + off}{after}".split("\n"))
    assert (step.first.root, step.second.root) == (value, value + off)
    assert step.second.place == text.count("\n")


ANOTHER = texts("""The first number is 2x = 10.|The second number is x = 6. | 2x = 10 in January|x = 6 in March
2x = 10 for Anna, x = 6 for Ben | Anna 2x = 10; Ben x = 6 | 2x = 10 crates|x = 25 apples | 0.33x = 100|x = 300
2x = 11|x = 5-6 | 2x = 10, x² = 4|x = 2 | 2x = 10|So it goes.|x = 6 | 2x = 10|x = 5|3x = 21|x = 7
2x + y = 16|2x = 10 | P + 3 + P + 6 = 2P + 9|P = 4""")


@cases("text", [*CORRECT.read_text("utf-8").splitlines(), *ANOTHER])
def test_no_derivation_is_accused_without_a_proof(text: str) -> None:
    """None that is correct, in units, by words, of cases, of several persons, by a guess; nor one whose values may be of two quantities, ranges or writers."""
    assert not list(false_steps(text.split("|")))


@cases(
    ("lines", "rearranged"),
    [("3x + 4 = 19|3x = 15|x = 6", False), ("3x + 4 = 19|3x = 23", True), ("2x + 16 = 40|2x = 26", False), ("x/2 = 4|x = 2", True)],
)  # fmt: skip
def test_a_wrong_rearrangement_is_told_from_a_wrong_sum(lines: str, rearranged: bool) -> None:
    """A term moved without its sign, and a factor not divided out, are rearrangements."""
    (step,) = false_steps(lines.split("|"))
    assert step.rearranged is rearranged


@cases(
    ("line", "root"),
    [
        *(
            (line, Fraction(root))
            for line, root in rows("""6x = 96 → 16 | 40% * x = $15000 → 37500 | x+5=3x-5 → 5 | x = 45/3 → 15""")
        ),
        *((line, None) for line in ("x² = 4", "2^x = 8", "15j = 45a + 3", "2x = " + "9" * 4_000, "x=" * 5_000)),
    ],
)
def test_a_linear_equation_has_one_root(line: str, root: Fraction | None) -> None:
    """The root of a linear equation in one unknown is exact; other equations and endless lines have none."""
    assert [equation.root for equation in linear_equations([line])] == ([] if root is None else [root])


@given(st.integers(2, 30), st.integers(2, 40), st.integers(-20, 400), st.integers(0, 3))
def test_equations_in_an_unknown_are_read_with_the_value_found(factor: int, term: int, value: int, off: int) -> None:
    """Every equation that the last root solves is true, one that it does not solve is false, and a line without one stays."""
    lines = [
        "Let x be the pens, and s the rest.",
        f"We know s = {factor}x, so {factor}x - {term} + x = {(factor + 1) * value - term + off}.",
        f"{factor + 1}x = {(factor + 1) * value}",
        f"x = {value}",
    ]
    solved = solved_lines(lines)
    assert solved[0] == lines[0]
    assert [bool(read_line(line).false) for line in solved] == [False, off > 0, False, False]


@given(st.integers(2, 30), st.integers(2, 30), st.integers(0, 3), st.sampled_from("hm"))
def test_a_false_equation_of_numbers_is_not_made_true(left: int, right: int, off: int, letter: str) -> None:
    """Neither a unit nor a times sign stands for a value by which a false equation of numbers becomes true, or a true one is lost."""
    length = f"So she walks {left} * {right} = {left * right + off} {letter}."
    product = f"So t = 9, since {left} x {right} = {left * right + off}."
    for lines in ([length], ["x = 4", product], ["x = 4", product, length]):
        assert [bool(read_line(line).false) for line in solved_lines(lines)][-1] is (off > 0)
    assert solved_lines([length]) == [length]


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
