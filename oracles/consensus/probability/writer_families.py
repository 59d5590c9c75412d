"""Families of writers: those that are one model by their names, as the user says, or as the forms of their programs say."""

from __future__ import annotations

import itertools
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array
from scipy.special import betaln

from harness.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from numpy.typing import NDArray

    from harness.domain import Exact

    Written = tuple[Mapping[Exact, Sequence[str]], Mapping[str, str]]
    """The writers of each value of a problem, and the form of the program of each writer that has one."""

SAMPLE_MARK = "#"
"""The mark before the number of a sample in the name of a writer: `opal#2` is a sample of `opal`."""
SAME_MODEL, OTHER_MODEL, WEIGHT = 0.57, 0.44, 40.0
"""How often two programs of one value have one form, of one public model under two prompts and of two models: means of Beta distributions of a weight."""
NAME_PRIORS = (-1.5, -1.5, 1.5)
"""The log odds that two writers are one model, before their programs are read, by the leading parts that their names share, as in `publisher/model/prompt`."""


def named_families(options: Sequence[str]) -> list[tuple[str, str]]:
    """Return families with patterns of the names of their writers, given as `NAME=PATTERN`.

    Raises:
        HarnessError: one has no name, no pattern, or no equals sign between.
    """
    pairs = [option.partition("=")[::2] for option in options]
    for (name, pattern), option in zip(pairs, options, strict=True):
        if not name or not pattern:
            message = f"--family {option!r}: expected NAME=PATTERN such as gpt-4o=*/gpt-4o/*"
            raise HarnessError(message)
    return pairs


def writer_families(
    writers: Sequence[str], problems: Sequence[Written], given: Sequence[tuple[str, str]] = ()
) -> dict[str, str]:
    """Return the family of each writer: by name, and joined where the forms of their programs of one value, and leading parts of their names, say so."""
    family = {writer: writer.rpartition(SAMPLE_MARK)[0] or writer for writer in writers}
    for writer, (name, pattern) in itertools.product(writers, reversed(given)):
        if fnmatchcase(writer, pattern):  # the first pattern that matches is the last to tell
            family[writer] = name
    names = sorted(set(family.values()))
    place = {name: number for number, name in enumerate(names)}
    evidence = _form_evidence([place[family[writer]] for writer in writers], writers, problems, len(names))
    evidence += [[_name_prior(left, right) for right in names] for left in names]
    joined = {name: name for name in names}
    for group in _groups(evidence):
        joined |= {names[number]: names[min(group)] for number in group}
    return {writer: joined[name] for writer, name in family.items()}


def _name_prior(left: str, right: str) -> float:
    parts = zip(left.split("/")[:-1], right.split("/")[:-1], strict=False)
    shared = len(list(itertools.takewhile(lambda pair: pair[0] == pair[1], parts)))
    return NAME_PRIORS[min(shared, len(NAME_PRIORS) - 1)]


def _form_evidence(
    place: Sequence[int], writers: Sequence[str], problems: Sequence[Written], families: int
) -> NDArray[np.float64]:
    """Return by pair of families how much their programs add to the log odds that they are one model."""
    number = dict(zip(writers, place, strict=True))
    formed = [
        ((row, value, forms[writer]), number[writer])
        for row, (support, forms) in enumerate(problems)
        for value, own in support.items()
        for writer in own
        if writer in forms
    ]
    same = _gram([(key, own) for key, own in formed], families)
    both = _gram([(key[:2], own) for key, own in formed], families)
    log_odds = np.zeros_like(both)
    for mean, sign in ((SAME_MODEL, 1), (OTHER_MODEL, -1)):
        alpha, beta = mean * WEIGHT, (1 - mean) * WEIGHT
        log_odds += sign * (betaln(alpha + same, beta + both - same) - betaln(alpha, beta))
    return log_odds


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
