"""The funnel of a run of the whole factory, as terminal and page show it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from harness.records.funnel import FunnelRecord, FunnelUnit
from harness.stages import FUNNEL
from reports.views.artefacts import open_stage

MOST_REASONS = 12
"""Reasons of a step that are shown one by one; the rest is added up."""


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A step with its share in words, and its reasons, the rarest of them added up."""

    record: FunnelRecord
    lost: Mapping[str, int]

    @property
    def share(self) -> float:
        """Return the share that reached the step, 0 of none."""
        return self.record.count / self.record.of if self.record.of else 0.0

    @property
    def share_text(self) -> str:
        """Return the share in words: `97.5% of 7,473`."""
        return f"{self.share:.1%} of {self.record.of:,}" if self.record.of else "of none"

    @property
    def title(self) -> str:
        """Return the step with what it counts, such as `problems with an oracle`."""
        record = self.record
        named = record.unit is not FunnelUnit.PROBLEMS or record.step == FunnelUnit.PROBLEMS
        return record.step if named else f"{record.unit} {record.step}"


def funnel_steps(run: Path) -> list[ShownStep]:
    """Return the steps of a run's funnel.

    Raises:
        ReportError: the stage is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run, FUNNEL)
    return [ShownStep(record, _first(record.lost)) for record in stage.records(FunnelRecord, "steps.jsonl")]


def _first(counts: Mapping[str, int]) -> Mapping[str, int]:
    """Return the first counts, and the others as one."""
    entries = list(counts.items())
    if len(entries) <= MOST_REASONS:
        return dict(entries)
    rest = entries[MOST_REASONS - 1 :]
    return {**dict(entries[: MOST_REASONS - 1]), f"{len(rest)} other reasons": sum(count for _, count in rest)}
