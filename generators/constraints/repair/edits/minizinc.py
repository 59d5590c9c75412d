"""Variables that are declared as in MiniZinc, with a type or a range of values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.code_matches import code_matches
from harness.smtlib.faults import ScriptFaultKind

_SORTS = {"int": "Int", "bool": "Bool", "float": "Real"}
_DECLARED = re.compile(
    r"(?m)^[ \t]*+var[ \t]++(?:(?P<sort>int|bool|float)|(?P<low>-?\d+)[ \t]*+\.\.[ \t]*+(?P<high>-?\d+))[ \t]*+:[ \t]*+(?P<name>[A-Za-z]\w*)[ \t]*+;?[ \t]*+$"
)
_ASKED = re.compile(r"(?m)^[ \t]*+solve[ \t]++satisfy[ \t]*+;?[ \t]*+$")


@edit_kind(
    "minizinc",
    order=104,
    examples=(
        RepairExample(
            "var 1..7: a;\nvar bool: p;\nconstraint a > 3;\n(assert (=> p (< a 5)))\nsolve satisfy;\n",
            "(declare-const a Int)\n(assert (<= 1 a 7))\n(declare-const p Bool)\n(assert (> a 3))\n(assert (=> p (< a 5)))\n(check-sat)\n",
        ),
        RepairExample(
            "var -2..2: a;\n(assert (> a 3))\n(check-sat)\n",
            "(declare-const a Int)\n(assert (<= (- 2) a 2))\n(assert (> a 3))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def minizinc(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Declare a variable, with an assertion of its bounds where it has a range; and ask."""
    if not draft.faults(ScriptFaultKind.STRAY_TEXT):
        return
    declared = list(code_matches(_DECLARED, draft.text))
    for match in declared:
        sort = _SORTS[match["sort"]] if match["sort"] else "Int"
        text = f"(declare-const {match['name']} {sort})"
        if match["low"]:
            text += f"\n(assert (<= {_numeral(match['low'])} {match['name']} {_numeral(match['high'])}))"
        yield RepairChange(match.start(), match.end(), text)
    for match in code_matches(_ASKED, draft.text) if declared else ():
        yield RepairChange(match.start(), match.end(), "(check-sat)")


def _numeral(text: str) -> str:
    return f"(- {text[1:]})" if text.startswith("-") else text
