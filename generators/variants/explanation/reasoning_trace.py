"""The reasoning trace of a variant: a text that explains why it has one answer, none, or several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import groupby
from random import Random

from generators.variants.explanation.phrases import (
    compares,
    gap_of,
    is_quantity_name,
    joined,
    lost_phrase,
    missing_name,
    sentence,
)
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
from harness.solution.expression_text import worked_equation
from harness.solution.phrases.missing_quantities import unnamed_quantities
from harness.solution.phrases.reasoning_phrases import PHRASES
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


def limit_facts(proposal: VariantProposal) -> list[Fact]:
    """Return the facts that only limit a quantity: no step reads them, and the solution has no such variable."""
    limited = {name for bound in proposal.system.bounds for name in (bound.variable, bound.limit)}
    read = {name for step in proposal.system.steps for name in ir.names_in_order(step.expression)}
    known = read | set(proposal.subject.values)
    return [fact for fact in proposal.system.facts if fact.variable in limited and fact.variable not in known]


class _Solution(ProblemNarration):
    def tell(self) -> str:
        """Explain that the values determine the answer."""
        system = self.proposal.system
        parts = [self.random.choice(PHRASES["solvable"]), self.worked_out(self.needed([system.answer]))]
        agreeing = [
            fact for fact in system.facts if fact.variable in self.steps or fact.name == self.proposal.redundant
        ] or limit_facts(self.proposal)
        claims = [self.claim(fact) for fact in agreeing[:1]]
        if claims:
            parts.append(self.random.choice(PHRASES["agreeing"]).format(claim=claims[0]))
        answer = format_value(self.values[system.answer])
        return " ".join([*parts, self.random.choice(PHRASES["answer"]).format(answer=answer)])


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
                text = self._given(core) or PHRASES["unexplained"][0]
        return f"{text} {self.random.choice(_closings(text))}"

    def _is_broken(self, constraint: Constraint) -> bool:
        with suppress(KeyError):
            match constraint:
                case Fact():
                    return self.values[constraint.variable] != constraint.value
                case Bound():
                    return not allows(constraint, self.values)
        return False

    def _given(self, core: Sequence[str], but: Sequence[str] = ()) -> str:
        """Name the facts of the text that clash with the next statement; empty where they cannot be quoted."""
        constraints = [self.proposal.system.constraints.get(name) for name in core if name not in but]
        facts = [
            constraint
            for constraint in constraints
            if isinstance(constraint, Fact) and constraint.source is FactSource.TEXT and constraint.span
        ]
        quotes = [self.quote(fact) for fact in sorted(facts, key=lambda fact: fact.span or (0, 0))]
        words = list(dict.fromkeys(quote for quote in quotes if quote is not None))
        if not words or None in quotes or len(words) > MOST_QUOTES:
            return ""
        return self.random.choice(PHRASES["given"]).format(quotes=joined(words))

    def _other_value(self, fact: Fact, core: Sequence[str]) -> str:
        if fact.variable not in self.steps:
            return self._twice(fact)
        steps = self.needed([fact.variable])
        slots = {
            "claim": self.claim(fact),
            "value": self.written(fact, self.values[fact.variable]),
            "other": self.written(fact, fact.value),
        }
        but, says, would, while_ = (phrase.format_map(slots) for phrase in PHRASES["other_value"])
        first = self._given(core, [fact.name])
        worked = self.worked_out(steps)
        match self.random.randrange(3):
            case 0:
                return _spaced(first, worked, but)
            case 1:
                return _spaced(says, first, worked, would)
        return _spaced(first, worked, while_)

    def _twice(self, fact: Fact) -> str:
        facts = self.proposal.system.facts
        others = [other for other in facts if other.variable == fact.variable and other.value != fact.value]
        text = self.proposal.text
        both = sorted([*others[:1], fact], key=lambda fact: fact.span or (text.find(fact.words), 0))
        quotes = [self.quote(fact) for fact in both]
        if any(quote is None or " " not in quote for quote in quotes):
            quotes = [self.claim(fact) for fact in both]
        first, second = (quote or "" for quote in quotes)
        former, other = (self.written(fact, fact.value) for fact in both)
        name = self.name(fact.variable)
        phrases = PHRASES["twice"] if name is not None else PHRASES["twice"][:-1]
        return self.random.choice(phrases).format(claim=first, second=second, value=former, other=other, name=name)

    def _beyond(self, bound: Bound, core: Sequence[str]) -> str:
        stated = next(
            (fact for fact in limit_facts(self.proposal) if fact.variable in {bound.variable, bound.limit}), None
        )
        if stated is not None:
            return self._over_limit(stated, bound, core)
        value = self.values[bound.variable]
        limit = bound.limit if isinstance(bound.limit, str) else None
        steps = self.needed([bound.variable] if limit is None else [bound.variable, limit])
        name = self.name(bound.variable) or "that"
        whole, negative, all_of_it, at_most, too_much = PHRASES["beyond"]
        match bound:
            case Bound(kind=BoundKind.WHOLE):
                phrase = whole
            case Bound(kind=BoundKind.NOT_NEGATIVE):
                phrase = negative
            case Bound(limit=1):
                phrase = all_of_it
            case Bound(limit=int() | Fraction()):
                phrase = at_most
            case _:
                phrase = too_much
        most = "" if limit is not None or bound.limit is None else format_value(Fraction(bound.limit))
        end = sentence(phrase.format(name=name, value=format_value(value), other=most))
        if limit is not None and bound.kind is BoundKind.AT_MOST:
            end = self._too_much(bound, value, self.values[limit])
        return _spaced(self._given(core), self.worked_out(steps), end)

    def _over_limit(self, limit: Fact, bound: Bound, core: Sequence[str]) -> str:
        """Say that a quantity does not keep a limit that the problem states."""
        over = bound.limit == limit.variable
        name = bound.variable if over else str(bound.limit)
        told = {
            "claim": self.claim(limit),
            "value": format_value(self.values[name]),
            "other": format_value(limit.value),
        }
        phrase = self.random.choice(PHRASES["over_limit" if over else "under_limit"]).format_map(told)
        return _spaced(self._given(core, [limit.name]), self.worked_out(self.needed([name])), phrase)

    def _too_much(self, bound: Bound, part: Exact, whole: Exact) -> str:
        """Say that a part is more than its whole, or that something would be fewer than none."""
        rest = bound.name.partition(":")[2]
        fact = next((fact for fact in self.proposal.system.facts if fact.variable == bound.variable), None)
        left = self.values.get(rest)
        if fact is not None and compares(self.proposal.text, fact.span) and left is not None and left < 0:
            worked = self.worked_out([self.steps[rest]]) if rest in self.steps else ""
            return _spaced(worked, self.random.choice(PHRASES["fewer"]).format(value=format_value(left)))
        return sentence(
            self.random.choice(PHRASES["too_much"]).format(value=format_value(part), other=format_value(whole))
        )


def _closings(text: str) -> list[str]:
    """Return the sentences that may close a contradiction: `both` wants two statements of the problem before it."""
    two = text.count('"') > 2
    return [phrase for phrase in PHRASES["contradictory"] if two or not phrase.startswith("Both")]


class _Gap(ProblemNarration):
    def tell(self, models: Sequence[Mapping[str, Exact]]) -> str:
        system = self.proposal.system
        steps = self.needed([system.answer])
        read = {name for step in steps for name in ir.names_in_order(step.expression)}
        free = [name for name in system.free if name in read]
        opening = self.random.choice(PHRASES["missing"]).format(unknown=joined(self._unknown(free)))
        moved = self._moved(steps, free)
        fixed = [step for step in steps if step not in moved]
        parts = [opening]
        if fixed:
            worked = joined([self._equation(step, models[0]) for step in fixed])
            parts.append(PHRASES["fixed"][0].format(worked=worked))
        cases = [self._case(free, moved, model) for model in models[:2]]
        if len(cases) == 2:
            slots = {
                f"{place}{slot}": text
                for place, case in zip(("first", "second"), cases, strict=True)
                for slot, text in zip(("", "_worked", "_answer"), case, strict=True)
            }
            it_is = "it is" if len(free) == 1 else "they are"
            parts.append(self.random.choice(PHRASES["cases"]).format(it_is=it_is, **slots))
        return " ".join([*parts, self.random.choice(PHRASES["underspecified"])])

    def _unknown(self, variables: Sequence[str]) -> list[str]:
        """Return the open quantities of the problem, those in a row without words as one."""
        parts: list[str] = []
        further = False
        for phrase, group in groupby(map(self._phrase, variables)):
            count = len(list(group))
            parts += [unnamed_quantities(count, further=further)] if phrase is None else [phrase] * count
            further = further or phrase is None
        return parts

    def _phrase(self, variable: str) -> str | None:
        """Return an open quantity of the problem: in words of the question, of the variable, or as the gap in a sentence; `None` where no words name it."""
        named = missing_name(self.proposal, variable) or self._quantity_name(variable)
        return named or gap_of(self.proposal, variable) or lost_phrase(self.proposal, variable)

    def _quantity_name(self, variable: str) -> str | None:
        name = self.name(variable)
        return name if name is not None and is_quantity_name(name) else None

    def _moved(self, steps: Sequence[ConstraintStep], free: Sequence[str]) -> list[ConstraintStep]:
        reached, moved = set(free), []
        for step in steps:
            if not reached.isdisjoint(ir.names_in_order(step.expression)):
                reached.add(step.variable)
                moved.append(step)
        return moved

    def _equation(self, step: ConstraintStep, model: Mapping[str, Exact]) -> str:
        return worked_equation(step.expression, model, model[step.variable])

    def _case(
        self, free: Sequence[str], moved: Sequence[ConstraintStep], model: Mapping[str, Exact]
    ) -> tuple[str, str, str]:
        """Return the assumed values, their consequences, and the answer."""
        values = joined([format_value(model[name]) for name in free])
        worked = ", ".join(self._equation(step, model) for step in moved)
        return values, worked, format_value(model[self.proposal.system.answer])


def _spaced(*parts: str) -> str:
    return " ".join(part for part in parts if part)
