"""Tests of the graph layout: every node and every edge of a dependency graph is readable."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings, strategies as st

from harness.records.template import TracedVariable
from harness.solution.trace import VariableRole
from reports.views.graph_layout import (
    MOST_NODES,
    NODE_HEIGHT,
    GraphLayout,
    GraphStep,
    NodeBox,
    Point,
    lay_out,
    reads_of,
    steps_of,
)
from reports.views.record_titles import ROLES


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


def inside(box: NodeBox, first: Point, second: Point) -> bool:
    """Tell whether a horizontal or vertical segment enters a box, not only its border."""
    (left, top), (right, bottom) = map(min, zip(first, second, strict=True)), map(max, zip(first, second, strict=True))
    return left < box.right and right > box.x and top < box.y + NODE_HEIGHT and bottom > box.y


@settings(max_examples=60, deadline=None)
@given(traces())
def test_nodes_do_not_overlap(entries: list[TracedVariable]) -> None:
    """Any two nodes stand apart, within the picture."""
    laid = picture(entries)
    for first, other in combinations(laid.boxes, 2):
        assert first.x >= other.right or other.x >= first.right or abs(first.y - other.y) >= NODE_HEIGHT + 8
    assert all(box.x >= 0 and box.y >= 0 for box in laid.boxes)
    assert all(box.right <= laid.width and box.y + NODE_HEIGHT <= laid.height for box in laid.boxes)


@settings(max_examples=60, deadline=None)
@given(traces())
def test_edges_lead_from_what_is_read_to_what_reads_it(entries: list[TracedVariable]) -> None:
    """There is one edge for each read, from the border of the one node to the border of the other."""
    laid = picture(entries)
    reads = reads_of(entries)
    assert [(edge.source, edge.target) for edge in laid.edges] == [
        (source, target) for target, sources in enumerate(reads) for source in sources
    ]
    for edge in laid.edges:
        for number, (x, y) in ((edge.source, edge.points[0]), (edge.target, edge.points[-1])):
            box = laid.boxes[number]
            on_side = x in {box.x, box.right} and box.y <= y <= box.y + NODE_HEIGHT
            assert on_side or (y in {box.y, box.y + NODE_HEIGHT} and box.x <= x <= box.right)


@settings(max_examples=60, deadline=None)
@given(traces())
def test_edges_cross_no_node(entries: list[TracedVariable]) -> None:
    """Every piece of an edge is horizontal or vertical, inside the picture and outside every node."""
    laid = picture(entries)
    for edge in laid.edges:
        for first, second in pairwise(edge.points):
            assert first[0] == second[0] or first[1] == second[1]
            assert 0 <= second[0] <= laid.width
            assert not [box for box in laid.boxes if inside(box, first, second)]


@settings(max_examples=60, deadline=None)
@given(traces())
def test_unrelated_edges_share_no_piece(entries: list[TracedVariable]) -> None:
    """Two edges with neither end in common may cross but never run in the same place."""
    edges = picture(entries).edges
    for first, other in combinations(edges, 2):
        if first.source == other.source or first.target == other.target:
            continue
        for (a, b), (c, d) in ((p, q) for p in pairwise(first.points) for q in pairwise(other.points)):
            for along, across in ((0, 1), (1, 0)):
                same_line = a[across] == b[across] == c[across] == d[across]
                low, high = max(min(a[along], b[along]), min(c[along], d[along])), 0
                high = min(max(a[along], b[along]), max(c[along], d[along]))
                assert not (same_line and low < high)


@settings(max_examples=20, deadline=None)
@given(traces())
def test_layout_is_deterministic(entries: list[TracedVariable]) -> None:
    """The same entries give the same picture."""
    assert lay_out(entries) == lay_out(entries)


def test_lines_run_from_top_to_bottom() -> None:
    """Code before the first line is first, L10 is after L2, and the answer is last, however the code is ordered."""
    lines = ["FA", "L10", None, "L2"]
    laid = picture([entry(f"v{number}", line=line) for number, line in enumerate(lines)])
    assert [band.line for band in laid.bands] == [None, "L2", "L10", "FA"]
    assert laid.boxes[2].y < laid.boxes[3].y < laid.boxes[1].y < laid.boxes[0].y


def test_inputs_stand_left_of_the_output_of_their_line() -> None:
    """Inputs are stacked on the left, the output stands beside their middle."""
    boxes = picture([entry("a"), entry("b"), entry("c", reads=("a", "b"))]).boxes
    assert boxes[0].right < boxes[2].x > boxes[1].right
    assert boxes[0].middle + boxes[1].middle == 2 * boxes[2].middle


def test_steps_end_with_an_output() -> None:
    """A line of two outputs is two steps, each with the inputs before it; inputs at its end are a step without one."""
    entries = [entry("a"), entry("b", reads=("a",)), entry("c"), entry("d", reads=("b", "c")), entry("e")]
    assert steps_of(entries) == [GraphStep("L1", (0,), 1), GraphStep("L1", (2,), 3), GraphStep("L1", (4,), None)]


def test_bands_hold_their_nodes() -> None:
    """The stripe of a line spans its nodes and touches the next."""
    laid = picture([entry("a"), entry("b", reads=("a",)), entry("c", line="FA", reads=("b",))])
    assert laid.bands[0].y + laid.bands[0].height == laid.bands[1].y
    for number, place in ((0, 0), (1, 0), (2, 1)):
        band, box = laid.bands[place], laid.boxes[number]
        assert band.y < box.y
        assert box.y + NODE_HEIGHT < band.y + band.height


def test_unknown_and_own_reads_give_no_edge() -> None:
    """A name that is no variable, or the variable itself, is no node to lead from."""
    assert picture([entry("a", reads=("a", "nobody")), entry("b", reads=("a",))]).edges[0].target == 1


@pytest.mark.parametrize("entries", [[], [entry(f"v{number}") for number in range(MOST_NODES + 1)]])
def test_what_cannot_be_drawn_is_none(entries: list[TracedVariable]) -> None:
    """No picture is made of nothing, or of more nodes than anyone could read."""
    assert lay_out(entries) is None


def test_long_names_widen_a_node_only_so_far() -> None:
    """A name of 100,000 characters takes no more room than one of 40."""
    assert picture([entry("x" * 100_000)]).width == picture([entry("x" * 40)]).width


def test_roles_are_those_of_a_trace() -> None:
    """The reports know every role that a trace can have."""
    assert set(ROLES) == set(VariableRole)
