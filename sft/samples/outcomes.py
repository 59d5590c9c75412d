"""The outcome of an engine on a sample: the prediction, and the true class and verdict."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.solution.labels import CORRECT, FLAWED, ErrorClass, named_error_type
from sft.samples.solution_judgement import LONGEST_EXPLANATION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sft.samples.items import Sample, Truth
    from sft.samples.solution_judgement import Judgement

RIGHT = "correct"
NO_CLASS = "none"
CLASSES = (RIGHT, str(ErrorClass.COMPUTATIONAL), str(ErrorClass.CONCEPTUAL))
"""The classes of the examination; a skipped step counts as conceptual."""
SAID = (*CLASSES, NO_CLASS)
_LINE = re.compile(r"L[1-9][0-9]{0,2}|FA", re.ASCII)
_DETAILS = {"error_type", "erroneous_line_number", "explanation"}
_FURTHER = {"alias", "correction"}


@dataclass(frozen=True, slots=True)
class Prediction:
    """An answer in the form that metrics read; `said` is one of `SAID`, `flawed` is `None` without a verdict, which is never right.

    `confidence` is the stated probability that the verdict is right, `None` if not stated; `valid` tells whether the answer
    satisfied the schema; `seconds` is the time of the answer, `None` if not measured.
    """

    flawed: bool | None
    said: str
    error_type: str = ""
    line: str = ""
    confidence: float | None = None
    valid: bool = True
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class EvaluationOutcome:
    """A sample and an engine's answer on it; `dataset` is the file it came from."""

    dataset: str
    sample: Sample
    prediction: Prediction


def class_of(error_class: str | None) -> str:
    """Return one of `SAID` for the coarse class that an answer or a label names."""
    if error_class == ErrorClass.SKIPPED_STEP:
        return str(ErrorClass.CONCEPTUAL)
    return error_class if error_class in CLASSES[1:] else NO_CLASS


def gold_of(truth: Truth) -> str:
    """Return the class of a sample, `NO_CLASS` for a flawed sample of unknown class."""
    if not truth.flawed:
        return RIGHT
    return class_of(None if truth.error_class is None else str(truth.error_class))


def answer_record(judgement: Judgement, *, seconds: float | None) -> dict[str, Any]:
    """Return the stored form of a judgement: its JSON form, whether it is valid, and the seconds that it took."""
    record = judgement.record()
    bare = bool(judgement.error) or (judgement.flawed and not judgement.line)  # a label alone has no details
    valid = judgement.valid and (bare or satisfies({key: record[key] for key in ("verdict", "error_details")}))
    return {**record, "valid": valid, "seconds": None if seconds is None else round(seconds, 6)}


def read_prediction(record: Any) -> Prediction:
    """Return the prediction of an output line; every value is accepted.

    The verdict null with an `error` is no verdict; of the other values, all but `Correct` counts as flawed.
    Lines of `oracle-factory verify` and records of `answer_record` are both read.
    """
    if not isinstance(record, dict):
        return Prediction(flawed=True, said=NO_CLASS, valid=False)
    if record.get("verdict") is None and isinstance(record.get("error"), str):
        return Prediction(None, NO_CLASS, confidence=_within(record.get("confidence"), 1.0))
    flawed = record.get("verdict") != CORRECT
    stated = record.get("error_details")
    details: Mapping[str, Any] = stated if flawed and isinstance(stated, dict) else {}
    named, coarse = details.get("error_type"), record.get("error_class")
    error_type = named_error_type(named)
    if coarse is None and error_type is not None:
        coarse = str(error_type.error_class)
    line, confidence, seconds = details.get("erroneous_line_number"), record.get("confidence"), record.get("seconds")
    bare = {key: record.get(key) for key in ("verdict", "error_details") if key in record}
    return Prediction(
        flawed=flawed,
        said=class_of(coarse if isinstance(coarse, str) else None) if flawed else RIGHT,
        error_type="" if error_type is None else str(error_type),
        line=line if isinstance(line, str) and _LINE.fullmatch(line) else "",
        confidence=_within(confidence, 1.0),
        valid=record.get("valid", True) is True and (satisfies(bare) or _is_bare(record)),
        seconds=_within(seconds, math.inf),
    )


def _is_bare(record: Mapping[str, Any]) -> bool:
    """Tell whether a record is the verdict Flawed of a level that asks for no line: its class stands beside it."""
    return record.get("verdict") == FLAWED and record.get("error_details", "") is None and "error_class" in record


def _within(value: Any, most: float) -> float | None:
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if number and 0 <= value <= most else None


def satisfies(record: Any) -> bool:
    """Tell whether an object is a whole answer of a verifier, with details for `Flawed` and none for `Correct`.

    The type may be named by its alias, and be `conceptual_error` where the kind is unknown. The details may have the `alias` of the type and a `correction` besides.
    """
    if not isinstance(record, dict) or set(record) != {"verdict", "error_details"}:
        return False
    details = record["error_details"]
    if record["verdict"] == CORRECT:
        return details is None
    if record["verdict"] != FLAWED or not isinstance(details, dict) or set(details) - _FURTHER != _DETAILS:
        return False
    named, line, explanation = details["error_type"], details["erroneous_line_number"], details["explanation"]
    error_type = named_error_type(named)
    alias = None if error_type is None else error_type.alias
    return (
        (error_type is not None or named == ErrorClass.CONCEPTUAL)
        and details.get("alias", alias) == alias
        and isinstance(line, str)
        and _LINE.fullmatch(line) is not None
        and isinstance(explanation, str)
        and 0 < len(explanation) <= LONGEST_EXPLANATION
        and isinstance(details.get("correction", "-"), str)
        and 0 < len(details.get("correction", "-")) <= LONGEST_EXPLANATION
    )
