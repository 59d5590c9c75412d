"""The question of each level about a solution; level `max` without training is the zero-shot question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from harness.errors import HarnessError
from harness.solution.labels import CORRECT, FLAWED, ErrorType
from sft.datasets.levels import LABELS, LabelForm, Level, read_label, solution_prompt, written_labels
from sft.datasets.rows import LEVEL_FORM
from sft.judges.question import LONGEST_WRITTEN, QuestionForm, closed_schema
from sft.samples.items import Item
from sft.samples.solution_judgement import LONGEST_EXPLANATION, Judgement
from sft.samples.solution_text import clean, read_item

SOLUTION_LEVELS = (*LABELS, Level.WHERE, Level.MAX)
UNSAID = "The model gave no explanation."


@dataclass(frozen=True, slots=True)
class SolutionForm(QuestionForm[Item, Judgement]):
    """The question of a level, its labels as words or as numbers."""

    level: Level = Level.MAX
    labels: LabelForm = LabelForm.WORDS

    def __post_init__(self) -> None:
        """Refuse a level that asks nothing of a solution.

        Raises:
            HarnessError: it is `validator`.
        """
        if self.level not in SOLUTION_LEVELS:
            message = f"level {self.level}: expected a level that judges solutions, one of {', '.join(SOLUTION_LEVELS)}"
            raise HarnessError(message)

    @classmethod
    def of(cls, level: str, labels: str = LabelForm.WORDS) -> SolutionForm:
        """Return the form of a level by name.

        Raises:
            HarnessError: there is no such level or form of labels, or the level judges no solution.
        """
        if level not in set(Level) or labels not in set(LabelForm):
            known = f"a level of {', '.join(Level)} and labels of {', '.join(LabelForm)}"
            raise HarnessError(f"level {level!r}, labels {labels!r}: expected {known}")
        return cls(Level(level), LabelForm(labels))

    @property
    def choices(self) -> tuple[str, ...]:
        """Return the labels of levels 1 to 4."""
        return written_labels(self.level, self.labels) if self.level in LABELS else ()

    def lacks(self, item: Item) -> str:
        """Return that level 2 has no correct solution to compare with, or nothing."""
        if self.level is Level.PAIR and not item.reference:
            return "level 2 compares a wrong solution with a correct one, and no correct one is given"
        return ""

    def prompt(self, item: Item) -> str:
        """Return the prompt of a solution, as training on samples writes it."""
        reference = LEVEL_FORM.show(read_item("", item.reference)) if item.reference else ""
        return solution_prompt(self.level, item.question, LEVEL_FORM.show(item), reference, labels=self.labels)

    def schema(self, item: Item) -> dict[str, Any]:
        """Return the schema: Correct without details, or Flawed at one of the places of an item."""
        properties: dict[str, Any] = {
            "error_type": {"enum": [str(error_type) for error_type in ErrorType]},
            "erroneous_line_number": {"enum": list(item.places())},
        }
        if self.level is Level.MAX:
            properties["explanation"] = {"type": "string", "minLength": 1, "maxLength": LONGEST_WRITTEN}
        return {
            "anyOf": [
                closed_schema({"verdict": {"const": CORRECT}, "error_details": {"type": "null"}}),
                closed_schema({"verdict": {"const": FLAWED}, "error_details": closed_schema(properties)}),
            ]
        }

    def labelled(self, chances: Mapping[str, float]) -> Judgement:
        """Return the judgement of the label that the likeliest text names first; its confidence is the probability of its verdict."""
        text = max(chances, key=lambda written: chances[written])
        named = {written: read_label(self.level, self.labels, written) for written in chances}
        label = named[text]
        if label is None:
            raise ValueError(f"expected {self.expected}, found {text[:60]!r}")
        same = sum(chances[written] for written, other in named.items() if other and other.flawed == label.flawed)
        valid = text.strip() in self.choices
        return Judgement(flawed=label.flawed, confidence=min(1.0, same), error_class=label.error_class, valid=valid)

    def judgement(self, record: Mapping[str, Any], item: Item, chance: float) -> Judgement:
        """Return the judgement of an object of the level, about a place of the item."""
        if set(record) != {"verdict", "error_details"} or record["verdict"] not in (CORRECT, FLAWED):
            raise ValueError(f"expected the fields verdict, {CORRECT} or {FLAWED}, and error_details")
        details = record["error_details"]
        if record["verdict"] == CORRECT:
            if details is not None:
                raise ValueError(f"error_details must be null where the verdict is {CORRECT}")
            return Judgement(flawed=False, confidence=chance)
        known = {"error_type": [*ErrorType], "erroneous_line_number": [*item.places()]}
        fields = [*known, *(["explanation"] if self.level is Level.MAX else [])]
        if not isinstance(details, dict) or set(details) != set(fields):
            raise ValueError(f"error_details must have the fields {', '.join(fields)} where it is {FLAWED}")
        for name, value in details.items():
            if not isinstance(value, str) or value not in known.get(name, [value]):
                raise ValueError(f"{name} must be one of {', '.join(known.get(name, ['a text']))[:400]}")
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

    def unjudged(self, reason: str) -> Judgement:
        """Return the judgement without a verdict."""
        return Judgement.unjudged(reason)

    def repaired(self, judgement: Judgement) -> Judgement:
        """Return the judgement, marked as not valid."""
        return replace(judgement, valid=False)
