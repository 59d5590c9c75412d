"""A sample of fixed size, spread evenly over strata and independent of the order in which items arrive."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Item = TypeVar("Item")
Stratum = tuple[str, ...]


@dataclass(slots=True)
class Sample(Generic[Item]):
    """At most `size` items, spread evenly over strata and drawn by the hashes of their names.

    Items come one at a time and are kept only as long as they belong to the sample: memory does not grow with their
    number. In whatever order they come, the sample is the same.
    """

    size: int
    seen: int = 0
    _strata: dict[Stratum, dict[bytes, Item]] = field(default_factory=dict)

    def add(self, stratum: Stratum, name: str, item: Item) -> None:
        """Keep an item, and drop the one that it displaces; of items of one name the last is kept."""
        self.seen += 1
        items = self._strata.setdefault(stratum, {})
        items[hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()] = item
        if self.seen > self.size and sum(map(len, self._strata.values())) > self.size:
            # The fullest gives one up, the last by name where several are: shares only ever shrink, so what was
            # dropped once could not have come back.
            most = max(map(len, self._strata.values()))
            fullest = max(stratum for stratum, kept in self._strata.items() if len(kept) == most)
            del self._strata[fullest][max(self._strata[fullest])]

    def items(self) -> Iterator[Item]:
        """Yield the items that are kept, by stratum."""
        for stratum in sorted(self._strata):
            yield from (item for _, item in sorted(self._strata[stratum].items(), key=lambda pair: pair[0]))
