"""Benchmark and fit of `p_right`: ensembles of public programs, cross-fitted by problem and by family of models.

`python -m benchmarks.answer_probability RUN` measures on a sealed run of the public programs; with `--fit` it fits the weights of
logic on all of them and writes `oracles/consensus/probability/fitted_weights.toml`, with `--calibrate` it writes `calibration.toml` beside it.
"""

import argparse
import itertools
import json
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.probability_ensembles import (
    RANKINGS,
    Judged,
    PublicProblem,
    ensembles,
    family,
    judged,
    read_run,
    training_rows,
)
from benchmarks.sessions import programs_session, require
from harness.records.formalization import CalibrationRecord, ProbabilityBasis
from oracles.consensus.probability import oracle_probability
from oracles.consensus.probability.answer_evidence import AnswerEvidence
from oracles.consensus.probability.answer_model import public_writers
from oracles.consensus.probability.oracle_probability import (
    FittedWeights,
    public_calibration,
    ranges,
    shipped_weights,
)

PRECISIONS = (0.95, 0.98, 0.99)
SIZES = (2, 3, 5, 7, 9, 11)
FOLDS = 5
KNOWN = "known"
"""`p_right` where the answers of two fifths of the problems are known."""
FITTED_ENSEMBLES = 120
TRAINING_ENSEMBLES = 30
TESTED_ENSEMBLES = 2
PENALTY = 40.0
"""The precision of the ridge, in units of each piece's spread."""
NAMES = tuple(field.name for field in fields(AnswerEvidence))
RAISES = ("share", "posterior", "proved", "clique", "witnesses", "reliability", "best_accuracy")
EITHER = ("members", "inputs", "agreement", "few")
"""The evidence of which more may only raise the probability, or either; more of all others may only lower it."""
OF_VALUES = (
    "share",
    "best_accuracy",
    "posterior",
    "few",
    "numbers",
    "inputs",
    "fraction_of_things",
    "not_positive",
)
"""The evidence that an answer is right, whatever UT-3 says of its programs."""
OF_LOGIC = tuple(name for name in NAMES if name not in {"share", "best_accuracy", "posterior", "few"})
CROSS_FITTED = "the weights were fitted on other problems, and without one family of these models"


def measure(data: Path) -> dict[str, Any]:
    """Run the session on the public programs and return the figures of `p_right`."""
    require("programs", data=data)
    with tempfile.TemporaryDirectory() as folder:
        programs_session(data, Path(folder))
        return summary(cross_fitted(read_run(Path(folder) / "programs")))


def fit(rows: Sequence[tuple[AnswerEvidence, bool]], prior: float, names: Sequence[str] = NAMES) -> FittedWeights:
    """Return the logistic regression of right on the named evidence, with a ridge."""
    from scipy.optimize import minimize
    from scipy.special import expit

    inputs = np.array([[own[name] for name in names] for own in (asdict(evidence) for evidence, _ in rows)])
    spread = np.where(inputs.std(axis=0) > 0, inputs.std(axis=0), 1.0)
    right = np.array([float(correct) for _, correct in rows])
    columns, precision = (
        np.column_stack([np.ones(len(rows)), inputs / spread]),
        np.array([0.0, *[PENALTY] * len(names)]),
    )

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores, moved = columns @ weights, precision * weights
        value = float(np.logaddexp(0, scores).sum() - right @ scores + moved @ weights / 2)
        return value, columns.T @ (expit(scores) - right) + moved

    bounds = [
        (None if name in EITHER else 0.0 if name in RAISES else None, None if name in {*EITHER, *RAISES} else 0.0)
        for name in names
    ]
    fitted = minimize(loss, np.zeros(1 + len(names)), jac=True, method="L-BFGS-B", bounds=[(None, None), *bounds]).x
    return FittedWeights(prior, float(fitted[0]), dict(zip(names, (fitted[1:] / spread).tolist(), strict=True)))


def coverage(scores: NDArray[np.float64], right: NDArray[np.float64], precision: float, asked: int) -> float:
    """Return the largest share of problems that can be answered, best first, with that share of them right."""
    order = np.argsort(-scores, kind="stable")
    shares = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    reached = np.flatnonzero(shares >= precision)
    return float(reached[-1] + 1) / asked if len(reached) else 0.0


def calibration_error(probability: NDArray[np.float64], right: NDArray[np.float64], bins: int = 10) -> float:
    """Return the expected calibration error over bins of equal width."""
    index = np.clip((probability * bins).astype(int), 0, bins - 1)
    return float(
        sum(
            (index == own).mean() * abs(probability[index == own].mean() - right[index == own].mean())
            for own in set(index.tolist())
        )
    )


def least_calibration_error(probability: NDArray[np.float64], draws: int = 100) -> float:
    """Return the calibration error that answers show in the mean if each is right with exactly its probability: chance alone."""
    rng = np.random.default_rng(0)
    return float(
        np.mean(
            [
                calibration_error(probability, (rng.random(len(probability)) < probability).astype(float))
                for _ in range(draws)
            ]
        )
    )


