"""Lines of prose outside of all commands that are not part of the program."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.remarks import is_conditional, is_neutral, mark
from generators.constraints.repair.syntax.stray_formulas import stray_formula
from harness.smtlib.commands import ALLOWED, REFUSED
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, NodeGroup

_OUTPUT = frozenset({"model", "objectives", "error", "display", "print", "show"})
"""The heads of text after the question: answers of a solver, or commands that print."""
_ITEM = re.compile(r"\d+|[a-z]|[ivx]{1,5}|[A-Z]")
"""The number or the letter of an item, between parentheses."""
_FEW = 4
"""The words of a heading, which states nothing."""
_FORMAL = re.compile(
    r"[<>=≤≥≠∧∨¬\\]|^[^(\n]*+\([^,\n]*+,[^)\n]*+\)|\(\s*+(?:and|or|not|distinct|xor|ite|[-+*/])\s|\bassert|\bconstraint\b|&\w+;"
    r"|^[ \t]*+(?:var|array|enum|int|bool|float|predicate|sig|sort|type)\b[^:;{=\n]*+[:;{=]",
    re.MULTILINE,
)


@edit_kind(
    "prose",
    order=120,
    examples=(
        RepairExample(
            "The (only) variable is x:\n(declare-const x Int)\n(assert (> x 3)) so it is above 3.\n(check-sat)\n",
            "; The (only) variable is x:\n(declare-const x Int)\n(assert (> x 3)) ; so it is above 3.\n(check-sat)\n",
        ),
        RepairExample(
            "Program: (declare-const x Int)\n(assert (> x 3))\n(check-sat)\nsat\n((x 4))\n",
            "; Program:\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n; sat\n\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> x 3))\nIt is smaller than the other one.\n(assert (< x 9))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n; It is smaller than the other one.\n(assert (< x 9))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> x 3))\nx < twice as much\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n; x < twice as much\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const p Bool)\n(assert (not p))\np\n(check-sat)\n",
            "(declare-const p Bool)\n(assert (not p))\n; p\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "rejected: (declare-const x Int)\nrejected: (assert (> x 3))\nrejected: (check-sat)\n",
            "; rejected:\n(declare-const x Int)\n; rejected:\n(assert (> x 3))\n; rejected:\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\n# x is above three\n(assert (> x 3))\n(check-sat)\n",
            "(declare-const x Int)\n; # x is above three\n(assert (> x 3))\n(check-sat)\n",
        ),
    ),
)
def prose(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Make a comment of text that stands outside of commands and is no formula."""
    yield from _numbering(draft)
    if not draft.faults(ScriptFaultKind.STRAY_TEXT, ScriptFaultKind.UNKNOWN_COMMAND):
        return
    checks = [node.end for node in draft.nodes if isinstance(node, NodeGroup) and node.head == "check-sat"]
    for node in draft.nodes:
        # An answer of a solver.
        if checks and isinstance(node, NodeGroup) and node.at.offset > checks[-1] and _is_output(draft, node):
            yield RepairChange(node.at.offset, node.end, "")
    commands = [node.at.offset for node in draft.nodes if isinstance(node, NodeGroup) and _is_command(node)]
    stating = _stating_part(draft)
    regular = _is_regular(draft, stating)
    segments = list(_segments(draft, commands))
    marks = {mark(draft.text[start:end]) for start, end, _ in segments if stating[0] < start < stating[1]} - {None}
    labels = Counter(_label(draft.text[start:place]) for start, place, following in segments if following is not None)
    for start, place, following in segments:
        if stray_formula(draft, start, place) is not None:
            continue
        text = draft.text[start:place].strip(" \t.")
        formal = text in draft.script.scope.symbols or _FORMAL.search(text) is not None
        note = "may be a formula that could not be read" if formal else ""
        if not note and not regular and _may_state(draft, start, text, stating):
            note = "may state what no assertion does"
        label = _label(draft.text[start:place])
        if (
            not note
            and following is not None
            and labels[label] > 1
            and not is_neutral(label, draft.script.scope.symbols)
        ):
            note = "a label may change what the commands behind it say"
        if not note and stating[0] < start < stating[1] and not _is_comment(text):
            short = len(text.split()) <= _FEW or text.rstrip("*_ ").endswith(":") or not _begins_line(draft, start)
            marked = mark(draft.text[start:place]) is not None and len(marks) > 1
            plain = regular or not short or is_neutral(text, draft.script.scope.symbols)
            if is_conditional(text) or marked or not plain:
                note = "may change what the commands beside it say"
        yield RepairChange(start, start, "; ", not note, note)
        if following is not None:
            blanks = len(draft.text[:following]) - len(draft.text[:following].rstrip(" \t"))
            yield RepairChange(following - blanks, following, "\n")


