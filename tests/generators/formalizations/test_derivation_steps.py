"""Derivations in one unknown become the steps by which each equation follows from the one before, or are refused."""

import re
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings, strategies as st

from generators.flaws.solution.source_solution import UnfitError, open_source
from generators.formalizations.annotation_compiler import formalize
from harness.domain import Problem, Status
from harness.equations.derivation import linear_equations
from harness.json_form import with_digest
from harness.program.refusal import Refusal
from harness.program.syntax.unparser import unparse
from harness.text.numbers import mentions
from oracles.proofs.flaw_check import judge_flaw
from oracles.proofs.solvers import SolverName, open_solver
from properties.stages.mutation import make_from
from tests.cases import cases

SOLVERS = [open_solver(name) for name in SolverName]
QUESTION = "Ann has {factor} times as many pens as Bob and {term} more. Together they have {total} pens. How many pens does Bob have?"
STEPS = (
    "Let x be the pens of Bob.\n{factor}x + {term} + x = {total}\n{all}x + {term} = {total}\n{all}x = {rest}\nx = {value}",
    "{total} = x + {factor} * x + {term}\n{total} = {all}x + {term}\n{rest} = {all}x\nSo x = <<{value}={value}>>{value} pens.",
    "{factor}x + x = {rest}\nCombining, we get {all}x = {rest}\nDividing by {all}, we get x = {value}",
)


def problem(solution: str, factor: int, term: int, value: int) -> Problem:
    """Return a problem whose answer is the value, solved in these words."""
    whole = factor + 1
    numbers = {
        "factor": factor,
        "term": term,
        "all": whole,
        "rest": whole * value,
        "total": whole * value + term,
        "value": value,
    }
    return Problem("drawn", QUESTION.format(**numbers), solution.format(**numbers), str(value))


def records(drawn: Problem) -> list[dict[str, Any]]:
    """Return the flawed solutions of a problem by its own equations."""
    return make_from(open_source(drawn, formalize(drawn)), seed=0).records


@given(st.sampled_from(STEPS), st.integers(2, 9), st.integers(11, 90), st.integers(100, 400))
@settings(max_examples=20, deadline=None)
def test_steps_give_back_the_solution_and_its_answer(solution: str, factor: int, term: int, value: int) -> None:
    """A derivation is read whole: its words come back from the steps, and the last one is the answer."""
    source = open_source(drawn := problem(solution, factor, term, value), formalize(drawn))
    assert source.trace.answer.value == value
    operations = [unparse(source.expression(name)) for name in source.simplified]
    assert any("/" in operation for operation in operations)
    assert any("+ 1" in operation or "1 +" in operation for operation in operations)


@given(st.integers(2, 9), st.integers(11, 90), st.integers(100, 400))
@settings(max_examples=5, deadline=None)
def test_numbers_of_a_derivation_are_no_quantities_of_other_lines(factor: int, term: int, value: int) -> None:
    """Other lines use the value found alone, though the question gives numbers equal to a factor and a number of the equations."""
    drawn = problem(STEPS[0], factor, term, value)
    given, rest = factor + 1, (factor + 1) * value
    drawn = replace(
        drawn,
        question=f"{drawn.question} Now Bob gets {rest} and gives away {given}.",
        solution=f"{drawn.solution}\nHe has {value} - {given} + {rest} = <<{value}-{given}+{rest}={value - given + rest}>>",
        gold=str(value - given + rest),
    )
    drawn = replace(drawn, solution=f"{drawn.solution}{drawn.gold} pens.")
    source = open_source(drawn, formalize(drawn))
    *_, unknown, final = source.steps
    assert set(final.reads) == {
        unknown.variable,
        *(entry.variable for entry in source.inputs if entry.variable in final.reads),
    }
    own = f"- {given} + {rest} ="
    derived = [each for each in records(drawn) if each["operator"] == "algebraic_simplification"]
    assume(derived)  # a flawed value may equal one that the solution has, and is not made then
    assert all(own in each["flawed_solution"] for each in derived)


@given(st.integers(2, 9), st.integers(11, 90), st.integers(100, 400))
@settings(max_examples=5, deadline=None)
def test_a_line_that_works_out_or_uses_the_root_is_no_step_of_the_equation(factor: int, term: int, value: int) -> None:
    """What repeats it is no algebra, and nobody groups anew how the equation was simplified."""
    worked = (
        "{factor}x + x = {rest}\n{all}x = {rest}\nx = {rest}/{all} = <<{rest}/{all}={value}>>{value}\nSo x = {value}"
    )
    used = f"{STEPS[2]}\nWith 8 others he has {{value}} + 8 = <<{{value}}+8={value + 8}>>{value + 8}."
    with pytest.raises(UnfitError, match="one step only"):
        records(problem(worked, factor, term, value))
    drawn = replace(problem(used, factor, term, value), gold=str(value + 8))
    assert not [record for record in records(drawn) if record["operator"] == "scoping_precedence"]


@cases("seed", range(2))
def test_flaws_of_a_derivation_hold_to_their_last_line(seed: int) -> None:
    """From the error on, all equations have the flawed root; both solvers confirm, and another number in a later equation is refuted."""
    random = Random(seed)
    length = "That is 0.5 * 3.5 = 1.75 m."
    drawn = problem(f"{STEPS[seed]}\n{length}", random.randint(2, 9), random.randint(11, 90), random.randint(100, 400))
    told = [each["label"]["error_details"]["explanation"] for each in records(drawn)]
    assert any(re.search(r"It should be \d+, not \d+\.", each) for each in told)
    assert not any(re.search(r"[+]\w+ =|miscounted", each) for each in told)
    made = [each for each in records(drawn) if each["operator"] == "algebraic_simplification"]
    assert made
    for record in made:
        *lines, answer = record["flawed_solution"].split("\n")
        start = int(record["label"]["error_details"]["erroneous_line_number"][1:]) - 1
        equations = [each for each in linear_equations(lines) if each.letter == "x"]
        assert {str(each.root) for each in equations if each.place >= start} == {answer.removeprefix("#### ")}
        assert {each.root for each in equations if each.place < start} == {int(drawn.gold or 0)}
        assert {judge_flaw(record, solver, None).status for solver in SOLVERS} == {Status.CONFIRMED}
        for place in range(start + 1, len(lines)):
            *others, number = mentions(lines[place])
            number = others[0] if others and lines[place] != length else number
            line = f"{lines[place][: number.start]}{Fraction(number.text) + 1}{lines[place][number.end :]}"
            tampered = {**record, "flawed_solution": "\n".join([*lines[:place], line, *lines[place + 1 :], answer])}
            judgement = judge_flaw(with_digest(tampered), SOLVERS[0], None)
            assert judgement.status is Status.REFUTED
            assert "holds a false equation" in str(judgement.reason)


@cases(
    "line",
    [
        "{all}x + 1 = {total}",
        "2{all}x = {rest}",
        "{all}x = {rest} + 0",
        "y = {rest}",
        "{all}x = {rest}",
        "{all}x + {term} = {total}, so {all}x = {rest}",
    ],
)
def test_an_equation_that_does_not_follow_gives_no_step(line: str) -> None:
    """Whatever is not collected, moved or divided out is refused, with what comes before it."""
    solution = f"Let x be the pens of Bob.\n{{factor}}x + {{term}} + x = {{total}}\n{line}\nx = {{value}}"
    with pytest.raises(Refusal, match="no line of the solution has an annotation"):
        formalize(problem(solution, 3, 20, 100))