@dataclass(frozen=True, slots=True)
class Scored:
    """How one ensemble of a family that was not fitted on is judged.

    `coverages` are by ranking, `errors` by probability: the expected calibration error and the Brier score. `share_reachable` is the
    share of problems with a right answer among those of the ensemble: what a judge who knew which class is right could answer.
    """

    size: int
    share_right: float
    share_reachable: float
    coverages: Mapping[str, tuple[float, ...]]
    errors: Mapping[str, tuple[float, float]]
    probability: tuple[float, ...]
    right: tuple[bool, ...]
    logic: tuple[tuple[float, bool], ...] = ()


def cross_fitted(problems: Mapping[str, PublicProblem], seed: int = 0) -> list[Scored]:
    """Return the figures of ensembles with a model of a family, fitted without that family and without the problem's fold."""
    models = sorted({model for problem in problems.values() for model in problem.values})
    fold = {name: number % FOLDS for number, name in enumerate(Random(seed).sample(sorted(problems), len(problems)))}
    scored = []
    for held_out in sorted({family(model) for model in models}):
        rng = Random(f"{seed}:{held_out}")
        rest = [model for model in models if family(model) != held_out]
        own = [model for model in models if family(model) == held_out]
        training = training_rows(problems, rest, TRAINING_ENSEMBLES, rng)
        weights = [
            fit(
                [(row.assessment.evidence, row.right) for row in training if fold[row.problem_id] != part],
                0.5,
                OF_VALUES,
            )
            for part in range(FOLDS)
        ]
        logic = [
            fit(_decided(row for row in training if fold[row.problem_id] != part), 0.5, OF_LOGIC)
            for part in range(FOLDS)
        ]
        scored += [
            _scored(ensemble, problems, weights, logic, fold)
            for ensemble in ensembles(rest, SIZES * TESTED_ENSEMBLES, rng, with_one_of=own)
        ]
    return scored


def _decided(rows: Iterable[Judged]) -> list[tuple[AnswerEvidence, bool]]:
    """Return the evidence for the logic of right programs where it was decided whether it is the reference's."""
    return [
        (row.assessment.logic, row.logic) for row in rows if row.assessment.logic is not None and row.logic is not None
    ]


def _scored(
    ensemble: Sequence[str],
    problems: Mapping[str, PublicProblem],
    weights: Sequence[FittedWeights],
    logic: Sequence[FittedWeights],
    fold: Mapping[str, int],
) -> Scored:
    rows = judged(problems, ensemble)
    right = np.array([float(row.right) for row in rows])
    # Ties of a ranking are broken at random, by a fixed seed: the order of problem ids says nothing.
    ties = np.random.default_rng(0).random(len(rows)) * 1e-9
    scores = {name: np.array([row.rankings[index] for row in rows]) + ties for index, name in enumerate(RANKINGS)}
    refitted = [
        own.shifted([(row.assessment.evidence, row.right) for row in rows if _is_known(fold[row.problem_id], part)])
        for part, own in enumerate(weights)
    ]
    probabilities = {
        "p_right": np.array([weights[fold[row.problem_id]].probability(row.assessment.evidence) for row in rows]),
        KNOWN: np.array([refitted[fold[row.problem_id]].probability(row.assessment.evidence) for row in rows]),
    }
    return Scored(
        len(ensemble),
        float(right.sum()) / len(fold),
        sum(not problem.right.isdisjoint(ensemble) for problem in problems.values()) / len(problems),
        {
            name: tuple(coverage(own, right, precision, len(fold)) for precision in PRECISIONS)
            for name, own in (scores | probabilities).items()
        },
        {
            name: (calibration_error(own, right), float(((own - right) ** 2).mean()))
            for name, own in probabilities.items()
        },
        tuple(probabilities["p_right"].tolist()),
        tuple(row.right for row in rows),
        tuple(
            (own.probability(evidence), correct)
            for part, own in enumerate(logic)
            for evidence, correct in _decided(row for row in rows if fold[row.problem_id] == part)
        ),
    )


def _is_known(part: int, judged_part: int) -> bool:
    """Tell whether the answers of a fold are known where another is judged: two folds of five."""
    return (part - judged_part) % FOLDS in {1, 2}


def summary(scored: Sequence[Scored]) -> dict[str, Any]:
    """Return the cross-fitted figures by number of members and ranking, and the reliability of all answers together.

    Coverage is the share of problems that can be answered, best first, so that 95%, 98%, 99% of the answers are right: mean and standard error.
    """
    figures: dict[str, Any] = {}
    for size in SIZES:
        own = [row for row in scored if row.size == size]
        figures[f"{size} members"] = {
            "likeliest_answer_right": float(np.mean([row.share_right for row in own])),
            "some_answer_right": float(np.mean([row.share_reachable for row in own])),
            "least_calibration_error": float(
                np.mean([least_calibration_error(np.array(row.probability)) for row in own])
            ),
            **{name: _ranking(own, name) for name in [*RANKINGS, "p_right", KNOWN]},
        }
    pairs = [(chance, right) for row in scored for chance, right in zip(row.probability, row.right, strict=True)]
    logic = [pair for row in scored for pair in row.logic]
    return {**figures, "answers": _reliability(pairs), "logic": _reliability(logic)}


