"""Tests of plain solutions: a problem without a solution gets one that is exact, in the words of its question."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from generators.flaws.solution.source_solution import FlawSource, UnfitError, UnfitReason, open_source
from harness.domain import Problem, Response
from harness.text.number_forms import format_value
from tests.cases import cases
from tests.generators.flaws.solution_strategies import solutions
from tests.generators.formalizations.test_aligned_template import answers_alike, parametric

COOKIES = "Paco had 26 salty cookies and 17 sweet cookies. He ate 14 sweet cookies and 9 salty cookies. "


def opened(question: str, equation: str, gold: str) -> FlawSource:
    """Open the equation of a problem without a solution."""
    return open_source(Problem("p", question, "", gold), Response("p", "equation", equation, "equation"))


@settings(max_examples=150)
@given(solutions())
def test_a_plain_solution_computes_what_the_program_computes(drawn: FlawSource) -> None:
    """And its last line gives the answer; what cannot be written as a line of arithmetic is refused."""
    problem = replace(drawn.problem, solution="", gold=format_value(drawn.trace.answer.value))
    try:
        source = open_source(problem, parametric(drawn.trace))
    except UnfitError:
        return
    assert source.text.render() == source.problem.solution
    assert len(source.text.lines) == len(drawn.steps)
    assert answers_alike(drawn.trace, source)


@cases(
    ("question", "equation", "gold", "solution"),
    [
        (f"{COOKIES}How many salty cookies did Paco have left?", "( 26.0 - 9.0 )", "17", "26 - 9 = 17 salty cookies."),
        (f"{COOKIES}How many cookies did he eat?", "( 14.0 + 9.0 )", "23", "14 + 9 = 23 cookies."),
        (f"{COOKIES}How many more salty cookies did he have?", "( 26.0 - 25.0 )", "1", "26 - 25 = 1 cookie."),
        (
            "Edward spent $ 6 on books and $ 16 on pens. Now he has $ 19. How much did he have before he spent it?",
            "( ( 6.0 + 16.0 ) + 19.0 )",
            "41",
            "$6 + $16 = $22.\n$22 + $19 = $41.",
        ),
        (
            "A mailman gives 9 pieces of junk mail to each of 20 houses. How many pieces of junk mail does he give?",
            "( 9.0 * 20.0 )",
            "180",
            "9 * 20 = 180 pieces.",
        ),
        ("A board is 10.5 feet long. He cuts 3 feet off. How long is it?", "( 10.5 - 3.0 )", "7.5", "10.5 - 3 = 7.5 feet."),
    ],
)  # fmt: skip
def test_the_lines_are_in_the_words_of_the_question(question: str, equation: str, gold: str, solution: str) -> None:
    """With what the answer counts, and dollars as dollars."""
    assert opened(question, equation, gold).problem.solution == solution


def test_numbers_are_located_in_the_question() -> None:
    """A number that stands there once is one input, however often the equation has it; one that stands there twice has no words."""
    source = opened(
        "Rachel had 8 pages of math and 3 fewer of art. How many pages are these?", "( ( 8.0 + 8.0 ) - 3.0 )", "13"
    )
    assert [(entry.value, entry.comment) for entry in source.inputs] == [
        (8, "Rachel had 8 pages of math and 3"), (3, "of math and 3 fewer of art"),
    ]  # fmt: skip
    twice = opened("Ann has 5 cats. Bob has 5 dogs and 9 cats. How many more cats has he?", "( 9.0 - 5.0 )", "4")
    assert [(entry.value, entry.comment) for entry in twice.inputs] == [(9, "5 dogs and 9 cats"), (5, "")]


@cases(
    ("equation", "gold", "unfit"),
    [
        ("( ( 4.0 - 8.0 ) + 5.0 )", "1", UnfitReason.UNREADABLE),
        ("( 4.0 + 5.0 )", "8", UnfitReason.ANSWER),
        ("( 4.0 * ( 5.0 / 3.0 ) )", "6.67", UnfitReason.UNREADABLE),
        ("8.0", "8", UnfitReason.UNREADABLE),
    ],
)
def test_what_has_no_plain_line_is_refused(equation: str, gold: str, unfit: UnfitReason) -> None:
    """A debt on the way, a wrong equation, a number without end, no operation."""
    with pytest.raises(UnfitError) as error:
        opened("Dan has $ 4. He got $ 5 and paid $ 8 for 3 bars. How much has he?", equation, gold)
    assert error.value.unfit is unfit
