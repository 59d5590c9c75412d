"""The messages that the Review page in the browser sends."""

import re
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from harness.errors import HarnessError
from harness.records.review import CandidateTexts
from harness.text.characters import replace_surrogates

_BREAKS = re.compile(r"[\r\n]+")
MOST_LINES = 400
MOST_CHARACTERS = 100_000
MOST_MESSAGES = 200


def _one_line(value: object) -> object:
    """Return the text of a field: a line of a solution holds no line break."""
    value = replace_surrogates(value)
    return _BREAKS.sub(" ", value) if isinstance(value, str) else value


Written = Annotated[str, BeforeValidator(replace_surrogates), Field(max_length=MOST_CHARACTERS)]
Line = Annotated[str, BeforeValidator(_one_line), Field(max_length=MOST_CHARACTERS)]


class PageMessage(BaseModel):
    """An action of a reviewer; `number` increases within a client, so that no message is handled twice.

    `candidate` and `version` name the candidate; for an undo, the candidate of the decision that is undone.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    number: int = Field(ge=1)
    kind: Literal["draft", "accept", "reject", "skip", "undo", "alive"]
    candidate: Written = ""
    version: Written = ""
    lines: tuple[Line, ...] = Field(default=(), max_length=MOST_LINES)
    explanation: Written = ""
    override: Written = ""
    reason: Written = ""
    note: Written = ""

    @property
    def texts(self) -> CandidateTexts:
        """Return the texts of the fields."""
        return CandidateTexts(self.lines, self.explanation)


class PageOutbox(BaseModel):
    """The messages of a client that are not acknowledged; the client repeats them until they are."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    client: Written
    messages: tuple[PageMessage, ...] = Field(default=(), max_length=MOST_MESSAGES)


def read_outbox(value: object) -> PageOutbox | None:
    """Read the browser's outbox, `None` if it has sent nothing yet.

    Raises a HarnessError if the outbox has another format than this version of the page writes.
    """
    if value is None:
        return None
    try:
        return PageOutbox.model_validate(value)
    except ValueError as error:
        first = " ".join(str(error).split())[:200]
        raise HarnessError(f"the page sent messages in an unknown format; reload the page ({first})") from None
