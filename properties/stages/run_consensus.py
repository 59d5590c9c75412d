"""The consensus on the problems of a run, the evidence for their answers by the reliability of the run's models, and the records of both."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction

from harness.domain import Problem, Status, Verdict
from harness.program.evaluation.evaluator import format_exact
from harness.program.lifter import Candidate
from harness.records.formalization import (
    ConsensusRecord,
    ModelRecord,
    OracleProvenance,
    OracleRecord,
    ParameterRecord,
    ProgramRecord,
)
from oracles.consensus.answer_inputs import answer_inputs, is_literal
from oracles.consensus.cliques import consensus
from oracles.consensus.equivalence_classes import Answered, answered, decided_pairs, representatives
from oracles.consensus.probability.answer_evidence import ProblemFormalizations, ReadProgram
from oracles.consensus.probability.model_reliability import (
    ModelReliability,
    ProblemAnswers,
    estimate_reliability,
    problem_answers,
)
from oracles.consensus.probability.oracle_probability import AnswerAssessment, assess, right_models
from oracles.consensus.probability.writer_families import named_families
from oracles.consensus.program_forms import program_form
from properties.engine.inputs import SessionInputs


def program_record(problem: Problem, model: str, candidate: Candidate) -> ProgramRecord:
    """Return the record of a formalization as it was read."""
    program, outcome = candidate.program, candidate.outcome
    value = None if outcome is None or outcome.value is None else format_exact(outcome.value)
    if program is None:
        return ProgramRecord(
            problem_id=problem.problem_id,
            model=model,
            dialect=None,
            code=None,
            parameters=(),
            value=value,
            reason=candidate.reason,
            repairs=(),
            saw_solution=candidate.response.saw_solution,
        )
    depending = answer_inputs(program)
    parameters = (
        ParameterRecord(
            given.name, format_exact(given.value), given.type, given.provenance, given.comment, index not in depending
        )
        for index, given in enumerate(program.parameters)
    )
    return ProgramRecord(
        problem_id=problem.problem_id,
        model=model,
        dialect=program.dialect,
        code=program.code,
        parameters=tuple(parameters),
        value=value,
        reason=candidate.reason,
        repairs=tuple(program.repairs),
        literal=is_literal(problem.question, program),
        form=program_form(program),
        saw_solution=candidate.response.saw_solution,
    )


def answers_given(records: Iterable[ProgramRecord]) -> ProblemAnswers:
    """Return the values of a problem's formalizations by model with the forms of their programs; those that only state a value are left out."""
    computing = [record for record in records if not record.literal]
    return problem_answers(
        {record.model: None if record.value is None else Fraction(record.value) for record in computing},
        {record.model: record.form for record in computing if record.form is not None},
    )


def program_evidence(records: Iterable[ProgramRecord]) -> dict[str, ReadProgram]:
    """Return by model the evidence of the formalizations that could be read: `oracles.consensus.probability.answer_evidence.read_program` of the program itself."""
    return {
        record.model: ReadProgram(
            record.dialect,
            tuple(Fraction(given.value) for given in record.parameters if not given.idle),
            record.saw_solution,
        )
        for record in records
        if record.dialect is not None
    }


def oracle_record(agreed: ConsensusRecord, program: ProgramRecord, *, run: str) -> OracleRecord:
    """Return the record of the oracle of a problem, whose run has the fingerprint `run`."""
    pairs = tuple(pair for pair in agreed.pairs if {pair.left, pair.right} <= set(agreed.clique))
    return OracleRecord(
        **{field.name: getattr(program, field.name) for field in fields(program)},
        confidence=agreed.confidence,
        clique_size=agreed.clique_size,
        p_right=agreed.p_right,
        provenance=OracleProvenance(run=run, clique=agreed.clique, pairs=pairs),
    )


