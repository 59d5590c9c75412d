"""Reading datasets of labelled solutions: the solution line by line, and its label."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.solution.labels import ALIASES, FINAL_ANSWER, ErrorClass, ErrorType
from harness.text.characters import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

LONGEST_TEXT = 20_000
LONGEST_NAME = 200
MOST_LINES = 200
_LINE_NUMBER = re.compile(r"(?:L|line\s?|step\s?)?([1-9]\d{0,3})", re.IGNORECASE | re.ASCII)
_ANSWER = re.compile(r"\s*(?:(?P<mark>####)|\**final answer:?\**:?|A:)(?P<answer>.*)", re.IGNORECASE)
_BARE_ANSWER = re.compile(r"\s*[$€£]?\s?-?[\d,]*\.?\d+\s?%?\s*", re.ASCII)


class RejectionReason(enum.StrEnum):
    """The reasons why a record cannot be audited; the text before the colon of a rejection."""

    MALFORMED_RECORD = "malformed-record"
    NO_SOLUTION = "no-solution"
    NO_LABEL = "no-label"
    UNKNOWN_VERDICT = "unknown-verdict"
    UNKNOWN_ERROR_TYPE = "unknown-error-type"
    UNKNOWN_LINE = "unknown-line"
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

    `answer` is the text of the final answer, `None` without one; `before` is the number of lines before it.
    """

    lines: tuple[str, ...]
    answer: str | None
    before: int


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
    """A labelled solution: `reference` is the correct solution in the record, `edited` tells whether the flawed one was made from it."""

    name: str
    problem_id: str | None
    question: str | None
    worked: WorkedSolution
    reference: str | None
    edited: bool
    operator: str
    stated: StatedLabel


@dataclass(frozen=True, slots=True)
class RejectedRecord:
    """A record that cannot be audited, and the typed reason."""

    name: str
    problem_id: str | None
    reason: str


_TYPES: dict[str, ErrorClass | None] = {
    **{str(error_type): error_type.error_class for error_type in ErrorType},
    **{str(error_class): error_class for error_class in ErrorClass},
    "computational": ErrorClass.COMPUTATIONAL,
    "conceptual": ErrorClass.CONCEPTUAL,
    **{alias: error_type.error_class for alias, error_type in ALIASES.items()},
    "": None,
}
"""The class of each error type in datasets: the names of our taxonomy and those of other publications."""


class _Unusable(Exception):
    """The record cannot be audited."""


def split_solution(text: str) -> WorkedSolution:
    """Split a solution into the lines that labels count."""
    return _worked([line for line in text.split("\n") if line.strip()])


def _worked(written: Sequence[str], *, bare: bool = False) -> WorkedSolution:
    lines: list[str] = []
    answer, before = None, 0
    for place, line in enumerate(written):
        last = place == len(written) - 1
        match = _ANSWER.fullmatch(line)
        if match is not None and (match["mark"] or last):
            answer, before = match["answer"].strip(), len(lines)
        elif bare and last and _BARE_ANSWER.fullmatch(line):
            answer, before = line.strip(), len(lines)
        else:
            lines.append(line)
    return WorkedSolution(tuple(lines), answer, before)


def read_labelled(paths: Sequence[Path]) -> Iterator[LabelledSolution | RejectedRecord]:
    """Yield each record of labelled datasets, JSON lines, `.gz` or plain; a `name` is its file and its number from zero.

    The forms are `{question | problem_id, flawed_solution, label}`, the flat form `{…, error_type,
    erroneous_line_number}`, `{steps, first_error_step}`, whose last step may be the bare answer, `{question, solution,
    label: "correct"}` and `{…, solution, is_correct}`.

    Raises:
        HarnessError: a path is no file, or cannot be read, or is given twice.
    """
    for path, name in label_files(paths).items():
        for place, (_, record) in enumerate(read_records(path)):
            yield read_record(record, f"{name}#{place}")


