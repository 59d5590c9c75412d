"""The cause of a refutation, found by comparing two programs again under the same alignment with one difference taken away.

The first re-try that makes the two equal, in this order, gives the cause:

1. `rounding`: every rounding is removed from both. Each input that changes a result must still do so without rounding: where the
   rounding itself carries a quantity, such as `a - a // b * b`, the cause is `logic`.
2. `alignment`: another assignment of inputs of equal value, unless the words clearly speak for the first one.
3. `duplicate_fact`: all inputs of one value move together, unless the question states the value twice, or their names say that they
   are separate facts (`_are_one_fact`).
4. `unused_input`: the inputs that cannot reach the answer of one program and change the result of the other stay at the problem's values.
5. `outside_domain`: only points count at which every value that is whole, or not negative, in the problem is so, too, and bounds that names give hold.
6. `logic`: no re-try makes the two equal.

Two programs that differ on the problem's own values can only have the causes `rounding` and `logic`: no other re-try changes what
happens there. *Equal* means that the ladder confirms the rewritten pair (`proved`, with its method), or that it decides nothing while
the two agree at `FEWEST_TESTED` points or more (`tested`). `outside_domain` is only ever `tested`. A cause is a claim: `logic` says that
none was found.
"""

from __future__ import annotations

import contextlib
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.domain import CauseBasis, CauseKind, Parameter, RefutationCause, Status, Verdict
from harness.program.evaluation.evaluator import Outcome, evaluate
from harness.program.ir import Program
from harness.program.lifter import Candidate
from harness.program.refusal import Refusal
from harness.text.lexicon import english
from harness.text.nouns import singular_noun
from harness.text.numbers import mentions
from oracles.alignment.parameter_matching import AlignedPair, Alignment, Alignments
from oracles.equivalence.counterexample_search import CounterexampleSearch
from oracles.equivalence.input_domain import joint_domain, pair_name
from oracles.equivalence.intermediate_values import admissible_points
from oracles.equivalence.other_units import in_units_said
from oracles.equivalence.program_inputs import used_inputs
from oracles.equivalence.program_rewrites import tied, unrounded
from oracles.equivalence.witness import is_world_fact, near_values_of

if TYPE_CHECKING:
    from oracles.equivalence.ladder import EquivalenceJudge

Pairs = tuple[tuple[int, int], ...]
Point = tuple[Fraction, ...]

FEWEST_TESTED = 30
MOST_ASSIGNMENTS = 24
# Assignments within the aligner's margin are open, and the pair UNKNOWN. Beyond this for each input moved the words are clear:
# `hours_saturday` is no `hours_sunday`, whose own names differ by 0.6 and more.
CLEAR_WORDS = 0.4
_EMPTY = english("word_overlap").words("empty")


@dataclass(frozen=True, slots=True)
class _Retry:
    """A second comparison: two programs, which inputs move together, and the inputs that were treated otherwise."""

    kind: CauseKind
    left: Program
    right: Program
    pairs: Pairs
    inputs: tuple[str, ...] = ()


def with_cause(
    verdict: Verdict,
    left: Candidate,
    right: Candidate,
    alignments: Alignments,
    *,
    judge: EquivalenceJudge,
    question: str,
) -> Verdict:
    """Return a verdict of UT-3 with its cause, in the field and in the reason, if it is REFUTED; others as they are.

    It is UNKNOWN where the two differ only at points at which a count is no longer whole, or a quantity negative. The numbers that the
    question of the problem states tell separate facts from one that was entered twice.
    """
    if verdict.status is not Status.REFUTED or left.program is None or right.program is None:
        return verdict
    first, second, alignments = in_units_said(left.program, right.program, alignments)
    search = _CauseSearch(judge, question, (left, right), first, second, alignments)
    cause = search.cause()
    status = Status.UNKNOWN if search.admissible else Status.REFUTED
    return replace(verdict, status=status, cause=cause, reason=f"{verdict.reason}; cause: {cause_phrase(cause)}")


def cause_phrase(cause: RefutationCause) -> str:
    """Return a cause in words, such as `rounding (equal without it: proved by smt)`."""
    name = cause.kind.replace("_", " ")
    if cause.basis is CauseBasis.NO_RETRY_AGREED:
        return name
    inputs = f" of {', '.join(cause.inputs)}" if cause.inputs else ""
    how = f"proved by {cause.method}" if cause.basis is CauseBasis.PROVED else f"tested at {cause.checked} points"
    return f"{name}{inputs} ({_RETRIED[cause.kind]}: {how})"


