"""The repair of one program: rules are applied until both solvers take it or no rule applies."""

from __future__ import annotations

import enum
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from generators.constraints.repair.certainty import doubts
from generators.constraints.repair.problem_template import template_program
from generators.constraints.repair.program_draft import (
    AmbiguousError,
    OffsetHistory,
    ProgramDraft,
    RepairChange,
    RepairRule,
)
from generators.constraints.repair.rules.commands import (
    LATE_DECLARATION,
    LOGIC,
    MISPLACED_COMMAND,
    MISSING_CHECK,
    SEVERAL_FORMULAS,
)
from generators.constraints.repair.rules.declarations import (
    DECLARATION_SHAPE,
    DUPLICATE_DECLARATION,
    MISSPELT_NAME,
    RESERVED_NAME,
    SORT_SPELLING,
    UNDECLARED_NAME,
)
from generators.constraints.repair.rules.parentheses import PARENTHESES
from generators.constraints.repair.rules.surroundings import MISSING_ASSERT, SURROUNDINGS
from generators.constraints.repair.rules.terms import BOOLEAN_NUMBERS, NOTATION, NUMBER_SORTS
from generators.constraints.repair.solver_answers import accepted
from harness.smtlib.commands import DECLARING
from harness.smtlib.faults import ScriptFault, ScriptFaultKind
from harness.smtlib.logics import narrowest
from harness.smtlib.printer import write_script
from harness.smtlib.s_expressions import NodeGroup, Position
from harness.smtlib.script import Script, read_script

LONGEST = 20_000
"""Characters of a text to which all rules are applied; a longer one gets its logic and its question."""
MOST_ROUNDS, MOST_PARTIAL_ROUNDS, FEWEST_ROUNDS = 40, 20, 4
MOST_READ = 120_000
"""Characters that are read in all rounds: a program of 3,000 has all rounds, one of 20,000 has six."""
MOST_SHOWN = 2_000
FOR_ANY_LENGTH = (LOGIC, MISSING_CHECK)
RULES: tuple[RepairRule, ...] = (
    *SURROUNDINGS,
    PARENTHESES,
    DECLARATION_SHAPE,
    SORT_SPELLING,
    NOTATION,
    MISSING_ASSERT,
    SEVERAL_FORMULAS,
    RESERVED_NAME,
    DUPLICATE_DECLARATION,
    LATE_DECLARATION,
    MISPLACED_COMMAND,
    MISSPELT_NAME,
    UNDECLARED_NAME,
    BOOLEAN_NUMBERS,
    NUMBER_SORTS,
    LOGIC,
    MISSING_CHECK,
)
"""The rules; the first that changes something is applied, then all are asked again."""


NOTHING = "(set-logic QF_UF)\n(assert true)\n(check-sat)\n"
"""The program of a text in which no assertion can be read."""
_KEPT = DECLARING | {"assert"}
_OF_THE_WHOLE = frozenset(
    {
        ScriptFaultKind.NO_CHECK,
        ScriptFaultKind.NO_ASSERTION,
        ScriptFaultKind.EMPTY,
        ScriptFaultKind.TOO_LONG,
        ScriptFaultKind.UNKNOWN_LOGIC,
        ScriptFaultKind.NARROW_LOGIC,
    }
)
"""Faults that are no fault of the command at which they are placed."""


class RepairMethod(enum.StrEnum):
    """The origin of the program: edits that keep its meaning, a template that only read the problem, the readable part alone, or none."""

    EDITS = "edits"
    TEMPLATE = "template"
    PARTIAL = "partial"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class RepairEdit:
    """One edit: its kind, where it stands in the text as given, and the text before and after.

    `certain` is False where the text could also be read otherwise; `note` then says how, or what was taken for granted.
    """

    kind: str
    at: Position
    before: str
    after: str
    certain: bool = True
    note: str = ""

    def record(self) -> dict[str, Any]:
        """Return the JSON form."""
        record: dict[str, Any] = {
            "kind": self.kind,
            "line": self.at.line,
            "column": self.at.column,
            "before": self.before,
            "after": self.after,
            "certain": self.certain,
        }
        return {**record, "note": self.note} if self.note else record


@dataclass(frozen=True, slots=True)
class RepairResult:
    """A program after its repair: by what, through which edits, and which faults are left.

    A program that was valid is given back as it came, `by` none. `ambiguous` says which faults were left because the text
    can be read in several ways; `doubts` why the whole may say something else than the text, whatever the edits.
    """

    program: str
    by: RepairMethod
    edits: tuple[RepairEdit, ...]
    faults_left: tuple[ScriptFault, ...]
    ambiguous: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def repaired(self) -> bool:
        """Tell whether something was done and no fault is left."""
        return self.by is not RepairMethod.NONE and not self.faults_left

    @property
    def certain(self) -> bool:
        """Tell whether the program says what the text said: only edits, none of which could be read otherwise, no doubt and no fault left."""
        if self.by in {RepairMethod.TEMPLATE, RepairMethod.PARTIAL} or self.faults_left:
            return False
        return not self.doubts and all(edit.certain for edit in self.edits)


