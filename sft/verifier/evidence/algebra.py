"""Evidence from equations in one unknown that contradict each other, such as `6x = 96` followed by `x = 15`."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.solution.labels import ErrorType
from harness.text.lexicon import word_lists
from harness.text.number_forms import format_value
from harness.text.units import sizes
from sft.samples.evidence_registry import Signal
from sft.samples.solution_judgement import HintKind
from sft.verifier.case import evidence
from sft.verifier.solution.linear_equations import roots

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sft.samples.solution_judgement import Hint
    from sft.verifier.case import Case
    from sft.verifier.solution.linear_equations import EquationRoot

FALSE_SOLUTION = HintKind("false solution of an equation", ErrorType.COMPUTATIONAL, certainty=0.96, proof=True)
DERIVED = HintKind("false step of a derivation", ErrorType.COMPUTATIONAL, certainty=0.99, proof=True, decides=True)
REARRANGED = HintKind("wrong rearrangement", ErrorType.ALGEBRAIC_SIMPLIFICATION, certainty=0.83)
NEAR = 50
"""Values that differ by less than one part in so many may differ because a factor was rounded: `0.33x = 100`, `x = 300`."""
_LISTS = word_lists(__file__)
_DERIVING, _MULTIPLYING = _LISTS.words("deriving"), _LISTS.words("multiplying")
_DOUBTING, _HEDGING = _LISTS.words("doubting"), _LISTS.words("hedging")
_WORD = re.compile(r"[^\W\d_]+")
_CLOSING = re.compile(r"(?:\s+[^\W\d_]+)?\s*(?:$|(?:[.,;)\]}*`$→⇒]|\\[)\]]|=>)(?!\d))")
_LABEL = re.compile(r"\s*+([^:=]{1,30}):")
_DEFINING = re.compile(r"\b(?:let|represents?|stands? for|denotes?|call)\b", re.IGNORECASE)


def contradictions(case: Case) -> Iterator[tuple[EquationRoot, EquationRoot]]:
    """Yield each pair of successive roots of an unknown that differ.

    A misprint that the later equations do not continue is no contradiction: `6W = 30`, `6W / 6 = 30`, `W = 5`. Neither is a letter
    that gets a new value, or a new equation with its own solution, once it has one: `2x = 10`, `x = 5`, `3x = 21`, `x = 7`. A line that states
    an equation and its solution is compared with itself: `if 3x = 6 then x = 5`.
    """
    lines = case.item.lines
    roots_of: dict[str, list[EquationRoot]] = {}
    for root in roots(lines):
        roots_of.setdefault(root.letter, []).append(root)
    for series in roots_of.values():
        before = series[0]
        for number, root in enumerate(series[1:], start=2):
            if not _agree(before, root) and not _open(before, root, lines):
                if any(_agree(before, later) for later in series[number:]):
                    continue
                solved = before.assigns and any(
                    later.assigns and (_agree(root, later) or later.place == root.place > before.place)
                    for later in series[number:]
                )
                if root.may_start_anew(before) or solved:
                    before = root
                    continue
                if _DEFINING.search(lines[root.place]) is None:
                    yield before, root
            before = root


def _agree(before: EquationRoot, root: EquationRoot) -> bool:
    if before.value == root.value:
        return True
    off = abs(before.value - root.value)
    if max(before.places, root.places) >= 0 and off < Fraction(1, 10 ** max(0, before.places, root.places)):
        return before.value.denominator > 1 or root.value.denominator > 1
    return False


@evidence("algebra")
def algebra(case: Case) -> Signal[Hint]:
    """Equations in an unknown that contradict an earlier equation."""
    pairs = sorted(contradictions(case), key=lambda pair: pair[1].place)
    hints = tuple(_hint(before, root, case.item.lines) for before, root in pairs)
    moved = sum(hint.kind == REARRANGED for hint in hints)
    return Signal({"false": len(pairs) - moved, "rearranged": moved}, hints)


def _hint(before: EquationRoot, root: EquationRoot, lines: Sequence[str]) -> Hint:
    expected = f"{root.letter} = {format_value(before.value)}, as {before.written} says"
    kind = REARRANGED if root.value in before.astray else DERIVED if _derived(before, root, lines) else FALSE_SOLUTION
    return kind.at(f"L{root.place + 1}", root.written, expected)


def _open(before: EquationRoot, root: EquationRoot, lines: Sequence[str]) -> bool:
    """Tell whether two different values may both be right: one is of another unit, case or person, a guess, or changed by a word beside it."""
    first, second = lines[before.place], lines[root.place]
    told = first if before.place == root.place else f"{first}\n{second}"
    if "?" in told or not _DOUBTING.isdisjoint(_words(told)) or before.percent != root.percent:
        return True
    if not _MULTIPLYING.isdisjoint(
        {before.unit, root.unit, *_words(first[: before.start])[-1:], *_words(second[: root.start])[-1:]}
    ):
        return True
    if before.unit and before.unit != root.unit and (root.unit or sizes(before.unit)):
        return True
    labels = {tuple(_words(match.group(1))) for match in map(_LABEL.match, (first, second)) if match}
    named = [label for label in labels if not _DERIVING.issuperset(label)]
    return len(named) > 1 and before.place != root.place


def _derived(before: EquationRoot, root: EquationRoot, lines: Sequence[str]) -> bool:
    """Tell whether a number is stated as what follows from the equation right before it, in the same unit or none before.

    Between them stand only words of derivation, nothing around them could change a value or reject it, and the values are not near each other.
    """
    first, second = lines[before.place], lines[root.place]
    if before.assigns or not root.assigns or root.places < 0 or root.place > before.place + 1 or before.percent:
        return False
    if NEAR * abs(before.value - root.value) < abs(before.value):
        return False
    ended, closed = _CLOSING.match(first, before.end), _CLOSING.match(second, root.end)
    if ended is None or closed is None or (before.unit != root.unit and (before.unit or sizes(root.unit))):
        return False
    same = before.place == root.place
    between = second[ended.end() if same else 0 : root.start]
    passed = between if same else f"{first[ended.end() :]}{between}"
    if "=" in passed.replace("=>", "") or not _HEDGING.isdisjoint(_words(f"{first} {second}")):
        return False
    if not _DOUBTING.isdisjoint(_words(" ".join(lines[root.place + 1 : root.place + 2]))):
        return False
    return {word for word in _words(between) if len(word) > 1} <= _DERIVING


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
