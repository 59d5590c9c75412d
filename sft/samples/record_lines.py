"""Judging a file or a pipe record by record: an interrupted run loses nothing, and tells how far it is."""

import contextlib
import gzip
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeVar

from harness.corpora.field_roles import FieldNames, RecordFields, Role, TakenFields, read_fields
from harness.corpora.labelled_solutions import LONGEST_TEXT
from harness.corpora.problems import stream_records
from harness.corpora.record_layouts import no_record
from harness.corpora.table_rows import row_records
from harness.errors import HarnessError
from harness.store.progress_line import StageProgress
from harness.store.run_folder import dump
from sft.samples.items import Item
from sft.samples.solution_text import read_item

RecordT = TypeVar("RecordT")
JudgementT = TypeVar("JudgementT")
PIPE = "-"
INTERRUPTED = 130
"""The exit status of a call that was interrupted."""


@dataclass(frozen=True, slots=True)
class RecordInput:
    """Records of a file or a pipe by the fields that the user names; `size` is the file's number of bytes, `taken` counts the fields."""

    stream: io.BufferedReader
    name: str
    named: FieldNames
    size: int = 0
    taken: TakenFields = field(default_factory=TakenFields)

    def done(self) -> float | None:
        """Return the share of the file that was read, `None` for a pipe."""
        return min(1.0, self.stream.tell() / self.size) if self.size and not self.stream.closed else None

    def records(self, *roles: Role) -> Iterator[RecordFields | str]:
        """Yield the fields of each record, or a message on what is wrong with it, such as a role that it lacks.

        Raises:
            HarnessError: the file cannot be read to its end, or its layout is not known.
        """
        for _, record in stream_records(self.stream, Path(self.name), every_line=True):
            if not isinstance(record, dict):
                yield no_record(record)
                continue
            fields = read_fields(record, self.named)
            self.taken.add({role: names for role, names in fields.taken.items() if role in roles})
            yield fields.missing(*roles) or fields


@contextlib.contextmanager
def open_input(name: str, named: FieldNames) -> Iterator[RecordInput]:
    """Open a file of records as `read_records` reads it, or standard input for `-`; raises `HarnessError` where the file cannot be read."""
    if name == PIPE:
        given: Any = sys.stdin.buffer
        yield RecordInput(given if hasattr(given, "peek") else io.BufferedReader(given), name, named)
        return
    path = Path(name)
    try:
        stream = path.open("rb")
    except OSError as error:
        message = f"{name}: cannot be read ({error.strerror}); give a file of records, or - for a pipe"
        raise HarnessError(message) from None
    with stream:
        yield RecordInput(stream, name, named, path.stat().st_size)


def given_fields(source: Any, named: FieldNames, *roles: Role, name: str, text: str = "") -> list[RecordFields | str]:
    """Return the fields of each record of a file, a list or a data frame that a caller of Python gives, or what is wrong with it; `name` and `text` as in `row_records`.

    Raises:
        HarnessError: the file cannot be read, it is none of these, or there is no record.
    """
    if isinstance(source, str | Path):
        with open_input(str(source), named) as given:
            read = list(given.records(*roles))
    else:
        records = (read_fields(record, named) for record in row_records(source, name, text=text))
        read = [fields.missing(*roles) or fields for fields in records]
    if not read:
        raise HarnessError(f"{name}: expected a file or at least one record, found none")
    return read


def read_items(source: RecordInput) -> Iterator[Item | str]:
    """Yield the item of each record, or a message about what is wrong with it."""
    for fields in source.records(Role.QUESTION, Role.SOLUTION):
        yield fields if isinstance(fields, str) else item_of(fields)


def item_of(fields: RecordFields) -> Item:
    """Return the item of a record with a question and a solution, with the worked solution or the answer that it states as right."""
    reference, gold = fields.reference[:LONGEST_TEXT], (fields.gold or "")[:LONGEST_TEXT]
    return replace(read_item(fields.question, fields.solution), reference=reference, gold=gold)


