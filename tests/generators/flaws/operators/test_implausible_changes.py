"""Tests of changes that nobody would write: a running number added again, a percentage doubled, `twice` for a price."""

import pytest

from generators.flaws.enumeration import flaws_of
from generators.flaws.flawed_solution import Flaw
from generators.flaws.mutation_operator import OPERATORS
from generators.flaws.solution.example_solutions import example_source
from harness.program.syntax.unparser import unparse

CHANGES = {
    "a running number is not added again": (
        "extraneous_operation",
        (
            "# L1\nriders = 35  # 35 people\noff = 8  # 8 people\nrest = riders - off\n# L2\non = 2  # 2 people\nmore = rest + on\n"
            "# L3\nlast = 4  # 4 people\nend = more - last"
        ),
        "35 people ride, 8 get off, 2 get on, 4 get off. How many are left?",
        ("end", "more - last + rest"),
        ("end", "more - last + on"),
    ),
    "a percentage is not doubled": (
        "extraneous_operation",
        "# L1\nbooks = 300  # 300 books\nsold = 210  # 210 books\nleft = books - sold\n# L2\nshare = left / books * 100",
        "Of 300 books both shops sell 210. What percentage is left?",
        ("share", "left / books * 100 * 2"),
        None,
    ),
    "a price is no number of times": (
        "wrong_reference_group",
        (
            "# L1\ncheese_price = 10  # $10\ntwice_price_multiplier = 2  # twice the price\nmeat_cost = cheese_price * twice_price_multiplier\n"
            "# L2\ncream_cost = 5  # $5\ncost = cheese_price + cream_cost + meat_cost"
        ),
        "Cheese costs $10, meat twice the price and cream $5. What do they cost?",
        ("cost", "twice_price_multiplier + cream_cost + meat_cost"),
        None,
    ),
    "a share of the whole is no change": (
        "wrong_formula",
        (
            "# L1\nbooks = 300  # 300 books\nliked = 210  # 210 books\nrest = books - liked\n"
            "# L2\npercentage_disliked = rest / books"
        ),
        "Of 300 books people like 210. What percentage is disliked?",
        ("percentage_disliked", "(books - liked) / liked"),
        None,
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_nobody_would_write_is_not_made(name: str) -> None:
    """A change that fits in form and not in sense is not proposed; one like it that makes sense is."""
    operator, code, question, odd, sensible = CHANGES[name]
    source = example_source(code, question)
    mutants = OPERATORS.require(operator).mutants(source)
    made = {(mutant.variable, unparse(mutant.expression)) for mutant in mutants if mutant.expression is not None}
    assert odd not in made
    assert sensible is None or sensible in made, made


def test_no_two_signs_stand_in_a_row() -> None:
    """Where a value drops below zero, `220--20` is not written, whichever slip or operator made it."""
    source = example_source(
        "# L1\nlost = 22  # 22 pounds\nback = 2  # 2 pounds\nchange = lost - back\n# L2\nweight = 220  # 220 pounds\nend = weight - change",
        "He weighs 220 pounds, loses 22 and gains 2. What does he weigh?",
    )
    flaws = [flaw for flaw in flaws_of(source) if isinstance(flaw, Flaw)]
    assert flaws
    assert not [flaw.text for flaw in flaws if "--" in flaw.text]
