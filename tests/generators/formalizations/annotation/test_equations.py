"""Tests of the equations of a line: true equations of its prose are extracted in bounded time."""

import time
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from generators.formalizations.annotation.arithmetic import read_arithmetic
from generators.formalizations.annotation.line_equations import (
    MOST_EQUATIONS,
    Equation,
    annotation_equation,
    prose_equations,
)
from harness.domain import Exact
from harness.program.refusal import Refusal, RefusalReason
from tests.cases import cases


def marked(line: str, found: Equation) -> tuple[list[str], str]:
    """Return the text of an equation's operands and of its result."""
    return [line[start:end] for start, end in found.operands], line[slice(*found.result)]


def single(line: str) -> Equation:
    """Return the one equation of a line."""
    (found,) = prose_equations(line)
    return found


# A line, its operands and result as written there, and the value.
PROSE: list[tuple[str, list[str], str, Exact]] = [
    ("4 boxes * 6 pens = 24 pens", ["4", "6"], "24", 24),
    ("She pays 3 x $4 = $12.", ["3", "4"], "12", 12),
    ("3 × 4 = 12", ["3", "4"], "12", 12),
    ("12 ÷ 4 = 3", ["12", "4"], "3", 3),
    ("12 – 4 = 8", ["12", "4"], "8", 8),
    ("12 − 4 = 8", ["12", "4"], "8", 8),
    ("On day 5 he eats 3 + 4 = 7 apples", ["3", "4"], "7", 7),
    ("5 apples and 3 pears + 4 plums = 7 fruits", ["3", "4"], "7", 7),
    ("It is 2(3 + 4) = 14.", ["2", "3", "4"], "14", 14),
    ("It is (3 + 4) (2) = 14.", ["3", "4", "2"], "14", 14),
    ("20% * 50 = 10", ["20%", "50"], "10", 10),
    ("50 % * 8 = 4", ["50 %", "8"], "4", 4),
    ("1/2 = 50%", ["1", "2"], "50%", Fraction(1, 2)),
    ("1 - 1/4 = 3/4 of it", ["1", "1", "4"], "3/4", Fraction(3, 4)),
    ("1,200 + 34 = 1,234 votes", ["1,200", "34"], "1,234", 1234),
    (".5 * 10 = 5", [".5", "10"], "5", 5),
    ("$1.50 + $2 = $3.50.", ["1.50", "2"], "3.50", Fraction(7, 2)),
    ("5 dollars/hour * 8 hours = 40 dollars", ["5", "8"], "40", 40),
    ("a twenty-five-page book, 3 * 25 = 75 pages", ["3", "25"], "75", 75),
    ("In 2 days: 3 * 4 = 12", ["3", "4"], "12", 12),
    ("He has 2. He buys 3 + 4 = 7.", ["3", "4"], "7", 7),
    ("3 + 4 =\t7", ["3", "4"], "7", 7),
]


@cases(("line", "operands", "result", "value"), PROSE)
def test_a_true_equation_is_found(line: str, operands: list[str], result: str, value: Exact) -> None:
    """Words, units, dollar signs, rates and other typography between the numbers are passed over."""
    found = single(line)
    assert (marked(line, found), found.arithmetic.value, found.stated) == ((operands, result), value, result)


@cases(
    "line",
    [
        "",
        "=",
        "= 5",
        "3 + 4 = 8",
        "3 + 4 = 7.5",
        "3 + 4 = 70",
        "3 + 4 = 7,000",
        "3 + 4 = 7 + 1",
        "3 + 4 = 7 - 1",
        "3 + 4 = 7 * 2",
        "3 + 4 = 7 / 2",
        "3 + 4 = 7 (2)",
        "3 + 4 = 7 8",
        "3 + 4 = 7/0",
        "3 + 4 = seven",
        "7 = 7",
        "x = 7",
        "3 4 = 7",
        "3 + 4. It is = 7",
        "3 + 4; = 7",
        "So. He has 2 + 2; + 4 = 8",
        "5 / 0 = 0",
        "(-0) = 0",
        "3 + 4 = ٧",
        "٣ + 4 = 7",
        "<<3+4=7>>7",
        "<<3+4=7>> = 7",
    ],
)
def test_what_is_no_true_equation_is_not_found(line: str) -> None:
    """A wrong result, a result that goes on, another clause, nothing computed, an annotation."""
    assert prose_equations(line) == []


