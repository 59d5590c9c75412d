"""The question of each level as an engine asks it of a model, and the judgement that the answer gives."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError
from harness.solution.labels import CORRECT, FLAWED, ErrorType
from sft.datasets.level_labels import LABELS, LabelForm, Level, read_label, written_labels
from sft.datasets.prompts import solution_prompt
from sft.datasets.surface_forms import LEVEL_FORM
from sft.samples.solution_judgement import LONGEST_EXPLANATION, Judgement
from sft.samples.solution_text import clean, read_item

if TYPE_CHECKING:
    from sft.datasets.level_labels import LevelLabel
    from sft.samples.items import Item

SOLUTION_LEVELS = (*LABELS, Level.WHERE, Level.MAX)
UNSAID = "The model gave no explanation."
LONGEST_ANSWER = 4_000
LONGEST_WRITTEN = 240


@dataclass(frozen=True, slots=True)
class LevelForm:
    """A level with its labels: the prompt of a solution, the answers that it may have, and their judgement."""

    level: Level
    labels: LabelForm = LabelForm.WORDS

    def __post_init__(self) -> None:
        """Refuse a level that asks nothing of a solution.

        Raises:
            HarnessError: it is `lines` or `validator`.
        """
        if self.level not in SOLUTION_LEVELS:
            raise HarnessError(
                f"level {self.level}: expected a level that judges solutions, one of {', '.join(SOLUTION_LEVELS)}"
            )

    def lacks(self, item: Item) -> str:
        """Return the missing part of an item for this level, empty if none is missing."""
        if self.level is Level.PAIR and not item.reference:
            return "level 2 compares a wrong solution with a correct one, and no correct one is given"
        return ""

    def prompt(self, item: Item) -> str:
        """Return the prompt of a solution, as training on samples writes it."""
        reference = LEVEL_FORM.show(read_item("", item.reference)) if item.reference else ""
        return solution_prompt(self.level, item.question, LEVEL_FORM.show(item), reference, labels=self.labels)

    @property
    def choices(self) -> tuple[str, ...]:
        """Return the answers of a level that is answered by one label, none for the others."""
        return written_labels(self.level, self.labels) if self.level in LABELS else ()

    def schema(self, item: Item) -> dict[str, Any]:
        """Return the schema of an answer in JSON: Correct without details, or Flawed at one of the places of an item."""
        properties: dict[str, Any] = {
            "error_type": {"enum": [str(error_type) for error_type in ErrorType]},
            "erroneous_line_number": {"enum": list(item.places())},
        }
        if self.level is Level.MAX:
            properties["explanation"] = {"type": "string", "minLength": 1, "maxLength": LONGEST_WRITTEN}
        return {
            "anyOf": [
                _object({"verdict": {"const": CORRECT}, "error_details": {"type": "null"}}),
                _object({"verdict": {"const": FLAWED}, "error_details": _object(properties)}),
            ]
        }

    def judgement_of_choice(self, chances: dict[str, float]) -> Judgement:
        """Return the judgement of the likeliest label; `chances` are the probabilities of all labels."""
        text = max(chances, key=lambda written: chances[written])
        read = read_label(self.level, self.labels, text)
        if read is None:
            raise ValueError(f"{text!r} is no label of level {self.level}")
        same = sum(
            chance
            for written, chance in chances.items()
            if (other := read_label(self.level, self.labels, written)) is not None
            and other.label.flawed == read.label.flawed
        )
        return _of_label(read.label, min(1.0, same), valid=True)

    def read(self, text: str, item: Item) -> Judgement:
        """Return the judgement of a text; without a label or an object of the level, nothing is judged."""
        text = text[:LONGEST_ANSWER].strip()
        if self.level in LABELS:
            read = read_label(self.level, self.labels, text)
            if read is None:
                return self._unusable(text)
            return _of_label(read.label, 1.0, valid=read.exact)
        start, end = text.find("{"), text.rfind("}") + 1
        try:
            record = json.loads(text[start:end])
        except (ValueError, RecursionError):
            return self._unusable(text)
        judged = self.judgement_of_record(record, item)
        if judged is None:
            return self._unusable(text)
        return judged if (start, end) == (0, len(text)) else _repaired(judged)

    def judgement_of_record(self, record: Any, item: Item, chance: float = 1.0) -> Judgement | None:
        """Return the judgement of an object, with the probability of its verdict; `None` if it is not of this level."""
        if not isinstance(record, dict) or set(record) != {"verdict", "error_details"}:
            return None
        details = record["error_details"]
        if record["verdict"] == CORRECT and details is None:
            return Judgement(flawed=False, confidence=chance)
        fields = {"error_type", "erroneous_line_number"} | ({"explanation"} if self.level is Level.MAX else set())
        if record["verdict"] != FLAWED or not isinstance(details, dict) or set(details) != fields:
            return None
        if not all(isinstance(value, str) for value in details.values()):
            return None
        if details["error_type"] not in set(ErrorType) or details["erroneous_line_number"] not in item.places():
            return None
        error_type = ErrorType(details["error_type"])
        explanation = " ".join(clean(details.get("explanation", "")).split())[:LONGEST_EXPLANATION]
        return Judgement(
            flawed=True,
            confidence=chance,
            error_class=error_type.error_class,
            error_type=error_type,
            line=details["erroneous_line_number"],
            explanation=explanation or UNSAID,
        )

    def _unusable(self, text: str) -> Judgement:
        expected = " or ".join(self.choices) or "a JSON object"
        return Judgement.unjudged(f"the model's answer is not usable: expected {expected}, found {text[:60]!r}")


def _of_label(label: LevelLabel, confidence: float, *, valid: bool) -> Judgement:
    return Judgement(flawed=label.flawed, confidence=confidence, error_class=label.error_class, valid=valid)


def _repaired(judged: Judgement) -> Judgement:
    return replace(judged, valid=False)


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
