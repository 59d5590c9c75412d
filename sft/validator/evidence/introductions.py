"""Evidence from people and things that the question asks about and that the problem never introduces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness.constraint_system import ProblemClass
from harness.text.calendar_names import CALENDAR_NAMES
from harness.text.lexicon import word_lists
from harness.text.noun_forms import is_plural, singular_noun
from sft.samples.evidence_registry import Signal
from sft.samples.problem_judgement import ProblemFinding
from sft.validator.case import ProblemCase, problem_evidence
from sft.validator.problem_text import words_of

if TYPE_CHECKING:
    from sft.validator.problem_text import ProblemText

_LISTS = word_lists(__file__)

_PRONOUN = re.compile(r"\b(?:he|she|they|him|her|them|his|their|it|its)\b", re.IGNORECASE)
_CAPITALIZED = CALENDAR_NAMES | _LISTS.words("capitalized")


def _new_names(problem: ProblemText) -> list[str]:
    """Return the names in the question that the text before it does not contain."""
    known = set(words_of(problem.told))
    asked = [name for name in problem.names if re.search(rf"\b{name}\b", problem.asked)]
    return [name for name in asked if name.lower() not in known and name.lower() not in _CAPITALIZED]


def _new_things(problem: ProblemText) -> list[str]:
    """Return the plural nouns that the question counts and that the text before it does not contain."""
    match = re.match(
        r"how many (?:more |fewer |total |different |other )?((?:[a-z-]+ ){0,2}?[a-z-]+)", problem.asked, re.IGNORECASE
    )
    if match is None:
        return []
    known = {singular_noun(word) for word in words_of(problem.told)}
    nouns = [word for word in words_of(match[1]) if is_plural(word)]
    return [word for word in nouns[:1] if singular_noun(word) not in known]


@problem_evidence("introduced")
def introduced(case: ProblemCase) -> Signal[ProblemFinding]:
    """People and things that the question asks about and that the problem never introduces."""
    problem = case.problem
    names, things = _new_names(problem), _new_things(problem)
    first = problem.sentences[0].text if problem.sentences else ""
    orphan = _PRONOUN.match(first) is not None
    has_statement = bool(problem.told.strip())
    findings = [
        ProblemFinding(
            "introduced", ProblemClass.UNDERSPECIFIED, problem.asked, f'"{name}" is asked about and never introduced.'
        )
        for name in names[:1]
        if has_statement
    ]
    features = {
        "names_never_introduced": bool(names) and has_statement,
        "things_never_introduced": bool(things) and has_statement,
        "begins_with_pronoun": orphan,
    }
    return Signal(features, tuple(findings))
