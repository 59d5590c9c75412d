"""Square brackets and braces in the place of parentheses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.code_matches import code_matches
from generators.constraints.repair.syntax.operator_spellings import operator
from harness.smtlib.commands import ALLOWED, REFUSED

_BRACKET = re.compile(r"[()\[\]{}]")
_FIRST = re.compile(r"\s*([^\s()\[\]{},]+|[(\[{])")
_DECLARED_LIST = re.compile(r"\(\s*declare-[a-z]+\s+(\[([\w\s,.-]+)\])")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@edit_kind(
    "brackets",
    order=114,
    examples=(
        RepairExample(
            "(declare-const x Int)\n[assert [and [> x 1] {< x 9}]]\n(check-sat)\n",
            "(declare-const x Int)\n(assert (and (> x 1) (< x 9)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (and (> x 1] (< x 9}))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (and (> x 1) (< x 9)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(declare-const y Int)\n(assert (Distinct [x, y]))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (distinct x y))\n(check-sat)\n",
        ),
    ),
)
def brackets(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write parentheses around a command or an application; other brackets hold lists."""
    if draft.script.valid or not re.search(r"[][{}]", draft.text):
        return
    yield from _listed(draft)
    if _is_mixed(draft.text):
        for match in code_matches(_BRACKET, draft.text):
            if match[0] not in "()":
                yield RepairChange(match.start(), match.end(), "(" if match[0] in _CLOSING else ")")
        return
    open_brackets: list[re.Match[str]] = []
    for match in code_matches(_BRACKET, draft.text):
        if match[0] in _CLOSING:
            open_brackets.append(match)
            continue
        if not open_brackets or _CLOSING[open_brackets[-1][0]] != match[0]:
            # Brackets that do not match say nothing of what they hold.
            return
        opening = open_brackets.pop()
        if opening[0] != "(" and _applies(draft, opening.end()):
            yield RepairChange(opening.start(), opening.end(), "(")
            yield RepairChange(match.start(), match.end(), ")")


def _is_mixed(text: str) -> bool:
    """Tell whether brackets of several kinds close each other, so that all of them are parentheses."""
    opened: list[str] = []
    mixed = False
    for match in code_matches(_BRACKET, text):
        if match[0] in _CLOSING:
            opened.append(match[0])
        elif not opened:
            return False
        else:
            mixed |= _CLOSING[opened.pop()] != match[0]
    return mixed and not opened


def _listed(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Yield the names of a declaration in parentheses, where they are a list of another language."""
    for match in code_matches(_DECLARED_LIST, draft.text):
        yield RepairChange(match.start(1), match.end(1), f"({match[2].replace(',', ' ')})")


def _applies(draft: ProgramDraft, offset: int) -> bool:
    """Tell whether a command, an operator or a declared function comes first after an offset."""
    first = _FIRST.match(draft.text, offset)
    if first is None:
        return False
    signature = draft.script.scope.symbols.get(first[1])
    is_function = signature is not None and bool(signature.sorts)
    return first[1] in ALLOWED | REFUSED or is_function or (signature is None and operator(first[1]) is not None)
