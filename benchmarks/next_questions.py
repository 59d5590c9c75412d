"""Benchmark of what to ask next: coverage against the number of answers, asking by value of information, evenly, and all models for all."""

from __future__ import annotations

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
from properties.next_questions.question_plans import ANSWERS_AHEAD, PILOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.domain import Exact
    from harness.program.ir import Program
    from oracles.consensus.probability.fitted_weights import FittedWeights

SIZE = 7
THRESHOLD = 0.99
PRECISION = 0.99
ROUND = 200
"""How many questions are chosen before the answers are looked at."""
TRAINING_ENSEMBLES = 20
ENSEMBLES = 2
"""How many ensembles have a member of each family, which the weights are not fitted on."""
SHARES = (0.3, 0.4, 0.5, 0.6, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class AskedRun:
    """Coverage by the number of answers that were asked for, under each policy, of one ensemble."""

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
    typical: Program

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
        programs = {model: problem.programs[model] for model in self.asked[name] if model in problem.programs}
        return OpenProblem(
            ProblemFormalizations(
                problem.question, self.answers(name), programs or {"": self.typical}, problem.verdicts
            )
        )

    def information(self, reliability: ModelReliability, name: str) -> ValueOfInformation:
        """Return the value of information by weights that were not fitted on the problem."""
        weights = self.weights[self.fold[name]]
        return ValueOfInformation(reliability, RunWeights(weights, weights, ProbabilityBasis.AGREEMENT), THRESHOLD)

    def reliability(self) -> ModelReliability:
        """Return the reliability of the models by the answers so far; models that were never asked are as good as the mean."""
        known = estimate_reliability({name: self.answers(name) for name, asked in self.asked.items() if asked})
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
        """Ask the first questions of the plans that gain most for an answer, as one round, and return how many were asked."""
        plans = []
        for name in sorted(self.asked):
            left = [model for model in self.models if model not in self.asked[name]]
            information = self.information(reliability, name)
            problem = self.open_problem(name)
            probability = information.probability(problem)
            if not left or probability >= THRESHOLD:
                continue
            order = sorted(left, key=lambda model: -reliability.accuracy[model])[:ANSWERS_AHEAD]
            gain = max(own / count for count, own in enumerate(information.gains(problem, order), start=1))
            # What no plan lifts is asked about last, those with the fewest answers first.
            plans.append((-gain, len(self.asked[name]), -probability, name, order[0]))
        asked = sorted(plans)[:limit]
        for *_, name, model in asked:
            self.asked[name].append(model)
        return len(asked)


def simulated(
    problems: Mapping[str, PublicProblem],
    models: Sequence[str],
    weights: Sequence[FittedWeights],
    fold: Mapping[str, int],
    rng: Random,
) -> AskedRun:
    """Ask an ensemble by value of information and evenly, in a random order of its models."""
    order = rng.sample(list(models), len(models))
    names = rng.sample(sorted(problems), len(problems))
    total = len(models) * len(problems)
    limits = [round(share * total) for share in SHARES]
    written = [program for name in names[:PILOT] for program in problems[name].programs.values()]
    typical = sorted(written, key=lambda program: len((program.code or "").splitlines()))[len(written) // 2]
    pilot = {name: order if number < PILOT else [] for number, name in enumerate(names)}
    simulation = Simulation(problems, order, weights, fold, {name: list(own) for name, own in pilot.items()}, typical)
    by_value: dict[int, float] = {}
    done = PILOT * len(models)
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
        asked_evenly = {name: order[: each + (number < more)] for number, name in enumerate(names)}
        even = Simulation(problems, order, weights, fold, asked_evenly, typical)
        evenly[limit] = even.coverage(even.reliability())
    return AskedRun(done, by_value, evenly)


def measured(problems: Mapping[str, PublicProblem], seed: int = 0) -> str:
    """Return coverage by the share of answers asked for, as Markdown."""
    models = sorted({model for problem in problems.values() for model in problem.values})
    fold = {name: number % FOLDS for number, name in enumerate(Random(seed).sample(sorted(problems), len(problems)))}
    runs = []
    for held_out in sorted({family(model) for model in models}):
        rng = Random(f"{seed}:{held_out}")
        rest = [model for model in models if family(model) != held_out]
        own = [model for model in models if family(model) == held_out]
        training = training_rows(problems, rest, TRAINING_ENSEMBLES, rng)
        weights = [
            fit([(row.assessment.evidence, row.right) for row in training if fold[row.problem_id] != part], 0.5)
            for part in range(FOLDS)
        ]
        drawn = list(ensembles(rest, [SIZE] * ENSEMBLES, rng, with_one_of=own))
        runs += [simulated(problems, ensemble, weights, fold, rng) for ensemble in drawn]
    return "\n".join(_tables(runs, len(problems)))


def _tables(runs: Sequence[AskedRun], problems: int) -> list[str]:
    lines = [
        "## What to ask next",
        "",
        "    python -m benchmarks next_questions",
        "",
        f"The {problems} problems of the public programs, {len(runs)} ensembles of {SIZE} with a member of a family that the weights were not fitted on, each problem judged by weights that were not fitted on it, no gold answer given. By value, all models are asked about {PILOT} problems drawn by lot; then {ROUND} questions a round are chosen, the first of each plan with the highest gain for an answer (a problem counts as kept from {THRESHOLD}). Evenly, the models are asked one after the other about all problems. Coverage is the share of problems that can be answered, best first, so that {PRECISION:.0%} of the answers are right; ± is the standard error over ensembles, and the last row that of the difference from all answers of the same ensemble.",
        "",
        f"| asked | {' | '.join(f'{share:.0%} of the answers' for share in SHARES)} | answers asked for in the end |",
        f"|---|{'---|' * (len(SHARES) + 1)}",
    ]
    by_value = [list(run.by_value.values()) for run in runs]
    evenly = [list(run.evenly.values()) for run in runs]
    less = [[own - all_answers[-1] for own in row] for row, all_answers in zip(by_value, evenly, strict=True)]
    end = f"{np.mean([run.answers / (SIZE * problems) for run in runs]):.0%}"
    for title, rows, asked in (
        ("by value", by_value, end),
        ("evenly", evenly, "100%"),
        ("by value, less all answers", less, ""),
    ):
        lines.append(f"| {title} | {' | '.join(_mean(column) for column in zip(*rows, strict=True))} | {asked} |")
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
