"""Benchmark of what to ask next: coverage against the number of answers, asking by value of information, evenly, and all models for all."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.answer_probability import FOLDS, coverage, fit
from benchmarks.probability_ensembles import PublicProblem, answers_of, ensembles, family, read_run, training_rows
from benchmarks.sessions import available, programs_session
from harness.paths import data_folder
from harness.records.formalization import ProbabilityBasis
from oracles.consensus.probability.answer_evidence import ProblemFormalizations, ReadProgram, likeliest
from oracles.consensus.probability.model_reliability import ModelReliability, estimate_reliability
from oracles.consensus.probability.oracle_probability import RunWeights, assess
from oracles.consensus.probability.value_of_information import OpenProblem, ValueOfInformation
from properties.next_questions.question_plans import ANSWERS_AHEAD, LEAST_ANSWERS, PILOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oracles.consensus.probability.fitted_weights import FittedWeights
    from oracles.consensus.probability.model_reliability import ProblemAnswers

SIZE = 7
THRESHOLD = 0.99
PRECISION = 0.99
ROUND = 200
"""How many questions are chosen before the answers are looked at."""
TRAINING_ENSEMBLES = 20
ENSEMBLES = 2
"""How many ensembles have a member of each family, which the weights are not fitted on."""
SHARES = (0.4, 0.5, 0.6, 0.75, 1.0)
POLICIES = {
    "by value": f"by value, the {LEAST_ANSWERS} best models first",
    "best": "the best models first, evenly",
    "evenly": "evenly",
    "votes": "bound: the votes for the likeliest of all answers",
    "right": "bound: the votes for the right value",
}


@dataclass(frozen=True, slots=True)
class AskedRun:
    """Coverage of one ensemble by policy and by the share of answers that were asked for, and the share in the end by value."""

    coverages: Mapping[str, Sequence[float]]
    asked_by_value: float


@dataclass(slots=True)
class Simulation:
    """The answers of an ensemble on all problems, which are asked for one after the other."""

    problems: Mapping[str, PublicProblem]
    models: Sequence[str]
    weights: Sequence[FittedWeights]
    fold: Mapping[str, int]
    asked: dict[str, list[str]]
    typical: ReadProgram
    _open: dict[tuple[str, ...], OpenProblem] = field(default_factory=dict)

    def answers(self, name: str) -> ProblemAnswers:
        """Return the answers to a problem that were asked for so far."""
        return answers_of(self.problems[name], self.asked[name])

    def open_problem(self, name: str) -> OpenProblem:
        """Return a problem as far as it was asked, without its gold answer."""
        problem = self.problems[name]
        key = (name, *self.asked[name])
        if key not in self._open:
            programs = {model: problem.programs[model] for model in self.asked[name] if model in problem.programs}
            self._open[key] = OpenProblem(
                ProblemFormalizations(
                    problem.question, self.answers(name), programs or {"": self.typical}, problem.verdicts
                )
            )
        return self._open[key]

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

    def ask(self, reliability: ModelReliability, limit: int, *, by_value: bool) -> int:
        """Ask questions as one round and return how many were asked.

        Of the problems with the fewest answers the most accurate model is asked next. By value, that ends with LEAST_ANSWERS; then the
        first questions of the plans that gain most for an answer are asked.
        """
        plans = []
        for name in sorted(self.asked):
            left = [model for model in self.models if model not in self.asked[name]]
            order = sorted(left, key=lambda model: -reliability.accuracy[model])[:ANSWERS_AHEAD]
            few = len(self.asked[name]) < LEAST_ANSWERS
            if not order:
                continue
            if few or not by_value:
                plans.append((not few, 0.0, len(self.asked[name]), Random(f"tie:{name}").random(), name, order[0]))
                continue
            information = self.information(reliability, name)
            problem = self.open_problem(name)
            probability = information.probability(problem)
            if probability < THRESHOLD:
                gain = max(own / count for count, own in enumerate(information.gains(problem, order), start=1))
                # What no plan lifts is asked about last, those with the fewest answers first.
                plans.append((True, -gain, len(self.asked[name]), -probability, name, order[0]))
        asked = sorted(plans)[:limit]
        for *_, name, model in asked:
            self.asked[name].append(model)
        return len(asked)

    def hindsight(self, reliability: ModelReliability, limits: Sequence[int], *, known: bool) -> list[float]:
        """Return the share of problems that are kept and right if only the models that vote for one value are asked, the best ones first.

        The value is the likeliest of all answers, or the right one where that is `known`; what costs fewest answers is asked first.
        """
        needed = []
        for name, asked in self.asked.items():
            problem = self.problems[name]
            value = None
            if not known and self.answers(name).support:
                answers = self.answers(name)
                value = likeliest(answers, reliability.posterior_of(answers))
            voters = [
                model
                for model in sorted(asked, key=lambda model: -reliability.accuracy[model])
                if model in problem.values and (model in problem.right if known else problem.values[model] == value)
            ]
            for count in range(2, len(voters) + 1):
                alone = Simulation(
                    self.problems, self.models, self.weights, self.fold, {name: voters[:count]}, self.typical
                )
                if self.information(reliability, name).probability(alone.open_problem(name)) >= THRESHOLD:
                    needed.append((count, voters[0] in problem.right))
                    break
        costs = np.cumsum([count for count, _ in sorted(needed)])
        right = np.cumsum([ok for _, ok in sorted(needed, key=lambda own: own[0])])
        return [float(right[: int((costs <= limit).sum())][-1:].sum()) / len(self.asked) for limit in limits]


def simulated(
    problems: Mapping[str, PublicProblem],
    models: Sequence[str],
    weights: Sequence[FittedWeights],
    fold: Mapping[str, int],
    rng: Random,
) -> AskedRun:
    """Ask an ensemble, in a random order of its models, by each policy."""
    order = rng.sample(list(models), len(models))
    names = rng.sample(sorted(problems), len(problems))
    total = len(models) * len(problems)
    limits = [round(share * total) for share in SHARES]
    written = [program for name in names[:PILOT] for program in problems[name].programs.values()]
    typical = sorted(written, key=lambda program: len(program.inputs))[len(written) // 2]
    coverages: dict[str, list[float]] = {}
    ended = {}
    for policy in ("by value", "best"):
        asked = {name: list(order) if number < PILOT else [] for number, name in enumerate(names)}
        simulation = Simulation(problems, order, weights, fold, asked, typical)
        done, coverages[policy] = PILOT * len(models), []
        for limit in limits:
            while done < limit:
                count = simulation.ask(
                    simulation.reliability(), min(ROUND, limit - done), by_value=policy == "by value"
                )
                if not count:
                    break
                done += count
            coverages[policy].append(simulation.coverage(simulation.reliability()))
        ended[policy] = done / total
    coverages["evenly"] = []
    for limit in limits:
        each, more = divmod(limit, len(problems))
        asked_evenly = {name: order[: each + (number < more)] for number, name in enumerate(names)}
        even = Simulation(problems, order, weights, fold, asked_evenly, typical)
        reliability = even.reliability()
        coverages["evenly"].append(even.coverage(reliability))
    for policy in ("votes", "right"):
        coverages[policy] = even.hindsight(reliability, limits, known=policy == "right")
    return AskedRun(coverages, ended["by value"])


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
        f"The {problems} problems of the public programs, {len(runs)} ensembles of {SIZE} with a member of a family that the weights were not fitted on, each problem judged by weights that were not fitted on it, no gold answer given. All models are asked about {PILOT} problems drawn by lot; then {ROUND} questions a round are chosen: the most accurate model, as the answers so far show it, for the problems with the fewest answers; by value until each has {LEAST_ANSWERS}, and then the first of each plan with the highest gain for an answer (a problem counts as kept from {THRESHOLD}). Evenly, the models are asked one after the other in random order. Coverage is the share of problems that can be answered, best first, so that {PRECISION:.0%} of the answers are right; ± is the standard error over ensembles. The bounds ask, with the reliability that all answers show, only models that give one value, the best ones first and what is settled by fewest answers first: what is kept from {THRESHOLD} and right.",
        "",
        f"| asked | {' | '.join(f'{share:.0%} of the answers' for share in SHARES)} |",
        f"|---|{'---|' * len(SHARES)}",
    ]
    everything = [run.coverages["evenly"][-1] for run in runs]
    for policy, title in POLICIES.items():
        rows = [run.coverages[policy] for run in runs]
        lines.append(f"| {title} | {' | '.join(_mean(column) for column in zip(*rows, strict=True))} |")
    for policy in ("by value", "best", "evenly"):
        less = [
            [own - all_answers for own in run.coverages[policy]]
            for run, all_answers in zip(runs, everything, strict=True)
        ]
        lines.append(
            f"| {POLICIES[policy]}, less all answers | {' | '.join(_mean(column) for column in zip(*less, strict=True))} |"
        )
    half = SHARES.index(0.5)
    reached = sum(run.coverages["best"][half] >= own - 0.02 for run, own in zip(runs, everything, strict=True))
    lines += [
        "",
        f"By value, {np.mean([run.asked_by_value for run in runs]):.0%} of the answers are asked for in the end. With half of the answers, the best models first, {reached} of {len(runs)} ensembles reach what all answers reach (less 0.02).",
    ]
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
