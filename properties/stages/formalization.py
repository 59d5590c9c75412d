"""The formalization stage of a run: its claims of UT-1, UT-2 and UT-3, its consensus and its sealed records."""

from __future__ import annotations

import itertools
import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from harness.domain import ParameterAlignment, Status, Verdict
from harness.json_form import json_form, read_record
from harness.program.candidate import Candidate, read_candidate
from harness.program.evaluation.evaluator import format_exact
from harness.records.formalization import (
    ConsensusRecord,
    OracleProvenance,
    OracleRecord,
    ParameterRecord,
    ProgramRecord,
)
from harness.stages import FORMALIZATION
from oracles.alignment.embeddings import Embeddings, Similarities
from oracles.alignment.encoder import embeddings_folder
from oracles.alignment.encoder_process import texts_to_compare
from oracles.alignment.parameter_matching import Alignments, align, alignment_verdict
from oracles.consensus.cliques import consensus
from oracles.consensus.probability.answer_evidence import ProblemFormalizations, likeliest
from oracles.consensus.probability.calibration import calibration_records
from oracles.consensus.probability.model_reliability import ModelReliability, ProblemAnswers, estimate_reliability
from oracles.consensus.probability.oracle_probability import (
    AnswerAssessment,
    assess,
    gold_doubts,
    probabilities,
    right_models,
)
from oracles.equivalence.ladder import EquivalenceJudge
from oracles.equivalence.refutation_causes.refutation_cause import CauseFinder
from oracles.gold_answer_screening import screen
from properties.engine.encoder import PartEncoder, SessionEncoder, embeddings_of_process
from properties.engine.stage_run import Key, StageClaims, StageRun

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rich.console import Console

    from harness.domain import Exact
    from properties.engine.inputs import SessionInputs


