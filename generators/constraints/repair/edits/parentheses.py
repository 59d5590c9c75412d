"""Parentheses that are missing, surplus or in the wrong place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.operator_spellings import operator
from generators.constraints.repair.syntax.parenthesis_placement import (
    CommandToken,
    ParenthesisPlacement,
    command_tokens,
    parenthesis_placements,
)
from harness.smtlib.commands import ALLOWED, REFUSED
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Node, NodeGroup
from harness.smtlib.symbols import FUNCTIONS

# A search may take a tenth of a second.
MOST_SEARCHED = 20
_COMMANDS = ALLOWED | REFUSED
_WITH_TERMS = frozenset({"assert", "define-fun", "define-const"})


@edit_kind(
    "parentheses",
    order=200,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (> x 3)\n(assert (< x 9))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(assert (< x 9))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (or (= x 1) (= x 2 (= x 3)))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (or (= x 1) (= x 2) (= x 3)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (and (> x 3)) (< x 9)))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (and (> x 3) (< x 9)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> x 3)))\n(check-sat))\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (and (or (= x 1) (= x 2) (< x 9)))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (and (or (= x 1) (= x 2)) (< x 9)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (and (> x 0) (or (= x 1) (= x 2) (< x 9)))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (and (> x 0) (or (= x 1) (= x 2) (< x 9))))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def parentheses(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Balance each command by itself, so that the fewest faults are left in it."""
    faults = draft.faults(ScriptFaultKind.UNCLOSED, ScriptFaultKind.STRAY_CLOSING, ScriptFaultKind.MALFORMED_COMMAND)
    spans = _spans(draft)
    wrong = [span for span in spans if any(span[0] <= fault.at.offset < span[1] for fault in faults)]
    for number, (start, end) in enumerate(wrong):
        yield from _balanced(draft, start, end, search=number < MOST_SEARCHED)


def _spans(draft: ProgramDraft) -> list[tuple[int, int]]:
    """Return where each command begins and where the next one does; what stands between belongs to the one before.

    A formula that begins a line is a command that lacks its name.
    """
    starts = [
        node.at.offset
        for node in draft.nodes
        if isinstance(node, NodeGroup)
        and (node.head in _COMMANDS or (node.at.column == 1 and operator(node.head) in FUNCTIONS))
    ]
    return list(pairwise([*starts, len(draft.text)]))


def _balanced(draft: ProgramDraft, start: int, end: int, *, search: bool) -> Iterator[RepairChange]:
    tokens = command_tokens(draft.text, start, end)
    texts = [token.text for token in tokens]
    missing, name = texts.count("(") - texts.count(")"), "".join(texts[1:2])
    if not missing and not _holds_several(draft.node(start)):
        return
    if name in _COMMANDS - _WITH_TERMS:
        yield from _at_the_end(tokens, missing)
        return
    choices = parenthesis_placements(tokens, draft.script.scope) if search else []
    if choices and (missing or choices[0].weight == 0):
        note = f"one of {len(choices)} places" if len(choices) > 1 else ""
        if choices[0].behind.count(len(tokens) - 1) > 1:
            note = note or "the end of a term is missing: more of it may be"
        yield from _changes(tokens, choices[0], note)
    else:
        yield from _at_the_end(tokens, missing, note="too much is wrong to tell where")


def _holds_several(node: Node | None) -> bool:
    """Tell whether an `assert` holds several formulas."""
    if not isinstance(node, NodeGroup) or node.head != "assert" or len(node.items) < 3:
        return False
    return all(isinstance(item, NodeGroup) for item in node.arguments)


def _at_the_end(tokens: Sequence[CommandToken], missing: int, note: str = "") -> Iterator[RepairChange]:
    """Yield parentheses put in, or left out, behind the last token."""
    if missing > 0:
        yield RepairChange(tokens[-1].end, tokens[-1].end, ")" * missing, not note, note)
    elif missing < 0 and all(token.text == ")" for token in tokens[missing:]):
        yield RepairChange(tokens[missing].start, tokens[-1].end, "", not note, note)


def _changes(tokens: Sequence[CommandToken], placement: ParenthesisPlacement, note: str) -> Iterator[RepairChange]:
    for place in placement.behind:
        yield RepairChange(tokens[place].end, tokens[place].end, ")", not note, note)
    for place in placement.before:
        yield RepairChange(tokens[place].start, tokens[place].start, "(", not note, note)
    for place in placement.without:
        yield RepairChange(tokens[place].start, tokens[place].end, "", not note, note)
