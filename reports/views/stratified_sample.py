"""A sample of fixed size, spread evenly over strata and independent of the order of the items."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Item = TypeVar("Item")
Stratum = tuple[str, ...]


@dataclass(slots=True)
class Sample(Generic[Item]):
    """At most `size` items, spread evenly over strata and drawn by the hashes of their names.

    Items are added one at a time and kept only while they belong to the sample: memory does not grow with their
    number. The sample does not depend on the order of the items.
    """

    size: int
    seen: int = 0
    _strata: dict[Stratum, dict[bytes, Item]] = field(default_factory=dict)

    def add(self, stratum: Stratum, name: str, item: Item) -> None:
        """Add an item, and drop the item that it displaces; an item replaces an earlier one of the same name."""
        self.seen += 1
        items = self._strata.setdefault(stratum, {})
        items[hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()] = item
        if self.seen > self.size and sum(map(len, self._strata.values())) > self.size:
            # The fullest stratum drops an item, the last stratum by name if several are equal. Shares only shrink, so
            # a dropped item would not have come back.
            most = max(map(len, self._strata.values()))
            fullest = max(stratum for stratum, kept in self._strata.items() if len(kept) == most)
            del self._strata[fullest][max(self._strata[fullest])]

    def items(self) -> Iterator[Item]:
        """Yield the items of the sample, by stratum."""
        for stratum in sorted(self._strata):
            yield from (item for _, item in sorted(self._strata[stratum].items(), key=lambda pair: pair[0]))