def _numbers_all(draft: ProgramDraft) -> bool:
    """Tell whether every command has one item of a list before it."""
    items = sum(
        isinstance(node, NodeGroup) and len(node.items) == 1 and _ITEM.fullmatch(node.head) is not None
        for node in draft.nodes
    )
    return items >= sum(isinstance(node, NodeGroup) and _is_command(node) for node in draft.nodes) > 1


def _segments(draft: ProgramDraft, commands: list[int]) -> Iterator[tuple[int, int, int | None]]:
    """Yield where text outside of commands begins, where it ends on its line, and where a command follows it there."""
    place = -1
    for node in draft.nodes:
        if isinstance(node, Atom) and node.at.offset >= place:
            end = draft.end_of_line(node.at.offset)
            following = next((start for start in commands if node.at.offset < start < end), None)
            place = end if following is None else following
            yield node.at.offset, place, following


def _label(text: str) -> str:
    """Return the text before a command on its line without the line numbers."""
    return re.sub(r"\d+", "", text).strip()


def _numbering(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Yield the removal of `(1)`, `(2)` or `(a)`, `(b)` before commands, where these are no names."""
    known = draft.script.scope.symbols
    for node, following in pairwise(draft.nodes):
        if isinstance(node, NodeGroup) and node.head in known and len(node.items) == 1 and not _numbers_all(draft):
            continue
        match node, following:
            case NodeGroup(items=(Atom(text=text),)), NodeGroup() if _ITEM.fullmatch(text) and _is_command(following):
                yield RepairChange(node.at.offset, following.at.offset, "")


def _is_output(draft: ProgramDraft, node: NodeGroup) -> bool:
    """Tell whether a group is a model or a list of values, or an unknown command that only names constants."""
    return (
        node.head in _OUTPUT
        or (bool(node.items) and isinstance(node.items[0], NodeGroup))
        or (
            node.head not in ALLOWED | REFUSED | draft.script.scope.symbols.keys()
            and len(node.items) > 1
            and all(isinstance(item, Atom) and item.name in draft.script.scope.symbols for item in node.arguments)
            and node.head.lower().startswith(("show", "print", "get", "display", "value", "output", "report", "return"))
        )
    )


def _stating_part(draft: ProgramDraft) -> tuple[int, int]:
    """Return where the first command begins, and where the line of the last assertion or question ends."""
    commands = [node for node in draft.nodes if isinstance(node, NodeGroup) and _is_command(node)]
    ends = [node.end for node in commands if node.head in {"assert", "check-sat"}]
    return (commands[0].at.offset, draft.end_of_line(max(ends))) if ends else (0, 0)


def _is_regular(draft: ProgramDraft, stating: tuple[int, int]) -> bool:
    """Tell whether about every assertion has a line of prose, so that it is a commentary."""
    asserted = sum(isinstance(node, NodeGroup) and node.head == "assert" for node in draft.nodes)
    lines = {
        draft.position(node.at.offset).line
        for node in draft.nodes
        if isinstance(node, Atom) and stating[0] < node.at.offset < stating[1]
    }
    return len(lines) >= max(2, asserted - 1)


def _may_state(draft: ProgramDraft, offset: int, text: str, stating: tuple[int, int]) -> bool:
    """Tell whether a line of its own among the assertions is a sentence, and does not announce what follows."""
    line = draft.text.rfind("\n", 0, offset) + 1
    alone = not draft.text[line:offset].strip(" \t-*•>#0123456789.")
    return (
        alone
        and not _is_comment(text)
        and stating[0] < offset < stating[1]
        and len(text.split()) > _FEW
        and not text.rstrip("*_ ").endswith(":")
    )


def _is_comment(text: str) -> bool:
    """Tell whether a text begins with the sign of a comment of another language."""
    return text.lstrip().startswith(("#", "//", "--", "%"))


def _begins_line(draft: ProgramDraft, offset: int) -> bool:
    """Tell whether nothing but blanks stands before an offset on its line."""
    return not draft.text[draft.text.rfind("\n", 0, offset) + 1 : offset].strip()


def _is_command(node: NodeGroup) -> bool:
    plain = node.head.lower().replace("_", "-")
    return node.head in ALLOWED | REFUSED or plain.startswith(("declare", "assert", "check"))
