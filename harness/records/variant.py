"""The records of the variant stage: edited problems with their class and certificate, and discarded edits."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from harness.constraint_system import ConstraintName, ConstraintSystem
from harness.json_form import MOST_CONSTRAINTS, Digest, Integer, Name, Prose, Span, Value
from harness.program.value_parser import ExactText
from harness.records.provenance import RecordSource, SourceProvenance

LONGEST_SCRIPT = 4_000_000
_Id = Annotated[str, Field(max_length=1_000)]
_Model = Annotated[Mapping[Name, ExactText], Field(max_length=4 * MOST_CONSTRAINTS)]


@dataclass(frozen=True, slots=True)
class VariantEdit:
    """A replaced part of a problem's text."""

    span: Span
    """Where the replaced text begins and ends in the question."""
    before: Prose
    """The text before the edit; empty for an insertion."""
    after: Prose
    """The text after the edit."""


@dataclass(frozen=True, slots=True)
class ScriptCertificate:
    """A script that any solver can run."""

    smtlib: Annotated[str, Field(max_length=LONGEST_SCRIPT)]
    """The script in SMT-LIB 2."""
    expect: Annotated[str, Field(pattern=r"^(sat|unsat)$")]
    """The expected answer of a solver: `sat` or `unsat`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantRecord:
    """An edited problem, its class and its certificate."""

    variant_id: _Id
    """The problem, the operator and a digest of the text."""
    problem_id: Name
    model: str
    """Who wrote the formalization that the variant was made from; free text, which nothing else in the record can confirm."""
    tier: Integer | None
    """The tier of the original solution; null where it has none. An edited problem need not hold that solution, so the re-check asks only that it is the same for all variants of a formalization."""
    operator: Name
    """The variant operator."""
    class_label: Annotated[Integer, Field(ge=0, le=2)]
    """0 contradictory, 1 solvable, 2 underspecified."""
    twin_of: _Id | None
    """The variant that this near-twin differs least from, the last one of its operator above it in the file; null for others."""
    question: Prose
    """The question of the corpus."""
    modified_problem_text: Prose
    """The edited question."""
    edits: Annotated[tuple[VariantEdit, ...], Field(max_length=MOST_CONSTRAINTS)]
    """The edits, in order."""
    reasoning_trace: Prose
    """Why the problem is of its class, for a reader.

    The re-check reads each sentence. Which of the sentences of one meaning stand in it, and which numbers of a contradiction it quotes first, is free.
    """
    system: ConstraintSystem
    """The constraints of the edited problem."""
    certificate: ScriptCertificate
    """The proof of the class."""
    core: Annotated[tuple[ConstraintName, ...], Field(max_length=4 * MOST_CONSTRAINTS)]
    """The constraints of a contradictory problem that contradict each other."""
    models: Annotated[tuple[_Model, ...], Field(max_length=2)]
    """The values of the variables: of a solution, or of two that differ in the answer."""
    solution: Prose | None
    """The solution of a solvable problem, its last line `#### 72`."""
    gold: Value | None
    """The answer of a solvable problem."""
    provenance: Annotated[SourceProvenance | None, Field(exclude_if=lambda provenance: provenance is None)] = None
    source: Annotated[RecordSource | None, Field(exclude_if=lambda source: source is None)] = None
    """The facts to make the record again from; absent in records of earlier versions, which cannot be made again."""
    digest: Digest = ""
    """The SHA-256 of all other fields, as in a flawed solution."""


@dataclass(frozen=True, slots=True)
class DiscardedEdit:
    """An edit that gave no variant."""

    problem_id: str
    operator: str
    """The variant operator."""
    what: str
    """The intended edit."""
    why: str
    detail: str
