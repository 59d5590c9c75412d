"""A problem from which variants are made: its solution, located question, units and constraints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from generators.flaws.solution.quantity_units import Quantity, Unit, unit_of
from generators.flaws.solution.source_solution import FlawSource
from generators.variants.quantity_bounds import bounds_of
from generators.variants.question.input_places import LocatedQuestion, read_question
from generators.variants.question.number_context import dollar_sign
from harness.constraint_system import ConstraintStep, ConstraintSystem, Fact, FactSource
from harness.domain import Exact
from harness.program import ir
from harness.solution.trace import TraceEntry, VariableRole

_UNTOLD = Unit(Quantity.NUMBER)
_LONGEST_NOUN = 60


@dataclass(frozen=True)
class VariantSubject:
    """A problem with its correct solution, its located question and its constraints."""

    source: FlawSource

    @cached_property
    def question(self) -> LocatedQuestion:
        """Return the question with its located inputs."""
        return read_question(self.source.problem.question, self.source.inputs)

    @property
    def problem_id(self) -> str:
        """Return the id of the problem."""
        return self.source.problem.problem_id

    @property
    def values(self) -> Mapping[str, Exact]:
        """Return the value of each variable."""
        return self.source.values

    @cached_property
    def units(self) -> Mapping[str, Unit]:
        """Return the unit of each variable, by the words of the question where the solution does not tell.

        The sum and the difference of things of one unit are of that unit, as far as both are told.
        """
        units = dict(self.source.units)
        text = self.question.text
        for entry in self.source.trace.entries:
            name, place = entry.variable, self.question.place_of.get(entry.variable)
            if units[name] != _UNTOLD:
                continue
            if place is not None and place.rewritable:
                behind = text[place.end : place.end + _LONGEST_NOUN]
                units[name] = unit_of(entry, behind, dollar=dollar_sign(text, place.start) > 0)
            match entry.expression:
                case ir.Binary("+" | "-", ir.Name(left), ir.Name(right)):
                    known = {units[left], units[right]} - {_UNTOLD}
                    units[name] = known.pop() if len(known) == 1 else _UNTOLD
        return units

    @cached_property
    def system(self) -> ConstraintSystem:
        """Return the constraints of the problem as it stands.

        Inputs that the question does not give in one place are facts of world knowledge, or of the whole text.
        """
        facts = tuple(self._fact(entry) for entry in self.source.inputs)
        steps = tuple(
            ConstraintStep(
                f"step:{entry.variable}", entry.variable, self.source.expression(entry.variable), self._said(entry)
            )
            for entry in self.source.steps
        )
        return ConstraintSystem(facts, steps, bounds_of(self), self.source.final)

    def _fact(self, entry: TraceEntry) -> Fact:
        place = self.question.place_of.get(entry.variable)
        name = f"fact:{entry.variable}"
        if place is not None:
            words = self.question.words_at(place.start, place.end)
            return Fact(name, entry.variable, entry.value, FactSource.TEXT, words, (place.start, place.end))
        world = entry.role is VariableRole.WORLD_KNOWLEDGE_INPUT
        source = FactSource.WORLD_KNOWLEDGE if world else FactSource.TEXT
        return Fact(name, entry.variable, entry.value, source, entry.comment)

    def _said(self, entry: TraceEntry) -> str:
        number = self.source.line_number(entry.variable)
        lines = self.source.problem.solution.split("\n")
        return lines[number - 1] if 1 <= number <= len(lines) else ""
