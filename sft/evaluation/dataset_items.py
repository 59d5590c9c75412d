"""The items that engines judge in an evaluation, each with its dataset and its key."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.corpora.field_roles import FieldNames, TakenFields
from harness.errors import HarnessError
from harness.store.run_folder import fingerprint
from sft.evaluation.benchmark_files import adapt, stem
from sft.samples.items import Item, Sample
from sft.samples.solution_text import read_item


@dataclass(frozen=True, slots=True)
class EvaluationItem:
    """A sample of a dataset."""

    dataset: str
    sample: Sample

    @property
    def key(self) -> tuple[str, str]:
        """Return the identifier: dataset and id of the sample."""
        return self.dataset, self.sample.sample_id

    @property
    def text(self) -> str:
        """Return a hash of the text that an engine reads."""
        return fingerprint([self.sample.question, self.sample.solution])

    def item(self) -> Item:
        """Return the item that an engine reads: the texts without the label, and a correct solution if there is one."""
        item = read_item(self.sample.question, self.sample.solution)
        return replace(item, reference=self.sample.reference) if self.sample.reference else item

    def record(self) -> dict[str, Any]:
        """Return the JSON form, a sample's with one more field."""
        return {"dataset": self.dataset, **self.sample.record()}


def read_items(
    paths: Sequence[Path],
    *,
    shape: str = "",
    named: FieldNames | None = None,
    taken: TakenFields | None = None,
) -> list[EvaluationItem]:
    """Return the samples of files; a dataset has the name of its file, with the folder if names repeat; fields as in `adapt`.

    Raises:
        HarnessError: a file cannot be read, or is given twice.
    """
    stems = [stem(path) for path in paths]
    items: dict[tuple[str, str], EvaluationItem] = {}
    for path, name in zip(paths, stems, strict=True):
        dataset = name if stems.count(name) == 1 else f"{path.resolve().parent.name}-{name}"
        for sample in adapt(path, shape, named=named, taken=taken):
            item = EvaluationItem(dataset, sample)
            if item.key in items:
                raise HarnessError(f"--items {path}: given twice, or not to be told from another by its folder")
            items[item.key] = item
    return list(items.values())


def items_of_drawn_problems(items: Sequence[EvaluationItem], problems: int, seed: int) -> list[EvaluationItem]:
    """Return all items of `problems` drawn problems of each dataset, in order."""
    kept: set[tuple[str, str]] = set()
    for dataset in {item.dataset: None for item in items}:
        names = sorted({item.sample.problem_id for item in items if item.dataset == dataset})
        random.Random(f"{seed}:{dataset}").shuffle(names)
        kept.update((dataset, name) for name in names[:problems])
    return [item for item in items if (item.dataset, item.sample.problem_id) in kept]


def datasets_of(items: Iterable[EvaluationItem]) -> list[str]:
    """Return the names of the datasets in order of appearance."""
    return list({item.dataset: None for item in items})
