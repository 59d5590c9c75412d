"""What the formalization rests on that a flawed solution or a variant was made from."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from harness.json_form import Boolean, Integer, Name, Number


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceProvenance:
    """What the formalization of a record, its `model`, rests on: the clique that it is a member of.

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
