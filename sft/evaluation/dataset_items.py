"""The items that engines judge in an evaluation: samples of files of any benchmark, each with its dataset and its key."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from harness.corpora import labelled_solutions
from harness.corpora.field_roles import FieldNames, TakenFields
from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError
from harness.solution.labels import ErrorType
from harness.store.run_folder import fingerprint
from sft.datasets.sources import stated_truth
from sft.samples.items import Item, ProblemSample, Sample
from sft.samples.solution_text import read_item

ALL = "all"
"""The dataset of the figures on the items of all datasets."""
SampleT = TypeVar("SampleT", Sample, ProblemSample)


@dataclass(frozen=True, slots=True)
class EvaluationItem(Generic[SampleT]):
    """A sample of a dataset."""

    dataset: str
    sample: SampleT

    @property
    def key(self) -> tuple[str, str]:
        """Return the identifier: dataset and id of the sample."""
        return self.dataset, self.sample.sample_id

    @property
    def text(self) -> str:
        """Return a hash of the text that an engine reads."""
        return fingerprint([self.sample.question, self.sample.solution])


SolutionItem = EvaluationItem[Sample]


def item_of(sample: Sample) -> Item:
    """Return the item that an engine reads: the texts without the label, and a correct solution if there is one."""
    return replace(read_item(sample.question, sample.solution), reference=sample.reference)


def read_items(
    paths: Sequence[Path], *, shape: str = "", named: FieldNames | None = None, taken: TakenFields | None = None
) -> list[SolutionItem]:
    """Return the samples of files; a dataset has the name of its file, with the folder if names repeat; fields as in `adapt`.

    Raises:
        HarnessError: a file cannot be read, or is given twice.
    """
    stems = [stem(path) for path in paths]
    items: dict[tuple[str, str], SolutionItem] = {}
    for path, name in zip(paths, stems, strict=True):
        dataset = name if stems.count(name) == 1 else f"{path.resolve().parent.name}-{name}"
        for sample in adapt(path, shape, named=named, taken=taken):
            item = EvaluationItem(dataset, sample)
            if item.key in items:
                raise HarnessError(f"--items {path}: given twice, or not to be told from another by its folder")
            items[item.key] = item
    return list(items.values())


def items_of_drawn_problems(items: Sequence[SolutionItem], problems: int, seed: int) -> list[SolutionItem]:
    """Return all items of `problems` drawn problems of each dataset, in order."""
    kept: set[tuple[str, str]] = set()
    for dataset in datasets_of(items):
        names = sorted({item.sample.problem_id for item in items if item.dataset == dataset})
        random.Random(f"{seed}:{dataset}").shuffle(names)
        kept.update((dataset, name) for name in names[:problems])
    return [item for item in items if (item.dataset, item.sample.problem_id) in kept]


def datasets_of(items: Iterable[EvaluationItem[SampleT]]) -> list[str]:
    """Return the names of the datasets in order of appearance."""
    return list(dict.fromkeys(item.dataset for item in items))


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
    if name and name not in labelled_solutions.LAYOUTS:
        raise HarnessError(f"{name!r} is not known; known: {', '.join(labelled_solutions.LAYOUTS)}")
    layout = labelled_solutions.LAYOUTS[name] if name else None
    samples: dict[str, Sample] = {}
    for line, record in read_records(path):
        labelled = labelled_solutions.read_record(record, f"{stem(path)}-{line}", layout, named=named)
        if isinstance(labelled, labelled_solutions.RejectedRecord):
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


def samples_of(labelled: labelled_solutions.LabelledSolution, record: Any) -> list[Sample]:
    """Return the samples of a labelled record: of one that was edited, its correct solution before it.

    Raises:
        MalformedRecordError: the record has no question, or is of our own layout and is not a whole sample.
    """
    question = labelled.question or ""
    truth = stated_truth(labelled)
    if not question.strip():
        raise MalformedRecordError("question", "expected text", repr(labelled.question)[:60])
    places = read_item(question, labelled.solution).places()
    if labelled.layout.name == "sample":
        sample = Sample.of_record(record)
        if sample.truth.line and sample.truth.line not in places:
            raise MalformedRecordError("line", f"expected one of {', '.join(places)}", repr(sample.truth.line)[:60])
        fine = labelled.stated.error_type if labelled.stated.error_type in set(ErrorType) else ""
        return [replace(sample, truth=replace(sample.truth, error_type=fine))]
    if truth.error_type == ErrorType.COMPUTATIONAL:
        truth = replace(truth, error_type="")
    if truth.line not in places:
        truth = replace(truth, line="")
    base, named = labelled.identifier or labelled.name, labelled.problem_id
    given = labelled.reference or ""
    edited = labelled.edited and bool(given.strip("\n"))
    flawed_name = f"{base}:{'transformed' if labelled.layout.name == 'eic' else 'flawed'}" if edited else base
    reference = "\n".join(labelled_solutions.with_answer(given.strip().split("\n"))) if given.strip() else ""
    group = named if named and named != labelled.identifier else f"q:{question.strip()[:200]}"
    origin = {"source": labelled.layout.name, "licence": labelled.layout.licence, "operator": labelled.operator}
    texts: dict[str, Any] = {"question": question, "solution": labelled.solution, **origin}
    flawed = Sample(flawed_name, group, truth=truth, reference=given if edited else reference, **texts)
    return [flawed.corrected(f"{base}:original"), flawed] if edited else [flawed]
