"""Commands that are spelt in a way that SMT-LIB2 does not know."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from harness.smtlib.commands import ALLOWED, REFUSED
from harness.smtlib.s_expressions import Atom, NodeGroup

_SPELLINGS = {
    "declare": "declare-const",
    "declare-var": "declare-const",
    "declare-variable": "declare-const",
    "declare-constant": "declare-const",
    "declare-function": "declare-fun",
    "declare-func": "declare-fun",
    "declare-funs": "declare-fun",
    "declare-fn": "declare-fun",
    "declare-predicate": "declare-fun",
    "define-function": "define-fun",
    "define-func": "define-fun",
    "define-constant": "define-const",
    "declare-type": "declare-sort",
    "declare-enum": "declare-datatype",
    "declare-enumeration": "declare-datatype",
    "declare-data-type": "declare-datatype",
    "declare-data-types": "declare-datatypes",
    "declare-consts": "declare-const",
    "declare-vars": "declare-const",
    "const": "declare-const",
    "var": "declare-const",
    "assertion": "assert",
    "asserts": "assert",
    "assume": "assert",
    "constraint": "assert",
    "constrain": "assert",
    "require": "assert",
    "check": "check-sat",
    "checksat": "check-sat",
    "check-satisfiability": "check-sat",
    "check-sat-model": "check-sat",
    "solve": "check-sat",
    "getmodel": "get-model",
    "model": "get-model",
    "getvalue": "get-value",
    "get-values": "get-value",
    "setlogic": "set-logic",
    "logic": "set-logic",
}


@edit_kind(
    "command_spelling",
    order=150,
    examples=(
        RepairExample(
            "(declare-var x Int)\n(Assert (> x 3))\n(check_sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare x Int)\n(constraint (> x 3))\n(check)\n(get_model)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n(get-model)\n",
        ),
    ),
)
def command_spelling(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the command there is, unless the program declares a function of that name."""
    for node in draft.nodes:
        first = node.items[0] if isinstance(node, NodeGroup) and node.items else None
        if not isinstance(first, Atom) or first.text in ALLOWED | REFUSED or first.name in draft.script.scope.symbols:
            continue
        plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", first.text).lower().replace("_", "-").strip(":!")
        known = plain if plain in ALLOWED | REFUSED else _SPELLINGS.get(plain)
        if known is not None:
            yield replacement(first, known)
