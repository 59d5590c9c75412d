"""Samples with known truth as rows of evidence, which a combiner is fitted on."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError, read_record
from sft.samples.items import Sample
from sft.samples.solution_text import read_item
from sft.verifier.case import EVIDENCE, Case
from sft.verifier.combiner.combiner import SOUND
from sft.verifier.model_scores import Scores

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path


def read_samples(paths: Sequence[Path]) -> Iterator[Sample]:
    """Yield the samples of JSONL files.

    Raises:
        HarnessError: a file cannot be read, or a line is not a sample.
    """
    for path in paths:
        for number, record in read_records(path):
            try:
                yield Sample.of_record(record)
            except MalformedRecordError as error:
                raise HarnessError(f"{path}:{number}: is no sample ({error})") from None


def read_scores(paths: Sequence[Path], wanted: frozenset[str], *, twins: bool) -> dict[str, Scores]:
    """Return the scores of the wanted samples in JSONL files of `{"sample_id", "scores": {…}}`; `twins` keeps the scores of twins.

    Raises:
        HarnessError: a file cannot be read, or a line holds no scores.
    """
    scores_of: dict[str, Scores] = {}
    for path in paths:
        for number, record in read_records(path):
            try:
                if record["sample_id"] in wanted:
                    scores = read_record(Scores, record.get("scores", record))
                    scores_of[record["sample_id"]] = scores if twins else Scores(scores.places)
            except (KeyError, TypeError, AttributeError, MalformedRecordError) as error:
                raise HarnessError(f"{path}:{number}: holds no scores of a sample ({error})") from None
    return scores_of


def rows_of(
    samples: Sequence[Sample], scores: Mapping[str, Scores] | None, only: Collection[str] | None = None
) -> list[dict[str, float]]:
    """Return the features of each sample; without scores, those that need none; `only` names the kinds of evidence to read.

    Raises:
        HarnessError: a sample has no scores, although scores are given.
    """
    if scores is not None:
        missing = [sample.sample_id for sample in samples if sample.sample_id not in scores]
        if missing:
            message = f"{len(missing):,} of {len(samples):,} samples have no scores, such as {missing[0]!r}; score the same file"
            raise HarnessError(message)
    return [
        EVIDENCE.features_of(
            Case(read_item(sample.question, sample.solution), None if scores is None else scores[sample.sample_id]),
            only,
        )
        for sample in samples
    ]


def label_of(sample: Sample) -> str | None:
    """Return the class of a sample, `None` for a flawed sample of unknown class."""
    if not sample.truth.flawed:
        return SOUND
    return None if sample.truth.error_class is None else str(sample.truth.error_class)


def balanced(labels: Sequence[str], shares: Mapping[str, float]) -> list[float]:
    """Return weights under which the named classes have the given shares and the mean weight is one; without shares, all weights are one."""
    if not shares:
        return [1.0] * len(labels)
    counts = Counter(labels)
    whole = sum(shares.get(name, 0.0) for name in counts)
    if whole <= 0:
        raise HarnessError(f"expected shares of {', '.join(counts)}, found {', '.join(shares)}")
    return [shares.get(name, 0.0) / whole * len(labels) / counts[name] for name in labels]
