"""UT-2: the optimal one-to-one matching of the inputs of two formalizations, by value and meaning."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from harness.domain import (
    AlignedParameters,
    Exact,
    Parameter,
    ParameterAlignment,
    Provenance,
    SecondAlignment,
    Status,
    Verdict,
)
from harness.program.evaluation.evaluator import format_exact
from harness.program.ir import Program
from harness.text.names import counted_and_unit
from harness.text.nouns import is_plural
from harness.text.numbers import mentions
from harness.text.units import is_measured
from oracles.alignment.word_overlap import is_terse, shares_word, word_overlaps, words_of_text

Similarity = Callable[[str, str], float]
Weights = Mapping[tuple[int, int], tuple[float, float]]
"""The similarity of the words of each pair of a bucket, and what the pair adds to a matching."""
# A type or provenance that differs breaks ties; it must not outweigh a clear difference in meaning.
SAME_TYPE = 0.05
SAME_PROVENANCE = 0.1
LARGEST_BUCKET = 6
MOST_RUNNERS_UP = 12
MOST_CHOICES = 24
EXCHANGED = 2
# The weight of the overlap of the words that tell inputs apart, beside the cosine of their embeddings.
OVERLAP = 0.5
# The weight, for each input moved, of the same order of inputs on both sides: 94 of 100 real pairs of
# inputs do, so order supports the words, and decides nothing without them.
SAME_ORDER = 0.05
# Where words and order separate two matchings by less than this for each input moved, they do not decide: see
# `python -m benchmarks alignment_swaps`. Cosines of unrelated short names differ by up to 0.18.
MARGIN = 0.2
# Inputs of one value are matched whatever they mean. Below this similarity, and without a word in common, the match is by the value
# alone. Where the question states the value more often than either side has it, each side may take another of its facts: more must speak for it.
UNLIKE, LIKE = 0.35, 0.5


def texts_to_compare(programs: Iterable[Program | None]) -> list[str]:
    """Return the texts that an alignment of any two of the programs may compare: of inputs of equal value in two programs."""
    texts: dict[object, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for place, program in enumerate(programs):
        for parameter in program.parameters if program is not None else ():
            texts[parameter.value][place].add(parameter.text)
    found: set[str] = set()
    for by_program in texts.values():
        words = set().union(*by_program.values())
        if len(by_program) > 1 and len(words) > 1:
            found |= words
    return sorted(found)


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
    def places(self) -> frozenset[tuple[int, int]]:
        """Return the indices of the aligned pairs."""
        return frozenset((pair.left, pair.right) for pair in self.pairs)

    @property
    def concordance(self) -> float:
        """Return the agreement of the pairs' order on both sides, -1 to 1 (Kendall's tau), 0 for one pair."""
        twos = list(itertools.combinations(self.pairs, 2))
        same = sum((pair.left < other.left) is (pair.right < other.right) for pair, other in twos)
        return (2 * same - len(twos)) / len(twos) if twos else 0.0


@dataclass(frozen=True, slots=True)
class Alignments:
    """The best matching, the runners-up in order of weight, and the parameters nothing matches, by index.

    `choices` are the matchings of each bucket that words and order leave open, its best first. Where a bucket leaves more
    open than can be listed, they are those that exchange two inputs, and `listed` is false.
    """

    best: Alignment
    runners_up: tuple[Alignment, ...]
    unaligned_left: tuple[int, ...]
    unaligned_right: tuple[int, ...]
    choices: tuple[tuple[Alignment, ...], ...] = ()
    listed: bool = True
    by_value_alone: tuple[AlignedPair, ...] = ()
    """The pairs of the best matching whose words contradict it: nothing but their value speaks for them."""
    question: str = ""
    """The text whose words and numbers tell facts apart; empty where names are not an author's."""

    def alternatives(self) -> Iterator[Alignment]:
        """Yield the plausible matchings that differ from the best in one bucket."""
        best = [bucket[0] for bucket in self.choices]
        for place, bucket in enumerate(self.choices):
            for other in bucket[1:]:
                yield _alignment_of_parts([*best[:place], other, *best[place + 1 :]])

    def combinations(self) -> Iterator[Alignment]:
        """Yield the plausible matchings that differ from the best in several buckets."""
        for parts in itertools.product(*self.choices):
            if sum(part is not bucket[0] for part, bucket in zip(parts, self.choices, strict=True)) > 1:
                yield _alignment_of_parts(list(parts))


