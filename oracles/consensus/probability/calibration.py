"""The calibration of probabilities: how many of the answers with about one probability are right, on public programs or in the run."""

from __future__ import annotations

import itertools
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from harness.records.formalization import CalibrationRecord, ProbabilityBasis
from oracles.consensus.probability.fitted_weights import shipped_weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from oracles.consensus.probability.oracle_probability import AnswerAssessment, OracleProbability

EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
"""The ranges of probability that are counted."""
FOLDS = 5


def calibration_records(
    assessments: Mapping[str, AnswerAssessment], probabilities: Mapping[str, OracleProbability]
) -> Iterator[CalibrationRecord]:
    """Yield the calibration of each basis that the probabilities of a run have.

    Where known answers of the run changed the weights, each known answer is judged by weights that were fitted without it.
    """
    bases = {probability.basis for probability in probabilities.values()}
    if ProbabilityBasis.KNOWN_ANSWERS in bases:
        judged = list(_judged_without_themselves(assessments))
        evidence = f"{len(judged):,} known answers of this run, each judged by weights that were fitted without it"
        yield from ranges(judged, basis=ProbabilityBasis.KNOWN_ANSWERS, evidence=evidence)
    for basis, table in public_calibration().items():
        if basis in bases:
            yield from table


def ranges(
    judged: Sequence[tuple[float, bool]], *, basis: ProbabilityBasis, evidence: str
) -> Iterator[CalibrationRecord]:
    """Yield the ranges that hold an answer, of answers with their probability and whether they are right."""
    for low, high in itertools.pairwise(EDGES):
        inside = [pair for pair in judged if low <= pair[0] < high or pair[0] == high == EDGES[-1]]
        if inside:
            yield CalibrationRecord(
                basis=basis,
                evidence=evidence,
                low=low,
                high=high,
                answers=len(inside),
                mean=round(sum(chance for chance, _ in inside) / len(inside), 4),
                right=round(sum(right for _, right in inside) / len(inside), 4),
            )


def _judged_without_themselves(assessments: Mapping[str, AnswerAssessment]) -> Iterator[tuple[float, bool]]:
    known = [(own.known.evidence, own.known.right) for _, own in sorted(assessments.items()) if own.known is not None]
    for fold in range(FOLDS):
        weights = shipped_weights("answer").refitted([pair for n, pair in enumerate(known) if n % FOLDS != fold])
        yield from ((weights.probability(evidence), right) for evidence, right in known[fold::FOLDS])


@cache
def public_calibration() -> dict[ProbabilityBasis, tuple[CalibrationRecord, ...]]:
    """Return the calibration that was measured on public programs, by basis, of weights fitted without their problems and families."""
    with Path(__file__).with_name("calibration.toml").open("rb") as file:
        tables = tomllib.load(file)
    return {
        ProbabilityBasis(name): tuple(
            CalibrationRecord(basis=ProbabilityBasis(name), evidence=table["evidence"], **row)
            for row in table["ranges"]
        )
        for name, table in tables.items()
    }


def toml_tables(records: Iterable[CalibrationRecord]) -> str:
    """Return calibration as the text of `calibration.toml`."""
    lines = [
        "# Calibration of p_right on public programs. Made by `python -m benchmarks.answer_probability RUN --calibrate`."
    ]
    for basis, own in itertools.groupby(records, key=lambda record: record.basis):
        rows = list(own)
        lines += ["", f"[{basis}]", f'evidence = "{rows[0].evidence}"', "ranges = ["]
        lines += [
            f"    {{ low = {row.low}, high = {row.high}, answers = {row.answers}, mean = {row.mean}, right = {row.right} }},"
            for row in rows
        ]
        lines.append("]")
    return "\n".join(lines) + "\n"
