"""The agreement of a noun with its number, singular or plural, after the number has changed."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from harness.text.lexicon import word_lists

if TYPE_CHECKING:
    import inflect

    from harness.domain import Exact

_LISTS = word_lists(__file__)

_NEXT_WORD = re.compile(r" ([a-z]+)(?![\w'’])")
_NOT_PLURAL = re.compile(_LISTS.either("not_plural"))
_PLURAL = re.compile(r".*s|children|feet|geese|men|mice|people|teeth|women")
# The library would turn them into `as`, `they`, `them` and the like.
_NOT_SINGULAR = re.compile(_LISTS.either("not_singular"))


def agree_with_number(words: str, before: Exact, after: Exact, vocabulary: frozenset[str]) -> str:
    """Return the words that follow a number, their first noun singular or plural as the new number asks.

    Only a lower-case word right after the number is touched, and only where the number became one or ceased to be. A plural is
    formed only where `vocabulary`, the lower-case words of the problem, has it: `1 large` is no noun.
    """
    match = _NEXT_WORD.match(words) if (before == 1) != (after == 1) else None
    if match is None:
        return words
    noun = match[1]
    changed = _singular(noun) if after == 1 else _plural(noun, vocabulary)
    return f" {changed}{words[match.end() :]}"


def _singular(noun: str) -> str:
    if _PLURAL.fullmatch(noun) is None or _NOT_PLURAL.fullmatch(noun) is not None:
        return noun
    return str(_engine().singular_noun(noun) or noun)


def _plural(noun: str, vocabulary: frozenset[str]) -> str:
    if _NOT_SINGULAR.fullmatch(noun) is not None:
        return noun
    plural = str(_engine().plural_noun(noun))
    return plural if plural.lower() in vocabulary else noun


@cache
def _engine() -> inflect.engine:
    import typeguard

    checked = typeguard.typechecked
    # The library compiles each of its functions with type checks when it is imported, which takes seconds.
    typeguard.typechecked = lambda target: target  # type: ignore[assignment]  # it checks nothing
    try:
        import inflect
    finally:
        typeguard.typechecked = checked
    return inflect.engine()
