"""Tests of line claims: what is concluded without reading a line again always equals the result of reading it."""

import pytest
from hypothesis import given, settings, strategies as st

from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.text.line_claims import claims_of
from generators.flaws.text.written_expressions import StepLine, read_step_line
from harness.domain import Exact
from harness.equations.equation import Truth
from harness.equations.line_reader import read_line
from harness.program import ir
from harness.solution.solution_text import LineText, UnwritableError, claim_literals, render_line
from tests.cases import cases
from tests.generators.flaws.flaw_laws import worded
from tests.generators.flaws.solution_strategies import solutions

VALUES: dict[str, Exact] = {"a": 60, "b": 5, "c": 300, "d": 12, "e": 7, "f": 295, "g": 3}
STEPS = {
    "c": ir.Binary("*", ir.Name("a"), ir.Name("b")),
    "f": ir.Binary("-", ir.Name("c"), ir.Name("b")),
    "d": ir.Binary("/", ir.Name("a"), ir.Name("b")),
    "e": ir.Binary("-", ir.Name("d"), ir.Name("b")),
}
LINES = (
    "60*5 = <<60*5=300>>300 pens",
    "60 x 5 = 300",
    "In 5 days at 60 a day, 60 * 5 days = 300.",
    "300 = 60 * 5 and 300 - 5 = <<300-5=295>>295",
    "He has 60*5=300 of them, so 300-5 is 295",
    "60/5 = <<60/5=12>>12 and 7 more",
    "$60 * 5 = $<<60*5=300>>300, a total of 300",
    "That is 60(5) = 300",
    "60*5 cents is 300 cents = $3",
    "(60)(5) = 300 = 300",
    "60 minutes is about 300 / 5 = 60",
    "He gets 60 / 5 = 12 full boxes",
    "He rounds 60 / 5 = 12 to the nearest box",
    "At least 60 / 5 = 12 are there",
    "7 and 12-5 = 7, 60/5 = 12",
    "5% of 60 is 3",
    "5 * 12 inches = 60 inches = 5 feet",
    "-5 + 12 = 7",
    "12-5=<<12-5=7>>7",
    "60 minutes * 5 = 300 minutes = 5 hours",
    "12 : 60 = 1 : 5",
    "Half of 60 + 5: 60/5 = 12",
)
NUMBERS = st.one_of(st.integers(0, 400), st.integers(-20, 5000), st.fractions(0, 20, max_denominator=8))


def line_of(words: str) -> StepLine:
    """Read a line of which every number that can be one is a place of a variable."""
    return read_step_line(claim_literals(LineText("L1", (words,)), VALUES), STEPS, VALUES)


def contradiction(line: StepLine, before: dict[str, Exact], values: dict[str, Exact]) -> str | None:
    """Return what is said of a line with other values that reading it does not say."""
    claims = claims_of(line, before)
    if claims is None:
        return None
    try:
        words = render_line(line.text, values, before)
    except UnwritableError:
        return None
    reading = read_line(words)
    sound = not (
        reading.false
        or any(equation.truth is Truth.UNKNOWN for equation in reading.equations)
        or any(part.claims for part in reading.unread)
    )
    if claims.hold(values) and not sound:
        return f"said to hold: {words}"
    return f"said to be false: {words}" if claims.fail(values) and not reading.false else None


@pytest.mark.parametrize("words", LINES)
@settings(max_examples=60)
@given(values=st.fixed_dictionaries(dict.fromkeys(VALUES, NUMBERS)))
def test_what_is_said_unread_is_what_is_read(words: str, values: dict[str, Exact]) -> None:
    """A line that holds states nothing false with the new values, one that is broken does."""
    assert contradiction(line_of(words), VALUES, values) is None


