"""Copies of the problems of a fit, edited so that they have no answer, for the faults that no variant operator makes.

An edit is a rule on the text: the question or the numbers left out, a needed number written as a range or below zero, a question
that asks for something else than the text tells of, a question cut off.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness.constraint_system import ProblemClass
from harness.text.lexicon import word_lists
from sft.validator.problem_text import ProblemText, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from random import Random

    from sft.samples.problem_sample import ProblemSample

_LISTS = word_lists(__file__)

RANGES = _LISTS.ordered("ranges")
VAGUE_WORDS = _LISTS.ordered("vague_words")
NAMES = _LISTS.ordered("names")
SIBLINGS = tuple(tuple(words) for words in _LISTS.mapping("siblings").values())
TIME_PHRASES = {"weekdays": "on {}", "parts_of_day": "in the {}", "months": "in {}"}
VAGUE = frozenset(["vague_quantity", "removed_number"])
"""The operators whose certificates say that the answer needs the number that they edit."""
COPIES = frozenset(
    [
        "without_question",
        "without_numbers",
        "cut_question",
        "other_sibling",
        "other_name",
        "other_thing",
        "below_zero",
        "ranged",
        "vague",
    ]
)
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
    for name, asked in (
        ("other_sibling", _other_sibling(problem, rng)),
        ("other_name", _other_name(problem, rng)),
        ("other_thing", _other_thing(problem, rng)),
    ):
        if asked:
            yield told + asked, under, name
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


def _other_sibling(problem: ProblemText, rng: Random) -> str:
    """Return the question about a word that the text does not hold, of a set of which it holds others; empty without one."""
    told, asked = set(words_of(problem.told)), words_of(problem.asked)
    for siblings in SIBLINGS:
        shared = [word for word in siblings if word in told and word in asked]
        fresh = [word for word in siblings if word not in told and word not in asked]
        if shared and fresh:
            return _replaced(problem.asked, shared[0], rng.choice(fresh))
    for name, phrase in TIME_PHRASES.items():
        siblings = _LISTS.mapping("siblings")[name]
        fresh = [word for word in siblings if word not in told and word not in asked]
        if fresh and told & set(siblings) and not set(siblings) & set(asked) and problem.asked.rstrip().endswith("?"):
            return f"{problem.asked.rstrip()[:-1]} {phrase.format(_as_written(name, rng.choice(fresh)))}?"
    return ""


def _as_written(name: str, word: str) -> str:
    return word if name == "parts_of_day" else word.capitalize()


def _other_thing(problem: ProblemText, rng: Random) -> str:
    """Return the question about a thing that the text does not hold, in place of the counted thing; empty without one."""
    match = re.match(r"how many ([a-z]+s)\b", problem.asked, re.IGNORECASE)
    words = set(problem.words)
    if match is None or match[1].lower() not in set(words_of(problem.told)):
        return ""
    fresh = [word for word in _LISTS.ordered("things") if word not in words]
    return problem.asked[: match.start(1)] + rng.choice(fresh) + problem.asked[match.end(1) :] if fresh else ""


def _other_name(problem: ProblemText, rng: Random) -> str:
    """Return the question about a person whom the text does not name, in place of one that it names; empty without one."""
    told = set(words_of(problem.told))
    shared = [name for name in problem.names if name.lower() in told and name in problem.asked]
    fresh = [name for name in NAMES if name.lower() not in told]
    return _replaced(problem.asked, shared[0], rng.choice(fresh)) if shared and fresh else ""


def _replaced(text: str, old: str, new: str) -> str:
    return re.sub(rf"\b{re.escape(old)}\b", new, text, flags=re.IGNORECASE)
