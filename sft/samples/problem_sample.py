"""A problem whose class is known: solvable, contradictory or underspecified."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from harness.constraint_system import ProblemClass
from harness.json_form import Integer, Number
from sft.samples.trust import Trust


@dataclass(frozen=True, slots=True)
class ProblemSample:
    """A problem, its class and why."""

    sample_id: str
    """The identifier of the sample."""
    problem_id: str
    """The problem that it was made from."""
    question: str
    """The text of the problem."""
    problem_class: Annotated[ProblemClass, Field(alias="class_label")]
    """0 contradictory, 1 solvable, 2 underspecified."""
    reason: str
    """Why it is of its class."""
    source: str
    """The stage or file that it comes from."""
    licence: str
    """The licence of its text."""
    operator: str = ""
    """The variant operator."""
    tier: Integer | None = None
    """The tier of the problem's solution."""
    twin: str = ""
    """The sample that it differs least from."""
    trust: Trust = Trust.CLEAN
    """Why it may train; the class of an edited problem is proved, and its making leaves nothing to edit."""
    oracle: str = ""
    """The model of the oracle that it rests on."""
    clique_size: Integer | None = None
    """How many formalizations agree with the oracle; 0 without a formalization stage, null if it is not recorded."""
    confidence: Number | None = None
    """The confidence score of the oracle."""
    p_right: Number | None = None
    """The probability that the oracle is right."""
    weight: Number = 1.0
    """How much the problem counts in the loss of `oracle-factory train`."""
