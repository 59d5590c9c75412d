"""The outcome of an engine on a sample: the prediction, and the true class and verdict."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.solution.labels import FLAWED, ErrorClass, named_error_type
from sft.samples.items import Sample, Truth
from sft.samples.solution_judgement import Judgement

RIGHT = "correct"
NO_CLASS = "none"
CLASSES = (RIGHT, str(ErrorClass.COMPUTATIONAL), str(ErrorClass.CONCEPTUAL))
"""The classes of the examination; a skipped step counts as conceptual."""
SAID = (*CLASSES, NO_CLASS)


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
    return {**record, "valid": judgement.valid, "seconds": None if seconds is None else round(seconds, 6)}


def read_prediction(record: Mapping[str, Any]) -> Prediction:
    """Return the prediction of a record of `answer_record`; an item that was not judged has no verdict."""
    # An earlier release kept predictions that were made elsewhere, which say less.
    confidence, seconds = record.get("confidence"), record.get("seconds")
    if record["verdict"] is None:
        return Prediction(None, NO_CLASS, confidence=confidence)
    flawed, details = record["verdict"] == FLAWED, record.get("error_details") or {}
    error_type = named_error_type(details.get("error_type"))
    return Prediction(
        flawed=flawed,
        said=class_of(record.get("error_class")) if flawed else RIGHT,
        error_type="" if error_type is None else str(error_type),
        line=details.get("erroneous_line_number", ""),
        confidence=confidence,
        valid=record.get("valid", True),
        seconds=seconds,
    )
