"""Benchmark and fit of `p_right`: ensembles of public programs, cross-fitted by problem and by family of models.

`python -m benchmarks.answer_probability RUN` measures on a sealed run of the public programs; with `--fit` it fits the weights on
all of them and writes `oracles/consensus/probability/fitted_weights.toml`.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from dataclasses import asdict, dataclass, fields
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.sessions import DATASETS, available, programs_session
from harness.corpora.problems import load_corpus
from harness.corpora.responses import load_responses
from harness.domain import Status, Verdict
from harness.json_form import read_record
from harness.paths import data_folder
from harness.program.candidate import read_program
from oracles.consensus.cliques import ConsensusWeights, pairwise_quality
from oracles.consensus.probability import fitted_weights
from oracles.consensus.probability.answer_evidence import AnswerEvidence, ProblemFormalizations
from oracles.consensus.probability.fitted_weights import FittedWeights
from oracles.consensus.probability.model_reliability import ProblemAnswers, estimate_reliability
from oracles.consensus.probability.oracle_probability import AnswerAssessment, assess

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from harness.program.ir import Program

PRECISIONS = (0.95, 0.98, 0.99)
SIZES = (2, 3, 5, 7, 9, 11)
RUN_SIZES = (300, 300, 100, 30, 10)
FOLDS = 5
FITTED_ENSEMBLES = 400
TRAINING_ENSEMBLES = 40
TESTED_ENSEMBLES = 2
PENALTY = 0.01
"""The inverse strength of the ridge, in units of each piece's spread."""
SMALLEST_REFERENCE = 8
"""Of 27 programs, how many must agree in logic before their clique is the reference for the logic of others."""
NAMES = tuple(field.name for field in fields(AnswerEvidence))
RANKINGS = (
    "confidence score",
    "clique size, then the score",
    "programs with the commonest value",
    "one-coin Dawid-Skene",
)


@dataclass(frozen=True, slots=True)
class PublicProblem:
    """A problem with all that the public programs give for it."""

    question: str
    values: Mapping[str, Fraction]
    programs: Mapping[str, Program]
    verdicts: Mapping[tuple[str, str], Verdict]
    qualities: Mapping[tuple[str, str], float]
    right: frozenset[str]
    reference: frozenset[str]


@dataclass(frozen=True, slots=True)
class Judged:
    """The likeliest answer that an ensemble gives for a problem, with its evidence and the rankings it is compared with."""

    problem_id: str
    assessment: AnswerAssessment
    right: bool
    logic: bool | None
    rankings: tuple[float, ...]


def measure(data: Path) -> str:
    """Run the session on the public programs and return the figures of `p_right` as Markdown."""
    if not available("programs", data):
        return "## The probability that an oracle is right\n\nNot measured: the data are not there."
    with tempfile.TemporaryDirectory() as folder:
        programs_session(data, Path(folder))
        return measured(read_run(Path(folder) / "programs", data))


def family(model: str) -> str:
    """Return the family of a public program's writer: the model behind it, whatever the prompt."""
    publisher, _, rest = model.partition("/")
    return f"{publisher}/{rest.partition('/')[0]}" if publisher == "Faithful-COT" else publisher


