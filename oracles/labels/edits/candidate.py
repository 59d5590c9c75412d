"""The candidate that a reviewer edits: its lines, label, certificate and values, which stay fixed during the edit."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from harness.domain import Exact
from harness.json_form import MalformedRecordError, read_record
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.program.refusal import ProgramError, Refusal
from harness.records.mutation import AUDITED, FlawRecord
from harness.solution.labels import FINAL_ANSWER
from harness.text.operation_words import Rewording
from oracles.proofs.flaw_certificate import FlawCertificate, FlawNotCertified, program_values
from oracles.proofs.flaw_text import ANSWER_MARK, line_place, lines_of
from oracles.proofs.straight_program import EditError, EditKind, edit_between

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from oracles.proofs.straight_program import ProgramEdit

_STILL = re.compile(r"the words still say (['\"])(.{1,200})\1", re.DOTALL)


class UnreadableCandidateError(Exception):
    """The record is no candidate that can be edited; the text says why."""


@dataclass(frozen=True)
class ReviewCandidate:
    """A candidate as it was made: its lines, those of the correct solution, the label, and its certificate.

    `line` is the labelled line and `place` where it stands, from zero; `words` are those that the candidate says it
    still has to lose. `before` and `after` are the values of the variables in the correct solution and in this one.
    """

    record: Mapping[str, Any] = field(repr=False)
    solution: tuple[str, ...]
    lines: tuple[str, ...]
    line: str
    place: int
    explanation: str
    words: tuple[str, ...]
    certificate: FlawCertificate
    edit: ProgramEdit | None
    before: Mapping[str, Exact]
    after: Mapping[str, Exact]

    @property
    def computational(self) -> bool:
        """Tell whether the one error is a false equation."""
        return self.certificate.mutant is None

    @property
    def labels(self) -> list[str]:
        """Return the labels of the lines."""
        return labels_of(self.lines)

    @cached_property
    def counterpart(self) -> str:
        """Return the correct solution's line in place of the labelled one, empty where it has none.

        Where a step was left out or added, the lines after it stand one lower or higher.
        """
        if self.line == FINAL_ANSWER:
            return self.solution[-1]
        place = self.place
        if self.edit is not None and len(self.lines) != len(self.solution):
            place += {EditKind.DELETED: 1, EditKind.ADDED: -1}.get(self.edit.kind, 0)
        return self.solution[place] if 0 <= place < len(self.solution) - 1 else ""

    @cached_property
    def stale_words(self) -> frozenset[str]:
        """Return the words that no longer fit: those that the candidate itself names, and those of an operation that is gone."""
        edit, gone = self.edit, frozenset[str]()
        if edit is not None and edit.kind is EditKind.CHANGED and edit.before is not None and edit.after is not None:
            gone = Rewording.of_change(edit.before, edit.after).gone
        return gone.union(word.casefold() for word in self.words)

    @cached_property
    def computed_from(self) -> frozenset[Exact]:
        """Return the values that the labelled line works with: of the names and numbers of its steps, and its results."""
        found: set[Exact] = set()
        for step in self.certificate.told.steps:
            if step.line == self.line:
                found |= {self.after[step.variable], *_operands(step.expression, self.after)}
        return frozenset(found)


def subject_of(record: Mapping[str, Any]) -> ReviewCandidate:
    """Return the fixed parts of a candidate; the last few are cached, because a person edits one candidate for a while.

    Raises:
        UnreadableCandidateError: it is no record of a flawed solution whose certificate can be read.
    """
    try:
        written = json.dumps(record)
    except (TypeError, ValueError, RecursionError) as error:
        raise UnreadableCandidateError(str(error)[:200]) from None
    return _subject(written)


@lru_cache(maxsize=64)
def _subject(written: str) -> ReviewCandidate:
    record = json.loads(written)
    try:
        read = read_record(FlawRecord, record, fields=AUDITED)
        certificate = FlawCertificate.of_record(read.certificate)
        before = program_values(certificate.oracle)
        edit = None if certificate.mutant is None else edit_between(certificate.oracle, certificate.mutant)
        _ = certificate.answer
    except (MalformedRecordError, Refusal, ProgramError, FlawNotCertified, EditError, KeyError) as error:
        raise UnreadableCandidateError(str(error).partition("\n")[0][:200]) from None
    details = read.label.error_details
    lines = lines_of(read.flawed_solution)
    place = line_place(details.erroneous_line_number, lines)
    if place is None:
        raise UnreadableCandidateError(f"it has no line {details.erroneous_line_number}")
    edits = record.get("edits")
    hints = [_STILL.fullmatch(edit) for edit in edits if isinstance(edit, str)] if isinstance(edits, list) else []
    return ReviewCandidate(
        record=record,
        solution=lines_of(read.solution),
        lines=lines,
        line=details.erroneous_line_number,
        place=place,
        explanation=details.explanation,
        words=tuple(match[2] for match in hints if match is not None),
        certificate=certificate,
        edit=edit,
        before=before,
        after={**certificate.told.inputs, **certificate.stated},
    )


def labels_of(lines: Sequence[str]) -> list[str]:
    """Return the labels of lines, the last one `FA` where it gives the final answer."""
    labels = [f"L{place}" for place in range(1, len(lines) + 1)]
    if lines and lines[-1].startswith(ANSWER_MARK):
        labels[-1] = FINAL_ANSWER
    return labels


def labels_beside(own: Sequence[str], lines: Sequence[str]) -> list[str]:
    """Return the labels of edited lines: the candidate's own where there are as many, whatever stands on the last one."""
    return labels_of(own if len(own) == len(lines) else lines)


def _operands(expression: ir.Expr, values: Mapping[str, Exact]) -> Iterable[Exact]:
    """Yield what the names and numbers of an expression are."""
    for _, node in nodes(expression):
        match node:
            case ir.Name(name) if name in values:
                yield values[name]
            case ir.Const(value) if isinstance(value, Exact) and not isinstance(value, bool):
                yield value
