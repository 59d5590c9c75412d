"""Formulas that are objects or lists of JSON within the commands of a program."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.json_terms import term_tree

_PLACE = re.compile(r"\bassert[ \t:\n]*+(?=[{\[])")
_DECODER = json.JSONDecoder()


@edit_kind(
    "json_term",
    order=13,
    examples=(
        RepairExample(
            '(declare-const x Int)\n(assert {"op": ">", "args": ["x", {"op": "+", "args": [1, 2]}]})\n(assert {"not": {"<": ["x", 3]}})\n(check-sat)\n',
            "(declare-const x Int)\n(assert (> x (+ 1 2)))\n(assert (not (< x 3)))\n(check-sat)\n",
        ),
        RepairExample(
            '(declare-const x Int)\n(assert ["and", [">", "x", 3], ["<", "x", 9]])\n(check-sat)\n',
            "(declare-const x Int)\n(assert (and (> x 3) (< x 9)))\n(check-sat)\n",
        ),
    ),
)
def json_term(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write a tree of JSON that stands after `assert` as the term that it is."""
    if draft.script.valid:
        return
    end = 0
    for match in _PLACE.finditer(draft.text):
        if match.end() < end:
            continue
        try:
            value, end = _DECODER.raw_decode(draft.text, match.end())
        except (ValueError, RecursionError):  # no JSON after all
            continue
        written = term_tree(value)
        if written.startswith("("):
            yield RepairChange(match.end(), end, written)
