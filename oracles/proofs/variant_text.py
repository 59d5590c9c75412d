"""Checks that the edited text of a problem variant states the same facts as its constraints."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from harness.constraint_system import Bound, ConstraintSystem, Fact, FactSource
from harness.domain import Exact
from harness.program.evaluation.evaluator import format_exact
from harness.text.numbers import SCALE_TAIL, NumberMention, mentions

Span = tuple[int, int]


@dataclass(frozen=True)
class VariantText:
    """A question, its edits (start, end, before, after), the edited text, and the system that this text should state."""

    question: str
    modified: str
    edits: tuple[tuple[int, int, str, str], ...]
    system: ConstraintSystem

    def problem(self, core: Sequence[str], models: Sequence[Mapping[str, Exact]]) -> str | None:
        """Return the objection to the text: of a contradiction with a core, an underspecified problem with two models, or a solvable problem."""
        reason = self._edit_problem() or self._fact_problem()
        if reason is None and core:
            return None if any(map(self._is_edited, core)) else "the core is not about what was edited"
        return self._removal_problem(models[0]) if reason is None and len(models) > 1 else reason

    @cached_property
    def _numbers(self) -> tuple[NumberMention, ...]:
        return tuple(mentions(self.modified))

    @cached_property
    def _edited(self) -> list[NumberMention]:
        """Return the numbers of the question that an edit touches."""
        spans = [(start, end) for start, end, _, _ in self.edits]
        return [mention for mention in mentions(self.question) if _touches(mention.start, mention.end, spans)]

    def _edit_problem(self) -> str | None:
        parts, place = [], 0
        for start, end, before, after in self.edits:
            if not place <= start <= end <= len(self.question) or self.question[start:end] != before:
                return f"no {before[:40]!r} stands at {start} to {end} of the question, after {place}"
            parts += [self.question[place:start], after]
            place = end
        made = "".join([*parts, self.question[place:]])
        return None if made == self.modified else "the edits do not lead from the question to the text"

    def _fact_problem(self) -> str | None:
        """Return a fact that the text does not state: its words have another meaning, or an edit removed its number."""
        for fact in self.system.facts:
            told = f"{fact.name[:60]} is {format_exact(fact.value)[:40]}"
            if fact.span is not None:
                if not self._states(*fact.span, fact.value):
                    return f"{told}, the text says {self.modified[slice(*fact.span)][:40]!r}"
            elif fact.source is FactSource.TEXT and self._is_taken_away(fact.value):
                return f"{told}, which an edit took out of the text"
        return None

    def _is_taken_away(self, value: Exact) -> bool:
        removed = any(value == mention.readings[0] for mention in self._edited)
        return removed and not any(value in mention.readings for mention in self._numbers)

    def _states(self, start: int, end: int, value: Exact) -> bool:
        """Tell whether characters of the text can mean a value: by a number in them, or as the `four` of `four dozen`."""
        first, last = (bisect_left(self._numbers, place, key=lambda mention: mention.start) for place in (start, end))
        for mention in self._numbers[first:last]:
            values = mention.readings
            if mention.end > end:
                if SCALE_TAIL.fullmatch(self.modified, end, mention.end) is None:
                    continue
                values = tuple(reading for part in mentions(self.modified[start:end]) for reading in part.readings)
            if value in values:
                return True
        return False

    def _is_edited(self, name: str) -> bool:
        """Tell whether a constraint of the core stands in what an edit wrote."""
        constraint = self.system.constraints[name]
        span = constraint.span if isinstance(constraint, Fact) else None
        if isinstance(constraint, Bound) and constraint.words and constraint.words in self.modified:
            place = self.modified.index(constraint.words)
            span = place, place + len(constraint.words)
        written, shift = [], 0
        for start, end, _, after in self.edits:
            written.append((start + shift, start + shift + len(after)))
            shift += len(after) - (end - start)
        return span is not None and _touches(*span, written)

    def _removal_problem(self, model: Mapping[str, Exact]) -> str | None:
        """Return a value of a free variable that no edit removed, or that the text still states.

        A number at the place of another fact states that fact. A number states a value by its first reading, or where an edit took
        away a number with the same readings: `half` may be left where 2 was removed.
        """
        removed: dict[Exact, set[tuple[Exact, ...]]] = {}
        for mention in self._edited:
            for value in mention.readings:
                removed.setdefault(value, set()).add(mention.readings)
        places = [fact.span for fact in self.system.facts if fact.span is not None]
        left: dict[Exact | tuple[Exact, ...], str] = {}
        for mention in self._numbers:
            if not _touches(mention.start, mention.end, places):
                left.setdefault(mention.readings[0], mention.text)
                left.setdefault(mention.readings, mention.text)
        for name in self.system.free:
            value = model[name]
            if value not in removed:
                return f"no edit takes {format_exact(value)[:40]} away, the value of {name[:60]!r}"
            still = next((left[said] for said in (value, *removed[value]) if said in left), None)
            if still is not None:
                return f"{still[:40]!r} still says the value of {name[:60]!r}"
        return None


def _touches(start: int, end: int, spans: Iterable[Span]) -> bool:
    return any(first < end and start < last for first, last in spans)
