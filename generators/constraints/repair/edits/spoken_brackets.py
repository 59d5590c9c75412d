"""Programs that were dictated, with words for their parentheses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind

_NOUN = r"(?:paren(?:s|thes[ie]s)?|round[ \t]+bracket|bracket)"
_SPOKEN = re.compile(
    rf"(?P<opened>\b(?:open(?:ing)?|left|begin)[ \t_-]+{_NOUN}\b,?[ \t]*+)|\b(?:clos(?:e|ed|ing)|right|end)[ \t_-]+{_NOUN}\b,?",
    re.IGNORECASE,
)
_FEWEST = 2


@edit_kind(
    "spoken_brackets",
    order=6,
    examples=(
        RepairExample(
            "open paren declare-const x Int close paren\nopen paren assert open paren > x 3 close paren close paren\nopen paren check-sat close paren\n",
            "(declare-const x Int )\n(assert (> x 3 ) )\n(check-sat )\n",
        ),
        RepairExample(
            "left bracket declare-const x Int right bracket\nleft bracket assert left bracket > x 3 right bracket\nleft bracket check-sat right bracket\n",
            "(declare-const x Int )\n(assert (> x 3 ))\n(check-sat )\n",
            certain=False,
        ),
    ),
)
def spoken_brackets(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the parentheses; where their numbers differ, some were not heard."""
    matches = list(_SPOKEN.finditer(draft.text))
    opened = sum(match["opened"] is not None for match in matches)
    if opened < _FEWEST or draft.script.valid:
        return
    note = "" if 2 * opened == len(matches) else "some parentheses were not dictated"
    for match in matches:
        yield RepairChange(match.start(), match.end(), "(" if match["opened"] else ")", not note, note)
