"""Benchmark of models that collude: public programs of which some are given one wrong answer on a share of the problems."""

from __future__ import annotations

import itertools
import statistics
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks.probability_ensembles import ensembles, forms_of
from benchmarks.sessions import DATASETS, require
from harness.corpora.problems import load_corpus
from harness.corpora.responses import SpooledResponses
from harness.domain import Status, Verdict
from harness.program.candidate import read_candidate
from oracles.consensus.probability.answer_evidence import ProblemFormalizations, ReadProgram, read_program
from oracles.consensus.probability.collusion import colluding_groups
from oracles.consensus.probability.model_reliability import ProblemAnswers, estimate_reliability, problem_answers
from oracles.consensus.probability.oracle_probability import AnswerAssessment, assess, probabilities
from oracles.gold_answer_screening import screen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from harness.domain import Exact

GOOD, COLLUDING, SHARES = (1, 2, 3), (2, 4, 6), (0.0, 0.05, 0.1, 0.25, 0.5)
KEPT = 0.99
WRITERS, COPIES, NOISE = (2, 3, 5), (0, 1, 3), (0.0, 0.02, 0.1)
FEW_WRITERS, FEW_SIZES, FEW_COPIES, FEW_DRAWS, FEW_KEPT = 3, (10, 20, 40, 100), (0, 2), 16, 0.95
DRAWS = 4
"""How many ensembles are drawn for a row."""
ENSEMBLE_SIZES = (3, 4, 5, 6, 7, 8, 9, 10, 11) * 12
"""The ensembles among which no group may be found, as nobody colludes."""
RUN_SIZES = (300, 100, 30)


@dataclass(frozen=True, slots=True)
class AnsweredProblem:
    """A problem with the value, the program and its form of each public writer, and the values that are right."""

    question: str
    values: Mapping[str, Exact]
    programs: Mapping[str, ReadProgram]
    forms: Mapping[str, str]
    right: frozenset[Exact]

    @property
    def usual_mistake(self) -> Exact:
        """Return the wrong value that most writers give; one more than a right one where none is wrong."""
        wrong = Counter(value for value in self.values.values() if value not in self.right)
        return (
            min(wrong, key=lambda value: (-wrong[value], value)) if wrong else max(self.right, default=Fraction(0)) + 1
        )

    @property
    def form_of_mistake(self) -> str:
        """Return the form of a program that makes the usual mistake, the first by the name of its writer; an empty one where none has a form."""
        mistaken = (model for model, value in sorted(self.values.items()) if value == self.usual_mistake)
        return next((self.forms[model] for model in mistaken if model in self.forms), "")


def read_problems(data: Path) -> dict[str, AnsweredProblem]:
    """Return the problems of the public programs by id."""
    corpus, formalizations = (data / path for path in DATASETS["programs"])
    problems = {problem.problem_id: problem for problem in load_corpus(str(corpus))}
    answered = {}
    for problem_id, responses in sorted(SpooledResponses([formalizations], problems).items()):
        candidates = {model: read_candidate(response) for model, response in sorted(responses.items())}
        values = {
            model: candidate.outcome.value
            for model, candidate in candidates.items()
            if candidate.outcome is not None and candidate.outcome.value is not None
        }
        right = {
            values[model]
            for model in values
            if screen(problems[problem_id], candidates[model]).status is Status.CONFIRMED
        }
        written = {model: own.program for model, own in candidates.items() if own.program is not None}
        programs = {model: read_program(program) for model, program in written.items()}
        answered[problem_id] = AnsweredProblem(
            problems[problem_id].question, values, programs, forms_of(written), frozenset(right)
        )
    return answered


@dataclass(frozen=True, slots=True)
class PlantedRun:
    """How many answers of a run with colluding models are kept, wrong among them, and said to be wrong."""

    kept: int
    wrong: int
    expected_wrong: float
    colluded: int
    believed: int
    found: bool