@dataclass(slots=True)
class FormalizationRun(StageRun):
    """The claims of one run and everything needed to judge them."""

    encoder: SessionEncoder | PartEncoder
    embeddings: Embeddings
    _candidates: dict[tuple[str, str], Candidate] = field(default_factory=dict)
    _similarities: tuple[tuple[str, bool], Similarities] | None = None
    _causes: CauseFinder | None = None
    _reliability: ModelReliability | None = None
    _waited: int = 0

    def problem_ids(self) -> list[str]:
        """Return the ids of all problems that claims may be about, sorted; rejected records may name others than the corpus."""
        return sorted({*self.inputs.problems, *(problem_id for problem_id, _ in self.inputs.rejected)})

    def part(self, problem_ids: Sequence[str]) -> FormalizationRun:
        """Return the stage of some problems and their answers, which embeds the texts that it lacks itself."""
        inputs = self.inputs.part(problem_ids)
        embeddings = Embeddings(self.embeddings.folder)
        return FormalizationRun(inputs, self.claims.part(), PartEncoder(inputs, embeddings), embeddings)

    def load(self) -> None:
        """Take up the embeddings of this process."""
        self.embeddings = embeddings_of_process(embeddings_folder(self.inputs.settings.encoder))
        self.encoder = PartEncoder(self.inputs, self.embeddings)

    def screenings(self) -> Iterator[tuple[str, str]]:
        """Yield (problem, model) of every UT-1 claim, rejected records included, sorted."""
        accepted = (
            (problem_id, model) for problem_id in self.inputs.problems for model in self.inputs.models(problem_id)
        )
        yield from sorted([*accepted, *self.inputs.rejected])

    def pairs(self) -> Iterator[tuple[str, str, str]]:
        """Yield (problem, left, right) of every pair of formalizations."""
        for problem_id in sorted(self.inputs.problems):
            for left, right in itertools.combinations(self.inputs.models(problem_id), 2):
                yield problem_id, left, right

    def expected(self) -> Iterator[Key]:
        """Yield the keys of all claims."""
        for problem_id, model in self.screenings():
            yield ("ut1", problem_id, model, "")
        for claim in ("ut2", "ut3"):
            for problem_id, left, right in self.pairs():
                yield (claim, problem_id, left, right)

    def candidate(self, problem_id: str, model: str) -> Candidate:
        """Return a formalization, read and evaluated once."""
        key = (problem_id, model)
        if key not in self._candidates:
            self._candidates[key] = read_candidate(self.inputs.responses.accepted[problem_id][model])
        return self._candidates[key]

    def decide(self, key: Key) -> Verdict:
        """Judge the claim of a key."""
        claim, problem_id, left, right = key
        if claim == "ut1":
            return self.screening(problem_id, left)
        return (self.alignment if claim == "ut2" else self.equivalence)(problem_id, left, right)

    def screening(self, problem_id: str, model: str) -> Verdict:
        """Judge one UT-1 claim, or return what an earlier session judged."""
        return self.claims.kept(("ut1", problem_id, model, "")) or self.claims.keep(self._screen(problem_id, model))

    def alignment(self, problem_id: str, left: str, right: str) -> Verdict:
        """Judge one UT-2 claim, or return what an earlier session judged."""
        return self.claims.kept(("ut2", problem_id, left, right)) or self.claims.keep(
            self._align(problem_id, left, right)
        )

    def equivalence(self, problem_id: str, left: str, right: str) -> Verdict:
        """Judge one UT-3 claim, or return what an earlier session judged."""
        return self.claims.kept(("ut3", problem_id, left, right)) or self.claims.keep(
            self._decide(problem_id, left, right)
        )

    def _screen(self, problem_id: str, model: str) -> Verdict:
        rejection = self.inputs.rejected.get((problem_id, model))
        if rejection is not None:
            return Verdict(
                "ut1", problem_id, model, None, Status.REFUTED, "input", unsupported=1, reason=rejection.reason
            )
        return screen(self.inputs.problems[problem_id], self.candidate(problem_id, model))

    def _align(self, problem_id: str, left: str, right: str) -> Verdict:
        first, second = self.candidate(problem_id, left), self.candidate(problem_id, right)
        if first.program is None or second.program is None:
            side, candidate = ("left", first) if first.program is None else ("right", second)
            return Verdict(
                "ut2",
                problem_id,
                left,
                right,
                Status.UNKNOWN,
                "none",
                unsupported=1,
                reason=f"{side}: {candidate.reason}",
                alignment=ParameterAlignment(),
            )
        alignments = self._alignments(problem_id, first, second, scored=True)
        return alignment_verdict(
            problem_id, (left, right), first.program.parameters, second.program.parameters, alignments
        )

    def _decide(self, problem_id: str, left: str, right: str) -> Verdict:
        if self._causes is None or self._causes.judge.problem_id != problem_id:
            judge = EquivalenceJudge(problem_id, self.inputs.settings.seed)
            self._causes = CauseFinder(judge, self.inputs.problems[problem_id].question)
        first, second = self.candidate(problem_id, left), self.candidate(problem_id, right)
        alignments = self._alignments(problem_id, first, second, scored=False)
        return self._causes.with_cause(self._causes.judge.judge(first, second, alignments), first, second, alignments)

    def _alignments(self, problem_id: str, left: Candidate, right: Candidate, *, scored: bool) -> Alignments:
        parameters = [() if candidate.program is None else candidate.program.parameters for candidate in (left, right)]
        return align(parameters[0], parameters[1], self._similarity(problem_id, doubts=not scored), scored=scored)

    def _similarity(self, problem_id: str, *, doubts: bool) -> Similarities:
        """Return the similarities of a problem's texts, with `doubts` only of those that decide which inputs match."""
        if self._similarities is None or self._similarities[0] != (problem_id, doubts):
            programs = [self.candidate(problem_id, model).program for model in self.inputs.models(problem_id)]
            texts = texts_to_compare(programs, in_doubt=doubts)
            if self.embeddings.missing(texts) and self._waited < 2 - doubts:
                self.encoder.wait(doubts=doubts)
                self.embeddings.refresh()
                self._waited = 2 - doubts
            self._similarities = ((problem_id, doubts), self.embeddings.similarities(texts))
        return self._similarities[1]

    def seal(self, expected: list[Key], lines: dict[Key, str]) -> None:
        """Seal the programs, the verdicts, the consensus on each problem and the oracles."""
        by_problem: dict[str, list[str]] = defaultdict(list)
        for key in expected:
            by_problem[key[1]].append(lines[key])
        counts: Counter[str] = Counter()
        agreed: list[ConsensusRecord] = []
        assessments: dict[str, AnswerAssessment] = {}
        for problem_id, own in sorted(by_problem.items()):
            verdicts = [read_record(Verdict, json.loads(line)) for line in own]
            counts.update(f"{verdict.claim} {verdict.status.name}" for verdict in verdicts)
            if self.inputs.models(problem_id):
                agreed.append(self._consensus(problem_id, verdicts))
                assessment = self._assessment(problem_id, verdicts)
                if assessment is not None:
                    assessments[problem_id] = assessment
        probability, doubts = probabilities(assessments), gold_doubts(assessments)
        agreed = [
            replace(record, p_right=judged.p_right, p_right_basis=judged.basis)
            if record.oracle is not None and (judged := probability.get(record.problem_id)) is not None
            else record
            for record in (replace(record, gold_doubt=doubts.get(record.problem_id)) for record in agreed)
        ]
        oracles = [
            json_form(self._oracle_record(record, record.oracle)) for record in agreed if record.oracle is not None
        ]
        manifest = {
            **self.inputs.manifest(),
            "counts": {**dict(sorted(counts.items())), "problems": len(agreed), "oracles": len(oracles)},
        }
        files: dict[str, Iterable[dict[str, Any] | str]] = {
            "problems.jsonl": (self.inputs.problem_record(problem_id) for problem_id in sorted(by_problem)),
            "programs.jsonl": (
                json_form(self._program_record(record.problem_id, model))
                for record in agreed
                for model in self.inputs.models(record.problem_id)
            ),
            "verdicts.jsonl": (lines[key] for key in expected),
            "consensus.jsonl": map(json_form, agreed),
            "oracles.jsonl": oracles,
            "calibration.jsonl": map(json_form, calibration_records(assessments, probability)),
        }
        self.inputs.run.stage("oracles").seal(
            {"oracles.jsonl": oracles}, {**manifest, "counts": {"oracles": len(oracles)}}
        )
        self.claims.stage.seal(files, manifest)

    def consensus_of(self, problem_id: str) -> ConsensusRecord | None:
        """Return the consensus on a problem before the stage is sealed.

        A claim that no process of this session or an earlier one has judged is judged here, and kept.
        """
        return self._consensus(problem_id, self._verdicts_of(problem_id)) if self.inputs.models(problem_id) else None

    def probabilities_of_oracles(self) -> Mapping[str, float]:
        """Return the probabilities that the sealed oracles have or will have; errors and claims as in `consensus_of`."""
        if self.claims.stage.sealed:
            return {record.problem_id: record.p_right for record in self.consensus() if record.p_right is not None}
        formalized = [problem_id for problem_id in sorted(self.inputs.problems) if self.inputs.models(problem_id)]
        assessed = {name: self._assessment(name, self._verdicts_of(name)) for name in formalized}
        known = {name: assessment for name, assessment in assessed.items() if assessment is not None}
        return {name: judged.p_right for name, judged in probabilities(known).items()}

    def _verdicts_of(self, problem_id: str) -> list[Verdict]:
        """Return all verdicts on a problem, those of earlier sessions and of other processes, and those judged now."""
        models = self.inputs.models(problem_id)
        lines = self.claims.lines_of(problem_id)
        known = {key: read_record(Verdict, json.loads(line)) for key, line in lines.items()}
        pairs = list(itertools.combinations(models, 2))
        return [
            *(known.get(("ut1", problem_id, name, "")) or self.screening(problem_id, name) for name in models),
            *(known.get(("ut3", problem_id, *pair)) or self.equivalence(problem_id, *pair) for pair in pairs),
            *(known.get(("ut2", problem_id, *pair)) or self.alignment(problem_id, *pair) for pair in pairs),
        ]

    def consensus(self) -> list[ConsensusRecord]:
        """Return the consensus on each problem of the sealed stage."""
        return [read_record(ConsensusRecord, form) for form in self.claims.stage.records("consensus.jsonl")]

    def _consensus(self, problem_id: str, verdicts: list[Verdict]) -> ConsensusRecord:
        candidates = {model: self.candidate(problem_id, model) for model in self.inputs.models(problem_id)}
        return consensus(
            problem_id,
            [verdict for verdict in verdicts if verdict.left in candidates],
            candidates,
            weights=self.inputs.settings.weights,
            choice=self.inputs.settings.oracle,
            seed=self.inputs.settings.seed,
            strict=self.inputs.settings.strict,
            question=self.inputs.problems[problem_id].question,
            compiled={response.model for response in self.inputs.made},
            likeliest=self._likeliest(problem_id, verdicts),
        )

    def _likeliest(self, problem_id: str, verdicts: list[Verdict]) -> tuple[str, ...] | None:
        """Return the models of a problem's likeliest answer, `None` where a gold answer decides which are right."""
        if right_models(verdicts) is not None:
            return None
        reliability = self.reliability()
        answers = self._answers(problem_id)
        if not answers.support:
            return ()
        return answers.support[likeliest(answers, reliability.posterior[problem_id])]

    def _assessment(self, problem_id: str, verdicts: list[Verdict]) -> AnswerAssessment | None:
        models = self.inputs.models(problem_id)
        programs = {model: self.candidate(problem_id, model).program for model in models}
        problem = ProblemFormalizations(
            self.inputs.problems[problem_id].question,
            self._answers(problem_id),
            {model: program for model, program in programs.items() if program is not None},
            {(verdict.left, verdict.right or ""): verdict for verdict in verdicts if verdict.claim == "ut3"},
        )
        reliability = self.reliability()
        return assess(problem, reliability, reliability.posterior[problem_id], right_models(verdicts))

    def reliability(self) -> ModelReliability:
        """Return the reliability of the run's models, estimated once from all their answers."""
        if self._reliability is None:
            problems = sorted(problem_id for problem_id in self.inputs.problems if self.inputs.models(problem_id))
            self._reliability = estimate_reliability({problem_id: self._answers(problem_id) for problem_id in problems})
        return self._reliability

    def _answers(self, problem_id: str) -> ProblemAnswers:
        support: dict[Exact, list[str]] = defaultdict(list)
        silent = []
        for model in self.inputs.models(problem_id):
            outcome = self.candidate(problem_id, model).outcome
            if outcome is None or outcome.value is None:
                silent.append(model)
            else:
                support[outcome.value].append(model)
        return ProblemAnswers({value: tuple(models) for value, models in sorted(support.items())}, tuple(silent))

    def _oracle_record(self, agreed: ConsensusRecord, oracle: str) -> OracleRecord:
        program = self._program_record(agreed.problem_id, oracle)
        pairs = tuple(pair for pair in agreed.pairs if {pair.left, pair.right} <= set(agreed.clique))
        return OracleRecord(
            **{field.name: getattr(program, field.name) for field in fields(program)},
            confidence=agreed.confidence,
            clique_size=agreed.clique_size,
            p_right=agreed.p_right,
            provenance=OracleProvenance(run=self.inputs.fingerprint, clique=agreed.clique, pairs=pairs),
        )

    def _program_record(self, problem_id: str, model: str) -> ProgramRecord:
        candidate = self.candidate(problem_id, model)
        program = candidate.program
        outcome = candidate.outcome
        return ProgramRecord(
            problem_id=problem_id,
            model=model,
            dialect=None if program is None else program.dialect,
            code=None if program is None else program.code,
            parameters=tuple(
                ParameterRecord(
                    parameter.name,
                    format_exact(parameter.value),
                    parameter.type,
                    parameter.provenance,
                    parameter.comment,
                )
                for parameter in (() if program is None else program.parameters)
            ),
            value=None if outcome is None or outcome.value is None else format_exact(outcome.value),
            reason=candidate.reason,
            repairs=() if program is None else tuple(program.repairs),
        )

    def keys(self, argument: str) -> Iterable[tuple[str, ...]]:
        """Return the formalizations or the pairs, problem first."""
        return self.pairs() if argument == "pair" else self.screenings()

    def prepare(self) -> None:
        """Start the encoder beside the session, once a session, if anything is left to judge."""
        if len(self.claims.known) < sum(1 for _ in self.expected()):
            self.encoder.start()

    def write_report(self) -> str:
        """Write the report and return its path."""
        from reports.html.formalization_page import write_report  # sessions that end unsealed need no report

        return str(write_report(self.inputs.run.folder))

    def show(self, console: Console) -> None:
        """Print the funnel, the cliques and the least sure problems."""
        from reports.terminal.formalization_stage import print_summary  # as above

        print_summary(self.inputs.run.folder, console, finding_limit=0)


def open_run(inputs: SessionInputs) -> FormalizationRun:
    """Open the formalization stage of a session's run."""
    claims = StageClaims.open(inputs, FORMALIZATION)
    return FormalizationRun(
        inputs=inputs,
        claims=claims,
        encoder=SessionEncoder(claims.stage.scratch / inputs.session, inputs),
        embeddings=Embeddings(embeddings_folder(inputs.settings.encoder)),
    )
