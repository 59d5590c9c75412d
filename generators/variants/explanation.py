"""The reasoning trace of a variant: why it has one answer, none, or several, rendered from its constraints and the words of its problem."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from generators.variants.question.number_context import clause_around
from generators.variants.variant_proposal import VariantProposal
from harness.constraint_system import (
    Bound,
    BoundKind,
    Constraint,
    ConstraintStep,
    Fact,
    FactSource,
    ProblemClass,
    allows,
)
from harness.domain import Exact
from harness.program import ir
from harness.program.refusal import ProgramError, Refusal
from harness.solution.expression_text import worked_equation
from harness.text.number_forms import format_value
from harness.text.sentences import sentences_of

MOST_QUOTES = 4
LONGEST_QUOTE = 160
BLANK = "…"
"""What stands for a number that a problem does not say."""
_JOINT = re.compile(r"^(?:and|but|while|so|then|because|which|who) ")
_BOUND = {
    BoundKind.WHOLE: "It would be {value}, and that has to be a whole number.",
    BoundKind.NOT_NEGATIVE: "It would be {value}, which is less than nothing.",
    BoundKind.AT_MOST: "That would be {value}, but it cannot be more than {other}.",
}
_UNEXPLAINED = "The numbers of the problem do not fit together."


def reasoning_trace(proposal: VariantProposal, core: Sequence[str], models: Sequence[Mapping[str, Exact]]) -> str:
    """Explain a variant's class in the words of its problem.

    `core` names the constraints that clash in a contradictory problem, `models` are two completions of an underspecified
    one. Every number in it is a value of the problem's constraints or of a model.
    """
    reasoning = _Reasoning(proposal)
    match proposal.problem_class:
        case ProblemClass.CONTRADICTORY:
            return reasoning.contradiction(core)
        case ProblemClass.UNDERSPECIFIED:
            return reasoning.gap(models)
    return reasoning.solution()


@dataclass(frozen=True)
class _Reasoning:
    """The reasoning about one variant."""

    proposal: VariantProposal

    def solution(self) -> str:
        """Explain that the values determine the answer."""
        system = self.proposal.system
        parts = ["Everything that is needed is given, and nothing clashes.", self._worked([system.answer])]
        agreeing = [
            fact
            for fact in system.facts
            if fact.variable in self._steps or fact.name == self.proposal.redundant or fact in self._limits
        ]
        claims = [claim for fact in agreeing[:1] if (claim := self._claim(fact)) is not None]
        parts += [f'That the problem also says "{claim}" agrees with this.' for claim in claims]
        return _joined(*parts, f"So the answer is {format_value(self._values[system.answer])}.")

    def contradiction(self, core: Sequence[str]) -> str:
        """Explain which statements cannot all hold."""
        system = self.proposal.system
        names = dict.fromkeys([*core, *self.proposal.clash])
        clashing = [system.constraints[name] for name in names if name in system.constraints]
        match next((constraint for constraint in clashing if self._is_broken(constraint)), None):
            case Fact() as fact if fact.variable in self._steps:
                text = self._other_value(fact, core)
            case Fact() as fact:
                text = self._stated_twice(fact)
            case Bound() as bound:
                text = self._beyond(bound, core)
            case _:
                text = self._given(core) or _UNEXPLAINED
        return _joined(text, "So the problem contradicts itself.")

    def gap(self, models: Sequence[Mapping[str, Exact]]) -> str:
        """Explain that the answer changes with what the problem does not say."""
        steps = self._needed([self.proposal.system.answer])
        read = {name for step in steps for name in ir.names_in_order(step.expression)}
        free = [name for name in self.proposal.system.free if name in read]
        it_is = "it is" if len(free) == 1 else "they are"
        cases = []
        for model in models:
            worked = ", ".join(worked_equation(step.expression, model, model[step.variable]) for step in steps)
            values = _listed([format_value(model[name]) for name in free])
            answer = format_value(model[self.proposal.system.answer])
            cases.append(f"If {it_is} {values}, then {worked}, and the answer is {answer}.")
        return _joined(f"The problem does not say {self._unknown(free)}.", *cases, "So the answer is not determined.")

    @cached_property
    def _values(self) -> Mapping[str, Exact]:
        """Return the value of each variable; only the facts where the rest cannot be computed."""
        system, given = self.proposal.system, self.proposal.subject.values
        try:
            return system.complete({name: given.get(name, 0) for name in system.free})
        except (Refusal, ProgramError):
            return {fact.variable: fact.value for fact in system.facts}

    @cached_property
    def _steps(self) -> Mapping[str, ConstraintStep]:
        return {step.variable: step for step in self.proposal.system.steps}

    @cached_property
    def _limits(self) -> list[Fact]:
        """Return the facts that only limit a quantity: no step reads them, and the solution has no such variable."""
        system = self.proposal.system
        limited = {name for bound in system.bounds for name in (bound.variable, bound.limit)}
        read = {name for step in system.steps for name in ir.names_in_order(step.expression)}
        known = read | set(self.proposal.subject.values)
        return [fact for fact in system.facts if fact.variable in limited and fact.variable not in known]

    def _needed(self, variables: Iterable[str]) -> list[ConstraintStep]:
        """Return the steps that lead to some variables, in order."""
        wanted = set(variables)
        for step in reversed(self.proposal.system.steps):
            if step.variable in wanted:
                wanted.update(ir.names_in_order(step.expression))
        return [step for step in self.proposal.system.steps if step.variable in wanted]

    def _worked(self, variables: Iterable[str]) -> str:
        """Return the steps that lead to some variables as equations, an empty text where there are none."""
        equations = [
            worked_equation(step.expression, self._values, self._values[step.variable])
            for step in self._needed(variables)
        ]
        return f"The numbers give {_listed(equations)}." if equations else ""

    def _is_broken(self, constraint: Constraint) -> bool:
        with suppress(KeyError):
            match constraint:
                case Fact():
                    return self._values[constraint.variable] != constraint.value
                case Bound():
                    return not allows(constraint, self._values)
        return False

    def _claim(self, fact: Fact) -> str | None:
        """Return the clause of the problem that says a fact's number, its number alone where the clause cannot be quoted."""
        if fact.span is None:
            return fact.words if fact.words in self.proposal.text else None
        return quote_of(self.proposal.text, *fact.span)

    def _given(self, core: Sequence[str], but: Sequence[str] = ()) -> str:
        """Return the statements of the problem that clash with another one, an empty text where they are many."""
        constraints = [self.proposal.system.constraints.get(name) for name in core if name not in but]
        facts = [
            fact for fact in constraints if isinstance(fact, Fact) and fact.source is FactSource.TEXT and fact.span
        ]
        quotes = [self._claim(fact) for fact in sorted(facts, key=lambda fact: fact.span or (0, 0))]
        words = [f'"{quote}"' for quote in dict.fromkeys(quotes) if quote is not None]
        return f"The problem gives {_listed(words)}." if 0 < len(words) <= MOST_QUOTES else ""

    def _other_value(self, fact: Fact, core: Sequence[str]) -> str:
        value, other = format_value(self._values[fact.variable]), format_value(fact.value)
        end = f'But the problem says "{self._claim(fact) or other}". It should be {value}, not {other}.'
        return _joined(self._given(core, [fact.name]), self._worked([fact.variable]), end)

    def _stated_twice(self, fact: Fact) -> str:
        facts = self.proposal.system.facts
        others = [other for other in facts if other.variable == fact.variable and other.value != fact.value]
        both = sorted([*others[:1], fact], key=lambda fact: fact.span or (0, 0))
        if len(both) == 1:
            return _UNEXPLAINED
        (claim, second), (value, other) = (
            [self._claim(fact) or format_value(fact.value) for fact in both],
            [format_value(fact.value) for fact in both],
        )
        return f'First the problem says "{claim}", then "{second}". It cannot be both {value} and {other}.'

    def _beyond(self, bound: Bound, core: Sequence[str]) -> str:
        """Say that a quantity does not keep a bound: a limit that the problem states, or one of its kind."""
        stated = next((fact for fact in self._limits if fact.variable in {bound.variable, bound.limit}), None)
        limit = self._values[bound.limit] if isinstance(bound.limit, str) else bound.limit
        value = self._values[bound.variable]
        if stated is not None:
            over = bound.limit == stated.variable
            name, side = (bound.variable, "more") if over else (str(bound.limit), "less")
            other = format_value(stated.value)
            claim = self._claim(stated) or other
            end = f'But the problem says "{claim}", and {format_value(self._values[name])} is {side} than {other}.'
            return _joined(self._given(core, [stated.name]), self._worked([name]), end)
        other = "" if limit is None else format_value(limit)
        end = _BOUND[bound.kind].format(value=format_value(value), other=other)
        names = [bound.variable, *([bound.limit] if isinstance(bound.limit, str) else [])]
        return _joined(self._given(core), self._worked(names), end)

    def _unknown(self, variables: Sequence[str]) -> str:
        """Return what the problem does not say: the clauses of the question with a blank for each number that is gone."""
        question = self.proposal.subject.question
        places = {place for name in variables if (place := question.place_of.get(name)) is not None}
        clauses: dict[str, int] = {}
        for place in sorted(places, key=lambda place: place.start):
            quote = quote_of(question.text, place.start, place.end, {other.start: other.end for other in places})
            if quote is None:
                return "all of the numbers that it takes"
            clauses[quote] = clauses.get(quote, 0) + 1
        numbers = [f'the {"number" if count == 1 else "numbers"} for "{quote}"' for quote, count in clauses.items()]
        return _listed(numbers) or "all of the numbers that it takes"


def quote_of(text: str, start: int, end: int, blanks: Mapping[int, int] | None = None) -> str | None:
    """Return the clause around a number of a text, with a blank for each number at `blanks`; `None` where it cannot be quoted."""
    sentence = next((part for part in sentences_of(text) if part.start <= start < part.end), None)
    if sentence is None:
        return None
    clause = clause_around(text, start, end)
    words = text[clause[0] : clause[1]] if blanks is None else ""
    if blanks is not None:
        place = clause[0]
        for first, last in sorted(blanks.items()):
            if clause[0] <= first < clause[1]:
                words += f"{text[place:first]}{BLANK}"
                place = last
        words += text[place : clause[1]]
    words = _JOINT.sub("", " ".join(words.split())).rstrip(".?!")
    return words if words and len(words) <= LONGEST_QUOTE and '"' not in words else None


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _listed(parts: Sequence[str]) -> str:
    """Return `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""
