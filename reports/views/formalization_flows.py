"""The flows of a formalization run: its responses through UT-1, its pairs through UT-3, and its problems."""

from collections.abc import Mapping

from harness.domain import CauseBasis, CauseKind
from reports.views.flow import Flow, FlowStep
from reports.views.formalization_counts import ProblemOutcome, RunCounts
from reports.views.verdict_phrases import cause_title


def formalization_flows(counts: RunCounts) -> list[Flow]:
    """Return the flows of the responses through UT-1, of the pairs through UT-3, and of the problems; without empty flows.

    Raises:
        ReportError: UT-1 confirms more programs than were read.
    """
    responses, readable = counts.responses.total(), counts.readable.total()
    confirmed = counts.statuses["ut1", "CONFIRMED"]
    pairs, source = counts.verdicts_of("ut3"), "formalization"
    refuted = {
        f"refuted: {cause_title(kind)}": sum(counts.causes[kind, basis] for basis in CauseBasis) for kind in CauseKind
    }
    without = counts.statuses["ut3", "REFUTED"] - sum(refuted.values())
    left = {**refuted, "refuted without a cause": without, "unknown": counts.statuses["ut3", "UNKNOWN"]}
    titles = {
        ProblemOutcome.UNANIMOUS: "all that can be read agree",
        ProblemOutcome.CONTESTED: "some dissent",
        ProblemOutcome.ALONE: "one formalization alone",
    }
    flows = [
        Flow(
            "responses",
            (
                FlowStep("responses", responses, _some({"cannot be read": responses - readable})),
                FlowStep("readable programs", readable, _some({"not confirmed by UT-1": readable - confirmed})),
                FlowStep("confirmed by UT-1", confirmed),
            ),
            source,
        ),
        Flow(
            "pairs",
            (
                FlowStep("pairs compared by UT-3", pairs, _some(left)),
                FlowStep("confirmed by UT-3", counts.statuses["ut3", "CONFIRMED"]),
            ),
            source,
        ),
        Flow(
            "problems",
            (
                FlowStep(
                    "problems", counts.outcomes.total(), _some({"no oracle": counts.outcomes[ProblemOutcome.NO_ORACLE]})
                ),
                FlowStep(
                    "with an oracle",
                    counts.outcomes.total() - counts.outcomes[ProblemOutcome.NO_ORACLE],
                    ended=_some({title: counts.outcomes[outcome] for outcome, title in titles.items()}),
                ),
            ),
            source,
        ),
    ]
    return [flow for flow in flows if flow.steps[0].count]


def _some(counts: Mapping[str, int]) -> dict[str, int]:
    """Return the counts that are not 0, the largest first."""
    return {name: count for name, count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])) if count}
