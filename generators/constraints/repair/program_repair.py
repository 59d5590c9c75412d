"""The repair of one program: rules are applied until both solvers take it or no rule applies."""

import enum
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from generators.constraints.repair.certainty import assertion_count, doubts, is_accepted
from generators.constraints.repair.problem_template import template_program
from generators.constraints.repair.program_draft import AmbiguousError, ProgramDraft, RepairChange, RepairRule
from generators.constraints.repair.rules import commands, declarations, terms
from generators.constraints.repair.rules.parentheses import moved_parenthesis, parentheses
from harness.smtlib.faults import ScriptFault, ScriptFaultKind
from harness.smtlib.s_expressions import Position, write_script
from harness.smtlib.script import Script, read_script
from harness.smtlib.vocabulary import DECLARING, narrowest

LONGEST = 20_000
"""Characters of a text to which all rules are applied; a longer one gets its logic and its question."""
MOST_ROUNDS, FEWEST_ROUNDS = 40, 4
MOST_READ = 120_000
"""Characters that are read in all rounds: a program of 3,000 has all rounds, one of 20,000 has six."""
MOST_SHOWN = 2_000
RULES: tuple[RepairRule, ...] = (
    commands.fence,
    commands.command_spelling,
    commands.prose,
    commands.refused_command,
    parentheses,
    declarations.declaration_shape,
    declarations.sort_spelling,
    terms.notation,
    commands.missing_assert,
    declarations.reserved_name,
    commands.misplaced_command,
    declarations.misspelt_name,
    declarations.undeclared_name,
    terms.number_sorts,
    commands.logic,
    commands.missing_check,
    moved_parenthesis,
)
"""The rules; the first that changes something is applied, then all are asked again."""
FOR_ANY_LENGTH = (commands.logic, commands.missing_check)
NOTHING = "(set-logic QF_UF)\n(assert true)\n(check-sat)\n"
"""The program of a text in which no assertion can be read."""
_OF_THE_WHOLE = frozenset(
    {
        *(ScriptFaultKind.NO_CHECK, ScriptFaultKind.NO_ASSERTION, ScriptFaultKind.EMPTY, ScriptFaultKind.TOO_LONG),
        *(ScriptFaultKind.UNKNOWN_LOGIC, ScriptFaultKind.NARROW_LOGIC),
    }
)
"""Faults that are not a fault of the command at which they are placed."""


class RepairMethod(enum.StrEnum):
    """The origin of the program: edits that keep its meaning, a template that only read the problem, the readable part alone, or none."""

    EDITS = "edits"
    TEMPLATE = "template"
    PARTIAL = "partial"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class RepairEdit:
    """One edit: its kind, where it stands in the text as given, and the text before and after.

    Where the text could also be read otherwise, `note` says how, or what was taken for granted.
    """

    kind: str
    at: Position
    before: str
    after: str
    note: str = ""

    @property
    def certain(self) -> bool:
        """Tell whether the text could not be read otherwise."""
        return not self.note

    def record(self) -> dict[str, Any]:
        """Return the JSON form."""
        place = {"kind": self.kind, "line": self.at.line, "column": self.at.column}
        record = {**place, "before": self.before, "after": self.after, "certain": self.certain}
        return {**record, "note": self.note} if self.note else record


@dataclass(frozen=True, slots=True)
class RepairResult:
    """A program after its repair: by what, through which edits, which faults are left.

    A program that was valid is given back as it came, `by` none. `kept` counts the assertions that it has of those of the text. `ambiguous` says which faults were left because the text
    can be read in several ways; `doubts` why the whole may say something else than the text, whatever the edits.
    """

    program: str
    by: RepairMethod
    edits: tuple[RepairEdit, ...]
    faults_left: tuple[ScriptFault, ...]
    kept: tuple[int, int]
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
    work = _Repair(ProgramDraft(text))
    work.run()
    result = work.result()
    if not result.faults_left:
        return result
    program = template_program(problem) if problem else None
    if program is not None:
        unedited = replace(result, edits=())
        return _replaced(unedited, RepairMethod.TEMPLATE, program, "made of the problem's text alone", 0)
    if not guarantee:
        return result
    program = partial_program(work.draft.script)
    note = "nothing could be read" if program == NOTHING else "what has no fault; the rest is left out"
    kept = 0 if program == NOTHING else assertion_count(program)
    return _replaced(result, RepairMethod.PARTIAL, program, note, kept)


