"""Tests of the words of English: each list is read and has no entry twice, and no module holds a long list of its own."""

import ast
import re
import tomllib
from collections.abc import Iterator

import pytest

from harness.paths import ROOT
from harness.text.lexicon import WordLists

ROOMS = ("harness", "generators", "oracles", "sft", "reports", "properties", "snapshots")
ENGLISH = ROOT / "harness" / "text" / "english.toml"
MOST_WORDS = 12
WORD = re.compile(r"[A-Za-z][\w'’?*\\.-]*(?: [\w'’?*\\.-]+){0,2}")
EXEMPT = {
    "harness/program/": "names of Python, each with what the evaluator does with it",
    "harness/smtlib/": "names of SMT-LIB, each with its sort or reason",
    "generators/constraints/repair/spellings.py": "spellings of operators of SMT-LIB, each with its operator",
    "generators/constraints/kinds/": "kinds of clues, each with its weight or sentences",
    "harness/equations/tokens.py": "signs and words of equations, each with the token that it becomes",
    "sft/evaluation/solution_metrics.py": "names of metrics, each with what computes it",
}
"""Places whose tables are no words of English texts, with what they are."""


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


def _is_entry(value: ast.expr) -> bool:
    """Tell whether a value is one of a table of words: a constant that is not the sentence on a code, or several."""
    return isinstance(value, ast.Tuple) or (isinstance(value, ast.Constant) and not str(value.value).endswith("."))


def tables(node: ast.AST) -> Iterator[list[str]]:
    """Yield the words of each table within an expression: a collection, a table of literals, alternatives, split text."""
    for part in ast.walk(node):
        match part:
            case ast.Set(entries) | ast.List(entries) | ast.Tuple(entries):
                yield [
                    entry.value for entry in entries if isinstance(entry, ast.Constant) and isinstance(entry.value, str)
                ]
            case ast.Dict(keys, values) if all(map(_is_entry, values)):
                yield [key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
            case ast.Call(ast.Attribute(ast.Constant(str() as text), "split"), []):
                yield text.split()
            case ast.Constant(str() as text) if text.count("|") >= MOST_WORDS:
                yield from alternatives(text)


def inline_tables() -> Iterator[str]:
    """Yield the long tables of words that stand in a product module outside the exempt folders."""
    for path in sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
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
