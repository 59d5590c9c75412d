"""The place of a question where a statement of a result can be put in: all that it mentions is known there and unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from generators.variants.insertion.quantity_statements import QuantityStatement, statements_of, words_of
from generators.variants.question.input_places import LocatedQuestion
from generators.variants.question.number_context import clause_around
from generators.variants.variant_proposal import VariantDiscard
from generators.variants.variant_source import VariantSubject
from harness.domain import Exact
from harness.text.lexicon import english
from harness.text.names import proper_names
from harness.text.nouns import FUNCTION_WORDS, singular_of
from harness.text.numbers import NumberMention
from harness.text.sentences import FINITE, Sentence
from harness.text.units import MEASURES, TIMES, WEEKDAYS, factor

_LISTS = english("variants")
KNOWN_TO_ALL: frozenset[Exact] = frozenset(
    {factor("day", "week"), factor("month", "year"), factor("hour", "day"), factor("minute", "hour"), 100}
)
"""Numbers that a problem may use without stating: days of a week, months, hours, minutes, percents."""
_UNITS = TIMES | MEASURES
_COMMON = FUNCTION_WORDS | FINITE | _UNITS | {f"{unit}s" for unit in _UNITS} | _LISTS.words("common")
_ASKS = re.compile(rf"\b(?:{_LISTS.either('asks')})\b", re.IGNORECASE)
_ENDINGS = re.compile(r"(?:['’]s?|ies|ied|ying|es|ed|ing|ers|er|s|y|e)$")
_CAPITAL = re.compile(r"[A-Z][A-Za-z]+")
_ALL, _NOW, _COMPARING = _LISTS.words("everything"), _LISTS.words("now"), _LISTS.words("comparing")
_HAVING = frozenset({"had", "has", "have"})
_FAMILIES = (frozenset({"he", "his", "him", "himself"}), frozenset({"she", "her", "hers", "herself"}))
_PLURAL = frozenset({"they", "their", "them", "theirs", "themselves"})
_UNIT = re.compile(r"^ [A-Za-z]+")
_DANGLING = re.compile(r"\b(?:more|less|fewer)(?: for [^.]*)?\.$")
"""A comparison with nothing: `He ran 9 miles more.`"""


def stem(word: str) -> str:
    """Return a word without its ending, enough to find it again in other sentences."""
    bare = _ENDINGS.sub("", re.sub(r"['’]s?$", "", word)) if len(word) > 3 else word
    return bare[:-1] if len(bare) > 3 and bare[-1] == bare[-2] else bare


_ASKED = {stem("number"): stem("many"), stem("amount"): stem("much")}


@dataclass(frozen=True, slots=True)
class PlacedStatement:
    """A statement and the sentence after which it can stand."""

    statement: QuantityStatement
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class UnplacedStatement:
    """Why a statement of a variable has no place."""

    variable: str
    discard: VariantDiscard
    detail: str = ""


def placed_statements(subject: VariantSubject) -> list[PlacedStatement | UnplacedStatement]:
    """Return the statements that the solution makes of its intermediate results, in order."""
    known = {stem(word) for word in words_of(subject.question.text)}
    return [_placed(subject, statement, known) for statement in statements_of(subject.source).values()]


def asks(sentence: Sentence) -> bool:
    """Tell whether a sentence asks for something, be it in its second half."""
    return sentence.asks or _ASKS.search(sentence.text) is not None


def _placed(
    subject: VariantSubject, statement: QuantityStatement, known: set[str]
) -> PlacedStatement | UnplacedStatement:
    question, name = subject.question, statement.variable
    strange = _strange_words(f"{statement.before}{statement.after}", question.text, known)
    if strange or _DANGLING.search(statement.after):
        return UnplacedStatement(name, VariantDiscard.GRAMMAR, strange[0] if strange else statement.after)
    given = _mentions_of(subject, _inputs_below(subject, name))
    told = _completing(question, given) if given else None
    right = statement.write(statement.value)
    if given is None or told is None or right is None:
        return UnplacedStatement(name, VariantDiscard.UNLOCATED)
    if not _can_follow(question, told, right.text, given):
        return UnplacedStatement(name, VariantDiscard.NO_PLACE, right.text)
    timeless = _spans_time(subject, name) and not _names_period(f"{statement.before} {_UNIT.sub('', statement.after)}")
    if timeless or _is_already_stated(question, right.text) or _prices_many(subject, name, right.text):
        return UnplacedStatement(name, VariantDiscard.STALE, right.text)
    return PlacedStatement(statement, told)


def _strange_words(words: str, text: str, known: set[str]) -> list[str]:
    """Return the words of a statement that are neither common nor of its problem, and its names that the problem does not have."""
    capitals = set(_CAPITAL.findall(text))
    unknown = [word for word in words_of(words) if word not in _COMMON and stem(word) not in known]
    return unknown + [
        match[0]
        for match in _CAPITAL.finditer(words)
        if match[0] not in capitals
        and (match.start() or (match[0].lower() not in _COMMON and stem(match[0].lower()) not in known))
    ]


def _inputs_below(subject: VariantSubject, variable: str) -> list[str]:
    """Return the inputs that a variable is computed from, in the order of the trace."""
    trace = subject.source.trace
    return [entry.variable for entry in subject.source.inputs if variable in trace.descendants(entry.variable)]


def _mentions_of(subject: VariantSubject, variables: Iterable[str]) -> list[list[NumberMention]] | None:
    """Return the numbers of the question that may give each of some inputs; `None` where one of them is nowhere given.

    World knowledge, such as the seven days of a week, need not be given.
    """
    question, given = subject.question, []
    for name in variables:
        value = subject.values[name]
        meant = [mention for mention in question.mentions if value in mention.readings]
        place = question.place_of.get(name)
        if place is not None:
            meant = [mention for mention in meant if mention.start < place.end and place.start < mention.end]
        if meant:
            given.append(meant)
        elif value not in KNOWN_TO_ALL:
            return None
    return given


def _completing(question: LocatedQuestion, given: Sequence[Sequence[NumberMention]]) -> Sentence | None:
    """Return the sentence that completes what is given; `None` where no sentence before what is asked does."""
    last = []
    for meant in given:
        holding = [
            sentence
            for sentence in question.sentences
            if not asks(sentence) and any(sentence.start <= mention.start < sentence.end for mention in meant)
        ]
        if not holding:
            return None
        last.append(holding[-1])
    completing = max(last, key=lambda sentence: sentence.start)
    return completing if completing.text.endswith((".", "!")) else None


def _can_follow(
    question: LocatedQuestion, sentence: Sentence, statement: str, given: Sequence[Sequence[NumberMention]]
) -> bool:
    """Tell whether a statement of what is given can stand after a sentence, and is then about nothing else.

    Where that sentence counts something else after what the statement is about, or the statement says what somebody has
    by then, a word of it must be about its own numbers only. A statement of a total, or of what is left, must be about all
    numbers so far.
    """
    own = {mention.start for meant in given for mention in meant}
    told = [mention for mention in question.mentions if mention.start < sentence.end]
    others = [mention for mention in told if mention.start not in own]
    words = frozenset(words_of(statement))
    if not words.isdisjoint(_ALL | _NOW) and others:
        return False
    last = max((mention.start for mention in told if mention.start in own), default=0)
    if any(other.start > max(last, sentence.start) for other in others) or (others and not words.isdisjoint(_HAVING)):
        said = {stem(word) for mention in told if mention.start in own for word in _clause_words(question, mention)}
        elsewhere = {stem(word) for mention in others for word in _clause_words(question, mention)}
        if {stem(word) for word in words if word not in _COMMON}.isdisjoint(said - elsewhere):
            return False
    return _pronouns_are_clear(question, sentence, statement)


def _is_already_stated(question: LocatedQuestion, statement: str) -> bool:
    """Tell whether a clause of the question says the same words with a number of its own, or asks for them.

    The statement would be heard as that: `She spends 35 minutes cooking` in a week as another number, where the problem says that
    she spends five minutes cooking a day.
    """
    meant = {stem(word) for word in words_of(statement) if word not in FUNCTION_WORDS}
    for mention in question.mentions:
        clause = _clause_words(question, mention)
        if clause.isdisjoint(_COMPARING) and meant <= {stem(word) for word in clause}:
            return True
    asked = {_ASKED.get(word, word) for word in meant}
    return any(
        asked <= {stem(word) for word in words_of(sentence.text)} for sentence in question.sentences if asks(sentence)
    )


def _clause_words(question: LocatedQuestion, mention: NumberMention) -> frozenset[str]:
    """Return the words of the clause around a number, in lower case."""
    return frozenset(words_of(question.text[slice(*clause_around(question.text, mention.start, mention.end))]))


def _spans_time(subject: VariantSubject, variable: str) -> bool:
    """Tell whether a variable is worked out by multiplying with a length of time: it is then what comes of a whole period."""
    entry = subject.source.trace.by_name[variable]
    if "*" not in entry.code:
        return False
    if not {str(value) for value in (*KNOWN_TO_ALL, 30, 31, 52, 365)}.isdisjoint(re.findall(r"\d+", entry.code)):
        return True
    return any(
        subject.units[name].noun in TIMES
        or (subject.values[name] in KNOWN_TO_ALL and name not in subject.question.place_of)
        for name in entry.reads
    )


def _names_period(statement: str) -> bool:
    """Tell whether a statement says for which period it holds, or that it is about everything."""
    periods = TIMES | _ALL | {day.lower() for day in WEEKDAYS}
    return not {stem(word) for word in periods}.isdisjoint(stem(word) for word in words_of(statement))


def _prices_many(subject: VariantSubject, variable: str, statement: str) -> bool:
    """Tell whether a statement calls what several things come to a price, or names one of them: `Shower gel costs $16` of four for $4 each."""
    if "*" not in subject.source.trace.by_name[variable].code:
        return False
    words, asked = words_of(statement), frozenset(words_of(subject.question.text))
    several = {singular for word in asked if (singular := singular_of(word))} - asked
    return "price" in words or not several.isdisjoint(words)


def _pronouns_are_clear(question: LocatedQuestion, sentence: Sentence, statement: str) -> bool:
    """Tell whether the pronouns of a statement after a sentence can only mean whom they mean in the problem."""
    words, before, every = words_of(statement), words_of(sentence.text), frozenset(words_of(question.text))
    if "it" in words or "its" in words:
        return False
    names = proper_names(question.text)
    for place, word in enumerate(words):
        if word in _PLURAL:
            return not _PLURAL.isdisjoint(before) or (place > 2 and word == "their")
        family = next((family for family in _FAMILIES if word in family), None)
        if family is None or any(other in names for other in words[:place]):
            continue
        others = {other for rest in _FAMILIES if rest is not family for other in rest}
        if len(names) > 1 and (family.isdisjoint(before) or any(name in before for name in names)):
            return False
        if family.isdisjoint(every) or (not others.isdisjoint(every) and family.isdisjoint(before)):
            return False
    return True
