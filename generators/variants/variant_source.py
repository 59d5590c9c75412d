"""A problem from which variants are made: its solution, located question, units and constraints, with the bounds that the kinds of its quantities set."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from generators.flaws.solution.quantity_units import Quantity, Unit, unit_of
from generators.flaws.solution.source_solution import FlawSource
from generators.variants.input_places import LocatedQuestion, NumberPlace, read_question
from generators.variants.question_edit import EditedQuestion, QuestionChange
from harness.constraint_system import Bound, BoundKind, ConstraintStep, ConstraintSystem, Fact, FactSource
from harness.domain import Values
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.program.refusal import ProgramError, Refusal
from harness.solution.trace import TraceEntry, VariableRole
from harness.text.lexicon import english
from harness.text.units import DAYS, TIMES, factor, singular_unit

_UNTOLD = Unit(Quantity.NUMBER)
_LONGEST_NOUN = 60
_LISTS = english("variants")
AMOUNTS = frozenset({Quantity.COUNT, Quantity.TIME, Quantity.MEASURE, Quantity.MONEY})
_SUMMED = _LISTS.pattern("summed", r"\b", r"\b")


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
    def values(self) -> Values:
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
                following = text[place.end : place.end + _LONGEST_NOUN]
                units[name] = unit_of(entry, following, dollar=text[: place.start].rstrip(" ").endswith("$"))
            parts = [] if entry.expression is None else [node for _, node in nodes(entry.expression)]
            added = all(isinstance(node, ir.Name) or getattr(node, "operator", "") in {"+", "-"} for node in parts)
            if parts and added:
                known = {units[node.name] for node in parts if isinstance(node, ir.Name)} - {_UNTOLD}
                units[name] = known.pop() if len(known) == 1 else _UNTOLD
        return units

    @cached_property
    def system(self) -> ConstraintSystem:
        """Return the constraints of the problem as it stands.

        Inputs that the question does not give in one place are facts of world knowledge, or of the whole text.
        """
        source, steps = self.source, list[ConstraintStep]()
        for name in (entry.variable for entry in source.steps):
            steps.append(ConstraintStep(f"step:{name}", name, source.expression(name), self.line_of(name)))
        bounds = bounds_of(source.trace.entries, self.question, self.units)
        return ConstraintSystem(tuple(map(self._fact, source.inputs)), tuple(steps), bounds, source.final)

    def system_after(self, change: QuestionChange) -> ConstraintSystem | None:
        """Return the constraints that the changed question states; `None` if an edit touched another fact."""
        facts, edited = [], EditedQuestion(self.question.text, change.edits)
        for fact in self.system.facts:
            if fact.variable in change.gone:
                continue
            span, changed = fact.span, fact.variable in change.values
            if span is not None:
                span = edited.moved(*span) or (edited.replaced(*span) if changed else None)
                if span is None:
                    return None
            facts.append(replace(fact, value=change.values.get(fact.variable, fact.value), span=span))
        facts += [replace(number.fact, span=edited.place_of(number)) for number in change.stated]
        system = replace(self.system, facts=tuple(facts))
        known = {*system.variables}
        kept = [bound for bound in (*system.bounds, *change.bounds) if bound.variable in known]
        return replace(system, bounds=tuple(dict.fromkeys(kept)))

    def line_of(self, name: str) -> str:
        """Return the line of the solution that works a variable out, an empty text where there is none."""
        number, lines = self.source.line_number(name), self.source.problem.solution.split("\n")
        return lines[number - 1] if 1 <= number <= len(lines) else ""

    def _fact(self, entry: TraceEntry) -> Fact:
        place, name = self.question.place_of.get(entry.variable), f"fact:{entry.variable}"
        if place is not None:
            words = self.question.words_at(place.start, place.end)
            return Fact(name, entry.variable, entry.value, FactSource.TEXT, words, (place.start, place.end))
        world = entry.role is VariableRole.WORLD_KNOWLEDGE_INPUT
        source = FactSource.WORLD_KNOWLEDGE if world else FactSource.TEXT
        return Fact(name, entry.variable, entry.value, source, entry.comment)


def bounds_of(entries: Iterable[TraceEntry], question: LocatedQuestion, units: Mapping[str, Unit]) -> tuple[Bound, ...]:
    """Return the bounds that a problem's quantities meet by their kinds.

    Amounts are not negative, unless something was taken away or compared; hours a day, days a week and the like are at most as
    many as there are.
    """
    bounds = []
    for entry in entries:
        name, place = entry.variable, question.place_of.get(entry.variable)
        subtracted = isinstance(entry.expression, ir.Binary) and entry.expression.operator == "-"
        if not subtracted and entry.value >= 0 and units[name].quantity in AMOUNTS | {Quantity.SHARE}:
            bounds.append(not_negative(name, units[name]))
        most = None if place is None else _most_of_cycle(question, place)
        if most is not None and entry.value <= most:
            words = f"there cannot be more than {most}"
            bounds.append(Bound(f"at-most-all:{name}", name, BoundKind.AT_MOST, words, most))
    return tuple(bounds)


def not_negative(name: str, unit: Unit) -> Bound:
    """Return the bound of a variable that cannot be less than none."""
    words = f"{unit.noun or 'what'} cannot be less than none"
    return Bound(f"not-negative:{name}", name, BoundKind.NOT_NEGATIVE, words)


def _most_of_cycle(question: LocatedQuestion, place: NumberPlace) -> int | None:
    """Return the most that a number of hours a day, days a week or minutes an hour can be, `None` for other numbers.

    There is none where it is that of several together, `30 hours a day in total`.
    """
    words = question.text[place.end : place.end + 60].split()[:3]
    if len(words) < 3 or _SUMMED.search(question.words_at(place.start, place.end)):
        return None
    small, joint, large = singular_unit(words[0]), words[1], singular_unit(words[2].rstrip(".,;:?!"))
    if joint not in _LISTS.words("each") or not {small, large} <= TIMES:
        return None
    with suppress(KeyError):
        return max(DAYS[large]) if small == "day" and large in DAYS else factor(small, large)
    return None


def values_of(system: ConstraintSystem, free: Values | None = None) -> Values | None:
    """Return the value of each variable with values of the free ones, `None` where one cannot be computed."""
    with suppress(Refusal, ProgramError):
        return system.complete(free)
    return None
