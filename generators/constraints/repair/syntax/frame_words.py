"""Words around a formula, and whether they may say that it does not hold."""

from __future__ import annotations

import re

from generators.constraints.repair.syntax.remarks import is_conditional, is_denial
from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)
_ASKING = re.compile(rf"\b(?:{_LISTS.either('asking')})\b", re.IGNORECASE)
"""Words of lines that do not say that something holds."""
_NEGATING = re.compile(
    rf"{_LISTS.either('denying')}|not|neg|non-|false|anti|in(?:valid|correct)|impossib|\b(?:un(?!known|signed|ion|ique|it)|dis(?!tinct))",
    re.IGNORECASE,
)
"""Parts of words, such as `sNot` and `isnt`, that may say the opposite."""


def may_deny(beside: str) -> bool:
    """Tell whether words beside a formula may say that it does not hold, or not always."""
    return (
        any(pattern.search(beside) for pattern in (_ASKING, _NEGATING)) or is_denial(beside) or is_conditional(beside)
    )
