"""A flawed solution before it has a certificate, and the reasons why a change gives none."""

import enum
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from generators.flaws.solution.source_solution import FlawSource
from harness.program.evaluation.evaluator import format_exact
from harness.program.syntax.unparser import unparse
from harness.records.mutation import ChangedValue, FlawCertificate, FlawRecord, Mutation, Plausibility
from harness.solution.labels import Label, position_of
from harness.solution.template import SolutionStep, StatedSolution, corpus_index, solution_program
from harness.solution.trace import Trace


class FlawDiscardReason(enum.StrEnum):
    """Why a change of a solution gives no flawed solution."""

    FAILS = "it fails: a division by zero or the like"
    SAME_ANSWER = "the answer stays the same"
    NEGATIVE = "a value that is less than nothing"
    ZERO = "a value that is nothing where there was something"
    NOT_WHOLE = "a part of something that is counted in whole numbers"
    OUT_OF_RANGE = "a share of more than the whole, or a value of quite another size"
    UNWRITABLE = "a value that cannot be written where another stood"
    NOT_STATED = "the line does not state the changed value"
    NOT_SHOWN = "the new calculation cannot be written in the line"
    STALE = "an old value would be left in the words"
    EARLIER = "an earlier line mentions the value"
    DOUBTED = "its text, read again, does not say for certain what its label says"
    DUPLICATE = "the same text as another one's"


class FlawDiscardError(Exception):
    """The change gives no flawed solution."""

    def __init__(self, discard: FlawDiscardReason, detail: str = "") -> None:
        super().__init__(detail)
        self.discard = discard
        self.detail = detail[:120]


@dataclass(frozen=True, slots=True)
class DiscardedFlaw:
    """A change that gave no flawed solution; `trace` is what it computes, where it computes anything."""

    operator: str
    line: str
    change: str
    discard: FlawDiscardReason
    detail: str = ""
    trace: Trace | None = None


@dataclass(frozen=True)
class Flaw:
    """A flawed solution with its label; `trace` is what it computes, each entry on its line of the flawed solution.

    `edits` are the reasons why a person should read it before it is used, none if there is no objection.
    """

    source: FlawSource
    operator: str
    label: Label
    trace: Trace
    lines: tuple[str, ...]
    answer: str
    change: Mutation
    plausibility: Plausibility
    edits: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the flawed solution, its last line `#### 72`."""
        return "\n".join([*self.lines, f"#### {self.answer}"])

    def record(self, certificate: FlawCertificate) -> FlawRecord:
        """Return the record of the flaw with its certificate."""
        source = self.source
        problem = source.problem
        function_code, steps = self._program(certificate)
        digest = hashlib.sha256(f"{self.operator}\n{self.text}".encode("utf-8", "surrogatepass")).hexdigest()
        return FlawRecord(
            flaw_id=f"{problem.problem_id}:{self.operator}:{digest[:12]}",
            problem_id=problem.problem_id,
            model=source.model,
            tier=source.tier,
            position=position_of(self.label.line, len(source.text.lines)),
            operator=self.operator,
            question=problem.question,
            solution=source.solution,
            flawed_solution=self.text,
            label=self.label,
            mutation=self.change,
            values=tuple(_changed_values(source.trace, self.trace)),
            flawed_trace={name: format_exact(value) for name, value in self.trace.values.items()},
            plausibility=self.plausibility,
            needs_edit=bool(self.edits),
            edits=self.edits,
            question_inputs=source.question_inputs,
            certificate=certificate,
            provenance=source.provenance,
            index=corpus_index(problem.problem_id),
            function_code=function_code,
            logical_steps=steps,
        )

    def _program(self, certificate: FlawCertificate) -> tuple[str, tuple[SolutionStep, ...]]:
        """Return the code and the steps with the values the flawed solution states; a slip's step has its wrong value."""
        told = certificate.told
        inputs = [(name, format_exact(value)) for name, value in told.inputs]
        codes = {step.variable: unparse(step.expression) for step in told.steps}
        if certificate.mutant is None:
            codes[certificate.change.variable] = certificate.change.after
        steps = [(step.line, step.variable, codes[step.variable]) for step in told.steps]
        stated = StatedSolution(inputs, steps, told.answer, self.trace.values, self.lines)
        return solution_program(stated, self.source.comments, self.source.world_knowledge)


def _changed_values(before: Trace, after: Trace) -> Iterator[ChangedValue]:
    """Yield the variables whose values differ, a deleted one without a value after."""
    for entry in before.entries:
        changed = after.by_name.get(entry.variable)
        if changed is None or changed.value != entry.value:
            value = None if changed is None else format_exact(changed.value)
            yield ChangedValue(entry.variable, entry.line, format_exact(entry.value), value)
