"""Constants that are written as the parts of one object, as in `vars['x']` and `x["y"]`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind

_PART = re.compile(r"(?<![\w.|-])(?P<object>[A-Za-z_]\w*)\[(?P<quote>['\"]|\\\")(?P<name>[A-Za-z_]\w*)(?P=quote)\]")


@edit_kind(
    "object_name",
    order=95,
    examples=(
        RepairExample(
            "(declare-const vars['x'] Int)\n(assert (> vars['x'] 3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(declare-const a['x'] Int)\n(assert (> a['x'] x))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const a['x'] Int)\n(assert (> a['x'] x))\n(check-sat)\n",
        ),
    ),
)
def object_name(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the name of the part, where all parts are of one object and no other thing has their names."""
    if draft.script.valid:
        return
    parts = list(_PART.finditer(draft.text))
    if len({part["object"] for part in parts}) != 1:
        return
    names = {part["name"] for part in parts}
    rest = _PART.sub(" ", draft.text)
    declared = rf"\(\s*declare-\S+\s+(?:{'|'.join(map(re.escape, names))})[\s)]"
    # Where the names alone are declared, the parts stand for these; where the parts are, for nothing else.
    if any(_is_declared(draft.text, part) for part in parts) and re.search(declared, rest):
        return
    for part in parts:
        yield RepairChange(part.start(), part.end(), part["name"])


def _is_declared(text: str, part: re.Match[str]) -> bool:
    return text[: part.start()].rstrip().endswith(("declare-const", "declare-fun", "declare-var"))
