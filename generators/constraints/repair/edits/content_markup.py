"""Formulas in the content markup of MathML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from harness.text.lexicon import word_lists

_OPERATORS = word_lists(__file__).by_word("operators")
_TAG = re.compile(
    r"<(?:m:)?apply\b[^<>\n]*>\s*+<(?:m:)?(?P<operator>[A-Za-z]\w*)\s*+/>"
    r"|<(?:m:)?apply\b[^<>\n]*>\s*+<(?:m:)?(?P<kind>ci|csymbol)\b[^<>\n]*>(?P<function>[^<>\n]*+)</(?:m:)?(?P=kind)>"
    r"|<(?:m:)?(?P<leaf>ci|cn|csymbol)\b[^<>\n]*>(?P<text>[^<>\n]*+)</(?:m:)?(?P=leaf)>"
    r"|(?P<constant><(?:m:)?(?:true|false)\s*+/>)"
    r"|(?P<end></(?:m:)?apply>)|(?P<outer></?(?:m:)?math\b[^<>\n]*>)"
)


@edit_kind(
    "content_markup",
    order=12,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert <math><apply><and/><apply><gt/><ci>x</ci><cn>3</cn></apply><true/></apply></math>)\n(check-sat)\n",
            "(declare-const x Int)\n(assert  (and (> x 3) true))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-fun f (Int) Int)\n(assert <apply><eq/><apply><csymbol>f</csymbol><cn>3</cn></apply><cn>4</cn></apply>)\n(check-sat)\n",
            "(declare-fun f (Int) Int)\n(assert (= (f 3) 4))\n(check-sat)\n",
        ),
    ),
)
def content_markup(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write each application in parentheses, its operator first, and each leaf as its text."""
    if draft.script.valid or "apply>" not in draft.text:
        return
    for match in _TAG.finditer(draft.text):
        yield RepairChange(match.start(), match.end(), _written(draft.text, match))


def _written(text: str, match: re.Match[str]) -> str:
    if match["outer"]:
        return ""
    if match["end"]:
        return ")"
    blank = "" if text[: match.start()][-1:].isspace() else " "
    if match["operator"]:
        return f"{blank}({_OPERATORS.get(match['operator'], match['operator'])}"
    if match["function"] is not None:
        return f"{blank}({match['function'].strip()}"
    if match["constant"]:
        return f"{blank}{'true' if 'true' in match['constant'] else 'false'}"
    return f"{blank}{match['text'].strip()}"
