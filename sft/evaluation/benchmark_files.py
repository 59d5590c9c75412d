"""Conversion of files of other benchmarks into samples, with a reason for each record that cannot be read."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.corpora.field_roles import FieldNames, TakenFields
from harness.corpora.labelled_solutions import (
    LAYOUTS,
    LabelledSolution,
    RejectedRecord,
    read_record,
    split_solution,
    with_answer,
)
from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError
from harness.solution.labels import ErrorType
from sft.datasets.sources import stated_truth
from sft.samples.items import Sample, position_of
from sft.samples.solution_text import read_item


def adapt(
    path: Path, name: str = "", *, named: FieldNames | None = None, taken: TakenFields | None = None
) -> list[Sample]:
    """Return the samples of a file of records; the layout is found by its fields if none is named.

    `named` are the fields that the user names; `taken` counts those that are taken.

    Raises:
        HarnessError: the file or layout does not exist, a record has another layout (the message gives its line), an id
            occurs twice, or there is no record.
    """
    if not path.is_file():
        problem = "is a folder" if path.is_dir() else "no such file"
        raise HarnessError(f"{path}: {problem}; give a file of records")
    if name and name not in LAYOUTS:
        raise HarnessError(f"{name!r} is not known; known: {', '.join(LAYOUTS)}")
    layout = LAYOUTS[name] if name else None
    samples: dict[str, Sample] = {}
    for line, record in read_records(path):
        labelled = read_record(record, f"{stem(path)}-{line}", layout, named=named)
        if isinstance(labelled, RejectedRecord):
            shape = f" ({layout.name})" if layout else ""
            raise HarnessError(f"{path}:{line}{shape}: {labelled.reason}")
        layout = labelled.layout
        if taken is not None:
            taken.add(labelled.taken)
        try:
            converted = samples_of(labelled, record)
        except MalformedRecordError as error:
            raise HarnessError(f"{path}:{line} ({layout.name}): no sample: {error}") from None
        for sample in converted:
            if sample.sample_id in samples:
                raise HarnessError(f"{path}:{line}: the id {sample.sample_id[:60]!r} is given twice")
            samples[sample.sample_id] = sample
    if not samples:
        raise HarnessError(f"{path}: holds no record")
    return list(samples.values())


def stem(path: Path) -> str:
    """Return the name of a file without the suffixes of its format."""
    name = path.name
    for ending in (".gz", ".jsonl", ".json", ".csv"):
        name = name.removesuffix(ending)
    return name


def samples_of(labelled: LabelledSolution, record: Any) -> list[Sample]:
    """Return the samples of a labelled record: of one that was edited, its correct solution before it.

    Raises:
        MalformedRecordError: the record has no question, or is of our own layout and is not a whole sample.
    """
    if not (labelled.question or "").strip():
        raise MalformedRecordError("question", "expected text", repr(labelled.question)[:60])
    question = labelled.question or ""
    places, truth = read_item(question, labelled.solution).places(), stated_truth(labelled)
    if labelled.layout.name == "sample":
        sample = Sample.of_record(record)
        if sample.truth.line and sample.truth.line not in places:
            raise MalformedRecordError("line", f"expected one of {', '.join(places)}", repr(sample.truth.line)[:60])
        fine = labelled.stated.error_type if labelled.stated.error_type in set(ErrorType) else ""
        return [_placed(replace(sample, truth=replace(sample.truth, error_type=fine)))]
    if truth.error_type == ErrorType.COMPUTATIONAL:
        truth = replace(truth, error_type="")
    if truth.line not in places:
        truth = replace(truth, line="")
    given = labelled.reference or ""
    reference = given.strip("\n") if labelled.edited else given.strip()
    base, named = labelled.identifier or labelled.name, labelled.problem_id
    flawed = Sample(
        sample_id=base,
        problem_id=named if named and named != labelled.identifier else f"q:{question.strip()[:200]}",
        question=question,
        solution=labelled.solution,
        truth=truth,
        source=labelled.layout.name,
        licence=labelled.layout.licence,
        operator=labelled.operator,
        reference="\n".join(with_answer(reference.split("\n"))) if reference else "",
    )
    if not (labelled.edited and reference):
        return [_placed(flawed)]
    ending = "transformed" if labelled.layout.name == "eic" else "flawed"
    flawed = replace(flawed, sample_id=f"{base}:{ending}", reference=given)
    return [flawed.corrected(f"{base}:original"), _placed(flawed)]


def _placed(sample: Sample) -> Sample:
    """Return a sample of a foreign record with the position of its error."""
    return replace(sample, position=position_of(sample.truth.line, len(split_solution(sample.solution).lines)))
