"""The repair of one program: rules are applied until both solvers take it or no rule applies."""

from __future__ import annotations

from collections.abc import Iterable

from generators.constraints.repair.certainty import doubts
from generators.constraints.repair.partial_program import NOTHING, partial_program
from generators.constraints.repair.problem_template import template_program
from generators.constraints.repair.program_draft import (
    AmbiguousError,
    OffsetHistory,
    ProgramDraft,
    RepairChange,
    RepairRule,
)
from generators.constraints.repair.repair_record import RepairEdit, RepairMethod, RepairResult
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
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Position
from harness.smtlib.script import Script, read_script

LONGEST = 20_000
"""Characters of a text to which all rules are applied; a longer one gets its logic and its question."""
MOST_ROUNDS, FEWEST_ROUNDS = 40, 4
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