def read_run(run: Path, data: Path) -> dict[str, PublicProblem]:
    """Return the problems of a sealed run on the public programs."""
    corpus, answers = DATASETS["programs"]
    known = frozenset(problem.problem_id for problem in load_corpus(str(data / corpus)))
    accepted = load_responses([data / answers], known).accepted
    values: dict[str, dict[str, Fraction]] = defaultdict(dict)
    for record in _records(run, "programs.jsonl"):
        if record["value"] is not None:
            values[record["problem_id"]][record["model"]] = Fraction(record["value"])
    verdicts: dict[str, dict[tuple[str, str], Verdict]] = defaultdict(dict)
    qualities: dict[str, dict[tuple[str, str], float]] = defaultdict(dict)
    right: dict[str, set[str]] = defaultdict(set)
    for record in _records(run, "verdicts.jsonl"):
        verdict = read_record(Verdict, record)
        pair = (verdict.left, verdict.right or "")
        if verdict.claim == "ut1" and verdict.status is Status.CONFIRMED:
            right[verdict.problem_id].add(verdict.left)
        elif verdict.claim == "ut2" and verdict.alignment is not None:
            qualities[verdict.problem_id][pair] = pairwise_quality(verdict.alignment, ConsensusWeights())
        elif verdict.claim == "ut3":
            verdicts[verdict.problem_id][pair] = verdict
    problems = {}
    for record in _records(run, "problems.jsonl"):
        name = record["problem_id"]
        programs = {model: read_program(accepted[name][model]) for model in values[name]}
        readable = {model: program for model, program in programs.items() if program is not None}
        problem = ProblemFormalizations(record["question"], ProblemAnswers({}), readable, verdicts[name])
        reference = problem.largest_clique(tuple(sorted(right[name] & readable.keys())))
        problems[name] = PublicProblem(
            record["question"],
            values[name],
            readable,
            verdicts[name],
            qualities[name],
            frozenset(right[name]),
            frozenset(reference if len(reference) >= SMALLEST_REFERENCE else ()),
        )
    return problems


def _records(run: Path, name: str) -> Iterator[dict]:
    with (run / "formalization" / name).open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def judged(problems: Mapping[str, PublicProblem], models: Sequence[str]) -> list[Judged]:
    """Return what an ensemble of models says of each problem for which one of them gives a value."""
    answers = {name: _answers(problem, models) for name, problem in sorted(problems.items())}
    reliability = estimate_reliability(answers)
    rows = []
    for name, problem in sorted(problems.items()):
        own = answers[name]
        formalizations = ProblemFormalizations(problem.question, own, problem.programs, problem.verdicts)
        right = tuple(sorted(problem.right & set(models)))
        assessment = assess(formalizations, reliability, reliability.posterior[name], right)
        if assessment is not None:
            rows.append(
                Judged(
                    name,
                    assessment,
                    bool(assessment.right),
                    _logic(problem, formalizations, right),
                    _rankings(problem, formalizations, models, assessment),
                )
            )
    return rows


def _answers(problem: PublicProblem, models: Sequence[str]) -> ProblemAnswers:
    support: dict[Fraction, list[str]] = defaultdict(list)
    for model in models:
        if model in problem.values:
            support[problem.values[model]].append(model)
    silent = tuple(sorted(model for model in models if model not in problem.values))
    return ProblemAnswers({value: tuple(sorted(own)) for value, own in sorted(support.items())}, silent)


def _logic(problem: PublicProblem, formalizations: ProblemFormalizations, right: tuple[str, ...]) -> bool | None:
    """Tell whether the clique of an ensemble's right programs has the reference's logic, `None` where that is not decided."""
    clique = formalizations.largest_clique(right)
    if not clique or not problem.reference:
        return None
    if set(clique) & problem.reference:
        return True
    verdicts = [formalizations.verdict(clique[0], other) for other in sorted(problem.reference)]
    statuses = {verdict.status for verdict in verdicts if verdict is not None}
    if Status.CONFIRMED in statuses:
        return True
    return False if Status.REFUTED in statuses else None


def _rankings(
    problem: PublicProblem, formalizations: ProblemFormalizations, models: Sequence[str], assessment: AnswerAssessment
) -> tuple[float, ...]:
    """Return what the four rankings of `RANKINGS` make of the problem."""
    clique = max(
        (formalizations.largest_clique(own) for own in formalizations.answers.support.values()), key=len, default=()
    )
    pairs = [problem.qualities.get((left, right), 0.0) for left in clique for right in clique if left < right]
    score = sum(pairs) / len(pairs) * ConsensusWeights().clique_bonus(len(clique)) if pairs else 0.0
    votes = max(map(len, formalizations.answers.support.values()))
    return score, len(clique) + score / 10, float(votes), assessment.evidence.posterior


