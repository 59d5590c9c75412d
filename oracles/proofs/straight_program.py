"""Straight-line programs of a certificate: the oracle and its mutant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.program.evaluation.evaluator import format_exact
from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.unparser import unparse
from harness.program.value_parser import read_exact, read_expression
from harness.records.mutation import CertifiedProgram

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.domain import Exact
    from harness.program import ir
    from harness.solution.trace import Trace


@dataclass(frozen=True, slots=True)
class ProgramStep:
    """One assignment of a straight-line program; `line` is that of the text, empty where none is known."""

    line: str
    variable: str
    expression: ir.Expr


@dataclass(frozen=True, slots=True)
class StraightLineProgram:
    """A straight-line program: given inputs, then steps that read inputs and earlier steps, one of which is the answer."""

    inputs: Mapping[str, Exact]
    steps: tuple[ProgramStep, ...]
    answer: str

    @classmethod
    def of_trace(cls, trace: Trace) -> StraightLineProgram:
        """Return the program a trace was made from."""
        return cls(
            {entry.variable: entry.value for entry in trace.entries if entry.expression is None},
            tuple(
                ProgramStep(entry.line or "", entry.variable, entry.expression)
                for entry in trace.entries
                if entry.expression is not None
            ),
            trace.result,
        )

    @classmethod
    def of_record(cls, record: CertifiedProgram) -> StraightLineProgram:
        """Return the program that a record holds as text; errors as in `read_expression` and `read_exact`."""
        inputs = {name: read_exact(value) for name, value in record.inputs}
        if len(inputs) < len(record.inputs):
            raise Refusal(RefusalReason.DUPLICATE, "an input is given twice")
        return cls(
            inputs,
            tuple(ProgramStep(line, variable, read_expression(code)) for line, variable, code in record.steps),
            record.answer,
        )

    def record(self, known: Mapping[int, str] | None = None) -> CertifiedProgram:
        """Return the record; `known` is the code of expressions that are alive, by identity."""
        codes = known or {}
        return CertifiedProgram(
            tuple((name, format_exact(value)) for name, value in self.inputs.items()),
            tuple(
                (step.line, step.variable, codes.get(id(step.expression)) or unparse(step.expression))
                for step in self.steps
            ),
            self.answer,
        )
