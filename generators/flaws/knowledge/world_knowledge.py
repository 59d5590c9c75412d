"""The fact of world knowledge that an input of a solution states."""

from __future__ import annotations

import re

from harness.domain import Exact
from harness.solution.trace import TraceEntry
from harness.text.nouns import singular_noun
from harness.text.world_facts import FACTS, WorldFact

LEAST_TELLING = 7
"""Smaller numbers mean too many things for the words of a question to tell which."""
_WORD = re.compile(r"[a-z]+")
_BY_VALUE: dict[Exact, list[WorldFact]] = {}
for _fact in FACTS:
    if _fact.wrong:
        _BY_VALUE.setdefault(_fact.value, []).append(_fact)


def fact_of(entry: TraceEntry, line: str = "", question: str = "") -> WorldFact | None:
    """Return the fact that an input states, by its value and the words of its name and comment; the first that fits.

    Where these say nothing, the words of its line of the solution tell, and for the larger numbers two words of the question.
    """
    facts = _BY_VALUE.get(entry.value, ())
    if not facts:
        return None
    own = f"{entry.variable} {entry.comment}"
    context = f"{line} {question}" if entry.value >= LEAST_TELLING else ""
    for text, least in ((own, 1), (line, 1), (context, 2)):
        words = {singular_noun(word) for word in _WORD.findall(text.lower().replace("%", " percent "))}
        for fact in facts:
            if any(required <= words and len(required) >= least for required in fact.alternatives):
                return fact
    return None