def label_files(paths: Sequence[Path]) -> dict[Path, str]:
    """Name each file by its stem, by its folders too where stems repeat.

    Raises:
        HarnessError: a path is no file, or is given twice.
    """
    for path in paths:
        if not path.is_file():
            message = f"--harness-labels {str(path)!r}: no such file; give JSON lines {{problem_id, flawed_solution, label}}, plain or .gz"
            raise HarnessError(message)
    stems = [path.name.removesuffix(".gz").removesuffix(".jsonl") for path in paths]
    names: dict[Path, str] = {}
    for path, stem in zip(paths, stems, strict=True):
        parts = path.resolve().parts[-4:-1] if stems.count(stem) > 1 else ()
        name = "-".join([*parts, stem])
        if path in names or name in names.values():
            message = f"--harness-labels {str(path)!r}: the path is repeated, or its last folders have the same names as those of another file; give each file once, under a distinct path"
            raise HarnessError(message)
        names[path] = name
    return names


def read_record(record: Any, name: str) -> LabelledSolution | RejectedRecord:
    """Return the labelled solution of a record, or its rejection with the reason."""
    if isinstance(record, Exception):
        return RejectedRecord(name, None, f"{RejectionReason.MALFORMED_RECORD}: no JSON ({str(record)[:100]})")
    if not isinstance(record, dict):
        expectation = f"expected an object, found {kind_of(record)}"
        return RejectedRecord(name, None, f"{RejectionReason.MALFORMED_RECORD}: {expectation}")
    try:
        return _labelled(record, name)
    except _Unusable as unusable:
        problem_id = record.get("problem_id")
        known = isinstance(problem_id, str) and 0 < len(problem_id) <= LONGEST_NAME
        return RejectedRecord(name, problem_id if known else None, str(unusable))


def _labelled(record: Mapping[str, Any], name: str) -> LabelledSolution:
    problem_id = record.get("problem_id", record.get("id"))
    if isinstance(problem_id, int) and not isinstance(problem_id, bool):
        problem_id = _short(str(problem_id), "problem_id")
    operator = record.get("operator", record.get("model"))
    stated = _stated(record)
    written = _text(record, "flawed_solution")
    reference = _text(record, "solution") if written is not None else _text(record, "gold_solution")
    worked = _lines(record, written)
    bare_answer = isinstance(record.get("steps"), list) and worked.answer is not None
    if bare_answer and stated.line == f"L{len(worked.lines) + 1}":
        stated = replace(stated, line=FINAL_ANSWER)
    return LabelledSolution(
        name=name,
        problem_id=None if problem_id is None else _short(problem_id, "problem_id"),
        question=_text(record, "question") or _text(record, "problem"),
        worked=worked,
        reference=reference,
        edited=written is not None,
        operator=_short(operator, "operator") if isinstance(operator, str) and operator else "",
        stated=stated,
    )


def _lines(record: Mapping[str, Any], written: str | None) -> WorkedSolution:
    """Return the labelled solution."""
    steps = record.get("steps")
    if written is None and isinstance(steps, list):
        if not all(isinstance(step, str) for step in steps) or sum(map(len, steps)) > LONGEST_TEXT:
            raise _Unusable(
                f"{RejectionReason.MALFORMED_RECORD}: expected 'steps' to be lines of text, {LONGEST_TEXT:,} characters at most"
            )
        worked = _worked([step.replace("\n", " ") for step in steps], bare=True)
    else:
        text = _text(record, "solution") if written is None else written
        if text is None:
            raise _Unusable(f"{RejectionReason.NO_SOLUTION}: expected text in 'flawed_solution', 'solution' or 'steps'")
        worked = split_solution(text)
    if not worked.lines and worked.answer is None:
        raise _Unusable(f"{RejectionReason.NO_SOLUTION}: the solution is empty")
    if len(worked.lines) > MOST_LINES:
        raise _Unusable(f"{RejectionReason.TOO_LARGE}: {len(worked.lines):,} lines, of {MOST_LINES} at most")
    return worked


