"""Rules of what surrounds the commands: fences, prose, misspelt commands, and commands that state nothing."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from generators.constraints.repair.operator_spellings import function
from generators.constraints.repair.program_draft import (
    AmbiguousError,
    ProgramDraft,
    RepairChange,
    RepairRule,
    replacement,
)
from generators.constraints.repair.rules.spellings import command_name
from generators.constraints.repair.term_reader import UnreadableError, read_term
from harness.smtlib.commands import ALLOWED, REFUSED, SAYING
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, Node, NodeGroup
from harness.smtlib.symbols import BOOL, FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = re.compile(r"(?m)^[ \t]*+(?:```|~~~)[ \t]*+([\w.+-]*+)[ \t]*+\r?$\n?")
_COMMAND = re.compile(r"\(\s*(?:assert|declare|define|check)", re.IGNORECASE)
_CHECK = re.compile(r"\(\s*check", re.IGNORECASE)
_THOUGHTS_END = "</think>"
_LIST_MARK = re.compile(r"(?:(?<!\d)\d{1,9}[.)]|[-*•])\s+")
_REST = re.compile(r"(?:;|//|#).*")


def fence(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Keep what stands between fences and holds commands, or after a model's thoughts; of several whole programs only alike ones."""
    thoughts = draft.text.rfind(_THOUGHTS_END) + len(_THOUGHTS_END)
    if thoughts >= len(_THOUGHTS_END) and _COMMAND.search(draft.text, thoughts):
        yield RepairChange(0, thoughts, "")
        return
    marks = list(_FENCE.finditer(draft.text))
    ends = [*(mark.start() for mark in marks[1:]), len(draft.text)]
    blocks = [(mark.end(), end) for mark, end in zip(marks[::2], ends[::2], strict=False)]
    kept = [block for block in blocks if _COMMAND.search(draft.text, *block)]
    whole = [block for block in kept if _CHECK.search(draft.text, *block)]
    if len({" ".join(draft.text[slice(*block)].split()) for block in whole}) > 1:
        raise AmbiguousError(f"{len(whole)} programs between fences")
    chosen = whole[-1:] if len(whole) > 1 else kept
    outside = list(pairwise([0, *(offset for block in chosen for offset in block), len(draft.text)]))[::2]
    for start, end in outside if chosen else []:
        if start < end:
            more = len(whole) < 2 and _COMMAND.search(draft.text, start, end)
            note = "there are commands outside, too" if more else ""
            yield RepairChange(start, end, "", not note, note)


def prose(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Make a comment of text that stands outside of commands and is not a formula; between commands it may change what they say."""
    commands = [node for node in draft.nodes if isinstance(node, NodeGroup) and node.head in ALLOWED | REFUSED]
    if not commands:
        return
    starts = [command.at.offset for command in commands]
    checks = [node.end for node in commands if node.head == "check-sat"]
    place = -1
    for node in draft.nodes:
        start = node.at.offset
        if start < place:
            continue
        if isinstance(node, NodeGroup):
            if checks and start > checks[-1] and node.head not in ALLOWED | REFUSED and formula(draft, node) is None:
                yield RepairChange(start, node.end, "")  # the answer of a solver
            continue
        end = draft.end_of_line(start)
        following = next((offset for offset in starts[bisect_right(starts, start) :][:1] if offset < end), None)
        place = end if following is None else following
        if following is None and line_formula(draft, start, end) is not None:
            continue
        note = "may change what the commands beside it say" if commands[0].at.offset < start < commands[-1].end else ""
        yield RepairChange(start, start, "; ", not note, note)
        if following is not None:
            blanks = following - len(draft.text[:following].rstrip(" \t"))
            yield RepairChange(following - blanks, following, "\n")


def line_formula(draft: ProgramDraft, start: int, end: int) -> tuple[Node, tuple[str, ...]] | None:
    """Return the formula that a part of a line is, whatever its names, and what is doubtful in it."""
    line = _REST.sub("", _LIST_MARK.sub("", draft.text[start:end].strip(), count=1)).strip()
    for opening, closing in (("$", "$"), ("\\(", "\\)")):
        if line.startswith(opening) and line.endswith(closing):
            line = line[len(opening) : -len(closing)]
    return _read_formula(line.rstrip(" .,"), frozenset(draft.script.scope.symbols))


@lru_cache(maxsize=1_024)
def _read_formula(text: str, known: frozenset[str]) -> tuple[Node, tuple[str, ...]] | None:
    """Return the formula that a text is, and what is doubtful in it; equal lines of a program are read once."""
    try:
        reading = read_term(text, known)
    except UnreadableError:
        return None
    return (reading.node, reading.doubts) if isinstance(reading.node, NodeGroup) and _is_formula(reading.node) else None


def formula(draft: ProgramDraft, node: NodeGroup) -> Node | None:
    """Return a group at the top level that is a formula by its function; `None` where it is something else."""
    name = function(node.head) or ""
    if name in {"forall", "exists"} or _is_formula(node):
        return node
    return node if node.head in draft.script.scope.symbols and draft.sorts_of([node]) == [BOOL] else None


def _is_formula(node: NodeGroup) -> bool:
    found = FUNCTIONS.get(function(node.head) or "")
    return found is not None and found.sort == BOOL


def missing_assert(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Assert a formula that stands by itself."""
    for fault in draft.faults(ScriptFaultKind.UNKNOWN_COMMAND, ScriptFaultKind.STRAY_TEXT):
        node = draft.node(fault.at.offset)
        if isinstance(node, NodeGroup) and formula(draft, node) is not None:
            yield replacement(node, f"(assert {draft.source(node)})")
        elif isinstance(node, Atom):
            end = draft.end_of_line(node.at.offset)
            found = line_formula(draft, node.at.offset, end)
            if found is not None and draft.sorts_of([found[0]]) == [BOOL]:
                note = "; ".join(found[1])
                yield RepairChange(node.at.offset, end, f"(assert {write_node(found[0])})", not note, note)


def command_spelling(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the command there is, unless the program declares a function of that name."""
    for _, node in draft.faulty(NodeGroup, ScriptFaultKind.UNKNOWN_COMMAND):
        first = node.items[0] if node.items else None
        if isinstance(first, Atom) and first.name not in draft.script.scope.symbols and not _is_formula(node):
            name = command_name(first.text)
            if name is not None and name != first.text:
                yield replacement(first, name)


def refused_command(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Leave out commands that only print, end the session or set an option: no assertion depends on them."""
    idle = SAYING | {"exit", "set-option"}
    for _, command in draft.faulty(NodeGroup, ScriptFaultKind.REFUSED_COMMAND, ScriptFaultKind.MALFORMED_COMMAND):
        if command.head in idle:
            yield RepairChange(command.at.offset, draft.line_end(command), "")


_STRAY = frozenset({ScriptFaultKind.STRAY_TEXT, ScriptFaultKind.UNKNOWN_COMMAND})
SURROUNDINGS = (
    RepairRule(
        "fence", frozenset({ScriptFaultKind.STRAY_TEXT, ScriptFaultKind.UNTERMINATED, ScriptFaultKind.ODD_ATOM}), fence
    ),
    RepairRule("command_spelling", frozenset({ScriptFaultKind.UNKNOWN_COMMAND}), command_spelling),
    RepairRule("prose", _STRAY, prose),
    RepairRule(
        "refused_command",
        frozenset({ScriptFaultKind.REFUSED_COMMAND, ScriptFaultKind.MALFORMED_COMMAND}),
        refused_command,
    ),
)
MISSING_ASSERT = RepairRule("missing_assert", _STRAY, missing_assert)
