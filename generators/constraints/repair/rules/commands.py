"""Rules of commands and of what surrounds them: fences, prose, misspelt, misplaced and missing commands, and those that state nothing."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

from generators.constraints.repair.program_draft import (
    AmbiguousError,
    ProgramDraft,
    RepairChange,
    insertion,
    repair_rule,
    replacement,
)
from generators.constraints.repair.spellings import command_name, function
from harness.reply import answer_part, fenced_blocks
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, NodeGroup
from harness.smtlib.vocabulary import ALLOWED, BOOL, FUNCTIONS, REFUSED, SAYING, LogicFeature, features_of, narrowest

_COMMAND = re.compile(r"\(\s*(?:assert|declare|define|check)", re.IGNORECASE)
_CHECK = re.compile(r"\(\s*check", re.IGNORECASE)


@repair_rule(ScriptFaultKind.STRAY_TEXT, ScriptFaultKind.UNTERMINATED, ScriptFaultKind.ODD_ATOM)
def fence(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Keep what stands between fences and holds commands, or after a model's thoughts; of several whole programs only alike ones."""
    answer = answer_part(draft.text)
    if answer != draft.text and _COMMAND.search(answer):
        start = draft.text.rfind(answer)
        yield RepairChange(0, start, "")
        yield RepairChange(start + len(answer), len(draft.text), "")
        return
    blocks = [(block.start, block.end) for block in fenced_blocks(draft.text)]
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
            yield RepairChange(start, end, "", note)


@repair_rule(ScriptFaultKind.STRAY_TEXT, ScriptFaultKind.UNKNOWN_COMMAND)
def prose(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Make a comment of text that stands outside of commands; between commands it may change what they say."""
    commands = draft.commands(*ALLOWED, *REFUSED)
    if not commands:
        return
    starts = [command.at.offset for command in commands]
    checks = [command.end for command in commands if command.head == "check-sat"]
    place = -1
    for node in draft.script.nodes:
        start = node.at.offset
        if start < place:
            continue
        if isinstance(node, NodeGroup):
            if checks and start > checks[-1] and node.head not in ALLOWED | REFUSED and not _is_formula(draft, node):
                yield RepairChange(start, node.end, "")  # the answer of a solver
            continue
        end = draft.end_of_line(start)
        following = next((offset for offset in starts[bisect_right(starts, start) :][:1] if offset < end), None)
        place = end if following is None else following
        within = commands[0].at.offset < start < commands[-1].end
        yield insertion(start, "; ", "may change what the commands beside it say" if within else "")
        if following is not None:
            blanks = following - len(draft.text[:following].rstrip(" \t"))
            yield RepairChange(following - blanks, following, "\n")


def _is_formula(draft: ProgramDraft, node: NodeGroup) -> bool:
    """Tell whether a group at the top level is a formula by its function."""
    name = function(node.head) or ""
    if name in FUNCTIONS or name in {"forall", "exists"}:
        return name not in FUNCTIONS or FUNCTIONS[name].sort == BOOL
    return node.head in draft.script.scope.symbols and draft.sorts_of([node]) == [BOOL]


@repair_rule(ScriptFaultKind.UNKNOWN_COMMAND)
def missing_assert(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Assert a formula that stands by itself."""
    for _, node in draft.faulty(NodeGroup, ScriptFaultKind.UNKNOWN_COMMAND):
        if _is_formula(draft, node):
            yield replacement(node, f"(assert {draft.source(node)})")


@repair_rule(ScriptFaultKind.UNKNOWN_COMMAND)
def command_spelling(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the command there is, unless the program declares a function of that name."""
    for _, node in draft.faulty(NodeGroup, ScriptFaultKind.UNKNOWN_COMMAND):
        first = node.items[0] if node.items else None
        if isinstance(first, Atom) and first.name not in draft.script.scope.symbols and not _is_formula(draft, node):
            name = command_name(first.text)
            if name is not None and name != first.text:
                yield replacement(first, name)


@repair_rule(ScriptFaultKind.REFUSED_COMMAND, ScriptFaultKind.MALFORMED_COMMAND)
def refused_command(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Leave out commands that only print, end the session or set an option: no assertion depends on them. One that ends it before other assertions or questions is an `AmbiguousError`."""
    after = draft.commands("assert", "check-sat")
    for _, command in draft.faulty(NodeGroup, *refused_command.faults):
        if command.head == "exit" and after and after[-1].at.offset > command.at.offset:
            raise AmbiguousError("commands after (exit) may count or not")
        if command.head in SAYING | {"exit", "set-option"}:
            yield draft.without(command)


@repair_rule(ScriptFaultKind.MISPLACED_COMMAND)
def misplaced_command(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Move a logic or an option to the front; of several logics the first counts."""
    for _, node in draft.faulty(NodeGroup, ScriptFaultKind.MISPLACED_COMMAND):
        if node.head in {"set-logic", "set-option"}:
            yield draft.without(node)
            if node.head == "set-option" or node.at == draft.commands("set-logic")[0].at:
                yield insertion(draft.script.commands[0].at.offset, f"{draft.source(node)}\n")
            return


@repair_rule(ScriptFaultKind.UNKNOWN_LOGIC, ScriptFaultKind.NARROW_LOGIC)
def logic(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Set the narrowest logic that holds all that is used, once nothing else is wrong."""
    if any(fault.kind not in logic.faults + missing_check.faults for fault in draft.script.faults):
        return
    for _, name in draft.faulty(Atom, *logic.faults):
        used, offered = draft.script.features, features_of(name.name) or ()
        # Numerals were read as reals under a logic without integers.
        reals = LogicFeature.REALS in offered and LogicFeature.INTEGERS not in offered
        yield replacement(name, "ALL" if reals and LogicFeature.INTEGERS in used else narrowest(used))


@repair_rule(ScriptFaultKind.NO_CHECK, ScriptFaultKind.MISPLACED_COMMAND)
def missing_check(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Ask after the last assertion."""
    last = draft.commands("assert", "check-sat")[-1:]
    if last and last[0].head == "assert":
        place = draft.place_after(last[0])
        yield insertion(place, "(check-sat)\n" if draft.text[place - 1] == "\n" else "\n(check-sat)\n")
