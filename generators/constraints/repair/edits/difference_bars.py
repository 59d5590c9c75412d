"""Absolute values that are written between bars, as in `|x - y|`."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.expression_parser import read_term
from generators.constraints.repair.syntax.tokens import UnreadableError
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import AtomKind, NodeGroup
from harness.smtlib.sort_checker import SortChecker
from harness.smtlib.symbols import NUMBERS


@edit_kind(
    "difference_bars",
    order=388,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(declare-const y Int)\n(assert (= |x - y| 1))\n(assert |x - 2| = 1)\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (= (abs (- x y)) 1))\n(assert (= (abs (- x 2)) 1))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const |x - y| Int)\n(assert (< |x - y| 3)\n(check-sat)\n",
            "(declare-const |x - y| Int)\n(assert (< |x - y| 3))\n(check-sat)\n",
        ),
    ),
)
def difference_bars(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the function for a term of declared names between bars that is itself no declared name."""
    symbols = draft.script.scope.symbols
    for atom in draft.atoms():
        path = draft.path(atom.at.offset)
        if atom.kind is not AtomKind.QUOTED or atom.name in symbols or not path or path[0].head.startswith("declare"):
            continue
        try:
            term = read_term(atom.name, frozenset(symbols))
        except UnreadableError:
            continue
        checker = SortChecker(draft.script.scope)
        if isinstance(term, NodeGroup) and checker.term(term) in NUMBERS and not checker.faults:
            yield replacement(atom, f"(abs {write_node(term)})")