def test_several_equations_of_a_line_are_found_in_order() -> None:
    """Wrong ones among them left out."""
    line = "3 + 4 = 7 apples, 7 * 2 = 14 pears, 2 + 2 = 5, so 14 - 7 = 7."
    assert [marked(line, equation) for equation in prose_equations(line)] == [
        (["3", "4"], "7"),
        (["7", "2"], "14"),
        (["14", "7"], "7"),
    ]


def test_a_chain_of_equations_is_read_from_sign_to_sign() -> None:
    """In `3 + 4 = 7 = 5 + 2` the first result counts; what follows the last sign is no result."""
    assert [equation.stated for equation in prose_equations("3 + 4 = 7 = 5 + 2 and no more")] == ["7"]


def test_at_most_eight_are_read() -> None:
    """However many a line states."""
    assert len(prose_equations("3 + 4 = 7, " * 20)) == MOST_EQUATIONS


def test_the_longest_true_left_side_is_taken() -> None:
    """`2 + 3 * 4` is not cut to `3 * 4` where the whole is true."""
    assert single("2 + 3 * 4 = 14").arithmetic.operands == (2, 3, 4)


WORDS = st.sampled_from(["", " apples", " boxes of pens", " dollars", " kg", " twenty-five-page books"])


@st.composite
def sums(draw: st.DrawFn) -> tuple[str, str, str]:
    """Draw the left side of an equation with words after its numbers, without them, and its result."""
    numbers = draw(st.lists(st.integers(1, 9999), min_size=2, max_size=5))
    signs = [draw(st.sampled_from(["+", "*"])) for _ in numbers[1:]]
    bare = str(numbers[0]) + "".join(f" {sign} {number}" for sign, number in zip(signs, numbers[1:], strict=True))
    worded = str(numbers[0]) + "".join(
        f"{draw(WORDS)} {sign} {number}" for sign, number in zip(signs, numbers[1:], strict=True)
    )
    return worded, bare, str(eval(bare))


@given(sums(), WORDS, WORDS)
def test_generated_equations_are_found_with_their_places(sides: tuple[str, str, str], before: str, after: str) -> None:
    """Whatever words stand between; the spans point at operands and result."""
    worded, bare, result = sides
    line = f"So{before}: {worded} = {result}{after}."
    found = single(line)
    operands, stated = marked(line, found)
    assert (operands, stated) == (bare.replace("*", "+").split(" + "), result)


@given(sums(), st.integers(1, 99))
def test_a_wrong_result_is_never_reported(sides: tuple[str, str, str], off: int) -> None:
    """Every equation that is found is true, whichever numbers of the line it takes."""
    worded, _, result = sides
    line = f"{worded} = {int(result) + off} things"
    assert all(
        equation.arithmetic.value == read_arithmetic(equation.stated).value for equation in prose_equations(line)
    )


FRAGMENTS = st.sampled_from(
    ["1", "23", "4,567", ".5", "=", "+", "-", "*", "/", "(", ")", "%", "$", " ", "x", "<<", ">>", "a", "é", "٣", "½"]
)


@given(st.text(max_size=80) | st.lists(FRAGMENTS, max_size=30).map("".join))
def test_any_line_is_read(line: str) -> None:
    """Every equation is true, computes something, and its spans hold numbers of the line in order."""
    for found in prose_equations(line):
        spans = [*found.operands, found.result]
        assert found.arithmetic.value == read_arithmetic(found.stated).value
        assert len(found.operands) == len(found.arithmetic.operands) > 1
        assert spans == sorted(spans)
        assert line[slice(*found.result)] == found.stated


