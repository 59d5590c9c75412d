"""The reasoning trace of a variant: a text that explains why it has one answer, none, or several."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from generators.flaws.text.explanation import equation
from generators.variants.explanation.phrases import compares, joined, sentence, unknown_phrase
from generators.variants.explanation.verbalization import ProblemNarration
from harness.constraint_system import Bound, BoundKind, Fact, FactSource, ProblemClass, allows
from harness.program import ir
from harness.text.number_forms import format_value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from generators.variants.variant_proposal import VariantProposal
    from harness.constraint_system import Constraint, ConstraintStep
    from harness.domain import Exact

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
        opening = self.random.choice(
            (
                "Everything that is needed is given, and nothing clashes.",
                "The problem gives every number that is needed.",
                "Nothing is missing here, and nothing contradicts anything else.",
                "The given numbers fit together and lead to one answer.",
            )
        )
        parts = [opening, self.worked_out(self.needed([system.answer]))]
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
        broken = next((one for one in clashing if self._broken(one)), None)
        match broken:
            case Fact():
                text = self._other_value(broken, core)
            case Bound():
                text = self._beyond(broken, core)
            case _:
                text = self._list(core)
        return f"{text} {self.random.choice(_CONTRADICTORY)}"

    def _broken(self, one: Constraint) -> bool:
        try:
            match one:
                case Fact():
                    return self.values[one.variable] != one.value
                case Bound():
                    return not allows(one, self.values)
        except KeyError:
            return False
        return False

    def _given(self, core: Sequence[str], but: Sequence[str] = ()) -> str:
        """Name the facts of the text that clash with what is told next; empty where they cannot be quoted."""
        constraints = self.proposal.system.constraints
        facts = [
            one
            for name in core
            if name not in but
            and isinstance(one := constraints.get(name), Fact)
            and one.source is FactSource.TEXT
            and one.span is not None
        ]
        quotes = [self.said(fact) for fact in sorted(facts, key=lambda fact: fact.span or (0, 0))]
        told = list(dict.fromkeys(quote for quote in quotes if quote is not None))
        if not told or None in quotes or len(told) > MOST_QUOTES:
            return ""
        return self.random.choice(("The problem gives {}.", "We are told of {}.", "Take {}.")).format(joined(told))

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
                return _spaced(
                    f"The problem says {claim}.",
                    "That does not fit the rest.",
                    first,
                    worked,
                    f"So it would have to be {named_value}.",
                )
        return _spaced(first, worked, f"That is {value}, while the problem says {claim}.")

    def _twice(self, fact: Fact) -> str:
        others = [
            one for one in self.proposal.system.facts if one.variable == fact.variable and one.value != fact.value
        ]
        both = sorted([*others[:1], fact], key=lambda one: one.span or (0, 0))
        quotes = [self.said(one) for one in both]
        if any(quote is None or " " not in quote for quote in quotes):
            quotes = [self.claim(one) for one in both]
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
                end = sentence(f"{name} would be {format_value(value)}, and that has to be a whole number")
            case Bound(kind=BoundKind.NOT_NEGATIVE):
                end = sentence(f"{name} would be {format_value(value)}, which is less than nothing")
            case Bound(limit=str() as whole):
                end = self._too_much(bound, value, self.values[whole])
            case Bound(limit=1):
                end = sentence(f"{name} would be {format_value(value)}, which is more than all of it")
            case Bound(limit=int() | Fraction() as most):
                end = sentence(
                    f"{name} would be {format_value(value)}, but it cannot be more than {format_value(most)}"
                )
            case _:
                end = sentence(f"{name} would be {format_value(value)}, which is too much")
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

    def _list(self, core: Sequence[str]) -> str:
        return self._given(core) or "The numbers of the problem do not fit together."


class _Gap(ProblemNarration):
    def tell(self, models: Sequence[Mapping[str, Exact]]) -> str:
        system = self.proposal.system
        free = [name for name in system.free if len({model[name] for model in models}) > 1] or list(system.free)
        asked = joined(
            [
                unknown_phrase(self.proposal.subject, name, self.name(name)) or "one of the numbers it takes"
                for name in free
            ]
        )
        opening = self.random.choice(_MISSING).format(asked)
        steps = self.needed([system.answer])
        moved = self._moved(steps, free)
        fixed = [step for step in steps if step not in moved]
        parts = [opening]
        if fixed:
            parts.append(f"What is given only leads to {joined([self._equation(step, models[0]) for step in fixed])}.")
        told = [self._case(free, moved, model) for model in models[:2]]
        if len(told) == 2:
            cases = self.random.choice(_CASES).format(*told[0], *told[1])
            parts.append(cases if len(free) == 1 else cases.replace("it is", "they are"))
        return " ".join([*parts, self.random.choice(_UNDETERMINED)])

    def _moved(self, steps: Sequence[ConstraintStep], free: Sequence[str]) -> list[ConstraintStep]:
        reached, moved = set(free), []
        for step in steps:
            if not reached.isdisjoint(ir.names_in_order(step.expression)):
                reached.add(step.variable)
                moved.append(step)
        return moved

    def _equation(self, step: ConstraintStep, model: Mapping[str, Exact]) -> str:
        return equation(step.expression, model, model[step.variable])

    def _case(
        self, free: Sequence[str], moved: Sequence[ConstraintStep], model: Mapping[str, Exact]
    ) -> tuple[str, str, str]:
        """Return the values taken, what follows from them, and the answer."""
        told = joined([format_value(model[name]) for name in free])
        worked = ", ".join(self._equation(step, model) for step in moved)
        return told, worked, format_value(model[self.proposal.system.answer])


def _spaced(*parts: str) -> str:
    return " ".join(part for part in parts if part)


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
