"""Characters and commands of LaTeX that state a relation between two sides: equality, order, an arrow."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from harness.text.lexicon import english

_LISTS = english("equations")
_RELATION_NAME = re.compile(rf"\b(?:{_LISTS.either('relation_names')})\b")
RELATION_COMMANDS = _LISTS.words("relation_commands")
"""Commands of LaTeX that state a relation, without `\\approx` and its like, which the reader takes for a link."""
LAYOUT_COMMANDS = _LISTS.words("layout_commands")
"""Commands of LaTeX that change how a formula looks, not what it says."""


@lru_cache(maxsize=4096)
def is_relation(character: str) -> bool:
    """Tell whether a character states a relation, by its name in Unicode; `~` and the brackets of annotations do, too."""
    return character in "=<>~" or (
        not character.isascii() and _RELATION_NAME.search(unicodedata.name(character, "")) is not None
    )


def is_arrow(sign: str) -> bool:
    """Tell whether a relation is an arrow, which may lead from one equation to the next."""
    if sign.startswith("\\"):
        return "arrow" in sign.lower() or sign[1:] in {"to", "implies", "iff", "mapsto", "leadsto"}
    return sign in {"=>", "->", ">", "==>", "<=>"} or any("ARROW" in unicodedata.name(each, "") for each in sign)


@lru_cache(maxsize=4096)
def is_operator(character: str) -> bool:
    """Tell whether a character beyond ASCII is a sign of mathematics that is no relation, or a number without digits: `∛`, `‰`, `⑤`."""
    if character.isascii() or character in "∴∵∎":
        return False
    return (unicodedata.category(character) in {"Sm", "No", "Nl"} or character in "‰‱") and not is_relation(character)
