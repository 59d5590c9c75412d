"""The problems of a sealed run as the probability model sees them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.domain import Parameter, Status
from harness.errors import HarnessError
from oracles.consensus.equivalence_classes import CLAIM as CLASSES, answered, representatives
from oracles.consensus.probability.answer_evidence import ProblemFormalizations, ReadProgram
from oracles.consensus.probability.model_reliability import (
    ModelReliability,
    ProblemAnswers,
    estimate_reliability,
    problem_answers,
)
from oracles.consensus.probability.oracle_probability import RunWeights, assess, right_models, run_weights
from oracles.consensus.probability.value_of_information import OpenProblem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from harness.domain import Problem, Verdict
    from harness.records.formalization import ProgramRecord
    from reports.views.artefacts import SealedStage


@dataclass(frozen=True, slots=True)
class RunProblems:
    """The problems of a run that were formalized, with the reliability of its models and the weights that hold for it."""

    texts: dict[str, Problem]
    problems: dict[str, OpenProblem]
    reliability: ModelReliability
    weights: RunWeights

    def asked(self, problem_id: str) -> set[str]:
        """Return the models that were asked about a problem."""
        own = self.problems[problem_id].formalizations
        given = {model for models in own.answers.support.values() for model in models}
        # A program that only states its value is no answer. An answer without a model belongs to no model.
        return {*own.answers.silent, *given, *own.programs} - {""}

    def with_unasked(self, corpus: Iterable[Problem]) -> RunProblems:
        """Return the run with the problems of its corpus that no model was asked about.

        Their programs are assumed to have the inputs of the run's program with the median number of inputs.

        Raises:
            HarnessError: a problem of the run is not in the corpus.
        """
        texts = {problem.problem_id: problem for problem in corpus}
        if strangers := sorted(self.problems.keys() - texts.keys()):
            raise HarnessError(
                f"--corpus: expected the {len(self.problems):,} problems of the run and others, found no {strangers[0]!r}"
            )
        written = sorted(
            (len(program.inputs), name, model)
            for name, problem in self.problems.items()
            for model, program in problem.formalizations.programs.items()
        )
        typical = {}
        if written:
            _, name, model = written[len(written) // 2]
            typical[""] = self.problems[name].formalizations.programs[model]
        unasked = {
            name: OpenProblem(
                ProblemFormalizations(problem.question, ProblemAnswers({}), typical, {}),
                None if problem.gold is None else (),
            )
            for name, problem in sorted(texts.items())
            if name not in self.problems
        }
        return replace(self, texts={**texts, **self.texts}, problems={**self.problems, **unasked})


def read_problems(stage: SealedStage) -> RunProblems:
    """Return the problems of a sealed formalization stage; errors as in `SealedStage.records`."""
    texts = {problem.problem_id: problem for problem in stage.problems()}
    programs: dict[str, dict[str, ProgramRecord]] = defaultdict(dict)
    for program in stage.programs():
        programs[program.problem_id][program.model] = program
    verdicts: dict[str, dict[tuple[str, str], Verdict]] = defaultdict(dict)
    screened: dict[str, list[Verdict]] = defaultdict(list)
    aligned: dict[str, list[Verdict]] = defaultdict(list)
    crowded = set()
    for verdict in stage.verdicts():
        if verdict.claim == "ut1":
            screened[verdict.problem_id].append(verdict)
        elif verdict.claim == "ut2":
            aligned[verdict.problem_id].append(verdict)
        elif verdict.claim == "ut3":
            verdicts[verdict.problem_id][verdict.left, verdict.right or ""] = verdict
        elif verdict.claim == CLASSES:
            crowded.add(verdict.problem_id)
    problems = {
        problem_id: OpenProblem(
            ProblemFormalizations(
                texts[problem_id].question,
                _answers(own),
                {model: _read(program) for model, program in own.items() if program.code is not None},
                verdicts[problem_id],
                _representatives(own, [*screened[problem_id], *aligned[problem_id], *verdicts[problem_id].values()])
                if problem_id in crowded
                else {},
            ),
            right_models(screened[problem_id]),
        )
        for problem_id, own in sorted(programs.items())
    }
    reliability = estimate_reliability({name: problem.formalizations.answers for name, problem in problems.items()})
    assessments = [
        assess(problem.formalizations, reliability, reliability.posterior[name], problem.right)
        for name, problem in problems.items()
    ]
    weights = run_weights(assessment for assessment in assessments if assessment is not None)
    return RunProblems(texts, problems, reliability, weights)


def _read(program: ProgramRecord) -> ReadProgram:
    inputs = tuple(Fraction(given.value) for given in program.parameters if not given.idle)
    return ReadProgram(program.dialect, inputs)


def _representatives(programs: Mapping[str, ProgramRecord], verdicts: Sequence[Verdict]) -> dict[str, str]:
    """Return the representative of the class of each formalization, as the run that was sealed had it."""
    refuted = {verdict.left for verdict in verdicts if verdict.claim == "ut1" and verdict.status is Status.REFUTED}
    answers = [
        answered(
            model,
            Fraction(program.value),
            (
                Parameter(given.name, Fraction(given.value), given.type, given.provenance, given.comment, 0)
                for given in program.parameters
            ),
        )
        for model, program in sorted(programs.items())
        if program.value is not None and model not in refuted
    ]
    return {model: model for model in programs} | representatives(answers, verdicts)


def _answers(programs: dict[str, ProgramRecord]) -> ProblemAnswers:
    computing = {model: program for model, program in programs.items() if not program.literal}
    return problem_answers(
        {model: None if program.value is None else Fraction(program.value) for model, program in computing.items()},
        {model: program.form for model, program in computing.items() if program.form is not None},
    )
