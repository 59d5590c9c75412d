"""Variants of a problem that state one more fact in a sentence of their own, each with its near-twin."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from generators.variants.insertion.placement import PlacedStatement
from generators.variants.insertion.quantity_statements import WrittenSentence
from generators.variants.question.question_edit import EditedQuestion, QuestionEdit
from generators.variants.values.nearby_values import mentioned_values, neighbors_of
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantProposal, VariantResult
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Bound, BoundKind, Fact, FactSource, ProblemClass
from harness.domain import Exact
from harness.text.numbers import LimitSide
from harness.text.sentences import Sentence

LIMIT_PREFIX = "limit_of_"


def near_values(subject: VariantSubject, placed: PlacedStatement) -> list[Exact]:
    """Return the values that a statement could give by mistake."""
    statement = placed.statement
    unit = subject.units[statement.variable]
    return neighbors_of(statement.value, statement.form, unit, mentioned_values(subject))


def misstated_variants(
    subject: VariantSubject, operator: str, kind: str, placed: PlacedStatement, random: Random
) -> tuple[VariantResult, ...]:
    """Return the problem with a statement whose value is wrong, and the near-twin with the right one, or why there is none.

    Of what is needed more may be, so that only a smaller value is wrong. The new fact is named `kind:variable`.
    """
    statement = placed.statement
    right = statement.write(statement.value)
    others = [value for value in near_values(subject, placed) if value < statement.value or not statement.tells_need]
    wrong = [sentence for value in others if (sentence := statement.write(value)) is not None]
    if right is None or not wrong:
        return (DiscardedVariant(operator, statement.variable, VariantDiscard.UNWRITABLE, statement.before),)
    alike = [sentence for sentence in wrong if len(sentence.text) == len(right.text)]
    fact = Fact(f"{kind}:{statement.variable}", statement.variable, 0, FactSource.TEXT, "")
    return _pair(subject, operator, placed.sentence, fact, wrong=random.choice(alike or wrong), right=right)


def limited_variants(
    subject: VariantSubject,
    operator: str,
    placed: PlacedStatement,
    side: LimitSide,
    *,
    wrong: WrittenSentence,
    right: WrittenSentence,
) -> tuple[VariantProposal, VariantProposal]:
    """Return the problem that states a limit which a quantity breaks, and the near-twin with a limit that it keeps."""
    variable = placed.statement.variable
    limit = f"{LIMIT_PREFIX}{variable}"
    least, most = (variable, limit) if side is LimitSide.MOST else (limit, variable)
    fact = Fact(f"limit:{variable}", limit, 0, FactSource.TEXT, "")
    bound = Bound(f"{side}:{variable}", least, BoundKind.AT_MOST, "", most)
    return _pair(subject, operator, placed.sentence, fact, wrong=wrong, right=right, bound=bound)


def _pair(
    subject: VariantSubject,
    operator: str,
    after: Sentence,
    fact: Fact,
    *,
    wrong: WrittenSentence,
    right: WrittenSentence,
    bound: Bound | None = None,
) -> tuple[VariantProposal, VariantProposal]:
    """Return the problem with a wrong sentence and the near-twin with a right one, both of which say the fact and set the bound."""

    def proposal(problem_class: ProblemClass, sentence: WrittenSentence) -> VariantProposal:
        edit = QuestionEdit(after.end, after.end, "", f" {sentence.text}")
        edited = EditedQuestion(subject.question.text, (edit,))
        system = subject.system_after(edited) or subject.system
        span = edited.inserted(edit, sentence.start + 1, sentence.end + 1)
        stated = replace(fact, value=sentence.value, words=sentence.text, span=span)
        limits = () if bound is None else (replace(bound, words=sentence.text),)
        system = replace(system, facts=(*system.facts, stated), bounds=(*system.bounds, *limits))
        return VariantProposal(subject, operator, problem_class, (edit,), system)

    clash = (fact.name,) if bound is None else (fact.name, bound.name)
    variant = replace(proposal(ProblemClass.CONTRADICTORY, wrong), clash=clash)
    return variant, replace(proposal(ProblemClass.SOLVABLE, right), twin=variant.text)
