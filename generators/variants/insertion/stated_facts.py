"""Changes of a question that state one more fact, or a limit, in a sentence of their own, and those that set it against the numbers."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random

from generators.flaws.solution.quantity_units import Quantity
from generators.variants.input_places import NumberPlace
from generators.variants.insertion.quantity_statements import QuantityStatement
from generators.variants.question_edit import QuestionChange, QuestionEdit, StatedNumber, number_edit
from generators.variants.values.nearby_values import mentioned_values, neighbors_of
from generators.variants.variant_source import VariantSubject, values_of
from harness.constraint_system import Bound, BoundKind, Fact, FactSource, allows
from harness.domain import Exact
from harness.text.lexicon import english
from harness.text.nouns import phrase_at
from harness.text.numbers import LimitSide

LIMIT_PREFIX = "limit_of_"
STATED, RESTATED, LIMIT = "stated", "restated", "limit"
_LIMITS = english("variants").mapping("limiting")
"""The words of a limit by its side and what it limits, things that are counted or what is measured."""
_COMPARING = english("variants").words("comparing")


def near_values(subject: VariantSubject, statement: QuantityStatement) -> list[Exact]:
    """Return the values that a statement could give by mistake."""
    unit = subject.units[statement.variable]
    return neighbors_of(statement.value, statement.form, unit, mentioned_values(subject))


def stated(
    statement: QuantityStatement, value: Exact, kind: str, *, name: str = "", bound: Bound | None = None
) -> QuestionChange | None:
    """Return the question with a sentence that states a value of a variable, or of its limit `name`, which sets a bound.

    The fact is `kind:variable`. There is none where the value cannot be written.
    """
    end, number = statement.end, statement.number(value)
    if number is None:
        return None
    text, start = f"{statement.before}{number}{statement.after}", len(statement.before) + 1
    edit = QuestionEdit(end, end, "", f" {text}")
    fact = Fact(f"{kind}:{statement.variable}", name or statement.variable, value, FactSource.TEXT, text)
    bounds = () if bound is None else (replace(bound, words=text),)
    return QuestionChange((edit,), stated=(StatedNumber(fact, edit, start, start + len(number)),), bounds=bounds)


def false_statements(
    subject: VariantSubject, statement: QuantityStatement, right: QuestionChange, kind: str
) -> list[QuestionChange]:
    """Return the question with a statement of each wrong value, those as long as the right one if there are any."""
    changes = (stated(statement, value, kind) for value in near_values(subject, statement))
    wrong = [change for change in changes if change is not None]
    length = len(right.edits[0].after)
    return [change for change in wrong if len(change.edits[0].after) == length] or wrong


def limits(
    subject: VariantSubject, statement: QuantityStatement, side: LimitSide, random: Random
) -> list[QuestionChange]:
    """Return the question with a limit of a quantity that it keeps, and with one that it breaks; none where they cannot be written."""
    near, name = near_values(subject, statement), statement.variable
    words = limit_words(subject, name, statement.after, side, random)
    before = statement.before.removesuffix("$")
    limited = replace(statement, before=f"{before}{words} {statement.before[len(before) :]}")
    below = [value for value in near if value < statement.value]
    above = [value for value in near if value > statement.value]
    compared = not _COMPARING.isdisjoint(statement.after.split()[:2])
    if compared or not below or not above or f"{LIMIT_PREFIX}{name}" in subject.values:
        return []
    drawn, bound = [random.choice(values) for values in (below, above)], limit_bound(name, side)
    made = [stated(limited, value, LIMIT, name=f"{LIMIT_PREFIX}{name}", bound=bound) for value in drawn]
    changes = [change for change in made if change is not None]
    return [] if len(changes) < len(made) else changes[::-1] if side is LimitSide.MOST else changes


def limit_words(subject: VariantSubject, name: str, after: str, side: LimitSide, random: Random) -> str:
    """Return the words of a limit before a number; `fewer` wants the things after it: a camel is less than 296 tall in inches."""
    counted = subject.units[name].quantity is Quantity.COUNT and phrase_at(after, 0) is not None
    words: list[str] = _LIMITS[f"{side}-{'counted' if counted else 'measured'}"]
    return random.choice(words)


def limit_bound(name: str, side: LimitSide) -> Bound:
    """Return the bound that the limit of a variable sets."""
    limit = f"{LIMIT_PREFIX}{name}"
    least, most = (name, limit) if side is LimitSide.MOST else (limit, name)
    return Bound(f"{side}:{name}", least, BoundKind.AT_MOST, "", most)


def clashing_inputs(
    subject: VariantSubject, kept: QuestionChange, places: Iterable[NumberPlace], random: Random
) -> Iterator[QuestionChange]:
    """Yield changes of one input each that break what a change states, in random order."""
    avoided = mentioned_values(subject)
    for place in (place for place in places if place.is_own):
        near = neighbors_of(place.value, place.form, subject.units[place.variables[0]], avoided)
        yield from islice(breaking_changes(subject, kept, place, random.sample(near, len(near))), 1)


def breaking_changes(
    subject: VariantSubject, kept: QuestionChange, place: NumberPlace, values: Iterable[Exact]
) -> Iterator[QuestionChange]:
    """Yield a change and one of an input beside it, to each of the values that break a fact or a bound of the change."""
    for value in values:
        edit = number_edit(subject.question.text, place, value)
        other = None if edit is None else QuestionChange((edit,), values={place.variables[0]: value})
        if other is None or not kept.is_apart(other):
            continue
        system = subject.system_after(kept | other)
        worked = None if system is None else values_of(system)
        if worked is not None:
            stated_right = all(worked[number.fact.variable] == number.fact.value for number in kept.stated)
            if not stated_right or not all(allows(bound, worked) for bound in kept.bounds):
                yield kept | other
