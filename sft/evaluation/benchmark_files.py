"""Conversion of files of other benchmarks into samples, with a reason for each record that cannot be read."""

from __future__ import annotations

import csv
import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from harness.corpora.labelled_solutions import LONGEST_TEXT, MOST_LINES, split_solution
from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.registry import Registry
from harness.solution.labels import FINAL_ANSWER, ErrorClass
from sft.samples.items import Sample, Truth, position_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

MOST_BYTES = 1_000_000_000
_SHOWN = 60
_CLASSES = {
    **{str(error_class): error_class for error_class in ErrorClass},
    "computational": ErrorClass.COMPUTATIONAL,
    "conceptual": ErrorClass.CONCEPTUAL,
}


class UnreadableRecord(Exception):
    """A record does not have the expected shape; the message names the field, the expectation and the value."""


@dataclass(frozen=True, slots=True)
class BenchmarkAdapter:
    """A format of files: `read` turns one record, with a name for it, into samples; `marks` are the fields that identify it."""

    name: str
    read: Callable[[Mapping[str, Any], str], Iterable[Sample]]
    marks: tuple[str, ...]
    about: str


ADAPTERS: Registry[BenchmarkAdapter] = Registry("sft.evaluation.adapters")
Read = TypeVar("Read", bound="Callable[[Mapping[str, Any], str], Iterable[Sample]]")


def adapter(name: str, *marks: str) -> Callable[[Read], Read]:
    """Register the reader of a format under its name for `--adapt`."""

    def register(read: Read) -> Read:
        ADAPTERS.add(BenchmarkAdapter(name, read, marks, (read.__doc__ or "").strip().partition("\n")[0]))
        return read

    return register


def adapt(path: Path, name: str = "") -> list[Sample]:
    """Return the samples of a file: JSON lines, a JSON list or CSV; the format is found by its fields if none is named.

    Raises:
        HarnessError: the file or format does not exist, a record has another format (the message gives its line), an id
            occurs twice, or there is no record.
    """
    if not path.is_file():
        problem = "is a folder" if path.is_dir() else "no such file"
        raise HarnessError(f"{path}: {problem}; give JSON lines, a JSON list or CSV")
    reader = ADAPTERS.require(name) if name else None
    samples: dict[str, Sample] = {}
    for line, record in _records(path):
        try:
            reader = reader or _adapter_of(_object(record))
            converted = list(reader.read(_object(record), f"{stem(path)}-{line}"))
        except UnreadableRecord as error:
            shape = f" ({reader.name})" if reader else ""
            raise HarnessError(f"{path}:{line}{shape}: {error}") from None
        for sample in converted:
            if sample.sample_id in samples:
                raise HarnessError(f"{path}:{line}: the id {sample.sample_id[:_SHOWN]!r} is given twice")
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


def _object(record: Any) -> Mapping[str, Any]:
    if isinstance(record, dict):
        return record
    description = f"no JSON ({str(record)[:_SHOWN]})" if isinstance(record, Exception) else type(record).__name__
    raise UnreadableRecord(f"expected an object, found {description}")


def _adapter_of(record: Mapping[str, Any]) -> BenchmarkAdapter:
    fitting = [shape for shape in ADAPTERS if all(mark in record for mark in shape.marks)]
    if fitting:
        return max(fitting, key=lambda shape: len(shape.marks))
    known = "; ".join(f"{shape.name}: {', '.join(shape.marks)}" for shape in ADAPTERS)
    raise UnreadableRecord(f"no known shape has the fields {', '.join(sorted(record))[:200]}; known: {known}")


