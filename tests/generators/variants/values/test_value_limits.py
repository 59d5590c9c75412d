"""Tests of value limits: a value is called impossible only if the words of the problem exclude it with certainty."""

import pytest

from generators.flaws.solution.example_solutions import example_source
from generators.variants.values.value_limits import bound_violations
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import allows
from harness.solution.trace import propagate

LEFT = "# L1\npens = 48 # 48 pens\nsold = 20 # sold 20 pens\npens_left = pens - sold\n# L2\nchildren = 4 # 4 children\neach = pens_left / children"
FEWER = "# L1\nboys = 12 # 12 boys\nfewer = 3 # 3 fewer girls\ngirls = boys - fewer\n# L2\nall_children = boys + girls"
DAYS = "# L1\ndays = 4 # 4 days a week\nweeks = 9 # 9 weeks\nworked = days * weeks\n# L2\ndouble = worked * 2"


def limits(code: str, question: str) -> dict[str, str]:
    """Return the bounds that inputs of a problem could break, by input."""
    return {
        violation.variable: violation.bound.name
        for violation in bound_violations(VariantSubject(example_source(code, question)))
    }


def test_no_more_is_taken_than_there_is() -> None:
    """Where the rest is what is left, both the whole and the part are limited."""
    text = "A shop has 48 pens. It sold 20 pens. 4 children share the pens that are left. How many pens has each?"
    assert limits(LEFT, text) == {"sold": "not-negative:pens_left", "pens": "not-negative:pens_left"}


@pytest.mark.parametrize(
    "text",
    [
        "A shop needs 48 pens. It got 20 pens. 4 children buy the rest of the pens. How many pens does each buy?",
        "A shop has 48 pens. It sold about 20 pens. 4 children share the pens that are left. How many pens has each?",
        "A shop has 48 pens. It sold 20 pens. 4 children are there. How many pens does each child hold?",
    ],
)
def test_what_may_come_from_elsewhere_is_not_limited(text: str) -> None:
    """Needs can be exceeded, an estimate is no limit, and nothing is said to be left."""
    assert limits(LEFT, text) == {}


def test_nobody_has_fewer_than_none() -> None:
    """Twelve boys, and thirteen fewer girls than boys."""
    text = "A class has 12 boys. It has 3 fewer girls than boys. How many children are there?"
    assert limits(FEWER, text) == {"fewer": "not-negative:girls", "boys": "not-negative:girls"}


def test_a_week_has_seven_days() -> None:
    """Nobody works eight days a week; but on eight days somebody may."""
    assert limits(DAYS, "Ida paints 4 days a week for 9 weeks. Tom paints twice as long. How long is that?") == {
        "days": "at-most-7:days"
    }
    assert limits(DAYS, "Ida paints on 4 days for 9 weeks. Tom paints twice as long. How long is that?") == {}


def test_values_that_break_a_limit_break_it() -> None:
    """By exact evaluation, each breaks the bound, which the problem's own value meets."""
    text = "A shop has 48 pens. It sold 20 pens. 4 children share the pens that are left. How many pens has each?"
    subject = VariantSubject(example_source(LEFT, text))
    for limit in bound_violations(subject):
        assert allows(limit.bound, subject.values)
        assert limit.breaking
        for value in limit.breaking:
            assert not allows(limit.bound, propagate(subject.source.trace, limit.variable, value).values)
