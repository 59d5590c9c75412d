"""Variants of a problem that state one more fact in a sentence of their own, each with its near-twin."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from generators.variants.insertion.placement import PlacedStatement
from generators.variants.insertion.quantity_statements import WrittenSentence
from generators.variants.question.question_edit import EditedQuestion, QuestionEdit
from generators.variants.values.nearby_values import mentioned_values, neighbors_of
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantProposal, VariantResult
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


def misstated_variants(
    subject: VariantSubject, operator: str, kind: str, placed: PlacedStatement, random: Random
) -> tuple[VariantResult, ...]:
    """Return the problem with a statement whose value is wrong, and the near-twin with the right one, or why there is none.

    Of what is needed more may be, so that only a smaller value is wrong. The new fact is named `kind:variable`.
    """
    statement, vocabulary = placed.statement, subject.source.text.vocabulary
    name, value = statement.variable, statement.value
    right = statement.write(value)
    others = neighbors_of(value, statement.form, subject.units[name], mentioned_values(subject))
    wrong = [
        StatedNumber(other, sentence)
        for other in others
        if other != 1
        and not (statement.tells_need and other > value)
        and (sentence := statement.write(other, vocabulary)) is not None
    ]
    if right is None or not wrong:
        return (DiscardedVariant(operator, name, VariantDiscard.UNWRITABLE, statement.before),)
    alike = [number for number in wrong if len(number.sentence.text) == len(right.text)]

    def proposal(problem_class: ProblemClass, number: StatedNumber) -> VariantProposal:
        edit, system = _stated(subject, placed.sentence, number, f"{kind}:{name}", name)
        return VariantProposal(subject, operator, problem_class, (edit,), system)

    variant = proposal(ProblemClass.CONTRADICTORY, random.choice(alike or wrong))
    variant = replace(variant, clash=(f"{kind}:{name}",))
    return variant, replace(proposal(ProblemClass.SOLVABLE, StatedNumber(value, right)), twin=variant.text)


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
