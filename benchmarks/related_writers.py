"""Benchmark and fit of `p_right` where writers are related: prompts of one public model, mixtures with another one, different writers, few problems.

`python -m benchmarks.related_writers` fits the weights of the evidence for answers on all of them, and writes them to `fitted_weights.toml`, with what was measured to
`calibration.toml`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from benchmarks.answer_probability import (
    OF_VALUES,
    PRECISIONS,
    calibration_error,
    coverage,
    fit,
    least_calibration_error,
    write_calibration,
    write_weights,
)
from benchmarks.probability_ensembles import AnsweredProblem, read_answers
from benchmarks.sessions import require
from harness.paths import data_folder
from harness.records.formalization import CalibrationRecord, ProbabilityBasis
from oracles.consensus.probability.answer_evidence import AnswerEvidence, ProblemFormalizations
from oracles.consensus.probability.answer_model import problem_answers
from oracles.consensus.probability.model_reliability import FEW_PROBLEMS, estimate_reliability
from oracles.consensus.probability.oracle_probability import (
    SUREST,
    SUREST_OF_FEW,
    FittedWeights,
    likeliest,
    ranges,
    shipped_weights,
)
from oracles.consensus.probability.writer_families import SAMPLE_MARK

PROMPTED = "code002"
"""The public model with most prompts."""
CONFIGURATIONS = {
    "3 prompts": (3, 0),
    "7 prompts": (7, 0),
    "3 prompts and 1 other model": (3, 1),
    "6 prompts and 1 other model": (6, 1),
    "7 different writers": (0, 7),
    "3 different writers": (0, 3),
}
"""How many prompts of one model, and how many other writers, of different models as far as they go."""
DRAWS, MANY_DRAWS = {300: 6, 10: 40}, {300: 6, 10: 200, 3: 300, 1: 600}
"""How many runs are drawn, by their number of problems: chance alone gives 40 runs of 10 problems a calibration error of 0.03, and 200 runs 0.015. Without answers a run says nothing."""
FITTED_DRAWS = {300: 3, 100: 4, 30: 6, 10: 20}
UNNAMED = 3
"""Of how many runs one is of writers whose names say nothing."""
FOLDS = 3
KEPT = 0.95


@dataclass(frozen=True, slots=True)
class Run:
    """What a run says of each problem with an answer: the evidence for the likeliest one, and whether it is right."""

    configuration: str
    size: int
    evidence: Mapping[str, tuple[AnswerEvidence, bool]]


def model_of(writer: str) -> str:
    """Return the model of a public writer, whatever its prompt."""
    publisher, _, rest = writer.partition("/")
    return rest.partition("/")[0] if publisher == "Faithful-COT" else PROMPTED if publisher == "PoT" else publisher


def prompt_family(writer: str) -> str:
    """Return the family of a prompt of PROMPTED: other examples, other wordings of the instruction, or other parts of the answer."""
    prompt = writer.rpartition("/")[2]
    return "examples" if "exemplarset" in prompt else "wordings" if "variation" in prompt else "parts"


def drawn(writers: Sequence[str], prompts: int, others: int, rng: Random) -> list[str]:
    """Return an ensemble: prompts of PROMPTED, or of another model where it has none, and other writers of different models as far as they go."""
    by_model: dict[str, list[str]] = {}
    for writer in writers:
        if not (prompts and writer.startswith("PoT")):
            by_model.setdefault(model_of(writer), []).append(writer)
    several = [model for model, own in sorted(by_model.items()) if len(own) > 1]
    chosen = []
    if prompts:
        own = by_model.pop(PROMPTED if PROMPTED in several else rng.choice(several))
        chosen = rng.sample(own, min(prompts, len(own)))
    for model in rng.sample(sorted(by_model), min(others, len(by_model))):
        chosen.append(rng.choice(by_model[model]))
    return sorted(chosen)


def judged(
    problems: Mapping[str, AnsweredProblem], ensemble: Sequence[str], *, named: bool
) -> dict[str, tuple[AnswerEvidence, bool]]:
    """Return the evidence for the likeliest answer of each problem and whether it is right; where `named`, names tell the model of a writer."""
    names = {
        writer: f"{model_of(writer)}{SAMPLE_MARK}{number}" if named else f"writer{number}"
        for number, writer in enumerate(ensemble)
    }
    answers = {
        key: problem_answers(
            {name: own.values.get(writer) for writer, name in names.items()},
            {name: own.forms[writer] for writer, name in names.items() if writer in own.forms},
        )
        for key, own in problems.items()
    }
    reliability, found = estimate_reliability(answers), {}
    for key, own in answers.items():
        if own.support:
            distinct, posterior = reliability.without_copies(own), reliability.posterior[key]
            known = problems[key]
            programs = {name: known.programs[writer] for writer, name in names.items() if writer in known.programs}
            problem = ProblemFormalizations(known.question, distinct, programs, {})
            value, evidence = likeliest(problem, reliability, posterior)
            found[key] = evidence, value in known.right
    return found


def runs(
    problems: Mapping[str, AnsweredProblem],
    writers: Sequence[str],
    draws: Mapping[int, int],
    seed: str,
    *,
    unnamed: int = 0,
    only: str = "",
) -> Iterator[Run]:
    """Yield runs of each configuration whose name begins with `only`, and of each size; where `unnamed`, the names of writers say nothing in one of so many."""
    for configuration, (prompts, others) in CONFIGURATIONS.items():
        for size, count in draws.items():
            for draw in range(count if configuration.startswith(only) else 0):
                rng = Random(f"{seed} {configuration} {size} {draw}")
                ensemble = drawn(writers, prompts, others, rng)
                own = {name: problems[name] for name in sorted(rng.sample(sorted(problems), min(size, len(problems))))}
                named = not unnamed or draw % unnamed > 0
                yield Run(configuration, size, judged(own, ensemble, named=named))


def training_runs(problems: Mapping[str, AnsweredProblem], writers: Sequence[str]) -> list[Run]:
    """Return the runs of some writers that weights are fitted on."""
    return list(runs(problems, writers, FITTED_DRAWS, "fit", unnamed=UNNAMED))


def fitted(training: Sequence[Run], fold: int | None = None) -> FittedWeights:
    """Return weights fitted on runs, but for the problems of a fold."""
    rows = [row for run in training for key, row in run.evidence.items() if fold_of(key) != fold]
    return fit(rows, shipped_weights("answer").prior, OF_VALUES)


def cross_fitted(training: Sequence[Run]) -> list[FittedWeights]:
    """Return weights fitted on runs, for each fold of the problems those of the other folds."""
    return [fitted(training, fold) for fold in range(FOLDS)]


def fold_of(problem_id: str) -> int:
    """Return the fold of a problem."""
    return Random(problem_id).randrange(FOLDS)


def scored(tested: Sequence[Run], weights: Sequence[FittedWeights]) -> dict[str, Any]:
    """Return by configuration and size what `p_right` says and what is right."""
    figures = {}
    for configuration, size in dict.fromkeys((run.configuration, run.size) for run in tested):
        own = [
            run.evidence for run in tested if run.evidence and (run.configuration, run.size) == (configuration, size)
        ]
        judged_runs = [
            np.array([(weights[fold_of(key)].probability(evidence), right) for key, (evidence, right) in rows.items()])
            for rows in own
        ]
        chance, right = np.concatenate(judged_runs).T
        kept = chance >= KEPT
        figures[f"{configuration}, {size} problems"] = {
            "answers": len(chance),
            "p_right": float(chance.mean()),
            "right": float(right.mean()),
            "calibration_error": calibration_error(chance, right),
            "by_chance_alone": least_calibration_error(chance),
            "kept": int(kept.sum()),
            "wrong": int((1 - right[kept]).sum()),
            "expected_wrong": float((1 - chance[kept]).sum()),
            **{
                f"{precision:.0%}": float(
                    np.mean([coverage(pairs[:, 0], pairs[:, 1], precision, size) for pairs in judged_runs])
                )
                for precision in PRECISIONS
                if size >= FEW_PROBLEMS
            },
        }
    return figures


def measure(data: Path) -> dict[str, Any]:
    """Return the figures by configuration: of weights fitted on other problems, without the prompted model, and without a family of its prompts."""
    require("programs", data=data)
    problems = read_answers(data)
    writers = sorted({writer for problem in problems.values() for writer in problem.values})
    others = [writer for writer in writers if model_of(writer) != PROMPTED]
    weights = cross_fitted(training_runs(problems, writers))
    tested = list(runs(problems, writers, MANY_DRAWS, "test"))
    unnamed = list(runs(problems, writers, DRAWS, "test", unnamed=1))
    prompted = [run for run in tested if "prompts" in run.configuration]
    figures = {
        "other problems": scored(tested, weights),
        "names that say nothing": scored(unnamed, weights),
        "without the model": scored(prompted, cross_fitted(training_runs(problems, others))),
    }
    for family in ("examples", "wordings", "parts"):
        held = [writer for writer in writers if model_of(writer) == PROMPTED and prompt_family(writer) == family]
        own = runs(problems, [*held, *others], DRAWS, "test", only="3 prompts")
        rest = [writer for writer in writers if writer not in held]
        figures[f"without prompts of the family {family}"] = scored(
            list(own), cross_fitted(training_runs(problems, rest))
        )
    return figures


def main() -> None:
    """Fit on all runs, and write the weights and their calibration on other problems."""
    problems = read_answers(data_folder())
    writers = sorted({writer for problem in problems.values() for writer in problem.values})
    training = training_runs(problems, writers)
    write_weights(fitted(training), shipped_weights("logic"))
    folds, tested = cross_fitted(training), list(runs(problems, writers, DRAWS, "test"))
    records: list[CalibrationRecord] = []
    for basis, is_few in ((ProbabilityBasis.AGREEMENT, False), (ProbabilityBasis.FEW_PROBLEMS, True)):
        surest = SUREST_OF_FEW if is_few else SUREST
        pairs = [
            (min(folds[fold_of(key)].probability(evidence), surest), right)
            for run in tested
            if (run.size < FEW_PROBLEMS) is is_few
            for key, (evidence, right) in run.evidence.items()
        ]
        how = "answers that public models, different ones and prompts of one, gave; the weights were fitted on other problems"
        records += ranges(pairs, basis=basis, evidence=f"{len(pairs):,} {how}")
    write_calibration(records)


if __name__ == "__main__":
    main()
