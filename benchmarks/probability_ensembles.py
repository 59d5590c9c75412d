"""Ensembles of public programs: what a run of some of their writers says of each problem, for fitting and measuring `p_right`."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.sessions import DATASETS
from harness.corpora.problems import load_corpus
from harness.corpora.responses import SpooledResponses
from harness.domain import Exact, Status, Verdict
from harness.json_form import read_record
from harness.program.lifter import read_candidate
from harness.records.formalization import ProgramRecord
from oracles.consensus.confidence_score import ConsensusWeights, pairwise_quality
from oracles.consensus.probability.answer_evidence import ProblemFormalizations
from oracles.consensus.probability.answer_model import ProblemAnswers, problem_answers
from oracles.consensus.probability.model_reliability import estimate_reliability
from oracles.consensus.probability.oracle_probability import AnswerAssessment, assess
from oracles.gold_answer_screening import screen
from properties.stages.program_records import program_record

RUN_SIZES = (300, 300, 100, 30, 10)
"""The problems of the runs that the weights are fitted on, so that they hold for small runs."""
SMALLEST_REFERENCE = 8
"""Of 27 programs, how many must agree in logic before their clique is the reference for the logic of others."""
RANKINGS = ("confidence score", "clique size, then the score", "programs with the commonest value", "Dawid-Skene")


@dataclass(frozen=True, slots=True)
class PublicProblem:
    """A problem with all that the public programs give for it."""

    question: str
    values: Mapping[str, Fraction]
    programs: Mapping[str, ProgramRecord]
    forms: Mapping[str, str]
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


@dataclass(frozen=True, slots=True)
class AnsweredProblem:
    """A problem with the value, the program and its form of each public writer, and the values that are right, without verdicts of UT-3."""

    question: str
    values: Mapping[str, Exact]
    programs: Mapping[str, ProgramRecord]
    forms: Mapping[str, str]
    right: frozenset[Exact]


def read_answers(data: Path) -> dict[str, AnsweredProblem]:
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
        programs = {model: program_record(problems[problem_id], model, own) for model, own in candidates.items()}
        answered[problem_id] = AnsweredProblem(
            problems[problem_id].question, values, programs, forms_of(programs), frozenset(right)
        )
    return answered


def family(model: str) -> str:
    """Return the family of a public program's writer: the model behind it, whatever the prompt."""
    publisher, _, rest = model.partition("/")
    return f"{publisher}/{rest.partition('/')[0]}" if publisher == "Faithful-COT" else publisher


def read_run(run: Path) -> dict[str, PublicProblem]:
    """Return the problems of a sealed run on the public programs."""
    programs: dict[str, dict[str, ProgramRecord]] = defaultdict(dict)
    for form in _records(run, "programs.jsonl"):
        if form["value"] is not None:
            programs[form["problem_id"]][form["model"]] = read_record(ProgramRecord, form)
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
        problem = ProblemFormalizations(record["question"], ProblemAnswers({}), programs[name], verdicts[name])
        reference = problem.largest_clique(tuple(sorted(right[name] & programs[name].keys())))
        problems[name] = PublicProblem(
            record["question"],
            {model: Fraction(own.value) for model, own in programs[name].items() if own.value is not None},
            programs[name],
            forms_of(programs[name]),
            verdicts[name],
            qualities[name],
            frozenset(right[name]),
            frozenset(reference if len(reference) >= SMALLEST_REFERENCE else ()),
        )
    return problems


def _records(run: Path, name: str) -> Iterator[dict[str, Any]]:
    with (run / "formalization" / name).open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def judged(problems: Mapping[str, PublicProblem], models: Sequence[str]) -> list[Judged]:
    """Return what an ensemble of models says of each problem for which one of them gives a value."""
    answers = {name: answers_of(problem, models) for name, problem in sorted(problems.items())}
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
                    _rankings(problem, formalizations, reliability.posterior[name][assessment.value]),
                )
            )
    return rows


def forms_of(programs: Mapping[str, ProgramRecord]) -> dict[str, str]:
    """Return the forms of the programs that have one, by model."""
    return {model: record.form for model, record in programs.items() if record.form is not None}


def answers_of(problem: PublicProblem, models: Iterable[str]) -> ProblemAnswers:
    """Return the answers that some models give to a problem."""
    asked = sorted(models)
    return problem_answers(
        {model: problem.values.get(model) for model in asked},
        {model: problem.forms[model] for model in asked if model in problem.forms},
    )


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


def _rankings(problem: PublicProblem, formalizations: ProblemFormalizations, posterior: float) -> tuple[float, ...]:
    """Return what the four rankings of `RANKINGS` make of the problem."""
    clique = max(
        (formalizations.largest_clique(own) for own in formalizations.answers.support.values()), key=len, default=()
    )
    pairs = [problem.qualities.get((left, right), 0.0) for left in clique for right in clique if left < right]
    score = sum(pairs) / len(pairs) * ConsensusWeights().clique_bonus(len(clique)) if pairs else 0.0
    votes = max(map(len, formalizations.answers.support.values()))
    return score, len(clique) + score / 10, float(votes), posterior


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
