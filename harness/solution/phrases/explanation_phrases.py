"""The sentences by which flaws are explained, with slots, by slip or mutation operator.

Generators fill the slots; the re-check reads a sentence back and derives each slot from the certificate. Besides `{right}`, `{wrong}`,
`{right_value}`, `{wrong_value}` and `{line}`, which belong to the step, a sentence has any of these slots:

* `{was}`, `{now}`: the changed node before and after, as `mutation` has it, a quantity in the words of the question or by its line
  (`harness/solution/phrases/quantity_phrases.py`); `{said}`: the input that is misread, in the same way; `{limit}`: the quantity that limits
  another; `{asked}`: what the question asks, quoted.
* `{do}`, `{done}`, `{doing}`, `{noun}`, `{result}`: words for the operation of `{was}`; with `wrong_` before them, of `{now}`.
* `{fact}`: `60 minutes in an hour`; `{units}`: the same without the number; `{known}`: `a week has 7 days`.
* `{should}`, `{did}`: how a formula reads, and what was done instead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from harness.solution.labels import ErrorType
from harness.text.lexicon import word_lists
from harness.text.world_facts import FACTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LISTS = word_lists(__file__)
_PHRASES: dict[str, dict[str, list[str]]] = _LISTS.mapping("phrases")
FORMULA_CLAUSES: dict[str, dict[str, str]] = _LISTS.mapping("formulas")
"""By the name of a formula that is confused, how it reads (`should`) and what is done instead (`did`)."""
_NUMBER = re.compile(r"\d[\d.,/]*")
_SLOT = re.compile(r"\{(\w+)\}")
OPERATION_WORDS = {
    "+": ("add", "added", "adding", "addition", "a sum"),
    "-": ("subtract", "subtracted", "subtracting", "subtraction", "a difference"),
    "*": ("multiply", "multiplied", "multiplying", "multiplication", "a product"),
    "/": ("divide", "divided", "dividing", "division", "a quotient"),
}
ROUNDING_WORDS = {
    "ceil": "rounding up",
    "floor": "rounding down",
    "int": "rounding down",
    "round": "rounding to the nearest",
}
SQUARE_ROOT = "the square root"
EXTREME_WORDS = {"min": "the smallest", "max": "the largest"}
NOTHING, NOTHING_MORE, NO_ROUNDING = "nothing", "nothing more", "no rounding"
"""The phrases for a part that is left out or added, and for a rounding that is left out."""
UNWRITTEN = "the expression"
"""The phrase for an expression that cannot be written in numbers."""
_ERROR_TYPES: dict[str, list[str]] = _LISTS.mapping("error_types")
_START = 6
"""The letters by which sentences are looked up."""
_FORMS = ("do", "done", "doing", "noun", "result")


def operator_error_types(operator: str) -> frozenset[ErrorType]:
    """Return the error types that a slip or operator makes; none for one that this project does not know."""
    return frozenset(map(ErrorType, _ERROR_TYPES.get(operator, ())))


@cache
def explanation_phrases(operator: str) -> Mapping[str, tuple[str, ...]]:
    """Return the lists of sentences of a slip or operator by name; none for one that this project does not know."""
    lists = _PHRASES.get(operator, {})
    return {name: tuple(phrases) for name, phrases in lists.items()}


def operation_slots(was: str, now: str) -> dict[str, str]:
    """Return the words in the slots for the operations `was` and `now`, such as `do` and `wrong_do`."""
    right, wrong = OPERATION_WORDS[was], OPERATION_WORDS[now]
    return dict(zip(_FORMS, right, strict=True)) | {
        f"wrong_{form}": word for form, word in zip(_FORMS, wrong, strict=True)
    }


def partly_filled(phrases: tuple[str, ...], slots: Mapping[str, str]) -> tuple[str, ...]:
    """Return sentences with some of their slots filled."""
    return tuple(_SLOT.sub(lambda match: slots.get(match[1], match[0]), phrase) for phrase in phrases)


@dataclass(frozen=True, slots=True)
class FilledPhrase:
    """A sentence that reads like a text, by the name of its list, and what then stands in its slots."""

    kind: str
    phrase: str
    slots: tuple[tuple[str, str], ...]


def filled_phrases(operator: str, text: str) -> Iterator[FilledPhrase]:
    """Yield each sentence of an operator that reads like a text, capitals apart."""
    return (filled for name, filled in filled_by_operator(text) if name == operator)


@lru_cache(maxsize=4_096)
def filled_by_operator(text: str) -> tuple[tuple[str, FilledPhrase], ...]:
    """Return each sentence of any slip or operator that reads like a text, with the name of the operator."""
    return tuple(
        (operator, filled)
        for operator, sentences in _sentences_of_start(text[:_START].lower())
        for filled in _filled(sentences, text)
    )


def _filled(sentences: tuple[_Sentence, ...], text: str) -> Iterator[FilledPhrase]:
    lowered = text.lower()
    for kind, phrase, first, last in sentences:
        if not (lowered.startswith(first) and lowered.endswith(last)):
            continue
        pattern, names = _pattern(phrase)
        match = pattern.fullmatch(text)
        if match is not None and all(map(_may_hold, names, match.groups())):
            yield FilledPhrase(kind, phrase, tuple(zip(names, match.groups(), strict=True)))


def known_operators() -> tuple[str, ...]:
    """Return the slips and operators whose sentences are known."""
    return tuple(_PHRASES)


def _may_hold(slot: str, text: str) -> bool:
    """Tell whether a slot that would hold any clause may hold this one: facts and formulas are those of the tables, with any number."""
    if slot in {"known", "Known"}:
        return _NUMBER.sub("0", text.lower()) in _known_facts()
    return slot not in {"should", "did"} or any(
        text.lower() == clauses[slot].lower() for clauses in FORMULA_CLAUSES.values()
    )


class _Sentence(NamedTuple):
    """A sentence with the name of its list, and what stands before its first and after its last slot, in lower case."""

    kind: str
    phrase: str
    first: str
    last: str


@cache
def _sentences(operator: str) -> tuple[_Sentence, ...]:
    parts = ((kind, phrase) for kind, phrases in explanation_phrases(operator).items() for phrase in phrases)
    return tuple(
        _Sentence(kind, phrase, slots[0], slots[-1])
        for kind, phrase in parts
        for slots in (_SLOT.split(phrase.lower()),)
    )


@lru_cache(maxsize=1_024)
def _sentences_of_start(start: str) -> tuple[tuple[str, tuple[_Sentence, ...]], ...]:
    """Return the sentences of each operator that a text may read like which begins with some letters."""
    fitting = (
        (
            operator,
            tuple(sentence for sentence in _sentences(operator) if start.startswith(sentence.first[: len(start)])),
        )
        for operator in known_operators()
    )
    return tuple((operator, sentences) for operator, sentences in fitting if sentences)


@cache
def _known_facts() -> frozenset[str]:
    """Return the sentences of the facts of world knowledge, with `0` for their numbers."""
    return frozenset(_NUMBER.sub("0", fact.said(fact.value).lower()) for fact in FACTS)


@cache
def _pattern(phrase: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    parts = _SLOT.split(phrase)
    pattern = "".join("(.{1,400}?)" if place % 2 else re.escape(part) for place, part in enumerate(parts))
    return re.compile(pattern, re.IGNORECASE), tuple(parts[1::2])
