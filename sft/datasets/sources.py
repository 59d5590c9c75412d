"""The sources of samples, read one record at a time: sealed stages of a run, and labelled files of others."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from harness.command_line.runnable_commands import runnable
from harness.constraint_system import ProblemClass
from harness.corpora.labelled_solutions import (
    LabelVerdict,
    RejectedRecord,
    read_labelled,
    read_record as read_labelled_record,
    split_solution,
)
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError, read_record
from harness.records.mutation import FlawRecord
from harness.records.variant import VariantRecord
from harness.solution.labels import ErrorType
from harness.stages import REVIEW, STAGES, VARIANT
from harness.store.latest_run import with_stage
from harness.store.run_folder import RunFolder, run_option
from sft.datasets.trust import ConfidencePlan, clean_records, doubt_of
from sft.samples.items import Sample, Truth, position_of
from sft.samples.problem_sample import ProblemSample
from sft.samples.trust import Trust

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from harness.corpora.labelled_solutions import LabelledSolution

SAMPLES = {stage.name: stage.samples for stage in STAGES if stage.samples}
"""The files that are read of each stage."""
DECIDED = ("accepted.jsonl", "overridden.jsonl", "rejected.jsonl", "disputed.jsonl")
"""The files of the stage `review`; candidates in them are taken from the review, and not from the stage `mutation`."""
EXAMPLES = "examples.jsonl"
"""The file of the stage `review` with solutions that people labelled; stages that were sealed by earlier versions have none."""
SOLUTION_VARIANTS = frozenset({"original", "renumbered"})
"""The operators whose solutions are used as correct ones; other operators add words that would reveal the class."""

FLAW_FIELDS = (
    *("flaw_id", "problem_id", "tier", "operator", "question", "solution", "flawed_solution", "label"),
    *("plausibility", "needs_edit", "provenance"),
)
VARIANT_FIELDS = (
    *("variant_id", "problem_id", "tier", "operator", "class_label", "twin_of"),
    *("modified_problem_text", "reasoning_trace", "solution", "provenance"),
)
"""The fields that samples are made from."""
Material = Sample | ProblemSample


@dataclass(frozen=True, slots=True)
class SkippedRecord:
    """The reason, in a few words, why a record gives no sample."""

    why: str


@dataclass(frozen=True, slots=True)
class RunSource:
    """The stages to read of a run, and the licence of the texts of its corpus; doubts are found at the first reading and kept."""

    run: RunFolder
    stages: tuple[str, ...]
    licence: str
    confidence: ConfidencePlan = field(default_factory=ConfidencePlan)
    doubts: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

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
        """Return the files that are read of a stage."""
        there = self.run.stage(stage).manifest()["files"]
        return tuple(file for file in SAMPLES[stage] if file != EXAMPLES or file in there)

    def read(self) -> Iterator[Material | SkippedRecord]:
        """Yield the samples of the stages, in their order; a correct solution of several records is yielded once.

        Raises:
            HarnessError: a file is not in the manifest of its stage, was changed, or holds a record of another kind.
        """
        decided = self._decided()
        audited = clean_records(self.run)
        for name in self.stages:
            stage = self.run.stage(name)
            for file in self._files(name):
                source = f"{self.run.folder.name}/{name}/{file}"
                seen: set[int] = set()
                for number, line in enumerate(stage.stream(file), start=1):
                    try:
                        record = json.loads(line)
                        if name == "mutation" and record["flaw_id"] in decided:
                            yield SkippedRecord(
                                "a person has decided on the candidate: what the review made of it is taken"
                            )
                            continue
                        if file == EXAMPLES:
                            yield self._example(record, source)
                            continue
                        clean = number - 1 in audited[file] if file in audited else None
                        yield from self._materials(name, record, source, seen, clean=clean)
                    except (ValueError, KeyError, TypeError, AttributeError, MalformedRecordError) as error:
                        message = f"{stage.folder / file}:{number}: no record of the {name} stage ({type(error).__name__}: {str(error)[:80]})"
                        raise HarnessError(message) from None

    def _materials(
        self, stage: str, form: Any, source: str, seen: set[int], *, clean: bool | None
    ) -> Iterator[Material | SkippedRecord]:
        """Yield the samples of a record with what they rest on, or why there are none; `clean` as in `doubt_of`."""
        if stage == VARIANT:
            variant = read_record(VariantRecord, form, fields=VARIANT_FIELDS)
            provenance = variant.provenance
        else:
            flaw = read_record(FlawRecord, form, fields=FLAW_FIELDS)
            provenance = flaw.provenance
        refusal = self.confidence.refusal(provenance)
        if refusal:
            yield SkippedRecord(refusal)
            return
        materials = (
            _variant(variant, source, self.licence)
            if stage == VARIANT
            else _flaw(flaw, source, self.licence, seen, self._trust(stage, flaw, form, clean=clean))
        )
        for material in materials:
            yield self.confidence.supported(material, provenance)

    def _example(self, record: Any, source: str) -> Material | SkippedRecord:
        """Return the sample of a solution that people labelled; it rests on no oracle, and its text is their own."""
        refusal = self.confidence.refusal(None)
        if refusal:
            return SkippedRecord(refusal)
        labelled = read_labelled_record(record, record["example_id"])
        if isinstance(labelled, RejectedRecord) or not labelled.question or not labelled.problem_id:
            raise ValueError("expected a labelled solution with its question")
        (sample,) = _labelled_samples(labelled, labelled.question, source, self.licence)
        return replace(sample, trust=Trust.LABELLED)

    def _trust(self, stage: str, flaw: FlawRecord, form: Any, *, clean: bool | None) -> tuple[Trust, str]:
        """Return the trust in the flawed solution of a record, and the doubt about it."""
        if stage == REVIEW:
            return Trust.REVIEWED, ""
        doubt = self.doubts.get(flaw.flaw_id)
        if doubt is None:
            doubt = self.doubts[flaw.flaw_id] = doubt_of(flaw, form, clean=clean)
        return (Trust.WIDENED if doubt else Trust.CLEAN), doubt

    def _decided(self) -> frozenset[str]:
        """Return the candidates with a decision of the review, if the review is read."""
        if "review" not in self.stages:
            return frozenset()
        stage = self.run.stage("review")
        there = stage.manifest()["files"]
        return frozenset(record["flaw_id"] for file in DECIDED if file in there for record in stage.records(file))


def _flaw(flaw: FlawRecord, source: str, licence: str, seen: set[int], trust: tuple[Trust, str]) -> Iterator[Material]:
    """Yield the flawed solution of a record, and before it its correct solution if that is new."""
    key = hash((flaw.problem_id, flaw.question, flaw.solution))
    if key not in seen:
        seen.add(key)
        name, right = f"{flaw.problem_id}:correct", Truth(flawed=False)
        tier = _tier(flaw)
        yield Sample(name, flaw.problem_id, flaw.question, flaw.solution, right, source, licence, "", tier, "none")
    yield replace(flawed_sample(flaw, source, licence), trust=trust[0], doubt=trust[1])


def flawed_sample(flaw: FlawRecord, source: str, licence: str) -> Sample:
    """Return the flawed solution of a record, of which only `FLAW_FIELDS` are read."""
    label = flaw.label
    truth = Truth(
        flawed=True,
        error_class=label.error_type.error_class,
        error_type=str(label.error_type),
        line=label.line,
        explanation=label.error_details.explanation,
        correction=label.error_details.correction,
    )
    return Sample(
        flaw.flaw_id,
        flaw.problem_id,
        flaw.question,
        flaw.flawed_solution,
        truth,
        source,
        licence,
        flaw.operator,
        _tier(flaw),
        position_of(label.line, len(split_solution(flaw.flawed_solution).lines)),
        flaw.solution,
    )


def _tier(flaw: FlawRecord) -> int | None:
    return flaw.tier if isinstance(flaw.tier, int) else None


def _variant(variant: VariantRecord, source: str, licence: str) -> Iterator[Material]:
    """Yield the problem of a variant, and its solution if the operator is one of `SOLUTION_VARIANTS`."""
    problem_id, question, operator = variant.problem_id, variant.modified_problem_text, variant.operator
    yield ProblemSample(
        variant.variant_id,
        problem_id,
        question,
        ProblemClass(variant.class_label),
        variant.reasoning_trace,
        source,
        licence,
        operator,
        variant.tier,
        variant.twin_of or "",
    )
    if operator in SOLUTION_VARIANTS and variant.solution:
        name, truth = f"{variant.variant_id}:correct", Truth(flawed=False)
        made_by = "" if operator == "original" else operator
        yield Sample(
            name, problem_id, question, variant.solution, truth, source, licence, made_by, variant.tier, "none"
        )


@dataclass(frozen=True, slots=True)
class ExternalSource:
    """A labelled file of others, with its licence; `corpus` gives the questions of problems that the file only names."""

    path: Path
    licence: str
    corpus: Mapping[str, str]

    def hashes(self) -> dict[str, str]:
        """Return the SHA-256 of the file."""
        with self.path.open("rb") as stream:
            return {self.path.name: hashlib.file_digest(stream, "sha256").hexdigest()}

    def read(self) -> Iterator[Material | SkippedRecord]:
        """Yield the samples of the file, in order; the correct solution of a record is a sample of its own."""
        for labelled in read_labelled([self.path]):
            if isinstance(labelled, RejectedRecord):
                yield SkippedRecord(f"{self.path.name}: {labelled.reason.partition(':')[0]}")
                continue
            question = labelled.question or self.corpus.get(labelled.problem_id or "", "")
            if not question.strip():
                yield SkippedRecord(f"{self.path.name}: no question; --corpus may give it")
                continue
            yield from _labelled_samples(labelled, question, self.path.name, self.licence)


def _labelled_samples(labelled: LabelledSolution, question: str, source: str, licence: str) -> Iterator[Sample]:
    """Yield the sample of a labelled solution, and before it its correct solution where the record has one."""
    stated, worked = labelled.stated, labelled.worked
    answer = [] if worked.answer is None else [f"#### {worked.answer}"]
    solution = "\n".join([*worked.lines, *answer])
    flawed = stated.said in {LabelVerdict.FLAWED, LabelVerdict.WRONG_ANSWER}
    truth = (
        Truth(
            flawed=True,
            error_class=stated.error_class,
            error_type=stated.error_type if stated.error_type in _TYPES else "",
            line=stated.line,
            explanation=stated.explanation,
        )
        if flawed
        else Truth(flawed=False)
    )
    problem_id = labelled.problem_id or labelled.name
    reference = labelled.reference or ""
    position = position_of(stated.line, len(worked.lines), "unknown") if flawed else "none"
    if reference:
        name = f"{labelled.name}:reference"
        yield Sample(name, problem_id, question, reference, Truth(flawed=False), source, licence)
    yield Sample(
        labelled.name,
        problem_id,
        question,
        solution,
        truth,
        source,
        licence,
        labelled.operator,
        None,
        position,
        reference if flawed else "",
    )


_TYPES = frozenset(map(str, ErrorType))
