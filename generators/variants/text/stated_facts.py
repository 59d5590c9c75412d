"""Variants of a problem that state one more fact in a sentence of their own, each with its near-twin."""

from __future__ import annotations

from dataclasses import dataclass, replace

from generators.variants.question.question_edit import EditedQuestion, QuestionEdit
from generators.variants.text.quantity_statements import WrittenSentence
from generators.variants.variant_proposal import VariantProposal
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Bound, BoundKind, ConstraintSystem, Fact, FactSource, ProblemClass
from harness.domain import Exact
from harness.text.numbers import LimitSide
from harness.text.sentences import Sentence, sentences_of

LIMIT_PREFIX = "limit_of_"


@dataclass(frozen=True, slots=True)
class InsertionPoint:
    """A place of a question where a statement can be put in, after a space or, as one more clause of a condition, after `, and`."""

    position: int
    joint: str = " "

    @classmethod
    def behind(cls, sentence: Sentence) -> InsertionPoint:
        """Return the place after a sentence."""
        return cls(sentence.end)

    def edit(self, stated: WrittenSentence) -> QuestionEdit:
        """Return the edit that puts a statement in."""
        return QuestionEdit(self.position, self.position, "", f"{self.joint}{stated.text}")


@dataclass(frozen=True, slots=True)
class StatedNumber:
    """A number and the statement that says it."""

    value: Exact
    sentence: WrittenSentence


def stated_variants(
    subject: VariantSubject,
    operator: str,
    fact_name: str,
    point: InsertionPoint,
    *,
    wrong: StatedNumber,
    right: StatedNumber,
) -> tuple[VariantProposal, VariantProposal]:
    """Return the problem that states a fact with a wrong value, and the near-twin that states the right one at the same place.

    `fact_name` ends in the variable, `stated:pens`.
    """
    variable = fact_name.partition(":")[2]

    def proposal(problem_class: ProblemClass, number: StatedNumber) -> VariantProposal:
        edit, fact = _stated(subject, point, number, fact_name, variable)
        system = _with_fact(subject, edit, fact)
        return VariantProposal(subject, operator, problem_class, (edit,), system)

    variant = replace(proposal(ProblemClass.CONTRADICTORY, wrong), clash=(fact_name,))
    return variant, replace(proposal(ProblemClass.SOLVABLE, right), twin=variant.text)


def limited_variants(
    subject: VariantSubject,
    operator: str,
    variable: str,
    point: InsertionPoint,
    side: LimitSide,
    *,
    wrong: StatedNumber,
    right: StatedNumber,
) -> tuple[VariantProposal, VariantProposal]:
    """Return the problem that states a limit which a quantity breaks, and the near-twin with a limit that it keeps."""
    limit = f"{LIMIT_PREFIX}{variable}"
    least, most = (variable, limit) if side is LimitSide.MOST else (limit, variable)

    def proposal(problem_class: ProblemClass, number: StatedNumber) -> VariantProposal:
        edit, fact = _stated(subject, point, number, f"limit:{variable}", limit)
        bound = Bound(f"{side}:{variable}", least, BoundKind.AT_MOST, fact.words, most)
        system = _with_fact(subject, edit, fact)
        system = replace(system, bounds=(*system.bounds, bound))
        return VariantProposal(subject, operator, problem_class, (edit,), system)

    clash = (f"limit:{variable}", f"{side}:{variable}")
    variant = replace(proposal(ProblemClass.CONTRADICTORY, wrong), clash=clash)
    return variant, replace(proposal(ProblemClass.SOLVABLE, right), twin=variant.text)


def _stated(
    subject: VariantSubject, point: InsertionPoint, number: StatedNumber, name: str, variable: str
) -> tuple[QuestionEdit, Fact]:
    """Return the edit that states a number, and the fact that the edited text says with it, in the words of its sentence."""
    edit = point.edit(number.sentence)
    edited = EditedQuestion(subject.question.text, (edit,))
    shift = len(point.joint)
    span = edited.inserted(edit, number.sentence.start + shift, number.sentence.end + shift)
    words = next(sentence.text for sentence in sentences_of(edited.text) if sentence.start <= span[0] < sentence.end)
    return edit, Fact(name, variable, number.value, FactSource.TEXT, words, span)


def _with_fact(subject: VariantSubject, edit: QuestionEdit, fact: Fact) -> ConstraintSystem:
    """Return the constraints of a problem with one more fact; spans are of the edited text."""
    edited = EditedQuestion(subject.question.text, (edit,))
    return replace(subject.system, facts=(*map(edited.moved_fact, subject.system.facts), fact))
