"""The records of the label stage: labelled solutions of other tools that the audit does not confirm without a remark."""

from dataclasses import dataclass

from harness.corpora.labelled_solutions import LabelVerdict
from harness.domain import Counterexample, Evidence, StatusName
from harness.json_form import Integer


@dataclass(frozen=True, slots=True)
class AuditedLabel:
    """A label as its file states it."""

    said: LabelVerdict
    """The verdict."""
    error_type: str
    """The type of the error; empty where the label names none."""
    line: str
    """The line of the error; empty where the label names none."""
    explanation: str
    """Why it is wrong; empty where the label does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlaggedRecord:
    """A labelled record that cannot be read."""

    problem_id: str
    """The problem; the name of the record where the problem is not known."""
    left: str
    """The file and the line of the record."""
    status: StatusName
    """`REFUTED`, `UNKNOWN`, or `CONFIRMED` with findings."""
    reason: str | None
    """What decided."""
    file: str
    """The file without its ending."""
    findings: tuple[Evidence, ...]
    """The evidence against the label line by line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlaggedSolution(FlaggedRecord):
    """A labelled solution whose label is refuted or in doubt."""

    label: AuditedLabel
    """The label."""
    lines: tuple[str, ...]
    """The lines of the solution."""
    answer: str | None
    """The text of the final answer's line; null if there is none."""
    before: Integer
    """How many lines precede the final answer."""


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A line of a solution beside steps of the right way; one of the sides may be missing."""

    place: str
    """The line, `L2` or `FA`; empty where a step stands alone."""
    line: str
    """The text of the line."""
    steps: tuple[str, ...]
    """The steps of the right way."""
    mark: str = ""
    """`same` where the line works out these steps, `differs` for the first wrong line, else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosedSolution(FlaggedRecord):
    """A solution without a label that is wrong, or could not be judged."""

    question: str
    correction: str
    """How the step of the first wrong line should read; empty where it is not known."""
    certificate: str
    """The program that is proved equal to the oracle: the solution with one change; empty without a proof."""
    written: str
    """The program of the solution as it stands; empty without a proof, or where its arithmetic is false."""
    witness: Counterexample | None
    """Inputs at which the right way and the solution differ."""
    rows: tuple[ComparedRow, ...]
    """The solution and the right way side by side."""
