"""How does a person explain why a problem has one answer, none, or several?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle
from typing import TYPE_CHECKING

from generators.flaws.explanation import equation
from generators.flaws.nodes import nodes
from generators.problems.phrases import (
    claim_of,
    foreign,
    joined,
    kinds_of,
    named,
    names_in,
    quoted,
    sentence,
    unknown,
)
from harness.constraints import Bound, Fact, Kind, ProblemClass, Source, allows
from harness.program import ir
from harness.program.refusal import ProgramError, Refusal
from harness.solution.rendering import UnwritableError, render_line
from harness.text.forms import show, written_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from random import Random

    from generators.problems.variant import Proposal
    from harness.constraints import Constraint, Step
    from harness.domain import Exact

_ALGEBRA = re.compile(r"= ?[a-zA-Z]|\b[xyz]\b ?[-+*/=]|[-+*/=] ?[xyz]\b")
_ANNOTATION = re.compile(r"<<[^<>]*>>")
LONGEST_LINE = 200
MOST_QUOTES = 4
PROSE = 0.65
"""How often the solution's own words are told where they can be."""


def reasoning_trace(
    proposal: Proposal, core: Sequence[str], models: Sequence[Mapping[str, Exact]], random: Random
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
    return _Teller(proposal, random).solution()


@dataclass(frozen=True)
class _Teller:
    """What every explanation needs: values, names, and steps in words."""

    proposal: Proposal
    random: Random

    @cached_property
    def values(self) -> Mapping[str, Exact]:
        """Return what each variable comes to; only the facts where the rest cannot be computed."""
        system, given = self.proposal.system, self.proposal.subject.values
        try:
            return system.complete({name: given.get(name, 0) for name in system.free})
        except (Refusal, ProgramError):
            return {fact.variable: fact.value for fact in system.facts}

    @cached_property
    def allowed(self) -> frozenset[Exact]:
        """Return the numbers that may be told: values of facts and steps, and the constants of steps."""
        system = self.proposal.system
        constants = {
            node.value
            for step in system.steps
            for _, node in nodes(step.expression)
            if isinstance(node, ir.Const) and isinstance(node.value, int)
        }
        return frozenset({*self.values.values(), *(fact.value for fact in system.facts), *constants})

    @cached_property
    def steps(self) -> Mapping[str, Step]:
        """Return the steps by variable."""
        return {step.variable: step for step in self.proposal.system.steps}

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the proper names of the problem in lower case."""
        return names_in(self.proposal.subject)

    def name(self, variable: str) -> str | None:
        """Return a variable as a noun phrase, `None` where its name reads badly."""
        unit = self.proposal.subject.units.get(variable)
        return None if unit is None else named(variable, unit, self.names)

    def needed(self, variables: Iterable[str]) -> list[Step]:
        """Return the steps that lead to some variables, in order."""
        wanted = set(variables)
        for step in reversed(self.proposal.system.steps):
            if step.variable in wanted:
                wanted.update(ir.names_in_order(step.expression))
        return [step for step in self.proposal.system.steps if step.variable in wanted]

    def worked_out(self, steps: Sequence[Step]) -> str:
        """Tell some steps, in the solution's own words where they all can be had, else as equations."""
        prose = self._prose(steps) if self.random.random() < PROSE else None
        phrases = self.random.sample(_STEPS, len(_STEPS))
        told = [self._stepped(step, phrase) for step, phrase in zip(steps, cycle(phrases), strict=False)]
        return " ".join(told if prose is None else prose)

    def _stepped(self, step: Step, phrase: str) -> str:
        name, told = self.name(step.variable), equation(step.expression, self.values, self.values[step.variable])
        if name is None:
            return sentence(self.random.choice(["That makes {}", "This gives {}", "So we get {}"]).format(told))
        if "=" not in told:
            return sentence(f"for {name} we get {told}")
        return sentence(phrase.format(name=name, told=told))

    def _prose(self, steps: Sequence[Step]) -> list[str] | None:
        """Return the lines of the solution that tell some steps, with the values of this problem."""
        source = self.proposal.subject.source
        lines: dict[int, str] = {}
        for step in steps:
            number = source.line_number(step.variable)
            if not 1 <= number <= len(source.text.lines) or step.expression != source.expression(step.variable):
                return None
            line = source.text.lines[number - 1]
            changed = any(self.values.get(name) != value for name, value in source.values.items())
            if (changed and line.literals) or any(name not in self.values for name in line.variables):
                return None
            try:
                text = render_line(line, self.values, source.values, source.text.vocabulary)
            except UnwritableError:
                return None
            text = _ANNOTATION.sub("", text).strip()
            if (
                len(text) > LONGEST_LINE
                or foreign(text, self.allowed)
                or not text.isascii()
                or set(text) & set('<>{}_"')
            ):
                return None
            lines[number] = sentence(text)
        return [lines[number] for number in sorted(lines)]

    def said(self, fact: Fact) -> str | None:
        """Return the words of the problem that say a fact's number, quoted."""
        words = quoted(self.proposal.text, fact.span, self.allowed)
        return None if words is None else f'"{words}"'

    def claim(self, fact: Fact) -> str:
        """Return what the problem says of a fact: its sentence quoted where it can be, else its value."""
        quote = claim_of(self.proposal.text, fact.span, self.allowed)
        if quote is not None:
            return f'"{quote}"'
        name = self.name(fact.variable)
        return show(fact.value) if name is None else f"{show(fact.value)} for {name}"

    def written(self, fact: Fact, value: Exact) -> str:
        """Write a value as a fact's number is written in the text, if it can be."""
        if fact.span is not None:
            for one in written_at(self.proposal.text, fact.span[0], fact.value):
                text = one.form.write(value)
                if one.end == fact.span[1] and text is not None:
                    return text.lower()
        return show(value)

    def solution(self) -> str:
        """Explain that the values determine the answer."""
        system = self.proposal.system
        opening = self.random.choice(
            (
                "Everything that is needed is given, and nothing clashes.",
                "The problem gives every number that is needed.",
                "Nothing is missing here and nothing is said twice in different ways.",
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
        answer = show(self.values[system.answer])
        closing = (
            f"So the answer is {answer}.",
            f"This is the only answer: {answer}.",
            f"The answer must be {answer}.",
        )
        return " ".join([*parts, self.random.choice(closing)])


class _Contradiction(_Teller):
    def tell(self, core: Sequence[str]) -> str:
        system = self.proposal.system
        named_first = [*self.proposal.clash, *core]
        clashing = [system.constraints[name] for name in dict.fromkeys(named_first) if name in system.constraints]
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
            and one.source is Source.TEXT
            and one.span is not None
        ]
        quotes = [self.said(fact) for fact in sorted(facts, key=lambda fact: fact.span or (0, 0))]
        told = [quote for quote in quotes if quote is not None]
        if not told or len(told) != len(quotes) or len(told) > MOST_QUOTES:
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
            phrases.append(
                f"The problem says two things about {name}: {first} and {second}. It cannot be {one} and {other} at once."
            )
        return self.random.choice(phrases)

    def _beyond(self, bound: Bound, core: Sequence[str]) -> str:
        value = self.values[bound.variable]
        limit = bound.limit if isinstance(bound.limit, str) else None
        steps = self.needed([bound.variable] if limit is None else [bound.variable, limit])
        name = self.name(bound.variable) or "what comes out"
        worked = self.worked_out(steps)
        first = self._given(core)
        match bound.kind:
            case Kind.WHOLE:
                end = f"{sentence(f'that is {show(value)}')} But {kinds_of(bound.words)} come in whole numbers."
            case Kind.NOT_NEGATIVE:
                end = sentence(f"{name} would be {show(value)}, which is less than nothing")
            case Kind.AT_MOST if limit is None:
                end = sentence(f"{name} would be {show(value)}, which is more than all there is")
            case Kind.AT_MOST:
                end = self._too_much(show(value), show(self.values[limit or ""]))
        return _spaced(first, worked, end)

    def _too_much(self, part: str, whole: str) -> str:
        return self.random.choice(
            (
                f"Only {whole} are there, so {part} cannot be taken away.",
                f"{part} cannot come out of {whole}.",
                f"With only {whole} there, {part} is too much.",
            )
        )

    def _list(self, core: Sequence[str]) -> str:
        return self._given(core) or "The numbers of the problem do not fit together."


class _Gap(_Teller):
    def tell(self, models: Sequence[Mapping[str, Exact]]) -> str:
        system = self.proposal.system
        free = [name for name in system.free if len({model[name] for model in models}) > 1] or list(system.free)
        asked = joined(
            [unknown(self.proposal.subject, name, self.name(name)) or "one of the numbers it takes" for name in free]
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

    def _moved(self, steps: Sequence[Step], free: Sequence[str]) -> list[Step]:
        reached, moved = set(free), []
        for step in steps:
            if not reached.isdisjoint(ir.names_in_order(step.expression)):
                reached.add(step.variable)
                moved.append(step)
        return moved

    def _equation(self, step: Step, model: Mapping[str, Exact]) -> str:
        return equation(step.expression, model, model[step.variable])

    def _case(self, free: Sequence[str], moved: Sequence[Step], model: Mapping[str, Exact]) -> tuple[str, str, str]:
        """Return the values taken, what follows from them, and the answer."""
        told = joined([show(model[name]) for name in free])
        worked = ", ".join(self._equation(step, model) for step in moved)
        return told, worked, show(model[self.proposal.system.answer])


def _spaced(*parts: str) -> str:
    return " ".join(part for part in parts if part)


_CONTRADICTORY = (
    "So the problem contradicts itself.",
    "Both cannot be true, so the problem is contradictory.",
    "The problem is contradictory: no answer fits everything it says.",
    "These statements cannot all hold, so there is no answer.",
)
_STEPS = (
    "for {name} we get {told}",
    "{name} must be {told}",
    "{told} gives {name}",
    "now work out {name}: {told}",
)
_CASES = (
    "If it is {0}, then {1}, and the answer is {2}; if it is {3}, then {4}, and the answer is {5}.",
    "Suppose it is {0}: {1}, so the answer would be {2}. Suppose it is {3}: {4}, so the answer would be {5}.",
    "Taking {0} gives {1}, hence {2}. Taking {3} gives {4}, hence {5}.",
    "With {0} it comes to {2} ({1}), with {3} it comes to {5} ({4}).",
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
