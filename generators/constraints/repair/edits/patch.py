"""Programs that come with a patch: a difference of two files, or a block that says what replaces what."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind

_HUNK = re.compile(r"(?m)^@@ [^\n]*@@[^\n]*$")
_HEAD = re.compile(r"(?:diff |index |--- |\+\+\+ |@@ |new file mode |\\ No newline)")
_BLOCK = re.compile(
    r"<{5,9} ?(?:SEARCH|ORIGINAL)[^\n]*\n(?P<search>.*?)^={5,9}[^\n]*\n(?P<replace>.*?)^>{5,9} ?(?:REPLACE|UPDATED)[^\n]*\n?",
    re.DOTALL | re.MULTILINE,
)
_NEWER = "the lines that the patch writes are taken, and those that it takes away are left out"


@edit_kind(
    "patch",
    order=7,
    examples=(
        RepairExample(
            "--- a/p.smt2\n+++ b/p.smt2\n@@ -1,3 +1,3 @@\n (declare-const x Int)\n-(assert (> x 2))\n+(assert (> x 3))\n (check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> x 2))\n(check-sat)\n<<<<<<< SEARCH\n(assert (> x 2))\n=======\n(assert (> x 3))\n>>>>>>> REPLACE\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def patch(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the newer version: of a difference whose lines are all marked, or of a text in which the block's lines stand once."""
    text = draft.text
    hunks = list(_HUNK.finditer(text))
    if len(hunks) == 1:
        begins = text.rfind("\n--- ", 0, hunks[0].start()) + 1
        start = 0 if text.startswith(("--- ", "diff ")) else begins
        lines = text[hunks[0].end() + 1 :].splitlines()
        end = next((number for number, line in enumerate(lines) if line and line[0] not in "+- \\"), len(lines))
        newer = [line[1:] for line in lines[:end] if line[:1] in {" ", "+", ""}]
        head = text[start : hunks[0].start()].splitlines()
        if all(_HEAD.match(line) for line in head if line) and not any("(" in line for line in lines[end:]):
            after = "".join(f"{line}\n" for line in newer)
            yield RepairChange(start, len(text), after, certain=False, note=_NEWER)
        return
    for match in _BLOCK.finditer(text):
        place = text.find(match["search"])
        if match["search"].strip() and place < match.start() and text.count(match["search"], 0, match.start()) == 1:
            yield RepairChange(place, place + len(match["search"]), match["replace"], certain=False, note=_NEWER)
            yield RepairChange(match.start(), match.end(), "")
