"""The split of constraint problems into training, validation and evaluation.

Problems whose texts differ only in numbers and names are one group, and no group is split.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING

from harness.errors import HarnessError
from harness.text.numbers import SCALES, TEENS, TENS, UNITS
from sft.datasets.leakage import SPLITS, split_groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.smtlib.constraint_problem import ConstraintProblem

_WORD = re.compile(r"[^\W\d_]+|\d+(?:[.,:]\d+)*")
_SYMBOL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|\d+")
_NUMBERS = frozenset({*UNITS, *TEENS, *TENS, *SCALES})
_NUMBER, _NAME = "#", "@"
_KEPT = {"and", "or", "not", "ite", "distinct", "assert", "Int", "Bool", "Real", "answer", "div", "mod", "abs"}


def masked_text(text: str) -> str:
    """Return the words of a text, numbers as `#` and words with a capital as `@`."""
    return " ".join(_masked(word) for word in _WORD.findall(unicodedata.normalize("NFKC", text)))


def _masked(word: str) -> str:
    lower = word.casefold()
    if word[0].isdigit() or lower in _NUMBERS:
        return _NUMBER
    return _NAME if word[0].isupper() else lower


def program_shape(program: str) -> str:
    """Return a program with its names and numbers masked, each name by the place of its first occurrence."""
    places: dict[str, str] = {}

    def mask(match: re.Match[str]) -> str:
        word = match[0]
        if word in _KEPT:
            return word
        return _NUMBER if word[0].isdigit() else places.setdefault(word, f"{_NAME}{len(places)}")

    return _SYMBOL.sub(mask, program)


def split(
    problems: Sequence[ConstraintProblem], shares: Sequence[float], *, seed: int
) -> dict[str, list[ConstraintProblem]]:
    """Return the problems of `train`, `validation` and `test` in their order, each domain split by `shares`.

    A part with a share has at least one group of equal texts, as far as `train` has more than one to give.
    """
    groups: dict[str, list[ConstraintProblem]] = defaultdict(list)
    for problem in problems:
        groups[masked_text(problem.problem)].append(problem)
    traits = {name: {f"domain:{problem.domain}" for problem in members} for name, members in groups.items()}
    chosen = split_groups(traits, shares, seed=seed)
    for part, share in zip(SPLITS, shares, strict=True):
        given = [name for name, into in chosen.items() if into == SPLITS[0]]
        if share > 0 and part not in chosen.values() and len(given) > 1:
            chosen[given[-1]] = part
    parts: dict[str, list[ConstraintProblem]] = {name: [] for name in SPLITS}
    for problem in problems:
        parts[chosen[masked_text(problem.problem)]].append(problem)
    return parts


def require_apart(training: Iterable[str], kept: Iterable[str]) -> None:
    """Check that no training text equals a reserved one after masking of numbers and names.

    Raises:
        HarnessError: a training text does.
    """
    protected = {masked_text(text): text for text in kept}
    for text in training:
        if masked_text(text) in protected:
            message = f"{text[:80]!r} is reserved for the evaluation and cannot be a training text; nothing was written"
            raise HarnessError(message)
