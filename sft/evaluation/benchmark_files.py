"""Conversion of files of other benchmarks into samples, with a reason for each record that cannot be read."""

from __future__ import annotations

import ast
import csv
import json
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from harness.corpora.labelled_solutions import (
    LONGEST_TEXT,
    MOST_LINES,
    LabelVerdict,
    RejectedRecord,
    read_record,
    split_solution,
)
from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError
from harness.solution.labels import FINAL_ANSWER, ErrorClass, ErrorType, named_error_type
from sft.samples.items import Sample, Truth, position_of
from sft.samples.outcomes import RIGHT
from sft.samples.solution_text import read_item

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
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
class BenchmarkLayout:
    """The layout of a benchmark's records: the fields that hold the parts of a sample, `truth`, which reads its label, and `operator`.

    `marks` are the fields by which the layout is known. `solution` holds a text or, with `steps`, a list of texts. `original` holds the correct
    solution, where a record is two samples with the endings `names`. `licence` is empty where it is that of the file.
    """

    name: str
    marks: tuple[str, ...]
    truth: Callable[[Mapping[str, Any], Sequence[str]], Truth]
    question: str = "question"
    solution: str = "solution"
    steps: Callable[[Mapping[str, Any], str], list[str]] | None = None
    identifier: str = ""
    problem: str = ""
    operator: Callable[[Mapping[str, Any]], str] = lambda _: ""
    reference: str = ""
    original: str = ""
    names: tuple[str, str] = ("", "")
    licence: str = "as the file's"

    def read(self, record: Mapping[str, Any], name: str) -> list[Sample]:
        """Return the samples of a record; `name` is for one without an id.

        Raises:
            UnreadableRecord: the record has another layout.
        """
        if self.name == OWN:
            return [_own_sample(record)]
        missing = [mark for mark in self.marks if mark not in record]
        if missing:
            raise UnreadableRecord(f"expected the field {missing[0]!r}, found {', '.join(sorted(record))[:200]}")
        question, base = text_of(record, self.question), name_of(record, self.identifier, name)
        if self.steps is None:
            solution = text_of(record, self.solution)
            lines = [line for line in solution.split("\n") if line.strip()]
        else:
            lines = self.steps(record, self.solution)
            solution = "\n".join(lines)
        truth = self.truth(record, lines)
        reference = optional_text(record, self.reference).strip()
        sample = Sample(
            sample_id=base + self.names[1],
            problem_id=name_of(record, self.problem, "") or f"q:{question.strip()[:200]}",
            question=question,
            solution=solution,
            truth=truth,
            source=self.name,
            licence=self.licence,
            operator=self.operator(record),
            reference="\n".join(with_answer(reference.split("\n"))) if reference else "",
        )
        if not self.original:
            return [placed_sample(sample)]
        original = text_of(record, self.original)
        right = replace(
            sample, sample_id=base + self.names[0], solution=original, truth=Truth(flawed=False), operator=""
        )
        return [placed_sample(right), placed_sample(replace(sample, reference=original))]


def adapt(path: Path, name: str = "") -> list[Sample]:
    """Return the samples of a file: JSON lines, a JSON list or CSV; the format is found by its fields if none is named.

    Raises:
        HarnessError: the file or format does not exist, a record has another format (the message gives its line), an id
            occurs twice, or there is no record.
    """
    if not path.is_file():
        problem = "is a folder" if path.is_dir() else "no such file"
        raise HarnessError(f"{path}: {problem}; give JSON lines, a JSON list or CSV")
    if name and name not in LAYOUTS:
        raise HarnessError(f"{name!r} is not known; known: {', '.join(LAYOUTS)}")
    layout = LAYOUTS[name] if name else None
    samples: dict[str, Sample] = {}
    for line, record in _records(path):
        try:
            layout = layout or _layout_of(_object(record))
            converted = layout.read(_object(record), f"{stem(path)}-{line}")
        except UnreadableRecord as error:
            shape = f" ({layout.name})" if layout else ""
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


def _layout_of(record: Mapping[str, Any]) -> BenchmarkLayout:
    fitting = [layout for layout in LAYOUTS.values() if all(mark in record for mark in layout.marks)]
    if fitting:
        return max(fitting, key=lambda layout: len(layout.marks))
    known = "; ".join(f"{layout.name}: {', '.join(layout.marks)}" for layout in LAYOUTS.values())
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


def placed_sample(sample: Sample) -> Sample:
    """Return a sample of a foreign record with the position of its error.

    Raises:
        UnreadableRecord: the solution is empty.
    """
    worked = split_solution(sample.solution)
    if not worked.lines and worked.answer is None:
        raise UnreadableRecord("the solution is empty")
    return replace(sample, position=position_of(sample.truth.line, len(worked.lines)))


