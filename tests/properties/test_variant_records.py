"""Tests of certified variants: proved proposals are kept, and others are discarded with a reason."""

import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from generators.flaws.solution.source_solution import UnfitReason
from generators.variants.question_edit import EditedQuestion, QuestionChange, QuestionEdit
from generators.variants.variant_operator import DiscardedVariant, VariantOperator, VariantProposal
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Fact, FactSource, ProblemClass
from oracles.proofs.record_check import check_record
from oracles.proofs.solvers import Solver, SolverName, open_solver
from properties.engine.operator_run import OperatorOutput
from properties.stages import variant as variant_making
from properties.stages.variant import make_from
from tests.cases import cases
from tests.generators.flaws.example_solutions import example_source

CODE = """
# L1
boxes = 4 # 4 boxes
each = 6 # 6 mugs in each box
mugs = boxes * each
# L2
broken = 5 # 5 mugs break
whole = mugs - broken
"""
QUESTION = "Petra packs 4 boxes with 6 mugs in each box. On the way, 5 mugs break. How many mugs are whole?"
PLACE = QUESTION.index(" On the way")
CONTRADICTORY, SOLVABLE = ProblemClass.CONTRADICTORY, ProblemClass.SOLVABLE


@pytest.fixture(scope="module")
def solver() -> Solver:
    """Return z3."""
    return open_solver(SolverName.Z3)


@pytest.fixture(scope="module")
def subject() -> VariantSubject:
    """Return a problem of two steps."""
    return VariantSubject(example_source(CODE, QUESTION))


def again(
    subject: VariantSubject,
    boxes: int,
    problem_class: ProblemClass,
    operator: str = "first",
    twin: VariantProposal | None = None,
) -> VariantProposal:
    """Return the problem with the number of boxes stated again."""
    words = f"There are {boxes} boxes."
    edit = QuestionEdit(PLACE, PLACE, "", f" {words}")
    edited = EditedQuestion(QUESTION, (edit,))
    moved = tuple(replace(fact, span=edited.moved(*fact.span)) for fact in subject.system.facts if fact.span)
    start = PLACE + 1 + words.index(str(boxes))
    fact = Fact("again:boxes", "boxes", boxes, FactSource.TEXT, words, (start, start + len(str(boxes))))
    return VariantProposal(
        subject,
        operator,
        problem_class,
        QuestionChange((edit,)),
        replace(subject.system, facts=(*moved, fact)),
        clash=(fact.name,) if problem_class is CONTRADICTORY else (),
        twin=None if twin is None else twin.text,
    )


def making_of(
    subject: VariantSubject, solver: Solver, *operators: Sequence[VariantProposal | DiscardedVariant]
) -> OperatorOutput:
    """Return what is made of the problem where these are the proposals of the operators, in order."""

    def variants(proposals: Sequence[VariantProposal | DiscardedVariant]) -> VariantOperator:
        return VariantOperator("first", CONTRADICTORY, lambda _subject, _random: proposals, ())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(variant_making, "VARIANT_OPERATORS", list(map(variants, operators)))
        return make_from(subject, seed=0, solver=solver)


@pytest.fixture
def making(subject: VariantSubject, solver: Solver) -> Callable[..., OperatorOutput]:
    """Return `making_of` on the problem by z3."""
    return functools.partial(making_of, subject, solver)


def reasons(made: OperatorOutput) -> list[tuple[str, str]]:
    """Return operator and reason of what was discarded."""
    return [(change["operator"], change["why"]) for change in made.discarded]


def test_a_variant_and_its_twin_are_kept(
    making: Callable[..., OperatorOutput], subject: VariantSubject, solver: Solver
) -> None:
    """Both are proved, the twin names the variant, and the re-check confirms both records."""
    variant = again(subject, 7, CONTRADICTORY)
    made = making([variant, again(subject, 4, SOLVABLE, twin=variant)])
    first, second = made.records
    assert (first["class_label"], second["class_label"], second["twin_of"]) == (0, 1, first["variant_id"])
    assert "again:boxes" in first["core"]
    assert (second["gold"], second["solution"]) == ("19", subject.source.solution)
    assert [check_record(record, solver).reason for record in made.records] == [None, None]
    assert (made.refused, made.discarded) == ({}, [])


