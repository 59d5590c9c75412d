"""Ranges and lists of values that a number is said to be in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.code_matches import code_matches

_VALUE = r"(?:[A-Za-z_][\w.-]*|\d+(?:\.\d+)?|\(-\s*+\d+\)|-\d+)"
_WORD = r"(?:in|∈|member|element-of|is-in|isin|is_in)"
_RANGE = r"(\d+|-\d+|\(-\s*+\d+\))\s*+(?:\.\.\.?|…)\s*+(\d+|-\d+|\(-\s*+\d+\))"
_LIST = rf"[\[({{]\s*+({_VALUE}(?:\s*+,\s*+|\s++){_VALUE}(?:(?:\s*+,\s*+|\s++){_VALUE})*|{_VALUE})\s*+[\])}}]"
_COLLECTIONS = frozenset({"set", "list", "array", "tuple", "of", "range"})
_FORMS = (
    re.compile(rf"\(\s*+{_WORD}\s++(?P<term>{_VALUE})\s++[\[({{]?\s*+{_RANGE}\s*+[\])}}]?\s*+\)"),
    re.compile(rf"\(\s*+(?P<term>{_VALUE})\s++{_WORD}\s++[\[({{]?\s*+{_RANGE}\s*+[\])}}]?\s*+\)"),
    re.compile(rf"\(\s*+{_WORD}\s++(?P<term>{_VALUE})\s++{_LIST}\s*+\)"),
    re.compile(rf"\(\s*+(?P<term>{_VALUE})\s++{_WORD}\s++{_LIST}\s*+\)"),
)


@edit_kind(
    "membership",
    order=112,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (in x 1..7))\n(assert (x in {1, 2, 5}))\n(assert (in x [1 2 5]))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (<= 1 x 7))\n(assert (or (= x 1) (= x 2) (= x 5)))\n(assert (or (= x 1) (= x 2) (= x 5)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (in x [1, 7]))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (or (= x 1) (= x 7)))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def membership(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write bounds for a range, and a choice of equations for a list."""
    if draft.script.valid or "in" in draft.script.scope.symbols:
        return
    for form in _FORMS:
        for match in code_matches(form, draft.text):
            term, rest = match["term"], match.groups()[1:]
            if len(rest) == 2:
                yield RepairChange(match.start(), match.end(), f"(<= {rest[0]} {term} {rest[1]})")
                continue
            values = re.findall(_VALUE, rest[0])
            if values[0].lower() == "range" and len(values) == 3 and all(map(str.isdecimal, values[1:])):
                bounds = f"(<= {values[1]} {term} {int(values[2]) - 1})"
                yield RepairChange(match.start(), match.end(), bounds, certain=False, note="may include its end")
                continue
            if values[0].lower() in _COLLECTIONS - draft.script.scope.symbols.keys() and len(values) > 1:
                values = values[1:]
            equations = [f"(= {term} {value})" for value in values]
            formula = equations[0] if len(equations) == 1 else f"(or {' '.join(equations)})"
            # Two numbers are also how an interval is written.
            numbers = all(re.fullmatch(r"[(\s-]*\d+(?:\.\d+)?\)?", value) for value in values)
            note = "may be an interval" if numbers and len(values) == 2 else ""
            yield RepairChange(match.start(), match.end(), formula, not note, note)
