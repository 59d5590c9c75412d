"""The words of English that the product knows: the tables of `english.toml`, read once.

A list is an array, or a text of words separated by white space.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class WordLists:
    """The named lists and tables of one table of English."""

    table: dict[str, Any]

    def ordered(self, name: str) -> tuple[str, ...]:
        """Return the entries of a list in the order of the file."""
        entries = self.table[name]
        return tuple(entries.split() if isinstance(entries, str) else entries)

    def words(self, name: str) -> frozenset[str]:
        """Return the entries of a list as a set."""
        return frozenset(self.ordered(name))

    def either(self, name: str) -> str:
        """Return the alternatives `a|b|c` of a regular expression; the entries of the list are regular expressions."""
        return "|".join(self.ordered(name))

    def pattern(self, name: str, before: str = "", after: str = "") -> re.Pattern[str]:
        """Return the regular expression that finds any entry of a list, in small or capital letters, between `before` and `after`."""
        return re.compile(f"{before}(?:{self.either(name)}){after}", re.IGNORECASE)

    def records(self, name: str) -> list[dict[str, Any]]:
        """Return an array of tables."""
        return list(self.table[name])

    def mapping(self, name: str) -> dict[str, Any]:
        """Return a table, its keys in the order of the file."""
        return dict(self.table[name])


@cache
def english(table: str) -> WordLists:
    """Return the lists of one table of `english.toml`."""
    return WordLists(english_tables()[table])


@cache
def english_tables() -> dict[str, dict[str, Any]]:
    """Return all tables of `english.toml`."""
    return tomllib.loads(Path(__file__).with_name("english.toml").read_text(encoding="utf-8"))
