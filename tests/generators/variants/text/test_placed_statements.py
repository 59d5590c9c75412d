"""Tests of placed statements: a result is stated where its numbers are known and its words can mean nothing else."""

import itertools

from generators.flaws.solution.example_solutions import example_source
from generators.variants.text.insertion import prices_many
from generators.variants.text.placed_statements import PlacedStatement, placed_statements
from generators.variants.variant_source import VariantSubject
from tests.cases import cases

BOOKS = (
    "# L1\nbooks = 4 # 4 books\nprice = 12 # $12\ncost = books * price\n"
    "# L2\ndiscount = 9 # $9 discount\npaid_cost = cost - discount"
)
SUM = "# L1\nred = 4 # 4 red pens\nblue = 12 # 12 blue pens\npens = red + blue # 16 pens\n# L2\nlost = 9 # 9 pens\nleft = pens - lost"
TWICE = (
    "# L1\nann_cost = 4 # $4\ntimes = 2 # twice as much as Ann\ntom_cost = ann_cost * times\n"
    "# L2\nback_cost = 3 # $3 back\nleft = tom_cost - back_cost"
)
STATED = "# L1\nboxes = 4 # 4 boxes\nsize = 12 # 12 pens\nThe_number_of_pens = boxes * size\n# L2\nprice = 3 # 3 dollars\ncost = The_number_of_pens * price"


def edited(code: str, question: str) -> list[str]:
    """Return the question with each statement that has a place, put in there."""
    subject = VariantSubject(example_source(code, question))
    texts = []
    for placed in placed_statements(subject):
        if isinstance(placed, PlacedStatement):
            sentence = placed.statement.write(placed.statement.value)
            assert sentence is not None
            edit = placed.point.edit(sentence)
            texts.append(question[: edit.start] + edit.after + question[edit.start :])
    return texts


@cases(
    ("code", "question", "text"),
    [
        (
            BOOKS,
            "Mia buys 4 books at $12 each. She gets $9 back. What did she pay?",
            "That makes a total of $48. She",
        ),
        (SUM, "Mia has 4 red pens and 12 blue pens. She lost 9 pens. How many are left?", " 16 pens. She"),
        (TWICE, "Ann paid $4. Tom paid twice as much as Ann. Tom got $3 back. What is left?", "Ann. That is $8. Tom"),
        (
            STATED,
            "Ann fills 4 boxes with 12 pens each. A pen costs $3. What do the pens cost?",
            "each. The number of pens is 48. A pen",
        ),
        (
            STATED,
            "A pen costs $3. If Ann fills 4 boxes with 12 pens each, what do the pens cost?",
            "each, and the number of pens is 48, what",
        ),
        (
            STATED,
            "A pen costs $3. What do the pens cost if Ann fills 4 boxes with 12 pens each?",
            "each, and the number of pens is 48?",
        ),
    ],
)
def test_a_statement_stands_behind_the_last_number_it_needs(code: str, question: str, text: str) -> None:
    """As a sentence behind that of the last number, or as one more clause of the condition of a question."""
    texts = edited(code, question)
    assert len(texts) == 1
    assert text in texts[0]


WHAT_IS_LEFT = (
    "# L1\nmoney = 50 # $50\nspent = 20 # $20\nleft_cost = money - spent\nearned = 30 # $30\n"
    "total_cost = left_cost + earned\n# L2\nhalf = total_cost / 2"
)
MOWED = (
    "# L1\ncars = 3 # 3 cars\nper_car = 10 # $10 each\nwashed_cost = cars * per_car\n"
    "# L2\nlawns = 2 # 2 lawns\nper_lawn = 13 # $13 each\nmowed_cost = lawns * per_lawn\n"
    "# L3\nearned_cost = washed_cost + mowed_cost\nprice = 80 # $80\nlack = price - earned_cost"
)
AGES = "# L1\nyears_ann = 6 # 6 years\nyears_tom = 9 # 9 years\nyears = years_ann + years_tom\n# L2\nhalf = years / 2"


