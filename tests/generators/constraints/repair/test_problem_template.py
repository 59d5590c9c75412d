"""Tests of what stands in for a program that cannot be repaired: a template of the problem's text, or the readable part."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings, strategies as st

from generators.constraints.repair.partial_program import partial_program
from generators.constraints.repair.program_repair import repair
from generators.constraints.repair.repair_record import RepairMethod
from generators.constraints.repair.templates.problem_template import template_program
from harness.smtlib.script import read_script
from oracles.constraints.validation import ValidationCase, validate_all
from tests.generators.constraints.repair.mistake_grammar import FAMILIES, written
from tests.harness.smtlib.random_scripts import draw_program, refusals


def test_a_template_is_said_to_be_one() -> None:
    """Where edits fail, the problem's own words give a program that is marked as such, and never certain."""
    problem = "Three dogs stand in a row: a red dog, a blue dog, and a grey dog. The red dog is to the left of the blue dog. The grey dog is second from the left. Which dog is first?"
    repaired = repair("I cannot write this program.", problem)
    assert (repaired.by, repaired.certain, repaired.repaired) == (RepairMethod.TEMPLATE, False, True)
    assert "(assert (< red_dog blue_dog))" in repaired.program
    assert "(assert (= grey_dog 2))" in repaired.program
    assert refusals(repaired.program) == {}


def test_no_template_is_made_of_nothing() -> None:
    """A text without names and comparisons gives no program, and the broken one is left."""
    assert template_program("Think of something nice. What is it?") is None
    assert repair("(assert (> x", "Think of something nice.").by is not RepairMethod.TEMPLATE


@given(st.text(max_size=300))
def test_any_problem_gives_a_valid_template_or_none(problem: str) -> None:
    """For any text, the template is a valid program or is missing."""
    found = template_program(f"Anna has 3 more apples than Ben. Ben has 5 apples. {problem}")
    assert found is None or read_script(found).valid


TEXTS = {
    "friendships": ("{0} and {1} are friends. {1} is not a friend of {2}. {2} knows {0} and {3}.", "(not friends_"),
    "truths": (
        "If {0} comes, {1} does not come. Either {1} or {2} comes. {3} comes only if {0} comes. {3} comes unless {2} comes.",
        "(=> ",
    ),
    "slots": (
        "There are five slots. {0} is in slot 2. {1} and {2} are in different slots. {1} is not in slot 1. {0} is before {2}.",
        "(distinct ",
    ),
    "equality": (
        "{0} equals 5. {1} is different from {0}. The sum of {0} and {1} is 12. {2} is the same as {1}.",
        "(+ ",
    ),
    "order": (
        "Four runners came in one after the other: {0}, {1}, {2} and {3}. {0} was before {1}. {2} was not before {1}. {3} was first.",
        "(not (< ",
    ),
    "amounts": ("{0} has 3 more pears than {1}. {1} has 5 pears. {2} has at least 2 pears.", "(>= "),
}
PEOPLE = ("Ann", "Bo", "Cy", "Dee", "Eli", "Fay", "Gus", "Hal")


@given(st.sampled_from(sorted(TEXTS)), st.permutations(PEOPLE))
@settings(max_examples=60, deadline=None)
def test_templates_read_statements_alone(kind: str, people: list[str]) -> None:
    """Each kind of text gives a program that both solvers read, and neither questions nor answer options add to it."""
    text, part = TEXTS[kind][0].format(*people), TEXTS[kind][1]
    program = template_program(text)
    assert program is not None
    assert part in program
    assert read_script(program).valid
    options = f"A) {people[1]} is before {people[0]}. B) {people[2]} is in slot 4. C) {people[0]} and {people[3]} are friends."
    assert template_program(f"{text} Is {people[3]} in slot 3? {options}") == program
    assert template_program(f"{text} Options: {options}") == program


def test_templates_can_be_satisfied() -> None:
    """The program of each kind of text has a solution, as the text has."""
    programs = [template_program(text.format(*PEOPLE)) or "" for text, _ in TEXTS.values()]
    found = validate_all(ValidationCase(kind, program) for kind, program in zip(TEXTS, programs, strict=True))
    assert [validation.id for validation in found if not validation.satisfiable] == []


@given(st.text(max_size=300), st.sampled_from(sorted(FAMILIES)), st.integers(0, 50))
@settings(max_examples=40, deadline=None)
def test_the_guarantee_gives_a_valid_program(noise: str, family: str, seed: int) -> None:
    """Whatever the text, the result is valid; what is no repair by edits is never certain."""
    program = draw_program(Random(f"guarantee:{seed}")).program
    broken = written(program, FAMILIES[family], Random(seed)) or program
    for text in (noise, f"{broken[: len(broken) * 2 // 3]}{noise}"):
        repaired = repair(text, guarantee=True)
        assert read_script(repaired.program).valid
        assert not (repaired.certain and repaired.by is RepairMethod.PARTIAL)


def test_the_readable_part_keeps_what_has_no_fault() -> None:
    """Assertions without a fault are kept; faulty ones, and those that depend on removed commands, are dropped."""
    text = "(declare-const x Int)\n(declare-const y Odd Odd)\n(assert (> x 3))\n(assert (frob x 3))\n(assert (< y 3))\n"
    assert (
        partial_program(read_script(text))
        == "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n"
    )
