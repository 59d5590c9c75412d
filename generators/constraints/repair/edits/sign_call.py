"""Signs that are called like functions, as in `=(x, 3)`, or with a comma or a blank in them, as in `(=, x, 3)` and `(< = x 3)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.code_matches import code_matches

_SIGN = r"(?P<sign><=|>=|=>|!=|==|[-+*/=<>])"
_CALL = re.compile(rf"(?<=[\s(,]){_SIGN}\(")
_PARTED = re.compile(r"(?<=\()([<>=])[ \t]+([=>])(?=\s)(?<!=[ \t]=)(?<!>[ \t]>)")
_ARROW = re.compile(r"(?<=\s)\|->(?=\s)")
_COMMA = re.compile(rf"(?<=\(){_SIGN},(?=\s)")


@edit_kind(
    "sign_call",
    order=113,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (= > (< = x 2) (x |-> 5)))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (=> (<= x 2) (x => 5)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert =(+(x, 2), 5))\n(assert (<, x, 9))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (= (+ x 2) 5))\n(assert (< x 9))\n(check-sat)\n",
        ),
    ),
)
def sign_call(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the sign within the parentheses, where a comma parts the arguments."""
    if draft.script.valid:
        return
    for match in code_matches(_PARTED, draft.text):
        yield RepairChange(match.start(1), match.end(2), match[1] + match[2])
    for match in code_matches(_ARROW, draft.text):
        yield RepairChange(match.start(), match.end(), "=>")
    if "," not in draft.text:
        return
    for match in code_matches(_CALL, draft.text):
        if _has_comma(draft.text, match.end()):
            yield RepairChange(match.start(), match.end(), f"({match['sign']} ")
    for match in code_matches(_COMMA, draft.text):
        yield RepairChange(match.start(), match.end(), match["sign"])


def _has_comma(text: str, start: int) -> bool:
    """Tell whether a comma separates the arguments in the parentheses that open before `start`."""
    depth = 0
    for character in text[start : start + 2_000]:
        if character == "," and depth == 0:
            return True
        if character == ")" and depth == 0:
            return False
        depth += {"(": 1, ")": -1}.get(character, 0)
    return False
