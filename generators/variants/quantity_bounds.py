"""The bounds that the kind of a quantity sets on its value, and the words that show its kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Protocol

from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.flaws.solution.source_solution import FlawSource
from generators.variants.question.input_places import LocatedQuestion, NumberPlace
from generators.variants.question.number_context import clause_around
from harness.constraint_system import Bound, BoundKind
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.solution.trace import TraceEntry
from harness.text.lexicon import english
from harness.text.markup import without_annotations
from harness.text.units import factor

_LISTS = english("variants")


class Located(Protocol):
    """A solution whose inputs are located in its question."""

    @property
    def source(self) -> FlawSource:
        """Return the solution."""

    @property
    def question(self) -> LocatedQuestion:
        """Return the question with its located inputs."""

    @property
    def units(self) -> Mapping[str, Unit]:
        """Return the unit of each variable."""


_CYCLE = re.compile(r" (hours?|days?|months?|minutes?) (?:an?|per|each|every|in a|in one) (day|week|year|hour)\b")
_CYCLES = {pair: factor(*pair) for pair in (("hour", "day"), ("day", "week"), ("month", "year"), ("minute", "hour"))}
_AMOUNTS = frozenset([Quantity.COUNT, Quantity.MONEY, Quantity.TIME, Quantity.MEASURE])
_BELOW_ZERO = re.compile(_LISTS.either("below_zero"))
_DIFFERENCE = re.compile(rf"\b(?:{_LISTS.either('difference')})\b")
_OVERDRAWN = re.compile(rf"\b(?:{_LISTS.either('overdrawn')})\b")
_LEFT = re.compile(r"\b(?:left|remain\w*|rest|leftovers?)\b")
_NEEDED = re.compile(r"\b(?:need\w*|to|more)\b")
_RATE = re.compile(rf"\b(?:{_LISTS.either('rate')})\b")
_DIVISIBLE = _LISTS.words("divisible")
"""Things that can be halved."""
_OF_A_WHOLE = re.compile(
    r"%?(?: percent)? of (?:them|these|those|the|all|his|her|their|its|my|our|this)\b|%?(?: percent)? of [a-z]+s\b"
    r"|%?(?: percent)? (?:discount|off|are|is|were|was|have|had)\b"
)
_OF_ANOTHER = re.compile(rf"\b(?:{_LISTS.either('of_another')})\b")
_WHOSE = re.compile(r"\b(?:that|which|what|as|than)\b|['’]s\b|s['’] ")
_SUMMED = re.compile(rf"\b(?:{_LISTS.either('summed')})\b", re.IGNORECASE)
_THERE_ARE = re.compile(r"\b(?:[Tt]here (?:are|is|were)|(?:[Aa]|[Oo]ne|[Ee]ach|[Ee]very) (?:day|week|year|hour) has) $")
_PERCENT = re.compile(r"\d ?%|\bper ?cent\b")


def bounds_of(subject: Located) -> tuple[Bound, ...]:
    """Return the bounds of the kinds of a problem's quantities, as far as the problem itself meets them.

    Things that are counted one by one are whole; counts, prices, times and measures are not negative, differences and
    profits left aside; a part is at most its whole, and a share of a whole at most all of it. Each bound quotes the clause
    of the question, or the line of the solution, that says of what kind the quantity is.
    """
    bounds: dict[str, Bound] = {}
    for entry in subject.source.trace.entries:
        for bound in _bounds(subject, entry):
            bounds.setdefault(bound.name, bound)
    return tuple(bounds.values())


def line_of(subject: Located, entry: TraceEntry) -> str:
    """Return the line of the solution that works a variable out, without its annotations."""
    number = subject.source.line_number(entry.variable)
    lines = subject.source.problem.solution.split("\n")
    return without_annotations(lines[number - 1]).strip() if 1 <= number <= len(lines) else ""


def clause_at(subject: Located, start: int, end: int) -> str:
    """Return the clause of the question around a number."""
    return subject.question.text[slice(*clause_around(subject.question.text, start, end))]


def cycle_of(subject: Located, place: NumberPlace) -> int | None:
    """Return the most that a number of hours a day, days a week, months a year or minutes an hour can be, `None` for other numbers.

    There is none where it is that of several together, `30 hours a day in total`, or says how many a day has.
    """
    match = _CYCLE.match(subject.question.text, place.end)
    if match is None or _says_of_all(subject, place):
        return None
    return _CYCLES.get((match[1].removesuffix("s"), match[2]))


def _says_of_all(subject: Located, place: NumberPlace) -> bool:
    sentence = subject.question.sentence_at(place.start)
    return sentence is not None and (
        _SUMMED.search(sentence.text) is not None
        or _THERE_ARE.search(subject.question.text, 0, place.start) is not None
    )


def _describing_words(subject: Located, entry: TraceEntry) -> str:
    """Return the words that describe a variable: the clause of its number, or the line that computes it."""
    place = subject.question.place_of.get(entry.variable)
    if place is not None:
        return clause_at(subject, place.start, place.end)
    if entry.expression is None:
        readers = subject.source.readers(entry.variable)
        return entry.comment or (line_of(subject, readers[0]) if readers else "")
    return line_of(subject, entry)


def _bounds(subject: Located, entry: TraceEntry) -> Iterator[Bound]:
    unit, name, value = subject.units[entry.variable], entry.variable, entry.value
    spoken = name.replace("_", " ").lower()
    if unit.quantity is Quantity.SHARE or _is_percentage(subject, entry):
        yield from _share(subject, entry)
        return
    if value < 0 or unit.quantity not in _AMOUNTS or _BELOW_ZERO.search(f"{spoken} {unit.noun}"):
        return
    words = _describing_words(subject, entry)
    not_negative = Bound(f"not-negative:{name}", name, BoundKind.NOT_NEGATIVE, words)
    if _is_counted(subject, entry, words):
        yield Bound(f"whole:{name}", name, BoundKind.WHOLE, words)
    match entry.expression:
        case None:
            yield not_negative
            place = subject.question.place_of.get(name)
            most = None if place is None else cycle_of(subject, place)
            if most is not None and value <= most:
                yield Bound(f"at-most-all:{name}", name, BoundKind.AT_MOST, words, most)
        case ir.Binary("-", whole, part):
            if _is_difference(spoken, words) or _may_be_overdrawn(subject, whole):
                return
            yield not_negative
            match whole, part:
                case ir.Name(all_of_it), ir.Name(taken) if _are_alike(subject, all_of_it, taken):
                    place = subject.question.place_of.get(taken)
                    said = words if place is None else clause_at(subject, place.start, place.end)
                    yield Bound(f"part:{name}", taken, BoundKind.AT_MOST, said, all_of_it)
        case expression if not _holds(expression, "-"):
            yield not_negative


def _are_alike(subject: Located, name: str, other: str) -> bool:
    """Tell whether two quantities can be of one unit; `8 of them` is of any."""
    units = subject.units[name], subject.units[other]
    return units[0].fits(units[1]) or any(unit == Unit(Quantity.NUMBER) for unit in units)


def _holds(expression: ir.Expr, operator: str) -> bool:
    """Tell whether an expression has an operator, or something else than plain arithmetic."""
    return any(
        isinstance(node, ir.Unary | ir.Call) or (isinstance(node, ir.Binary) and node.operator == operator)
        for _, node in nodes(expression)
    )


def _is_difference(spoken: str, words: str) -> bool:
    """Tell whether a result says by how much one thing exceeds another, which may as well be the other way round."""
    if _LEFT.search(spoken) and not _NEEDED.search(spoken):
        return False
    return _DIFFERENCE.search(f"{spoken} . {words.lower()}") is not None


def _may_be_overdrawn(subject: Located, whole: ir.Expr) -> bool:
    """Tell whether more can be taken from something than there is: from an account, a budget, a credit."""
    places = {name: subject.question.place_of.get(name) for name in ir.names_in_order(whole)}
    words = [name.replace("_", " ") for name in places]
    words += [clause_at(subject, place.start, place.end) for place in places.values() if place is not None]
    return _OVERDRAWN.search(" . ".join(words).lower()) is not None


def _is_counted(subject: Located, entry: TraceEntry, words: str) -> bool:
    """Tell whether a value counts things one by one, of which there are no halves; means and rates do not."""
    unit, spoken = subject.units[entry.variable], entry.variable.replace("_", " ").lower()
    if unit.quantity is not Quantity.COUNT or entry.value.denominator != 1 or unit.noun in _DIVISIBLE or not unit.noun:
        return False
    if _RATE.search(spoken) or _RATE.search(words.lower()):
        return False
    return entry.expression is None or not _holds(entry.expression, "/")


def _is_percentage(subject: Located, entry: TraceEntry) -> bool:
    """Tell whether a number counts hundredths: its place is followed by a percent sign and it is divided by 100."""
    place = subject.question.place_of.get(entry.variable)
    if place is None or not 0 <= entry.value <= 100:
        return False
    return _PERCENT.search(subject.question.text[place.start : place.end + 9]) is not None


def _share(subject: Located, entry: TraceEntry) -> Iterator[Bound]:
    """Yield that a share is not negative and, where it is of a whole rather than of another's quantity, at most all of it."""
    name, place = entry.variable, subject.question.place_of.get(entry.variable)
    if entry.value < 0 or place is None:
        return
    text, words = subject.question.text, clause_at(subject, place.start, place.end)
    yield Bound(f"not-negative:{name}", name, BoundKind.NOT_NEGATIVE, words)
    everything = 1 if place.form.scale == 100 or entry.value <= 1 else 100
    match = _OF_A_WHOLE.match(text, place.end)
    if entry.value > everything or match is None or _OF_ANOTHER.search(words):
        return
    if _WHOSE.search(words[words.find(text[place.end : match.end()]) :]) is None:
        yield Bound(f"at-most-all:{name}", name, BoundKind.AT_MOST, words, everything)