def _ranking(own: Sequence[Scored], name: str) -> dict[str, Any]:
    """Return coverage at each precision, and calibration error and Brier score of a probability."""
    coverages = {
        f"{precision:.0%}": [float(np.mean(values)), float(np.std(values, ddof=1) / len(values) ** 0.5)]
        for index, precision in enumerate(PRECISIONS)
        for values in [[row.coverages[name][index] for row in own]]
    }
    errors = [row.errors[name] for row in own if name in row.errors]
    if not errors:
        return coverages
    return {
        **coverages,
        "calibration_error": float(np.mean([error for error, _ in errors])),
        "brier_score": float(np.mean([brier for _, brier in errors])),
    }


def _reliability(pairs: Sequence[tuple[float, bool]]) -> dict[str, Any]:
    """Return the calibration error of all answers together, and the share that is right in each range of the probability."""
    error = calibration_error(np.array([chance for chance, _ in pairs]), np.array([float(ok) for _, ok in pairs]))
    table = ranges(pairs, basis=ProbabilityBasis.AGREEMENT, evidence="")
    return {
        "answers": len(pairs),
        "calibration_error": error,
        "ranges": [[row.low, row.high, row.answers, row.mean, row.right] for row in table],
    }


def write_calibration(records: Sequence[CalibrationRecord]) -> None:
    """Write the calibration of cross-fitted weights, which runs seal; bases without a record stay as they are."""
    tables = public_calibration() | {
        basis: tuple(own) for basis, own in itertools.groupby(records, key=lambda record: record.basis)
    }
    lines = [
        "# Calibration of p_right on public programs. Made by `python -m benchmarks.related_writers`, and for known"
    ]
    lines.append("# gold answers by `python -m benchmarks.answer_probability RUN --calibrate`.")
    for basis, rows in tables.items():
        lines += ["", f"[{basis}]", f'evidence = "{rows[0].evidence}"', "ranges = ["]
        lines += [
            f"    {{ low = {row.low}, high = {row.high}, answers = {row.answers}, mean = {row.mean}, right = {row.right} }},"
            for row in rows
        ]
        lines.append("]")
    Path(oracle_probability.__file__).with_name("calibration.toml").write_text(
        "\n".join(lines) + "\n", encoding="utf-8"
    )


def write_weights(answer: FittedWeights, logic: FittedWeights) -> None:
    """Write the file of weights that ships."""
    parts = [
        "# What public programs (27 writers on 300 GSM8K test problems) say of writers and questions, and the weights of the evidence",
        "# that an answer is right, made by `python -m benchmarks.related_writers`, and that its logic is, made by",
        "# `python -m benchmarks.answer_probability RUN --fit`; a weight is in log odds for a unit of its evidence.",
        *("", "[writers]", *(f"{key} = {value:.6g}" for key, value in asdict(public_writers()).items())),
    ]
    for name, weights in (("answer", answer), ("logic", logic)):
        parts += ["", f"[{name}]", f"prior = {weights.prior:.4f}", f"intercept = {weights.intercept:.6g}"]
        parts += ["", f"[{name}.weights]", *(f"{key} = {value:.6g}" for key, value in weights.weights.items() if value)]
    Path(oracle_probability.__file__).with_name("fitted_weights.toml").write_text(
        "\n".join(parts) + "\n", encoding="utf-8"
    )


def fitted_logic(problems: Mapping[str, PublicProblem]) -> FittedWeights:
    """Return the weights of the evidence for logic, fitted on all problems and models."""
    models = sorted({model for problem in problems.values() for model in problem.values})
    decided = _decided(training_rows(problems, models, FITTED_ENSEMBLES, Random(0)))
    return fit(decided, sum(right for _, right in decided) / len(decided), OF_LOGIC)


def main(arguments: Sequence[str]) -> int:
    """Measure on a run, or fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "run", type=Path, help="the folder of a run whose formalization stage judged the public programs"
    )
    parser.add_argument("--fit", action="store_true", help="fit on all of it and write the weights that ship")
    parser.add_argument("--calibrate", action="store_true", help="write the calibration that ships, and the figures")
    chosen = parser.parse_args(arguments)
    problems = read_run(chosen.run)
    if chosen.fit:
        write_weights(shipped_weights("answer"), fitted_logic(problems))
    if chosen.calibrate or not chosen.fit:
        scored = cross_fitted(problems)
        if chosen.calibrate:
            logic = [pair for row in scored for pair in row.logic]
            evidence = f"{len(logic):,} right answers that groups of public models gave, counted as right where the program's logic is right, too; {CROSS_FITTED}"
            write_calibration(list(ranges(logic, basis=ProbabilityBasis.GOLD_ANSWER, evidence=evidence)))
        print(json.dumps(summary(scored), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
