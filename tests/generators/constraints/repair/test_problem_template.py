"""Tests of what stands in for a program that cannot be repaired: a template of the problem's text, or the readable part."""

import time

from hypothesis import given, settings, strategies as st

from generators.constraints.problem.domain import DOMAINS, ProblemSize
from generators.constraints.repair.problem_template import LONGEST, template_program
from generators.constraints.repair.program_repair import RepairMethod, repair
from harness.smtlib.script import read_script
from oracles.constraints.validation import ValidationCase, validate_all
from tests.cases import cases
from tests.harness.smtlib.random_scripts import refusals

QUEUE = "Ana, Ben and Cleo are waiting in a queue at a bakery. Ana is somewhere ahead of Ben, and Cleo is last in the queue."


@cases(
    "text",
    [
        "Think of something nice. What is it?",
        "Ann is a friend of Bo. Bo likes Cy.",
        f"{QUEUE.replace(' in the queue', '')}",
    ],
)
def test_no_template_is_made_of_other_words(text: str) -> None:
    """A text that the languages of the generators cannot say in two clauses gives no program, and the broken one is left."""
    assert template_program(text) is None
    assert repair("(assert (> x", text).by is not RepairMethod.TEMPLATE


def test_questions_and_options_state_nothing() -> None:
    """Where edits fail, the problem's own words give a program that is never certain; neither a question nor what follows it adds to it."""
    repaired = repair("I cannot write this program.", QUEUE)
    assert (repaired.by, repaired.certain, repaired.repaired) == (RepairMethod.TEMPLATE, False, True)
    assert "(assert (< ana ben)) ; Ana is somewhere ahead of Ben" in repaired.program
    assert refusals(repaired.program) == {}
    further = "Is Ben first in the queue? A) Ben is first in the queue. B) Cleo is somewhere ahead of Ana."
    assert template_program(f"{QUEUE} {further}") == template_program(QUEUE)


def test_templates_read_what_the_generators_write() -> None:
    """A third of the generated problems is read; their programs can be satisfied, as the problems can."""
    problems = [
        problem
        for domain in DOMAINS
        for problem in domain.problems(12, seed=5, size=ProblemSize.MEDIUM)
        if problem.satisfiable
    ]
    programs = [(problem.id, template_program(problem.problem)) for problem in problems]
    read = [ValidationCase(name, program) for name, program in programs if program is not None]
    assert len(read) >= len(problems) / 3
    assert [found for found in validate_all(read, workers=1) if not found.satisfiable] == []


@given(st.text(max_size=300))
@settings(max_examples=40, deadline=None)
def test_any_text_gives_a_valid_program_with_the_guarantee(noise: str) -> None:
    """Whatever the texts, a template is a valid program or missing, and the guaranteed program is valid and not called certain."""
    found = template_program(f"{QUEUE} {noise}")
    assert found is None or read_script(found).valid
    repaired = repair(f"(assert (> x 3)\n{noise}", noise, guarantee=True)
    assert repaired.faults_left == ()
    assert not (repaired.certain and repaired.by in {RepairMethod.PARTIAL, RepairMethod.TEMPLATE})


@cases("unit", ["Ana ", "Ana, ", "1 2 3 4 5 6 7 8 9 ", "Ana has 7.5 of 9; ", "(", ". "])
def test_a_hostile_problem_takes_a_second(unit: str) -> None:
    """A text that repeats one thing is read in bounded time."""
    start = time.process_time()
    template_program(f"Ana, Ben, Cleo, Dan, Eve, Fay and Gus are siblings. {unit * LONGEST}")
    assert time.process_time() - start < 4
