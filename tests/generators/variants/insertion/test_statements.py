"""Tests of statements that are put into a question: of a result or of an input, where their words can mean nothing else."""

import re
from random import Random

from hypothesis import given, settings, strategies as st

from generators.flaws.solution.source_solution import FlawSource
from generators.variants.input_places import read_question
from generators.variants.insertion.placement import placed_statements
from generators.variants.insertion.quantity_statements import QuantityStatement, restatement, statements_of
from generators.variants.operators.stated_numbers import stated_limit, stated_quantity
from generators.variants.variant_operator import VariantProposal
from generators.variants.variant_source import VariantSubject
from harness.domain import Exact, Problem
from harness.solution.solution_text import LineText, SolutionText, claim_literals
from harness.solution.trace import TraceEntry, VariableRole
from harness.text.numbers import mentions
from harness.text.sentences import FINITE
from harness.text.words import hyphenated_words
from tests.cases import cases
from tests.generators.flaws.example_solutions import example_source

LOST = "# L1\nboxes = {} # boxes\nsize = {} # pens\nmade = boxes * size\n# L2\nlost = 1 # 1 pen\nleft = made - lost"


def worded(first: str, boxes: str = "4", size: str = "12") -> FlawSource:
    """Return a solution whose first line, with its annotation, is in the words given."""
    source = example_source(LOST.format(boxes, size))
    lines = (first, "So some pens are left.")
    texts = tuple(
        claim_literals(LineText(f"L{number}", (line,)), source.values) for number, line in enumerate(lines, start=1)
    )
    problem = Problem("example-0", "", "\n".join(lines), "39")
    return FlawSource(
        problem, "example", source.trace, SolutionText(texts, source.values, frozenset(), ()), source.answer_form
    )


def sentence(statement: QuantityStatement, value: Exact) -> str:
    """Return a statement with a value."""
    return f"{statement.before}{statement.number(value)}{statement.after}"


@cases(
    ("line", "statement"),
    [
        ("Mia packs 4*12=<<4*12=48>>48 pens.", "Mia packs 48 pens."),
        ("Mia packs 4 boxes * 12 pens = <<4*12=48>>48 pens in the morning", "Mia packs 48 pens in the morning."),
        ("That means that the shop sold (4*12)=48 pens.", "The shop sold 48 pens."),
        ("The pens cost $4*12=$<<4*12=48>>48 in June.", "The pens cost $48 in June."),
        ("First she counts. Then Mia packs 4*12=<<4*12=48>>48 pens.", "Mia packs 48 pens."),
        ("The number of pens that she packs is 4*12=<<4*12=48>>48.", "The number of pens that she packs is 48."),
        ("4*12=<<4*12=48>>48 pens.", None),
        ("First, we need to find how many pens there are: 4*12=<<4*12=48>>48.", None),
        ("If Mia packs 4 boxes, she packs 4*12=<<4*12=48>>48 pens.", None),
        ("She packs about 4*12=<<4*12=48>>48 pens.", None),
        ("This is 4*12=<<4*12=48>>48 pens.", None),
        ("Mia packs 48 pens on day 4.", None),
        ("She packs 4*12=<<4*12=48>>48 #pens.", None),
        ("Mia scored 4*12=<<4*12=48>>48 on the exam.", None),
        ("She packs more than 4*12=<<4*12=48>>48 pens.", None),
    ],
)
def test_a_calculation_is_left_out(line: str, statement: str | None) -> None:
    """What is left is a sentence with a subject, a verb and the result; plans, conditions and equations are not stated."""
    written = [sentence(stated, stated.value) for stated in statements_of(worded(line)).values()]
    assert written == ([] if statement is None else [statement])


@settings(max_examples=80)
@given(st.text(st.sampled_from("Mia packs 48 pens=+*-x()<>$%.,:;?! \n"), max_size=120), st.integers(2, 500))
def test_statements_of_any_line_are_sentences(words: str, value: int) -> None:
    """Whatever a line says, what is made of it has one number at its place, a verb, a capital and a full stop."""
    for statement in statements_of(worded(words)).values():
        text = sentence(statement, value)
        assert statement.number(value) == str(value)
        assert [mention.readings[0] for mention in mentions(text)] == [value]
        assert re.fullmatch(r"[A-Z].*[^ ]\.", text)
        assert not set("=+*<>#\n") & set(text)
        assert not FINITE.isdisjoint(hyphenated_words(text))


def restated(text: str) -> str | None:
    """Return the sentence that says the 12 of a text again."""
    entry = TraceEntry("given", 12, VariableRole.QUESTION_INPUT, "L1", None, "12 pens")
    question = read_question(f"{text} How many are there?", (entry,))
    place = question.place_of.get("given")
    again = None if place is None else restatement(question, place, "given")
    return None if again is None else sentence(again, 12)


