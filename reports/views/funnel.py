"""The funnel of a run of the whole factory, as terminal and page show it: its steps, and its flows."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.records.funnel import WITH_FLAWS, WITH_VARIANTS, FunnelRecord, FunnelUnit, ProblemYield
from harness.stages import FUNNEL
from reports.views.artefacts import open_stage
from reports.views.flow import Flow, FlowStep, first_counts

MOST_REASONS = 12
"""Reasons of a step that are shown one by one; the rest is added up."""
_MADE = {
    (True, True): "with flaws and with variants",
    (True, False): "with flaws, without variants",
    (False, True): "with variants, without flaws",
    (False, False): "without flaws and variants",
}
_SOURCE = "funnel/steps.jsonl"


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
        """Return the step with its unit, such as `problems with an oracle`."""
        return _title(self.record)


def funnel_steps(run: Path) -> list[ShownStep]:
    """Return the steps of a run's funnel.

    Raises:
        ReportError: the stage is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run, FUNNEL)
    return [
        ShownStep(record, first_counts(record.lost, MOST_REASONS))
        for record in stage.records(FunnelRecord, "steps.jsonl")
    ]


def funnel_flows(run: Path) -> list[Flow]:
    """Return the flows of a run: of its problems, of its flawed solutions and of its samples; without empty flows.

    The problems with an oracle end by what was made of them, which the records of the problems say.

    Raises:
        ReportError: the stage is missing, not sealed, or was changed after it was sealed, or its counts do not add up.
    """
    stage = open_stage(run, FUNNEL)
    records = list(stage.records(FunnelRecord, "steps.jsonl"))
    # Flaws and variants are both made of the problems with an oracle: these steps stand beside each other.
    beside = {WITH_FLAWS, WITH_VARIANTS}
    chain = [record for record in records if record.unit is FunnelUnit.PROBLEMS and record.step not in beside]
    ended = _yields(stage.records(ProblemYield, "problems.jsonl"), [record.step for record in chain])
    flows = [_flow(chain, FunnelUnit.PROBLEMS, ended)]
    others = (FunnelUnit.FLAWS, FunnelUnit.SAMPLES)
    flows += [_flow([record for record in records if record.unit is unit], unit, {}) for unit in others]
    return [flow for flow in flows if flow.steps]


def _yields(problems: Iterable[ProblemYield], steps: Sequence[str]) -> Mapping[str, int]:
    """Return the problems that reached all steps, by their products."""
    kinds = Counter(
        (problem.flaws > 0, problem.variants > 0) for problem in problems if not problem.left.keys() & set(steps)
    )
    return {title: kinds[made] for made, title in _MADE.items() if kinds[made]}


def _flow(records: Sequence[FunnelRecord], unit: FunnelUnit, ended: Mapping[str, int]) -> Flow:
    """Return the flow through records of steps that follow each other; what is lost at a record leaves the step before it.

    A flow of nothing has no steps, though a reason may say why there is nothing.
    """
    if not records or not records[0].of:
        return Flow(unit, (), _SOURCE)
    lost = [*(record.lost for record in records), {}]
    counts = [records[0].of, *(record.count for record in records)]
    titles = [f"{unit} in all", *map(_title, records)]
    steps = [FlowStep(*step) for step in zip(titles, counts, lost, strict=True)]
    # Where nothing is left out of the corpus, it is the run's problems.
    whole = not lost[0] and counts[0] == counts[1]
    return Flow(unit, (*steps[whole:-1], FlowStep(titles[-1], counts[-1], ended=ended)), _SOURCE)


def _title(record: FunnelRecord) -> str:
    named = record.unit is not FunnelUnit.PROBLEMS or record.step == FunnelUnit.PROBLEMS
    return record.step if named else f"{record.unit} {record.step}"