@dataclass(slots=True)
class RunConsensus:
    """The consensus on each problem of a run; `candidate` reads a formalization by problem and model, `programs` the records of a problem's by model."""

    inputs: SessionInputs
    candidate: Callable[[str, str], Candidate]
    is_crowded: Callable[[str], bool]
    programs: Callable[[str], Mapping[str, ProgramRecord]]
    _reliability: ModelReliability | None = None

    def record(self, problem_id: str, verdicts: list[Verdict]) -> ConsensusRecord:
        """Return the consensus on a problem, without the probability of its oracle."""
        programs, settings = self.programs(problem_id), self.inputs.settings
        return consensus(
            problem_id,
            [verdict for verdict in verdicts if verdict.left in programs],
            {model: program.parameters for model, program in programs.items()},
            lambda model: self.candidate(problem_id, model).program,
            weights=settings.weights,
            choice=settings.oracle,
            seed=settings.seed,
            strict=settings.strict,
            question=self.inputs.problems[problem_id].question,
            compiled=self.inputs.made_by,
            likeliest=self._likeliest(problem_id, verdicts),
            representatives=self._representatives(problem_id, verdicts) if self.is_crowded(problem_id) else None,
        )

    def answered(self, problem_id: str, verdicts: Iterable[Verdict]) -> list[Answered]:
        """Return the formalizations that classes are made of, sorted: those with a value that UT-1 does not refute."""
        found = []
        for verdict in verdicts:
            if verdict.claim == "ut1" and verdict.status is not Status.REFUTED:
                candidate = self.candidate(problem_id, verdict.left)
                program, outcome = candidate.program, candidate.outcome
                if program is not None and outcome is not None and outcome.value is not None:
                    found.append(answered(verdict.left, outcome.value, program.parameters))
        return sorted(found, key=lambda answer: answer.model)

    def _representatives(self, problem_id: str, verdicts: Sequence[Verdict]) -> dict[str, str]:
        """Return the representative of each formalization; one that no class is made of stands for itself."""
        alone = {model: model for model in self.inputs.models(problem_id)}
        return alone | representatives(self.answered(problem_id, verdicts), verdicts)

    def _likeliest(self, problem_id: str, verdicts: list[Verdict]) -> tuple[str, ...] | None:
        """Return the models of a problem's likeliest answer, `None` where a gold answer decides which are right."""
        if right_models(verdicts) is not None:
            return None
        assessment = self.assessment(problem_id, verdicts)
        return () if assessment is None else assessment.models

    def assessment(self, problem_id: str, verdicts: list[Verdict]) -> AnswerAssessment | None:
        """Return the evidence for the likeliest answer of a problem, `None` where no model gives a value."""
        problem = ProblemFormalizations(
            self.inputs.problems[problem_id].question,
            self._answers(problem_id),
            program_evidence(self.programs(problem_id).values()),
            decided_pairs(verdicts),
            self._representatives(problem_id, verdicts) if self.is_crowded(problem_id) else {},
        )
        reliability = self._reliable()
        return assess(problem, reliability, reliability.posterior[problem_id], right_models(verdicts))

    def models(self) -> Iterator[ModelRecord]:
        """Yield how good each model of the run is, by their names."""
        reliability = self._reliable()
        witnesses, sizes = reliability.distinct(reliability.accuracy), Counter(reliability.family.values())
        for model, accuracy in sorted(reliability.accuracy.items()):
            same = (other for other in witnesses if (min(model, other), max(model, other)) in reliability.double)
            yield ModelRecord(
                model=model,
                problems=reliability.asked[model],
                accuracy=round(accuracy, 4),
                one_witness_with=None if model in witnesses else next(same),
                family=reliability.family[model] if sizes[reliability.family[model]] > 1 else None,
            )

    def _answers(self, problem_id: str) -> ProblemAnswers:
        return answers_given(self.programs(problem_id).values())

    def _reliable(self) -> ModelReliability:
        """Return the reliability of the run's models, estimated once from all their answers."""
        if self._reliability is None:
            problems = sorted(problem_id for problem_id in self.inputs.problems if self.inputs.models(problem_id))
            answers = {problem_id: self._answers(problem_id) for problem_id in problems}
            self._reliability = estimate_reliability(answers, named_families(self.inputs.settings.family))
        return self._reliability
