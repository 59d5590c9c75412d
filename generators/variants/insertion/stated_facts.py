"""Variants of a problem that state one more fact in a sentence of their own, each with its near-twin."""

from __future__ import annotations

from dataclasses import dataclass, replace

from generators.variants.insertion.quantity_statements import WrittenSentence
from generators.variants.question.question_edit import EditedQuestion, QuestionEdit
from generators.variants.variant_proposal import VariantProposal
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Bound, BoundKind, ConstraintSystem, Fact, FactSource, ProblemClass
from harness.domain import Exact
from harness.text.numbers import LimitSide
from harness.text.sentences import Sentence, sentences_of

LIMIT_PREFIX = "limit_of_"


@dataclass(frozen=True, slots=True)
class StatedNumber:
    """A number and the statement that says it."""

    value: Exact
    sentence: WrittenSentence


def stated_variants(
    subject: VariantSubject, operator: str, fact: str, after: Sentence, *, wrong: StatedNumber, right: StatedNumber
) -> tuple[VariantProposal, VariantProposal]:
    """Return the problem that states a fact with a wrong value after a sentence, and the near-twin that states the right one there.

    The name of the fact ends in its variable, `stated:pens`.
    """

    def proposal(problem_class: ProblemClass, number: StatedNumber) -> VariantProposal:
        edit, system = _stated(subject, after, number, fact, fact.partition(":")[2])
        return VariantProposal(subject, operator, problem_class, (edit,), system)

    variant = replace(proposal(ProblemClass.CONTRADICTORY, wrong), clash=(fact,))
    return variant, replace(proposal(ProblemClass.SOLVABLE, right), twin=variant.text)


def limited_variants(
    subject: VariantSubject,
    operator: str,
    variable: str,
    after: Sentence,
    side: LimitSide,
    *,
    wrong: StatedNumber,
    right: StatedNumber,
) -> tuple[VariantProposal, VariantProposal]:
    """Return the problem that states a limit which a quantity breaks, and the near-twin with a limit that it keeps."""
    limit, fact, name = f"{LIMIT_PREFIX}{variable}", f"limit:{variable}", f"{side}:{variable}"
    least, most = (variable, limit) if side is LimitSide.MOST else (limit, variable)

    def proposal(problem_class: ProblemClass, number: StatedNumber) -> VariantProposal:
        edit, system = _stated(subject, after, number, fact, limit)
        bound = Bound(name, least, BoundKind.AT_MOST, system.facts[-1].words, most)
        return VariantProposal(
            subject, operator, problem_class, (edit,), replace(system, bounds=(*system.bounds, bound))
        )

    variant = replace(proposal(ProblemClass.CONTRADICTORY, wrong), clash=(fact, name))
    return variant, replace(proposal(ProblemClass.SOLVABLE, right), twin=variant.text)


def _stated(
    subject: VariantSubject, after: Sentence, number: StatedNumber, name: str, variable: str
) -> tuple[QuestionEdit, ConstraintSystem]:
    """Return the edit that states a number, and the constraints with the fact that it says, in the words of its sentence."""
    edit = QuestionEdit(after.end, after.end, "", f" {number.sentence.text}")
    edited = EditedQuestion(subject.question.text, (edit,))
    span = edited.inserted(edit, number.sentence.start + 1, number.sentence.end + 1)
    words = next(sentence.text for sentence in sentences_of(edited.text) if sentence.start <= span[0] < sentence.end)
    fact = Fact(name, variable, number.value, FactSource.TEXT, words, span)
    facts = (*map(edited.moved_fact, subject.system.facts), fact)
    return edit, replace(subject.system, facts=facts)
