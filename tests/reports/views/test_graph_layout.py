"""Tests of the graph layout: every node of a dependency graph is readable, and no edge crosses one."""

from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from harness.records.template import TracedVariable
from harness.solution.trace import VariableRole
from reports.views.graph_layout import MOST_NODES, NODE_HEIGHT, GraphLayout, lay_out, reads_of
from reports.views.phrases import ROLE_TITLES


def entry(variable: str, *, line: str | None = "L1", reads: tuple[str, ...] = ()) -> TracedVariable:
    """Return an entry; one that reads nothing is an input."""
    role = VariableRole.OUTPUT if reads else VariableRole.QUESTION_INPUT
    return TracedVariable(variable=variable, value="1", role=role, line=line, code="", comment="", reads=reads)


@st.composite
def traces(draw: st.DrawFn) -> list[TracedVariable]:
    """Return 1 to 60 entries on up to 12 lines in any order, each reading any of the earlier ones."""
    entries: list[TracedVariable] = []
    lines = draw(st.lists(st.sampled_from([None, *(f"L{number}" for number in range(1, 11)), "FA"]), max_size=60))
    for number, line in enumerate(lines or ["L1"]):
        earlier = [reading.variable for reading in entries]
        reads = draw(st.lists(st.sampled_from(earlier), max_size=4, unique=True)) if earlier else []
        name = draw(st.text("ab_日", min_size=1, max_size=40))
        entries.append(entry(f"{name}{number}", line=line, reads=tuple(reads)))
    return entries


def picture(entries: list[TracedVariable]) -> GraphLayout:
    """Return the layout of entries that can be laid out."""
    laid = lay_out(entries)
    assert laid is not None
    return laid


@given(traces())
def test_nodes_stand_apart_and_edges_have_room(entries: list[TracedVariable]) -> None:
    """Inputs stand left of the channel, outputs right of it; an edge passes the channel, leads straight down, or bows out within the picture."""
    laid = picture(entries)
    assert laid == picture(entries)
    for (x, y, width), (other, below, _) in combinations(laid.boxes, 2):
        assert x + width <= other or other < x or abs(y - below) >= NODE_HEIGHT + 8
    assert all(x >= 0 and y >= 0 and x + width <= laid.width for x, y, width in laid.boxes)
    assert all(y + NODE_HEIGHT <= laid.height for _, y, _ in laid.boxes)
    pairs = [(source, target) for target, sources in enumerate(reads_of(entries)) for source in sources]
    assert [edge[:2] for edge in laid.edges] == pairs
    for source, target, bow in laid.edges:
        (x, y, width), (other, below, _) = laid.boxes[source], laid.boxes[target]
        if x != other:
            assert bow == 0
            assert x + width + 40 <= other
        elif bow:
            assert x + width + 3 * bow // 4 < laid.width
        else:
            between = [box for box in laid.boxes if box[0] == x and min(y, below) < box[1] < max(y, below)]
            assert (below > y, between) == (True, [])


def test_lines_run_from_top_to_bottom() -> None:
    """Code before the first line is first, L10 is after L2, and the answer is last, however the code is ordered; bands touch and hold their nodes."""
    lines = ["FA", "L10", None, "L2"]
    laid = picture([entry(f"v{number}", line=line) for number, line in enumerate(lines)])
    assert [line for line, _, _ in laid.bands] == [None, "L2", "L10", "FA"]
    tops = [laid.boxes[number][1] for number in (2, 3, 1, 0)]
    assert tops == sorted(tops)
    for (_, top, height), node, following in zip(laid.bands, tops, [*laid.bands[1:], None], strict=True):
        assert top < node < node + NODE_HEIGHT < top + height
        assert following is None or top + height == following[1]


def test_unknown_and_own_reads_give_no_edge() -> None:
    """A name that is not a variable, or the variable itself, is not a node to lead from."""
    assert picture([entry("a", reads=("a", "nobody")), entry("b", reads=("a",))]).edges == ((0, 1, 0),)


@pytest.mark.parametrize("entries", [[], [entry(f"v{number}") for number in range(MOST_NODES + 1)]])
def test_what_cannot_be_drawn_is_none(entries: list[TracedVariable]) -> None:
    """No picture is made of nothing, or of more nodes than anyone could read."""
    assert lay_out(entries) is None


def test_long_names_widen_a_node_only_so_far() -> None:
    """A name of 100,000 characters takes no more room than one of 40; the reports know every role of a trace."""
    assert picture([entry("x" * 100_000)]).width == picture([entry("x" * 40)]).width
    assert set(ROLE_TITLES) == set(VariableRole)
