"""Changes of a question that state one more fact, or a limit, in a sentence of their own, and those that set it against the numbers."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

from generators.flaws.solution.quantity_units import Quantity
from generators.variants.insertion.placement import PlacedStatement
from generators.variants.insertion.quantity_statements import WrittenSentence
from generators.variants.question.input_places import NumberPlace
from generators.variants.question.question_edit import QuestionChange, QuestionEdit, StatedNumber, number_edit
from generators.variants.values.nearby_values import mentioned_values, neighbors_of
from generators.variants.variant_source import VariantSubject, values_of
from harness.constraint_system import Bound, BoundKind, Fact, FactSource
from harness.domain import Exact
from harness.text.lexicon import english
from harness.text.nouns import phrase_at
from harness.text.numbers import LimitSide

LIMIT_PREFIX = "limit_of_"
STATED, RESTATED, LIMIT = "stated", "restated", "limit"
_LIMITS = english("variants").mapping("limiting")
"""The words of a limit by its side and what it limits, things that are counted or what is measured."""
_COMPARING = english("variants").words("comparing")


def near_values(subject: VariantSubject, placed: PlacedStatement) -> list[Exact]:
    """Return the values that a statement could give by mistake."""
    statement = placed.statement
    unit = subject.units[statement.variable]
    return neighbors_of(statement.value, statement.form, unit, mentioned_values(subject))


def true_statement(placed: PlacedStatement, kind: str) -> QuestionChange | None:
    """Return the question with a statement, as the fact `kind:variable`; `None` where the value cannot be written."""
    written = placed.statement.write(placed.statement.value)
    return None if written is None else _statement(placed, written, kind)


def false_statements(subject: VariantSubject, placed: PlacedStatement, kind: str) -> list[QuestionChange]:
    """Return the question with a statement of each wrong value, those as long as the right one if there are any.

    Of what is needed more may be, so that only a smaller value is wrong.
    """
    statement, right = placed.statement, placed.statement.write(placed.statement.value)
    others = [value for value in near_values(subject, placed) if value < statement.value or not statement.tells_need]
    wrong = [sentence for value in others if (sentence := statement.write(value)) is not None]
    alike = [sentence for sentence in wrong if right is not None and len(sentence.text) == len(right.text)]
    return [_statement(placed, sentence, kind) for sentence in alike or wrong]


def limits(subject: VariantSubject, placed: PlacedStatement, side: LimitSide, random: Random) -> list[QuestionChange]:
    """Return the question with a limit of a quantity that it keeps, and with one that it breaks; none where they cannot be written."""
    statement, near = placed.statement, near_values(subject, placed)
    name = statement.variable
    words = limit_words(subject, name, statement.after, side, random)
    before = statement.before.removesuffix("$")
    limited = replace(statement, before=f"{before}{words} {statement.before[len(before) :]}")
    below, above = (
        [value for value in near if value < statement.value],
        [value for value in near if value > statement.value],
    )
    compared = not _COMPARING.isdisjoint(statement.after.split()[:2])
    if compared or not below or not above or f"{LIMIT_PREFIX}{name}" in subject.values:
        return []
    lower, upper = (limited.write(random.choice(values)) for values in (below, above))
    if lower is None or upper is None:
        return []
    bound = limit_bound(name, side)
    kept, broken = (upper, lower) if side is LimitSide.MOST else (lower, upper)
    return [
        _statement(placed, sentence, LIMIT, f"{LIMIT_PREFIX}{name}", replace(bound, words=sentence.text))
        for sentence in (kept, broken)
    ]


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
    subject: VariantSubject,
    stated: QuestionChange,
    places: Iterable[NumberPlace],
    random: Random,
    *,
    most: bool = False,
) -> Iterator[QuestionChange]:
    """Yield changes of one input each that break what a change states, in random order; with `most` only such that what it states is too little."""
    avoided = mentioned_values(subject)
    for place in places:
        if not place.is_own:
            continue
        name = place.variables[0]
        near = neighbors_of(place.value, place.form, subject.units[name], avoided)
        for value in random.sample(near, len(near)):
            edit = number_edit(subject.question.text, place, value)
            if edit is None:
                continue
            change = stated | QuestionChange((edit,), values={name: value})
            system = subject.system_after(change) if stated.is_apart(QuestionChange((edit,))) else None
            if system is None or (values := values_of(system)) is None:
                continue
            fact = next(fact for fact in system.facts if fact.name == stated.stated[0].fact.name)
            own = [system.constraints[number.fact.name] for number in stated.stated]
            if system.violated(values) in [*own, *stated.bounds] and (not most or values[fact.variable] > fact.value):
                yield change
                break


def _statement(
    placed: PlacedStatement, written: WrittenSentence, kind: str, name: str = "", bound: Bound | None = None
) -> QuestionChange:
    """Return the question with a sentence that states the fact `kind:variable` of a variable or of its limit, and sets a bound."""
    variable, end = placed.statement.variable, placed.sentence.end
    edit = QuestionEdit(end, end, "", f" {written.text}")
    fact = Fact(f"{kind}:{variable}", name or variable, written.value, FactSource.TEXT, written.text)
    number = StatedNumber(fact, edit, written.start + 1, written.end + 1)
    return QuestionChange((edit,), stated=(number,), bounds=() if bound is None else (bound,))