def _replaced(result: RepairResult, by: RepairMethod, program: str, note: str, kept: int) -> RepairResult:
    """Return a result whose program is replaced by a valid one with some assertions of the text."""
    before = "" if by is RepairMethod.TEMPLATE else result.program[:MOST_SHOWN]
    edit = RepairEdit(by.value, Position(), before, program[:MOST_SHOWN], note)
    asserted = (min(kept, result.kept[1]), result.kept[1])
    return RepairResult(program, by, (*result.edits, edit), (), asserted, result.ambiguous)


def _rounds(text: str) -> range:
    return range(min(MOST_ROUNDS, max(FEWEST_ROUNDS, MOST_READ // (len(text) + 1))))


class _Repair:
    def __init__(self, draft: ProgramDraft) -> None:
        self.original = draft
        self.draft = draft
        self.unwrapped = draft
        self.origins = list(range(len(draft.text) + 1))
        """The offset in the original text of each character, and of the end."""
        self.edits: list[RepairEdit] = []
        self.declared: set[str] = set()
        self.ambiguous: dict[str, None] = {}
        self.seen = {draft.text}
        self.accepted = False

    def run(self) -> None:
        """Apply rules until the program is accepted; one that lacks only its question gets it and nothing else."""
        if self.draft.faults(ScriptFaultKind.TOO_LONG):
            # The end of the text is not read, so that nothing can be added there.
            return
        long = len(self.original.text) > LONGEST
        for _ in _rounds(self.original.text):
            self.accepted = self.draft.script.valid or (not long and is_accepted(self.draft.script))
            rules = FOR_ANY_LENGTH if long else RULES
            if self.accepted:
                rules = (commands.missing_check,) if self.draft.faults(ScriptFaultKind.NO_CHECK) else ()
            if not any(self._apply(rule) for rule in rules):
                return

    def result(self) -> RepairResult:
        left = self.draft.script.faults
        if self.accepted:
            left = tuple(fault for fault in left if fault.kind is ScriptFaultKind.NO_ASSERTION)
        by = RepairMethod.EDITS if self.edits else RepairMethod.NONE
        reasons = () if left or not self.edits else doubts(self.unwrapped.script, self.draft.script, self.declared)
        count = assertion_count(self.draft.text)
        kept = (count, max(count, assertion_count(self.original.text)))
        ambiguous = tuple(self.ambiguous) if left else ()
        return RepairResult(self.draft.text, by, tuple(self.edits), left, kept, ambiguous, reasons)

    def _apply(self, rule: RepairRule) -> bool:
        """Make the changes that a rule proposes; tell whether the program is a new one."""
        if not self.draft.faults(*rule.faults):
            return False
        changes: list[RepairChange] = []
        try:
            changes.extend(rule.propose(self.draft))
        except AmbiguousError as error:
            self.ambiguous[f"{rule.name}: {error}"] = None
        changes, text = _without_overlaps(changes), self.draft.text
        for change in reversed(changes):
            text = text[: change.start] + change.after + text[change.end :]
        if text in self.seen or len(text) > max(2 * LONGEST, len(self.original.text) + LONGEST):
            return False
        self.edits += [self._edit(rule.name, change) for change in changes]
        for change in reversed(changes):
            self.origins[change.start : change.end] = [self.origins[change.start]] * len(change.after)
        self.seen.add(text)
        before, self.draft = self.draft, ProgramDraft(text)
        if rule is declarations.undeclared_name:
            self.declared |= self.draft.script.scope.symbols.keys() - before.script.scope.symbols.keys()
        if rule is commands.fence:
            self.unwrapped = self.draft
        return True

    def _edit(self, kind: str, change: RepairChange) -> RepairEdit:
        text, offset = self.original.text, self.origins[change.start]
        at = Position(offset, text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))
        before = self.draft.text[change.start : change.end][:MOST_SHOWN]
        return RepairEdit(kind, at, before, change.after[:MOST_SHOWN], change.note)


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
    for _ in _rounds(script.text):
        starts = [command.at.offset for command in script.commands]
        wrong = [fault.at.offset for fault in script.faults if fault.kind not in _OF_THE_WHOLE]
        faulty = {bisect_right(starts, offset) - 1 for offset in wrong}
        whole = [command for number, command in enumerate(script.commands) if number not in faulty]
        body = write_script(command for command in whole if command.head in DECLARING | {"assert"})
        script = read_script(f"(set-logic ALL)\n{body}(check-sat)\n")
        if script.valid:
            # Under the narrowest logic it has no further fault, which is decided by the same features.
            return f"(set-logic {narrowest(script.features)})\n{body}(check-sat)\n"
        if not script.assertions:
            break
    return NOTHING