def ensembles(
    models: Iterable[str], sizes: Sequence[int], rng: Random, *, with_one_of: Sequence[str] = ()
) -> Iterator[list[str]]:
    """Yield for each size an ensemble drawn from different families as far as they go, one of them of `with_one_of` if given."""
    by_family: dict[str, list[str]] = defaultdict(list)
    for model in sorted(models):
        by_family[family(model)].append(model)
    for size in sizes:
        drawn = [rng.choice(with_one_of)] if with_one_of else []
        families = rng.sample(sorted(by_family), len(by_family))
        while len(drawn) < size:
            for name in families:
                left = [model for model in by_family[name] if model not in drawn]
                if left and len(drawn) < size:
                    drawn.append(rng.choice(left))
        yield sorted(drawn)


def fit(rows: Sequence[tuple[AnswerEvidence, bool]], prior: float) -> FittedWeights:
    """Return the logistic regression of right on evidence, with a ridge."""
    from sklearn.linear_model import LogisticRegression

    inputs = _matrix([evidence for evidence, _ in rows])
    spread = np.where(inputs.std(axis=0) > 0, inputs.std(axis=0), 1.0)
    center = inputs.mean(axis=0)
    model = LogisticRegression(C=PENALTY, max_iter=5_000).fit((inputs - center) / spread, [right for _, right in rows])
    weights = model.coef_[0] / spread
    return FittedWeights(
        prior,
        float(model.intercept_[0] - weights @ center),
        dict(zip(NAMES, weights.tolist(), strict=True)),
        dict(zip(NAMES, spread.tolist(), strict=True)),
    )


def _matrix(evidence: Sequence[AnswerEvidence]) -> NDArray[np.float64]:
    return np.array([[asdict(own)[name] for name in NAMES] for own in evidence])


def training_rows(
    problems: Mapping[str, PublicProblem], models: Sequence[str], count: int, rng: Random
) -> list[Judged]:
    """Return judged problems of many ensembles, in runs of several sizes."""
    rows = []
    for number, ensemble in enumerate(ensembles(models, rng.choices(range(2, 12), k=count), rng)):
        size = RUN_SIZES[number % len(RUN_SIZES)]
        names = sorted(problems)
        parts = [names] if size >= len(names) else [rng.sample(names, size) for _ in range(3)]
        for part in parts:
            rows += judged({name: problems[name] for name in part}, ensemble)
    return rows


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


@dataclass(frozen=True, slots=True)
class Scored:
    """How one ensemble of a family that was not fitted on is judged: coverages by ranking, calibration error, Brier score."""

    size: int
    share_right: float
    coverages: Mapping[str, tuple[float, ...]]
    calibration: float
    brier: float
    probability: tuple[float, ...]
    right: tuple[bool, ...]


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
            fit([(row.assessment.evidence, row.right) for row in training if fold[row.problem_id] != part], 0.5)
            for part in range(FOLDS)
        ]
        for ensemble in ensembles(rest, SIZES * TESTED_ENSEMBLES, rng, with_one_of=own):
            scored.append(
                _scored(len(problems), len(ensemble), judged(problems, ensemble), lambda name: weights[fold[name]])
            )
    return scored


def _scored(asked: int, size: int, rows: Sequence[Judged], weights_of: Callable[[str], FittedWeights]) -> Scored:
    right = np.array([float(row.right) for row in rows])
    probability = np.array([weights_of(row.problem_id).probability(row.assessment.evidence) for row in rows])
    # Ties of a ranking are broken at random, by a fixed seed: the order of problem ids says nothing.
    ties = np.random.default_rng(0).random(len(rows)) * 1e-9
    scores = {name: np.array([row.rankings[index] for row in rows]) + ties for index, name in enumerate(RANKINGS)}
    scores["p_right"] = probability
    return Scored(
        size,
        float(right.sum()) / asked,
        {
            name: tuple(coverage(own, right, precision, asked) for precision in PRECISIONS)
            for name, own in scores.items()
        },
        calibration_error(probability, right),
        float(((probability - right) ** 2).mean()),
        tuple(probability.tolist()),
        tuple(row.right for row in rows),
    )


