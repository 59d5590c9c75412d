"""The form of a question to a language model: its prompt, the answers that it may have, and the judgement that an answer gives."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from harness.reply import answer_part, json_object

ItemT = TypeVar("ItemT")
JudgementT = TypeVar("JudgementT")
LONGEST_ANSWER = 8_000
LONGEST_WRITTEN = 240
"""In characters: the most of an explanation or a reason by a local model."""
START = '{"verdict": "'
"""The beginning of every answer that is an object."""


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
        """Return the judgement of an object, with the probability of its verdict.

        Raises:
            ValueError: the object is not an answer for this item.
        """

    def labelled(self, chances: Mapping[str, float]) -> JudgementT:
        """Return the judgement of the likeliest of some texts, which name choices; errors as in `judgement`."""
        raise ValueError(f"this question is not answered by a label such as {max(chances)[:60]!r}")

    @abstractmethod
    def unjudged(self, reason: str) -> JudgementT:
        """Return that an item was not judged, and why."""

    def repaired(self, judgement: JudgementT) -> JudgementT:
        """Return the judgement of an object that stood among other text."""
        return judgement

    def read(self, text: str, item: ItemT, chance: float = 1.0) -> JudgementT:
        """Return the judgement of a model's text after its thoughts: a label, or the one JSON object in it.

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
        return judgement if text[0] + text[-1] == "{}" else self.repaired(judgement)

    def read_or_unjudged(self, text: str, item: ItemT, chance: float = 1.0) -> JudgementT:
        """Return the judgement of a text, unjudged where it is not an answer."""
        try:
            return self.read(text, item, chance)
        except ValueError as error:
            return self.unjudged(f"the model's answer is not usable: {error}")


def closed_schema(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with exactly these fields."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
