"""Tests of annotation arithmetic: the left side equals the result of Python, and other text is refused."""

import re
import time
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from generators.formalizations.annotation.arithmetic import (
    LONGEST_EXPRESSION,
    MOST_PARENTHESES,
    Arithmetic,
    MalformedArithmeticError,
    merge_fractions,
    read_arithmetic,
)
from tests.cases import cases


@dataclass(frozen=True, slots=True)
class Written:
    """An expression as an annotation has it, as Python on fractions has it, and its numbers as they are written."""

    text: str
    python: str
    numbers: tuple[str, ...]


@st.composite
def numbers(draw: st.DrawFn) -> Written:
    """Draw a number: whole, with separators, a decimal with or without a zero, a percentage."""
    whole = draw(st.integers(0, 9_999_999))
    decimals = draw(st.sampled_from(["", ".5", ".25", ".05", ".125"]))
    text = draw(st.sampled_from([f"{whole}{decimals}", f"{whole:,}{decimals}", decimals or str(whole)]))
    percent = draw(st.sampled_from(["", "", "", "%", " %"]))
    exact = f'Fraction("{text.replace(",", "")}")'
    return Written(f"{text}{percent}", f"({exact} / 100)" if percent else exact, (f"{text}{percent}",))


def joined(left: Written, sign: str, right: Written, space: str) -> Written:
    """Write two expressions with a sign between them."""
    python = {"×": "*", "÷": "/"}.get(sign, sign)
    return Written(
        f"{left.text}{space}{sign}{space}{right.text}",
        f"{left.python} {python} {right.python}",
        left.numbers + right.numbers,
    )


def negated(inner: Written) -> Written:
    """Put a minus sign before an expression in parentheses."""
    return Written(f"-({inner.text})", f"-({inner.python})", inner.numbers)


def enclosed(inner: Written) -> Written:
    """Put parentheses around an expression."""
    return Written(f"({inner.text})", f"({inner.python})", inner.numbers)


SIGNS = st.sampled_from(["+", "-", "*", "/", "//", "×", "÷"])
EXPRESSIONS = st.recursive(
    numbers(),
    lambda inner: (
        st.builds(joined, inner, SIGNS, inner, st.sampled_from(["", " "]))
        | st.builds(enclosed, inner)
        | st.builds(negated, inner)
    ),
    max_leaves=8,
).filter(
    lambda expression: len(expression.text) <= LONGEST_EXPRESSION and expression.text.count("(") <= MOST_PARENTHESES
)


def value_of(python: str) -> Fraction | int | None:
    """Evaluate Python on fractions, `None` where it divides by zero."""
    try:
        return eval(python, {"Fraction": Fraction})  # type: ignore[no-any-return]  # numbers by construction
    except ZeroDivisionError:
        return None


@given(EXPRESSIONS)
def test_an_expression_comes_to_what_python_makes_of_it(written: Written) -> None:
    """Precedence, signs, parentheses, floor division, percentages and division by zero included."""
    assert read_arithmetic(written.text).value == value_of(written.python)


@given(EXPRESSIONS)
def test_the_code_comes_to_the_same(written: Written) -> None:
    """`code`, with names for the operands, is Python that gives the value."""
    found = read_arithmetic(written.text)
    names = [f"v{number}" for number in range(len(found.operands))]
    scope = {name: Fraction(value) for name, value in zip(names, found.operands, strict=True)}
    try:
        value = eval(found.code(names), {}, scope)
    except ZeroDivisionError:
        value = None
    assert value == found.value


@given(EXPRESSIONS)
def test_spans_are_where_the_operands_stand(written: Written) -> None:
    """Each operand's span holds the number as it is written, its `%` included, in order."""
    found = read_arithmetic(written.text)
    assert tuple(written.text[start:end] for start, end in found.spans) == written.numbers


@given(EXPRESSIONS)
def test_percent_tells_what_was_written_with_the_sign(written: Written) -> None:
    """One mark an operand, and the value a hundredth of what stands there."""
    found = read_arithmetic(written.text)
    digits = [Fraction(re.sub(r"[,% ]", "", number)) for number in written.numbers]
    percents = ["%" in number for number in written.numbers]
    hundredths = [value / 100 if percent else value for value, percent in zip(digits, percents, strict=True)]
    assert hundredths == list(found.operands)


