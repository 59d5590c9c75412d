"""UT-2: the optimal one-to-one matching of the inputs of two formalizations, by value and meaning."""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.domain import AlignedParameters, ParameterAlignment, Provenance, SecondAlignment, Status, Verdict
from harness.program.evaluation.evaluator import format_exact

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from harness.domain import Parameter

    Similarity = Callable[[str, str], float]

# A type or provenance that differs breaks ties; it must not outweigh a clear difference in meaning.
SAME_TYPE = 0.05
SAME_PROVENANCE = 0.1
LARGEST_ENUMERATED = 6
MOST_RUNNERS_UP = 12
# Where the words part two matchings by less than this for each input moved, they do not decide between them. Of 2,215
# real pairs only two would need a wider margin, and 0.1 already lets swapped arguments with terse names pass.
MARGIN = 0.03


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """Two parameters, by index, that mean the same, and how similar their words are (cosine, -1..1)."""

    left: int
    right: int
    similarity: float


@dataclass(frozen=True, slots=True)
class Alignment:
    """A one-to-one matching of parameters; `weight` is the sum the assignment maximises."""

    pairs: tuple[AlignedPair, ...]
    weight: float

    @property
    def mean_similarity(self) -> float:
        """Return the mean similarity of the aligned pairs, 0 where there are none."""
        return sum(pair.similarity for pair in self.pairs) / len(self.pairs) if self.pairs else 0.0


@dataclass(frozen=True, slots=True)
class Alignments:
    """The best matching, the runners-up in order of weight, and the parameters nothing matches, by index."""

    best: Alignment
    runners_up: tuple[Alignment, ...]
    unaligned_left: tuple[int, ...]
    unaligned_right: tuple[int, ...]
    ambiguous: bool = field(default=False)

    def plausible(self) -> tuple[Alignment, ...]:
        """Return the matchings the words leave open: the best and those within a margin for each input moved."""
        best = self.best
        chosen = {(pair.left, pair.right) for pair in best.pairs}
        kept = [best]
        for other in self.runners_up:
            moved = sum((pair.left, pair.right) not in chosen for pair in other.pairs)
            if best.weight - other.weight <= MARGIN * max(moved, 1):
                kept.append(other)
        return tuple(kept)


def align(
    left: Sequence[Parameter], right: Sequence[Parameter], similarity: Similarity, *, scored: bool = True
) -> Alignments:
    """Match parameters of equal value by meaning, optimally in each bucket.

    A bucket holds the parameters of one value (5 and 5.0 are one value). Where a bucket has one parameter on either
    side they are matched; where it has more, the matching with the greatest sum of similarity is chosen, a shared type
    and provenance counting as a little similarity each. Unless `scored`, the similarity of pairs that are matched anyway
    is not asked for and stands as 0.
    """
    buckets = _buckets(left, right)
    options: list[list[Alignment]] = []
    for first, second in buckets:
        if not scored and len(first) == len(second) == 1:
            options.append([_alignment([(first[0], second[0])], {(first[0], second[0]): (0.0, 0.0)})])
            continue
        weights = {
            (index, other): _weight(left[index], right[other], similarity) for index in first for other in second
        }
        options.append(_matchings(first, second, weights))
    best = _joined([choices[0] for choices in options])
    runners_up: list[Alignment] = []
    for place, choices in enumerate(options):
        before, after = [other[0] for other in options[:place]], [other[0] for other in options[place + 1 :]]
        runners_up.extend(_joined([*before, choice, *after]) for choice in choices[1:])
    runners_up.sort(key=lambda alignment: (-alignment.weight, [(pair.left, pair.right) for pair in alignment.pairs]))
    taken_left = {pair.left for pair in best.pairs}
    taken_right = {pair.right for pair in best.pairs}
    return Alignments(
        best=best,
        runners_up=tuple(runners_up[:MOST_RUNNERS_UP]),
        unaligned_left=tuple(index for index in range(len(left)) if index not in taken_left),
        unaligned_right=tuple(index for index in range(len(right)) if index not in taken_right),
        ambiguous=bool(runners_up),
    )