def _shown(value: Any) -> str:
    return repr(value)[:_SHOWN] if value is not None else "nothing"


def _own_sample(record: Mapping[str, Any]) -> Sample:
    """Return the sample of a record as `oracle-factory evaluate --adapt` writes it."""
    try:
        sample = Sample.of_record(record)
    except MalformedRecordError as error:
        raise UnreadableRecord(f"no sample: {error}") from None
    for key in ("sample_id", "problem_id", "question", "solution"):
        text_of(record, key)
    places = read_item(sample.question, sample.solution).places()
    if sample.truth.line and sample.truth.line not in places:
        raise UnreadableRecord(f"expected one of {', '.join(places)} in 'line', found {sample.truth.line[:60]!r}")
    named, error_type = sample.truth.error_type, named_error_type(sample.truth.error_type)
    if named and error_type is None:
        raise UnreadableRecord(f"expected a type of the taxonomy or nothing in 'error_type', found {named[:60]!r}")
    placed_sample(sample)
    return replace(sample, truth=replace(sample.truth, error_type=str(error_type or "")))


def _examination(record: Mapping[str, Any], _: Sequence[str]) -> Truth:
    named = record["error_type"]
    return Truth(flawed=False) if named == RIGHT else Truth(flawed=True, error_class=class_named(named, "error_type"))


def _correctness(record: Mapping[str, Any], _: Sequence[str]) -> Truth:
    correct = record["is_correct"]
    if not isinstance(correct, bool):
        raise UnreadableRecord(f"expected true or false in 'is_correct', found {str(correct)[:60]!r}")
    return Truth(flawed=not correct)


def _process_label(record: Mapping[str, Any], steps: Sequence[str]) -> Truth:
    label = record["label"]
    if isinstance(label, bool) or not isinstance(label, int):
        raise UnreadableRecord(f"expected -1 or the zero-based first wrong step in 'label', found {label!r}"[:200])
    return Truth(flawed=False) if label == -1 else Truth(flawed=True, line=stated_line(steps, label, "label", first=0))


def _graded(record: Mapping[str, Any], steps: Sequence[str]) -> Truth:
    correctness = record["model_output_solution_correctness"]
    correct = {"correct": True, "true": True, "wrong": False, "incorrect": False, "false": False}.get(
        str(correctness).strip().lower()
    )
    if correct is None:
        raise UnreadableRecord(
            f"expected 'correct' or 'wrong' in 'model_output_solution_correctness', found {str(correctness)[:60]!r}"
        )
    if correct:
        return Truth(flawed=False)
    key = "model_output_solution_first_error_step"
    value, line = record.get(key), ""
    if value is not None and str(value).strip().upper() not in _NOT_APPLICABLE:
        line = stated_line(steps, value, key, first=1)
    reason = optional_text(record, "model_output_solution_first_error_reason")
    return Truth(flawed=True, line=line, explanation="" if reason.strip().upper() in _NOT_APPLICABLE else reason)


def _listed_steps(record: Mapping[str, Any], key: str) -> list[str]:
    """Return the steps of a list, of the text of a list as in CSV, or of lines."""
    steps = record[key]
    if isinstance(steps, str) and len(steps) <= LONGEST_TEXT:
        listed: Any = None
        if steps.lstrip().startswith("["):
            try:
                listed = ast.literal_eval(steps.strip())  # literals only: nothing is evaluated
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                listed = None
        listed = steps.split("\n") if listed is None else listed
        texts = isinstance(listed, list) and all(isinstance(step, str) for step in listed)
        steps = [step for step in listed if step.strip()] if texts else listed
    return steps_of({key: steps}, key)


def _first_error(record: Mapping[str, Any], steps: Sequence[str]) -> Truth:
    first, named = record["first_error_step"], record.get("error_type")
    if first is None:
        return Truth(flawed=False)
    line = stated_line(steps, first, "first_error_step", first=1)
    error_class = None if named is None else class_named(named, "error_type")
    return Truth(flawed=True, error_class=error_class, line=line, explanation=optional_text(record, "explanation"))


def _transformed(record: Mapping[str, Any], lines: Sequence[str]) -> Truth:
    named = optional_text(record, "error_type").strip().lower().replace("_", " ")
    error_class, error_type = EIC_TYPES.get(named, EIC_TYPES.get(f"{named} error", (None, "")))
    step, line = record.get("wrong_step"), ""
    if step is not None and step != "":
        line = stated_line(lines, step, "wrong_step", first=1)
    explanation = optional_text(record, "explanation")
    return Truth(flawed=True, error_class=error_class, error_type=error_type, line=line, explanation=explanation)


