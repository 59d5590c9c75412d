"""Tests of the SMT-LIB parser: any text is read in bounded time, and every fault is reported with its position."""

import pytest
from hypothesis import example, given, strategies as st

from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.parser import DEEPEST, LONGEST, MOST_FAULTS, read_tree
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, walk, write_node, write_script
from harness.smtlib.script import read_script
from tests.cases import cases

ATOMS = st.one_of(
    st.text("xy~!$%^&*_+=<>?/-", min_size=1, max_size=5).map(Atom),
    st.text("xy ()';,\"", min_size=1, max_size=5).map(lambda text: Atom(f"|{text}|", AtomKind.QUOTED)),
    st.integers(0, 10**30).map(lambda number: Atom(str(number), AtomKind.NUMERAL)),
    st.integers(0, 999).map(lambda number: Atom(f"{number}.{number:03}", AtomKind.DECIMAL)),
    st.text("ab-", min_size=1, max_size=4).map(lambda text: Atom(f":{text}", AtomKind.KEYWORD)),
    st.text("xy (;|", max_size=5).map(lambda text: Atom(f'"{text}""{text}"', AtomKind.STRING)),
)
NODES: st.SearchStrategy[Node] = st.recursive(
    ATOMS, lambda inner: st.lists(inner, max_size=4).map(lambda items: NodeGroup(tuple(items))), max_leaves=25
)
GROUPS = st.lists(NODES, max_size=5).map(lambda items: NodeGroup(tuple(items)))
ANY = st.one_of(
    st.text(max_size=200),
    st.text('() \n;|"ab1-.:#@!', max_size=200),
    st.lists(
        st.sampled_from(["(assert ", "(declare-const x Int)", ")", "(", "\n", "x", "(check-sat", "|", '"', "-3"]),
        max_size=40,
    ).map("".join),
)


@given(st.lists(GROUPS, max_size=4))
def test_what_is_written_is_read_back(groups: list[NodeGroup]) -> None:
    """Reading what was written gives the nodes that were written, and nothing is wrong with it."""
    reading = read_tree(write_script(groups))
    assert (reading.nodes, reading.faults) == (tuple(groups), ())


@given(ANY)
@example("(" * 300)
@example(")" * 300)
@example("(assert " * 300)
@example('"' * 301)
@example("|" * 301)
@example("(a" + "|" * 5 + ')\n"')
def test_any_text_gives_a_script(text: str) -> None:
    """Whatever the text, there is a script, with its faults in order; a text without faults is one that checks what it asserts."""
    script = read_script(text)
    assert len(script.faults) <= MOST_FAULTS
    assert script.faults or {"assert", "check-sat"} <= {command.head for command in script.commands}
    offsets = [fault.at.offset for fault in script.faults]
    assert offsets == sorted(offsets)
    assert all(0 <= offset <= len(text) for offset in offsets)


@given(ANY)
def test_positions_are_those_of_the_text(text: str) -> None:
    """Each atom is what stands at its offset, and line and column count to the same place."""
    lines = text.split("\n")
    for node in (node for top in read_tree(text).nodes for node in walk(top)):
        if isinstance(node, Atom):
            assert text[node.at.offset : node.end] == node.text
            assert lines[node.at.line - 1][node.at.column - 1 :].startswith(node.text)
        else:
            assert text[node.at.offset] == "("


def test_a_text_that_is_too_long_is_cut() -> None:
    """What is beyond the limit is not read, and that is a fault."""
    script = read_script("x" * (LONGEST + 10))
    assert ScriptFaultKind.TOO_LONG in {fault.kind for fault in script.faults}
    assert write_node(script.nodes[0]) == "x" * LONGEST


def test_depth_is_bounded() -> None:
    """Groups nested beyond the limit are left out and reported once, and the text after them is read."""
    deep = f"(assert {'(not ' * 5_000}a{')' * 5_001}\n"
    script = read_script(f"(declare-const a Bool)\n{deep}(assert a)\n(check-sat)\n")
    assert [fault.kind for fault in script.faults].count(ScriptFaultKind.TOO_DEEP) == 1
    assert len(script.assertions) == 2


@pytest.mark.parametrize("depth", [DEEPEST - 2, DEEPEST - 1])
def test_the_deepest_term_is_read_within_pythons_stack(depth: int) -> None:
    """A term of the greatest allowed depth is read and checked."""
    script = read_script(f"(declare-const a Bool)\n(assert {'(not ' * depth}a{')' * depth})\n(check-sat)\n")
    assert script.valid


@cases(
    ("text", "faults"),
    [
        ("(declare-const x Int\n(assert (> x 3)\n(assert (< x 9)) (check-sat)", [("unclosed-parenthesis", 1, 1), ("unclosed-parenthesis", 2, 1)]),
        ("(declare-const x Int)\n(assert (> x 3)))\n(assert (< x 9))(check-sat)", [("stray-parenthesis", 2, 17)]),
        ("(declare-const x Int)\n(assert (> x 3))\n(assert (< x 9))", [("no-check-sat", 3, 1)]),
    ],
)  # fmt: skip
def test_one_fault_costs_one_command(text: str, faults: list[tuple[str, int, int]]) -> None:
    """A command closes what is open, a parenthesis too many is left out, and the commands after the fault are read."""
    script = read_script(text)
    assert len(script.assertions) == 2
    assert [(fault.kind, fault.at.line, fault.at.column) for fault in script.faults] == faults