def align(
    left: Sequence[Parameter],
    right: Sequence[Parameter],
    similarity: Similarity,
    *,
    scored: bool = True,
    question: str = "",
) -> Alignments:
    """Match parameters of equal value by meaning, optimally in each bucket.

    A bucket holds the parameters of one value (5 and 5.0 are one value). Where a bucket has one parameter on either
    side they are matched; where it has more, the matching with the greatest weight is chosen: the similarity of the
    texts, the overlap of the words that tell the inputs apart, and a little for a shared type and provenance. Unless
    `scored`, the similarity of pairs that are matched anyway is not asked for and stands as 0. Words contradict a match only where
    both sides have them from the `question`, or it states their value more often than they have it.
    """
    options: list[list[Alignment]] = []
    asked = words_of_text(question)
    stated = Counter(value for mention in mentions(question) for value in set(mention.readings))
    for first, second in _buckets(left, right):
        alone = not scored and len(first) == len(second) == 1
        weights = {(first[0], second[0]): (0.0, 0.0)} if alone else _weights(left, right, (first, second), similarity)
        options.append(_matchings(first, second, weights))
    best = _alignment_of_parts([matchings[0] for matchings in options])
    times = [stated, *(Counter[Exact](Fraction(own.value) for own in side) for side in (left, right))]
    by_value_alone = (
        pair for pair in best.pairs if _has_contrary_words(left[pair.left], right[pair.right], asked, times, similarity)
    )
    runners_up: list[Alignment] = []
    for place, matchings in enumerate(options):
        others = [other[0] for other in (*options[:place], *options[place + 1 :])]
        runners_up.extend(_alignment_of_parts([*others, other]) for other in matchings[1 : MOST_RUNNERS_UP + 1])
    runners_up.sort(key=_by_weight)
    choices = [_plausible_matchings(matchings) for matchings in options]
    taken = [{pair.left for pair in best.pairs}, {pair.right for pair in best.pairs}]
    return Alignments(
        best=best,
        runners_up=tuple(runners_up[:MOST_RUNNERS_UP]),
        unaligned_left=tuple(index for index in range(len(left)) if index not in taken[0]),
        unaligned_right=tuple(index for index in range(len(right)) if index not in taken[1]),
        # Where more are plausible than can be listed, they are those that exchange two inputs.
        choices=tuple(
            tuple(
                other
                for other in matchings
                if len(matchings) <= MOST_CHOICES or _moved(matchings[0], other) <= EXCHANGED
            )
            for matchings in choices
        ),
        listed=all(len(matchings) <= MOST_CHOICES for matchings in choices),
        by_value_alone=tuple(by_value_alone),
        question=question,
    )


def _has_contrary_words(
    left: Parameter,
    right: Parameter,
    asked: frozenset[str],
    times: Sequence[Mapping[Exact, int]],
    similarity: Similarity,
) -> bool:
    """Tell whether the words of two inputs speak of different things; `times` is how often the question, the left and the right have a value.

    A rate and a count of its unit do, two rates of different things by different ones, or two counts: `cakes_per_day` has a word in common with
    `work_days` and with `days_per_week`, and they are other facts; 4 cats are not their 4 legs. Of other words, synonyms are contradicted by nothing where each statement of
    the value is an input of either side, or where one alone states it and not both words are of the question.
    """
    stated, *inputs = (count.get(Fraction(left.value), 0) for count in times)
    if _are_two_facts(left, right, asked):
        return True
    if shares_word(left, right) or [stated, stated] == inputs != [1, 1]:
        return False
    terse = is_terse(left) or is_terse(right)
    own_words = any(asked.isdisjoint(words_of_text(side.name)) for side in (left, right))
    if stated > max(inputs):
        return terse or not own_words or similarity(left.text, right.text) < LIKE
    return not (terse or (own_words and stated < 2)) and similarity(left.text, right.text) < UNLIKE


def _are_two_facts(left: Parameter, right: Parameter, asked: frozenset[str]) -> bool:
    """Tell whether two names speak of two facts: a rate and a count of its unit, two rates by different units, or two counts of the question.

    Two counts are one where a comment has a word of the other side: `stops = 6  # villages visited` counts villages.
    """
    heads, units = zip(*(counted_and_unit(own.name.lower().split("_")) for own in (left, right)), strict=True)
    first, second, by, other = (words_of_text(" ".join(part)) for part in (*heads, *units))
    if not asked or not first.isdisjoint(second):
        return False
    counts = [
        words_of_text(head[-1]) if is_plural(head[-1]) and not is_measured(head[:-1]) else frozenset[str]()
        for head in heads
    ]
    if counts[0] & other or counts[1] & by:
        return True
    if by and other:
        return bool(asked & first and asked & second) and by.isdisjoint(other)
    counted = not (by or other or any(map(is_measured, heads))) and all(asked & count for count in counts)
    return counted and not shares_word(left, right)


def _by_weight(alignment: Alignment) -> tuple[float, list[tuple[int, int]]]:
    return -alignment.weight, [(pair.left, pair.right) for pair in alignment.pairs]


