"""The fact of world knowledge that an input of a solution states."""

from __future__ import annotations

import re

from harness.domain import Exact
from harness.solution.trace import TraceEntry
from harness.text.noun_forms import singular_noun
from harness.text.world_facts import FACTS, WorldFact

_WORD = re.compile(r"[a-z]+")
_BY_VALUE: dict[Exact, list[WorldFact]] = {}
for _fact in FACTS:
    if _fact.wrong:
        _BY_VALUE.setdefault(_fact.value, []).append(_fact)


def fact_of(entry: TraceEntry) -> WorldFact | None:
    """Return the fact that an input states, by its value and the words of its name and comment; the first that fits."""
    facts = _BY_VALUE.get(entry.value, ())
    text = f"{entry.variable} {entry.comment}".lower() if facts else ""
    words = {singular_noun(word) for word in _WORD.findall(text)}
    return next((fact for fact in facts if any(required <= words for required in fact.alternatives)), None)