@cases(
    ("text", "said"),
    [
        ("There are 12 pens in a box, and the box is blue.", "To be clear, there are 12 pens in a box."),
        ("Ann has 12 pens and Tom has 9 pens.", "To be clear, Ann has 12 pens."),
        ("Ann sold 12 pens. She is nice.", None),
    ],
)
def test_an_input_is_said_again(text: str, said: str | None) -> None:
    """After words that announce it, where its clause is not all of its sentence."""
    assert restated(text) == said


@cases(
    "text",
    [
        "On Monday, she made 12 pens, on Tuesday and Wednesday combined she made more.",
        "The seller then sold 12 pens, to each of the clowns and the children who came.",
        "Ann bought 12 pens, a book and Tom who was there bought more.",
    ],
)
def test_what_is_said_again_ends_where_a_clause_ends(text: str) -> None:
    """An `and` within a list of days, people or things ends no clause: what stands before it has no verb of its own."""
    last = text.partition(" and ")[0].rpartition(", ")[2]
    assert not (restated(text) or "").endswith(f"{last}.")


def result(name: str, *amounts: str, last: str) -> str:
    """Return code whose first step adds amounts, each with its words, and whose second one makes the answer of the sum."""
    inputs = "\n".join(f"given{place} = {amount.split()[0]} # {amount}" for place, amount in enumerate(amounts))
    terms = " + ".join(f"given{place}" for place, _ in enumerate(amounts))
    return f"# L1\n{inputs}\n{name} = {terms}\n# L2\n{last.format(name)}"


LENGTH = "size = 13 # 13 cm\nresult = {} * size"
PENS = result("The_number_of_pens", "7 pens", "9 pens", last=LENGTH)
THREE = ("7 pens", "9 pens", "11 pens")
PAID = ("70 dollars", "90 dollars")
COST, PAY = "The_number_of_dollars_for_lamp_and_rug", "The_number_of_dollars_that_Ann_has"
LONG = "Each pen is 13 cm long. How long are the pens in a row?"
PRICED = "A lamp costs 70 dollars, a rug costs 90 dollars."


@cases(
    ("code", "question", "stated"),
    [
        (PENS, f"Ann has 7 red pens and 9 blue pens. {LONG}", True),
        (PENS, f"Ann has pens, including 7 red pens and 9 blue pens. {LONG}", False),
        (PENS, f"Ann has many pens. Among them are 7 red pens and 9 blue pens. {LONG}", False),
        (PENS, f"Ann has pens, for example 7 red pens and 9 blue pens. {LONG}", False),
        (PENS, f"Ann has roughly 7 red pens and 9 blue pens. {LONG}", False),
        (PENS, f"Ann has 7 red pens and 9 blue pens or more. {LONG}", False),
        (PENS, f"Ann plans to buy 7 red pens and 9 blue pens. {LONG}", False),
        (PENS, f"Ann has 7 red pens and 9 blue pens. In June the number of pens is 5 fewer. {LONG}", False),
        (
            result("The_number_of_pens", *THREE, last=LENGTH),
            f"Ann buys 7 red pens, 9 blue pens and 11 pink pens. {LONG}",
            False,
        ),
        (
            result("The_total_number_of_pens", *THREE, last=LENGTH),
            f"Ann buys 7 red pens, 9 blue pens and 11 pink pens. {LONG}",
            True,
        ),
        (
            result(COST, *PAID, last="more = 12 # 12 dollars\nresult = {} + more"),
            f"{PRICED} A bag costs 12 dollars. What does Ann need?",
            True,
        ),
        (
            result(COST, *PAID, last="more = 12 # 12 dollars\nresult = {} - more"),
            f"{PRICED} A coupon takes 12 dollars off. What does Ann need?",
            False,
        ),
        (
            result(PAY, *PAID, last="more = 12 # 12 dollars\nresult = {} + more"),
            "Ann earns 70 dollars and has 90 dollars from June. She finds 12 dollars. What does she have?",
            False,
        ),
    ],
)
def test_no_result_is_stated_that_the_text_leaves_open(code: str, question: str, stated: bool) -> None:
    """A list left open, a plan, a sum that does not say that it is one, a price before a discount, an income, the same words of a later number: no contradiction rests on it."""
    subject = VariantSubject(example_source(code, question))
    assert [isinstance(statement, QuantityStatement) for statement in placed_statements(subject)] == [stated]
    for operator in (stated_quantity, stated_limit):
        made = [result for result in operator.variants(subject, Random(0)) if isinstance(result, VariantProposal)]
        assert bool(made) is stated, [proposal.text for proposal in made]
