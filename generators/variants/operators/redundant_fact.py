"""Contradictory variants in which one of several numbers that state the same fact is changed."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.variants.near_twins import NearTwins
from generators.variants.question_edit import QuestionChange, QuestionEdit, StatedNumber, other_form
from generators.variants.values.nearby_values import mentioned_values, neighbors_of
from generators.variants.variant_operator import (
    DiscardedVariant,
    VariantDiscard,
    VariantExample,
    VariantResult,
    variant_operator,
)
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Fact, FactSource, ProblemClass
from harness.domain import Exact
from harness.text.lexicon import english
from harness.text.nouns import phrase_at
from harness.text.number_forms import is_quantity
from harness.text.numbers import NumberMention
from harness.text.units import MEASURES, TIMES

NAME = "redundant_fact"
MOST_VALUES = 3
SMALL = 10
"""Numbers up to this may be those of other things, however near."""
_DETERMINED = english("variants").pattern("determined", r"\b", r"\s$")


@dataclass(frozen=True, slots=True)
class _Redundancy:
    """A number of the question, `again`, that states the value of a variable that the `first` one stated."""

    again: NumberMention
    variable: str
    noun: str
    first: NumberMention


@variant_operator(
    NAME,
    VariantExample(
        "# L1\nsongs = 3 # 3 songs\nhours_per_song = 8 # 8 hours\nhours = songs * hours_per_song\n"
        "# L2\npay = 20 # 20 dollars\nearned = hours * pay",
        "Mia writes 3 songs. Each takes her 8 hours, at $20 an hour. What does she earn with the 3 songs?",
        (
            "Mia writes 3 songs, and each takes her 8 hours (exactly 8), at $20 an hour. What does she earn with the four songs?",
            "Mia writes 3 songs, and each takes her 8 hours (exactly 8), at $20 an hour. What does she earn with the three songs?",
        ),
    ),
    problem_class=ProblemClass.CONTRADICTORY,
)
def redundant_fact(subject: VariantSubject, random: Random) -> Iterator[VariantResult]:
    """Change a number that says another one again, `the 3 songs`; the twin writes the right value in the same form."""
    for redundancy in _redundancies(subject):
        yield from _variants(subject, redundancy, random)


def _redundancies(subject: VariantSubject) -> Iterator[_Redundancy]:
    """Yield the two numbers of some things where no third one counts them, and the later one says that they are known."""
    text, counting = subject.question.text, dict[str, list[NumberMention]]()
    for mention in subject.question.mentions:
        phrase = phrase_at(text, mention.end)
        if phrase is not None and phrase.noun not in MEASURES | TIMES and is_quantity(text, mention):
            counting.setdefault(phrase.noun, []).append(mention)
    for noun, mentions in counting.items():
        first, again, value = mentions[0], mentions[-1], mentions[-1].readings[0]
        variable = _common_variable(subject, noun, first, again)
        whole = value.denominator == 1 and value > 1 and " " not in again.text and first.readings[0] == value
        if len(mentions) == 2 and whole and _DETERMINED.search(text[: again.start]) and variable is not None:
            yield _Redundancy(again, variable, noun, first)


def _common_variable(subject: VariantSubject, noun: str, first: NumberMention, again: NumberMention) -> str | None:
    """Return the input that one of two numbers gives, or a variable of their own where the solution needs none."""
    spans, known = [(mention.start, mention.end) for mention in (first, again)], subject.question.places
    places = [place for place in known if any(place.start < end and start < place.end for start, end in spans)]
    if not places:
        name = f"number_of_{noun}"
        return None if name in subject.values else name
    usable = len(places) == 1 and places[0].rewritable and len(places[0].variables) == 1
    return places[0].variables[0] if usable and places[0].value == first.readings[0] else None


def _variants(subject: VariantSubject, redundancy: _Redundancy, random: Random) -> Iterator[VariantResult]:
    value, form = redundancy.again.readings[0], other_form(subject.question.text, redundancy.again)
    avoided = frozenset({value}) if value <= SMALL else mentioned_values(subject)
    likely = [] if form is None else neighbors_of(value, form, Unit(Quantity.COUNT, redundancy.noun), avoided)
    # Of 4 stores, `the two stores` may be two.
    others = [other for other in likely if other > value]
    if form is None or not others:
        yield DiscardedVariant(NAME, redundancy.variable, VariantDiscard.UNWRITABLE, redundancy.again.text)
        return
    twins = NearTwins(subject, NAME, random)
    for wrong in random.sample(others, min(MOST_VALUES, len(others))):
        yield from twins.clashing(*(_change(redundancy, form.write(number) or "", number) for number in (wrong, value)))


def _change(redundancy: _Redundancy, written: str, value: Exact) -> QuestionChange:
    again, first, name = redundancy.again, redundancy.first, redundancy.variable
    edit, right = QuestionEdit(again.start, again.end, again.text, written), first.readings[0]
    told = Fact(f"fact:{name}", name, right, FactSource.TEXT, "")
    said = Fact(f"again:{name}", name, value, FactSource.TEXT, "")
    stated = (StatedNumber(told, None, first.start, first.end), StatedNumber(said, edit, 0, len(written)))
    return QuestionChange((edit,), gone=frozenset({name}), stated=stated)
