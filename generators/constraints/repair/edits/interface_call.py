"""Terms and declarations as the interfaces of solvers for other languages write them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.code_matches import COMMENTS, code_matches
from generators.constraints.repair.syntax.operator_spellings import operator
from generators.constraints.repair.syntax.sort_names import sort_name
from harness.smtlib.faults import ScriptFaultKind

_KIND = re.compile(r"(?:\b[A-Za-z_]\w*\.)?\bmkTerm\(\s*+(?:[A-Za-z_]\w*\.)*+(?P<name>[A-Za-z_]\w*)\s*+,\s*+")
_MADE = re.compile(r"(?:\b[A-Za-z_]\w*\.)?\b(?:mk_?|make_?)(?P<name>[A-Z][A-Za-z]*|[a-z]+)\(")
_LITERAL = re.compile(
    r"(?:\b[A-Za-z_]\w*\.)?\b(?:mk_?|make_?)?(?:Int|Integer|Real|Bool|Boolean)(?:Val|Value|eger|_val|Const)?\(\s*+(?P<value>-?\d+(?:\.\d+)?|true|false|True|False)\s*+\)"
)
_DECLARED = re.compile(
    r"(?m)^[ \t]*+(?:[A-Za-z_][\w<>.]*[ \t]++)?(?P<name>[A-Za-z_]\w*)[ \t]*+=[ \t]*+(?P<call>[A-Za-z_][\w.]*)\([ \t]*+(?P<quote>[\"'])(?P<text>[^\"'\n]+)(?P=quote)[ \t]*+(?:,[ \t]*+(?P<sort>[A-Za-z_][\w.()]*))?[ \t]*+\)[ \t]*+;?[ \t]*+$"
)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


@edit_kind(
    "interface_call",
    order=106,
    examples=(
        RepairExample(
            'IntExpr x = ctx.mkIntConst("x");\nsolver.add(ctx.mkGt(x, ctx.mkInt(3)));\n(check-sat)\n',
            "(declare-const x Int)\n(assert (> x 3));\n(check-sat)\n",
        ),
        RepairExample(
            'x = Symbol("x", INT)\nsolver.add_assertion(GT(x, Int(3)))\n(check-sat)\n',
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\nslv.assertFormula(tm.mkTerm(Kind.GEQ, x, tm.mkInteger(3)))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (>= x 3))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def interface_call(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Declare what is named twice beside one sort, and write calls and literals by the names of their operators."""
    if not draft.faults(ScriptFaultKind.STRAY_TEXT):
        return
    for match in _DECLARED.finditer(draft.text):
        parts = [*_PART.findall(match["call"].rpartition(".")[2]), *_PART.findall(match["sort"] or "")]
        sorts = {sort for part in parts if (sort := sort_name(draft, part)) is not None}
        if match["name"] == match["text"] and len(sorts) == 1:
            yield RepairChange(match.start(), match.end(), f"(declare-const {match['name']} {sorts.pop()})")
    for match in code_matches(_KIND, draft.text, COMMENTS):
        name = match["name"].lower().replace("ints_", "").replace("modulus", "mod").replace("division", "div")
        if operator(name) is not None:
            yield RepairChange(match.start(), match.end(), f"{name}(")
    for match in code_matches(_MADE, draft.text, COMMENTS):
        if operator(match["name"].lower()) is not None:
            yield RepairChange(match.start(), match.end(), f"{match['name'].lower()}(")
    for match in code_matches(_LITERAL, draft.text, COMMENTS):
        yield RepairChange(match.start(), match.end(), match["value"].lower())