@cases(
    "text",
    [
        "",
        " ",
        "()",
        "3 4",
        "2(3)",
        "(2)3",
        "(2)(3)",
        ")(",
        ")3(",
        "3)",
        "(3",
        "3+",
        "*3",
        "3**4",
        "3 3*",
        "1.2.3",
        ".",
        "%",
        "3%%",
        "$",
        "3,4.5,6",
        "x",
        "3 apples",
        "3e5",
        "0x10",
        "٣+٤",
        "²",
        "½",
        "3^2",
        "3=3",
        "5/0 3",
        "5/0)",
        "5/0+",
        "3_000",
        "inf",
        "1" * 41,
        "1+" * 100 + "1",
        "(" * (MOST_PARENTHESES + 1) + "1" + ")" * (MOST_PARENTHESES + 1),
        "(" * 100 + "1" + ")" * 99,
        "\0",
        "__import__('os')",
    ],
)
def test_what_is_no_arithmetic_is_refused(text: str) -> None:
    """By one kind of error."""
    with pytest.raises(MalformedArithmeticError):
        read_arithmetic(text)


@given(st.text(max_size=250) | st.text("0123456789+-*/()%$., ×÷", max_size=250))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Nothing but `MalformedArithmeticError` is ever raised."""
    try:
        found = read_arithmetic(text)
    except MalformedArithmeticError:
        return
    assert len(found.operands) == len(found.spans) > 0


def test_limits_hold_at_their_edge() -> None:
    """Two hundred characters, twenty parentheses and forty digits are read."""
    deep = "(" * MOST_PARENTHESES + "1" + ")" * MOST_PARENTHESES
    texts = ["1+" * 99 + "11", deep, "1" * 40]
    assert [read_arithmetic(text).value for text in texts] == [110, 1, int("1" * 40)]


def test_many_signs_before_a_number_are_signs() -> None:
    """As many as the text may hold."""
    assert read_arithmetic("-" * (LONGEST_EXPRESSION - 1) + "5").value == -5


def test_reading_takes_no_time() -> None:
    """The slowest texts of two hundred characters take milliseconds."""
    begin = time.perf_counter()
    for text in ("1" * 200, "1," * 100, "(" * 200, "-" * 200, " " * 200, "1 " * 100, "$" * 200, "1%" * 100, "." * 200):
        with pytest.raises(MalformedArithmeticError):
            read_arithmetic(text)
    assert time.perf_counter() - begin < 5


def divided(text: str, *fractions: tuple[int, int]) -> tuple[Arithmetic, list[int]]:
    """Read an expression and take the divisions that are fractions for one operand."""
    found = read_arithmetic(text)
    return merge_fractions(found, lambda top, bottom: (top, bottom) in fractions, range(len(found.operands)))


def test_a_fraction_becomes_one_operand() -> None:
    """With the span of both numbers; the others keep their places."""
    found, kept = divided("3/4*60+3/5", (3, 4))
    assert (found.operands, found.spans, kept, found.code("abcd")) == (
        (Fraction(3, 4), 60, 3, 5),
        ((0, 3), (4, 6), (7, 8), (9, 10)),
        [0, 2, 3, 4],
        "a * b + c / d",
    )


def test_a_division_by_a_fraction_of_signs_stays() -> None:
    """In `60/3/4` the second division does not divide 3 by 4."""
    found, kept = divided("60/3/4", (3, 4))
    assert (found.operands, kept) == ((60, 3, 4), [0, 1, 2])


def test_a_fraction_that_something_stands_between_stays() -> None:
    """What is not `joined`, as in `3 cakes / 4 people`, is a division."""
    found, _ = merge_fractions(read_arithmetic("3/4*8"), lambda *_: True, ())
    assert found.operands == (3, 4, 8)


def test_a_fraction_keeps_the_value() -> None:
    """Whole expression and percent marks are those of the numbers before."""
    found, _ = divided("50%*3/4", (3, 4))
    assert (found.value, len(found.operands)) == (Fraction(3, 8), 2)


@pytest.mark.parametrize(("text", "divisors"), [("6/2*3", [1]), ("6//2", [1]), ("6*2", []), ("2/(1+1)", [])])
def test_divisors_stand_right_after_the_sign(text: str, divisors: list[int]) -> None:
    """A number in parentheses is no divisor by itself."""
    found = read_arithmetic(text)
    assert [place for place in range(len(found.operands)) if found.divides(place)] == divisors