@cases(
    ("code", "question"),
    [
        (BOOKS, "Mia buys 4 books. What did she pay if each book cost $12 and she got $9 back?"),
        (BOOKS, "Mia buys 4 books. Each book costs $12 and she got $9 back. What did she pay?"),
        (BOOKS, "Mia buys 4 books every week. Each book costs $12. She got $9 back. What did she pay?"),
        (BOOKS, "Mia buys about 4 books for $12 each. She got $9 back. What did she pay?"),
        (SUM, "Mia has 4 red pens and about 12 blue pens. She lost 9 pens. How many are left?"),
        (SUM, "Mia has 4 red pens and 12 blue mugs. She lost 9 pens. How many are left?"),
        (BOOKS, "Mia buys 4 books, 20% of those there are, for $12 each. She got $9 back. What did she pay?"),
        (TWICE, "Ann paid $4. Tom paid twice as much as Ann and got $3 back. What is left?"),
        (WHAT_IS_LEFT, "Ann has $50. She spends $20. Tom gives her $30. She keeps half. How much is that?"),
        (AGES, "Ann is 6 years old. Tom is 9 years old. What is half of their years?"),
        (TWICE, "Ann paid $4. Tom paid $2 more per book. Tom got $3 back. What is left?"),
    ],
)
def test_no_summary_stands_where_it_could_mean_something_else(code: str, question: str) -> None:
    """Behind other numbers, rates, estimates and numbers that compare nothing, `that` is not clear."""
    assert edited(code, question) == []


def test_a_part_is_not_summed_up_behind_others_of_its_unit() -> None:
    """`That makes $26` would be heard as all that she earns; behind the first sentence `that` is clear."""
    question = "She washes 3 cars for $10 each. She mows 2 lawns for $13 each. A bicycle costs $80. What does she lack?"
    (text,) = edited(MOWED, question)
    assert "$10 each. That makes $30." in text


@cases("thing, several", [("book", "books"), ("box", "boxes"), ("berry", "berries"), ("shower gel", "shower gels")])
def test_what_several_things_cost_is_not_stated_of_one(thing: str, several: str) -> None:
    """`The book cost $60` of five for $12 each would be heard as the price of one, and contradicts that without any other."""
    code = f"# L1\nthings = 5 # 5 {several}\nprice = 12 # $12\ncost = things * price # $60\n# L2\nback = 9 # $9\npaid = cost - back"
    subject = VariantSubject(
        example_source(code, f"Mia buys 5 {several} at $12 each. She gets $9 back. What did she pay?")
    )
    assert prices_many(subject, "cost", f"The {thing} cost $60.")
    assert prices_many(subject, "cost", f"The price of the {several} is $60.")
    assert not prices_many(subject, "cost", f"The {several} cost $60.")
    assert not prices_many(subject, "paid", f"The {thing} cost $51.")


@cases("rows", [2, 3, 5])
def test_a_comparison_of_several_things_is_not_summed_up(rows: int) -> None:
    """`Tom paid twice as much as Ann. That is $8` is clear; where the next one paid twice as much as Tom, `that` may be either."""
    costs = ["ann_cost", "tom_cost", "eve_cost", "max_cost", "pat_cost"][:rows]
    lines = ["# L1", "ann_cost = 4 # $4", "times = 2 # twice as much as Ann", "tom_cost = ann_cost * times"]
    for line, (before, cost) in enumerate(itertools.pairwise(costs[1:]), start=2):
        lines += [f"# L{line}", f"{cost} = {before} * times"]
    lines += [f"# L{rows}", "back_cost = 3 # $3 back", f"left = {costs[-1]} - back_cost"]
    texts = edited("\n".join(lines), "Ann paid $4. Tom paid twice as much as Ann. Tom got $3 back. What is left?")
    assert any("That is" in text for text in texts) == (rows == 2)
