"""The records of the mutation stage: flawed solutions with their labels and certificates, and discarded changes."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple

from pydantic import Field, GetCoreSchemaHandler
from pydantic_core.core_schema import CoreSchema, no_info_after_validator_function

from harness.domain import Exact
from harness.json_form import Boolean, Code, Digest, Integer, Name, Number, Prose, Value
from harness.program.value_parser import ExactText, ExpressionText
from harness.records.provenance import RecordSource, SourceProvenance
from harness.solution.labels import Label
from harness.solution.template import LogicalSteps, QuestionInput

MOST_VARIABLES = 200

CertifiedLine = Annotated[str, Field(pattern=r"^(L[1-9][0-9]{0,4}|FA|)$")]
"""`L1`, `L2`, …, `FA` for the final answer, or empty where no line is known."""


class ProgramStep(NamedTuple):
    """One assignment of a straight-line program, in JSON a list of its three parts."""

    line: CertifiedLine
    variable: Name
    expression: ExpressionText

    @classmethod
    def __get_pydantic_core_schema__(cls, _: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of the list; pydantic would take an object as well, and write no expression."""
        parts = handler.generate_schema(tuple[CertifiedLine, Name, ExpressionText])
        return no_info_after_validator_function(cls._make, parts)


@dataclass(frozen=True, slots=True)
class CertifiedProgram:
    """A straight-line program: given inputs, then steps that read inputs and earlier steps."""

    inputs: Annotated[tuple[tuple[Name, ExactText], ...], Field(max_length=MOST_VARIABLES)]
    """Each input and its value."""
    steps: Annotated[tuple[ProgramStep, ...], Field(max_length=MOST_VARIABLES)]
    """Each step: its line in the text, the variable, and the expression that gives its value."""
    answer: Name
    """The input or step that is the answer."""

    @property
    def variables(self) -> tuple[str, ...]:
        """Return the variables: inputs, then those of the steps."""
        return (*(name for name, _ in self.inputs), *(step.variable for step in self.steps))


@dataclass(frozen=True, slots=True)
class CertifiedChange:
    """Where two solutions differ: values of a slip, expressions of a mutant, empty where a step is missing.

    Where only the answer is another variable, `line` is `FA`, `variable` and `from` the oracle's answer, `to` the mutant's.
    """

    line: CertifiedLine
    """The line of the changed step."""
    variable: Name
    """The variable of the changed step."""
    before: Annotated[Code, Field(alias="from")]
    """The value or expression of the correct solution."""
    after: Annotated[Code, Field(alias="to")]
    """The value or expression of the flawed solution."""


class FlawClaim(enum.StrEnum):
    """The claim of a certificate about a flawed solution."""

    ONE_FALSE_EQUATION = "one-false-equation"
    INEQUIVALENT_MUTANT = "inequivalent-mutant"


@dataclass(frozen=True, slots=True)
class FlawCertificate:
    """The proved claim about a flawed solution, with all data that a re-check needs."""

    claim: FlawClaim
    """The claim: a slip has one false equation; a mutant gives another answer than the oracle."""
    oracle: CertifiedProgram
    """The program of the correct solution."""
    mutant: CertifiedProgram | None
    """The program of the flawed solution; null for a slip, whose program is the oracle."""
    stated: Annotated[Mapping[Name, ExactText], Field(max_length=MOST_VARIABLES)]
    """The value that the flawed solution states for each step."""
    change: CertifiedChange
    """Where the two solutions differ."""

    @property
    def told(self) -> CertifiedProgram:
        """Return the program whose steps the flawed solution tells."""
        return self.oracle if self.mutant is None else self.mutant

    @property
    def values(self) -> dict[str, Exact]:
        """Return the values of inputs and steps as the flawed solution has them."""
        return {**dict(self.told.inputs), **self.stated}

    @property
    def answer(self) -> Exact:
        """Return the answer the flawed solution gives; a `KeyError` where the program has no such variable."""
        return self.values[self.told.answer]