@cases("words", LINES)
def test_slips_are_judged_as_they_read(words: str) -> None:
    """One value off by a little, by a factor, or nothing at all: units and rounding may make that true."""
    line = line_of(words)
    for name, value in VALUES.items():
        for wrong in (
            *(value + off for off in range(-12, 13)),
            *(value * factor for factor in (0, 2, 10, 12, 60, 100)),
        ):
            assert contradiction(line, VALUES, {**VALUES, name: wrong}) is None


@settings(max_examples=30)
@given(solutions(), st.data())
def test_what_is_said_of_any_solution_is_what_is_read(source: FlawSource, data: st.DataObject) -> None:
    """Of every line, with any of its values changed."""
    values = dict(source.values)
    for name in data.draw(st.lists(st.sampled_from(sorted(values)), max_size=3)):
        values[name] = data.draw(NUMBERS)
    for entry in source.steps:
        text = source.text.lines[source.line_number(entry.variable) - 1]
        line = read_step_line(text, {entry.variable: source.expression(entry.variable)}, source.values)
        assert contradiction(line, dict(source.values), values) is None


def test_most_lines_need_no_second_reading() -> None:
    """Of plain whole numbers the claims alone say what holds and what breaks."""
    claims = claims_of(line_of(LINES[0]), VALUES)
    assert claims is not None
    assert [claims.hold({**VALUES, "c": value, "b": factor}) for value, factor in ((300, 5), (301, 5), (60, 1))] == [
        True,
        False,
        True,
    ]
    assert [claims.fail({**VALUES, "c": value}) for value in (300, 301, 600, 30000)] == [False, True, False, False]


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("60/5 = <<60/5=12>>12 and 7 more", {"b": 0}),
        ("60/5 = <<60/5=12>>12 and 7 more", {"a": 61}),
        ("He gets 60 / 5 = 12 full boxes", {"a": 61}),
        ("At least 60 / 5 = 12 are there", {"a": 61}),
    ],
)
def test_what_divides_unevenly_or_by_nothing_is_read_again(words: str, values: dict[str, int]) -> None:
    """Such a line neither holds for certain nor fails for certain where it speaks of rounding."""
    line, changed = line_of(words), {**VALUES, **values}
    claims = claims_of(line, VALUES)
    assert claims is not None
    assert {"a", "b", "d"} <= set(claims.owners.values())
    assert not claims.hold(changed)
    assert contradiction(line, VALUES, changed) is None


@cases(
    ("written", "followed"),
    [
        ("60*7", True),
        ("60 + 7 - 5", True),
        ("60 minutes * 7", False),
        ("60 / (7)", False),
        ("1/2 * 7%", False),
        (None, False),
    ],
)
def test_a_rewritten_line_follows_if_it_is_plain(written: str | None, followed: bool) -> None:
    """Only whole numbers and signs are sure to be read as they were meant; what is not rewritten does not follow."""
    line = line_of("60*5 = <<60*5=300>>300 pens")
    claims = claims_of(line, VALUES)
    assert claims is not None
    new = {(place.start, place.end): "60*7" for place in line.written["c"]}
    first = min(new)
    changed = {place: text for place, text in {**new, first: written}.items() if text is not None}
    assert claims.follow("c", changed) is followed


def test_a_line_with_another_equation_does_not_follow() -> None:
    """What the step does not work out has to be read."""
    line = line_of("60*5 = 300 and 300-5 = 295")
    claims = claims_of(line, VALUES)
    assert claims is not None
    assert not claims.follow("c", {(place.start, place.end): "60*7" for place in line.written["c"]})


def test_a_rounded_line_is_read_again() -> None:
    """A place that rounds its value says nothing of another one."""
    source = worded(
        "# L1\na = 1 # 1\nb = 3 # 3\nc = a / b\n# L2\nd = 6 # 6\ne = c * d\nanswer = e\nreturn answer",
        "That is {a}/{b} = <<{a}/{b}=0.33>>0.33",
        "So {d}*0.33 = {e}",
        values={"c": "0.33"},
    )
    line = read_step_line(source.text.lines[0], {"c": source.expression("c")}, source.values)
    assert claims_of(line, source.values) is None
