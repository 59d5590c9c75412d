"""Positions in a question where a statement can be inserted: all that it mentions is known there and unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from generators.variants.question.allowed_words import COMMON, stem, words_of
from generators.variants.question.input_places import LocatedQuestion
from generators.variants.variant_source import VariantSubject
from harness.domain import Exact
from harness.text.lexicon import word_lists
from harness.text.names import proper_names
from harness.text.nouns import singular_of
from harness.text.numbers import NumberMention
from harness.text.sentences import Sentence
from harness.text.units import CALENDAR_NAMES, TIMES, WEEKDAYS, factor

_LISTS = word_lists(__file__)

KNOWN_TO_ALL: frozenset[Exact] = frozenset(
    {factor("day", "week"), factor("month", "year"), factor("hour", "day"), factor("minute", "hour"), 100}
)
"""Numbers that a problem may use without stating: days of a week, months, hours, minutes, percents."""
_ALL = _LISTS.words("all")
_NOW = _LISTS.words("now")
_HAVING = frozenset({"had", "has", "have"})
_FAMILIES = (frozenset({"he", "his", "him", "himself"}), frozenset({"she", "her", "hers", "herself"}))
_PLURAL = frozenset({"they", "their", "them", "theirs", "themselves"})
_DATES = CALENDAR_NAMES | _LISTS.words("dates")


_ASKS = re.compile(
    r"\b(?:calculate|determine|compute|figure out|how (?:many|much|long|far|old|tall|often|fast)|what|find (?:the|out|how))\b",
    re.IGNORECASE,
)


def asks(sentence: Sentence) -> bool:
    """Tell whether a sentence asks for something, be it in its second half."""
    return sentence.asks or _ASKS.search(sentence.text) is not None


def inputs_below(subject: VariantSubject, variable: str) -> list[str]:
    """Return the inputs that a variable is computed from, in the order of the trace."""
    by_name = subject.source.trace.by_name
    reached, names = [variable], set()
    while reached:
        for name in by_name[reached.pop()].reads:
            if name not in names:
                names.add(name)
                reached.append(name)
    return [entry.variable for entry in subject.source.inputs if entry.variable in names]


def mentions_of(subject: VariantSubject, variables: Iterable[str]) -> list[list[NumberMention]] | None:
    """Return the numbers of the question that may give each of some inputs; `None` where one of them is nowhere given.

    World knowledge, such as the seven days of a week, need not be given.
    """
    question, given = subject.question, []
    for name in variables:
        entry = subject.source.trace.by_name[name]
        meant = [mention for mention in question.mentions if entry.value in mention.readings]
        place = question.place_of.get(name)
        if place is not None:
            meant = [mention for mention in meant if mention.start < place.end and place.start < mention.end]
        if meant:
            given.append(meant)
        elif entry.value not in KNOWN_TO_ALL:
            return None
    return given


def can_follow(
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
    heard = any(other.start > max(last, sentence.start) for other in others) or (
        others and not words.isdisjoint(_HAVING)
    )
    if heard and not _is_distinct(question, statement, [mention for mention in told if mention.start in own], others):
        return False
    return refers(question, sentence, statement)


def _is_distinct(
    question: LocatedQuestion, statement: str, own: Sequence[NumberMention], others: Sequence[NumberMention]
) -> bool:
    """Tell whether a statement has a word that is said of one of its own numbers, and of no other number."""
    words = {stem(word) for word in words_of(statement) if word not in COMMON}
    said = {stem(word) for mention in own for word in words_of(_clause_around(question.text, mention))}
    elsewhere = {stem(word) for mention in others for word in words_of(_clause_around(question.text, mention))}
    return not words.isdisjoint(said - elsewhere)


_COMPARING = _LISTS.words("comparing")
_EMPTY = _LISTS.words("empty")
_ASKED = {stem("number"): stem("many"), stem("amount"): stem("much")}
_PERIOD = frozenset(stem(word) for word in (*_LISTS.ordered("period"), *(day.lower() for day in WEEKDAYS)))
_CLAUSE_END = re.compile(r"[,;:.!?]| (?:and|but|while|or|if) ")


def is_already_stated(question: LocatedQuestion, statement: str) -> bool:
    """Tell whether a clause of the question says the same words with a number of its own, or asks for them.

    The statement would be heard as that: `She spends 35 minutes cooking` in a week as another number, where the problem says that
    she spends five minutes cooking a day.
    """
    words = words_of(statement)
    meant = {_bare(word) for word in words if word not in _EMPTY}
    for mention in question.mentions:
        clause = frozenset(words_of(_clause_around(question.text, mention)))
        if clause.isdisjoint(_COMPARING) and meant <= {_bare(word) for word in clause}:
            return True
    asked = {_ASKED.get(word, word) for word in meant}
    return any(
        asked <= {_bare(word) for word in words_of(sentence.text)} for sentence in question.sentences if asks(sentence)
    )


def _bare(word: str) -> str:
    """Return the stem of a word, of an owner's without the genitive: `the computer's cost` is what the computer cost."""
    return stem(re.sub(r"['’]s$|(?<=s)['’]$", "", word))


def _clause_around(text: str, mention: NumberMention) -> str:
    start = max((match.end() for match in _CLAUSE_END.finditer(text, 0, mention.start)), default=0)
    end = next((match.start() for match in _CLAUSE_END.finditer(text, mention.end)), len(text))
    return text[start:end]


def spans_time(subject: VariantSubject, variable: str) -> bool:
    """Tell whether a variable is worked out by multiplying with a length of time: it is then what comes of a whole period."""
    entry = subject.source.trace.by_name[variable]
    if "*" not in entry.code:
        return False
    constants = {"7", "12", "24", "30", "31", "52", "60", "365"}
    if not constants.isdisjoint(re.findall(r"\d+", entry.code)):
        return True
    return any(
        subject.units[name].noun in TIMES
        or (subject.values[name] in KNOWN_TO_ALL and name not in subject.question.place_of)
        for name in entry.reads
    )


def prices_many(subject: VariantSubject, variable: str, statement: str) -> bool:
    """Tell whether a statement calls what several things come to a price, or names one of them: `Shower gel costs $16` of four for $4 each."""
    if "*" not in subject.source.trace.by_name[variable].code:
        return False
    words, asked = words_of(statement), frozenset(words_of(subject.question.text))
    several = {singular for word in asked if (singular := singular_of(word))} - asked
    return "price" in words or not several.isdisjoint(words)


def names_period(statement: str) -> bool:
    """Tell whether a statement says for which period it holds, or that it is about everything."""
    return not _PERIOD.isdisjoint(stem(word) for word in words_of(statement))


def refers(question: LocatedQuestion, sentence: Sentence, statement: str) -> bool:
    """Tell whether the pronouns of a statement after a sentence can only mean whom they mean in the problem."""
    words = words_of(statement)
    if "it" in words or "its" in words:
        return False
    named = proper_names(statement) | _names_at_start(statement)
    before = words_of(question.text[sentence.start : sentence.end])
    for place, word in enumerate(words):
        if word in _PLURAL:
            return not _PLURAL.isdisjoint(before) or (place > 2 and word == "their")
        family = next((words for words in _FAMILIES if word in words), None)
        if family is None:
            continue
        if named and place > 0 and any(other in named for other in words[:place]):
            continue
        everybody = _everybody(question)
        others = {other for words in _FAMILIES if words is not family for other in words}
        all_words = frozenset(words_of(question.text))
        if len(everybody) > 1 and (family.isdisjoint(before) or any(name in before for name in everybody)):
            return False
        if family.isdisjoint(all_words) or (not others.isdisjoint(all_words) and family.isdisjoint(before)):
            return False
    return True


def _everybody(question: LocatedQuestion) -> frozenset[str]:
    """Return the names of a question, those that only stand at the start of a sentence too."""
    names = set(proper_names(question.text))
    for sentence in question.sentences:
        for match in _OPENING.finditer(sentence.text):
            word = match[1].lower()
            if word not in COMMON and not re.search(rf"\b{re.escape(word)}\b", question.text):
                names.add(word)
    return frozenset(names) - _DATES


_OPENING = re.compile(r"(?:^|\band |^[A-Z][a-z]+ )([A-Z][a-z]+)(?=['’]s\b| and\b| [a-z]+(?:s|d|t|n)?\b)")


def _names_at_start(text: str) -> frozenset[str]:
    match = re.match(r"([A-Z][a-z]+)\b", text)
    return frozenset() if match is None or match[1].lower() in COMMON else frozenset({match[1].lower()})