def _records(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield each record with its line, or with its number from one in a JSON list."""
    if path.stat().st_size > MOST_BYTES:
        raise HarnessError(f"{path}: larger than {MOST_BYTES:,} bytes; split it")
    if path.suffix == ".csv":
        csv.field_size_limit(min(sys.maxsize, 10 * LONGEST_TEXT))
        with path.open(encoding="utf-8", errors="replace", newline="") as lines:
            rows = csv.DictReader(line.replace("\0", "") for line in lines)
            try:
                yield from ((rows.line_num, row) for row in rows)
            except csv.Error as error:
                raise HarnessError(f"{path}:{rows.line_num}: no CSV ({error})") from None
        return
    if path.suffix == ".json":
        try:
            listed = json.loads(path.read_text(encoding="utf-8", errors="replace"))
        except (ValueError, RecursionError):
            listed = None  # JSON lines under another name
        if isinstance(listed, list):
            yield from enumerate(listed, start=1)
            return
    yield from read_records(path)


def text_of(record: Mapping[str, Any], *keys: str) -> str:
    """Return the text of the first of the fields that is present."""
    for key in keys:
        if record.get(key) is not None:
            value = record[key]
            if not isinstance(value, str) or not value.strip():
                raise UnreadableRecord(f"expected text in {key!r}, found {_shown(value)}")
            if len(value) > LONGEST_TEXT:
                raise UnreadableRecord(f"{key!r} has {len(value):,} characters, of {LONGEST_TEXT:,} at most")
            return value
    raise UnreadableRecord(f"expected text in {' or '.join(map(repr, keys))}, found no such field")


def optional_text(record: Mapping[str, Any], key: str) -> str:
    """Return the text of a field, empty if it is absent."""
    return text_of(record, key) if isinstance(record.get(key), str) and record[key].strip() else ""


def name_of(record: Mapping[str, Any], key: str, default: str) -> str:
    """Return the short name or number in a field, `default` if the field is absent."""
    value = record.get(key)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, (str, int)) or not 0 < len(str(value)) <= 200:
        raise UnreadableRecord(f"expected a short name in {key!r}, found {_shown(value)}")
    return str(value)


def steps_of(record: Mapping[str, Any], key: str) -> list[str]:
    """Return the steps of a field, each on one line; empty ones keep their number as `(nothing)`."""
    steps = record.get(key)
    if not isinstance(steps, list) or not steps or not all(isinstance(step, str) for step in steps):
        raise UnreadableRecord(f"expected a list of texts in {key!r}, found {_shown(steps)}")
    if len(steps) > MOST_LINES or sum(map(len, steps)) > LONGEST_TEXT:
        raise UnreadableRecord(
            f"{key!r} has {len(steps)} steps of {sum(map(len, steps)):,} characters, of {MOST_LINES} and {LONGEST_TEXT:,} at most"
        )
    return [" ".join(step.split()) or "(nothing)" for step in steps]


def with_answer(steps: Sequence[str]) -> list[str]:
    """Return the steps; a last step that is a bare number is marked as the final answer."""
    last = steps[-1].strip().removeprefix("$").replace(",", "").rstrip("%").strip()
    bare = last.removeprefix("-").replace(".", "", 1).isdecimal()
    return [*steps[:-1], f"#### {steps[-1].strip()}"] if bare else list(steps)


def class_named(name: Any, key: str) -> ErrorClass:
    """Return the coarse class of a name, in our words or in those of other benchmarks."""
    if not isinstance(name, str) or name not in _CLASSES:
        raise UnreadableRecord(f"expected one of {', '.join(sorted(_CLASSES))} in {key!r}, found {str(name)[:60]!r}")
    return _CLASSES[name]


def stated_line(steps: Sequence[str], value: Any, key: str, *, first: int) -> str:
    """Return the line, as labels count lines, of the step that a field numbers from `first`; `FA` for the final answer."""
    number = int(value) if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit() else value
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    last = first + len(steps) - 1
    if isinstance(number, bool) or not isinstance(number, int) or not first <= number <= last:
        raise UnreadableRecord(f"expected a step from {first} to {last} in {key!r}, found {_shown(value)}")
    return line_of_step(steps, number - first)


def line_of_step(steps: Sequence[str], place: int) -> str:
    """Return the line, as labels count lines, of a zero-based step; `FA` if the step is the final answer."""
    before = split_solution("\n".join(steps[:place])) if place else None
    lines = 0 if before is None else len(before.lines)
    whole = split_solution("\n".join(steps[: place + 1]))
    return f"L{lines + 1}" if len(whole.lines) > lines else FINAL_ANSWER


def sample_of(
    name: str,
    question: str,
    solution: str,
    truth: Truth,
    *,
    source: str,
    licence: str,
    problem_id: str = "",
    operator: str = "",
    reference: str = "",
) -> Sample:
    """Return a sample of a foreign record; without a `problem_id`, the question identifies the problem."""
    worked = split_solution(solution)
    if not worked.lines and worked.answer is None:
        raise UnreadableRecord("the solution is empty")
    return Sample(
        sample_id=name,
        problem_id=problem_id or f"q:{question.strip()[:200]}",
        question=question,
        solution=solution,
        truth=truth,
        source=source,
        licence=licence,
        operator=operator,
        reference=reference,
        position=position_of(truth.line, len(worked.lines)),
    )


def _shown(value: Any) -> str:
    return repr(value)[:_SHOWN] if value is not None else "nothing"
