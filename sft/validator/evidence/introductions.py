"""Evidence from people and things that the question asks about and that the problem never introduces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness.constraint_system import ProblemClass
from harness.text.lexicon import word_lists
from harness.text.nouns import is_plural, singular_noun
from harness.text.units import CALENDAR_NAMES, MEASURES, TIMES
from sft.samples.evidence_registry import Signal
from sft.samples.problem_judgement import ProblemFinding
from sft.validator.case import ProblemCase, problem_evidence
from sft.validator.problem_text import words_of

if TYPE_CHECKING:
    from sft.validator.problem_text import ProblemText

_LISTS = word_lists(__file__)

_SIBLINGS = {name: frozenset(words.split()) for name, words in _LISTS.mapping("siblings").items()}
_TIMES_AND_PLACES = _LISTS.words("times_and_places")
_SPAN = re.compile(r"\b(?:through|between|until|till|from|other|another|others)\b", re.IGNORECASE)
# Days and months that are counted on from another: "the next day", "two days later", "every morning".
_FOLLOWING = re.compile(
    rf"\b(?:{_LISTS.either('following')})\b",
    re.IGNORECASE,
)
_COVERING = frozenset(
    ["weekend", "weekends", "weekday", "weekdays", "daily", "fruit", "rest", "remaining", "remainder", "others"]
)
_UMBRELLAS = _LISTS.words("umbrellas")
_PRONOUN = re.compile(r"\b(?:he|she|they|him|her|them|his|their|it|its)\b", re.IGNORECASE)
_CAPITALIZED = CALENDAR_NAMES | _LISTS.words("capitalized")


def _new_names(problem: ProblemText) -> list[str]:
    """Return the names in the question that the text before it does not contain."""
    known = {form for word in words_of(problem.told) for form in (word, singular_noun(word))}
    if any(number.mention.start > problem.inquiry for number in problem.numbers):
        return []  # the question tells something itself: "How many pounds can Kelly buy with $12?"
    asked = [name for name in problem.names if re.search(rf"\b{name}\b", problem.asked)]
    new = [
        name
        for name in asked
        if not {name.lower(), singular_noun(name.lower())} & known and name.lower() not in _CAPITALIZED
    ]
    named = [name for name in problem.names if name.lower() in known and name.lower() not in _CAPITALIZED]
    # A text that only says "he" may name him in the question.
    return [] if not named and len(new) == 1 and _PRONOUN.search(problem.told) else new


def _new_things(problem: ProblemText) -> list[str]:
    """Return the plural nouns that the question counts and that the text before it does not contain."""
    match = re.match(
        r"how many (?:more |fewer |total |different |other )?((?:[a-z-]+ ){0,2}?[a-z-]+)", problem.asked, re.IGNORECASE
    )
    if match is None or any(number.mention.start > problem.inquiry for number in problem.numbers):
        return []
    known = {singular_noun(word) for word in words_of(problem.told)} | _UMBRELLAS | TIMES | MEASURES
    nouns = [word for word in words_of(match[1]) if is_plural(word)]
    return [
        word
        for word in nouns[:1]
        if singular_noun(word) not in known
        and not any(
            other[:4] == word[:4] or word.startswith(other) or other.endswith(singular_noun(word))
            for other in known
            if len(other) > 2
        )
    ]


def _new_siblings(problem: ProblemText) -> list[tuple[str, str, str]]:
    """Return words of the question that the text before it lacks, each with a word of the same set that it has, and the set.

    Of a text on `morning` and `afternoon`, a question on the `evening` asks for something else.
    """
    if any(number.mention.start > problem.inquiry for number in problem.numbers) or _SPAN.search(problem.asked):
        return []
    asked, told = set(words_of(problem.asked)), set(words_of(problem.told))
    if _FOLLOWING.search(problem.told):
        return []
    if told & _COVERING:
        return []
    asked |= {singular_noun(word) for word in asked}
    told |= {singular_noun(word) for word in told}
    return [
        (word, min(siblings & told), name)
        for name, siblings in _SIBLINGS.items()
        for word in sorted(siblings & asked - told)
        if siblings & told
    ]


@problem_evidence("introduced")
def introduced(case: ProblemCase) -> Signal[ProblemFinding]:
    """People and things that the question asks about and that the problem never introduces."""
    problem = case.problem
    names, things, siblings = _new_names(problem), _new_things(problem), _new_siblings(problem)
    has_statement = bool(problem.told.strip())
    findings = [
        ProblemFinding(
            "introduced", ProblemClass.UNDERSPECIFIED, problem.asked, f'"{name}" is asked about and never introduced.'
        )
        for name in names[:1]
        if has_statement
    ]
    findings += [
        ProblemFinding(
            "introduced",
            ProblemClass.UNDERSPECIFIED,
            problem.asked,
            f'It asks for "{word}" and speaks of "{sibling}" only.',
        )
        for word, sibling, _ in siblings[:1]
    ]
    features = {
        "names_never_introduced": bool(names) and has_statement,
        "things_never_introduced": bool(things) and has_statement,
        "siblings_never_introduced": any(name not in _TIMES_AND_PLACES for _, _, name in siblings),
        "time_never_introduced": any(name in _TIMES_AND_PLACES for _, _, name in siblings),
    }
    return Signal(features, tuple(findings))