def _labelled(record: Mapping[str, Any], _: Sequence[str]) -> Truth:
    """Return the label of a record as people or the mutation stage write it; a line that the solution does not have counts as unknown."""
    labelled = read_record(record, "")
    if isinstance(labelled, RejectedRecord):
        raise UnreadableRecord(labelled.reason)
    stated = labelled.stated
    if stated.said is not LabelVerdict.FLAWED:
        raise UnreadableRecord(f"expected the label of a flawed solution, found {str(stated.said)!r}")
    places = read_item(text_of(record, "question"), text_of(record, "flawed_solution")).places()
    return Truth(
        flawed=True,
        error_class=stated.error_class,
        error_type=stated.error_type if stated.error_type in _FINE else "",
        line=stated.line if stated.line in places else "",
        explanation=stated.explanation,
    )


_NOT_APPLICABLE = {"", "N/A", "NA", "NONE"}
_FINE = frozenset(map(str, ErrorType)) - {str(ErrorClass.COMPUTATIONAL)}
_CONCEPTUAL = ErrorClass.CONCEPTUAL
EIC_TYPES: Mapping[str, tuple[ErrorClass, str]] = {
    "calculation error": (ErrorClass.COMPUTATIONAL, str(ErrorType.COMPUTATIONAL)),
    "counting error": (_CONCEPTUAL, ""),
    "context value error": (_CONCEPTUAL, str(ErrorType.INPUT_MISREPRESENTATION)),
    "hallucination": (_CONCEPTUAL, str(ErrorType.INPUT_MISREPRESENTATION)),
    "unit conversion error": (_CONCEPTUAL, str(ErrorType.UNIT_CONVERSION)),
    "operator error": (_CONCEPTUAL, str(ErrorType.OPERATOR_SWAP)),
    "formula confusion error": (_CONCEPTUAL, str(ErrorType.WRONG_FORMULA)),
    "missing step": (ErrorClass.SKIPPED_STEP, str(ErrorType.SKIPPED_STEP)),
    "contradictory step": (_CONCEPTUAL, ""),
}
"""The nine types of EIC-Math, each with its class and, if there is one, its type of our taxonomy."""
OWN = "sample"
LAYOUTS = {
    layout.name: layout
    for layout in (
        # Li et al., arXiv 2406.00755, github.com/LittleCirc1e/EIC: a solution, and the same with an error in one step.
        BenchmarkLayout(
            name="eic",
            marks=("question", "original_solution", "transformed_solution"),
            truth=_transformed,
            solution="transformed_solution",
            identifier="id",
            operator=lambda record: optional_text(record, "error_type").strip().lower().replace(" ", "_"),
            original="original_solution",
            names=(":original", ":transformed"),
            licence="see the authors'",
        ),
        BenchmarkLayout("examination", ("question", "solution", "error_type"), _examination, problem="problem_id"),
        # Flawed solutions beside their correct originals, as people or the mutation stage write them.
        BenchmarkLayout(
            name="human",
            marks=("problem_id", "question", "solution", "flawed_solution"),
            truth=_labelled,
            solution="flawed_solution",
            identifier="flaw_id",
            problem="problem_id",
            operator=lambda record: name_of(record, "operator", name_of(record, "model", "")),
            original="solution",
            names=(":original", ":flawed"),
        ),
        BenchmarkLayout(
            name="is-correct",
            marks=("question", "solution", "is_correct"),
            truth=_correctness,
            problem="problem_id",
            operator=lambda record: name_of(record, "model", ""),
        ),
        # github.com/dvlab-research/MR-GSM8K, README.
        BenchmarkLayout(
            name="mr-gsm8k",
            marks=("question", "model_output_steps", "model_output_solution_correctness"),
            truth=_graded,
            solution="model_output_steps",
            steps=_listed_steps,
            identifier="uuid",
            operator=lambda record: name_of(record, "question_type", ""),
            licence="Apache-2.0",
        ),
        # huggingface.co/datasets/Qwen/ProcessBench, README.
        BenchmarkLayout(
            name="processbench",
            marks=("problem", "steps", "label", "final_answer_correct"),
            truth=_process_label,
            question="problem",
            solution="steps",
            steps=steps_of,
            identifier="id",
            operator=lambda record: name_of(record, "generator", ""),
            licence="Apache-2.0",
        ),
        BenchmarkLayout(
            OWN, ("sample_id", "problem_id", "question", "solution", "flawed"), lambda *_: Truth(flawed=False)
        ),
        # eth-lre/verify-then-generate: a last step that is a bare number is the final answer.
        BenchmarkLayout(
            name="verify-then-generate",
            marks=("problem", "steps", "first_error_step"),
            truth=_first_error,
            question="problem",
            solution="steps",
            steps=lambda record, key: with_answer(steps_of(record, key)),
            identifier="id",
            reference="gold_solution",
            licence="CC-BY-4.0",
        ),
    )
}
"""The layouts of benchmark files by name, in the order of their names."""