def _plausible_matchings(matchings: list[Alignment]) -> list[Alignment]:
    """Return the best matching of a bucket and those that words and order do not rule out."""
    best, *others = matchings
    return [best, *(other for other in others if _shortfall(best, other) < MARGIN * max(_moved(best, other), 1))]


def _moved(best: Alignment, other: Alignment) -> int:
    return sum((pair.left, pair.right) not in best.places for pair in other.pairs)


def _shortfall(best: Alignment, other: Alignment) -> float:
    order = SAME_ORDER * _moved(best, other) * (best.concordance - other.concordance)
    return round(best.weight - other.weight + order, 9)


def _buckets(left: Sequence[Parameter], right: Sequence[Parameter]) -> list[tuple[list[int], list[int]]]:
    """Return the indices on either side for each value both sides have, in the left side's order.

    Of a value that one side has more than six times, nothing is matched.
    """
    buckets: dict[Fraction, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, parameters in enumerate((left, right)):
        for index, parameter in enumerate(parameters):
            buckets[Fraction(parameter.value)][side].append(index)
    return [own for own in buckets.values() if all(own) and max(map(len, own)) <= LARGEST_BUCKET]


def _weights(
    left: Sequence[Parameter], right: Sequence[Parameter], bucket: tuple[list[int], list[int]], similarity: Similarity
) -> Weights:
    sides = [left[index] for index in bucket[0]], [right[index] for index in bucket[1]]
    overlaps = word_overlaps(*sides)
    # Where one name means nothing to the encoder, its cosines would favour the others.
    embedded = not any(map(is_terse, itertools.chain(*sides)))
    weights = {}
    for row, (index, first) in enumerate(zip(bucket[0], sides[0], strict=True)):
        for column, (other, second) in enumerate(zip(bucket[1], sides[1], strict=True)):
            words = similarity(first.text, second.text)
            origins = {first.provenance, second.provenance}
            weight = words * embedded + OVERLAP * overlaps[row][column] + SAME_TYPE * (first.type == second.type)
            weight += SAME_PROVENANCE * (len(origins) == 1 or Provenance.UNKNOWN in origins)
            weights[index, other] = words, weight
    return weights


def _matchings(first: list[int], second: list[int], weights: Weights) -> list[Alignment]:
    """Return all matchings of a bucket that leave nothing unmatched on the smaller side, best first."""
    short, long = (first, second) if len(first) <= len(second) else (second, first)
    matchings = []
    for choice in itertools.permutations(long, len(short)):
        pairs = list(zip(short, choice, strict=True)) if short is first else list(zip(choice, short, strict=True))
        matchings.append(_alignment(sorted(pairs), weights))
    return sorted(matchings, key=_by_weight)


def _alignment(pairs: list[tuple[int, int]], weights: Weights) -> Alignment:
    return Alignment(
        tuple(AlignedPair(index, other, weights[index, other][0]) for index, other in pairs),
        round(sum(weights[pair][1] for pair in pairs), 9),
    )


def _alignment_of_parts(parts: list[Alignment]) -> Alignment:
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
    loose = [left[index].name for index in alignments.unaligned_left]
    loose += [right[index].name for index in alignments.unaligned_right]
    listed = f"{', '.join(loose[:4])}{'…' if len(loose) > 4 else ''}"
    if best.pairs and not loose:
        status, reason = Status.CONFIRMED, None
    elif best.pairs or not left or not right:
        told = f"{len(best.pairs)} aligned, {len(loose)} not: {listed}"
        status, reason = Status.UNKNOWN, told if loose else "neither side has inputs"
    else:
        status, reason = Status.REFUTED, "no input of one side has the value of an input of the other"
    runner_up = None
    if alignments.runners_up:
        other = alignments.runners_up[0]
        moved = tuple(pair for pair in other.pairs if (pair.left, pair.right) not in best.places)
        shortfall = round(best.weight - other.weight, 3)
        runner_up = SecondAlignment(_aligned_parameters(Alignment(moved, other.weight), left, right), shortfall)
    record = ParameterAlignment(
        _aligned_parameters(best, left, right),
        tuple(left[index].name for index in alignments.unaligned_left),
        tuple(right[index].name for index in alignments.unaligned_right),
        runner_up,
    )
    method = "meaning" if alignments.runners_up else "value"
    return Verdict("ut2", problem_id, *names, status, method, checked=len(best.pairs), reason=reason, alignment=record)


def _aligned_parameters(
    alignment: Alignment, left: Sequence[Parameter], right: Sequence[Parameter]
) -> tuple[AlignedParameters, ...]:
    return tuple(
        AlignedParameters(
            left[pair.left].name, right[pair.right].name, format_exact(left[pair.left].value), round(pair.similarity, 3)
        )
        for pair in alignment.pairs
    )
