"""Which parentheses are missing, too many, or in the wrong place?"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from generators.constraints.repair.edit_kind import Change, Draft, Example, edit_kind
from generators.constraints.repair.syntax.operator_spellings import operator
from generators.constraints.repair.syntax.parenthesis_placement import pieces, placings
from harness.smtlib.commands import ALLOWED, REFUSED
from harness.smtlib.faults import FaultKind
from harness.smtlib.s_expressions import Group
from harness.smtlib.symbols import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generators.constraints.repair.syntax.parenthesis_placement import Piece, Placing
    from harness.smtlib.s_expressions import Node

# A search may take a tenth of a second.
MOST_SEARCHED = 20
_COMMANDS = ALLOWED | REFUSED
_WITH_TERMS = frozenset({"assert", "define-fun", "define-const"})


@edit_kind(
    "parentheses",
    order=200,
    examples=(
        Example(
            "(declare-const x Int)\n(assert (> x 3)\n(assert (< x 9))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(assert (< x 9))\n(check-sat)\n",
        ),
        Example(
            "(declare-const x Int)\n(assert (or (= x 1) (= x 2 (= x 3)))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (or (= x 1) (= x 2) (= x 3)))\n(check-sat)\n",
        ),
        Example(
            "(declare-const x Int)\n(assert (and (> x 3)) (< x 9)))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (and (> x 3) (< x 9)))\n(check-sat)\n",
        ),
        Example(
            "(declare-const x Int)\n(assert (> x 3)))\n(check-sat))\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        Example(
            "(declare-const x Int)\n(assert (and (or (= x 1) (= x 2) (< x 9)))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (and (or (= x 1) (= x 2)) (< x 9)))\n(check-sat)\n",
        ),
        Example(
            "(declare-const x Int)\n(assert (and (> x 0) (or (= x 1) (= x 2) (< x 9)))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (and (> x 0) (or (= x 1) (= x 2) (< x 9))))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def parentheses(draft: Draft) -> Iterator[Change]:
    """Balance each command by itself, so that the fewest faults are left in it."""
    faults = draft.faults(FaultKind.UNCLOSED, FaultKind.STRAY_CLOSING, FaultKind.MALFORMED_COMMAND)
    spans = _spans(draft)
    wrong = [span for span in spans if any(span[0] <= fault.at.offset < span[1] for fault in faults)]
    for number, (start, end) in enumerate(wrong):
        yield from _balanced(draft, start, end, search=number < MOST_SEARCHED)


def _spans(draft: Draft) -> list[tuple[int, int]]:
    """Return where each command begins and where the next one does; what stands between belongs to the one before.

    A formula that begins a line is a command that lacks its name.
    """
    starts = [
        node.at.offset
        for node in draft.nodes
        if isinstance(node, Group)
        and (node.head in _COMMANDS or (node.at.column == 1 and operator(node.head) in FUNCTIONS))
    ]
    return list(pairwise([*starts, len(draft.text)]))


def _balanced(draft: Draft, start: int, end: int, *, search: bool) -> Iterator[Change]:
    found = pieces(draft.text, start, end)
    texts = [piece.text for piece in found]
    missing, name = texts.count("(") - texts.count(")"), "".join(texts[1:2])
    if not missing and not _split(draft.node(start)):
        return
    if name in _COMMANDS - _WITH_TERMS:
        yield from _at_the_end(found, missing)
        return
    choices = placings(found, draft.script.scope) if search else []
    if choices and (missing or choices[0].weight == 0):
        note = f"one of {len(choices)} places" if len(choices) > 1 else ""
        yield from _changes(found, choices[0], certain=len(choices) == 1, note=note)
    else:
        yield from _at_the_end(found, missing, note="too much is wrong to tell where")


def _split(node: Node | None) -> bool:
    """Tell whether an `assert` holds several formulas."""
    several = isinstance(node, Group) and node.head == "assert" and len(node.items) > 2
    return several and isinstance(node, Group) and all(isinstance(item, Group) for item in node.arguments)


def _at_the_end(found: Sequence[Piece], missing: int, note: str = "") -> Iterator[Change]:
    """Yield parentheses put in, or left out, behind the last piece."""
    if missing > 0:
        yield Change(found[-1].end, found[-1].end, ")" * missing, not note, note)
    elif missing < 0 and all(piece.text == ")" for piece in found[missing:]):
        yield Change(found[missing].start, found[-1].end, "", not note, note)


def _changes(found: Sequence[Piece], placing: Placing, *, certain: bool, note: str) -> Iterator[Change]:
    for place in placing.behind:
        yield Change(found[place].end, found[place].end, ")", certain, note)
    for place in placing.before:
        yield Change(found[place].start, found[place].start, "(", certain, note)
    for place in placing.without:
        yield Change(found[place].start, found[place].end, "", certain, note)