def judged_in_batches(
    given: Iterable[RecordT | str],
    judge: Callable[[Sequence[RecordT]], Iterable[JudgementT]],
    unjudged: Callable[[str], JudgementT],
    batch: int,
) -> Iterator[JudgementT]:
    """Yield a judgement on each record, in order, so many at a time; a string in place of a record says why it cannot be judged."""
    waiting = iter(given)
    while part := list(islice(waiting, batch)):
        judged = iter(judge([record for record in part if not isinstance(record, str)]))
        for record in part:
            yield unjudged(record) if isinstance(record, str) else next(judged)


def line_bytes(line: str) -> bytes:
    """Return a line as it is written; half a surrogate pair is written as its escape."""
    return f"{line}\n".encode("utf-8", "backslashreplace")


def partial_path(name: str) -> Path:
    """Return the file that holds the lines of an output until all are written."""
    return Path(f"{name}.partial")


@contextlib.contextmanager
def open_output(name: str) -> Iterator[IO[bytes] | gzip.GzipFile]:
    """Open a file, plain or `.gz`, that appears when all lines are written; or standard output for `-`.

    Raises `HarnessError` where the file cannot be written.
    """
    if name == PIPE:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    partial = partial_path(name)
    try:
        raw = partial.open("wb")
    except OSError as error:
        raise HarnessError(f"{name}: cannot be written ({error.strerror})") from None
    try:
        with raw:
            if name.endswith(".gz"):
                # Without a date in the gzip header, the same judgements give the same bytes.
                with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as stream:
                    yield stream
            else:
                yield raw
    except BaseException:  # raised again: an interruption, too, leaves no empty file
        if not partial.stat().st_size:
            partial.unlink()
        raise
    partial.replace(name)


class JudgedLine(NamedTuple):
    """The answer on a line: its JSON form, whether something was found, and why it could not be judged, empty if it was."""

    record: dict[str, Any]
    found: bool
    error: str = ""


def judge_file(
    source: str,
    target: str,
    progress: StageProgress,
    judged: Callable[[RecordInput], Iterator[JudgedLine]],
    named: FieldNames,
    *,
    batch: int,
    finding: str,
) -> int:
    """Write an answer for each record of a file, `-` for a standard stream; return 0, 1 if one cannot be judged, or 130 if interrupted.

    `finding` names a finding about a judged item, such as `flawed`. `judged` yields the answers on the records that are given, `batch` of
    which are judged at a time, and may open the engine: the input is there. `named` are the fields that the user names.
    Raises `HarnessError` where the file cannot be read or has no line, or the engine cannot be used.
    """
    count = found = unjudged = 0
    first_error = ""
    try:
        with open_input(source, named) as given:
            answers = judged(given)
            progress.began(0)
            with open_output(target) as output:
                for count, line in enumerate(answers, start=1):
                    output.write(line_bytes(dump(line.record)))
                    found += line.found
                    unjudged += bool(line.error)
                    first_error = first_error or (line.error and f"line {count}: {line.error}")
                    if count % batch == 0:
                        output.flush()  # a kill does not lose the lines
                    # A short file is read whole before its first line is judged.
                    done = given.done() or 0.0
                    progress.advanced(1, findings=int(line.found), share=done if done < 1 else 0.0)
    except BrokenPipeError:
        # The reader closed the pipe: the rest is discarded, also when the interpreter flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (HarnessError, OSError) as error:
        raise HarnessError(f"{error}{_kept_message(target, count)}") from None
    except KeyboardInterrupt:
        sys.stderr.write(f"{progress.stage}: interrupted{_kept_message(target, count)}\n")
        return INTERRUPTED
    if count:
        noun = progress.noun.removesuffix("s") if count == 1 else progress.noun
        progress.ended(f"{count:,} {noun}, {found:,} {finding}")
        progress.stream.write(f"{progress.stage}: {given.taken}\n")
    elif source != PIPE:
        raise HarnessError(f"{source}: the file is empty; expected records, one object a line")
    if unjudged:
        message = f"{unjudged:,} of {count:,} lines could not be judged; {first_error}"
        sys.stderr.write(f"{progress.stage}: {message}\n")
    return 1 if unjudged else 0


def _kept_message(target: str, count: int) -> str:
    """Return the message that names the file of so many judgements, empty of none."""
    return f"; what was judged is in {partial_path(target)}" if count and target != PIPE else ""
