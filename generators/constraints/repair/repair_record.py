"""The result of a repair: the program, the edits that were made, and the faults that are left."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any

from harness.smtlib.faults import ScriptFault
from harness.smtlib.s_expressions import Position


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
