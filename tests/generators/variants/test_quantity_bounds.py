"""Tests of quantity bounds: which values each kind of quantity allows, and which the words of a problem exclude with certainty."""

from generators.variants.operators.broken_bound import bound_violations
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import allows
from harness.solution.trace import propagate
from tests.cases import cases
from tests.generators.flaws.example_solutions import example_source

LEFT = "# L1\npens = 48 # 48 pens\nsold = 20 # sold 20 pens\npens_left = pens - sold\n# L2\nchildren = 4 # 4 children\neach = pens_left / children"
SPENT = (
    "# L1\nmoney = 50 # $50\nbooks = 3 # 3 books\nprice = 8 # $8\ncost = books * price\n"
    "# L2\nmoney_left = money - cost\n# L3\nweeks = 2 # 2 weeks\nmoney_a_week = money_left / weeks"
)
SOLD = "A shop has 48 pens. It sold 20 pens. How many pens that are left does each of 4 children get?"
BOUGHT = "Ida has $50. She buys 3 books for $8 each. How much of what is left does she spend a week, for 2 weeks?"
REST = "not-negative:pens_left"


@cases(
    ("code", "question", "limited"),
    [
        (LEFT, SOLD, {"sold": REST, "pens": REST}),
        (LEFT, f"{SOLD} How many more pens than that does a shop need?", {}),
        (LEFT, SOLD.replace("that are left ", ""), {}),
        (SPENT, BOUGHT, dict.fromkeys(("money", "books", "price"), "not-negative:money_left")),
        (SPENT, BOUGHT.replace("Ida has", "Ida borrows"), {}),
        (SPENT, BOUGHT.replace("Ida has", "Ida's bank account has"), {}),
    ],
)
def test_what_is_left_is_not_negative(code: str, question: str, limited: dict[str, str]) -> None:
    """Where the question asks for it; needs and debts are not limited. Each value given breaks the bound, the problem's own does not."""
    subject = VariantSubject(example_source(code, question))
    violations = list(bound_violations(subject))
    assert {violation.variable: violation.bound.name for violation in violations} == limited
    for violation in violations:
        assert allows(violation.bound, subject.values)
        assert violation.breaking
        for value in violation.breaking:
            assert not allows(violation.bound, propagate(subject.source.trace, violation.variable, value).values)