def measured(problems: Mapping[str, PublicProblem]) -> str:
    """Return the cross-fitted figures as Markdown."""
    scored = cross_fitted(problems)
    lines = [
        "## The probability that an oracle is right",
        "",
        "    python -m benchmarks answer_probability",
        "",
        f"Ensembles of {SIZES[0]} to {SIZES[-1]} of the {len({model for problem in problems.values() for model in problem.values})} public program writers on {len(problems)} problems, **without gold answers**; each has a member of a family that the weights were not fitted on, and each problem is judged by weights that were not fitted on it ({len(scored)} ensembles, drawn from different families as far as they go). Coverage is the share of problems that can be answered, best first, so that 95%, 98%, 99% of the answers are right: mean over ensembles ± standard error.",
        "",
        "| members | likeliest answer right | ranked by | at 95% | at 98% | at 99% | ECE | Brier |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for size in SIZES:
        own = [row for row in scored if row.size == size]
        for name in [*RANKINGS, "p_right"]:
            cells = [_mean([row.coverages[name][index] for row in own]) for index in range(len(PRECISIONS))]
            errors = [f"{np.mean([row.calibration for row in own]):.3f}", f"{np.mean([row.brier for row in own]):.3f}"]
            shown = errors if name == "p_right" else ["", ""]
            bold = f"**`{name}`**" if name == "p_right" else name
            lines.append(
                f"| {size} | {np.mean([row.share_right for row in own]):.3f} | {bold} | {' | '.join([*cells, *shown])} |"
            )
    return "\n".join([*lines, "", *_diagram(scored)])


def _mean(values: Sequence[float]) -> str:
    return f"{np.mean(values):.2f} ± {np.std(values, ddof=1) / len(values) ** 0.5:.2f}"


def _diagram(scored: Sequence[Scored]) -> Iterator[str]:
    """Yield the reliability diagram over all ensembles as a table."""
    probability = np.array([own for row in scored for own in row.probability])
    right = np.array([own for row in scored for own in row.right], dtype=float)
    yield f"Over all {len(right):,} answers together, the expected calibration error is {calibration_error(probability, right):.3f}."
    yield from ["", "| p_right | answers | mean p_right | right |", "|---|---|---|---|"]
    edges = [0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0]
    for low, high in zip(edges, edges[1:], strict=False):
        inside = (probability >= low) & (probability < high)
        if inside.any():
            yield f"| {low} to {high} | {inside.sum():,} | {probability[inside].mean():.3f} | {right[inside].mean():.3f} |"


def write_weights(problems: Mapping[str, PublicProblem]) -> None:
    """Fit the weights on all problems and models and write the file that ships."""
    models = sorted({model for problem in problems.values() for model in problem.values})
    rows = training_rows(problems, models, FITTED_ENSEMBLES, Random(0))
    alone = [
        problem.values.get(model) is not None and model in problem.right
        for problem in problems.values()
        for model in models
    ]
    answer = fit([(row.assessment.evidence, row.right) for row in rows], sum(alone) / len(alone))
    decided = [
        (row.assessment.logic, row.logic) for row in rows if row.assessment.logic is not None and row.logic is not None
    ]
    logic = fit(decided, sum(right for _, right in decided) / len(decided))
    parts = [
        "# Weights of the evidence that an oracle is right. Made by `python -m benchmarks.answer_probability RUN --fit` from",
        f"# {len(models)} public program writers on {len(problems)} GSM8K test problems ({len(rows):,} answers of {FITTED_ENSEMBLES} ensembles);",
        "# a weight is in log odds for a unit of its evidence, a scale is the spread of that evidence.",
    ]
    for name, weights in (("answer", answer), ("logic", logic)):
        parts += ["", f"[{name}]", f"prior = {weights.prior:.4f}", f"intercept = {weights.intercept:.6g}"]
        for table in ("weights", "scale"):
            parts += [
                "",
                f"[{name}.{table}]",
                *(f"{key} = {value:.6g}" for key, value in getattr(weights, table).items()),
            ]
    Path(fitted_weights.__file__).with_suffix(".toml").write_text("\n".join(parts) + "\n", encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """Measure on a run, or fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "run", type=Path, help="the folder of a run whose formalization stage judged the public programs"
    )
    parser.add_argument("--fit", action="store_true", help="fit on all of it and write the weights that ship")
    chosen = parser.parse_args(arguments)
    problems = read_run(chosen.run, data_folder())
    if chosen.fit:
        write_weights(problems)
    else:
        print(measured(problems))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
