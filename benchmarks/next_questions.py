"""Benchmark of what to ask next: coverage against the number of answers, asking by value of information, evenly, and all models for all."""

from __future__ import annotations

import itertools
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.answer_probability import FOLDS, coverage, fit
from benchmarks.probability_ensembles import PublicProblem, ensembles, family, read_run, training_rows
from benchmarks.sessions import available, programs_session
from harness.paths import data_folder
from harness.records.formalization import ProbabilityBasis
from oracles.consensus.probability.answer_evidence import ProblemFormalizations
from oracles.consensus.probability.model_reliability import ModelReliability, ProblemAnswers, estimate_reliability
from oracles.consensus.probability.oracle_probability import RunWeights, assess
from oracles.consensus.probability.value_of_information import OpenProblem, ValueOfInformation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.domain import Exact
    from oracles.consensus.probability.fitted_weights import FittedWeights

SIZES = (7,)
FIRST_MODELS = 2
"""How many models are asked about every problem before anything is chosen."""
THRESHOLD = 0.99
PRECISION = 0.99
ROUND = 200
"""How many questions are chosen before the answers are looked at."""
TRAINING_ENSEMBLES = 20
HELD_OUT = ("Faithful-COT/gpt-3.5-turbo", "Faithful-COT/gpt4", "PoT", "ToRA")
"""The families of which each ensemble has a member, and which the weights are not fitted on."""
SHARES = (0.3, 0.4, 0.5, 0.6, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class AskedRun:
    """Coverage by the number of answers that were asked for, under each policy, of one ensemble."""

    size: int
    answers: int
    by_value: Mapping[int, float]
    evenly: Mapping[int, float]


@dataclass(slots=True)
class Simulation:
    """The answers of an ensemble on all problems, which are asked for one after the other."""

    problems: Mapping[str, PublicProblem]
    models: Sequence[str]
    weights: Sequence[FittedWeights]
    fold: Mapping[str, int]
    asked: dict[str, list[str]]

    def answers(self, name: str) -> ProblemAnswers:
        """Return the answers to a problem that were asked for so far."""
        problem, asked = self.problems[name], self.asked[name]
        given: list[Exact] = sorted({problem.values[model] for model in asked if model in problem.values})
        support = {
            value: tuple(sorted(model for model in asked if problem.values.get(model) == value)) for value in given
        }
        return ProblemAnswers(support, tuple(sorted(model for model in asked if model not in problem.values)))

    def open_problem(self, name: str) -> OpenProblem:
        """Return a problem as far as it was asked, without its gold answer."""
        problem = self.problems[name]
        return OpenProblem(
            ProblemFormalizations(problem.question, self.answers(name), problem.programs, problem.verdicts)
        )

    def information(self, reliability: ModelReliability, name: str) -> ValueOfInformation:
        """Return the value of information by weights that were not fitted on the problem."""
        weights = self.weights[self.fold[name]]
        return ValueOfInformation(reliability, RunWeights(weights, weights, ProbabilityBasis.AGREEMENT), THRESHOLD)

    def reliability(self) -> ModelReliability:
        """Return the reliability of the models by the answers so far; models that were never asked are as good as the mean."""
        known = estimate_reliability({name: self.answers(name) for name in self.asked})
        for model in self.models:
            if model not in known.accuracy:
                known = known.joined_by(model, float(np.mean(list(known.accuracy.values()))), {})
        return known

    def coverage(self, reliability: ModelReliability) -> float:
        """Return the share of problems that can be answered with PRECISION."""
        rows = []
        for name in sorted(self.asked):
            problem = self.open_problem(name).formalizations
            if problem.answers.support:
                posterior = reliability.posterior_of(problem.answers)
                assessment = assess(problem, reliability, posterior, None)
                right = assessment is not None and bool(set(assessment.models) & self.problems[name].right)
                rows.append((self.information(reliability, name).probability(self.open_problem(name)), right))
        ties = np.random.default_rng(0).random(len(rows)) * 1e-9
        return coverage(
            np.array([chance for chance, _ in rows]) + ties,
            np.array([float(right) for _, right in rows]),
            PRECISION,
            len(self.asked),
        )

    def ask_by_value(self, reliability: ModelReliability, limit: int) -> int:
        """Ask the questions of one round that gain most for an answer, and return how many were asked."""
        plans = []
        for name in sorted(self.asked):
            left = [model for model in self.models if model not in self.asked[name]]
            information = self.information(reliability, name)
            problem = self.open_problem(name)
            if not left or information.probability(problem) >= THRESHOLD:
                continue
            order = sorted(left, key=lambda model: -reliability.accuracy[model])[:2]
            gains = information.gains(problem, order)
            best = max(range(len(gains)), key=lambda number: gains[number] / (number + 1))
            # What no two answers lift is asked about last, the likeliest first.
            hope = 1e-6 * information.probability(problem)
            plans.append((gains[best] / (best + 1) + hope, name, order[: best + 1]))
        asked = 0
        for _, name, order in sorted(plans, key=lambda plan: (-plan[0], plan[1])):
            if asked >= limit:
                break
            self.asked[name] += order
            asked += len(order)
        return asked


def simulated(
    problems: Mapping[str, PublicProblem],
    models: Sequence[str],
    weights: Sequence[FittedWeights],
    fold: Mapping[str, int],
    rng: Random,
) -> AskedRun:
    """Ask an ensemble by value of information and evenly, in a random order of its models."""
    order = rng.sample(list(models), len(models))
    total = len(models) * len(problems)
    limits = [round(share * total) for share in SHARES]
    first = dict.fromkeys(problems, order[:FIRST_MODELS])
    simulation = Simulation(problems, order, weights, fold, {name: list(own) for name, own in first.items()})
    by_value: dict[int, float] = {}
    done = FIRST_MODELS * len(problems)
    for limit in limits:
        while done < limit:
            asked = simulation.ask_by_value(simulation.reliability(), min(ROUND, limit - done))
            if not asked:
                break
            done += asked
        by_value[limit] = simulation.coverage(simulation.reliability())
    evenly = {}
    for limit in limits:
        each, more = divmod(limit, len(problems))
        names = rng.sample(sorted(problems), len(problems))
        asked_evenly = {name: order[: each + (number < more)] for number, name in enumerate(names)}
        even = Simulation(problems, order, weights, fold, asked_evenly)
        evenly[limit] = even.coverage(even.reliability())
    return AskedRun(len(models), done, by_value, evenly)


def measured(problems: Mapping[str, PublicProblem], seed: int = 0) -> str:
    """Return coverage by the share of answers asked for, as Markdown."""
    models = sorted({model for problem in problems.values() for model in problem.values})
    fold = {name: number % FOLDS for number, name in enumerate(Random(seed).sample(sorted(problems), len(problems)))}
    runs = []
    for held_out in HELD_OUT:
        rng = Random(f"{seed}:{held_out}")
        rest = [model for model in models if family(model) != held_out]
        own = [model for model in models if family(model) == held_out]
        training = training_rows(problems, rest, TRAINING_ENSEMBLES, rng)
        weights = [
            fit([(row.assessment.evidence, row.right) for row in training if fold[row.problem_id] != part], 0.5)
            for part in range(FOLDS)
        ]
        drawn = list(ensembles(rest, SIZES, rng, with_one_of=own))
        runs += [simulated(problems, ensemble, weights, fold, rng) for ensemble in drawn]
    return "\n".join(_tables(runs, len(problems)))


def _tables(runs: Sequence[AskedRun], problems: int) -> list[str]:
    lines = [
        "## What to ask next",
        "",
        "    python -m benchmarks next_questions",
        "",
        f"The {problems} problems of the public programs, {len(runs)} ensembles with a member of a family that the weights were not fitted on, each problem judged by weights that were not fitted on it, no gold answer given. {FIRST_MODELS} models, drawn by lot, are asked about every problem; then {ROUND} questions a round are chosen by value of information (a problem counts as kept from {THRESHOLD}), or the models are asked one after the other, evenly. Coverage is the share of problems that can be answered, best first, so that {PRECISION:.0%} of the answers are right; ± is the standard error over ensembles.",
        "",
        f"| members | asked | {' | '.join(f'{share:.0%} of the answers' for share in SHARES)} | answers asked for in the end |",
        f"|---|---|{'---|' * (len(SHARES) + 1)}",
    ]
    for size, title in itertools.product(SIZES, ("by value", "evenly")):
        own = [run for run in runs if run.size == size]
        by_limit = [run.by_value if title == "by value" else run.evenly for run in own]
        cells = [_mean([list(row.values())[place] for row in by_limit]) for place in range(len(SHARES))]
        end = f"{np.mean([run.answers / (run.size * problems) for run in own]):.0%}" if title == "by value" else "100%"
        lines.append(f"| {size} | {title} | {' | '.join(cells)} | {end} |")
    return lines


def _mean(values: Sequence[float]) -> str:
    return f"{np.mean(values):.2f} ± {np.std(values, ddof=1) / len(values) ** 0.5:.2f}"


def measure(data: Path) -> str:
    """Run the session on the public programs and return coverage against answers as Markdown."""
    if not available("programs", data):
        return "## What to ask next\n\nNot measured: the data are not there."
    with tempfile.TemporaryDirectory() as folder:
        programs_session(data, Path(folder))
        return measured(read_run(Path(folder) / "programs", data))


if __name__ == "__main__":
    print(measured(read_run(Path(sys.argv[1]), data_folder())))
