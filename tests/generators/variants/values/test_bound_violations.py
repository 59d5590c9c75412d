"""Tests of value limits: a value is called impossible only if the words of the problem exclude it with certainty."""

from generators.flaws.solution.example_solutions import example_source
from generators.variants.values.bound_violations import bound_violations
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import allows
from harness.solution.trace import propagate
from tests.cases import cases

LEFT = "# L1\npens = 48 # 48 pens\nsold = 20 # sold 20 pens\npens_left = pens - sold\n# L2\nchildren = 4 # 4 children\neach = pens_left / children"
DAYS = "# L1\ndays = 4 # 4 days a week\nweeks = 9 # 9 weeks\nworked = days * weeks\n# L2\ndouble = worked * 2"
SPENT = (
    "# L1\nmoney = 50 # $50\nbooks = 3 # 3 books\nprice = 8 # $8\ncost = books * price\n"
    "# L2\nmoney_left = money - cost\n# L3\nweeks = 2 # 2 weeks\nmoney_a_week = money_left / weeks"
)
SOLD = "A shop has 48 pens. It sold 20 pens. 4 children share the pens that are left. How many pens has each?"
BOUGHT = (
    "Ida has $50. She buys 3 books for $8 each. She spends what is left in 2 weeks. What does she have left a week?"
)


@cases(
    ("code", "question", "limited"),
    [
        (LEFT, SOLD, {"sold": "not-negative:pens_left", "pens": "not-negative:pens_left"}),
        (LEFT, "A shop needs 48 pens. It got 20 pens. 4 children buy the rest of them. How many does each buy?", {}),
        (LEFT, SOLD.replace("sold 20", "sold about 20").replace("How many", "What number of"), {}),
        (LEFT, "A shop has 48 pens. It sold 20 pens. 4 children are there. How many pens does each hold?", {}),
        (DAYS, "Ida paints 4 days a week for 9 weeks. Tom paints twice as long. How long?", {"days": "at-most-7:days"}),
        (DAYS, "Ida paints on 4 days for 9 weeks. Tom paints twice as long. How long is that?", {}),
        (SPENT, BOUGHT, dict.fromkeys(("money", "books", "price"), "not-negative:money_left")),
        (
            SPENT,
            "Ida borrows $50. She buys 3 books for $8 each. She has the rest left for 2 weeks. How much is that?",
            {},
        ),
        (SPENT, "Ida has $50. She sells 3 books for $8 each. She keeps the rest for 2 weeks. How much is that?", {}),
        (SPENT, "Ida has $50. She buys 3 books for $8 each. How much more does she need to have left for 2 weeks?", {}),
    ],
)
def test_what_the_words_limit(code: str, question: str, limited: dict[str, str]) -> None:
    """What is left and what recurs is limited; needs, estimates, debts and incomes are not. Each value breaks its bound."""
    subject = VariantSubject(example_source(code, question))
    violations = list(bound_violations(subject))
    assert {violation.variable: violation.bound.name for violation in violations} == limited
    for violation in violations:
        assert allows(violation.bound, subject.values)
        assert violation.breaking
        for value in violation.breaking:
            assert not allows(violation.bound, propagate(subject.source.trace, violation.variable, value).values)
