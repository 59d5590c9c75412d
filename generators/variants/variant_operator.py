"""Problem variants as operators propose them, the reasons to discard an edit that gives none, and the registry of operators."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from random import Random
from typing import TypeAlias

from generators.variants.question_edit import EditedQuestion, QuestionChange, QuestionEdit
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ConstraintStep, ConstraintSystem, Fact, ProblemClass
from harness.domain import Values
from harness.registry import Registry
from harness.text.sentences import sentences_of

VariantResult: TypeAlias = "VariantProposal | DiscardedVariant"
"""The result of one edit."""


class VariantDiscard(enum.StrEnum):
    """Why an edit gives no variant."""

    NO_PLACE = "nothing in this problem to edit"
    UNLOCATED = "the value has no place of its own in the question"
    UNWRITABLE = "a value that cannot be written where another stood"
    ABSURD = "a value that is absurd for its unit"
    STALE = "other words of the problem would still say the old value"
    GRAMMAR = "what is left is no sentence"
    RECOVERABLE = "the rest of the problem still gives the value"
    OPEN = "more than the problem tells may belong to it"
    SAME_ANSWER = "the answer does not depend on it"


@dataclass(frozen=True, slots=True)
class DiscardedVariant:
    """An edit that gave no variant."""

    operator: str
    what: str
    discard: VariantDiscard
    detail: str = ""


@dataclass(frozen=True)
class VariantProposal:
    """An edited problem, the class it is meant to be of, and the constraints that its text states.

    The facts of `system` have their spans in the edited text. `clash` names, of a contradictory problem, the constraints that
    the edit sets against the others (the changed or added fact, the bound that breaks). Of an underspecified one, `witnesses` are values of the free variables, the
    problem's own first, all within its bounds, that give different answers. `solution` and `answer` are written anew where
    values changed, else `None`. `twin` is the text of the variant that a near-twin belongs to.
    """

    subject: VariantSubject
    operator: str
    problem_class: ProblemClass
    change: QuestionChange
    system: ConstraintSystem
    clash: tuple[str, ...] = ()
    witnesses: tuple[Values, ...] = ()
    solution: str | None = None
    answer: str | None = None
    twin: str | None = None

    @classmethod
    def of_change(
        cls, subject: VariantSubject, operator: str, problem_class: ProblemClass, change: QuestionChange
    ) -> VariantProposal | None:
        """Return a changed problem with the constraints that it states; `None` if an edit touched another fact."""
        system = subject.system_after(change)
        return None if system is None else cls(subject, operator, problem_class, change, system)

    @property
    def edits(self) -> tuple[QuestionEdit, ...]:
        """Return the edits of the question, in order."""
        return self.change.edits

    @cached_property
    def edited(self) -> EditedQuestion:
        """Return the question with the edits."""
        return EditedQuestion(self.subject.question.text, self.edits)

    @property
    def text(self) -> str:
        """Return the edited question."""
        return self.edited.text


def first_variants(attempts: Iterable[Sequence[VariantResult]], most: int) -> Iterator[VariantResult]:
    """Yield the results of attempts, some that gave a variant with a near-twin, those first that also state something more; of the variants without one only the first, where no other is."""
    twinned, alone = list[Sequence[VariantResult]](), list[Sequence[VariantResult]]()
    for results in attempts:
        made = [result for result in results if isinstance(result, VariantProposal)]
        if any(proposal.twin is not None for proposal in made):
            twinned.append(results)
        elif made:
            alone.append(results)
        else:
            yield from results
    twinned.sort(key=lambda results: not any(map(_states_more, results)))
    for results in twinned[:most] or alone[:1]:
        yield from results


def _states_more(result: VariantResult) -> bool:
    edits = result.edits if isinstance(result, VariantProposal) else ()
    return any(not edit.before and edit.after[-1:] == "." for edit in edits)


def grounded_proposal(proposal: VariantProposal) -> VariantProposal:
    """Return a proposal whose constraints have the words of the edited text and of a rewritten solution."""
    text, source, sentences = proposal.text, proposal.subject.source, sentences_of(proposal.text)
    lines = (source.problem.solution if proposal.solution is None else proposal.solution).split("\n")

    def fact_in_text(fact: Fact) -> Fact:
        if fact.span is None:
            return fact
        start, end = fact.span
        words = next((part.text for part in sentences if part.start <= start < part.end), text[start:end])
        return replace(fact, words=words)

    def step_in_solution(step: ConstraintStep) -> ConstraintStep:
        number = source.line_number(step.variable) if step.variable in source.trace.by_name else 0
        return replace(step, words=lines[number - 1]) if 1 <= number <= len(lines) else step

    system = proposal.system
    facts, steps = tuple(map(fact_in_text, system.facts)), tuple(map(step_in_solution, system.steps))
    return replace(proposal, system=replace(system, facts=facts, steps=steps))


@dataclass(frozen=True, slots=True)
class VariantOperator:
    """A registered operator: the variants of a problem, each near-twin after its variant."""

    name: str
    problem_class: ProblemClass
    variants: Callable[[VariantSubject, Random], list[VariantResult]]
    examples: tuple[VariantExample, ...]


@dataclass(frozen=True, slots=True)
class VariantExample:
    """A solution as the body of a template (`# L1`, inputs with comments, steps), its question, and texts among those made of it."""

    code: str
    question: str
    texts: tuple[str, ...]


VARIANT_OPERATORS: Registry[VariantOperator] = Registry("generators.variants.operators")


def variant_operator(
    name: str, *examples: VariantExample, problem_class: ProblemClass
) -> Callable[[Callable[[VariantSubject, Random], Iterable[VariantResult]]], VariantOperator]:
    """Register a function from a subject to its variants as an operator; where it makes nothing, there is no place for its edit."""

    def register(variants: Callable[[VariantSubject, Random], Iterable[VariantResult]]) -> VariantOperator:
        @wraps(variants)
        def results(subject: VariantSubject, random: Random) -> list[VariantResult]:
            no_place = DiscardedVariant(name, subject.source.final, VariantDiscard.NO_PLACE)
            return [*variants(subject, random)] or [no_place]

        return VARIANT_OPERATORS.add(VariantOperator(name, problem_class, results, examples))

    return register
