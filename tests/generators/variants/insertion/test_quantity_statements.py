"""Tests of quantity statements: sentences of a solution are readable without their calculation, or are left out."""

from __future__ import annotations

import re
from fractions import Fraction

from hypothesis import given, settings, strategies as st

from generators.flaws.solution.example_solutions import example_source
from generators.flaws.solution.source_solution import FlawSource
from generators.variants.insertion.quantity_statements import QuantityStatement, statements_of, words_of
from harness.domain import Problem
from harness.solution.solution_text import SolutionText, plain_line
from harness.text.number_forms import PLAIN
from harness.text.numbers import mentions
from harness.text.sentences import FINITE
from tests.cases import cases

CODE = (
    "# L1\nboxes = 4 # 4 boxes\nsize = 12 # 12 pens\nmade = boxes * size\n# L2\nlost = 9 # 9 pens\nleft = made - lost"
)


def told(first: str) -> FlawSource:
    """Return a solution whose first line, with its annotation, is in the words given."""
    source = example_source(CODE)
    lines = (first, "She has 48-9=<<48-9=39>>39 pens left.")
    texts = tuple(plain_line(f"L{number}", line, source.values) for number, line in enumerate(lines, start=1))
    problem = Problem("example-0", "", "\n".join(lines), "39")
    text = SolutionText(texts, source.values, frozenset(), ())
    return FlawSource(problem, "example", source.trace, text, source.answer_form)


def statement_of(first: str) -> str | None:
    """Return what is made of a first line, `None` where nothing is."""
    written = [statement.write(statement.value) for statement in statements_of(told(first)).values()]
    return written[0].text if written and written[0] is not None else None


@cases(
    ("line", "statement"),
    [
        ("Mia packs 4*12=<<4*12=48>>48 pens.", "Mia packs 48 pens."),
        ("Mia packs 4 boxes * 12 pens = <<4*12=48>>48 pens in the morning", "Mia packs 48 pens in the morning."),
        ("So, Mia packs 12 x 4 = 48 pens.", "Mia packs 48 pens."),
        ("That means that the shop sold (4*12)=48 pens.", "The shop sold 48 pens."),
        ("The pens cost $4*12=$<<4*12=48>>48 in June.", "The pens cost $48 in June."),
        ("First she counts. Then Mia packs 4*12=<<4*12=48>>48 pens.", "Mia packs 48 pens."),
        ("The number of pens that she packs is 4*12=<<4*12=48>>48.", "The number of pens that she packs is 48."),
        ("The total number of pens in June is 4*12=<<4*12=48>>48.", "The total number of pens in June is 48."),
        ("The total pens she packs are 4*12=<<4*12=48>>48.", "The total pens she packs are 48."),
    ],
)
def test_a_calculation_is_left_out(line: str, statement: str) -> None:
    """What is left is a sentence with a subject, a verb and the result."""
    assert statement_of(line) == statement


@cases(
    "line",
    [
        "4*12=<<4*12=48>>48 pens.",
        "First, we need to find how many pens there are: 4*12=<<4*12=48>>48.",
        "Multiply 4 by 12 to get 48 pens.",
        "If Mia packs 4 boxes, she packs 4*12=<<4*12=48>>48 pens.",
        "She packs about 4*12=<<4*12=48>>48 pens.",
        "Let x be 4*12=<<4*12=48>>48 pens.",
        "This is 4*12=<<4*12=48>>48 pens.",
        "Mia packs 48 pens on day 4.",
        "Pens packed: 4*12=<<4*12=48>>48.",
        "The total number of pens",
        "She packs 4*12=<<4*12=48>>48 #pens.",
        "A large box is 4*12=<<4*12=48>>48.",
        "Mia gave a total of 4*12=<<4*12=48>>48.",
        "Mia scored 4*12=<<4*12=48>>48 on the exam.",
        "The total for the second day is 4*12=<<4*12=48>>48.",
    ],
)
def test_what_is_no_statement_is_left_out(line: str) -> None:
    """No plan, no condition, no equation, no sentence that leans on another one."""
    assert statement_of(line) is None


def test_money_has_two_decimals_or_none() -> None:
    """Nobody writes `$3.5`."""
    code = (
        "# L1\nboxes = 2 # 2 boxes\nsize = 1.75 # $1.75\nmade = boxes * size\n# L2\nlost = 1 # $1\nleft = made - lost"
    )
    source = example_source(code)
    lines = ("The boxes cost $2*1.75=$<<2*1.75=3.5>>3.5 in June.", "She has 3.5-1=<<3.5-1=2.5>>2.5 left.")
    texts = tuple(plain_line(f"L{number}", line, source.values) for number, line in enumerate(lines, start=1))
    problem = Problem("example-0", "", "\n".join(lines), "2.5")
    text = SolutionText(texts, source.values, frozenset(), ())
    (stated,) = statements_of(FlawSource(problem, "example", source.trace, text, source.answer_form)).values()
    written = [stated.write(value) for value in (stated.value, 4, Fraction(17, 4))]
    assert [statement.text for statement in written if statement is not None] == [
        "The boxes cost $3.50 in June.",
        "The boxes cost $4 in June.",
        "The boxes cost $4.25 in June.",
    ]


def test_the_last_step_is_never_stated() -> None:
    """It is the answer."""
    assert list(statements_of(told("Mia packs 4*12=<<4*12=48>>48 pens."))) == ["made"]


def test_another_value_stands_where_the_right_one_did() -> None:
    """The words stay, and the place of the number is known."""
    stated = QuantityStatement("made", 48, "Mia packs ", PLAIN, " pens.").write(50)
    assert stated is not None
    assert stated.text == "Mia packs 50 pens."
    assert stated.text[stated.start : stated.end] == "50"


@settings(max_examples=80)
@given(st.text(st.sampled_from("Mia packs 48 pens=+*-x()<>$%.,:;?! \n"), max_size=120), st.integers(2, 500))
def test_statements_of_any_line_are_sentences(words: str, value: int) -> None:
    """Whatever a line says, what is made of it has one number at its place, a verb, a capital and a full stop."""
    for statement in statements_of(told(words)).values():
        stated = statement.write(value)
        assert stated is not None
        assert stated.text[stated.start : stated.end] == str(value)
        assert [mention.readings[0] for mention in mentions(stated.text)] == [value]
        assert re.fullmatch(r"[A-Z].*[^ ]\.", stated.text)
        assert not set("=+*<>#\n") & set(stated.text)
        assert not FINITE.isdisjoint(words_of(stated.text))
