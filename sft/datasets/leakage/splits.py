"""The split of problems into training, validation and test; near-duplicate questions stay in one split."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from sft.datasets.leakage.decontamination import QuestionIndex

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

SPLITS = ("train", "validation", "test")


def groups_of(questions: Mapping[str, str]) -> dict[str, str]:
    """Return for each problem id the id that names its group; problems with nearly the same question are one group."""
    names = sorted(questions)
    first: dict[str, str] = {name: name for name in names}

    def root(name: str) -> str:
        while first[name] != name:
            first[name] = first[first[name]]
            name = first[name]
        return name

    known = QuestionIndex()
    for name in names:
        for number in known.near(questions[name]):
            left, right = sorted((root(names[number]), root(name)))
            first[right] = left
        known.add(questions[name])
    return {name: root(name) for name in names}


def split_groups(traits: Mapping[str, Iterable[str]], shares: Sequence[float], *, seed: int) -> dict[str, str]:
    """Return the split of each group so that every trait is divided among the splits by `shares`.

    Traits describe a group's samples: `tier:2`, `type:operator_swap`, `position:last`. The rarest trait is assigned first,
    each group to the split that lacks it most. Source: Sechidis, Tsoumakas and Vlahavas, On the stratification of
    multi-label data, 2011.
    """
    left = {name: frozenset(labels) for name, labels in traits.items()}
    order = {name: _draw(seed, name) for name in left}
    total = Counter(trait for labels in left.values() for trait in labels)
    lacking = {trait: [share * count for share in shares] for trait, count in total.items()}
    room = [share * len(left) for share in shares]
    holders: dict[str, set[str]] = defaultdict(set)
    for name, labels in left.items():
        for trait in labels:
            holders[trait].add(name)
    split: dict[str, str] = {}

    def deal(name: str, trait: str | None) -> None:
        wanted = lacking[trait] if trait is not None else room
        place = max(range(len(shares)), key=lambda number: (wanted[number], room[number], -number))
        split[name] = SPLITS[place]
        room[place] -= 1
        for other in left[name]:
            lacking[other][place] -= 1
            holders[other].discard(name)

    while any(holders.values()):
        trait = min((label for label in holders if holders[label]), key=lambda label: (len(holders[label]), label))
        for name in sorted(holders[trait], key=lambda member: (order[member], member)):
            deal(name, trait)
    for name in sorted(left, key=lambda member: (order[member], member)):
        if name not in split:
            deal(name, None)
    return split


def _draw(seed: int, name: str) -> bytes:
    return hashlib.blake2b(f"{seed}:split:{name}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
