"""Property tests of equation reading: a written expression is read back with the same tree and the same truth."""

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import assume, given, strategies as st

from harness.domain import Exact
from harness.equations.equation import Expression, Number, Operation, Truth
from harness.equations.grammar import apply
from harness.equations.line_reader import read_line
from harness.text.numbers import whole_as_int
from harness.text.tokens import COMPARISONS
from tests.harness.equations.test_line_reader import spelled

SIGNS = {
    "+": [" + ", "+", " plus "],
    "-": [" - ", "-", " − ", " minus "],
    "*": [" * ", "*", " x ", " × ", " times ", "·"],
    "/": [" / ", "/", " ÷ ", " divided by "],
}
UNITS = st.sampled_from(["", "", " apples", " red apples", " tickets/day", " boxes of pens"])
BEFORE = st.sampled_from(["", "So ", "In total he has ", "On 3 days they ate, together, ", "Total: ", "**", "2. "])
AFTER = st.sampled_from(["", ".", " apples in all.", ", and that is it", " left over after 3 days.", "**"])
LINKS = st.sampled_from([" = ", "=", " =", " equals "])


@dataclass(frozen=True)
class Dressed:
    """An expression: its text, its tree in words, its value, and how tightly it binds."""

    text: str
    tree: str
    value: Exact | None
    level: int
    compact: str


@st.composite
def leaves(draw: st.DrawFn) -> Dressed:
    """Draw a number with or without separators, decimals, currency and unit."""
    whole = draw(st.integers(1, 99_999))
    cents = draw(st.sampled_from(["", "", "", ".5", ".25", ".75"]))
    value = whole_as_int(Fraction(f"{whole}{cents}"))
    written = f"{whole:,}" if draw(st.booleans()) else str(whole)
    unit = draw(UNITS)
    dollar = "$" if not unit and draw(st.booleans()) else ""
    return Dressed(f"{dollar}{written}{cents}{unit}", str(value), value, 3, f"{whole}{cents}")


def joined(left: Dressed, operator: str, sign: str, right: Dressed) -> Dressed:
    """Put a sign between two expressions, and parentheses where they are needed."""
    level = 1 if operator in "+-" else 2
    operand = left if left.level >= level else grouped(left)
    other = right if right.level > level else grouped(right)
    value = apply(operator, left.value, right.value)
    tree = f"({operand.tree}{operator}{other.tree})"
    compact = f"{operand.compact}{operator}{other.compact}"
    return Dressed(f"{operand.text}{sign}{other.text}", tree, value, level, compact)


def grouped(inner: Dressed) -> Dressed:
    """Put an expression in parentheses."""
    return Dressed(f"({inner.text})", inner.tree, inner.value, 3, f"({inner.compact})")


def branches(operators: str) -> st.SearchStrategy[Dressed]:
    """Return expressions of these signs."""

    @st.composite
    def branch(draw: st.DrawFn, children: st.SearchStrategy[Dressed]) -> Dressed:
        operator = draw(st.sampled_from(operators))
        sign = draw(st.sampled_from(SIGNS[operator]))
        return joined(draw(children), operator, sign, draw(children))

    return branch(st.recursive(leaves(), branch, max_leaves=5))


def decimal(value: Exact) -> str | None:
    """Write a value in at most six decimals, `None` where it needs more."""
    scaled = Fraction(value) * 10**6
    if scaled.denominator != 1:
        return None
    text = f"{abs(scaled.numerator):07d}"
    written = f"{text[:-6]}.{text[-6:]}".rstrip("0").rstrip(".")
    return f"-{written}" if value < 0 else written


@given(branches("+-*/"), BEFORE, AFTER, LINKS, st.booleans())
def test_a_true_equation_comes_back(side: Dressed, before: str, after: str, link: str, annotated: bool) -> None:
    """With its tree and its value, from prose and from the annotation within it."""
    result = None if side.value is None else decimal(side.value)
    assume(result is not None and side.value is not None)
    annotation = f"<<{side.compact}={result}>>" if annotated else ""
    found = read_line(f"{before}{side.text}{link}{annotation}{result}{after}").equations
    assert [equation.annotation for equation in found] == ([False, True] if annotated else [False])
    for equation in found:
        assert (spelled(equation.left), equation.left.value, equation.truth) == (side.tree, side.value, Truth.TRUE)


@given(branches("+-*"), BEFORE, AFTER, LINKS, st.integers(-999, 999).filter(bool), st.booleans())
def test_a_planted_error_is_always_found(
    side: Dressed, before: str, after: str, link: str, off: int, annotated: bool
) -> None:
    """Whatever the dress: sums, differences and products are exact, so any other result is false."""
    result = None if side.value is None else decimal(side.value + off)
    assume(result is not None)
    annotation = f"<<{side.compact}={result}>>" if annotated else ""
    found = read_line(f"{before}{side.text}{link}{annotation}{result}{after}").equations
    assert [equation.truth for equation in found] == [Truth.FALSE] * (2 if annotated else 1)


@given(st.lists(branches("+-*"), min_size=2, max_size=4))
def test_a_chain_gives_one_equation_a_pair(sides: list[Dressed]) -> None:
    """`a = b = c` are two, and none that holds is called false."""
    found = read_line(" = ".join(side.text for side in sides)).equations
    assert [spelled(equation.left) for equation in found] == [side.tree for side in sides[:-1]]
    for equation, left, right in zip(found, sides, sides[1:], strict=False):
        assert equation.truth is Truth.TRUE or left.value != right.value


@given(branches("+-*"), branches("+-*"), BEFORE, AFTER, st.sampled_from(sorted(COMPARISONS)))
def test_a_comparison_is_as_true_as_its_values(
    left: Dressed, right: Dressed, before: str, after: str, sign: str
) -> None:
    """Whatever the dress, and it is not an equation."""
    reading = read_line(f"{before}{left.text} {sign} {right.text}{after}")
    assert left.value is not None
    assert right.value is not None
    holds = COMPARISONS[sign](left.value, right.value)
    assert [(spelled(each.left), spelled(each.right), each.truth) for each in reading.comparisons] == [
        (left.tree, right.tree, Truth.TRUE if holds else Truth.FALSE)
    ]
    assert not reading.equations
    assert reading.refuted == (() if holds else reading.comparisons)


@given(branches("+-*/"), LINKS)
def test_spans_hold_what_they_say(side: Dressed, link: str) -> None:
    """Every number stands in its span, every sign between its operands, and outer spans do not overlap.

    An expression without a value divides by zero: exactly such an equation is left undecided, or is not read.
    """
    line = f"So {side.text}{link}{side.text}."
    equations = read_line(line).equations
    assert len(equations) == 1 or (not equations and side.value is None)
    end = 0

    def walk(node: Expression) -> None:
        nonlocal end
        if isinstance(node, Number):
            assert whole_as_int(Fraction(line[node.start : node.end].replace(",", "").lstrip("$"))) == node.value
            assert end <= node.outer_start <= node.start < node.end <= node.outer_end
            end = node.outer_end
        elif isinstance(node, Operation):
            walk(node.left)
            walk(node.right)
        else:
            walk(node.inner)

    for equation in equations:
        assert (equation.truth is Truth.UNKNOWN) is (side.value is None)
        walk(equation.left)
        walk(equation.right)
        assert line[equation.left.start : equation.left.end] in line