def _buckets(left: Sequence[Parameter], right: Sequence[Parameter]) -> list[tuple[list[int], list[int]]]:
    """Return the indices on either side for each value both sides have, in the left side's order."""
    buckets: dict[Fraction, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for index, parameter in enumerate(left):
        buckets[Fraction(parameter.value)][0].append(index)
    for index, parameter in enumerate(right):
        if Fraction(parameter.value) in buckets:
            buckets[Fraction(parameter.value)][1].append(index)
    return [(first, second) for first, second in buckets.values() if second]


def _weight(left: Parameter, right: Parameter, similarity: Similarity) -> tuple[float, float]:
    words = similarity(left.text, right.text)
    same_provenance = left.provenance is right.provenance or Provenance.UNKNOWN in (left.provenance, right.provenance)
    return words, words + SAME_TYPE * (left.type == right.type) + SAME_PROVENANCE * same_provenance


def _matchings(
    first: list[int], second: list[int], weights: dict[tuple[int, int], tuple[float, float]]
) -> list[Alignment]:
    """Return the matchings of a bucket that leave nothing unmatched on the smaller side, best first."""
    if max(len(first), len(second)) > LARGEST_ENUMERATED:
        return [_assigned(first, second, weights)]
    short, long = (first, second) if len(first) <= len(second) else (second, first)
    matchings = []
    for chosen in itertools.permutations(long, len(short)):
        pairs = list(zip(short, chosen, strict=True)) if short is first else list(zip(chosen, short, strict=True))
        matchings.append(_alignment(sorted(pairs), weights))
    matchings.sort(key=lambda alignment: (-alignment.weight, [(pair.left, pair.right) for pair in alignment.pairs]))
    return matchings[: MOST_RUNNERS_UP + 1]


def _assigned(first: list[int], second: list[int], weights: dict[tuple[int, int], tuple[float, float]]) -> Alignment:
    """Return the optimal matching of a large bucket (Jonker–Volgenant, by scipy)."""
    from scipy.optimize import linear_sum_assignment  # 0.2 s to import; buckets above six are rare

    rows, columns = linear_sum_assignment([[-weights[index, other][1] for other in second] for index in first])
    return _alignment([(first[row], second[column]) for row, column in zip(rows, columns, strict=True)], weights)


def _alignment(pairs: list[tuple[int, int]], weights: dict[tuple[int, int], tuple[float, float]]) -> Alignment:
    return Alignment(
        tuple(AlignedPair(index, other, weights[index, other][0]) for index, other in pairs),
        round(sum(weights[pair][1] for pair in pairs), 9),
    )


def _joined(parts: list[Alignment]) -> Alignment:
    pairs = sorted((pair for part in parts for pair in part.pairs), key=lambda pair: (pair.left, pair.right))
    return Alignment(tuple(pairs), round(sum(part.weight for part in parts), 9))


def alignment_verdict(
    problem_id: str,
    names: tuple[str, str],
    left: Sequence[Parameter],
    right: Sequence[Parameter],
    alignments: Alignments,
) -> Verdict:
    """State how the inputs of two formalizations align.

    CONFIRMED: every input of either side has its counterpart. UNKNOWN: some have. REFUTED: there are inputs on both
    sides and none has.
    """
    best = alignments.best
    unaligned = len(alignments.unaligned_left) + len(alignments.unaligned_right)
    if best.pairs and not unaligned:
        status, reason = Status.CONFIRMED, None
    elif best.pairs or not left or not right:
        status = Status.UNKNOWN
        loose = [left[index].name for index in alignments.unaligned_left] + [
            right[index].name for index in alignments.unaligned_right
        ]
        reason = (
            f"{len(best.pairs)} aligned, {unaligned} not: {', '.join(loose[:4])}{'…' if len(loose) > 4 else ''}"
            if loose
            else "neither side has inputs"
        )
    else:
        status, reason = Status.REFUTED, "no input of one side has the value of an input of the other"
    record = ParameterAlignment(
        _aligned(best, left, right),
        tuple(left[index].name for index in alignments.unaligned_left),
        tuple(right[index].name for index in alignments.unaligned_right),
        _runner_up(alignments, left, right),
    )
    method = "meaning" if alignments.ambiguous else "value"
    return Verdict("ut2", problem_id, *names, status, method, checked=len(best.pairs), reason=reason, alignment=record)


def _aligned(
    alignment: Alignment, left: Sequence[Parameter], right: Sequence[Parameter]
) -> tuple[AlignedParameters, ...]:
    return tuple(
        AlignedParameters(
            left[pair.left].name,
            right[pair.right].name,
            format_exact(left[pair.left].value),
            round(pair.similarity, 3),
        )
        for pair in alignment.pairs
    )


def _runner_up(alignments: Alignments, left: Sequence[Parameter], right: Sequence[Parameter]) -> SecondAlignment | None:
    """Return how the second-best matching differs, and by how much it falls short."""
    if not alignments.runners_up:
        return None
    chosen = {(pair.left, pair.right) for pair in alignments.best.pairs}
    other = alignments.runners_up[0]
    moved = Alignment(tuple(pair for pair in other.pairs if (pair.left, pair.right) not in chosen), other.weight)
    return SecondAlignment(_aligned(moved, left, right), round(alignments.best.weight - other.weight, 3))
