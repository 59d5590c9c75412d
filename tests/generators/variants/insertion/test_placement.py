"""Tests of the placement of statements: a result is stated where its numbers are known and its words can mean nothing else."""

from generators.flaws.solution.example_solutions import example_source
from generators.variants.insertion.placement import PlacedStatement, placed_statements
from generators.variants.variant_source import VariantSubject
from tests.cases import cases

PENS = (
    "# L1\nboxes = 4 # 4 boxes\nsize = 12 # 12 pens\n{} = boxes * size\n# L2\nprice = 3 # 3 dollars\ncost = {} * price"
)


def places(name: str, question: str) -> list[str]:
    """Return the sentences of a question after which the solution's statement of a result can stand."""
    subject = VariantSubject(example_source(PENS.format(name, name), question))
    return [placed.sentence.text for placed in placed_statements(subject) if isinstance(placed, PlacedStatement)]


def test_a_statement_stands_after_the_last_number_it_needs() -> None:
    """Not before all its numbers are told."""
    question = "Ann fills 4 boxes. Each box holds 12 pens. A pen costs $3. What do the pens cost?"
    assert places("The_number_of_pens", question) == ["Each box holds 12 pens."]


@cases(
    ("name", "question"),
    [
        ("The_number_of_pens", "Ann fills boxes with 12 pens each. A pen costs $3. What do the pens cost?"),
        ("The_number_of_pens", "A pen costs $3. What do the pens cost if Ann fills 4 boxes with 12 pens each?"),
        ("The_number_of_lamps", "Ann fills 4 boxes with 12 pens each. A pen costs $3. What do the pens cost?"),
        ("The_number_of_pens_left", "Ida has 7 mugs. Ann fills 4 boxes with 12 pens. A pen costs $3. What is it?"),
        ("The_number_of_pens", "Ann fills 4 boxes with 12 pens each. A pen costs $3. How many pens are there?"),
    ],
)
def test_no_statement_stands_where_it_could_mean_something_else(name: str, question: str) -> None:
    """Where a number is missing, in a question, about things or a rest that the problem does not have, or about what is asked."""
    assert places(name, question) == []
