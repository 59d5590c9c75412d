"""Reading of JSONL files of other origin as records of a class."""

from collections.abc import Iterator
from pathlib import Path

from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError, RecordClass, read_record


def read_file(record_class: type[RecordClass], path: Path) -> Iterator[RecordClass]:
    """Yield the records of a JSONL file, plain or `.gz`.

    Raises:
        HarnessError: the file cannot be read, or a line is no such record; the message names file, line, field and what was expected.
    """
    for number, form in read_records(path):
        try:
            yield read_record(record_class, form)
        except MalformedRecordError as error:
            raise HarnessError(f"{path}:{number}: {error}") from None
