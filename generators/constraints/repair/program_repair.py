"""The repair loop, which applies edits to a broken program until it is valid or no edit applies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from generators.constraints.repair.certainty import doubts
from generators.constraints.repair.edit_kind import (
    AmbiguousError,
    EditKind,
    OffsetHistory,
    ProgramDraft,
    RepairChange,
    by_order,
)
from generators.constraints.repair.loose_reading.loose_program import loose_program
from generators.constraints.repair.partial_program import NOTHING, partial_program
from generators.constraints.repair.repair_record import RepairEdit, RepairMethod, RepairResult
from generators.constraints.repair.templates.problem_template import template_program
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Position
from harness.smtlib.script import Script, read_script

LONGEST = 20_000
MOST_ROUNDS = 40
_AT_ANY_LENGTH = frozenset({"logic", "missing_check"})
"""The edits that are made in a text longer than `LONGEST`, too: each once, in time that is linear in its length."""
MOST_SHOWN = 2_000
_DECLARING = "undeclared_name"
"""The edit that declares names which the text does not."""
_UNWRAPPING = frozenset({"escaped_text", "fence"})
"""The edits that take a program out of what surrounds it."""
_DECODING = _UNWRAPPING | {"encoded_text", "spoken_brackets", "typography"}
"""The edits that write the characters of a text as they are meant."""
_PARTS = re.compile(r"\W+|_")
_LOOSE = "the words around its names, numbers and operators were left out"


def repair(text: str, problem: str = "", *, guarantee: bool = False) -> RepairResult:
    """Repair a program by edits, and where that fails by a template filled from the problem's text.

    Deterministic; never raises. A valid program is returned unchanged, and a repaired one is not changed again.
    `problem` is the text the program was written for, in plain language; without it there is no template. With `guarantee`
    the result is always a valid program: where there is no template either, the readable part alone.
    """
    draft = ProgramDraft(text)
    if draft.script.valid:
        return RepairResult(text, RepairMethod.NONE, (), ())
    if any(fault.kind is ScriptFaultKind.TOO_LONG for fault in draft.script.faults):
        # The end of the text is not read, so that nothing can be added there.
        return RepairResult(text, RepairMethod.NONE, (), draft.script.faults)
    kinds = [kind for kind in by_order() if len(text) <= LONGEST or kind.name in _AT_ANY_LENGTH]
    work = _Repair(draft)
    result = work.run(kinds, problem)
    if not guarantee or not result.faults_left:
        return result
    # A long text is read no more often than it must be.
    return _readable_part(
        result, work.draft.script if result.program == work.draft.text else read_script(result.program)
    )


def _readable_part(result: RepairResult, script: Script) -> RepairResult:
    """Return the readable part of a program that is left with faults, `script` what is read of it."""
    program = partial_program(script)
    note = "nothing could be read" if program == NOTHING else "what has no fault; the rest is left out"
    edit = RepairEdit(
        "partial", Position(), result.program[:MOST_SHOWN], program[:MOST_SHOWN], certain=False, note=note
    )
    return RepairResult(program, RepairMethod.PARTIAL, (*result.edits, edit), (), result.ambiguous)


class _Repair:
    def __init__(self, draft: ProgramDraft) -> None:
        self.original = draft
        self.draft = draft
        self.history = OffsetHistory()
        self.edits: list[RepairEdit] = []
        self.unwrapped = draft
        self.declared: set[str] = set()
        self.ambiguous: dict[str, None] = {}
        self.seen = {draft.text}

    def run(self, kinds: Sequence[EditKind], problem: str) -> RepairResult:
        for _ in range(MOST_ROUNDS):
            if self.draft.script.valid or not any(self._apply(kind) for kind in kinds):
                break
        return self._result(problem)

    def _result(self, problem: str) -> RepairResult:
        left = self.draft.script.faults
        if (left or self._may_have_missed()) and (loose := self._loose()) is not None:
            return loose
        program = template_program(problem) if left and problem else None
        if program is not None:
            note = "made of the problem's text alone"
            edit = RepairEdit("template", Position(), "", program[:MOST_SHOWN], certain=False, note=note)
            faults = read_script(program).faults
            return RepairResult(program, RepairMethod.TEMPLATE, (edit,), faults, tuple(self.ambiguous))
        by = RepairMethod.EDITS if self.edits else RepairMethod.NONE
        if left or not self.edits:
            return RepairResult(self.draft.text, by, tuple(self.edits), left, tuple(self.ambiguous))
        reasons = doubts(self.unwrapped.script, self.draft.script, self.declared, problem)
        return RepairResult(self.draft.text, by, tuple(self.edits), left, doubts=reasons)

    def _may_have_missed(self) -> bool:
        """Tell whether lines were left out, or functions and odd names were declared."""
        return self._declared_odd() or any(edit.kind == "prose" for edit in self.edits)

    def _declared_odd(self) -> bool:
        """Tell whether functions were declared, or names that hold a name of the program or no letter."""
        symbols = self.draft.script.scope.symbols
        known = symbols.keys() - self.declared
        return any(
            symbols[name].sorts or not known.isdisjoint(_PARTS.split(name)) or not re.search("[A-Za-z]", name)
            for name in self.declared & symbols.keys()
        )

    def _loose(self) -> RepairResult | None:
        """Return the program by the last reading of the text, whose notation is not known; `None` where it is not read."""
        if len(self.original.text) > LONGEST:
            return None
        plain = _Repair(self.original)
        for kind in by_order():
            if kind.name in _DECODING:
                plain._apply(kind)
        program = loose_program(plain.draft.text)
        if program is None:
            return None
        draft = ProgramDraft(program)
        mended = _Repair(draft)
        for _ in range(MOST_ROUNDS):
            if mended.draft.script.valid or not any(mended._apply(kind) for kind in by_order()):
                break
        found, before = mended.draft.script, self.draft.script
        if found.faults or (
            not before.faults and len(found.assertions) < len(before.assertions) + (not self._declared_odd())
        ):
            return None
        edit = RepairEdit(
            "loose_reading",
            Position(),
            self.original.text[:MOST_SHOWN],
            program[:MOST_SHOWN],
            certain=False,
            note=_LOOSE,
        )
        return RepairResult(mended.draft.text, RepairMethod.EDITS, (*plain.edits, edit, *mended.edits), ())

    def _apply(self, kind: EditKind) -> bool:
        """Make the changes that a kind proposes; tell whether the program is a new one."""
        try:
            changes = _without_overlaps(kind.propose(self.draft))
        except AmbiguousError as error:
            self.ambiguous[f"{kind.name}: {error}"] = None
            return False
        text = self.draft.text
        for change in reversed(changes):
            text = text[: change.start] + change.after + text[change.end :]
        if text in self.seen or len(text) > max(2 * LONGEST, len(self.original.text) + LONGEST):
            return False
        for change in changes:
            self._note(kind.name, change)
        self.history.replace(changes)
        self.seen.add(text)
        before, self.draft = self.draft, ProgramDraft(text)
        if kind.name == _DECLARING:
            self.declared |= self.draft.script.scope.symbols.keys() - before.script.scope.symbols.keys()
        if kind.name in _UNWRAPPING:
            self.unwrapped = self.draft
        return True

    def _note(self, name: str, change: RepairChange) -> None:
        at = self.original.position(self.history.original(change.start))
        before = self.draft.text[change.start : change.end][:MOST_SHOWN]
        self.edits.append(RepairEdit(name, at, before, change.after[:MOST_SHOWN], change.certain, change.note))


def _without_overlaps(changes: Iterable[RepairChange]) -> Sequence[RepairChange]:
    """Return changes in order of their place, without those that overlap an earlier one."""
    kept: list[RepairChange] = []
    for change in sorted(changes, key=lambda change: (change.start, change.end)):
        if not kept or change.start >= kept[-1].end:
            kept.append(change)
    return kept
