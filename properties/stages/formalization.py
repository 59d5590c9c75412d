"""The formalization stage of a run: its claims of UT-1, UT-2 and UT-3, its consensus and its sealed records."""

import functools
import itertools
import json
import math
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from harness.domain import ParameterAlignment, Status, Verdict
from harness.errors import HarnessError
from harness.json_form import json_form, read_record
from harness.program.lifter import Candidate, read_candidate, read_program
from harness.records.formalization import ConsensusRecord, ModelRecord, ProgramRecord
from harness.stages import FORMALIZATION
from harness.store.spool import Spool
from oracles.alignment.embeddings import Embeddings, MiniLM, Similarities, embeddings_folder
from oracles.alignment.parameter_matching import Alignments, align, alignment_verdict, texts_to_compare
from oracles.consensus import equivalence_classes as classes
from oracles.consensus.cliques import consensus
from oracles.consensus.probability.answer_evidence import ProblemFormalizations
from oracles.consensus.probability.answer_model import ProblemAnswers
from oracles.consensus.probability.model_reliability import ModelReliability, estimate_reliability
from oracles.consensus.probability.oracle_probability import (
    AnswerAssessment,
    assess,
    calibration_records,
    gold_doubts,
    probabilities,
    right_models,
)
from oracles.consensus.probability.writer_families import named_families
from oracles.equivalence.ladder import EquivalenceJudge
from oracles.equivalence.refutation_cause import with_cause
from oracles.gold_answer_screening import screen
from properties.engine.problem_sources import oracle_probabilities
from properties.engine.stage_run import Key, Record, StageRun
from properties.stages.program_records import answers_given, oracle_record, program_record

ALL = "all"
"""What the claim about the classes of a problem is about."""
SHOWN_SIZES = 8
KEPT_CANDIDATES = 500
"""The number of read formalizations that are kept in memory while a stage is sealed."""


