"""The reasoning trace of a variant: a text that explains why it has one answer, none, or several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from random import Random

from generators.variants.explanation.phrases import compares, joined, sentence, unknown_phrase
from generators.variants.explanation.verbalization import ProblemNarration
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
from harness.solution.expression_text import equation_text
from harness.text.number_forms import format_value

MOST_QUOTES = 4


def reasoning_trace(
    proposal: VariantProposal, core: Sequence[str], models: Sequence[Mapping[str, Exact]], random: Random
) -> str:
    """Explain a variant's class in the words of its problem, phrased by chance.

    `core` names the constraints that clash in a contradictory problem, `models` are two completions of an underspecified
    one. Every number told is a value of the problem's constraints or of a model.
    """
    match proposal.problem_class:
        case ProblemClass.CONTRADICTORY:
            return _Contradiction(proposal, random).tell(core)
        case ProblemClass.UNDERSPECIFIED:
            return _Gap(proposal, random).tell(models)
    return _Solution(proposal, random).tell()


class _Solution(ProblemNarration):
    def tell(self) -> str:
        """Explain that the values determine the answer."""
        system = self.proposal.system
        parts = [self.random.choice(_SOLVABLE), self.worked_out(self.needed([system.answer]))]
        agreeing = [
            fact for fact in system.facts if fact.variable in self.steps or fact.name == self.proposal.redundant
        ]
        if agreeing:
            phrase = self.random.choice(
                ("That the problem also says {} agrees with this.", "It fits that the problem also says {}.")
            )
            parts.append(phrase.format(self.claim(agreeing[0])))
        answer = format_value(self.values[system.answer])
        closing = (
            f"So the answer is {answer}.",
            f"This is the only answer: {answer}.",
            f"The answer must be {answer}.",
        )
        return " ".join([*parts, self.random.choice(closing)])


class _Contradiction(ProblemNarration):
    def tell(self, core: Sequence[str]) -> str:
        system = self.proposal.system
        names = dict.fromkeys([*core, *self.proposal.clash])
        clashing = [system.constraints[name] for name in names if name in system.constraints]
        match next((constraint for constraint in clashing if self._is_broken(constraint)), None):
            case Fact() as fact:
                text = self._other_value(fact, core)
            case Bound() as bound:
                text = self._beyond(bound, core)
            case _:
                text = self._given(core) or "The numbers of the problem do not fit together."
        return f"{text} {self.random.choice(_CONTRADICTORY)}"

    def _is_broken(self, constraint: Constraint) -> bool:
        with suppress(KeyError):
            match constraint:
                case Fact():
                    return self.values[constraint.variable] != constraint.value
                case Bound():
                    return not allows(constraint, self.values)
        return False

    def _given(self, core: Sequence[str], but: Sequence[str] = ()) -> str:
        """Name the facts of the text that clash with what is told next; empty where they cannot be quoted."""
        constraints = [self.proposal.system.constraints.get(name) for name in core if name not in but]
        facts = [one for one in constraints if isinstance(one, Fact) and one.source is FactSource.TEXT and one.span]
        quotes = [self.quote(fact) for fact in sorted(facts, key=lambda fact: fact.span or (0, 0))]
        words = list(dict.fromkeys(quote for quote in quotes if quote is not None))
        if not words or None in quotes or len(words) > MOST_QUOTES:
            return ""
        return self.random.choice(("The problem gives {}.", "We are told of {}.", "Take {}.")).format(joined(words))

    def _other_value(self, fact: Fact, core: Sequence[str]) -> str:
        if fact.variable not in self.steps:
            return self._twice(fact)
        steps = self.needed([fact.variable])
        claim, value = self.claim(fact), self.written(fact, self.values[fact.variable])
        named_value = f"{value}, not {self.written(fact, fact.value)}"
        first = self._given(core, [fact.name])
        worked = self.worked_out(steps)
        match self.random.randrange(3):
            case 0:
                return _spaced(first, worked, f"But the problem says {claim}.", f"It should be {named_value}.")
            case 1:
                opening, end = f"The problem says {claim}.", f"So it would have to be {named_value}."
                return _spaced(opening, "That does not fit the rest.", first, worked, end)
        return _spaced(first, worked, f"That is {value}, while the problem says {claim}.")

    def _twice(self, fact: Fact) -> str:
        facts = self.proposal.system.facts
        others = [other for other in facts if other.variable == fact.variable and other.value != fact.value]
        both = sorted([*others[:1], fact], key=lambda fact: fact.span or (0, 0))
        quotes = [self.quote(fact) for fact in both]
        if any(quote is None or " " not in quote for quote in quotes):
            quotes = [self.claim(fact) for fact in both]
        first, second = (quote or "" for quote in quotes)
        one, other = (self.written(fact, fact.value) for fact in both)
        name = self.name(fact.variable)
        phrases = [
            f"First the problem says {first}, then {second}. It cannot be both {one} and {other}.",
            f"In one place the problem says {first} and in another {second}, and {one} is not {other}.",
        ]
        if name is not None:
            phrases.append(f"About {name} the problem says {first} as well as {second}. But {one} is not {other}.")
        return self.random.choice(phrases)

    def _beyond(self, bound: Bound, core: Sequence[str]) -> str:
        value = self.values[bound.variable]
        limit = bound.limit if isinstance(bound.limit, str) else None
        steps = self.needed([bound.variable] if limit is None else [bound.variable, limit])
        name = self.name(bound.variable) or "what comes out"
        match bound:
            case Bound(kind=BoundKind.WHOLE):
                why = "and that has to be a whole number"
            case Bound(kind=BoundKind.NOT_NEGATIVE):
                why = "which is less than nothing"
            case Bound(limit=str()):
                why = ""
            case Bound(limit=1):
                why = "which is more than all of it"
            case Bound(limit=int() | Fraction() as most):
                why = f"but it cannot be more than {format_value(most)}"
            case _:
                why = "which is too much"
        end = sentence(f"{name} would be {format_value(value)}, {why}")
        if limit is not None and not why:
            end = self._too_much(bound, value, self.values[limit])
        return _spaced(self._given(core), self.worked_out(steps), end)

    def _too_much(self, bound: Bound, part: Exact, whole: Exact) -> str:
        """Say that a part is more than its whole, or that something would be fewer than none."""
        rest = bound.name.partition(":")[2]
        fact = next((fact for fact in self.proposal.system.facts if fact.variable == bound.variable), None)
        left = self.values.get(rest)
        if fact is not None and compares(self.proposal.text, fact.span) and left is not None and left < 0:
            worked = self.worked_out([self.steps[rest]]) if rest in self.steps else ""
            return _spaced(worked, self.random.choice(_FEWER).format(format_value(left)))
        return sentence(self.random.choice(_TOO_MUCH).format(part=format_value(part), whole=format_value(whole)))


class _Gap(ProblemNarration):
    def tell(self, models: Sequence[Mapping[str, Exact]]) -> str:
        system = self.proposal.system
        free = [name for name in system.free if len({model[name] for model in models}) > 1] or list(system.free)
        subject = self.proposal.subject
        phrases = [unknown_phrase(subject, name, self.name(name)) or "one of the numbers it takes" for name in free]
        opening = self.random.choice(_MISSING).format(joined(phrases))
        steps = self.needed([system.answer])
        moved = self._moved(steps, free)
        fixed = [step for step in steps if step not in moved]
        parts = [opening]
        if fixed:
            parts.append(f"What is given only leads to {joined([self._equation(step, models[0]) for step in fixed])}.")
        cases = [self._case(free, moved, model) for model in models[:2]]
        if len(cases) == 2:
            text = self.random.choice(_CASES).format(*cases[0], *cases[1])
            parts.append(text if len(free) == 1 else text.replace("it is", "they are"))
        return " ".join([*parts, self.random.choice(_UNDETERMINED)])

    def _moved(self, steps: Sequence[ConstraintStep], free: Sequence[str]) -> list[ConstraintStep]:
        reached, moved = set(free), []
        for step in steps:
            if not reached.isdisjoint(ir.names_in_order(step.expression)):
                reached.add(step.variable)
                moved.append(step)
        return moved

    def _equation(self, step: ConstraintStep, model: Mapping[str, Exact]) -> str:
        return equation_text(step.expression, model, model[step.variable])

    def _case(
        self, free: Sequence[str], moved: Sequence[ConstraintStep], model: Mapping[str, Exact]
    ) -> tuple[str, str, str]:
        """Return the values taken, what follows from them, and the answer."""
        values = joined([format_value(model[name]) for name in free])
        worked = ", ".join(self._equation(step, model) for step in moved)
        return values, worked, format_value(model[self.proposal.system.answer])


def _spaced(*parts: str) -> str:
    return " ".join(part for part in parts if part)


_SOLVABLE = (
    "Everything that is needed is given, and nothing clashes.",
    "The problem gives every number that is needed.",
    "Nothing is missing here, and nothing contradicts anything else.",
    "The given numbers fit together and lead to one answer.",
)
_CONTRADICTORY = (
    "So the problem contradicts itself.",
    "Both cannot be true, so the problem is contradictory.",
    "The problem is contradictory: no answer fits everything it says.",
    "These statements cannot all hold, so there is no answer.",
)
_CASES = (
    "If it is {0}, then {1}, and the answer is {2}; if it is {3}, then {4}, and the answer is {5}.",
    "Suppose it is {0}: {1}, so the answer would be {2}. Suppose it is {3}: {4}, so the answer would be {5}.",
    "Taking {0} gives {1}, hence {2}. Taking {3} gives {4}, hence {5}.",
    "With {0} it comes to {2} ({1}), with {3} it comes to {5} ({4}).",
)
_FEWER = ("But {} is less than nothing.", "There cannot be {} of anything.", "That is {}, and it cannot be negative.")
_TOO_MUCH = (
    "There are only {whole}, so {part} cannot be taken away.",
    "{part} cannot come out of {whole}.",
    "With only {whole} there, {part} is too much.",
)
_MISSING = (
    "The problem does not say {}.",
    "Nothing in the problem tells us {}.",
    "To solve this we would have to know {}, and the problem does not say.",
    "The problem never states {}.",
)
_UNDETERMINED = (
    "So the answer is not determined.",
    "Both fit everything the problem says, so it has no single answer.",
    "The problem leaves the answer open.",
    "Without this there is no way to tell which is right.",
)
