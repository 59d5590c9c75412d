"""Reading datasets of labelled solutions in the layouts that people publish: the solution line by line, and its label."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from harness.corpora.field_roles import FieldNames, RecordFields, Role, listed, read_fields
from harness.corpora.problems import read_records
from harness.corpora.record_layouts import no_record
from harness.errors import HarnessError
from harness.json_form import LONGEST_NAME
from harness.solution.labels import ALIASES, FINAL_ANSWER, ErrorClass, ErrorType
from harness.text.characters import kind_of
from harness.text.markup import ANSWER_LINE, unnumbered

LONGEST_TEXT = 20_000
MOST_LINES = 200
_SHOWN = 60
_LINE_NUMBER = re.compile(r"(?:L|line\s?|step\s?)?([1-9]\d{0,3})", re.IGNORECASE | re.ASCII)
_BARE_ANSWER = re.compile(r"\s*[$€£]?\s?-?[\d,]*\.?\d+\s?%?\s*", re.ASCII)


class RejectionReason(enum.StrEnum):
    """The reasons why a record cannot be audited; the text before the colon of a rejection."""

    MALFORMED_RECORD = "malformed-record"
    NO_SOLUTION = "no-solution"
    NO_LABEL = "no-label"
    UNKNOWN_VERDICT = "unknown-verdict"
    UNKNOWN_ERROR_TYPE = "unknown-error-type"
    UNKNOWN_LINE = "unknown-line"
    LABEL_COUNT = "label-count"
    TOO_LARGE = "too-large"


class LabelVerdict(enum.StrEnum):
    """The verdict of a label; a label `is_correct` is about the final answer only."""

    FLAWED = "flawed"
    CORRECT = "correct"
    WRONG_ANSWER = "wrong answer"
    RIGHT_ANSWER = "right answer"


@dataclass(frozen=True, slots=True)
class WorkedSolution:
    """A solution with the lines that labels count: `lines` are L1, L2, …, without blank lines and the final answer.

    `answer` is the text of the final answer, `None` without one; `before` is the number of lines before it. `names` are the names of all
    lines that are not blank, `FA` of the answer.
    """

    lines: tuple[str, ...]
    answer: str | None
    before: int
    names: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class StatedLabel:
    """A label as its record states it; `line` is `L3` or `FA`, or empty if the label names none.

    `first_only` marks a label of the first wrong line, which says nothing about later lines.
    """

    said: LabelVerdict
    error_class: ErrorClass | None = None
    error_type: str = ""
    line: str = ""
    explanation: str = ""
    correction: str = ""
    first_only: bool = False


@dataclass(frozen=True, slots=True)
class LabelledSolution:
    """A labelled solution: `reference` is the correct solution in the record, `edited` tells whether the flawed one was made from it.

    `solution` is its text, in which steps are lines; `identifier` is the record's own id, empty if it has none; `taken` names the fields of the
    question and the solution, and the layout of the label.
    """

    name: str
    problem_id: str | None
    question: str | None
    solution: str
    worked: WorkedSolution
    reference: str | None
    edited: bool
    operator: str
    stated: StatedLabel
    layout: Layout
    identifier: str
    taken: Mapping[Role, str] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class RejectedRecord:
    """A record that cannot be audited, and the typed reason."""

    name: str
    problem_id: str | None
    reason: str


class _UnusableError(Exception):
    """The record cannot be audited; `found` is the value that is not as expected."""

    def __init__(self, reason: RejectionReason, detail: str, *found: Any) -> None:
        shown = "".join(f", found {repr(value)[:_SHOWN]}" for value in found)
        super().__init__(f"{reason}: {detail}{shown}")


@dataclass(frozen=True, slots=True)
class Layout:
    """The fields of a dataset's records: `marks`, by which the layout is known and the first of which is the solution, and those of the other parts.

    `label` reads the label; it takes the record and the line name of each written line. `edited` tells that the solution was
    made from `reference`. `licence` is empty where it is that of the file.
    """

    name: str
    marks: tuple[str, ...]
    label: Callable[[Mapping[str, Any], Sequence[str]], StatedLabel]
    reference: str = "gold_solution"
    identifier: str = ""
    operator: tuple[str, ...] = ("operator", "model", "generator", "question_type")
    edited: bool = False
    licence: str = "as the file's"


def split_solution(text: str, *, by_name: bool = False) -> WorkedSolution:
    """Split a solution into the lines that labels count: the answer is a line `#### 5`, or a last line such as `Final answer: 5`.

    `by_name` takes a line `Final answer: 5` for the answer wherever it stands.
    """
    written = [line for line in text.split("\n") if line.strip()]
    lines: list[str] = []
    names: list[str] = []
    answer, before = None, 0
    for place, line in enumerate(written):
        match = ANSWER_LINE.fullmatch(unnumbered(line).strip())
        if match is not None and (match["mark"] or place == len(written) - 1 or (by_name and match["named"])):
            answer, before = match["answer"].strip(), len(lines)
            names.append(FINAL_ANSWER)
        else:
            lines.append(line)
            names.append(f"L{len(lines)}")
    return WorkedSolution(tuple(lines), answer, before, tuple(names))


def with_answer(steps: Sequence[str]) -> list[str]:
    """Return the steps; a last step that is a bare number is marked as the final answer."""
    bare = bool(steps) and _BARE_ANSWER.fullmatch(steps[-1]) is not None
    return [*steps[:-1], f"#### {steps[-1].strip()}"] if bare else list(steps)


def read_labelled(
    paths: Sequence[Path], named: FieldNames | None = None
) -> Iterator[LabelledSolution | RejectedRecord]:
    """Yield each record of labelled datasets, as `read_records` reads them; a `name` is its file and its number from zero.

    `named` are the fields that the user names. Errors as in `label_files` and `read_records`.
    """
    for path, name in label_files(paths).items():
        for place, (_, record) in enumerate(read_records(path)):
            yield read_record(record, f"{name}#{place}", named=named)


def label_files(paths: Sequence[Path]) -> dict[Path, str]:
    """Name each file by its stem, by its folders too where stems repeat; one that is no file, or is given twice, is a `HarnessError`."""
    for path in paths:
        if not path.is_file():
            raise HarnessError(
                f"--harness-labels {str(path)!r}: no such file; give JSON lines {{problem_id, flawed_solution, label}}, plain or .gz"
            )
    stems = [path.name.removesuffix(".gz").removesuffix(".jsonl") for path in paths]
    names: dict[Path, str] = {}
    for path, stem in zip(paths, stems, strict=True):
        parts = path.resolve().parts[-4:-1] if stems.count(stem) > 1 else ()
        name = "-".join([*parts, stem])
        if path in names or name in names.values():
            raise HarnessError(
                f"--harness-labels {str(path)!r}: the path is repeated, or its last folders have the same names as those of another file; give each file once, under a distinct path"
            )
        names[path] = name
    return names


def read_record(
    record: Any, name: str, layout: Layout | None = None, *, named: FieldNames | RecordFields | None = None
) -> LabelledSolution | RejectedRecord:
    """Return the labelled solution of a record, or its rejection with the reason; its fields tell the layout if none is given.

    `named` are the fields that the user names, or the fields of the record where they were read before.
    """
    if not isinstance(record, dict):
        return RejectedRecord(name, None, f"{RejectionReason.MALFORMED_RECORD}: {no_record(record)}")
    fields = named if isinstance(named, RecordFields) else read_fields(record, named or FieldNames())
    for role in (Role.QUESTION, Role.SOLUTION, Role.STEPS):
        if role in fields.unread:
            return RejectedRecord(
                name, None, f"{RejectionReason.MALFORMED_RECORD}: {fields.missing(role) or fields.unread[role]}"
            )
    try:
        return _labelled(fields, name, layout or _layout_of(fields.record))
    except _UnusableError as unusable:
        problem_id = record.get("problem_id")
        known = isinstance(problem_id, str) and 0 < len(problem_id) <= LONGEST_NAME
        return RejectedRecord(name, problem_id if known else None, str(unusable))


def _layout_of(record: Mapping[str, Any]) -> Layout:
    for layout in LAYOUTS.values():
        if all(mark in record for mark in layout.marks) and record[layout.marks[0]] is not None:
            return layout
    fields = ", ".join(sorted(map(str, record)))[:200]
    known = "; ".join(f"{layout.name}: {', '.join(layout.marks)}" for layout in LAYOUTS.values())
    detail = f"no known layout has the fields {fields or 'of an empty object'}; known: {known}"
    raise _UnusableError(RejectionReason.NO_SOLUTION, detail)


def _labelled(fields: RecordFields, name: str, layout: Layout) -> LabelledSolution:
    record = fields.record
    for mark in layout.marks:
        if mark not in record:
            detail = f"expected the field {mark!r}, found {', '.join(sorted(record))[:200]}"
            raise _UnusableError(RejectionReason.MALFORMED_RECORD, detail)
    solution = _solution(record, layout.marks[0])
    worked = split_solution(solution)
    if not worked.names:
        raise _UnusableError(RejectionReason.NO_SOLUTION, "the solution is empty")
    if len(worked.lines) > MOST_LINES:
        raise _UnusableError(RejectionReason.TOO_LARGE, f"{len(worked.lines):,} lines, of {MOST_LINES} at most")
    stated = layout.label(record, worked.names)
    for other in LAYOUTS.values():
        if other.marks[0] == layout.marks[0] == Role.STEPS and all(
            mark in record and not isinstance(record[mark], Mapping) for mark in other.marks
        ):
            second = other.label(record, worked.names)
            if (second.said, second.line) != (stated.said, stated.line):
                detail = f"{layout.marks[1]!r} and {other.marks[1]!r} state two labels"
                raise _UnusableError(RejectionReason.UNKNOWN_VERDICT, detail)
    operator = next((record[key] for key in layout.operator if record.get(key) is not None), "")
    return LabelledSolution(
        name=name,
        problem_id=_name(record, "problem_id", "id") or None,
        question=_text(record, "question") or None,
        solution=solution,
        worked=worked,
        reference=_text(record, layout.reference) or None,
        edited=layout.edited,
        operator=operator if isinstance(operator, str) and len(operator) <= LONGEST_NAME else "",
        stated=stated,
        layout=layout,
        identifier=_name(record, layout.identifier),
        taken={**fields.taken, Role.LABELS: f"{' and '.join(layout.marks[1:] or layout.marks)} (layout {layout.name})"},
    )


def _solution(record: Mapping[str, Any], key: str) -> str:
    """Return the solution; steps are lines, and empty ones keep their number as `(nothing)`."""
    if key != Role.STEPS:
        return _text(record, key)
    steps = record[key]
    if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
        raise _UnusableError(RejectionReason.MALFORMED_RECORD, f"expected a list of texts in {key!r}", steps)
    size = sum(map(len, steps))
    if len(steps) > MOST_LINES or size > LONGEST_TEXT:
        detail = f"{key!r} has {len(steps)} steps of {size:,} characters, of {MOST_LINES} and {LONGEST_TEXT:,} at most"
        raise _UnusableError(RejectionReason.TOO_LARGE, detail)
    return "\n".join(with_answer([step or "(nothing)" for step in steps]))


def _stated(record: Mapping[str, Any], _: Sequence[str]) -> StatedLabel:
    """Return a label as people or the mutation stage write it: a verdict, its details, or the details alone."""
    label = record.get("label")
    if label is None:
        if "error_type" not in record and "erroneous_line_number" not in record:
            raise _UnusableError(RejectionReason.NO_LABEL, "expected 'label', 'error_type' or 'erroneous_line_number'")
        return _CORRECT if record.get("error_type") == "correct" else _details(record)
    if _verdict(label.get("verdict") if isinstance(label, dict) else label) is LabelVerdict.CORRECT:
        return _CORRECT
    details = label.get("error_details", label) if isinstance(label, dict) else record
    if details is not None and not isinstance(details, dict):
        raise _UnusableError(RejectionReason.NO_LABEL, "expected an object in 'error_details'", details)
    return _details(details or {})


def _correctness(record: Mapping[str, Any], _: Sequence[str]) -> StatedLabel:
    return StatedLabel(LabelVerdict.RIGHT_ANSWER if _flag(record, "is_correct") else LabelVerdict.WRONG_ANSWER)


def _step_labels(record: Mapping[str, Any], names: Sequence[str]) -> StatedLabel:
    """Return the label of the first step that is labelled as wrong; later labels say nothing."""
    labels = listed(record["labels"])
    if not isinstance(labels, list) or any(type(label) not in {bool, int} or label not in {0, 1} for label in labels):
        raise _UnusableError(RejectionReason.UNKNOWN_VERDICT, "expected a list of true and false in 'labels'", labels)
    if len(labels) != len(names):
        raise _UnusableError(RejectionReason.LABEL_COUNT, f"{len(names)} steps with {len(labels)} labels")
    first = next((place for place, label in enumerate(labels) if not label), None)
    return _CORRECT if first is None else StatedLabel(LabelVerdict.FLAWED, line=names[first], first_only=True)


def _transformed(record: Mapping[str, Any], names: Sequence[str]) -> StatedLabel:
    named = _text(record, "error_type").strip().lower().replace("_", " ")
    line = _step_line(record, names, key="wrong_step", first=1)
    return _details({**record, "error_type": named, "erroneous_line_number": line})


def _graded(record: Mapping[str, Any], names: Sequence[str]) -> StatedLabel:
    key, prefix = "model_output_solution_correctness", "model_output_solution_first_error"
    if _verdict(record[key], key) is LabelVerdict.CORRECT:
        return _CORRECT
    reason = _text(record, f"{prefix}_reason")
    line = _step_line(record, names, key=f"{prefix}_step", first=1)
    explanation = "" if reason.strip().upper() in _NOT_APPLICABLE else reason
    return StatedLabel(LabelVerdict.FLAWED, line=line, explanation=explanation, first_only=True)


def _sample(record: Mapping[str, Any], _: Sequence[str]) -> StatedLabel:
    flawed = _flag(record, "flawed")
    return _details({**record, "erroneous_line_number": record.get("line")}) if flawed else _CORRECT


def _flag(record: Mapping[str, Any], key: str) -> bool:
    flag: Any = record[key]
    if not isinstance(flag, bool):
        raise _UnusableError(RejectionReason.UNKNOWN_VERDICT, f"expected true or false in {key!r}", flag)
    return flag


def _verdict(verdict: Any, key: str = "label") -> LabelVerdict:
    text = str(verdict).strip().lower()
    if text in {"flawed", "incorrect", "wrong", "false"}:
        return LabelVerdict.FLAWED
    if text in {"correct", "true"}:
        return LabelVerdict.CORRECT
    detail = f"expected 'flawed', 'wrong' or 'correct' in {key!r}"
    raise _UnusableError(RejectionReason.UNKNOWN_VERDICT, detail, verdict)


def _details(details: Mapping[str, Any], *, first_only: bool = False) -> StatedLabel:
    meant: list[ErrorType | ErrorClass | None] = []
    for key in ("error_class", "error_type"):
        name = details.get(key) or ""
        if not isinstance(name, str) or name not in _TYPES:
            raise _UnusableError(RejectionReason.UNKNOWN_ERROR_TYPE, f"expected one of the taxonomy in {key!r}", name)
        meant.append(_TYPES[name])
    coarse, fine = (meaning.error_class if isinstance(meaning, ErrorType) else meaning for meaning in meant)
    return StatedLabel(
        LabelVerdict.FLAWED,
        error_class=coarse or fine,
        error_type=str(meant[1]) if isinstance(meant[1], ErrorType) else details.get("error_type") or "",
        line=_line(details.get("erroneous_line_number")),
        explanation=_text(details, "explanation"),
        correction=_text(details, "correction"),
        first_only=first_only,
    )


def _line(line: Any) -> str:
    """Return `L3` for `L3`, `3`, or the number 3, and nothing where no line is named."""
    if line is None or line == "":
        return ""
    if line == FINAL_ANSWER:
        return FINAL_ANSWER
    match = _LINE_NUMBER.fullmatch(str(line)) if isinstance(line, str | int) and line is not True else None
    if match is None:
        raise _UnusableError(RejectionReason.UNKNOWN_LINE, "expected a line such as 'L3' or 'FA'", line)
    return f"L{match[1]}"


def _at_step(record: Mapping[str, Any], names: Sequence[str], *, key: str, first: int) -> StatedLabel:
    """Return the label of the first wrong step in a field; all is right where the field is empty."""
    line = _step_line(record, names, key=key, first=first)
    return _details({**record, "erroneous_line_number": line}, first_only=True) if line else _CORRECT


def _step_line(record: Mapping[str, Any], names: Sequence[str], *, key: str, first: int) -> str:
    """Return the line of the step that a field numbers from `first`; empty where it names none."""
    value = record.get(key)
    if value is None and key == "label":
        raise _UnusableError(RejectionReason.UNKNOWN_LINE, "expected -1 or a step in 'label'", None)
    if value is None or str(value).strip().upper() in _NOT_APPLICABLE:
        return ""
    number = int(value) if str(value).strip().removesuffix(".0").isdecimal() and float(value) < LONGEST_TEXT else -1
    if isinstance(value, bool) or not first <= number < first + len(names):
        raise _UnusableError(
            RejectionReason.UNKNOWN_LINE, f"expected a step from {first} to {first + len(names) - 1} in {key!r}", value
        )
    return names[number - first]


def _text(record: Mapping[str, Any], key: str) -> str:
    text = record.get(key)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise _UnusableError(RejectionReason.MALFORMED_RECORD, f"expected text in {key!r}, found {kind_of(text)}")
    if len(text) > LONGEST_TEXT:
        detail = f"{key!r} has {len(text):,} characters, of {LONGEST_TEXT:,} at most"
        raise _UnusableError(RejectionReason.TOO_LARGE, detail)
    return text


def _name(record: Mapping[str, Any], *keys: str) -> str:
    """Return the short text or number in the first of the fields that the record has, empty without one."""
    key = next((key for key in keys if record.get(key) is not None), "")
    value = record.get(key, "")
    if isinstance(value, bool) or not isinstance(value, str | int) or not bool(key) <= len(str(value)) <= LONGEST_NAME:
        raise _UnusableError(RejectionReason.MALFORMED_RECORD, f"expected a short text in {key!r}", value)
    return str(value)


_TYPES: dict[str, ErrorType | ErrorClass | None] = {
    "": None,
    **{str(error_class): error_class for error_class in ErrorClass},
    "computational": ErrorClass.COMPUTATIONAL,
    "conceptual": ErrorClass.CONCEPTUAL,
    **{str(error_type): error_type for error_type in ErrorType},
    **ALIASES,
    # Li et al., arXiv 2406.00755: the types of EIC.
    "calculation error": ErrorType.COMPUTATIONAL,
    "counting error": ErrorClass.CONCEPTUAL,
    "context value error": ErrorType.INPUT_MISREPRESENTATION,
    "hallucination": ErrorType.INPUT_MISREPRESENTATION,
    "unit conversion error": ErrorType.UNIT_CONVERSION,
    "operator error": ErrorType.OPERATOR_SWAP,
    "formula confusion error": ErrorType.WRONG_FORMULA,
    "missing step": ErrorType.SKIPPED_STEP,
    "contradictory step": ErrorClass.CONCEPTUAL,
}
"""The types of errors by the names of our taxonomy and of other publications."""
_NOT_APPLICABLE = {"", "N/A", "NA", "NONE", "-1"}
_CORRECT = StatedLabel(LabelVerdict.CORRECT)
LAYOUTS = {
    layout.name: layout
    for layout in (
        # Flawed solutions beside their correct originals, as people or the mutation stage write them.
        Layout("human", ("flawed_solution",), _stated, "solution", "flaw_id", edited=True),
        # Li et al., github.com/LittleCirc1e/EIC: a solution, and the same with an error in one step.
        Layout(
            "eic",
            ("transformed_solution", "original_solution"),
            _transformed,
            "original_solution",
            "id",
            ("error_type",),
            edited=True,
            licence="see the authors'",
        ),
        # As `oracle-factory evaluate --adapt` writes them.
        Layout("sample", ("solution", "sample_id", "flawed"), _sample, "reference", "sample_id"),
        # huggingface.co/docs/trl/dataset_formats, stepwise supervision; `read_fields` gives PRM800K this form, too.
        Layout("stepwise", ("steps", "labels"), _step_labels),
        # huggingface.co/datasets/Qwen/ProcessBench, README.
        Layout(
            "processbench",
            ("steps", "label"),
            partial(_at_step, key="label", first=0),
            identifier="id",
            licence="Apache-2.0",
        ),
        # github.com/dvlab-research/MR-GSM8K, README.
        Layout(
            "mr-gsm8k",
            ("steps", "model_output_solution_correctness"),
            _graded,
            identifier="uuid",
            licence="Apache-2.0",
        ),
        # eth-lre/verify-then-generate.
        Layout(
            "verify-then-generate",
            ("steps", "first_error_step"),
            partial(_at_step, key="first_error_step", first=1),
            identifier="id",
            licence="CC-BY-4.0",
        ),
        # github.com/WHGTyen/BIG-Bench-Mistake, README; the steps are followed by the answer that they give.
        Layout(
            "big-bench-mistake",
            ("steps", "mistake_index"),
            partial(_at_step, key="mistake_index", first=0),
            licence="Apache-2.0",
        ),
        Layout("is-correct", ("solution", "is_correct"), _correctness),
        Layout("examination", ("solution",), _stated),
    )
}
"""The layouts by name; of several that fit a record, the first one counts."""