@dataclass(slots=True)
class FormalizationRun(StageRun):
    """The claims of one run and everything needed to judge them."""

    stage = FORMALIZATION

    _candidates: dict[tuple[str, str], Candidate] = field(default_factory=dict, init=False)
    _similarities: tuple[str, Similarities] | None = field(default=None, init=False)
    _judge: EquivalenceJudge | None = field(default=None, init=False)
    _reliability: ModelReliability | None = field(default=None, init=False)
    _programs: tuple[str, dict[str, ProgramRecord]] | None = field(default=None, init=False)

    def problem_ids(self) -> list[str]:
        """Return the ids of all problems that claims may be about, sorted; rejected records may name others than the corpus."""
        return sorted({*self.inputs.problems, *self.inputs.rejected})

    def is_crowded(self, problem_id: str) -> bool:
        """Tell whether a problem has more pairs of formalizations than are compared one by one."""
        return math.comb(len(self.inputs.models(problem_id)), 2) > self.inputs.settings.max_pairs

    def note(self) -> str | None:
        """Return a message about the problems that have one item instead of one for each pair."""
        crowds = [problem_id for problem_id in self.inputs.problems if self.is_crowded(problem_id)]
        if not crowds:
            return None
        answers = max(len(self.inputs.models(problem_id)) for problem_id in crowds)
        problems = "1 problem has" if len(crowds) == 1 else f"{len(crowds):,} problems have"
        return f"{problems} more than {self.inputs.settings.max_pairs:,} pairs (up to {answers:,} formalizations): classes are compared, one item a problem in place of an item a pair; --harness-max-pairs N"

    def claims_of(self, problem_id: str, lines: Iterable[Key] = ()) -> Iterator[Key]:
        """Yield the keys of a problem's claims; where classes are compared, the pairs are those that its `lines` are about."""
        for model in self.inputs.screened(problem_id):
            yield ("ut1", problem_id, model, "")
        if problem_id not in self.inputs.problems:
            return
        if self.is_crowded(problem_id):
            yield (classes.CLAIM, problem_id, ALL, "")
            yield from (key for key in lines if key[0] in {"ut2", "ut3"})
            return
        for left, right in itertools.combinations(self.inputs.models(problem_id), 2):
            yield ("ut2", problem_id, left, right)
            yield ("ut3", problem_id, left, right)

    def candidate(self, problem_id: str, model: str) -> Candidate:
        """Return a formalization, read and evaluated once."""
        key = (problem_id, model)
        if key not in self._candidates:
            self._candidates[key] = read_candidate(self.inputs.responses[problem_id][model])
        return self._candidates[key]

    def verdict(self, key: Key) -> Verdict:
        """Judge the claim of a key; with the classes of a problem, the verdicts on the pairs that are compared are kept, too."""
        claim, problem_id, left, right = key
        if claim == "ut1":
            return self._screening_verdict(problem_id, left)
        if claim == classes.CLAIM:
            return self._classes_verdict(problem_id)
        return (self._alignment_verdict if claim == "ut2" else self._equivalence_verdict)(problem_id, left, right)

    def _classes_verdict(self, problem_id: str) -> Verdict:
        judged = [self.decide(("ut1", problem_id, model, "")) for model in self.inputs.models(problem_id)]
        answers = self._answered(problem_id, judged)

        def equal(left: str, right: str) -> bool:
            self.decide(("ut2", problem_id, left, right))
            return self.decide(("ut3", problem_id, left, right)).status is Status.CONFIRMED

        division = classes.divide(
            answers, equal, lambda left, right: classes.aligned_inputs(self.decide(("ut2", problem_id, left, right)))
        )
        sizes, pairs = division.sizes, len(division.pairs)
        verdict = functools.partial(Verdict, classes.CLAIM, problem_id, ALL, None)
        unsupported = len(judged) - len(answers)
        if len(answers) > 1 and len(sizes) == 1:
            return verdict(Status.CONFIRMED, "classes", pairs, unsupported)
        listed = f"{', '.join(map(str, sizes[:SHOWN_SIZES]))}{', …' if len(sizes) > SHOWN_SIZES else ''}"
        reason = f"{len(answers):,} formalizations are {len(sizes):,} classes by {pairs:,} comparisons: {listed}"
        return verdict(Status.UNKNOWN if len(answers) < 2 else Status.REFUTED, "classes", pairs, unsupported, reason)

    def _screening_verdict(self, problem_id: str, model: str) -> Verdict:
        rejection = self.inputs.rejected.get(problem_id, {}).get((problem_id, model))
        if rejection is not None:
            reason = rejection.reason
            return Verdict("ut1", problem_id, model, None, Status.REFUTED, "input", unsupported=1, reason=reason)
        problem, candidate = self.inputs.problems[problem_id], self.candidate(problem_id, model)
        self.claims.keep_product(problem_id, model, json_form(program_record(problem, model, candidate)))
        return screen(problem, candidate)

    def _alignment_verdict(self, problem_id: str, left: str, right: str) -> Verdict:
        first, second = self.candidate(problem_id, left), self.candidate(problem_id, right)
        if first.program is None or second.program is None:
            reason = f"left: {first.reason}" if first.program is None else f"right: {second.reason}"
            unread = functools.partial(Verdict, "ut2", problem_id, left, right, Status.UNKNOWN, "none")
            return unread(unsupported=1, reason=reason, alignment=ParameterAlignment())
        alignments = self._alignments(problem_id, first, second, scored=True)
        return alignment_verdict(
            problem_id, (left, right), first.program.parameters, second.program.parameters, alignments
        )

    def _equivalence_verdict(self, problem_id: str, left: str, right: str) -> Verdict:
        if self._judge is None or self._judge.problem_id != problem_id:
            self._judge = EquivalenceJudge(problem_id, self.inputs.settings.seed)
        first, second = self.candidate(problem_id, left), self.candidate(problem_id, right)
        alignments = self._alignments(problem_id, first, second, scored=False)
        verdict = self._judge.judge(first, second, alignments)
        question = self.inputs.problems[problem_id].question
        return with_cause(verdict, first, second, alignments, judge=self._judge, question=question)

    def _alignments(self, problem_id: str, left: Candidate, right: Candidate, *, scored: bool) -> Alignments:
        parameters = [() if candidate.program is None else candidate.program.parameters for candidate in (left, right)]
        # The inputs of a compiled solution are named by the words around a number, which say less than an author's names.
        models = {candidate.response.model for candidate in (left, right)}
        question = self.inputs.problems[problem_id].question if models.isdisjoint(self.inputs.made_by) else ""
        return align(parameters[0], parameters[1], self._similarity(problem_id), scored=scored, question=question)

    def prepare(self) -> None:
        """Embed the texts of all problems, if a claim is left to judge."""
        if all(key in self.claims.known(key[1]) for key in self.expected()):
            return
        problems = (self.inputs.responses.get(problem_id, {}) for problem_id in self.inputs.problems)
        programs = ([read_program(response) for response in own.values()] for own in problems if len(own) > 1)
        embed((text for own in programs for text in texts_to_compare(own)), alone=True)

    def _similarity(self, problem_id: str) -> Similarities:
        """Return the similarities of a problem's texts."""
        if self._similarities is None or self._similarities[0] != problem_id:
            programs = [self.candidate(problem_id, model).program for model in self.inputs.models(problem_id)]
            texts = texts_to_compare(programs)
            self._similarities = problem_id, embed(texts).similarities(texts)
        return self._similarities[1]

    def programs(self, problem_id: str) -> dict[str, ProgramRecord]:
        """Return the records of a problem's formalizations by model, as they were kept when they were screened, or of the programs read here."""
        if self._programs is None or self._programs[0] != problem_id:
            models = self.inputs.models(problem_id)
            lines = self.claims.lines_of(problem_id) if models else {}
            records = {}
            for model in models:
                form = self.claims.product(problem_id, model, lines)
                if form is None:
                    self._release()
                    candidate = self.candidate(problem_id, model)
                    records[model] = program_record(self.inputs.problems[problem_id], model, candidate)
                else:
                    records[model] = read_record(ProgramRecord, form)
            self._programs = problem_id, records
        return self._programs[1]

    def _release(self) -> None:
        if len(self._candidates) > KEPT_CANDIDATES:
            self._candidates.clear()

    def consensus_of(self, problem_id: str) -> ConsensusRecord | None:
        """Return the consensus on a problem before the stage is sealed.

        A claim that no process of this session or an earlier one has judged is judged here, and kept.
        """
        if not self.inputs.models(problem_id):
            return None
        return self._agreed(problem_id, self._verdicts_of(problem_id))

    def probabilities_of_oracles(self) -> Mapping[str, float]:
        """Return the probabilities that the sealed oracles have or will have; errors and claims as in `consensus_of`."""
        if self.claims.stage.sealed:
            return oracle_probabilities(self.claims.stage)
        formalized = [problem_id for problem_id in sorted(self.inputs.problems) if self.inputs.models(problem_id)]
        assessed = ((name, self._assessment(name, self._verdicts_of(name))) for name in formalized)
        known = [(name, assessment) for name, assessment in assessed if assessment is not None]
        return {name: judged.p_right for name, judged in probabilities(known).items()}

    def _verdicts_of(self, problem_id: str) -> list[Verdict]:
        """Return all verdicts on a problem, those of earlier sessions and of other processes, and those judged now."""
        if self.is_crowded(problem_id):
            self.decide((classes.CLAIM, problem_id, ALL, ""))
        lines = self.claims.lines_of(problem_id)
        return [
            read_record(Verdict, json.loads(lines[key])) if key in lines else self.decide(key)
            for key in sorted(self.claims_of(problem_id, lines))
        ]

    def seal(self) -> None:
        """Seal the programs, the verdicts, the consensus on each problem and the oracles, problem by problem.

        What is agreed on each, and the program of its oracle, wait on disk until the last problem is done.
        """
        stage = self.claims.stage
        judged: list[str] = []
        statuses = Counter[str]()
        oracles = 0
        stage.scratch.mkdir(parents=True, exist_ok=True)
        agreed = Spool[tuple[ConsensusRecord, ProgramRecord | None]](stage.scratch)
        assessments = Spool[tuple[str, AnswerAssessment]](stage.scratch)
        for problem_id in self.problem_ids():
            verdicts = [read_record(Verdict, json.loads(line)) for line in self._sorted_lines(problem_id)]
            if not verdicts:
                continue
            judged.append(problem_id)
            statuses.update(f"{verdict.claim} {verdict.status.name}" for verdict in verdicts)
            programs = self.programs(problem_id)
            if programs:
                record = self._agreed(problem_id, verdicts)
                assessment = self._assessment(problem_id, verdicts)
                agreed.append((record, None if record.oracle is None else programs[record.oracle]))
                oracles += record.oracle is not None
                if assessment is not None:
                    assessments.append((problem_id, assessment))
            self._release()
        probability, doubts = probabilities(assessments), gold_doubts(assessments)

        def finished() -> Iterator[tuple[ConsensusRecord, ProgramRecord | None]]:
            for record, program in agreed:
                done = replace(record, gold_doubt=doubts.get(record.problem_id))
                chance = probability.get(record.problem_id)
                if record.oracle is not None and chance is not None:
                    done = replace(done, p_right=chance.p_right, p_right_basis=chance.basis)
                yield done, program

        def oracle_records() -> Iterator[Record]:
            run = self.inputs.fingerprint
            return (json_form(oracle_record(record, own, run=run)) for record, own in finished() if own is not None)

        manifest = self.inputs.manifest()
        beside = self.inputs.run.stage("oracles")
        beside.seal({"oracles.jsonl": oracle_records()}, {**manifest, "counts": {"oracles": oracles}})
        stage.seal(
            {
                "problems.jsonl": self.problem_records(judged),
                "programs.jsonl": (json_form(record) for name in judged for record in self.programs(name).values()),
                "verdicts.jsonl": (line for name in judged for line in self._sorted_lines(name)),
                "consensus.jsonl": (json_form(record) for record, _ in finished()),
                "oracles.jsonl": oracle_records(),
                "calibration.jsonl": map(json_form, calibration_records(assessments, probability)),
                "models.jsonl": map(json_form, self._model_records()),
            },
            {**manifest, "counts": {**statuses, "problems": len(agreed), "oracles": oracles}},
        )

    def _sorted_lines(self, problem_id: str) -> list[str]:
        """Return the verdicts on a problem, sorted, as JSON lines."""
        lines = self.claims.lines_of(problem_id)
        return [lines[key] for key in sorted(self.claims_of(problem_id, lines))]

    def _agreed(self, problem_id: str, verdicts: list[Verdict]) -> ConsensusRecord:
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

    def _answered(self, problem_id: str, verdicts: Iterable[Verdict]) -> list[classes.Answered]:
        """Return the formalizations that classes are made of, sorted: those with a value that UT-1 does not refute."""
        found = []
        for verdict in verdicts:
            if verdict.claim == "ut1" and verdict.status is not Status.REFUTED:
                candidate = self.candidate(problem_id, verdict.left)
                program, outcome = candidate.program, candidate.outcome
                if program is not None and outcome is not None and outcome.value is not None:
                    found.append(classes.answered(verdict.left, outcome.value, program.parameters))
        return sorted(found, key=lambda answer: answer.model)

    def _representatives(self, problem_id: str, verdicts: Sequence[Verdict]) -> dict[str, str]:
        """Return the representative of each formalization; one that no class is made of stands for itself."""
        alone = {model: model for model in self.inputs.models(problem_id)}
        return alone | classes.representatives(self._answered(problem_id, verdicts), verdicts)

    def _likeliest(self, problem_id: str, verdicts: list[Verdict]) -> tuple[str, ...] | None:
        """Return the models of a problem's likeliest answer, `None` where a gold answer decides which are right."""
        if right_models(verdicts) is not None:
            return None
        assessment = self._assessment(problem_id, verdicts)
        return () if assessment is None else assessment.models

    def _assessment(self, problem_id: str, verdicts: list[Verdict]) -> AnswerAssessment | None:
        """Return the evidence for the likeliest answer of a problem, `None` where no model gives a value."""
        problem = ProblemFormalizations(
            self.inputs.problems[problem_id].question,
            self._answers(problem_id),
            self.programs(problem_id),
            classes.judged_pairs(verdicts, "ut3"),
            self._representatives(problem_id, verdicts) if self.is_crowded(problem_id) else {},
        )
        reliability = self._reliable()
        return assess(problem, reliability, reliability.posterior[problem_id], right_models(verdicts))

    def _model_records(self) -> Iterator[ModelRecord]:
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


