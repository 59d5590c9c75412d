"""Checks of the provenance of a template's inputs: numbers of the question or known constants."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from harness.domain import Evidence
from harness.program.evaluation.evaluator import format_exact
from harness.solution.trace import VariableRole
from harness.text.lexicon import english
from harness.text.numbers import mentions
from harness.text.world_facts import KNOWN_CONSTANTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.domain import Exact
    from harness.solution.trace import TraceEntry

_ONE = english("provenance").words("one")
_WORD = re.compile(r"\w+")


def provenance_evidence(question: str, inputs: Iterable[TraceEntry]) -> list[Evidence]:
    """Return the inputs whose stated origin is wrong.

    The value of a question input is one that a number of the question can mean: digits, words, `25%` as 25 or 0.25, `half` as
    1/2 or the divisor 2, `two dozen` as 24, `a` as 1. A world-knowledge input has a value that the question does not
    mention, unless it is one of the known constants.
    """
    found = []
    stated = _stated(question)
    for entry in inputs:
        value = format_exact(entry.value)
        if entry.role is VariableRole.WORLD_KNOWLEDGE_INPUT:
            if entry.value in stated and entry.value not in KNOWN_CONSTANTS:
                said = f"{entry.variable} = {value}, world knowledge"
                found.append(Evidence(entry.line or "?", "mentioned in the question", said, f"{stated[entry.value]!r}"))
        elif entry.role is VariableRole.QUESTION_INPUT and entry.value not in stated:
            quoted = (
                f"a number of the question; the comment quotes {entry.comment!r}"
                if entry.comment
                else "a number of the question"
            )
            found.append(Evidence(entry.line or "?", "not in the question", f"{entry.variable} = {value}", quoted))
        elif entry.role is VariableRole.INPUT:
            found.append(
                Evidence(entry.line or "?", "no provenance", f"{entry.variable} = {value}", "a quoting comment or # WK")
            )
    return found


@lru_cache(maxsize=64)
def _stated(question: str) -> dict[Exact, str]:
    """Return the values a question can mean, each with the words that say it."""
    stated: dict[Exact, str] = {}
    for mention in mentions(question):
        for value in mention.readings:
            stated.setdefault(value, mention.text)
    one = next((word for word in _WORD.findall(question) if word.lower() in _ONE), None)
    if one is not None:
        stated.setdefault(1, one)
    return stated
