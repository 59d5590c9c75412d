"""Tests of the words of English: each list is read and has no entry twice, and no module holds a long list of its own."""

import re
import tomllib

from harness.paths import ROOT
from harness.text.lexicon import WordLists

ROOMS = ("harness", "generators", "oracles", "sft", "reports", "properties", "snapshots")
ENGLISH = ROOT / "harness" / "text" / "english.toml"


def test_word_lists_are_read_as_sets_tuples_alternatives_and_tables() -> None:
    """A list is an array or a text of words."""
    lists = WordLists({"few": "b a", "some": ["c d", "e"], "table": {"x": 1}, "rows": [{"y": 2}]})
    assert (lists.ordered("few"), lists.words("few"), lists.either("some")) == (("b", "a"), {"a", "b"}, "c d|e")
    assert (lists.mapping("table"), lists.records("rows")) == ({"x": 1}, [{"y": 2}])


def test_no_list_has_an_entry_twice() -> None:
    """No list of the words of English has an entry twice."""
    lists = {
        f"{table}.{name}": WordLists(stated).ordered(name)
        for table, stated in tomllib.loads(ENGLISH.read_text(encoding="utf-8")).items()
        for name, entries in stated.items()
        if isinstance(entries, str) or (isinstance(entries, list) and isinstance(entries[0], str))
    }
    assert [name for name, entries in lists.items() if len(set(entries)) < len(entries)] == []


def test_every_list_of_english_is_read() -> None:
    """Each table of the words of English has a reader, and each of its lists is named there."""
    sources = {path: path.read_text(encoding="utf-8") for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    unread = []
    for table, lists in tomllib.loads(ENGLISH.read_text(encoding="utf-8")).items():
        readers = [source for source in sources.values() if re.search(rf"english\([\"']{table}[\"']\)", source)]
        named = set(re.findall(r"[\"'](\w+)[\"']", "".join(readers)))
        unread += [f"{table}.{name}" for name in lists.keys() - named]
    assert unread == []