@given(st.text(max_size=80) | st.lists(FRAGMENTS, max_size=30).map("".join))
def test_any_annotation_is_read_or_refused(line: str) -> None:
    """With a typed reason; nothing else is raised."""
    try:
        found = annotation_equation(line)
    except Refusal as refusal:
        reason, same = refusal.reason, True
    else:
        reason, same = RefusalReason.MALFORMED_ANNOTATION, found is None or line[slice(*found.result)] == found.stated
    assert (same, reason in {RefusalReason.SEVERAL_ANNOTATIONS, RefusalReason.MALFORMED_ANNOTATION}) == (True, True)


@cases(
    ("line", "operands", "stated"),
    [
        ("It is 48/2 = <<48/2=24>>24.", ["48", "2"], "24"),
        ("<< 48 / 2 = 24 >>24", ["48", "2"], "24"),
        ("<<$48/2=$24>>24", ["48", "2"], "24"),
        ("<<48/2= $ 24 >>24", ["48", "2"], "24"),
        ("<<20%*50=10>>", ["20%", "50"], "10"),
        ("<<60=60>>", ["60"], "60"),
        ("<<1+1=>>", ["1", "1"], ""),
    ],
)
def test_an_annotation_is_read(line: str, operands: list[str], stated: str) -> None:
    """With where its operands and its result stand, without dollar signs and white space."""
    found = annotation_equation(line)
    assert found is not None
    assert (marked(line, found), found.stated) == ((operands, stated), stated)


@cases(
    ("line", "reason"),
    [
        ("<<1+1=2>> and <<2+2=4>>", RefusalReason.SEVERAL_ANNOTATIONS),
        ("<<1+1=2>> and <<2+2=4", RefusalReason.MALFORMED_ANNOTATION),
        ("<<<<1+1=2>>>>", RefusalReason.SEVERAL_ANNOTATIONS),
        ("<<1+1=2", RefusalReason.MALFORMED_ANNOTATION),
        ("1+1=2>>", RefusalReason.MALFORMED_ANNOTATION),
        (">>1+1=2<<", RefusalReason.MALFORMED_ANNOTATION),
        ("<<1+1>>", RefusalReason.MALFORMED_ANNOTATION),
        ("<<>>", RefusalReason.MALFORMED_ANNOTATION),
        ("<<a=2>>", RefusalReason.MALFORMED_ANNOTATION),
        ("<<1+1=2=2>>", RefusalReason.MALFORMED_ANNOTATION),
        ("<<1<2=1>>", RefusalReason.MALFORMED_ANNOTATION),
    ],
)
def test_what_is_no_single_annotation_is_refused(line: str, reason: RefusalReason) -> None:
    """By several or a malformed one."""
    with pytest.raises(Refusal) as refused:
        annotation_equation(line)
    assert refused.value.reason is reason


@pytest.mark.parametrize("line", ["", "3 + 4 = 7", "a < b > c", "{1+1=2}"])
def test_a_line_without_annotation_has_none(line: str) -> None:
    """Prose is no annotation."""
    assert annotation_equation(line) is None


def test_operands_joined_by_a_bare_bar_are_told() -> None:
    """`3/4` is joined, `3 cakes / 4` and `3*4` are not."""
    line = "3/4 * 8 cakes / 2 = 3"
    assert single(line).joined(line) == {0}


UNITS = [
    " ",
    "\t",
    "1",
    "1,",
    "1,111",
    ".1",
    "=",
    "= ",
    "=1",
    "=1 ",
    "1=1 ",
    "<<",
    ">>",
    "<<=",
    "(",
    "1/",
    "x ",
    "1+1=2 ",
]
STARTS = ["", "=", "=1", "<<", "<<1+1=", "<<1+1=2>>", "1 ", "a"]


@cases("start", STARTS)
def test_long_lines_take_bounded_time(start: str) -> None:
    """Twenty thousand characters of anything that repeats take less than a second each, mostly none."""
    begin = time.perf_counter()
    for unit in UNITS:
        line = start + (unit * 20_000)[:20_000]
        prose_equations(line)
        try:
            annotation_equation(line)
        except Refusal:
            continue
    assert time.perf_counter() - begin < len(UNITS)
