"""Copies of the problems of a fit, edited so that they have no answer, for the faults that no variant operator makes.

An edit is a rule on the text: the question or the numbers left out, a needed number written as a range or below zero, a question
that asks for something else than the text tells of, a question cut off.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness.constraint_system import ProblemClass
from harness.text.lexicon import english
from sft.validator.problem_text import ProblemText

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from random import Random

    from sft.samples.items import ProblemSample

VAGUE = frozenset(["vague_quantity", "removed_number"])
"""The operators whose certificates say that the answer needs the number that they edit."""
VAGUE_WORDS = english("problems").ordered("vague_words")
RANGES = english("problems").ordered("ranges")
COPIES = frozenset(["without_question", "without_numbers", "cut_question", "below_zero", "ranged", "vague"])
"""The names of the edits."""
Copy = tuple[str, ProblemClass, str]


def copies_of_original(question: str, rng: Random) -> Iterator[Copy]:
    """Yield copies of a solvable problem with the class and the name of the edit; edits that do not apply are left out."""
    problem = ProblemText.of(question)
    told = problem.text[: problem.inquiry]
    if not told.strip() or not problem.asked.strip():
        return
    yield from _without(problem)
    under = ProblemClass.UNDERSPECIFIED
    opening = re.match(r"(?:how (?:many|much)|what (?:is|was) the [a-z]+)\b", problem.asked, re.IGNORECASE)
    if opening is not None and problem.asked.count("?") == 1:
        yield f"{told}{opening.group()}{rng.choice(['', '?', ' ', '...'])}", under, "cut_question"
    counted = [
        number
        for number in problem.numbers
        if (number.counts or number.money) and number.value > 1 and number.mention.text[:1].isdigit()
    ]
    if counted:
        number = rng.choice(counted)
        start = number.mention.start
        yield f"{problem.text[:start]}-{problem.text[start:]}", ProblemClass.CONTRADICTORY, "below_zero"


def _without(problem: ProblemText) -> Iterator[Copy]:
    """Yield a problem without its question, and without its sentences that hold numbers; a copy without text is left out."""
    kept = [sentence.text for sentence in problem.sentences if sentence.end <= problem.inquiry]
    if kept and not ProblemText.of(" ".join(kept)).asked:
        yield " ".join(kept), ProblemClass.UNDERSPECIFIED, "without_question"
    numbered = {number.sentence for number in problem.numbers}
    silent = [sentence.text for place, sentence in enumerate(problem.sentences) if place not in numbered]
    if silent and len(silent) < len(problem.sentences):
        yield " ".join(silent), ProblemClass.UNDERSPECIFIED, "without_numbers"


def inexact_copies(sample: ProblemSample, originals: Mapping[str, str], rng: Random) -> Iterator[Copy]:
    """Yield the original of a sample with a range, and with a vague word, in place of the number that the sample lacks.

    The sample is certified to have several answers without that number, so that a range leaves several, too.
    """
    original = originals.get(sample.problem_id, "")
    start = _common(original, sample.question)
    end = len(original) - _common(original[::-1], sample.question[::-1])
    number = next(
        (
            number
            for number in ProblemText.of(original).numbers
            if number.mention.start <= start <= number.mention.end or start <= number.mention.start < end
        ),
        None,
    )
    mention = None if number is None else number.mention
    if number is None or mention is None or original[mention.start : mention.end] != mention.text:
        return
    if number.counts:
        word = rng.choice(VAGUE_WORDS)
        word = word if mention.text[:1].islower() or mention.text[:1].isdigit() else word.capitalize()
        yield original[: mention.start] + word + original[mention.end :], ProblemClass.UNDERSPECIFIED, "vague"
    if not mention.text[:1].isdigit():
        return
    dollar = original[mention.start - 1 : mention.start] == "$"
    place = mention.start - dollar
    if re.search(r"\b(?:least|most|than|about|around|nearly|exactly|and)\s$", original[:place]):
        return
    shown = rng.choice(RANGES).replace("N", original[place : mention.end])
    yield original[:place] + shown + original[mention.end :], ProblemClass.UNDERSPECIFIED, "ranged"


def _common(left: str, right: str) -> int:
    count = 0
    for before, after in zip(left, right, strict=False):
        if before != after:
            break
        count += 1
    return count
