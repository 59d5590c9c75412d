"""Declarations that are written as a sentence, as in `Let x be an integer`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.code_matches import code_matches
from generators.constraints.repair.syntax.sort_names import sort_name
from harness.smtlib.faults import ScriptFaultKind

_NAME = r"[A-Za-z]\w*"
_SENTENCE = re.compile(
    rf"(?m)^[ \t]*+(?:(?:\d+[.)]|[-*•])[ \t]++)?+"
    rf"(?:(?:let|declare|define)[ \t]++(?P<name>{_NAME})[ \t]++(?:be|as)|(?P<subject>{_NAME})[ \t]++is)[ \t]++"
    rf"(?:(?:an?|of|the|some|unknown|sort|type|variable|constant)[ \t]++)*+(?P<sort>{_NAME})(?:[ \t]++(?:variable|constant|unknown))?[ \t]*+[.;,]?[ \t]*+$",
    re.IGNORECASE,
)
_BOUNDED = frozenset({"nat", "natural", "natint"})
"""Sorts that have fewer values than the sort of SMT-LIB2."""


@edit_kind(
    "declared_sentence",
    order=108,
    examples=(
        RepairExample(
            "Let x be an integer.\ny is an unknown Int.\n(assert (> x y))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (> x y))\n(check-sat)\n",
        ),
        RepairExample(
            "Let x be a positive integer.\n(declare-const y Int)\n(assert (> y 2))\n(check-sat)\n",
            "; Let x be a positive integer.\n(declare-const y Int)\n(assert (> y 2))\n(check-sat)\n",
        ),
    ),
)
def declared_sentence(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Declare what the sentence names, unless it is declared already."""
    if not draft.faults(ScriptFaultKind.STRAY_TEXT):
        return
    known = draft.script.scope.symbols.keys()
    for match in code_matches(_SENTENCE, draft.text):
        name, sort = match["name"] or match["subject"], sort_name(draft, match["sort"])
        if sort is not None and name not in known and match["sort"].lower() not in _BOUNDED:
            yield RepairChange(match.start(), match.end(), f"(declare-const {name} {sort})")
