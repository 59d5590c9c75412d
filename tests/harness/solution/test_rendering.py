"""Tests of line rendering: a line with its template renders to the same text, and correctly with other values."""

import re
import time
from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import assume, example, given, strategies as st

from harness.domain import Exact
from harness.solution.solution_text import (
    LineText,
    MismatchCause,
    PlacedVariable,
    TemplateMismatch,
    UnexplainedNumber,
    UnwritableError,
    claim_literals,
    fit_line,
    render_line,
    with_separators,
)
from harness.text.number_forms import PLAIN, NumberForm, NumberKind
from tests.cases import cases, rows, texts

VALUES: dict[str, Exact] = dict(zip("abcdefzn", (6, 12, 72, Fraction(1, 4), 1250, Fraction(7, 2), 0, -5), strict=True))


def fitted(template: str, line: str, values: Mapping[str, Exact] = VALUES) -> LineText:
    """Lay a template over a line that it gives."""
    found = fit_line("L1", template, line, values)
    assert isinstance(found, LineText)
    return found


def missed(template: str, line: str, values: Mapping[str, Exact] = VALUES) -> TemplateMismatch:
    """Lay a template over a line that it does not give."""
    found = fit_line("L1", template, line, values)
    assert isinstance(found, TemplateMismatch)
    return found


def shown(line: LineText) -> str:
    """Write a line with the names of its variables."""
    return "".join(part if isinstance(part, str) else f"{{{part.variable}}}" for part in line.parts)


FORMS = st.sampled_from(
    [
        PLAIN,
        NumberForm(NumberKind.NUMERAL, separators=True),
        NumberForm(NumberKind.NUMERAL, places=2, padded=True, money=True, before="$"),
        NumberForm(NumberKind.NUMERAL, scale=100, after="%"),
        NumberForm(NumberKind.NUMERAL, scale=100, after=" percent"),
        NumberForm(NumberKind.NUMERAL, leading_zero=False),
        NumberForm(NumberKind.NUMERAL, places=1, rounded=True),
        NumberForm(NumberKind.FRACTION, denominator=12),
        NumberForm(NumberKind.FRACTION, joint=" "),
        NumberForm(NumberKind.WORDS, capital=True),
        NumberForm(NumberKind.NAMED, named="twice"),
        NumberForm(NumberKind.NAMED, named="a third"),
    ]
)
NUMBERS = st.integers(-20, 2000) | st.fractions(0, 20, max_denominator=12)
JOINTS = [" apples ", ", then ", " = <<", ">>", " * ", "+", " (", "). So "]


@st.composite
def placings(draw: st.DrawFn) -> tuple[str, str, dict[str, Exact]]:
    """Draw a template, the line that it gives, and the values of its variables."""
    template, line, values = "It is", "It is", dict[str, Exact]()
    for number in range(draw(st.integers(1, 6))):
        form, value, words = draw(FORMS), draw(NUMBERS), draw(st.sampled_from(JOINTS))
        text = form.write(value)
        assume(text is not None and (not form.rounded or "." in text))
        values[f"v{number}"] = value
        template, line = f"{template}{words}{{v{number}}}", f"{line}{words}{text}"
    return f"{template}.", f"{line}.", values


@given(placings())
def test_a_line_reads_the_same_again(drawn: tuple[str, str, dict[str, Exact]]) -> None:
    """A line renders to the same text, with each value at its place."""
    template, line, values = drawn
    found = fitted(template, line, values)
    assert (render_line(found, values), found.variables) == (line, tuple(values))


MISSED = {
    **{
        case: (template, line, cause)
        for case, template, line, cause in rows("""another variable → {x} apples → 6 apples → VARIABLE | an expression → {a*b} apples → 72 apples → EXPRESSION
an empty placeholder → {} apples → 6 apples → EXPRESSION | another value → {a} apples → 7 apples → VALUE
a full stop → {a} apples → 6 apples. → PUNCTUATION
a capital letter and a full stop → there are {a} → There are 6. → PUNCTUATION
a capital letter → there are {a} → There are 6 → CASE
an annotation → {a}*{b}={c} → 6*12=<<6*12=72>>72 → ANNOTATION | other words → {a} apples → 6 pears → WORDING""")
    },
    "no line": ("{a}", "", "WORDING"),
}


