"""Contradictory variants in which one of several numbers that state the same fact is changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.formalizations.written_numbers import is_quantity
from generators.variants.question.input_places import LocatedQuestion
from generators.variants.question.number_replacement import other_form
from generators.variants.question.question_edit import EditedQuestion, QuestionEdit
from generators.variants.values.nearby_values import mentioned_values, neighbors_of
from generators.variants.variant_operator import VariantExample, variant_operator
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantProposal, VariantResult
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Fact, FactSource, ProblemClass
from harness.domain import Exact
from harness.text.lexicon import english
from harness.text.nouns import phrase_at
from harness.text.numbers import NumberMention
from harness.text.units import MEASURES, TIMES

NAME = "redundant_fact"
MOST_VALUES = 3
SMALL = 10
"""Numbers up to this may be those of other things, however near."""
_LISTS = english("variants")
_DETERMINED = re.compile(rf"\b(?:{_LISTS.either('determined')})\s$", re.IGNORECASE)
_ALL_OF_IT = re.compile(rf"\b(?:{_LISTS.either('all_of_it')})\b", re.IGNORECASE)
_ELSE = re.compile(r"[^.?!]{0,24}\b(?:now|instead|else|another|more|new)\b")
_TOGETHER = re.compile(r"\b(?:both|each|together|combined)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Redundancy:
    """A number of the question that states the value of a variable again, after the `first` number that does, or as a result."""

    mention: NumberMention
    variable: str
    noun: str
    first: NumberMention | None = None


@variant_operator(
    NAME,
    problem_class=ProblemClass.CONTRADICTORY,
    examples=(
        VariantExample(
            "# L1\nsongs = 3 # 3 songs\nhours_per_song = 8 # 8 hours\nhours = songs * hours_per_song\n"
            "# L2\npay = 20 # 20 dollars\nearned = hours * pay",
            "Mia writes 3 songs. Each takes her 8 hours, at $20 an hour. What does she earn with the 3 songs?",
            (
                "Mia writes 3 songs. Each takes her 8 hours, at $20 an hour. What does she earn with the four songs?",
                "Mia writes 3 songs. Each takes her 8 hours, at $20 an hour. What does she earn with the three songs?",
            ),
        ),
        VariantExample(
            "# L1\napples = 15 # 15 apples\noranges = 23 # 23 oranges\nfruits = apples + oranges\n"
            "# L2\nprice = 2 # 2 dollars\ncost = fruits * price",
            "Ann has 15 apples and 23 oranges, so she has a total of 38 fruits. A fruit costs $2. What do they cost?",
            (
                "Ann has 15 apples and 23 oranges, so she has a total of thirty-nine fruits. A fruit costs $2. What do they cost?",
                "Ann has 15 apples and 23 oranges, so she has a total of thirty-eight fruits. A fruit costs $2. What do they cost?",
            ),
        ),
    ),
)
def redundant_fact(subject: VariantSubject, random: Random) -> Iterator[VariantResult]:
    """Change a number that says again what the rest of the problem gives; the twin writes the right value in the same form."""
    redundancies = list(_redundancies(subject))
    for redundancy in redundancies:
        yield from _variants(subject, redundancy, random)
    if not redundancies:
        yield DiscardedVariant(NAME, subject.source.final, VariantDiscard.NO_PLACE)


def _redundancies(subject: VariantSubject) -> Iterator[_Redundancy]:
    """Yield the numbers that say another number of the question again, `the 3 songs`, or a result, `the other 5`, `a total of 38`."""
    question = subject.question
    for mention in question.mentions:
        value = mention.readings[0]
        if value.denominator != 1 or value <= 1 or " " in mention.text or not is_quantity(question.text, mention):
            continue
        phrase = phrase_at(question.text, mention.end)
        noun = "" if phrase is None else phrase.noun
        if noun in MEASURES | TIMES or _ELSE.match(question.text, mention.end):
            continue
        first = _first_number(question, noun, mention)
        variable = None if first is None else _common_variable(subject, noun, first, mention)
        if first is not None and variable is not None:
            yield _Redundancy(mention, variable, noun, first)
        elif first is None and mention in question.loose:
            yield from _results(subject, noun, mention)


def _results(subject: VariantSubject, noun: str, mention: NumberMention) -> Iterator[_Redundancy]:
    """Yield a result of the solution that a number states as the rest or the total of what the question gives."""
    named = [name for name, value in subject.values.items() if value == mention.readings[0]]
    words = subject.question.text[: mention.start].rpartition(". ")[2]
    if len(named) != 1 or _ALL_OF_IT.search(words) is None:
        return
    is_result = subject.source.trace.by_name[named[0]].expression is not None
    if is_result and (not noun or subject.units[named[0]].noun in {noun, ""}):
        yield _Redundancy(mention, named[0], noun)


def _first_number(question: LocatedQuestion, noun: str, again: NumberMention) -> NumberMention | None:
    """Return the number of some things that a later one can only repeat: no third number counts them, nor do two count them together."""
    sentence = question.sentence_at(again.start)
    if sentence is not None and sentence.asks and _TOGETHER.search(sentence.text):
        return None
    counting = [
        mention
        for mention in question.mentions
        if noun and (phrase := phrase_at(question.text, mention.end)) is not None and phrase.noun == noun
    ]
    repeats = len(counting) == 2 and counting[1] == again and counting[0].readings[0] == again.readings[0]
    return counting[0] if repeats and _DETERMINED.search(question.text[: again.start]) else None


def _common_variable(subject: VariantSubject, noun: str, first: NumberMention, again: NumberMention) -> str | None:
    """Return the input that one of two numbers gives, or a variable of their own where the solution needs none."""
    places = [
        place
        for place in subject.question.places
        if any(place.start < mention.end and mention.start < place.end for mention in (first, again))
    ]
    if not places:
        name = f"number_of_{noun}"
        return None if name in subject.values else name
    usable = len(places) == 1 and places[0].rewritable and len(places[0].variables) == 1
    return places[0].variables[0] if usable and places[0].value == first.readings[0] else None


def _variants(subject: VariantSubject, redundancy: _Redundancy, random: Random) -> Iterator[VariantResult]:
    mention, value = redundancy.mention, redundancy.mention.readings[0]
    form, avoided = other_form(subject.question.text, mention), frozenset({value})
    unit = Unit(Quantity.COUNT, redundancy.noun)
    others = (
        []
        if form is None
        else neighbors_of(value, form, unit, avoided if value <= SMALL else mentioned_values(subject))
    )
    # Of 4 stores, `the two stores` may be two.
    others = [other for other in others if other > 1 and (redundancy.first is None or other > value)]
    right = None if form is None else form.write(value)
    if form is None or right is None or not others:
        yield DiscardedVariant(NAME, redundancy.variable, VariantDiscard.UNWRITABLE, mention.text)
        return
    for wrong in random.sample(others, min(MOST_VALUES, len(others))):
        variant = _proposal(subject, redundancy, form.write(wrong) or "", wrong)
        yield variant
        yield replace(_proposal(subject, redundancy, right, value), twin=variant.text)


def _proposal(subject: VariantSubject, redundancy: _Redundancy, written: str, value: Exact) -> VariantProposal:
    """Return the problem in which the second number says a value."""
    question, name, right = subject.question, redundancy.variable, redundancy.mention.readings[0]
    edit = QuestionEdit(redundancy.mention.start, redundancy.mention.end, redundancy.mention.text, written)
    edited = EditedQuestion(question.text, (edit,))

    def stated(kind: str, mention: NumberMention, number: Exact) -> Fact:
        span = edited.moved(mention.start, mention.end) or edited.inserted_span(edit)
        words = question.words_at(mention.start, mention.end)
        return Fact(f"{kind}:{name}", name, number, FactSource.TEXT, words, span)

    facts = [
        edited.moved_fact(fact) for fact in subject.system.facts if redundancy.first is None or fact.variable != name
    ]
    if redundancy.first is not None:
        facts.append(stated("fact", redundancy.first, right))
    facts.append(stated("again", redundancy.mention, value))
    wrong = value != right
    return VariantProposal(
        subject,
        NAME,
        ProblemClass.CONTRADICTORY if wrong else ProblemClass.SOLVABLE,
        edited.edits,
        replace(subject.system, facts=tuple(facts)),
        clash=(f"again:{name}",) if wrong else (),
        redundant=f"again:{name}" if name in subject.values else None,
    )