def planted(problems: Mapping[str, AnsweredProblem], good: int, bad: int, share: float, draw: int) -> PlantedRun:
    """Return what a run of `good + bad` writers says where `bad` of them give the usual mistake on a share of the problems."""
    rng = Random(f"{good} {bad} {share} {draw}")
    writers = sorted({model for problem in problems.values() for model in problem.values})
    (ensemble,) = ensembles(writers, (good + bad,), rng)
    colluding = tuple(sorted(rng.sample(ensemble, bad)))
    chosen = {name for name in problems if rng.random() < share}
    answers = {
        name: _answers(
            {**problem.values, **(dict.fromkeys(colluding, problem.usual_mistake) if name in chosen else {})},
            {**problem.forms, **(dict.fromkeys(colluding, problem.form_of_mistake) if name in chosen else {})},
            ensemble,
        )
        for name, problem in problems.items()
    }
    chances, assessments = _judged(problems, answers)
    kept = {name: chance for name, chance in chances.items() if chance >= KEPT}
    wrong = {name for name in kept if assessments[name].value not in problems[name].right}
    supports, forms = zip(*((own.support, own.forms) for own in answers.values()), strict=True)
    groups = colluding_groups(sorted(ensemble), supports, forms)
    return PlantedRun(
        len(kept),
        len(wrong),
        sum(1 - chance for chance in kept.values()),
        len(chosen),
        sum(assessments[name].value == problems[name].usual_mistake for name in wrong & chosen),
        colluding in groups,
    )


def copied(
    problems: Mapping[str, AnsweredProblem], writers: int, copies: int, noise: float, draw: int
) -> list[tuple[float, bool]]:
    """Return `p_right` of each problem's answer, and whether it is right, where one of the writers hands its programs in under further names.

    On a share `noise` of the problems, drawn by lot for each copy, the copy gives a wrong value of its own, by a program of its own.
    """
    rng = Random(f"copies {writers} {draw}")
    names = sorted({model for problem in problems.values() for model in problem.values})
    (ensemble,) = ensembles(names, (writers,), rng)
    original = rng.choice(ensemble)
    others = [f"copy {number}" for number in range(copies)]
    answers = {}
    for name, problem in problems.items():
        values = dict(problem.values)
        if original in values:
            values |= dict.fromkeys(others, values[original])
        most = max(values.values(), default=Fraction(0))
        own = {copy: most + place for place, copy in enumerate(others, start=1) if rng.random() < noise}
        copied_form = problem.forms.get(original, "")
        forms = {**problem.forms, **dict.fromkeys(others, copied_form), **dict(zip(own, own, strict=True))}
        answers[name] = _answers(values | own, forms, [*ensemble, *others])
    chances, assessments = _judged(problems, answers)
    return [(chance, assessments[name].value in problems[name].right) for name, chance in chances.items()]


def _judged(
    problems: Mapping[str, AnsweredProblem], answers: Mapping[str, ProblemAnswers]
) -> tuple[dict[str, float], dict[str, AnswerAssessment]]:
    """Return the probability of each problem's answer, and its assessment; programs of one value are equal."""
    reliability = estimate_reliability(answers)
    assessments = {}
    for name, own in answers.items():
        verdicts = {
            pair: Verdict("ut3", name, *pair, Status.CONFIRMED, "planted")
            for models in own.support.values()
            for pair in itertools.combinations(models, 2)
        }
        written = problems[name].programs
        typical = next(iter(written.values()))
        programs = {model: written.get(model, typical) for models in own.support.values() for model in models}
        problem = ProblemFormalizations(problems[name].question, own, programs, verdicts)
        assessment = assess(problem, reliability, reliability.posterior[name], None)
        if assessment is not None:
            assessments[name] = assessment
    return {name: own.p_right for name, own in probabilities(assessments.items()).items()}, assessments


