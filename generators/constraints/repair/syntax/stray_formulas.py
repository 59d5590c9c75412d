"""Formulas outside of all commands that were meant to be asserted."""

from __future__ import annotations

import re

from generators.constraints.repair.edit_kind import ProgramDraft
from generators.constraints.repair.syntax.expression_parser import read_term
from generators.constraints.repair.syntax.tokens import UnreadableError
from harness.smtlib.s_expressions import Node, NodeGroup
from harness.smtlib.sort_checker import SortChecker
from harness.smtlib.symbols import BOOL
from harness.text.lexicon import word_lists

_WORDS = word_lists(__file__).either("labels")
_LABEL = re.compile(
    rf"(?:(?:\d+[.)]|[-*•])\s+)?(?P<label>(?:(?:{_WORDS})(?:\s+[A-Za-z]\w*(?=\s*:))?(?:\s*:=?)?(?:\s+\$)?(?:\s+|(?=[({{\"])))?)",
    re.IGNORECASE,
)
_AXIOM = re.compile(
    r"(?:tff|fof|cnf|thf)\(\s*[\w']+\s*,\s*(?:axiom|hypothesis|plain)\s*,\s*(?P<formula>\S.*)\)\s*\.?", re.DOTALL
)
_REST = re.compile(r"(?:(?<!\s)\s++)?+(?:;|//|#(?![=<>/\\])|:::).*")


def stray_formula(draft: ProgramDraft, start: int, end: int) -> Node | None:
    """Return the formula that a part of a line is, of names the program declares; `None` where it is none."""
    line = draft.text[start:end].strip()
    axiom, labelled = _AXIOM.fullmatch(line), _LABEL.match(line)
    named = axiom is not None or (labelled is not None and bool(labelled["label"]))
    text = axiom["formula"] if axiom else _REST.sub("", _LABEL.sub("", line, count=1)).rstrip(" .,")
    if named and len(text) > 2 and text[0] == text[-1] == '"':
        text = text[1:-1]
    try:
        node = read_term(text, frozenset(draft.script.scope.symbols))
    except UnreadableError:
        return None
    checker = SortChecker(draft.script.scope)
    return (
        node if (named or isinstance(node, NodeGroup)) and checker.term(node) == BOOL and not checker.faults else None
    )
