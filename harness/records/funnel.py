"""The records of the funnel: how many problems of a run reached each step, and why the others did not."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from harness.json_form import Integer, Number

WITH_FLAWS, WITH_VARIANTS = "with flaws", "with variants"
"""Steps that stand beside each other: both are made of the problems with an oracle."""


class FunnelUnit(enum.StrEnum):
    """The unit of a step of the funnel."""

    PROBLEMS = "problems"
    FLAWS = "flawed solutions"
    SAMPLES = "samples"


@dataclass(frozen=True, slots=True, kw_only=True)
class FunnelRecord:
    """A step of the funnel: `count` of `of` reached it."""

    step: str
    """The name of the step."""
    unit: FunnelUnit
    """The unit that is counted."""
    of: Integer
    """How many there were before the step."""
    count: Integer
    """How many are left after it."""
    made: str
    """The products of the step, such as `flawed solutions`; empty if it made none."""
    parts: Mapping[str, Integer]
    """How many it made, by kind: flaws by type, variants by class, rows by level."""
    lost: Mapping[str, Integer]
    """Why the others did not reach the step, the most frequent reason first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemYield:
    """The products of a run for one problem."""

    problem_id: str
    """The problem."""
    formalizations: Integer
    """How many formalizations it has, those that cannot be read included."""
    confirmed: Integer
    """How many of them UT-1 confirms."""
    clique_size: Integer
    """How many agree; 0 without a clique."""
    confidence: Number
    """The confidence score of the clique."""
    flaws: Integer
    """Its flawed solutions with a certificate."""
    clean: Integer
    """Those of them whose label the audit confirms without a finding."""
    variants: Integer
    """Its variants with a certificate."""
    left: Annotated[Mapping[str, str], Field(default_factory=dict)]
    """By step that the problem did not reach: why."""
