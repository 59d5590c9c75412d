"""Sentences that repeat, after words that announce it, what a clause of the question says with a number."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from generators.variants.insertion.placement import PlacedStatement, asks
from generators.variants.insertion.quantity_statements import QuantityStatement
from generators.variants.question.input_places import LocatedQuestion, NumberPlace, clause_around, is_exact
from harness.text.lexicon import english
from harness.text.names import OPENING_WORDS, is_named, lowered
from harness.text.numbers import mentions
from harness.text.sentences import FINITE, Sentence
from harness.text.words import hyphenated_words

_LISTS = english("variants")
MOST_WORDS, FEWEST_WORDS = 18, 3
_CLEAR = "To be clear, "
_REMINDERS = ("Remember that ", "As mentioned, ", "Note that ")
_BOUNDARY = re.compile(_LISTS.either("clause_boundary"))
_STRANGE = re.compile(r"[\"“”()\[\]:;?!/_=+*#]|\.\s|\n")
_UNCERTAIN, _CHANGING = _LISTS.words("uncertain"), _LISTS.words("changing")


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause with one number, `before` and `after` being its words around it; it is `whole` if it is all of its sentence."""

    sentence: Sentence
    before: str
    after: str
    whole: bool


def restatements(
    question: LocatedQuestion, place: NumberPlace, variable: str, random: Random
) -> Iterator[PlacedStatement]:
    """Yield sentences that say again what a place says, in random order."""
    clause = _clause_of(question, place) if place.rewritable and not place.form.rounded else None
    before = None if clause is None else lowered(clause.before, question.text)
    if clause is None or before is None:
        return
    wordings = [] if clause.whole else [(f"{_CLEAR}{before}", clause.sentence)]
    reminded = _before_question(question, clause)
    if reminded is not None:
        wordings.append((f"{random.choice(_REMINDERS)}{before}", reminded))
    random.shuffle(wordings)
    for words, sentence in wordings:
        yield PlacedStatement(QuantityStatement(variable, place.value, words, place.form, f"{clause.after}."), sentence)


def _clause_of(question: LocatedQuestion, place: NumberPlace) -> _Clause | None:
    """Return the clause of a number if it is short, has hardly another number, and says something on its own."""
    sentence = question.sentence_at(place.start)
    if (
        sentence is None
        or asks(sentence)
        or not sentence.text.endswith(".")
        or not is_exact(question, place.start, place.end)
    ):
        return None
    start, end = place.start - sentence.start, place.end - sentence.start
    bounds = _boundaries(sentence.text)
    first = max((stop for _, stop in bounds if stop <= start), default=0)
    last = min((begin for begin, _ in bounds if begin >= end), default=len(sentence.text) - 1)
    clause = _Clause(sentence, sentence.text[first:start], sentence.text[end:last], not bounds)
    return clause if _stands_alone(clause, question) else None


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


def _stands_alone(clause: _Clause, question: LocatedQuestion) -> bool:
    """Tell whether a clause has a subject and a verb, no sign, no guess, and at most one more number, and that not in a list."""
    text = f"{clause.before}{clause.after}"
    words, subject = hyphenated_words(f"{clause.before} {clause.after}"), hyphenated_words(clause.before)
    others = len(mentions(clause.before)) + len(mentions(clause.after))
    if not FEWEST_WORDS <= len(words) < MOST_WORDS or _STRANGE.search(text) or others > ("," not in text):
        return False
    if clause.after[:1] not in {"", " ", ",", "%"}:
        return False
    if not _UNCERTAIN.isdisjoint(words) or FINITE.isdisjoint(subject) or subject[0] in FINITE:
        return False
    return clause.whole or is_named(subject[0], question.text) or subject[0] in OPENING_WORDS


def _before_question(question: LocatedQuestion, clause: _Clause) -> Sentence | None:
    """Return the sentence before the question if a clause still means the same after it."""
    sentences, words = question.sentences, hyphenated_words(f"{clause.before} {clause.after}")
    last = next((number for number, sentence in enumerate(sentences) if asks(sentence)), None)
    if not last or last != len(sentences) - 1 or sentences[last - 1].start <= clause.sentence.start:
        return None
    return sentences[last - 1] if _CHANGING.isdisjoint(words) and is_named(words[0], question.text) else None
