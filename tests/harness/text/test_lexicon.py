"""Tests of the lexicons: word lists are read, sorted and without duplicates, and no module holds one of its own."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.paths import ROOT
from harness.text.lexicon import WordLists, word_lists
from tests.cases import cases

ROOMS = ("harness", "generators", "oracles", "sft", "reports", "properties", "snapshots")
FILES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("lexicon/*.toml"))
READERS = frozenset({"words", "ordered", "either", "mapping", "records", "by_word"})
MOST_WORDS = 12
WORD = re.compile(r"[A-Za-z][\w'’?*\\.-]*(?: [\w'’?*\\.-]+){0,2}")
EXEMPT = {
    "harness/program/": "names of Python, each with what the evaluator does with it",
    "harness/smtlib/": "names of SMT-LIB, each with its sort or reason",
    "generators/constraints/kinds/": "kinds of clues, each with its weight or sentences",
    "harness/equations/lexer.py": "signs and words of equations, each with the token that it becomes",
    "sft/constraints/problem_split.py": "names of SMT-LIB that are kept where others are masked",
    "sft/evaluation/metrics.py": "names of metrics, each with what computes it",
}
"""Places whose tables are no words of English texts, with what they are."""


def name_of(path: Path) -> str:
    """Return a path from the root of the project."""
    return path.relative_to(ROOT).as_posix()


def module_of(lexicon: Path) -> Path:
    """Return the module that a lexicon belongs to."""
    return lexicon.parent.parent / f"{lexicon.stem}.py"


def calls(lexicon: Path) -> list[tuple[str, str]]:
    """Return how the module of a lexicon reads each list: the method and the name of the list."""
    return [
        (node.func.attr, node.args[0].value)
        for node in ast.walk(ast.parse(module_of(lexicon).read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in READERS
        and node.args
        and isinstance(node.args[0], ast.Constant)
    ]


def table_of(lexicon: Path) -> dict[str, Any]:
    """Return the lists of a lexicon."""
    return tomllib.loads(lexicon.read_text(encoding="utf-8"))


def alternatives(pattern: str) -> Iterator[list[str]]:
    """Yield the alternatives of each group of a regular expression, and those of the whole."""
    groups = [[""]]
    for part in re.findall(r"\\.|\[\^?\]?(?:\\.|[^\]])*\]|\((?:\?(?:P<\w+>|<?[=!]|[:>]))?|[^\\]", pattern):
        if part.startswith("("):
            groups.append([""])
        elif part == ")" and len(groups) > 1:
            yield groups.pop()
            groups[-1][-1] += "?"
        elif part == "|":
            groups[-1].append("")
        else:
            groups[-1][-1] += part
    yield from groups


def tables(node: ast.AST) -> Iterator[list[str]]:
    """Yield the words of each table within an expression: a collection, a table of literals, alternatives, split text."""
    for part in ast.walk(node):
        match part:
            case ast.Set(entries) | ast.List(entries) | ast.Tuple(entries):
                yield [
                    entry.value for entry in entries if isinstance(entry, ast.Constant) and isinstance(entry.value, str)
                ]
            case ast.Dict(keys, values) if all(isinstance(value, ast.Constant | ast.Tuple) for value in values):
                yield [key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
            case ast.Call(ast.Attribute(ast.Constant(str() as text), "split"), []):
                yield text.split()
            case ast.Constant(str() as text) if text.count("|") >= MOST_WORDS:
                yield from alternatives(text)


def inline_tables() -> Iterator[str]:
    """Yield the long tables of words that stand in a product module outside the exempt folders."""
    for path in sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        name = name_of(path)
        if not name.startswith(tuple(EXEMPT)):
            for statement in ast.parse(path.read_text(encoding="utf-8")).body:
                for table in tables(statement) if isinstance(statement, ast.Assign | ast.AnnAssign) else ():
                    words = [word for word in table if WORD.fullmatch(word)]
                    if len(words) > MOST_WORDS:
                        yield f"{name}:{statement.lineno}: {len(words)} words, such as {words[:3]}"


def test_word_lists_are_read_as_sets_tuples_alternatives_and_tables() -> None:
    """A list is an array or a text of words."""
    lists = WordLists({"few": "b a", "some": ["c d", "e"], "table": {"x": 1}, "rows": [{"y": 2}], "of": {"z": "b a"}})
    assert (lists.ordered("few"), lists.words("few"), lists.either("some")) == (("b", "a"), {"a", "b"}, "c d|e")
    assert (lists.mapping("table"), lists.records("rows")) == ({"x": 1}, [{"y": 2}])
    assert lists.by_word("of") == {"b": "z", "a": "z"}


def test_a_lexicon_is_read_once() -> None:
    """Another reader of the same file gets the same lists."""
    module = str(module_of(FILES[0]))
    assert word_lists(module) is word_lists(module)


@cases("lexicon", FILES)
def test_every_list_is_read_by_the_module_beside_it(lexicon: Path) -> None:
    """Every list has a reader in its module, and every reader has its list."""
    assert {name for _, name in calls(lexicon)} >= table_of(lexicon).keys()


@cases("lexicon", FILES)
def test_no_list_has_an_entry_twice(lexicon: Path) -> None:
    """No list has an entry twice."""
    lists = WordLists(table_of(lexicon))
    names = [
        name
        for name, stated in lists.table.items()
        if isinstance(stated, str | list) and not any(isinstance(entry, dict) for entry in stated)
    ]
    assert [name for name in names if len(set(lists.ordered(name))) < len(lists.ordered(name))] == []


@cases("lexicon", FILES)
def test_sets_are_sorted(lexicon: Path) -> None:
    """A list whose order is free is sorted by the alphabet."""
    lists = WordLists(table_of(lexicon))
    sets = [name for reader, name in calls(lexicon) if reader == "words" and name in lists.table]
    assert [name for name in sets if list(lists.ordered(name)) != sorted(lists.ordered(name))] == []


def test_no_module_holds_a_long_table_of_words() -> None:
    """A word table of more than a dozen words is in a lexicon."""
    assert list(inline_tables()) == []


@pytest.mark.parametrize(
    "code", ["{0!r}", "frozenset({0!r})", "{1!r}.split()", "re.compile(rf'{{X}}(?:{2})s?')", "dict.fromkeys({0!r}, 1)"]
)
def test_a_long_table_is_found_in_each_form(code: str) -> None:
    """As a collection, as text or as the alternatives of a regular expression."""
    words = [f"word-{letter}" for letter in "abcdefghijklm"]
    expression = ast.parse(code.format(words, " ".join(words), "|".join(words)))
    assert any(len(table) > MOST_WORDS for table in tables(expression))
