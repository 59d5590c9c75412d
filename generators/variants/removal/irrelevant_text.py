"""Clauses and sentences of a question that carry nothing that its answer needs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.variants.question.clauses import RemovableClause
from generators.variants.question.input_places import LocatedQuestion
from generators.variants.removal.dispensable_statements import QuestionStatement, names_of
from harness.text.lexicon import word_lists
from harness.text.sentences import Sentence

_LISTS = word_lists(__file__)

_PLACES = _LISTS.either("places")
_OCCASIONS = _LISTS.either("occasions")
_OPENINGS = _LISTS.either("openings")
_PATTERNS = (
    re.compile(rf" (?:at|from|in) (?:the|a) (?:local )?(?P<key>{_PLACES})(?=[.,;]| and )"),
    re.compile(rf" for (?:his|her|their|the|a) (?P<key>{_OCCASIONS})(?=[.,;]| and )"),
    re.compile(
        r" in (?:his|her|their) (?P<key>backyard|garden|kitchen|neighborhood|hometown|spare time|free time)(?=[.,;]| and )"
    ),
    re.compile(r", who (?:is|loves|likes|enjoys|lives|works)(?P<key>[^,.;?!\d]{4,60}),(?= [a-z])"),
    re.compile(r" (?P<key>after school|this morning|after lunch|after dinner|last night|as a gift|online)(?=[.,;])"),
    re.compile(r" (?P<key>because [^.,;?!\d]{4,80})(?=\.)"),
)
_OPENING = re.compile(rf"(?:(?<=[.?!] )|(?<=[.?!]  )|^)(?P<key>{_OPENINGS}), (?P<next>[A-Za-z])")
_COUNTING = re.compile(
    rf"\b(?:{_LISTS.either('counting')})\b|\d|[$%]",
    re.IGNORECASE,
)
_HAPPENING = re.compile(
    rf"\b(?:{_LISTS.either('happening')})\b|,",
    re.IGNORECASE,
)


def padding_clauses(question: LocatedQuestion) -> Iterator[RemovableClause]:
    """Yield clauses without which nothing that counts is missing: when, where, what for, who somebody is."""
    text = question.text
    for pattern in (*_PATTERNS, _OPENING):
        matches = list(pattern.finditer(text))
        if len(matches) != 1 or text.lower().count(matches[0]["key"].lower()) != 1:
            continue
        match, (start, end) = matches[0], matches[0].span()
        if pattern is _OPENING:
            yield RemovableClause(start, end, match["next"].upper())
        elif not counts(match["key"]) and not any(
            start < mention.end and mention.start < end for mention in question.mentions
        ):
            yield RemovableClause(start, end)


def padding_sentences(question: LocatedQuestion) -> Iterator[Sentence]:
    """Yield sentences that only tell who somebody is or where a story happens, and to which nothing refers."""
    for sentence in question.sentences:
        idle = not sentence.asks and not counts(sentence.text) and not _HAPPENING.search(sentence.text)
        if not idle or len(names_of(sentence.text)) > 1:
            continue
        if any(sentence.start <= mention.start < sentence.end for mention in question.mentions):
            continue
        before, behind = question.text[: sentence.start], question.text[sentence.end :]
        if QuestionStatement(before, sentence.text, behind).leaves_whole:
            yield sentence


def removal(text: str, sentence: Sentence) -> RemovableClause:
    """Return a sentence with the white space that goes with it."""
    end = sentence.end + len(text[sentence.end :]) - len(text[sentence.end :].lstrip())
    return RemovableClause(sentence.start, end)


def counts(words: str) -> bool:
    """Tell whether words say anything that may count: numbers, shares, times, comparisons, exceptions."""
    return _COUNTING.search(words) is not None
