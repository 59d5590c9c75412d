"""The sources of samples, read one record at a time: sealed stages of a run, and labelled files of others."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.command_line.runnable_commands import runnable
from harness.constraint_system import ProblemClass
from harness.corpora import labelled_solutions
from harness.corpora.field_roles import FieldNames, TakenFields
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError, read_record
from harness.records.mutation import FlawRecord
from harness.records.variant import VariantRecord
from harness.solution.labels import ErrorType
from harness.stages import MUTATION, REVIEW, STAGES, VARIANT
from harness.store.run_folder import RunFolder, run_option, sha256_of, with_stage
from sft.datasets.trust import ConfidencePlan, clean_records, doubt_of
from sft.samples.items import ProblemSample, Sample, Trust, Truth

SAMPLES = {stage.name: stage.samples for stage in STAGES if stage.samples}
"""The files that are read of each stage."""
DECIDED = ("accepted.jsonl", "overridden.jsonl", "rejected.jsonl", "disputed.jsonl")
"""The files of the stage `review`; candidates in them are taken from the review, and not from the stage `mutation`."""
EXAMPLES = "examples.jsonl"
"""The file of the stage `review` with solutions that people labelled; stages that were sealed by earlier versions have none."""
SOLUTION_VARIANTS = frozenset({"original", "renumbered"})
"""The operators whose solutions are used as correct ones; other operators add words that would reveal the class."""
Material = Sample | ProblemSample


@dataclass(frozen=True, slots=True)
class RunSource:
    """The stages to read of a run, and the licence of the texts of its corpus."""

    run: RunFolder
    stages: tuple[str, ...]
    licence: str
    confidence: ConfidencePlan = field(default_factory=ConfidencePlan)

    @classmethod
    def of(
        cls, folder: Path, wanted: Iterable[str], licence: str, confidence: ConfidencePlan | None = None
    ) -> RunSource:
        """Return the source of a run with the wanted stages, by default all that the run has; each must be sealed.

        Raises:
            HarnessError: the run has no such stage, or a stage is not sealed.
        """
        wanted = tuple(wanted)
        run = RunFolder(with_stage(folder, *(wanted or SAMPLES)))
        if not run.folder.is_dir():
            raise HarnessError(f"--run {folder}: no such folder; expected the folder of a run, such as runs/latest")
        stages = wanted or tuple(name for name in SAMPLES if run.stage(name).folder.is_dir())
        if not stages:
            message = f"--run {folder}: holds none of the stages {', '.join(SAMPLES)}; make one by: {runnable(f'pytest -m mutation {run_option(folder)}')}"
            raise HarnessError(message)
        for name in stages:
            run.stage(name).manifest()
        return cls(run, stages, licence, confidence or ConfidencePlan())

    def hashes(self) -> dict[str, str]:
        """Return the SHA-256 of each file that is read, from the manifests of the stages."""
        return {
            f"{self.run.folder.name}/{name}/{file}": self.run.stage(name).manifest()["files"][file]["sha256"]
            for name in self.stages
            for file in self._files(name)
        }

    def _files(self, stage: str) -> tuple[str, ...]:
        there = self.run.stage(stage).manifest()["files"]
        return tuple(file for file in SAMPLES[stage] if file != EXAMPLES or file in there)

    def read(self) -> Iterator[Material | str]:
        """Yield the samples of the stages in their order, or why a record gives none; a correct solution of several records is yielded once.

        Raises:
            HarnessError: a file is not in the manifest of its stage, was changed, or holds a record of another kind.
        """
        decided, audited = self._decided_candidates(), clean_records(self.run)
        for name in self.stages:
            stage = self.run.stage(name)
            for file in self._files(name):
                source = f"{self.run.folder.name}/{name}/{file}"
                seen: set[int] = set()
                for place, line in enumerate(stage.stream(file)):
                    try:
                        record = json.loads(line)
                        if name == MUTATION and record["flaw_id"] in decided:
                            yield "a person has decided on the candidate: what the review made of it is taken"
                        elif file == EXAMPLES:
                            yield self._example(record, source)
                        elif name == VARIANT:
                            yield from self._variant(record, source)
                        else:
                            clean = place in audited[file] if file in audited else None
                            yield from self._flaw(name, record, source, seen, clean=clean)
                    except (ValueError, KeyError, TypeError, AttributeError, MalformedRecordError) as error:
                        message = f"{stage.folder / file}:{place + 1}: no record of the {name} stage ({type(error).__name__}: {str(error)[:80]})"
                        raise HarnessError(message) from None

    def _flaw(
        self, stage: str, form: Any, source: str, seen: set[int], *, clean: bool | None
    ) -> Iterator[Material | str]:
        """Yield the flawed solution of a record, and before it its correct solution if that is new; `clean` as in `doubt_of`."""
        flaw = read_record(FlawRecord, form)
        if refusal := self.confidence.refusal(flaw.provenance):
            yield refusal
            return
        flawed = self.confidence.supported(flawed_sample(flaw, source, self.licence), flaw.provenance)
        key = hash((flaw.problem_id, flaw.question, flaw.solution))
        if key not in seen:
            seen.add(key)
            yield flawed.corrected(f"{flaw.problem_id}:correct")
        doubt = "" if stage == REVIEW else doubt_of(flaw, form, clean=clean)
        trust = Trust.REVIEWED if stage == REVIEW else Trust.WIDENED if doubt else Trust.CLEAN
        yield replace(flawed, trust=trust, doubt=doubt)

    def _variant(self, form: Any, source: str) -> Iterator[Material | str]:
        """Yield the problem of a variant, and its solution if the operator is one of `SOLUTION_VARIANTS`."""
        variant = read_record(VariantRecord, form)
        if refusal := self.confidence.refusal(variant.provenance):
            yield refusal
            return
        operator = variant.operator
        shared: dict[str, Any] = {
            "problem_id": variant.problem_id,
            "question": variant.modified_problem_text,
            "source": source,
            "licence": self.licence,
            "tier": variant.tier,
        }
        problem = ProblemSample(
            variant.variant_id,
            problem_class=ProblemClass(variant.class_label),
            reason=variant.reasoning_trace,
            operator=operator,
            twin=variant.twin_of or "",
            **shared,
        )
        yield self.confidence.supported(problem, variant.provenance)
        if operator in SOLUTION_VARIANTS and variant.solution:
            name, made_by = f"{variant.variant_id}:correct", "" if operator == "original" else operator
            truth = Truth(flawed=False)
            solution = Sample(name, solution=variant.solution, truth=truth, operator=made_by, **shared)
            yield self.confidence.supported(solution, variant.provenance)

    def _example(self, record: Any, source: str) -> Material | str:
        """Return the sample of a solution that people labelled; it rests on no oracle, and its text is their own."""
        if refusal := self.confidence.refusal(None):
            return refusal
        labelled = labelled_solutions.read_record(record, record["example_id"])
        if isinstance(labelled, labelled_solutions.RejectedRecord) or not labelled.question or not labelled.problem_id:
            raise ValueError("expected a labelled solution with its question")
        return replace(_labelled_sample(labelled, labelled.question, source, self.licence), trust=Trust.LABELLED)

    def _decided_candidates(self) -> frozenset[str]:
        """Return the candidates with a decision of the review, if the review is read."""
        if REVIEW not in self.stages:
            return frozenset()
        stage = self.run.stage(REVIEW)
        there = stage.manifest()["files"]
        return frozenset(record["flaw_id"] for file in DECIDED if file in there for record in stage.records(file))


def flawed_sample(flaw: FlawRecord, source: str, licence: str) -> Sample:
    """Return the flawed solution of a record."""
    label = flaw.label
    return Sample(
        sample_id=flaw.flaw_id,
        problem_id=flaw.problem_id,
        question=flaw.question,
        solution=flaw.flawed_solution,
        truth=Truth(
            flawed=True,
            error_class=label.error_type.error_class,
            error_type=str(label.error_type),
            line=label.line,
            explanation=label.error_details.explanation,
            correction=label.error_details.correction,
        ),
        source=source,
        licence=licence,
        operator=flaw.operator,
        tier=flaw.tier if isinstance(flaw.tier, int) else None,
        reference=flaw.solution,
    )


@dataclass(frozen=True, slots=True)
class ExternalSource:
    """A labelled file of others, with its licence; `corpus` gives the questions of problems that the file only names, `named` are the fields that the user names."""

    path: Path
    licence: str
    corpus: Mapping[str, str]
    named: FieldNames = field(default_factory=FieldNames)
    taken: TakenFields = field(default_factory=TakenFields)

    def hashes(self) -> dict[str, str]:
        """Return the SHA-256 of the file."""
        return {self.path.name: sha256_of(self.path)}

    def read(self) -> Iterator[Material | str]:
        """Yield the samples of the file in order, or why a record gives none; the correct solution of a record stands before it."""
        for labelled in labelled_solutions.read_labelled([self.path], self.named):
            if isinstance(labelled, labelled_solutions.RejectedRecord):
                yield f"{self.path.name}: {labelled.reason.partition(':')[0]}"
                continue
            self.taken.add(labelled.taken)
            question = labelled.question or self.corpus.get(labelled.problem_id or "", "")
            if not question.strip():
                yield f"{self.path.name}: no question; --corpus may give it"
                continue
            sample = _labelled_sample(labelled, question, self.path.name, self.licence)
            if labelled.reference:
                yield replace(sample, reference=labelled.reference).corrected(f"{labelled.name}:reference")
            yield sample


def _labelled_sample(labelled: labelled_solutions.LabelledSolution, question: str, source: str, licence: str) -> Sample:
    worked, truth = labelled.worked, stated_truth(labelled)
    answer = [] if worked.answer is None else [f"#### {worked.answer}"]
    return Sample(
        sample_id=labelled.name,
        problem_id=labelled.problem_id or labelled.name,
        question=question,
        solution="\n".join([*worked.lines, *answer]),
        truth=truth,
        source=source,
        licence=licence,
        operator=labelled.operator,
        reference=(labelled.reference or "") if truth.flawed else "",
    )


def stated_truth(labelled: labelled_solutions.LabelledSolution) -> Truth:
    """Return what the label of a solution states."""
    stated = labelled.stated
    if stated.said not in {labelled_solutions.LabelVerdict.FLAWED, labelled_solutions.LabelVerdict.WRONG_ANSWER}:
        return Truth(flawed=False)
    return Truth(
        flawed=True,
        error_class=stated.error_class,
        error_type=stated.error_type if stated.error_type in set(ErrorType) else "",
        line=stated.line,
        explanation=stated.explanation,
    )