@functools.cache
def _embeddings_of_process(folder: Path) -> Embeddings:
    embeddings = Embeddings(folder)
    embeddings.refresh()
    return embeddings


@functools.cache
def _encoder_of_process() -> MiniLM:
    # Threads of OpenMP that wait for each other awake take 30 times as long where other processes share the cores.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    return MiniLM()


def embed(texts: Iterable[str], *, alone: bool = False) -> Embeddings:
    """Return embeddings among which are those of the texts; a process that works `alone` makes missing ones on all cores.

    The encoder computes batches of texts of one length: many texts at once take a fraction of the time. An encoder that cannot be
    used, and embeddings that cannot be kept, raise a `HarnessError`.
    """
    embeddings = _embeddings_of_process(embeddings_folder())
    wanted = set(texts)
    if embeddings.missing(wanted):
        embeddings.refresh()
    missing = embeddings.missing(wanted)
    if missing:
        try:
            # An embedding that cannot be stored is not worth its seconds.
            embeddings.folder.mkdir(parents=True, exist_ok=True)
            embeddings.add(missing, _encoder_of_process().encode(missing, all_cores=alone))
        except OSError as error:
            message = f"{embeddings.folder}: the embeddings of texts cannot be kept ({error.strerror or error})"
            raise HarnessError(message) from None
    return embeddings
