"""The surface forms of solutions, and the random choice of a form, independent of the label."""

from __future__ import annotations

import enum
import hashlib
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sft.samples.solution_text import read_item

if TYPE_CHECKING:
    from sft.samples.items import Item


class AnswerEnding(enum.StrEnum):
    """The form of the final answer."""

    HASHES = "#### {}"
    FINAL_ANSWER = "FINAL ANSWER: {}"
    NONE = ""


class LineNumbering(enum.StrEnum):
    """The text before a line."""

    PLAIN = "{line}"
    NUMBER = "{number}. {line}"
    STEP = "Step {number}: {line}"
    LABEL = "L{number}: {line}"
    MARKDOWN = "**Step {number}:** {line}"
    BULLET = "- {line}"


@dataclass(frozen=True, slots=True)
class SurfaceForm:
    """A surface form; the plain one is GSM8K's own, with annotations and `#### 5`."""

    annotated: bool = True
    ending: AnswerEnding = AnswerEnding.HASHES
    numbering: LineNumbering = LineNumbering.PLAIN
    lower: bool = False

    @property
    def name(self) -> str:
        """Return a short name, such as `annotated-hashes-plain` or `bare-none-step-lower`."""
        words = ["annotated" if self.annotated else "bare", self.ending.name, self.numbering.name]
        return "-".join([*words, *(["lower"] if self.lower else [])]).lower()

    def show(self, item: Item) -> str:
        """Return a solution as text in this form."""
        given = item.annotated if self.annotated else item.lines
        lines = [
            self.numbering.format(number=number, line=line.strip() if self.annotated else line)
            for number, line in enumerate(given, start=1)
        ]
        if item.answer is not None and self.ending is not AnswerEnding.NONE:
            answer = self.ending.format(item.answer)
            bold = self.numbering is LineNumbering.MARKDOWN and self.ending is AnswerEnding.FINAL_ANSWER
            lines.append(f"**{answer}**" if bold else answer)
        text = "\n".join(lines)
        return text.lower() if self.lower else text

    def restores(self, item: Item, text: str) -> bool:
        """Tell whether a text in this form is read back as the same lines and answer, lower case aside."""
        read = read_item("", text)
        answer = None if self.ending is AnswerEnding.NONE else item.answer
        return _told(read.lines, read.answer, lower=self.lower) == _told(item.lines, answer, lower=self.lower)


def _told(lines: tuple[str, ...], answer: str | None, *, lower: bool) -> tuple[str | None, ...]:
    texts = (*lines, answer)
    return tuple(text.lower() if lower and text is not None else text for text in texts)


LEVEL_FORM = SurfaceForm(annotated=False, ending=AnswerEnding.HASHES)
"""The form in which a model that is asked or trained by level sees a solution: its bare lines, and `#### 5`."""
FORMS = tuple(
    SurfaceForm(annotated, ending, numbering, lower)
    for annotated, ending, numbering, lower in itertools.product(
        (True, False), AnswerEnding, LineNumbering, (False, True)
    )
)
"""Every form; the weights of their parts stand in `form_of`."""


def form_of(seed: int, twins: str) -> SurfaceForm:
    """Draw the form of a twin group: a correct solution and all flawed ones that were made from it.

    Only the seed and the group's name decide, so that the form is independent of the error. Half of the forms have no
    annotations; of six endings three are `####`, two `FINAL ANSWER:`, one is empty; half have plain lines; one in eight is
    lower case.
    """
    draws = hashlib.blake2b(f"{seed}:form:{twins}".encode("utf-8", "surrogatepass"), digest_size=4).digest()
    endings = (AnswerEnding.HASHES,) * 3 + (AnswerEnding.FINAL_ANSWER,) * 2 + (AnswerEnding.NONE,)
    numbered = tuple(numbering for numbering in LineNumbering if numbering is not LineNumbering.PLAIN)
    numberings = (LineNumbering.PLAIN,) * len(numbered) + numbered
    return SurfaceForm(
        draws[0] % 2 == 0, endings[draws[1] % len(endings)], numberings[draws[2] % len(numberings)], draws[3] % 8 == 0
    )
