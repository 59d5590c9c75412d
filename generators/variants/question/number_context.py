"""The clause that a number of a question stands in, and whether it states the number, and exactly."""

from generators.variants.question.input_places import LocatedQuestion, NumberPlace
from harness.text.lexicon import english
from harness.text.nouns import phrase_at
from harness.text.numbers import mentions
from harness.text.sentences import sentences_of
from harness.text.words import plain_words

_LISTS = english("variants")
_CLAUSE_END = _LISTS.pattern("clause_joint", r"[,;:](?=\s)\s*|\s(?=", r"\s)")
_CONDITION = _LISTS.pattern("condition", r"\b", r"\b")
_ASKING = _LISTS.pattern("asking", r"\b", r"\b")
UNSURE_BEFORE = _LISTS.pattern("unsure_before", r"\b", r"\s\$?$")
"""What stands before a number that is not said by itself: `more than 12`, `up to 12`."""
_INEXACT = _LISTS.words("inexact")
"""Words around a number that is not said exactly: `at least 12`, `12 boxes or more`."""


def clause_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the clause begins and ends that a number of a text stands in, without the mark at its end.

    A word such as `and` with numbers on one side only joins no clauses: `Ann and Tom have 5 pens`, `5 rows of parsley and rosemary`.
    """
    sentence = next((part for part in sentences_of(text) if part.start <= start < part.end), None)
    if sentence is None:
        return start, end
    first, last = sentence.start, sentence.end - sentence.text.endswith((".", "?", "!"))
    numbers = mentions(sentence.text)
    before, after = (
        min((one.end for one in numbers), default=0) + sentence.start,
        max((one.start for one in numbers), default=0) + sentence.start,
    )
    for match in _CLAUSE_END.finditer(text, sentence.start, sentence.end):
        if match[0].isspace() and not before <= match.start() < after:
            continue
        if match.end() <= start:
            first = match.end()
        elif match.start() >= end:
            last = match.start()
            break
    return first, last


def states_number(question: LocatedQuestion, place: NumberPlace) -> bool:
    """Tell whether the sentence of a number states it, be it as a condition of what is asked, and does not ask about it."""
    sentence = question.sentence_at(place.start)
    if sentence is None or not sentence.asks:
        return sentence is not None
    conditions, asking = (
        [match.start() for match in pattern.finditer(question.text, sentence.start, sentence.end)]
        for pattern in (_CONDITION, _ASKING)
    )
    asked = max((start for start in asking if start < place.start), default=-1)
    return any(asked < start < place.start for start in conditions) or (asked < 0 < len(asking))


def is_exact(question: LocatedQuestion, start: int, end: int) -> bool:
    """Tell whether the words before a number and after what it counts leave it exact."""
    text, sentence, phrase = question.text, question.sentence_at(start), phrase_at(question.text, end)
    if sentence is None or UNSURE_BEFORE.search(text, sentence.start, start) is not None:
        return False
    before, after = (
        plain_words(words)
        for words in (text[sentence.start : start], text[end if phrase is None else phrase.end : sentence.end])
    )
    return _INEXACT.isdisjoint([*before[-2:], *after[:2]])
