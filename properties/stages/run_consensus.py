"""The consensus on the problems of a run and the evidence for their answers, by the reliability of the run's models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.domain import Status
from harness.records.formalization import ModelRecord
from oracles.consensus.cliques import consensus
from oracles.consensus.equivalence_classes import Answered, answered, decided_pairs, representatives
from oracles.consensus.probability.answer_evidence import ProblemFormalizations, likeliest
from oracles.consensus.probability.model_reliability import ModelReliability, estimate_reliability
from oracles.consensus.probability.oracle_probability import AnswerAssessment, assess, right_models
from properties.stages.program_records import answers_given, program_evidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from harness.domain import Verdict
    from harness.program.candidate import Candidate
    from harness.records.formalization import ConsensusRecord, ProgramRecord
    from oracles.consensus.probability.model_reliability import ProblemAnswers
    from properties.engine.inputs import SessionInputs


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
        programs = self.programs(problem_id)
        crowded = self.is_crowded(problem_id)
        return consensus(
            problem_id,
            [verdict for verdict in verdicts if verdict.left in programs],
            {model: program.parameters for model, program in programs.items()},
            lambda model: self.candidate(problem_id, model).program,
            weights=self.inputs.settings.weights,
            choice=self.inputs.settings.oracle,
            seed=self.inputs.settings.seed,
            strict=self.inputs.settings.strict,
            question=self.inputs.problems[problem_id].question,
            compiled=self.inputs.made_by,
            likeliest=self._likeliest(problem_id, verdicts),
            representatives=self._representatives(problem_id, verdicts) if crowded else None,
        )

    def answered(self, problem_id: str, verdicts: Iterable[Verdict]) -> list[Answered]:
        """Return the formalizations that classes are made of, sorted: those with a value that UT-1 does not refute."""
        found = []
        for verdict in verdicts:
            if verdict.claim != "ut1" or verdict.status is Status.REFUTED:
                continue
            candidate = self.candidate(problem_id, verdict.left)
            if candidate.program is not None and candidate.outcome is not None and candidate.outcome.value is not None:
                found.append(answered(verdict.left, candidate.outcome.value, candidate.program.parameters))
        return sorted(found, key=lambda answer: answer.model)

    def _representatives(self, problem_id: str, verdicts: Sequence[Verdict]) -> dict[str, str]:
        """Return the representative of each formalization; one that no class is made of stands for itself."""
        alone = {model: model for model in self.inputs.models(problem_id)}
        return alone | representatives(self.answered(problem_id, verdicts), verdicts)

    def _likeliest(self, problem_id: str, verdicts: list[Verdict]) -> tuple[str, ...] | None:
        """Return the models of a problem's likeliest answer, `None` where a gold answer decides which are right."""
        if right_models(verdicts) is not None:
            return None
        reliability = self.reliability()
        answers = self._answers(problem_id)
        if not answers.support:
            return ()
        witnesses = reliability.without_copies(answers)
        return answers.support[likeliest(witnesses, reliability.posterior[problem_id])]

    def assessment(self, problem_id: str, verdicts: list[Verdict]) -> AnswerAssessment | None:
        """Return the evidence for the likeliest answer of a problem, `None` where no model gives a value."""
        problem = ProblemFormalizations(
            self.inputs.problems[problem_id].question,
            self._answers(problem_id),
            program_evidence(self.programs(problem_id).values()),
            decided_pairs(verdicts),
            self._representatives(problem_id, verdicts) if self.is_crowded(problem_id) else {},
        )
        reliability = self.reliability()
        return assess(problem, reliability, reliability.posterior[problem_id], right_models(verdicts))

    def models(self) -> Iterator[ModelRecord]:
        """Yield how good each model of the run is, by their names."""
        reliability = self.reliability()
        witnesses = reliability.distinct(reliability.accuracy)
        for model, accuracy in sorted(reliability.accuracy.items()):
            same = (other for other in witnesses if reliability.is_double(model, other))
            yield ModelRecord(
                model=model,
                problems=reliability.asked[model],
                accuracy=round(accuracy, 4),
                one_witness_with=None if model in witnesses else next(same),
            )

    def _answers(self, problem_id: str) -> ProblemAnswers:
        return answers_given(self.programs(problem_id).values())

    def reliability(self) -> ModelReliability:
        """Return the reliability of the run's models, estimated once from all their answers."""
        if self._reliability is None:
            problems = sorted(problem_id for problem_id in self.inputs.problems if self.inputs.models(problem_id))
            self._reliability = estimate_reliability({problem_id: self._answers(problem_id) for problem_id in problems})
        return self._reliability
