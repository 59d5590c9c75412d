"""Formulas outside of all commands that were meant to be asserted."""

from __future__ import annotations

import re

from generators.constraints.repair.edit_kind import ProgramDraft
from generators.constraints.repair.syntax.expression_parser import read_term
from generators.constraints.repair.syntax.tokens import UnreadableError
from harness.smtlib.s_expressions import Node, NodeGroup
from harness.smtlib.sort_checker import SortChecker
from harness.smtlib.symbols import BOOL

_LABEL = re.compile(
    r"(?:(?:\d+[.)]|[-*•])\s+)?(?:(?:constraint|assert|require|subject to|s\.t\.)(?:\s*:)?\s+)?", re.IGNORECASE
)
_REST = re.compile(r"(?:(?<!\s)\s++)?+(?:;|//|#|:::).*")


def stray_formula(draft: ProgramDraft, start: int, end: int) -> Node | None:
    """Return the formula that a part of a line is, of names the program declares; `None` where it is none."""
    text = _REST.sub("", _LABEL.sub("", draft.text[start:end].strip(), count=1)).rstrip(".,")
    try:
        node = read_term(text, frozenset(draft.script.scope.symbols))
    except UnreadableError:
        return None
    checker = SortChecker(draft.script.scope)
    return node if isinstance(node, NodeGroup) and checker.term(node) == BOOL and not checker.faults else None
