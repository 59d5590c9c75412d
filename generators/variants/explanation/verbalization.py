"""The narration of a problem: its quantities named and quoted, and the steps of its solution in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle, islice
from random import Random

from generators.variants.explanation.phrases import (
    claim_of,
    foreign_numbers,
    names_in,
    noun_phrase_of,
    quoted,
    sentence,
)
from generators.variants.variant_proposal import VariantProposal
from harness.constraint_system import ConstraintStep, Fact
from harness.domain import Exact
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.program.refusal import ProgramError, Refusal
from harness.solution.expression_text import worked_equation
from harness.solution.phrases.reasoning_phrases import PHRASES
from harness.solution.solution_text import LineText, UnwritableError, render_line
from harness.text.markup import without_annotations
from harness.text.number_forms import format_value, numbers_at

_ALGEBRA = re.compile(r"= ?[a-zA-Z]|\b[xyz]\b ?[-+*/=]|[-+*/=] ?[xyz]\b")
_EQUATES = re.compile(r"=|\bequals?\b")
_ODD = frozenset('<>{}_"')
LONGEST_LINE = 200
PROSE = 0.9
"""The share of narrations in the solution's own words where these can be used."""


@dataclass(frozen=True)
class ProblemNarration:
    """The narration of a problem: its values, their names, and its steps in words."""

    proposal: VariantProposal
    random: Random

    @cached_property
    def values(self) -> Mapping[str, Exact]:
        """Return the value of each variable; only the facts where the rest cannot be computed."""
        system, given = self.proposal.system, self.proposal.subject.values
        try:
            return system.complete({name: given.get(name, 0) for name in system.free})
        except (Refusal, ProgramError):
            return {fact.variable: fact.value for fact in system.facts}

    @cached_property
    def allowed(self) -> frozenset[Exact]:
        """Return the numbers that may be told: values of facts and steps, constants of steps, and what bounds allow."""
        system = self.proposal.system
        limits = {
            bound.limit for bound in system.bounds if bound.limit is not None and not isinstance(bound.limit, str)
        }
        constants = {
            node.value
            for step in system.steps
            for _, node in nodes(step.expression)
            if isinstance(node, ir.Const) and isinstance(node.value, int)
        }
        return frozenset({*self.values.values(), *(fact.value for fact in system.facts), *constants, *limits})

    @cached_property
    def steps(self) -> Mapping[str, ConstraintStep]:
        """Return the steps by variable."""
        return {step.variable: step for step in self.proposal.system.steps}

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the proper names of the problem in lower case."""
        return names_in(self.proposal.subject)

    def name(self, variable: str) -> str | None:
        """Return a variable as a noun phrase, `None` where its name reads badly."""
        unit = self.proposal.subject.units.get(variable)
        return None if unit is None else noun_phrase_of(variable, unit, self.names)

    def needed(self, variables: Iterable[str]) -> list[ConstraintStep]:
        """Return the steps that lead to some variables, in order."""
        wanted = set(variables)
        for step in reversed(self.proposal.system.steps):
            if step.variable in wanted:
                wanted.update(ir.names_in_order(step.expression))
        return [step for step in self.proposal.system.steps if step.variable in wanted]

    def worked_out(self, steps: Sequence[ConstraintStep]) -> str:
        """Tell some steps, in the solution's own words where they all can be had, else as equations."""
        prose = self._prose(steps) if self.random.random() < PROSE else None
        if prose is not None:
            return " ".join(prose)
        first = self.random.choice(PHRASES["first_step"])
        phrases = [first, *islice(cycle(self.random.sample(PHRASES["step"], len(PHRASES["step"]))), len(steps))]
        return " ".join(self._stepped(step, phrase) for step, phrase in zip(steps, phrases, strict=False))

    def _stepped(self, step: ConstraintStep, phrase: str) -> str:
        return sentence(phrase.format(told=worked_equation(step.expression, self.values, self.values[step.variable])))

    def _prose(self, steps: Sequence[ConstraintStep]) -> list[str] | None:
        """Return the lines of the solution that tell some steps, with the values of this problem."""
        source = self.proposal.subject.source
        lines: dict[int, str] = {}
        for step in steps:
            entry = source.trace.by_name.get(step.variable)
            if entry is None or step.expression != entry.expression:
                return None
            number = source.line_number(step.variable)
            if not 1 <= number <= len(source.text.lines):
                return None
            text = lines[number] if number in lines else self._line(source.text.lines[number - 1])
            if text is None:
                return None
            lines[number] = text
        return [lines[number] for number in sorted(lines)]

    def _line(self, line: LineText) -> str | None:
        """Return a line of the solution with the values of this problem, `None` where it reads badly or says another number."""
        source = self.proposal.subject.source
        changed = any(self.values.get(name) != value for name, value in source.values.items())
        if (changed and line.literals) or any(name not in self.values for name in line.variables):
            return None
        try:
            text = render_line(line, self.values, source.values, source.text.vocabulary)
        except UnwritableError:
            return None
        text = without_annotations(text).strip()
        odd = not text.isascii() or not _ODD.isdisjoint(text) or _ALGEBRA.search(text) is not None
        # Without its annotation a line may state a result but not its operands.
        if odd or _EQUATES.search(text) is None or len(text) > LONGEST_LINE or foreign_numbers(text, self.allowed):
            return None
        return sentence(text)

    def quote(self, fact: Fact) -> str | None:
        """Return the words of the problem that say a fact's number, quoted."""
        if fact.span is None and fact.name.startswith("again:") and fact.words in self.proposal.text:
            # Names that are as many as another number says.
            return f'"{fact.words}"'
        words = quoted(self.proposal.text, fact.span, self.allowed)
        return None if words is None else f'"{words}"'

    def claim(self, fact: Fact) -> str:
        """Return the problem's statement of a fact: its sentence quoted where possible, else its value."""
        quote = claim_of(self.proposal.text, fact.span, self.allowed)
        if quote is not None:
            return f'"{quote}"'
        name = self.name(fact.variable)
        return format_value(fact.value) if name is None else f"{format_value(fact.value)} for {name}"

    def written(self, fact: Fact, value: Exact) -> str:
        """Write a value as a fact's number is written in the text, if it can be."""
        if fact.span is not None:
            for number in numbers_at(self.proposal.text, fact.span[0], fact.value):
                text = number.form.write(value)
                if number.end == fact.span[1] and text is not None:
                    return text.lower()
        return format_value(value)
