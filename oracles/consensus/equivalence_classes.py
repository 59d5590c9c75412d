"""Classes of equal formalizations of a problem with many answers, found by few comparisons instead of one for each pair."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from harness.domain import Parameter, Status, Verdict
from oracles.equivalence.input_domain import wholeness

CLAIM = "classes"
"""The claim about a problem with too many pairs: all its formalizations that UT-1 does not refute are one class."""
MOST_REPRESENTATIVES = 16
"""The most classes of one value and kind that a formalization is compared with, and of one value that are compared with each other."""
MOST_WORDINGS = 16
"""The most wordings of inputs of equal value in one class; a formalization with a further one stands for a class of its own."""

Aligned = dict[str, str]
"""The inputs of one formalization and those of another that UT-2 aligns them with, by name."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A formalization as it is sorted before it is compared.

    `value` is what it gives; only formalizations of one value are compared. `inputs` have the value of each input and whether it counts
    or measures, by name. `wording` is all that the alignment of its inputs depends on, empty where no two inputs have one value: then the
    values alone align them.
    """

    model: str
    value: Hashable
    inputs: Mapping[str, Hashable]
    wording: Hashable = ()

    @property
    def kind(self) -> Hashable:
        """Return the values and types of the inputs."""
        return frozenset(Counter(self.inputs.values()).items())


def answered(model: str, value: Hashable, parameters: Iterable[Parameter]) -> Answered:
    """Return a formalization that gives a value from inputs."""
    inputs = list(parameters)
    several = len({parameter.value for parameter in inputs}) < len(inputs)
    wording = tuple((own.value, own.text, own.type, str(own.provenance)) for own in inputs) if several else ()
    return Answered(model, value, {own.name: (own.value, wholeness(own)) for own in inputs}, wording)


@dataclass(slots=True)
class _Class:
    """Formalizations of one kind: each was proved equal to the representative with all inputs aligned, and so is each two of them.

    `wordings` have one of them for each wording; what UT-2 aligns of any two of these is what their alignments with the representative say.
    """

    representative: Answered
    members: list[str]
    wordings: dict[Hashable, Answered]

    @property
    def rank(self) -> tuple[int, str]:
        """Return the sort key that puts the largest class first."""
        return -len(self.members), self.representative.model


@dataclass(slots=True)
class Division:
    """The classes of a problem: the representative of each formalization, and the pairs that were compared, in order."""

    representative: dict[str, str] = field(default_factory=dict)
    pairs: list[tuple[str, str]] = field(default_factory=list)

    @property
    def sizes(self) -> list[int]:
        """Return the sizes of the classes, largest first."""
        return sorted(Counter(self.representative.values()).values(), reverse=True)


@dataclass(slots=True)
class _Divider:
    """Compares formalizations; `equal` is told the first name first, `aligned` any two."""

    equal: Callable[[str, str], bool]
    aligned: Callable[[str, str], Aligned]
    known: dict[tuple[str, str], bool] = field(default_factory=dict)

    def compared(self, left: str, right: str) -> bool:
        """Tell whether two formalizations are equal."""
        pair = min(left, right), max(left, right)
        if pair not in self.known:
            self.known[pair] = self.equal(*pair)
        return self.known[pair]

    def alignment(self, left: Answered, right: Answered) -> Aligned:
        """Return the inputs of two formalizations that UT-2 aligns, left to right."""
        if left.model < right.model:
            return self.aligned(left.model, right.model)
        return {own: other for other, own in self.aligned(right.model, left.model).items()}

    def follows(self, *path: Answered) -> bool:
        """Tell whether UT-2 aligns the ends of a path as the alignments along the path do."""
        through = {name: name for name in path[0].inputs}
        for left, right in itertools.pairwise(path):
            step = self.alignment(left, right) if left is not right else {name: name for name in left.inputs}
            through = {name: step[middle] for name, middle in through.items() if middle in step}
        return path[0] is path[-1] or through == self.alignment(path[0], path[-1])

    def differ_in_type(self, left: Answered, right: Answered) -> bool:
        """Tell whether two aligned inputs differ: one counts, the other measures."""
        return any(left.inputs[own] != right.inputs[other] for own, other in self.alignment(left, right).items())

    def joins(self, answer: Answered, known: _Class) -> bool:
        """Tell whether a formalization is equal to each of a class, and take it in."""
        first = known.representative
        if not self.compared(first.model, answer.model):
            return False
        if answer.wording not in known.wordings:
            whole = len(self.alignment(first, answer)) == len(answer.inputs)
            if not whole or self.differ_in_type(first, answer) or len(known.wordings) >= MOST_WORDINGS:
                return False
            if not all(self.follows(other, first, answer) for other in known.wordings.values()):
                return False
            known.wordings[answer.wording] = answer
        known.members.append(answer.model)
        return True

    def are_one(self, left: _Class, right: _Class) -> bool:
        """Tell whether each of a class is equal to each of another, whose inputs are of another kind or otherwise worded.

        Where one class takes whole numbers for what another measures, each is compared with the other's representative: two that are equal
        on whole numbers may differ between these.
        """
        first, second = left.representative, right.representative
        if not self.compared(first.model, second.model) or bool(first.wording) is not bool(second.wording):
            return False
        if self.differ_in_type(first, second):
            pairs = [(name, second.model) for name in left.members] + [(first.model, name) for name in right.members]
            if not all(itertools.starmap(self.compared, pairs)):
                return False
        return not first.wording or all(
            self.follows(own, first, second, other)
            for own in left.wordings.values()
            for other in right.wordings.values()
        )


def divide(
    answers: Iterable[Answered], equal: Callable[[str, str], bool], aligned: Callable[[str, str], Aligned]
) -> Division:
    """Return the classes of formalizations, given in the order of their names: each two of a class are equal as UT-2 aligns them.

    `equal` compares two of them, the first name first, and `aligned` says what UT-2 aligns of them. Equality is handed on only where all
    inputs are aligned, with equal types, or stay frozen alike: `x + x * y` with `y = 2` and `3 * x` are equal while `y` is frozen, and what
    is equal to the second need not be equal to the first.

    Each formalization is compared with the representatives of at most MOST_REPRESENTATIVES classes of its value and kind, the largest
    first, and joins the first that it is equal to: of n that are equal and alike, n - 1 comparisons are made. Then each of the largest classes
    of a value joins the first larger ones that are all equal to it. Last, the representative of each other class is
    compared with that of the largest one, so that it is known how they differ.
    """
    divider = _Divider(equal, aligned)
    by_value: defaultdict[Hashable, defaultdict[Hashable, list[_Class]]] = defaultdict(lambda: defaultdict(list))
    for answer in answers:
        own = by_value[answer.value][answer.kind]
        nearest = sorted(own, key=lambda known: known.rank)[:MOST_REPRESENTATIVES]
        if not any(divider.joins(answer, known) for known in nearest):
            own.append(_Class(answer, [answer.model], {answer.wording: answer}))
    classes = [known for kinds in by_value.values() for known in _united_classes(divider, kinds.values())]
    standing = {model: known.representative.model for known in classes for model in known.members}
    largest = min(classes, key=lambda known: known.rank).representative.model if classes else ""
    for model in dict.fromkeys(standing.values()):
        if model != largest:
            divider.compared(model, largest)
    return Division(standing, list(divider.known))


def _united_classes(divider: _Divider, kinds: Iterable[list[_Class]]) -> list[_Class]:
    classes = sorted((known for own in kinds for known in own), key=lambda known: known.rank)
    groups: list[list[_Class]] = []
    for known in classes[:MOST_REPRESENTATIVES]:
        group = next((own for own in groups if all(divider.are_one(known, other) for other in own)), None)
        if group is None:
            groups.append(group := [])
        group.append(known)
    joined = [_Class(own[0].representative, [model for known in own for model in known.members], {}) for own in groups]
    return sorted([*joined, *classes[MOST_REPRESENTATIVES:]], key=lambda known: known.rank)


def judged_pairs(verdicts: Iterable[Verdict], claim: str) -> dict[tuple[str, str], Verdict]:
    """Return the verdicts of UT-2 or UT-3 by pair."""
    return {(verdict.left, verdict.right or ""): verdict for verdict in verdicts if verdict.claim == claim}


def aligned_inputs(verdict: Verdict) -> Aligned:
    """Return the inputs that a verdict of UT-2 aligns."""
    return {} if verdict.alignment is None else {pair.left: pair.right for pair in verdict.alignment.aligned}


def representatives(answers: Iterable[Answered], verdicts: Sequence[Verdict]) -> dict[str, str]:
    """Return the representative of the class of each formalization by the verdicts on the pairs that were compared."""
    aligned, decided = judged_pairs(verdicts, "ut2"), judged_pairs(verdicts, "ut3")
    return divide(
        answers,
        lambda *pair: decided[pair].status is Status.CONFIRMED,
        lambda *pair: aligned_inputs(aligned[pair]),
    ).representative