def _stated(record: Mapping[str, Any]) -> StatedLabel:
    """Return the label, whichever way the record says it."""
    label = record.get("label")
    if isinstance(record.get("is_correct"), bool) and label is None:
        return StatedLabel(LabelVerdict.RIGHT_ANSWER if record["is_correct"] else LabelVerdict.WRONG_ANSWER)
    if "first_error_step" in record and label is None:
        line = record["first_error_step"]
        return _details({**record, "erroneous_line_number": line}, first_only=True)
    if isinstance(label, dict):
        details = label.get("error_details")
        if _said(label.get("verdict")) is LabelVerdict.CORRECT:
            return StatedLabel(LabelVerdict.CORRECT)
        if details is not None and not isinstance(details, dict):
            raise _Unusable(
                f"{RejectionReason.NO_LABEL}: expected an object in 'error_details', found {str(details)[:40]!r}"
            )
        return _details(details or {})
    if label is not None:
        return StatedLabel(said) if (said := _said(label)) is LabelVerdict.CORRECT else _details(record)
    if "error_type" in record or "erroneous_line_number" in record:
        return _details(record)
    raise _Unusable(
        f"{RejectionReason.NO_LABEL}: expected 'label', 'erroneous_line_number', 'first_error_step' or 'is_correct'"
    )


def _said(verdict: Any) -> LabelVerdict:
    text = verdict.strip().lower() if isinstance(verdict, str) else ""
    if text in {"flawed", "incorrect", "wrong"}:
        return LabelVerdict.FLAWED
    if text == "correct":
        return LabelVerdict.CORRECT
    raise _Unusable(f"{RejectionReason.UNKNOWN_VERDICT}: expected 'Flawed' or 'Correct', found {str(verdict)[:40]!r}")


def _details(details: Mapping[str, Any], *, first_only: bool = False) -> StatedLabel:
    error_type = details.get("error_type") or ""
    coarse = details.get("error_class") or ""
    for name in (error_type, coarse):
        if not isinstance(name, str) or name not in _TYPES:
            raise _Unusable(
                f"{RejectionReason.UNKNOWN_ERROR_TYPE}: expected one of the taxonomy, found {str(name)[:40]!r}"
            )
    return StatedLabel(
        LabelVerdict.FLAWED,
        error_class=_TYPES[coarse] or _TYPES[error_type],
        error_type=str(ALIASES.get(error_type, error_type)),
        line=_line(details.get("erroneous_line_number")),
        explanation=_text(details, "explanation") or "",
        correction=_text(details, "correction") or "",
        first_only=first_only,
    )


def _line(line: Any) -> str:
    """Return `L3` for `L3`, `3`, or the number 3, and nothing where no line is named."""
    if line is None or line == "":
        return ""
    if line == FINAL_ANSWER:
        return FINAL_ANSWER
    number = str(line) if isinstance(line, int) and not isinstance(line, bool) and 0 < line < 10_000 else line
    match = _LINE_NUMBER.fullmatch(number) if isinstance(number, str) else None
    if match is None:
        raise _Unusable(
            f"{RejectionReason.UNKNOWN_LINE}: expected a line such as 'L3' or 'FA', found {str(line)[:40]!r}"
        )
    return f"L{match[1]}"


def _text(record: Mapping[str, Any], key: str) -> str | None:
    text = record.get(key)
    if text is None:
        return None
    if not isinstance(text, str):
        raise _Unusable(f"{RejectionReason.MALFORMED_RECORD}: expected text in {key!r}, found {kind_of(text)}")
    if len(text) > LONGEST_TEXT:
        raise _Unusable(
            f"{RejectionReason.TOO_LARGE}: {key!r} has {len(text):,} characters, of {LONGEST_TEXT:,} at most"
        )
    return text


def _short(text: Any, key: str) -> str:
    if not isinstance(text, str) or not 0 < len(text) <= LONGEST_NAME:
        raise _Unusable(
            f"{RejectionReason.MALFORMED_RECORD}: expected a short text in {key!r}, found {str(text)[:40]!r}"
        )
    return text
