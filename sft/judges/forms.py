"""The questions to a language model, about a problem or a solution at each level: prompts, the answers that they may have, and the judgements that these give.

Level `max` without training is the zero-shot question.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

from harness.errors import HarnessError
from harness.reply import answer_part, json_object
from harness.solution.labels import CORRECT, FLAWED, ErrorType
from harness.text.markup import clean
from sft.datasets.levels import LABELS, VALIDATION, LabelForm, Level, LevelForm
from sft.datasets.rows import LEVEL_FORM
from sft.samples.items import Item
from sft.samples.problem_judgement import PROBLEM_CLASSES, ProblemJudgement
from sft.samples.solution_judgement import LONGEST_EXPLANATION, Judgement
from sft.samples.solution_text import read_item

ItemT = TypeVar("ItemT")
JudgementT = TypeVar("JudgementT", Judgement, ProblemJudgement)
LONGEST_ANSWER = 8_000
LONGEST_WRITTEN = 240
"""In characters: the most of an explanation or a reason by a local model."""
START = '{"verdict": "'
"""The beginning of every answer that is an object."""
SOLUTION_LEVELS = (*LABELS, Level.WHERE, Level.MAX)
NO_REASON, NO_EXPLANATION = "The model gave no reason.", "The model gave no explanation."
_CLASSES = {problem_class.word: problem_class for problem_class in PROBLEM_CLASSES}


class QuestionForm(ABC, Generic[ItemT, JudgementT]):
    """A question about items: answered by one of `choices` where there are any, otherwise by a JSON object that begins with `START`."""

    @property
    def choices(self) -> tuple[str, ...]:
        """Return the labels of which an answer is one."""
        return ()

    @property
    def expected(self) -> str:
        """Return the description of an answer, for messages."""
        return " or ".join(self.choices) or "the JSON object alone"

    @abstractmethod
    def prompt(self, item: ItemT) -> str:
        """Return the prompt, as training writes it."""

    def lacks(self, item: ItemT) -> str:  # noqa: ARG002  # forms that need nothing more read no item
        """Return the missing part of an item for this question, empty if none is missing."""
        return ""

    @abstractmethod
    def schema(self, item: ItemT) -> dict[str, Any]:
        """Return the schema of an object that answers for an item."""

    @abstractmethod
    def judgement(self, record: Mapping[str, Any], item: ItemT, chance: float) -> JudgementT:
        """Return the judgement of an object, with the probability of its verdict; raises `ValueError` where the object is not an answer for this item."""

    def labelled(self, chances: Mapping[str, float]) -> JudgementT:
        """Return the judgement of the likeliest of some texts, which name choices; errors as in `judgement`."""
        raise ValueError(f"this question is not answered by a label such as {max(chances)[:60]!r}")

    @staticmethod
    @abstractmethod
    def unjudged(reason: str) -> JudgementT:
        """Return that an item was not judged, and why."""

    def read(self, text: str, item: ItemT, chance: float = 1.0) -> JudgementT:
        """Return the judgement of a model's text after its thoughts: a label, or the one JSON object in it; one among other text is not valid.

        Raises:
            ValueError: the text is not an answer for this item, such as several objects.
        """
        text = answer_part(text)[:LONGEST_ANSWER].strip()
        if self.choices:
            return self.labelled({text: chance})
        record = json_object(text)
        if record is None:
            raise ValueError(f"expected {self.expected}, found {text[:60]!r}")
        judgement = self.judgement(record, item, chance)
        return judgement if text[0] + text[-1] == "{}" else replace(judgement, valid=False)

    def read_or_unjudged(self, text: str, item: ItemT, chance: float = 1.0) -> JudgementT:
        """Return the judgement of a text, unjudged where it is not an answer."""
        try:
            return self.read(text, item, chance)
        except ValueError as error:
            return self.unjudged(f"the model's answer is not usable: {error}")


def closed_schema(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with exactly these fields."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


@dataclass(frozen=True, slots=True)
class ProblemForm(QuestionForm[str, ProblemJudgement]):
    """The question about the text of a problem."""

    level: ClassVar[Level] = Level.VALIDATOR

    def prompt(self, item: str) -> str:
        """Return the prompt of a problem."""
        return VALIDATION.prompt(clean(item))

    def schema(self, item: str = "") -> dict[str, Any]:  # noqa: ARG002  # the same for every problem
        """Return the schema of an answer, whose label belongs to its verdict."""
        reason = {"type": "string", "minLength": 1, "maxLength": LONGEST_WRITTEN}
        answers = []
        for verdict, problem_class in _CLASSES.items():
            label = {"verdict": {"const": verdict}, "class_label": {"const": int(problem_class)}}
            answers.append(closed_schema({**label, "reason": reason}))
        return {"anyOf": answers}

    def judgement(self, record: Mapping[str, Any], item: str, chance: float) -> ProblemJudgement:  # noqa: ARG002  # as above
        """Return the judgement of an object; a label beside the verdict must belong to it."""
        verdict = record.get("verdict")
        if not isinstance(verdict, str) or verdict not in _CLASSES:
            raise ValueError(f"verdict must be one of {', '.join(_CLASSES)}")
        problem_class, reason = _CLASSES[verdict], record.get("reason")
        if record.get("class_label", int(problem_class)) != int(problem_class):
            raise ValueError(f"class_label must be {int(problem_class)} where the verdict is {verdict}")
        words = " ".join(clean(reason).split()) if isinstance(reason, str) else ""
        return ProblemJudgement(problem_class, chance, words or NO_REASON)

    unjudged = staticmethod(ProblemJudgement.unjudged)


@dataclass(frozen=True, slots=True)
class SolutionForm(QuestionForm[Item, Judgement]):
    """The question of a level, its labels as words or as numbers."""

    level: Level = Level.MAX
    labels: LabelForm = LabelForm.WORDS

    def __post_init__(self) -> None:
        """Refuse a level that asks nothing of a solution; raises `HarnessError` where it is `validator`."""
        if self.level not in SOLUTION_LEVELS:
            message = f"level {self.level}: expected a level that judges solutions, one of {', '.join(SOLUTION_LEVELS)}"
            raise HarnessError(message)

    @classmethod
    def of(cls, level: str, labels: str = LabelForm.WORDS) -> SolutionForm:
        """Return the form of a level by name; raises `HarnessError` where there is no such level or form of labels, or the level judges no solution."""
        if level not in set(Level) or labels not in set(LabelForm):
            known = f"a level of {', '.join(Level)} and labels of {', '.join(LabelForm)}"
            raise HarnessError(f"level {level!r}, labels {labels!r}: expected {known}")
        return cls(Level(level), LabelForm(labels))

    @property
    def asked(self) -> LevelForm:
        """Return the form of prompts and labels."""
        return LevelForm(self.level, self.labels)

    @property
    def choices(self) -> tuple[str, ...]:
        """Return the labels of levels 1 to 4."""
        return self.asked.choices

    def lacks(self, item: Item) -> str:
        """Return that level 2 has no correct solution to compare with, or nothing."""
        if self.level is Level.PAIR and not item.reference:
            return "level 2 compares a wrong solution with a correct one, and no correct one is given"
        return ""

    def prompt(self, item: Item) -> str:
        """Return the prompt of a solution, as training on samples writes it."""
        reference = LEVEL_FORM.show(read_item("", item.reference)) if item.reference else ""
        return self.asked.prompt(item.question, LEVEL_FORM.show(item), reference)

    def schema(self, item: Item) -> dict[str, Any]:
        """Return the schema: Correct without details, or Flawed at one of the places of an item."""
        properties: dict[str, Any] = {"error_type": {"enum": [str(error_type) for error_type in ErrorType]}}
        properties["erroneous_line_number"] = {"enum": list(item.places())}
        if self.level is Level.MAX:
            properties["explanation"] = {"type": "string", "minLength": 1, "maxLength": LONGEST_WRITTEN}
        answers = {CORRECT: {"type": "null"}, FLAWED: closed_schema(properties)}
        return {
            "anyOf": [
                closed_schema({"verdict": {"const": name}, "error_details": own}) for name, own in answers.items()
            ]
        }

    def labelled(self, chances: Mapping[str, float]) -> Judgement:
        """Return the judgement of the label that the likeliest text names first; its confidence is the probability of its verdict."""
        text = max(chances, key=lambda written: chances[written])
        named = {written: self.asked.read_label(written) for written in chances}
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
        line = details["erroneous_line_number"]
        return Judgement.of_error(error_type, line, explanation or NO_EXPLANATION, chance)

    unjudged = staticmethod(Judgement.unjudged)