def repair(text: str, problem: str = "", *, guarantee: bool = False) -> RepairResult:
    """Repair a program by edits, and where that fails by a template filled from the problem's text.

    Deterministic; never raises. A program that both solvers accept is returned unchanged, whatever our reader thinks of it, and a
    repaired one is not changed again. `problem` is the text the program was written for, in plain language; without it there is
    no template. With `guarantee` the result is always a valid program: where there is no template either, the readable part alone.
    """
    draft = ProgramDraft(text)
    if draft.script.valid:
        return RepairResult(text, RepairMethod.NONE, (), ())
    if draft.faults(ScriptFaultKind.TOO_LONG):
        # The end of the text is not read, so that nothing can be added there.
        return RepairResult(text, RepairMethod.NONE, (), draft.script.faults)
    work = _Repair(draft)
    work.run()
    result = work.result(problem)
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
    edit = _whole_edit("partial", result.program, program, note)
    return RepairResult(program, RepairMethod.PARTIAL, (*result.edits, edit), (), result.ambiguous)


def _whole_edit(kind: str, before: str, after: str, note: str) -> RepairEdit:
    return RepairEdit(kind, Position(), before[:MOST_SHOWN], after[:MOST_SHOWN], certain=False, note=note)


class _Repair:
    def __init__(self, draft: ProgramDraft) -> None:
        self.original = draft
        self.draft = draft
        self.unwrapped = draft
        self.history = OffsetHistory()
        self.edits: list[RepairEdit] = []
        self.declared: set[str] = set()
        self.ambiguous: dict[str, None] = {}
        self.seen = {draft.text}
        self.accepted = False

    def run(self) -> None:
        """Apply rules until the program is accepted; one that lacks only its question gets it and nothing else."""
        long = len(self.original.text) > LONGEST
        for _ in range(min(MOST_ROUNDS, max(FEWEST_ROUNDS, MOST_READ // (len(self.original.text) + 1)))):
            self.accepted = self.draft.script.valid or (not long and accepted(self.draft.script))
            rules = FOR_ANY_LENGTH if long else RULES
            if self.accepted:
                rules = (MISSING_CHECK,) if self.draft.faults(ScriptFaultKind.NO_CHECK) else ()
            if not any(self._apply(rule) for rule in rules):
                return

    def result(self, problem: str) -> RepairResult:
        """Return the result; where faults are left, the template of the problem if there is one."""
        left = self.draft.script.faults
        if self.accepted:
            left = tuple(fault for fault in left if fault.kind is ScriptFaultKind.NO_ASSERTION)
        program = template_program(problem) if left and problem else None
        if program is not None:
            edit = _whole_edit("template", "", program, "made of the problem's text alone")
            faults = read_script(program).faults
            return RepairResult(program, RepairMethod.TEMPLATE, (edit,), faults, tuple(self.ambiguous))
        by = RepairMethod.EDITS if self.edits else RepairMethod.NONE
        ambiguous = tuple(self.ambiguous) if left else ()
        reasons = () if left or not self.edits else doubts(self.unwrapped.script, self.draft.script, self.declared)
        return RepairResult(self.draft.text, by, tuple(self.edits), left, ambiguous, reasons)

    def _apply(self, rule: RepairRule) -> bool:
        """Make the changes that a rule proposes; tell whether the program is a new one."""
        if not self.draft.faults(*rule.faults):
            return False
        changes: list[RepairChange] = []
        try:
            changes.extend(rule.propose(self.draft))
        except AmbiguousError as error:
            self.ambiguous[f"{rule.name}: {error}"] = None
            return False
        changes = _without_overlaps(changes)
        text = self.draft.text
        for change in reversed(changes):
            text = text[: change.start] + change.after + text[change.end :]
        if text in self.seen or len(text) > max(2 * LONGEST, len(self.original.text) + LONGEST):
            return False
        for change in changes:
            self._note(rule.name, change)
        self.history.replace(changes)
        self.seen.add(text)
        before, self.draft = self.draft, ProgramDraft(text)
        if rule is UNDECLARED_NAME:
            self.declared |= self.draft.script.scope.symbols.keys() - before.script.scope.symbols.keys()
        if rule.name == "fence":
            self.unwrapped = self.draft
        return True

    def _note(self, name: str, change: RepairChange) -> None:
        at = self.original.position(self.history.original(change.start))
        before = self.draft.text[change.start : change.end][:MOST_SHOWN]
        self.edits.append(RepairEdit(name, at, before, change.after[:MOST_SHOWN], change.certain, change.note))


def _without_overlaps(changes: Iterable[RepairChange]) -> list[RepairChange]:
    """Return changes in order of their place, without those that overlap an earlier one."""
    kept: list[RepairChange] = []
    for change in sorted(changes, key=lambda change: (change.start, change.end)):
        if not kept or change.start >= kept[-1].end:
            kept.append(change)
    return kept


def partial_program(script: Script) -> str:
    """Return a valid program of the declarations and assertions that have no fault; `NOTHING` where there are none.

    The omitted part may be the essential one: such a program says less than the text.
    """
    for _ in range(min(MOST_PARTIAL_ROUNDS, max(FEWEST_ROUNDS, MOST_READ // (len(script.text) + 1)))):
        body = write_script(_without_faults(script))
        script = read_script(f"(set-logic ALL)\n{body}(check-sat)\n")
        if script.valid:
            # Under the narrowest logic it has no further fault, which is decided by the same features.
            return f"(set-logic {narrowest(script.features)})\n{body}(check-sat)\n"
        if not script.assertions:
            break
    return NOTHING


def _without_faults(script: Script) -> list[NodeGroup]:
    """Return the declarations and assertions in which no fault begins."""
    starts = [command.at.offset for command in script.commands]
    faulty = {bisect_right(starts, fault.at.offset) - 1 for fault in script.faults if fault.kind not in _OF_THE_WHOLE}
    return [command for number, command in enumerate(script.commands) if number not in faulty and command.head in _KEPT]
