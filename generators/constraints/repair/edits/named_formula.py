"""Formulas that are given a name without their sort, as in `(define c1 (> x 3))` and `c1 := (> x 3)`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.expression_parser import read_term
from generators.constraints.repair.syntax.tokens import UnreadableError
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup
from harness.smtlib.sort_checker import SortChecker

_LINE = re.compile(r"(?m)^[ \t]*(?:let[ \t]+|val[ \t]+|def[ \t]+)?(?P<name>[A-Za-z_]\w*)[ \t]*:?=[ \t]*(?P<term>\S.*)$")
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
    """Define the name with the sort that its term has, where the program uses the name elsewhere and does not declare it.

    A name that is given more than once is left.
    """
    if draft.script.valid:
        return
    commands = [(name, command) for command in draft.script.commands for name in _named_by(command)]
    tops = {node.at.offset for node in draft.nodes if isinstance(node, Atom)}
    lines = [line for line in _LINE.finditer(draft.text) if line.start("name") in tops]
    names = {name.at.offset for name, _ in commands} | {line.start("name") for line in lines}
    used = {atom.text for atom in draft.atoms() if atom.at.offset not in names}
    given = [*(name.text for name, _ in commands), *(line["name"] for line in lines)]
    used -= {name for name, count in Counter(given).items() if count > 1}
    for name, command in commands:
        definition = _defined(draft, name.text, command.items[-1]) if name.text in used else None
        if definition is not None:
            yield replacement(command, definition)
    for line in lines:
        if line["name"] not in used:
            continue
        try:
            term = read_term(_unended(line["term"]), frozenset(draft.script.scope.symbols))
        except UnreadableError:
            continue
        definition = _defined(draft, line["name"], term)
        if definition is not None:
            yield RepairChange(line.start(), line.end(), definition)


def _named_by(command: NodeGroup) -> Iterator[Atom]:
    """Yield the name that a command gives to a formula, if it does and says no parameters."""
    match command.items:
        case (Atom() as head, Atom(kind=AtomKind.SYMBOL) as name, *between, _) if head.text in _HEADS:
            empty = NodeGroup(())
            plain = all(part == empty or isinstance(part, Atom) for part in between)
            if (
                plain
                and len(between) < 3
                and not (empty in between and len(between) == 2 and head.text == "define-fun")
            ):
                yield name


def _unended(term: str) -> str:
    """Return a term without the mark that ends its line."""
    term = term.rstrip()
    return term[:-1].rstrip() if term.endswith((";", ".")) else term


def _defined(draft: ProgramDraft, name: str, term: Node) -> str | None:
    """Return the definition of a name that is not declared; `None` where the term has no sort."""
    if name in draft.script.scope.symbols:
        return None
    checker = SortChecker(draft.script.scope)
    sort = checker.term(term)
    return f"(define-fun {name} () {sort} {write_node(term)})" if sort is not None and not checker.faults else None
