"""Sentences that repeat, after words that announce it, what a clause of the question says with a number."""

import re

from generators.variants.input_places import LocatedQuestion, NumberPlace, clause_around, is_exact
from generators.variants.insertion.placement import asks
from generators.variants.insertion.quantity_statements import QuantityStatement
from harness.text.lexicon import english
from harness.text.names import OPENING_WORDS, is_named, lowered
from harness.text.numbers import mentions
from harness.text.sentences import FINITE, Sentence
from harness.text.words import hyphenated_words

_LISTS = english("variants")
MOST_WORDS, FEWEST_WORDS = 18, 3
_CLEAR = "To be clear, "
_BOUNDARY = re.compile(_LISTS.either("clause_boundary"))
_STRANGE = re.compile(r"[\"“”()\[\]:;?!/_=+*#]|\.\s|\n")
_UNCERTAIN = _LISTS.words("uncertain")


def restatement(question: LocatedQuestion, place: NumberPlace, variable: str) -> QuantityStatement | None:
    """Return the sentence that says again what a clause beside others says with a number.

    `None` where the clause is long, has many numbers, or says nothing on its own, and where the number is not exact.
    """
    sentence = question.sentence_at(place.start)
    exact = place.rewritable and not place.form.rounded and is_exact(question, place.start, place.end)
    if sentence is None or not exact or asks(sentence) or not sentence.text.endswith("."):
        return None
    start, end, bounds = place.start - sentence.start, place.end - sentence.start, _boundaries(sentence.text)
    first = max((stop for _, stop in bounds if stop <= start), default=0)
    last = min((begin for begin, _ in bounds if begin >= end), default=len(sentence.text) - 1)
    before, after = sentence.text[first:start], sentence.text[end:last]
    words = lowered(before, question.text)
    if not bounds or words is None or not _stands_alone(before, after, question):
        return None
    return QuantityStatement(variable, place.value, f"{_CLEAR}{words}", place.form, f"{after}.", sentence.end)


def _boundaries(text: str) -> list[tuple[int, int]]:
    """Return where clauses meet: the clause that ends at an `and` has a verb, unlike `on Tuesday and Wednesday she works`, and after it is a subject with another."""
    boundaries: list[tuple[int, int]] = []
    matches = list(_BOUNDARY.finditer(text))
    for number, match in enumerate(matches):
        start = max(boundaries[-1][1] if boundaries else 0, clause_around(text, match.start() - 1, match.start())[0])
        end = matches[number + 1].start() if number + 1 < len(matches) else len(text)
        sides = (text[start : match.start()], text[match.end() : end])
        if all(not FINITE.isdisjoint(hyphenated_words(words)) for words in sides):
            boundaries.append((match.start(), match.end()))
    return boundaries


def is_one_clause(sentence: Sentence) -> bool:
    """Tell whether a sentence is a short statement of one clause, without signs."""
    text = sentence.text
    plain = text.endswith(".") and "." not in text[:-1] and _STRANGE.search(text) is None
    return plain and not asks(sentence) and not _boundaries(text) and len(hyphenated_words(text)) <= MOST_WORDS


def _stands_alone(before: str, after: str, question: LocatedQuestion) -> bool:
    """Tell whether a clause around a number has a subject and a verb, no sign, no guess, and at most one more number, and that not in a list."""
    text = f"{before}{after}"
    words, subject = hyphenated_words(f"{before} {after}"), hyphenated_words(before)
    others = len(mentions(before)) + len(mentions(after))
    if not FEWEST_WORDS <= len(words) < MOST_WORDS or _STRANGE.search(text) or others > ("," not in text):
        return False
    if after[:1] not in {"", " ", ",", "%"}:
        return False
    if not _UNCERTAIN.isdisjoint(words) or FINITE.isdisjoint(subject) or subject[0] in FINITE:
        return False
    return is_named(subject[0], question.text) or subject[0] in OPENING_WORDS
