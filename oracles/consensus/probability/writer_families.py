"""Families of writers: those that are one model by their names, as the user says, or as the forms of their programs say; and the pairs of which one copies the other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Sequence
from fnmatch import fnmatchcase

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import betaln

from harness.errors import HarnessError
from oracles.consensus.probability.answer_model import ProblemAnswers

SAMPLE_MARK = "#"
"""The mark before the number of a sample in the name of a writer: `opal#2` is a sample of `opal`."""
SAME_MODEL, OTHER_MODEL, WEIGHT = 0.57, 0.44, 40.0
"""How often two programs of one value have one form, of one public model under two prompts and of two models: means of Beta distributions of a weight."""
SAME_VALUE = 0.65
"""How often programs of two public models give one value."""
COPY = 0.9
"""The share of its programs that a copy repeats; the others are as those of another model."""
NEAR, FEW = 2.0, 5.0
"""How much more often than a pair a writer must differ from both to show how often programs of one value have one form, and how many programs of one form are added to its own."""
PUBLIC_PAIRS = 351
"""The pairs of public writers, of which none is a copy: that two writers are one is held as rare before their programs are read."""
COPY_DOUBT = math.log(PUBLIC_PAIRS)
"""The log odds against a copy before any program is read, which the evidence for one must exceed."""
NAME_PRIORS = (-1.5, -1.5, 1.5)
"""The log odds that two writers are one model, before their programs are read, by the leading parts that their names share, as in `publisher/model/prompt`."""


def named_families(options: Sequence[str]) -> list[tuple[str, str]]:
    """Return families with patterns of the names of their writers, given as `NAME=PATTERN`; one without a part of it is a `HarnessError`."""
    pairs = [option.partition("=")[::2] for option in options]
    for (name, pattern), option in zip(pairs, options, strict=True):
        if not name or not pattern:
            raise HarnessError(f"--family {option!r}: expected NAME=PATTERN such as gpt-4o=*/gpt-4o/*")
    return pairs


def writer_families(
    writers: Sequence[str], problems: Sequence[ProblemAnswers], given: Sequence[tuple[str, str]] = ()
) -> dict[str, str]:
    """Return the family of each writer: by name, and joined where the forms of their programs of one value, and leading parts of their names, say so."""
    family = _given_families(writers, given)
    names = sorted(set(family.values()))
    place = {name: number for number, name in enumerate(names)}
    counts = _form_counts([place[family[writer]] for writer in writers], writers, problems, len(names))
    evidence = _log_likelihood(SAME_MODEL, *counts) - _log_likelihood(OTHER_MODEL, *counts)
    evidence += [[_name_prior(left, right) for right in names] for left in names]
    joined = {name: name for name in names}
    for group in _groups(evidence):
        joined |= {names[number]: names[min(group)] for number in group}
    return {writer: joined[name] for writer, name in family.items()}


def _name_prior(left: str, right: str) -> float:
    parts = zip(left.split("/")[:-1], right.split("/")[:-1], strict=False)
    shared = len(list(itertools.takewhile(lambda pair: pair[0] == pair[1], parts)))
    return NAME_PRIORS[min(shared, len(NAME_PRIORS) - 1)]


def copies(
    writers: Sequence[str], problems: Sequence[ProblemAnswers], given: Sequence[tuple[str, str]] = ()
) -> set[tuple[str, str]]:
    """Return the pairs of writers, in the order given, of which one copies the other: it repeats most of its programs.

    Two values or two forms are evidence against, one form is evidence for as far as other writers of the same value have other forms.
    What differs from one of the pair hardly more than the pair itself may be a copy as well, and shows nothing. Samples of one model, by
    name or as `given`, are no copies: how alike they are is estimated.
    """
    number = {writer: place for place, writer in enumerate(writers)}
    same, both = _form_counts(range(len(writers)), writers, problems, len(writers))
    valued = [
        ((row, value), number[writer])
        for row, problem in enumerate(problems)
        for value, own in problem.support.items()
        for writer in own
    ]
    answered = _gram([(row, own) for (row, _), own in valued], len(writers))
    values = answered - _gram(valued, len(writers))
    differ = values + both - same
    family = _given_families(writers, given)
    found = set()
    for left, right in itertools.combinations(range(len(writers)), 2):
        others = np.ones(len(writers), dtype=bool)
        for count in (values, differ):
            share = (count + 1) / np.maximum(answered, 1)
            others &= np.minimum(share[left], share[right]) > NEAR * share[left, right]
        if not others.any():
            continue
        alike = (same[left] + same[right] + FEW) / (both[left] + both[right] + FEW)
        by_chance = max(SAME_MODEL, alike[others].max())
        evidence = copy_evidence(same[left, right], by_chance) + differ[left, right] * math.log(1 - COPY)
        if evidence > COPY_DOUBT and family[writers[left]] != family[writers[right]]:
            found.add((writers[left], writers[right]))
    return found


def copy_evidence(same: float, by_chance: float) -> float:
    """Return the log odds that two writers are one, by how many of their programs of one value have one form, and by how often those of other models have."""
    return same * math.log(COPY / by_chance + 1 - COPY)


def _given_families(writers: Sequence[str], given: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the family of each writer by the patterns of the user, or by its name."""
    family = {writer: writer.rpartition(SAMPLE_MARK)[0] or writer for writer in writers}
    for writer, (name, pattern) in itertools.product(writers, reversed(given)):
        if fnmatchcase(writer, pattern):  # the first pattern that matches is the last to tell
            family[writer] = name
    return family


