"""Commands without a formula whose parts have another shape than SMT-LIB2 requires."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, AtomKind, NodeGroup

_ENDING = ("get-value", "get-model", "check-sat", "exit", "get-info")
_NAMED = {AtomKind.SYMBOL, AtomKind.QUOTED}


@edit_kind(
    "command_shape",
    order=165,
    examples=(
        RepairExample(
            "(set-logic :QF_LIA)\n(declare-const x Int)\n(assert (> x 3))\n(check-sat ())\n(get-value x)\n",
            "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n(get-value (x))\n",
        ),
        RepairExample(
            "(set-logic linear integer arithmetic)\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n(assert",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def command_shape(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Give values their parentheses and a question none; leave out a logic in words, and an assertion of nothing at the end."""
    last = draft.script.commands[-1] if draft.script.commands else None
    for fault in draft.faults(ScriptFaultKind.UNCLOSED):
        # A question that was cut says nothing of the problem.
        if last is not None and fault.at == last.at and _is_cut_question(last) and _asked_before(draft, last):
            yield RepairChange(last.at.offset, len(draft.text), "")
            return
    for _, command in draft.faulty(NodeGroup, ScriptFaultKind.MALFORMED_COMMAND):
        match command.head, command.arguments:
            case "get-value", parts if parts and all(isinstance(part, Atom) and part.kind in _NAMED for part in parts):
                yield RepairChange(
                    parts[0].at.offset, parts[-1].end, f"({draft.text[parts[0].at.offset : parts[-1].end]})"
                )
            case "get-value", (Atom() as name,) if name.text.strip("[]{}<>") in draft.script.scope.symbols:
                yield replacement(name, f"({name.text.strip('[]{}<>')})")
            case "get-value", (Atom(text="'" | "`" | "#") as sign, NodeGroup()):
                yield replacement(sign, "")
            case "check-sat", (NodeGroup(items=()) | Atom(),):
                yield replacement(command, "(check-sat)")
            case "get-model", (Atom() as name,) if name.name in draft.script.scope.symbols:
                yield replacement(command, f"(get-value ({name.text}))")
            case "set-logic", (Atom(kind=AtomKind.KEYWORD) as name,):
                yield replacement(name, name.text.lstrip(":"))
            case "set-logic", (Atom(), _, *_):
                yield RepairChange(command.at.offset, draft.line_end(command), "")
            case "assert", () if command is draft.script.commands[-1] and _asked_before(draft, command):
                yield RepairChange(
                    command.at.offset, len(draft.text), "", certain=False, note="an assertion of nothing at the end"
                )


def _is_cut_question(command: NodeGroup) -> bool:
    """Tell whether a form is the beginning of a command that asks or ends."""
    only = command.items[0] if len(command.items) == 1 else None
    return isinstance(only, Atom) and any(name.startswith(only.text) for name in _ENDING)


def _asked_before(draft: ProgramDraft, command: NodeGroup) -> bool:
    return any(other.head == "check-sat" and other.at.offset < command.at.offset for other in draft.script.commands)
