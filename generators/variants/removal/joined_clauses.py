"""Clauses that a sentence joins by commas and `and`, and the sentence without one of them, its conjunctions mended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generators.variants.question.allowed_words import words_of
from generators.variants.question.question_edit import QuestionEdit
from harness.text.lexicon import word_lists
from harness.text.sentences import FINITE, Sentence

_LISTS = word_lists(__file__)

_JOINT = re.compile(r"(?:, (?:and |but |while )?|; (?:and )?| and | but | while )(?=\S)")
_SUBJECT = re.compile(
    rf"(?:(?:{_LISTS.either('determiners')}) (?:[a-z][\w'’-]* ){{1,3}}|(?:he|she|it|they|there) |(?P<name>[A-Z][a-z]+ )|[a-z]+s )(?P<verb>[a-z]+)\b"
)
_LEADING = re.compile(
    r"(?:If|Given that|Assuming(?: that)?|Suppose(?: that)?) (?P<said>[^?.;]+?), (?:then )?(?:how|what|which|calculate|find|determine)\b",
    re.IGNORECASE,
)
_TRAILING = re.compile(r",? (?:if|given that|assuming) (?P<said>[^?.;]+)(?=[?]$)")
_OPEN = re.compile(rf"\b(?:{_LISTS.either('open')})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class JoinedClause:
    """A clause from `start` to `end` of a question, and the edits that take it out of its sentence."""

    start: int
    end: int
    edits: tuple[QuestionEdit, ...]


def joined_clauses(text: str, sentence: Sentence) -> Iterator[JoinedClause]:
    """Yield the clauses of a sentence that nothing but clauses with a subject and a verb of their own makes up."""
    words = sentence.text
    if not words.endswith(".") or _OPEN.search(words):
        return
    joints = [match for match in _JOINT.finditer(words) if _says(words[match.end() :])]
    if not joints or not (_says(words) or _says(words[0].lower() + words[1:])) or joints[-1].group() == ", ":
        return
    starts = [0, *(joint.end() for joint in joints)]
    ends = [*(joint.start() for joint in joints), len(words) - 1]
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if FINITE.isdisjoint(words_of(words[start:end])):
            return
        first, last = sentence.start + start, sentence.start + end
        yield JoinedClause(first, last, tuple(_edits(text, sentence, starts, ends, number)))


def joined_conditions(text: str, sentence: Sentence) -> Iterator[JoinedClause]:
    """Yield the clauses of which the condition of a question is made, `If there are 4 boxes and each box holds 6 mugs, how many …`."""
    leading, trailing = _LEADING.match(sentence.text), _TRAILING.search(sentence.text)
    match = leading or trailing
    if match is None or (leading is not None and trailing is not None and trailing.start() > leading.end()):
        return
    first, said = match.start("said"), match["said"]
    joints = [joint for joint in _JOINT.finditer(said) if _says(said[joint.end() :])]
    if not joints or _OPEN.search(said) or not _says(said) or joints[-1].group() == ", ":
        return
    starts = [first, *(first + joint.end() for joint in joints)]
    ends = [*(first + joint.start() for joint in joints), match.end("said")]
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        edits = tuple(_edits(text, sentence, starts, ends, number, begins=False))
        yield JoinedClause(sentence.start + start, sentence.start + end, edits)


def _says(words: str) -> bool:
    """Tell whether words begin with a subject and its verb; `Bob have` goes on from `Ann and`."""
    match = _SUBJECT.match(words)
    if match is None or match["verb"] not in FINITE:
        return False
    return match["name"] is None or match["verb"] not in {"have", "are", "were", "do"}


def _edits(
    text: str, sentence: Sentence, starts: list[int], ends: list[int], number: int, *, begins: bool = True
) -> Iterator[QuestionEdit]:
    """Yield the edits that take out one clause: the next one `begins` the sentence, or the one before gets the last `and`."""
    shift = sentence.start

    def edit(start: int, end: int, after: str) -> QuestionEdit:
        return QuestionEdit(shift + start, shift + end, text[shift + start : shift + end], after)

    if number == 0:
        letter = sentence.text[starts[1]]
        yield edit(0, starts[1] + 1, letter.upper()) if begins else edit(starts[0], starts[1], "")
    elif number == len(starts) - 1 and number > 1:
        if "and" not in sentence.text[ends[number - 2] : starts[number - 1]]:
            yield edit(ends[number - 2], starts[number - 1], " and ")
        yield edit(ends[number - 1], ends[number], "")
    else:
        yield edit(ends[number - 1], ends[number], "")
