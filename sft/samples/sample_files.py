"""Reading the files of samples that the command `train` takes."""

from collections.abc import Iterable
from pathlib import Path

from harness.command_line.runnable_commands import runnable
from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError
from sft.samples.items import Sample


def sample_files(files: Iterable[Path | str]) -> list[Path]:
    """Return the paths of files of samples; raises `HarnessError` where one is not a file, or is empty."""
    paths = [Path(file) for file in files]
    for path in paths:
        if not path.is_file() or not path.stat().st_size:
            make = runnable("oracle-factory datasets --run RUN --out DIR")
            why = "is empty" if path.is_file() else "no such file"
            raise HarnessError(f"{path}: {why}; expected JSONL of samples, make them: {make}")
    return paths


def read_samples(files: Iterable[Path | str]) -> list[Sample]:
    """Return the samples of JSONL files, plain or .gz; raises `HarnessError` where a file cannot be read, or a record is not a sample."""
    samples = []
    for path in map(Path, files):
        for number, record in read_records(path):
            try:
                samples.append(Sample.of_record(record))
            except MalformedRecordError as error:
                expected = "expected a solution with its label, as `datasets` writes samples-train.jsonl"
                raise HarnessError(f"{path}:{number}: is not a sample ({str(error)[:120]}); {expected}") from None
    return samples
