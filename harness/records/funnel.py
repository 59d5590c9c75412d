"""The records of the funnel: how many problems of a run reached each step, and why the others did not."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

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


@dataclass(slots=True, kw_only=True)
class ProblemYield:
    """The products of a run for one problem."""

    problem_id: str
    formalizations: Integer = 0
    """How many formalizations it has, those that cannot be read included."""
    confirmed: Integer = 0
    """How many of them UT-1 confirms."""
    clique_size: Integer = 0
    """How many agree; 0 without a clique."""
    confidence: Number = 0.0
    """The confidence score of the clique."""
    flaws: Integer = 0
    """Its flawed solutions with a certificate."""
    clean: Integer = 0
    """Those of them whose label the audit confirms without a finding."""
    variants: Integer = 0
    """Its variants with a certificate."""
    left: dict[str, str] = field(default_factory=dict)
    """By step that the problem did not reach: why."""
