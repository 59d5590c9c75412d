"""The formalization that a flawed solution or a variant was made from, and its provenance."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from harness.json_form import Boolean, Integer, Name, Number, Prose
from harness.solution.template import LogicalSteps


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceProvenance:
    """The provenance of the formalization of a record, its `model`: the clique that it is a member of.

    In a run folder the re-check compares it with the sealed oracles; elsewhere it is free text that must agree with itself, the same for
    all records of a file that were made from the formalization.
    """

    formalized: Boolean
    """Whether the run had a formalization stage; without one the formalization is confirmed by UT-1 alone, and all else is null."""
    oracle: Name | None = None
    """The model whose formalization is the oracle of the clique."""
    clique_size: Annotated[Integer, Field(ge=1)] | None = None
    """How many formalizations the clique has."""
    confidence: Annotated[Number, Field(ge=0, allow_inf_nan=False)] | None = None
    """The confidence score of the clique, 0 for a clique of one; it may exceed 1."""
    p_right: Annotated[Number, Field(ge=0, le=1)] | None = None
    """The probability that the oracle is right; null in files of earlier versions, and where the stage of formalizations was not sealed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSource:
    """The facts that a record was made from besides its problem: the re-check makes the record again from them, and compares.

    The comments of the code are free text, the same for all records of a formalization.
    """

    seed: Integer
    """The seed of the session."""
    function_code: Prose
    """The formalization as a Python function `solve`, with a comment for each line of the solution."""
    logical_steps: LogicalSteps
    """The lines of the correct solution with what each takes and gives."""
    solution: Annotated[Prose, Field(exclude_if=lambda solution: not solution)] = ""
    """The correct solution, its last line `#### 72`; absent where the record itself has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRule:
    """How a stage chose its sources, as its manifest has it under `sources`."""

    formalized: Boolean
    """Whether the run has a formalization stage, so that sources are members of cliques; else they are the formalizations that UT-1 confirms."""
    min_confidence: Number
    """The confidence that a clique needed."""
    min_clique: Integer
    """The formalizations that a clique needed."""

    def __str__(self) -> str:
        """Return the rule in words."""
        if not self.formalized:
            return "without a formalization stage"
        return f"from cliques of {self.min_clique} and more, with a confidence of {self.min_confidence:g} and more"


@dataclass(frozen=True, slots=True)
class ConfidenceThresholds:
    """The thresholds of a record's provenance: a confidence, a number of formalizations that agree, and a probability."""

    confidence: float = 0.0
    clique: int = 1
    p_right: float = 0.0

    @property
    def ask_nothing(self) -> bool:
        """Tell whether every record reaches them, also one of which no provenance is recorded."""
        return self.confidence <= 0 and self.clique <= 1 and self.p_right <= 0

    def reached_by(self, provenance: SourceProvenance | None) -> bool:
        """Tell whether a provenance reaches them; one without a clique reaches only thresholds that ask nothing."""
        if self.ask_nothing:
            return True
        if provenance is None or provenance.confidence is None or provenance.clique_size is None:
            return False
        if self.p_right > 0 and (provenance.p_right is None or provenance.p_right < self.p_right):
            return False
        return provenance.confidence >= self.confidence and provenance.clique_size >= self.clique