def test_a_false_claim_is_refused_and_takes_its_twin_along(
    making: Callable[..., OperatorOutput], subject: VariantSubject
) -> None:
    """What is called contradictory and is not gives evidence against the operator."""
    false = again(subject, 4, CONTRADICTORY)
    twin = replace(again(subject, 6, SOLVABLE), twin=false.text)
    made = making([false, twin])
    assert (made.records, reasons(made)) == ([], [("first", "twinless")])
    (evidence,) = made.refused["first"]
    assert (evidence.found, evidence.cause) == ("contradictory", "no certificate")


def test_a_text_made_twice_belongs_to_the_first(making: Callable[..., OperatorOutput], subject: VariantSubject) -> None:
    """The other operator's is counted as a duplicate, and its twin is nobody's: a pair is of one operator."""
    variant, same = again(subject, 7, CONTRADICTORY), again(subject, 7, CONTRADICTORY, "second")
    made = making([variant], [same, again(subject, 4, SOLVABLE, "second", twin=same)])
    assert [(record["operator"], record["class_label"]) for record in made.records] == [("first", 0)]
    assert reasons(made) == [("second", "duplicate"), ("second", "twinless")]


class Tired:
    """A solver that gives up."""

    def decide(self, text: str, questions: int = 1) -> tuple[str, ...]:  # noqa: ARG002  # whatever is asked
        """Answer `unknown`."""
        return ("unknown",) * questions


def _stated_otherwise(subject: VariantSubject) -> VariantProposal:
    """Return a proposal whose certificate is about another number than its text says."""
    variant = again(subject, 7, CONTRADICTORY)
    facts = tuple(replace(fact, value=8) if fact.name == "again:boxes" else fact for fact in variant.system.facts)
    return replace(variant, system=replace(variant.system, facts=facts))


DROPPED: dict[str, tuple[Callable[[VariantSubject], Sequence[VariantProposal]], list[tuple[str, str]]]] = {
    "operators that disagree on the class": (
        lambda own: [again(own, 7, CONTRADICTORY), again(own, 7, SOLVABLE, "second")],
        [("first", "disputed"), ("second", "disputed")],
    ),
    "an edit that changes nothing": (
        lambda own: [
            VariantProposal(own, "first", SOLVABLE, QuestionChange((QuestionEdit(12, 13, "4", "4"),)), own.system)
        ],
        [("first", "unchanged")],
    ),
    "undecided": (
        lambda own: [again(own, 7, CONTRADICTORY), again(own, 4, SOLVABLE, "second")],
        [("first", "undecided"), ("second", "undecided")],
    ),
    "a false equation": (
        lambda own: [
            replace(again(own, 4, SOLVABLE), solution="4*6 = <<4*6=24>>24\n24-5 = <<24-5=18>>18", answer="19")
        ],
        [("first", "doubted")],
    ),
    "an answer that evaluation does not give": (
        lambda own: [replace(again(own, 4, SOLVABLE), solution="4*6 = <<4*6=24>>24", answer="18")],
        [("first", "doubted")],
    ),
    "another number than the text's": (lambda own: [_stated_otherwise(own)], [("first", "doubted")]),
}


@cases("name", DROPPED)
def test_what_is_not_proved_is_counted_and_dropped(name: str, subject: VariantSubject, solver: Solver) -> None:
    """What is disputed, changes nothing, is undecided or has a solution in doubt is no record, nor evidence against the operator."""
    proposals, expected = DROPPED[name]
    made = making_of(subject, Tired() if name == "undecided" else solver, *([own] for own in proposals(subject)))
    assert (made.records, made.refused, reasons(made)) == ([], {}, expected)


def test_a_false_solution_is_unfit(subject: VariantSubject, solver: Solver) -> None:
    """Its lines would explain variants by what is not so."""
    problem = replace(subject.source.problem, solution="4*6 = <<4*6=25>>25\n24-5 = <<24-5=19>>19")
    made = make_from(VariantSubject(replace(subject.source, problem=problem)), seed=0, solver=solver)
    assert (made.records, str(made.unfit).partition(":")[0]) == ([], UnfitReason.FALSE)


@cases("rest", [" A." * 600, "\n" * 1_900, " 7" * 900, " half of" * 200, "." * 10_000])
def test_a_question_of_any_words_takes_seconds(solver: Solver, rest: str) -> None:
    """Whatever a bounded question repeats, its variants are made or it is unfit, in time that does not explode."""
    start = time.process_time()
    make_from(VariantSubject(example_source(CODE, QUESTION + rest)), seed=0, solver=solver)
    assert time.process_time() - start < 10