@dataclass(frozen=True, slots=True)
class ChangedPart:
    """The part of a calculation that was changed, as code: an operator, a variable, a number or a larger expression."""

    before: Annotated[Code, Field(alias="from")]
    """The part in the correct solution, such as `+`; empty where the change only adds."""
    after: Annotated[Code, Field(alias="to")]
    """The part in the flawed solution, such as `-`; empty where the change only leaves out."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """The one change in the text of a flawed solution."""

    mutation_type: Name
    """The slip or mutation operator."""
    line: Name
    """The line of the flawed solution."""
    variable: Name
    """The variable whose step was changed."""
    before: Annotated[Prose, Field(alias="from")]
    """The text of the correct solution: the calculation of the changed step in numbers, the result of a slip, or the answer where another is reported."""
    after: Annotated[Prose, Field(alias="to")]
    """The text of the flawed solution; for a step that is left out, the number in its place."""
    changed: Annotated[ChangedPart | None, Field(exclude_if=lambda part: part is None)] = None
    """The part of the calculation that was changed; absent in records of earlier versions."""


@dataclass(frozen=True, slots=True)
class ChangedValue:
    """A variable whose value the flaw changes."""

    variable: Name
    line: Name | None
    """The line of its step; null for an input."""
    before: Prose | None
    """Its value in the correct solution."""
    after: Prose | None
    """Its value in the flawed solution; null where its step is gone."""


LEAST_PLAUSIBILITY = 0.3
"""The score below which an unreviewed flawed solution is not used for training."""


@dataclass(frozen=True, slots=True)
class Plausibility:
    """How likely a person is to write a flawed solution."""

    score: Annotated[Number, Field(allow_inf_nan=False)]
    """From 0 to 1."""
    reasons: Annotated[tuple[Prose, ...], Field(max_length=100)]
    """The reasons for the score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlawRecord:
    """A flawed solution with its label and its certificate."""

    flaw_id: Annotated[str, Field(min_length=1, max_length=500)]
    """The problem, the operator and a digest of the text."""
    problem_id: Name
    model: str
    """Who wrote the formalization that the flaw was made from; free text, which nothing else in the record can confirm."""
    tier: Integer | Name | None = None
    """The tier of the solution; null where it has none."""
    position: Name
    """Where the error is: `early`, `middle` or `late`."""
    operator: Name
    """The slip or mutation operator."""
    question: Prose
    """The question of the problem; the re-check reads its numbers, its other words are free text, the same for all records of a problem."""
    solution: Prose
    """The correct solution, its last line `#### 72`."""
    flawed_solution: Prose
    """The flawed solution, its last line `#### 48`."""
    label: Label
    """The label: the error and its line."""
    mutation: Mutation
    """The change that was made."""
    values: Annotated[tuple[ChangedValue, ...], Field(max_length=1_000)]
    """The variables whose values differ."""
    plausibility: Plausibility
    """How likely a person is to write this: an estimate. The re-check reads what it says of the answer and of `edits`; the rest is free."""
    needs_edit: Boolean
    """Whether a person should read it before it is used."""
    edits: Annotated[tuple[Prose, ...], Field(max_length=100)]
    """Why a person should read it."""
    question_inputs: Annotated[tuple[QuestionInput, ...], Field(max_length=1_000)]
    """Where the question gives each input of the certificate that is no world knowledge; an input whose number it does not write is absent."""
    certificate: FlawCertificate
    """The proof of the label."""
    provenance: Annotated[SourceProvenance | None, Field(exclude_if=lambda provenance: provenance is None)] = None
    index: Annotated[Integer | None, Field(exclude_if=lambda index: index is None)] = None
    """The number that the id of the problem ends in, such as its line of the corpus from zero; absent where it ends in none."""
    function_code: Annotated[Prose, Field(exclude_if=lambda code: not code)] = ""
    """The flawed solution as a Python function `solve` that returns the flawed answer; for a slip, it has the wrong value. Absent in records of earlier versions."""
    logical_steps: Annotated[LogicalSteps, Field(exclude_if=lambda steps: not steps)] = ()
    """The lines of the flawed solution with what each takes and gives; absent in records of earlier versions."""
    flawed_trace: Annotated[
        dict[Name, Value], Field(max_length=2 * MOST_VARIABLES, exclude_if=lambda trace: not trace)
    ] = field(default_factory=dict)
    """The value of each input and step as the flawed solution has it; absent in records of earlier versions."""
    source: Annotated[RecordSource | None, Field(exclude_if=lambda source: source is None)] = None
    """The original program and lines, and all other facts to make the record again from; absent in records of earlier versions, which cannot be made again."""
    digest: Digest = ""
    """The SHA-256 of all other fields.

    It detects a field that was changed or damaged by mistake. It is no signature: a person who changes a field on
    purpose can compute it again, and is refused only where the change contradicts other fields or other records of the
    file.
    """


@dataclass(frozen=True, slots=True)
class DiscardedChange:
    """A change that gave no flawed solution."""

    problem_id: str
    operator: str
    """The slip or mutation operator."""
    line: str
    """The line that was to be changed."""
    change: str
    """The intended content of the line."""
    why: str
    detail: str