_RETRIED = {
    CauseKind.ROUNDING: "equal without rounding",
    CauseKind.ALIGNMENT: "equal under another alignment",
    CauseKind.DUPLICATE_FACT: "equal if inputs of the same value move together",
    CauseKind.UNUSED_INPUT: "equal with the input at its own value",
    CauseKind.OUTSIDE_DOMAIN: "equal while all counts are whole and not negative",
}


@dataclass(slots=True)
class _CauseSearch:
    judge: EquivalenceJudge
    question: str
    sides: tuple[Candidate, Candidate]
    left: Program
    right: Program
    alignments: Alignments
    pairs: Pairs = field(init=False)
    admissible: int = 0
    """At how many points of the problem's domain the two agree where they differ outside of it alone; else 0."""

    def __post_init__(self) -> None:
        self.pairs = tuple((pair.left, pair.right) for pair in self.alignments.best.pairs)

    def cause(self) -> RefutationCause:
        """Return the first cause in the order of the module."""
        search = _search(self.left, self.right, self.pairs)
        own = not search.parts_at(search.start)
        self.admissible = admissible_points(search) if own else 0
        others = (self._otherwise_aligned(), self._moved_together(), self._without_unused()) if own else ()
        for retry in itertools.chain(self._without_rounding(), *others):
            cause = self._equal(retry)
            if cause is not None:
                return cause
        if self.admissible:
            return RefutationCause(CauseKind.OUTSIDE_DOMAIN, CauseBasis.TESTED, "evaluation", self.admissible)
        return RefutationCause(CauseKind.LOGIC, CauseBasis.NO_RETRY_AGREED, "none")

    def _equal(self, retry: _Retry) -> RefutationCause | None:
        """Return the cause that a re-try shows, `None` where it does not make the two equal."""
        search = _search(retry.left, retry.right, retry.pairs)
        if not any(_moves(search, 0, place) for place in range(len(retry.pairs))):
            return None
        verdict = self.judge.judge(
            self._candidate(0, retry.left),
            self._candidate(1, retry.right),
            Alignments(Alignment(tuple(AlignedPair(*pair, 1.0) for pair in retry.pairs), 0.0), (), (), ()),
        )
        if verdict.status is Status.CONFIRMED:
            return RefutationCause(retry.kind, CauseBasis.PROVED, verdict.method, verdict.checked, retry.inputs)
        if verdict.status is Status.REFUTED or verdict.checked < FEWEST_TESTED:
            return None
        return RefutationCause(retry.kind, CauseBasis.TESTED, "evaluation", verdict.checked, retry.inputs)

    def _candidate(self, side: int, program: Program) -> Candidate:
        candidate = self.sides[side]
        if program is candidate.program:
            return candidate
        try:
            return Candidate(candidate.response, program, evaluate(program), None)
        except Refusal as refusal:
            return Candidate(candidate.response, program, None, str(refusal))

    def _pair_names(self, pairs: Sequence[tuple[int, int]]) -> tuple[str, ...]:
        return tuple(pair_name(self.left.parameters[first], self.right.parameters[second]) for first, second in pairs)

    # The re-tries.

    def _without_rounding(self) -> Iterator[_Retry]:
        left, right = unrounded(self.left), unrounded(self.right)
        if left is self.left and right is self.right:
            return
        before, after = _search(self.left, self.right, self.pairs), _search(left, right, self.pairs)
        inputs = itertools.product((0, 1), range(len(self.pairs)))
        if all(_moves(after, side, place) or not _moves(before, side, place) for side, place in inputs):
            yield _Retry(CauseKind.ROUNDING, left, right, self.pairs)

    def _otherwise_aligned(self) -> Iterator[_Retry]:
        best = self.alignments.best
        single = [(other.places - best.places, best.weight - other.weight) for other in self.alignments.runners_up]
        joined = [
            (first | second, short + further)
            for (first, short), (second, further) in itertools.combinations(single, 2)
            if all({pair[side] for pair in first}.isdisjoint(pair[side] for pair in second) for side in (0, 1))
        ]
        for moved, shortfall in [*single, *joined][:MOST_ASSIGNMENTS]:
            if shortfall <= CLEAR_WORDS * max(len(moved), 1):
                taken = [{pair[side] for pair in moved} for side in (0, 1)]
                kept = {pair for pair in best.places if pair[0] not in taken[0] and pair[1] not in taken[1]}
                pairs, names = tuple(sorted(kept | moved)), self._pair_names(sorted(moved))
                yield _Retry(CauseKind.ALIGNMENT, self.left, self.right, pairs, names)

    def _moved_together(self) -> Iterator[_Retry]:
        stated = Counter(value for own in mentions(self.question) for value in set(map(Fraction, own.readings)))
        groups: list[tuple[list[int], list[int]]] = []
        for value in dict.fromkeys(Fraction(own.value) for own in self.left.parameters):
            left, right = (
                [index for index, own in enumerate(program.parameters) if own.value == value]
                for program in (self.left, self.right)
            )
            enough = stated[value] == 1 if len(left) == len(right) else right and stated[value] < 2
            if (
                enough
                and len(left) + len(right) > 2
                and self._are_one_fact(self.left, left)
                and self._are_one_fact(self.right, right)
            ):
                groups.append((left, right))
        for chosen in [*([group] for group in groups), groups][: len(groups) + (len(groups) > 1)]:
            left_members = {index for left, _ in chosen for index in left}
            kept = [pair for pair in self.pairs if pair[0] not in left_members]
            names = [
                program.parameters[index].name
                for group in chosen
                for program, own in zip((self.left, self.right), group, strict=True)
                if len(own) > 1
                for index in own
            ]
            yield _Retry(
                CauseKind.DUPLICATE_FACT,
                tied(self.left, {index: left[0] for left, _ in chosen for index in left}),
                tied(self.right, {index: right[0] for _, right in chosen for index in right}),
                tuple(sorted([*kept, *((left[0], right[0]) for left, right in chosen)])),
                tuple(names),
            )

    def _are_one_fact(self, program: Program, group: Sequence[int]) -> bool:
        """Tell whether the words allow that inputs of equal value are one fact that was entered several times.

        All of them are facts of world knowledge or none is; all or none are rates (`legs_per_dog`); and each shares a word with the
        first, of rates one before `per`: `num_dogs` and `legs_per_dog` are two facts, `coins_hour_two` and `coins_hour_three` may be one.
        """
        first, *others = (program.parameters[index] for index in group)
        return all(
            is_world_fact(first) == is_world_fact(other)
            and ("per" in first.name.split("_")) == ("per" in other.name.split("_"))
            and bool(_quantity_words(first) & _quantity_words(other))
            for other in others
        )

    def _without_unused(self) -> Iterator[_Retry]:
        search = _search(self.left, self.right, self.pairs)
        for unused, used in ((0, 1), (1, 0)):
            reaching = used_inputs((self.left, self.right)[unused])
            frozen = [
                pair
                for place, pair in enumerate(self.pairs)
                if pair[unused] not in reaching and _moves(search, used, place)
            ]
            kept = tuple(pair for pair in self.pairs if pair not in frozen)
            if frozen and kept:
                yield _Retry(CauseKind.UNUSED_INPUT, self.left, self.right, kept, self._pair_names(frozen))


def _quantity_words(parameter: Parameter) -> frozenset[str]:
    words = parameter.name.lower().partition("_per_")[0].split("_")
    return frozenset(singular_noun(word) for word in words if word.isalpha() and word not in _EMPTY)


# Points.


def _search(left: Program, right: Program, pairs: Pairs) -> CounterexampleSearch:
    domains = [joint_domain(left.parameters[first], right.parameters[second]) for first, second in pairs]
    return CounterexampleSearch(left, right, pairs, domains)


def _moves(search: CounterexampleSearch, side: int, place: int) -> bool:
    """Tell whether moving one input changes the result of one side, from the problem's own values or from others."""
    start, near = search.start, near_values_of(search)
    others = tuple(values[1] if len(values) > 1 else own for own, values in zip(start, near, strict=True))
    for base in (start, others):
        results: set[Outcome] = set()
        for value in (base[place], *near[place][:3], *near[place][-1:]):
            with contextlib.suppress(Refusal):
                results.add(search.outcomes((*base[:place], value, *base[place + 1 :]))[side])
        if len(results) > 1:
            return True
    return False
