"""The reasoning trace of a variant: why it has one answer, none, or several, rendered from its constraints and the words of its problem."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from generators.variants.input_places import clause_around
from generators.variants.insertion.stated_facts import LIMIT
from generators.variants.variant_operator import VariantProposal
from generators.variants.variant_source import values_of
from harness.constraint_system import Bound, Constraint, ConstraintStep, Fact, FactSource, ProblemClass, allows
from harness.domain import Values
from harness.program import ir
from harness.solution.expression_text import worked_equation
from harness.text.lexicon import english
from harness.text.nouns import listed
from harness.text.number_forms import format_value

MOST_QUOTES = 4
LONGEST_QUOTE = 160
BLANK = "…"
"""What stands for a number that a problem does not say."""
_JOINT = english("variants").pattern("clause_joint", r"^", r"\s")


def reasoning_trace(proposal: VariantProposal, core: Sequence[str], models: Sequence[Values]) -> str:
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
        system, own = self.proposal.system, {f"fact:{name}" for name in self.proposal.subject.values}
        claims = (self._claim(fact) for fact in system.facts if fact.name not in own)
        claim = next(filter(None, claims), None)
        agrees = f'That the problem also says "{claim}" agrees with this.' if claim else ""
        answer = f"So the answer is {format_value(self._values[system.answer])}."
        given = "Everything that is needed is given, and nothing clashes."
        return _text(given, self._equations([system.answer]), agrees, answer)

    def contradiction(self, core: Sequence[str]) -> str:
        constraints = self.proposal.system.constraints
        names = dict.fromkeys([*core, *self.proposal.clash])
        clashing = [constraints[name] for name in names if name in constraints]
        match next((constraint for constraint in clashing if self._is_broken(constraint)), None):
            case Fact() as fact if any(step.variable == fact.variable for step in self.proposal.system.steps):
                other, value = format_value(fact.value), format_value(self._values[fact.variable])
                end = f'But the problem says "{self._claim(fact) or other}". It should be {value}, not {other}.'
                text = _text(self._claims(core, fact), self._equations([fact.variable]), end)
            case Fact() as fact:
                text = self._two_claims(fact)
            case Bound() as bound:
                text = self._broken_bound(bound, core)
            case _:
                text = self._claims(core) or "The numbers of the problem do not fit together."
        return _text(text, "So the problem contradicts itself.")

    def gap(self, models: Sequence[Values]) -> str:
        answer, steps = self.proposal.system.answer, self._needed_steps([self.proposal.system.answer])
        read = {name for step in steps for name in ir.names_in_order(step.expression)}
        free = [name for name in self.proposal.system.free if name in read]
        it_is = "it is" if len(free) == 1 else "they are"
        cases = []
        for model in models:
            worked = ", ".join(worked_equation(step.expression, model, model[step.variable]) for step in steps)
            values = listed([format_value(model[name]) for name in free])
            cases.append(f"If {it_is} {values}, then {worked}, and the answer is {format_value(model[answer])}.")
        return _text(f"The problem does not say {self._gaps(free)}.", *cases, "So the answer is not determined.")

    @cached_property
    def _values(self) -> Values:
        """Return the value of each variable; only the facts where the rest cannot be computed."""
        system, given = self.proposal.system, self.proposal.subject.values
        values = values_of(system, {name: given.get(name, 0) for name in system.free})
        return {fact.variable: fact.value for fact in system.facts} if values is None else values

    def _needed_steps(self, variables: Iterable[str]) -> list[ConstraintStep]:
        """Return the steps that lead to some variables, in order."""
        wanted = set(variables)
        for step in reversed(self.proposal.system.steps):
            if step.variable in wanted:
                wanted.update(ir.names_in_order(step.expression))
        return [step for step in self.proposal.system.steps if step.variable in wanted]

    def _equations(self, variables: Iterable[str]) -> str:
        """Return the steps that lead to some variables as equations, an empty text where there are none."""
        values = self._values
        steps = self._needed_steps(variables)
        equations = [worked_equation(step.expression, values, values[step.variable]) for step in steps]
        return f"The numbers give {listed(equations)}." if equations else ""

    def _is_broken(self, constraint: Constraint) -> bool:
        with suppress(KeyError):
            match constraint:
                case Fact():
                    return self._values[constraint.variable] != constraint.value
                case Bound():
                    return not allows(constraint, self._values)
        return False

    def _claim(self, fact: Fact) -> str | None:
        """Return the clause of the problem that says a fact's number, `None` where it cannot be quoted."""
        return None if fact.span is None else quote_of(self.proposal.text, *fact.span)

    def _claims(self, core: Sequence[str], but: Fact | None = None) -> str:
        """Return the statements of the problem that clash with another one, an empty text where they are many."""
        facts = [fact for fact in self.proposal.system.facts if fact.name in core and fact != but and fact.span]
        facts.sort(key=lambda fact: fact.span or (0, 0))
        quotes = [self._claim(fact) for fact in facts if fact.source is FactSource.TEXT]
        words = [f'"{quote}"' for quote in dict.fromkeys(quotes) if quote is not None]
        return f"The problem gives {listed(words)}." if 0 < len(words) <= MOST_QUOTES else ""

    def _two_claims(self, fact: Fact) -> str:
        alike = (other for other in self.proposal.system.facts if other.variable == fact.variable)
        different = next(other for other in alike if other.value != fact.value)
        both = sorted([different, fact], key=lambda fact: fact.span or (0, 0))
        value, other = (format_value(fact.value) for fact in both)
        claim, second = (self._claim(fact) or format_value(fact.value) for fact in both)
        if claim == second:
            return f'The problem says "{claim}". It cannot be both {value} and {other}.'
        return f'First the problem says "{claim}", then "{second}". It cannot be both {value} and {other}.'

    def _broken_bound(self, bound: Bound, core: Sequence[str]) -> str:
        """Say that a quantity does not keep a bound: a limit that the problem states, or one of its kind."""
        value, limit = self._values[bound.variable], bound.limit
        limits = [fact for fact in self.proposal.system.facts if fact.name in core and fact.name.startswith(LIMIT)]
        stated = next((fact for fact in limits if fact.variable in {bound.variable, limit}), None)
        if isinstance(limit, str) and stated is not None:
            name, side = (bound.variable, "more") if limit == stated.variable else (limit, "less")
            other = format_value(stated.value)
            end = f'But the problem says "{self._claim(stated) or other}", and {format_value(self._values[name])} is {side} than {other}.'
            return _text(self._claims(core, stated), self._equations([name]), end)
        reason = "which is less than nothing" if limit is None else f"but {bound.words}"
        broken = f"That would be {format_value(value)}, {reason}."
        return _text(self._claims(core), self._equations([bound.variable]), broken)

    def _gaps(self, variables: Sequence[str]) -> str:
        """Return what the problem does not say: the clauses of the question with a blank for each number that is gone."""
        question = self.proposal.subject.question
        places = {place for name in variables if (place := question.place_of.get(name)) is not None}
        blanks = {other.start: other.end for other in places}
        quotes = [quote_of(question.text, start, end, blanks) for start, end in sorted(blanks.items())]
        nouns = {quote: "number" if quotes.count(quote) == 1 else "numbers" for quote in quotes}
        numbers = [f'the {noun} for "{quote}"' for quote, noun in nouns.items()]
        return listed(numbers) if numbers and None not in quotes else "all of the numbers that it takes"


def quote_of(text: str, start: int, end: int, blanks: Mapping[int, int] | None = None) -> str | None:
    """Return the clause around a number of a text, with a blank for each number at `blanks`; `None` where it cannot be quoted."""
    first, last = clause_around(text, start, end)
    words, place = "", first
    for blank, stop in sorted((blanks or {}).items()):
        if first <= blank < last:
            words += f"{text[place:blank]}{BLANK}"
            place = stop
    words = _JOINT.sub("", " ".join(f"{words}{text[place:last]}".split())).rstrip(".?!")
    return words if words and len(words) <= LONGEST_QUOTE and '"' not in words else None


def _text(*parts: str) -> str:
    return " ".join(part for part in parts if part)
