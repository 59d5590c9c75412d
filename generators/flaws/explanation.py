"""In which words is a flaw explained? Sentences that vary, with equations in numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generators.flaws.writing import write_out
from harness.text.forms import show

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    from harness.domain import Exact
    from harness.program import ir


def equation(expression: ir.Expr, values: Mapping[str, Exact], result: Exact) -> str:
    """Return `48 / 2 = 24`, the result alone where the expression cannot be written."""
    written = write_out(expression, values)
    return show(result) if written is None else f"{written} = {show(result)}"


def spoken(variable: str) -> str:
    """Return the name of a variable in words: `num_red_apples` is `number of red apples`."""
    words = [word for word in variable.split("_") if word]
    if words and words[0] in {"num", "n", "no"} and len(words) > 1:
        words[:1] = ["number", "of"]
    return " ".join(words).lower()


def in_words(variable: str) -> str:
    """Return the name of a variable in a sentence: `the total cost` of `total_cost`."""
    return f"the {spoken(variable) or 'value'}"


def explain(
    phrases: tuple[str, ...],
    random: Random,
    facts: Mapping[str, Callable[[], str]],
    names: frozenset[str] = frozenset(),
) -> str:
    """Fill one of the phrases with the facts that it names; the others are never put into words.

    `names` are proper names in lower case, as variables have them; they are written as names.
    """
    text = random.choice(phrases).format_map(_Told(facts))
    if names:
        text = _WORD.sub(lambda match: match[0].capitalize() if match[0] in names else match[0], text)
    return text[0].upper() + text[1:]


def proper_names(text: str) -> frozenset[str]:
    """Return the words of a text, in lower case, that are never written so and stand as single capitals within a sentence.

    Of `High School` neither word is a name of its own.
    """
    names = {match[1].lower() for match in _NAME.finditer(text)}
    return frozenset(names - set(_WORD.findall(text)) - _NO_NAMES)


_WORD = re.compile(r"\b[a-z]+\b")
_NAME = re.compile(
    r"(?:[,;] |\b[a-z]+ |\b(?:After|And|As|At|Because|Before|But|For|From|If|In|On|Since|So|Suppose|Then|When|While) )"
    r"([A-Z][a-z]{2,})\b(?! [A-Z])"
)
# Names that are words of explanations as well.
_NO_NAMES = frozenset(["will", "may", "mark", "bill", "grace", "art", "the", "this", "one", "step", "sum", "answer"])


class _Told(dict[str, str]):
    def __init__(self, facts: Mapping[str, Callable[[], str]]) -> None:
        self.facts = facts

    def __missing__(self, name: str) -> str:
        return self.facts[name]()
