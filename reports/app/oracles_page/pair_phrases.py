"""English sentences on the Oracles page for the status of a problem and the verdict on a pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.domain import Status
from harness.text.characters import one_line
from reports.views.formalization_counts import RunCounts
from reports.views.verdict_phrases import (
    cause_note,
    counterexample_sentence,
    dissent_reason,
    doubt,
    parameter_values,
    rounding_sentence,
    telling_counterexample,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.domain import Verdict
    from harness.records.formalization import Dissenter
    from reports.app.oracles_page.oracle_index import ProblemDetails

MOST_DISSENTERS = 6
LONGEST_SENTENCE = 600


@dataclass(frozen=True, slots=True)
class OracleStatus:
    """The outcome of a problem as a short title, and the reasons that limit its confidence, a sentence each."""

    title: str
    doubts: tuple[str, ...]


def oracle_status(details: ProblemDetails) -> OracleStatus:
    """Return the outcome of a problem."""
    tally = RunCounts()
    for program in details.programs:
        tally.add_program(program)
    for verdict in details.verdicts:
        tally.add_verdict(verdict)
    consensus = details.listed.consensus
    if consensus is None:
        return OracleStatus("no oracle", ("the consensus stage has no record of it",))
    outcome = tally.outcome(consensus)
    findings = tuple(one_line(rounding_sentence(finding), limit=LONGEST_SENTENCE) for finding in consensus.findings)
    dissents = tuple(_dissent(dissenter, details) for dissenter in consensus.dissenters[:MOST_DISSENTERS])
    reasons = (*findings, *dissents)
    return OracleStatus(outcome.title, reasons or (doubt(consensus, tally.counts(details.listed.problem_id), outcome),))


def _dissent(dissenter: Dissenter, details: ProblemDetails) -> str:
    """Return why a formalization is outside the clique: the UT-3 verdict against a member if there is one."""
    model, against = dissenter.model, dissenter.against
    verdict = None if against is None else details.verdict("ut3", model, against)
    if verdict is None or verdict.status is Status.CONFIRMED:
        return one_line(f"{model} dissents: {dissent_reason(dissenter)}", limit=LONGEST_SENTENCE)
    return one_line(f"{model} dissents: {verdict_sentence(verdict, details)}", limit=LONGEST_SENTENCE)


def verdict_sentence(verdict: Verdict, details: ProblemDetails) -> str:
    """Return the reason of a verdict, such as `with rows_pepper = 1: annotation gives 50, cedar gives 71`."""
    counterexample = telling_counterexample(verdict)
    if counterexample is not None and verdict.right is not None:
        left, right = verdict.left, verdict.right
        sentence = counterexample_sentence(
            counterexample,
            left_values=_values(details, left),
            right_values=_values(details, right),
            names=(left, right),
        )
        return one_line(f"{sentence}{cause_note(verdict)}", limit=LONGEST_SENTENCE)
    if verdict.reason:
        return one_line(verdict.reason, limit=LONGEST_SENTENCE)
    return _agreement(verdict)


def _agreement(verdict: Verdict) -> str:
    if verdict.status is not Status.CONFIRMED:
        return "no reason was given"
    return {
        "normal-form": "the same formula, whatever the values",
        "schwartz-zippel": "the same values at random points of a large field",
        "smt": "proved: equal on all inputs of the domain",
        "renaming": "the same program with other names",
    }.get(verdict.method or "", "the same answer")


def _values(details: ProblemDetails, model: str) -> Mapping[str, str]:
    program = details.program(model)
    return {} if program is None else parameter_values(program.parameters)