def _log_likelihood(mean: float, same: NDArray[np.float64], both: NDArray[np.float64]) -> NDArray[np.float64]:
    alpha, beta = mean * WEIGHT, (1 - mean) * WEIGHT
    return np.asarray(betaln(alpha + same, beta + both - same) - betaln(alpha, beta))


def _form_counts(
    place: Sequence[int], writers: Sequence[str], problems: Sequence[ProblemAnswers], families: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return by pair of families how many programs of one value have one form, and how many programs of one value there are, of those that have a form."""
    number = dict(zip(writers, place, strict=True))
    formed = [
        ((row, value, problem.forms[writer]), number[writer])
        for row, problem in enumerate(problems)
        for value, own in problem.support.items()
        for writer in own
        if writer in problem.forms
    ]
    return _gram(formed, families), _gram([(key[:2], own) for key, own in formed], families)


def _gram(members: Sequence[tuple[Hashable, int]], families: int) -> NDArray[np.float64]:
    """Return by pair of families how many keys both are members of, each counted as often as both are."""
    rows: dict[Hashable, int] = {}
    keys = [rows.setdefault(key, len(rows)) for key, _ in members]
    incidence = csr_array((np.ones(len(members)), (keys, [own for _, own in members])), shape=(len(rows), families))
    return np.asarray((incidence.T @ incidence).toarray())


def _groups(evidence: NDArray[np.float64]) -> list[list[int]]:
    """Return the groups of families that are joined, those of the greatest mean log odds first, as long as it is above zero."""
    groups = [[number] for number in range(len(evidence))]
    sums, sizes = evidence.copy(), np.ones(len(evidence))
    np.fill_diagonal(sums, -np.inf)
    while len(groups) > 1:
        left, right = sorted(divmod(int(np.argmax(sums / np.outer(sizes, sizes))), len(groups)))
        if sums[left, right] <= 0:
            break
        groups[left] += groups.pop(right)
        sums[left] += sums[right]
        sums[:, left] = sums[left]
        sums[left, left] = -np.inf
        sums, sizes[left] = np.delete(np.delete(sums, right, 0), right, 1), sizes[left] + sizes[right]
        sizes = np.delete(sizes, right)
    return groups
