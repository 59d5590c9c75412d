"""The facts of a flaw's certificate about its one error: the step, its values before and after, and its lines."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from harness.program import ir
from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.refusal import ProgramError, Refusal
from harness.solution.labels import FINAL_ANSWER
from oracles.certificates.program_edit import EditKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.domain import Exact
    from harness.records.mutation import FlawRecord
    from harness.solution.phrases.quantity_phrases import QuantityPhrases
    from oracles.certificates.flaw_certificate import FlawCertificate
    from oracles.certificates.program_edit import ProgramEdit
    from oracles.recheck.flaws.source_facts import SourceFacts

MOST_PLACES = 4
"""The most decimals to which a flawed solution rounds what it works out."""


@dataclass(frozen=True)
class FlawFacts:
    """A flaw as it was made, before anybody edited its words; `values` are those of the correct solution, `edit` is `None` for a slip."""

    record: FlawRecord
    certificate: FlawCertificate
    edit: ProgramEdit | None
    values: Mapping[str, Exact]
    source: SourceFacts
    derived: bool = False
    """Whether the program and the id of the record were derived from the certificate and the text just now."""

    @cached_property
    def after(self) -> Mapping[str, Exact]:
        """Return the values of the flawed solution."""
        return {**self.certificate.told.inputs, **self.certificate.stated}

    @cached_property
    def became(self) -> tuple[tuple[Exact, Exact], ...]:
        """Return the pairs of values that a variable has in the correct and in the flawed solution, each once."""
        return tuple(
            dict.fromkeys((self.values[name], value) for name, value in self.after.items() if name in self.values)
        )

    @cached_property
    def phrases(self) -> QuantityPhrases:
        """Return the phrases by which explanations name the quantities of the correct solution."""
        return self.source.phrases

    @cached_property
    def before_expression(self) -> ir.Expr | None:
        """Return the expression of the changed step in the correct solution."""
        name = self.certificate.change.variable
        return next((step.expression for step in self.certificate.oracle.steps if step.variable == name), None)

    @cached_property
    def after_expression(self) -> ir.Expr | None:
        """Return the expression of the changed step in the flawed solution, if it has another one, without its rounding."""
        if self.edit is None or self.edit.kind is not EditKind.CHANGED:
            return None
        match self.edit.after:
            case ir.Call("round", (ir.Binary() as inner, ir.Const(int() as places)), ()) if 2 <= places <= MOST_PLACES:
                return self.edit.after if isinstance(self.before_expression, ir.Call) else inner
        return self.edit.after

    def value_of(self, expression: ir.Expr) -> Exact | None:
        """Return the value of an expression in the correct solution, `None` where it has none."""
        try:
            return evaluate_expression(expression, self.values)
        except (ProgramError, Refusal):
            return None

    @cached_property
    def wrong_value(self) -> Exact:
        """Return the value that stands in the place of the right one."""
        if self.edit is None or self.edit.kind is EditKind.CHANGED:
            return self.after[self.certificate.change.variable]
        if self.edit.kind is EditKind.DELETED and self.certificate.told.answer == self.certificate.oracle.answer:
            # What the readers of the step read instead.
            return self.values.get(self.instead, self.certificate.answer)
        return self.certificate.answer

    @cached_property
    def instead(self) -> str:
        """Return the variable that is read, or reported as the answer, in the place of the changed step; empty where none is."""
        if self.certificate.told.answer != self.certificate.oracle.answer:
            return self.certificate.told.answer
        if self.edit is not None and self.edit.dropped:
            return ""
        steps = self.certificate.oracle.steps
        for old, new in zip(
            (step for step in steps if step.variable != self.certificate.change.variable),
            self.certificate.told.steps,
            strict=False,
        ):
            if old.expression != new.expression:
                read = set(ir.names_in_order(new.expression)) - set(ir.names_in_order(old.expression))
                before, after = (list(ir.names_in_order(side)) for side in (old.expression, new.expression))
                replaced = [new for old, new in zip(before, after, strict=False) if old != new]
                return (sorted(read) or replaced or [""])[0]
        return ""

    @cached_property
    def solution_lines(self) -> tuple[str, ...]:
        """Return the lines of the correct solution, the final answer last."""
        return self.source.lines

    @cached_property
    def flawed_lines(self) -> tuple[str, ...]:
        """Return the lines of the flawed solution, the final answer last."""
        return tuple(self.record.flawed_solution.split("\n"))

    @cached_property
    def omitted(self) -> int | None:
        """Return the number, from zero, of the line of the correct solution that is left out; `None` if there is none."""
        if (
            self.edit is None
            or self.edit.kind is not EditKind.DELETED
            or len(self.flawed_lines) >= len(self.solution_lines)
        ):
            return None
        return int(self.edit.line[1:]) - 1 if self.edit.line[:1] == "L" else None

    @cached_property
    def counterparts(self) -> tuple[str, ...]:
        """Return the lines of the correct solution in the places of the flawed one's."""
        return tuple(line for place, line in enumerate(self.solution_lines) if place != self.omitted)

    @cached_property
    def correction(self) -> str:
        """Return the line of the correct solution that corrects the error; empty where it has none."""
        label = self.record.label.line
        if label == FINAL_ANSWER:
            return self.solution_lines[-1] if self.omitted is None else self.solution_lines[self.omitted]
        place = int(label[1:]) - 1
        return self.counterparts[place] if place < len(self.counterparts) else ""