@cases("case", MISSED)
def test_what_is_not_laid_has_a_cause(case: str) -> None:
    """The cause of a mismatch is the smallest change that would remove it."""
    template, line, cause = MISSED[case]
    found = missed(template, line)
    assert (found.line, found.cause, found.expected) == ("L1", MismatchCause[cause], line)


LITERALS = {
    "the one variable": ("6 pens", "{a} pens", []),
    "no variable": ("7 pens", "7 pens", [("7", ())]),
    "several variables": ("12 pens", "12 pens", [("12", ("b", "g"))]),
    "a value within another reading": ("six dozen", "{c}", []),
    "a reading that is not the plainest": ("eight dozen", "eight dozen", [("eight dozen", ("b", "g"))]),
    "a percentage": ("25% of it", "{d} of it", []),
    "a negative number": ("-7", "-7", [("7", ())]),
}


@cases("case", LITERALS)
def test_numbers_without_placeholder_belong_to_the_one_variable_of_their_value(case: str) -> None:
    """Others are listed with those that might be meant, and the line reads the same."""
    text, expected, literals = LITERALS[case]
    values = {**VALUES, "g": 12}
    found = claim_literals(LineText("L1", (text,)), values)
    assert (shown(found), list(found.literals), render_line(found, values)) == (
        expected,
        [UnexplainedNumber(*literal) for literal in literals],
        text,
    )


def test_what_cannot_be_written_is_an_error() -> None:
    """The error names line, variable, value and place."""
    message = "L1: a = 7/3 cannot be written like numeral in '{a} apples'"
    with pytest.raises(UnwritableError, match=f"^{re.escape(message)}$"):
        render_line(claim_literals(LineText("L1", ("6 apples",)), VALUES), {"a": Fraction(7, 3)})


def separators(lines: list[LineText]) -> list[list[bool]]:
    """Tell which places of each line separate thousands."""
    return [[part.form.separators for part in line.parts if isinstance(part, PlacedVariable)] for line in lines]


def test_a_habit_of_separating_is_followed() -> None:
    """By numbers below a thousand outside of annotations; not by numbers that were written without, nor in words."""
    lines = [
        fitted("{a} <<{a}*{b}={c}>>{c} and {e}, {b}", "6 <<6*12=72>>72 and 1,250, twelve"),
        fitted("{e} {n}", "1250 -5"),
    ]
    found = with_separators(lines, VALUES)
    assert (separators(found), [render_line(line, VALUES) for line in found]) == (
        [[True, False, False, False, True, True, False], [False, True]],
        [render_line(line, VALUES) for line in lines],
    )


HOSTILE = {
    "many placeholders": ("{a} " * 5000, "6 " * 5000),
    "exponentially many ways": ("{z}" * 60 + "x", "0.00 " * 40),
    "many ways and words": ("{e}.00 " * 1000 + "x", "1250.00.00 " * 1000),
    "white space": ("{a} {b}" * 100, "6" + " " * 100_000),
    "annotations": ("<<" * 10_000, "{" + "<<" * 10_000),
    "digits": ("{a}" * 1000, "6" * 100_000),
    "groups of digits": ("{a}" * 1000, "6" + ",111" * 20_000 + ",1"),
}


@cases("case", HOSTILE)
def test_hostile_templates_take_bounded_time(case: str) -> None:
    """A hostile template takes at most two seconds (with five-fold slack) and raises nothing."""
    start = time.process_time()
    fit_line("L1", *HOSTILE[case], VALUES)
    assert time.process_time() - start < 10


PIECES = st.sampled_from(
    [
        *texts("""= | İ | ſix | {e} | 1250.00 | ."""),
        *texts("""{a} | {b | } | { | 6 | 12 | 25% | twelve | << | >>"""),
        " ",
        "\ud800",
    ]
)
TEXTS = st.text(max_size=30) | st.lists(PIECES | st.characters(), max_size=15).map("".join)


@given(TEXTS, TEXTS)
@example("{a}" * 3, "666")
def test_any_template_is_laid_or_not(template: str, line: str) -> None:
    """A template that can be laid over a line renders to the same line."""
    found = fit_line("L1", template, line, VALUES)
    assert isinstance(found, TemplateMismatch) or render_line(found, VALUES) == line
    assert render_line(claim_literals(LineText("L1", (line,)), VALUES), VALUES) == line
