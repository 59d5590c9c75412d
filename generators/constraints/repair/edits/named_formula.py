"""Formulas that are given a name without their sort, as in `(define c1 (> x 3))` and `c1 := (> x 3)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.expression_parser import read_term
from generators.constraints.repair.syntax.tokens import UnreadableError
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup
from harness.smtlib.sort_checker import SortChecker

_LINE = re.compile(
    r"(?m)^[ \t]*(?:let[ \t]+|val[ \t]+|def[ \t]+)?(?P<name>[A-Za-z_]\w*)[ \t]*:?=[ \t]*(?P<term>\S.*?)[ \t]*[;.]?[ \t]*$"
)
_HEADS = frozenset(
    {"define", "defun", "define-fun", "define-const", "let", "define-formula", "def", "defconst", "set", "set!"}
)


@edit_kind(
    "named_formula",
    order=103,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(define c1 (> x 3))\n(define-fun c2 () (< x 9))\nc3 := (distinct x 5)\n(assert c1)\n(assert c2)\n(assert c3)\n(check-sat)\n",
            "(declare-const x Int)\n(define-fun c1 () Bool (> x 3))\n(define-fun c2 () Bool (< x 9))\n(define-fun c3 () Bool (distinct x 5))\n(assert c1)\n(assert c2)\n(assert c3)\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(define-fun f (y) (> x y))\n(assert (f 3))\n(check-sat)\n",
            "(declare-const x Int)\n(define-fun f (y) (> x y))\n(assert (f 3))\n(check-sat)\n",
        ),
    ),
)
def named_formula(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Define the name with the sort that its term has, where the program uses the name and does not declare it."""
    if draft.script.valid:
        return
    for command in draft.script.commands:
        match command.items:
            case (Atom() as head, Atom(kind=AtomKind.SYMBOL) as name, *rest) if head.text in _HEADS and rest:
                sort_or_none = rest[:-1]
                plain = all(part == NodeGroup(()) or isinstance(part, Atom) for part in sort_or_none)
                if (
                    plain
                    and len(sort_or_none) < 3
                    and not (NodeGroup(()) in sort_or_none and len(sort_or_none) == 2 and head.text == "define-fun")
                ):
                    definition = _defined(draft, name.text, rest[-1])
                    if definition is not None:
                        yield replacement(command, definition)
    places = {node.at.offset for node in draft.nodes if isinstance(node, Atom)}
    for line in _LINE.finditer(draft.text):
        if line.start("name") not in places:
            continue
        try:
            term = read_term(line["term"], frozenset(draft.script.scope.symbols))
        except UnreadableError:
            continue
        definition = _defined(draft, line["name"], term)
        if definition is not None:
            yield RepairChange(line.start(), line.end(), definition)


def _defined(draft: ProgramDraft, name: str, term: Node) -> str | None:
    """Return the definition of a name that is used elsewhere and not declared; `None` where the term has no sort."""
    if (
        name in draft.script.scope.symbols
        or len(re.findall(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", draft.text)) < 2
    ):
        return None
    checker = SortChecker(draft.script.scope)
    sort = checker.term(term)
    return f"(define-fun {name} () {sort} {write_node(term)})" if sort is not None and not checker.faults else None
