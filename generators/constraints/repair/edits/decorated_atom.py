"""Names and numbers within signs of emphasis, quotation or other languages, as in `*x*`, `<x>` and `'3'`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from harness.smtlib.s_expressions import AtomKind
from harness.smtlib.symbols import BOOL

_NAME = re.compile(
    r"(?:(?P<sign>\*{1,2}|[`\"$_'])(?P<within>[A-Za-z]\w*)(?P=sign)|<(?P<angle>[A-Za-z]\w*)>|[$%#]?\{(?P<brace>[A-Za-z]\w*)\}"
    r"|[?:$@&!](?P<behind>[A-Za-z]\w*)|(?P<before>[A-Za-z]\w*)(?:'s|:(?:Int|Bool|Real)))"
)
_NUMBER = re.compile(r"(?P<sign>\*\*|['`*_])(?P<inner>\d+(?:\.\d+)?)(?P=sign)")


@edit_kind(
    "decorated_atom",
    order=135,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (> *x* '3'))\n(assert (< <x> **9**))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(assert (< x 9))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const total Int)\n(assert (> t\ufffdtal ${total} 3))\n(check-sat)\n",
            "(declare-const total Int)\n(assert (> total total 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> x:Int 3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const p Bool)\n(assert !p)\n(check-sat)\n",
            "(declare-const p Bool)\n(assert (not p))\n(check-sat)\n",
        ),
    ),
)
def decorated_atom(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write a declared name, and a number between two equal signs, without them."""
    if draft.script.valid:
        return
    declared = draft.script.scope.symbols.keys()
    for atom in draft.atoms():
        path = draft.path(atom.at.offset)
        if not path or path[0].head not in {"assert", "get-value"} or atom.name in declared:
            continue
        if atom.kind not in {AtomKind.ODD, AtomKind.SYMBOL, AtomKind.KEYWORD}:
            continue
        decorated, number = _NAME.fullmatch(atom.text), _NUMBER.fullmatch(atom.text)
        names = [name for label, name in decorated.groupdict().items() if name and label != "sign"] if decorated else []
        if "\ufffd" in atom.text:
            names = [name for name in declared if re.fullmatch(re.escape(atom.text).replace("\ufffd", "."), name)]
            names = names if len(names) == 1 else []
        if names and names[0] in declared:
            # `!p` negates a truth value; beside a number it may negate what the number is compared with, or read a reference.
            negated = atom.text.startswith("!")
            truth = draft.script.scope.symbols[names[0]].sort == BOOL
            yield replacement(
                atom, f"(not {names[0]})" if negated and truth else names[0], certain=truth or not negated
            )
        elif number is not None:
            yield replacement(atom, number["inner"])