def _answers(values: Mapping[str, Exact], forms: Mapping[str, str], ensemble: Sequence[str]) -> ProblemAnswers:
    """Return the answers of an ensemble; a program with an empty form has none."""
    return problem_answers(
        {model: values.get(model) for model in ensemble},
        {model: forms[model] for model in ensemble if model in values and forms.get(model)},
    )


def false_alarms(problems: Mapping[str, AnsweredProblem]) -> int:
    """Return in how many ensembles of public writers, none of which was changed, a group is found."""
    rng = Random(0)
    writers = sorted({model for problem in problems.values() for model in problem.values})
    found = 0
    for number, ensemble in enumerate(ensembles(writers, ENSEMBLE_SIZES, rng)):
        names = rng.sample(sorted(problems), min(RUN_SIZES[number % len(RUN_SIZES)], len(problems)))
        answers = [_answers(problems[name].values, problems[name].forms, ensemble) for name in names]
        supports, forms = [own.support for own in answers], [own.forms for own in answers]
        found += bool(colluding_groups(sorted(ensemble), supports, forms))
    return found


def measure(data: Path) -> dict[str, Any]:
    """Return what is kept beside colluding models and copies, in ensembles of writers of the public programs, without gold answers.

    Colluding models give one wrong value, the usual mistake, by equal programs, on a share of the problems. Copies are a writer's programs under
    further names; on a share of the problems each copy gives a wrong value of its own, by a program of its own.
    """
    require("programs", data=data)
    problems = read_problems(data)
    colluding = {
        f"{good} good, {bad} colluding on {share:.0%}": _summary(
            [planted(problems, good, bad, share, draw) for draw in range(DRAWS)]
        )
        for good, bad, share in itertools.product(GOOD, COLLUDING, SHARES)
    }
    totals = {key: sum(row[key] for row in colluding.values()) for key in ("kept", "wrong", "expected_wrong")}
    return {
        "colluding": colluding,
        "all": totals,
        "ensembles_without_collusion": {"ensembles": len(ENSEMBLE_SIZES), "groups_found": false_alarms(problems)},
        "copies": {
            f"{writers} writers, {copies} copies that differ on {noise:.0%}": _kept(
                [own for draw in range(DRAWS) for own in copied(problems, writers, copies, noise, draw)], KEPT
            )
            for writers, copies, noise in itertools.product(WRITERS, COPIES, NOISE)
        },
        "few_problems": {
            f"{size} problems, {copies} copies": _few(problems, size, copies)
            for size, copies in itertools.product(FEW_SIZES, FEW_COPIES)
        },
    }


def _summary(runs: Sequence[PlantedRun]) -> dict[str, Any]:
    """Return means over the ensembles of a row, and how many of them find exactly the planted group."""
    return {
        "kept": statistics.fmean(run.kept for run in runs),
        "wrong": statistics.fmean(run.wrong for run in runs),
        "expected_wrong": statistics.fmean(run.expected_wrong for run in runs),
        "most_wrong": max(run.wrong for run in runs),
        "believed": sum(run.believed for run in runs),
        "colluded": sum(run.colluded for run in runs),
        "groups_found": sum(run.found for run in runs),
    }


def _few(problems: Mapping[str, AnsweredProblem], size: int, copies: int) -> dict[str, Any]:
    """Return what `p_right` says of few problems, where copies differ on a tenth."""
    found = []
    for draw in range(FEW_DRAWS):
        names = Random(f"few {size} {draw}").sample(sorted(problems), size)
        found += copied({name: problems[name] for name in sorted(names)}, FEW_WRITERS, copies, 0.1, draw)
    return _kept(found, FEW_KEPT)


def _kept(found: Sequence[tuple[float, bool]], least: float) -> dict[str, Any]:
    """Return the mean probability, the share that is right, the answers kept at a probability, and the wrong ones among them."""
    kept = [right for chance, right in found if chance >= least]
    return {
        "answers": len(found),
        "p_right": statistics.fmean(chance for chance, _ in found),
        "right": statistics.fmean(right for _, right in found),
        "kept": len(kept),
        "wrong": kept.count(False),
    }
