"""Checks of the provenance of a template's inputs: numbers of the question or known constants."""

import re
from collections.abc import Iterable
from functools import lru_cache

from harness.domain import Evidence, Exact
from harness.program.evaluation.evaluator import format_exact
from harness.solution.trace import TraceEntry, VariableRole
from harness.text.lexicon import english
from harness.text.numbers import mentions
from harness.text.world_facts import KNOWN_CONSTANTS

_ONE = english("provenance").words("one")
_WORD = re.compile(r"\w+")


def provenance_evidence(question: str, inputs: Iterable[TraceEntry]) -> list[Evidence]:
    """Return the inputs whose stated origin is wrong.

    The value of a question input is one that a number of the question can mean: digits, words, `25%` as 25 or 0.25, `half` as
    1/2 or the divisor 2, `two dozen` as 24, `a` as 1. A world-knowledge input has a value that the question does not
    mention, unless it is one of the known constants.
    """
    found = []
    stated = _values_with_words(question)
    for entry in inputs:
        said, objection = f"{entry.variable} = {format_exact(entry.value)}", None
        if entry.role is VariableRole.INPUT:
            objection = "no provenance", said, "a quoting comment or # WK"
        elif entry.role is VariableRole.QUESTION_INPUT and entry.value not in stated:
            quoted = f"; the comment quotes {entry.comment!r}" if entry.comment else ""
            objection = "not in the question", said, f"a number of the question{quoted}"
        elif entry.role is VariableRole.WORLD_KNOWLEDGE_INPUT and entry.value in stated.keys() - KNOWN_CONSTANTS.keys():
            objection = "mentioned in the question", f"{said}, world knowledge", f"{stated[entry.value]!r}"
        if objection is not None:
            found.append(Evidence(entry.line or "?", *objection))
    return found


@lru_cache(maxsize=64)
def _values_with_words(question: str) -> dict[Exact, str]:
    """Return the values a question can mean, each with the words that say it."""
    stated: dict[Exact, str] = {}
    for mention in mentions(question):
        for value in mention.readings:
            stated.setdefault(value, mention.text)
    one = next((word for word in _WORD.findall(question) if word.lower() in _ONE), None)
    if one is not None:
        stated.setdefault(1, one)
    return stated
