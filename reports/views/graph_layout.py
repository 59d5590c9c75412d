"""Layout of a trace's dependency graph: positions of the nodes and routes of the edges.

Lines run from top to bottom. The inputs of a line are stacked on the left, its outputs one below the other on the
right. Two channels stay free of nodes: one between inputs and outputs, one to the right of the outputs. Edges run
vertically only in these channels, each source in its own track, so that no edge crosses a node.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rich.cells import cell_len

from harness.records.template import TracedVariable
from harness.text.characters import one_line

# A larger picture is harder to read than the table beside it, and its tracks would be wider than the nodes.
MOST_NODES, MOST_EDGES = 200, 1_000
NODE_HEIGHT = 42
_MARGIN, _GUTTER = 8, 52
_STACK_GAP, _STEP_GAP, _BAND_PADDING = 10, 24, 12
_NARROWEST, _WIDEST, _NODE_PADDING = 92, 236, 26
# Advance of the page's fonts in pixels: the name in 12 px monospace, the value in 14 px bold.
_NAME_CELL, _VALUE_CELL = 7.25, 8.6
_TRACK, _BEFORE_TRACKS, _AFTER_TRACKS = 10, 16, 20
# Edges from above enter a node above its middle; edges of its own inputs enter at the middle.
_PORT = 10

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class GraphStep:
    """Inputs of a line and the one variable that is computed after them, as numbers of entries."""

    line: str | None
    inputs: tuple[int, ...]
    output: int | None


@dataclass(frozen=True, slots=True)
class NodeBox:
    """Position and width of a node in pixels; its height is `NODE_HEIGHT`."""

    x: int
    y: int
    width: int

    @property
    def middle(self) -> int:
        """Return the y coordinate of its middle."""
        return self.y + NODE_HEIGHT // 2

    @property
    def right(self) -> int:
        """Return the x coordinate of its right side."""
        return self.x + self.width


@dataclass(frozen=True, slots=True)
class Edge:
    """A polyline of vertical and horizontal pieces from the node that is read to the node that reads it."""

    source: int
    target: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class LineBand:
    """The horizontal band of a solution line."""

    line: str | None
    y: int
    height: int


@dataclass(frozen=True, slots=True)
class GraphLayout:
    """A laid out graph in pixels; boxes are in the order of the entries."""

    width: int
    height: int
    boxes: tuple[NodeBox, ...]
    edges: tuple[Edge, ...]
    bands: tuple[LineBand, ...]


def is_input(entry: TracedVariable) -> bool:
    """Tell whether a variable is an input, not computed."""
    return entry.role.is_input and not entry.reads


def steps_of(entries: Sequence[TracedVariable]) -> list[GraphStep]:
    """Split entries into steps, lines in the order of the solution: code before the first line, L1 …, FA."""
    lines: dict[str | None, list[int]] = {}
    for number, entry in enumerate(entries):
        lines.setdefault(entry.line, []).append(number)
    steps: list[GraphStep] = []
    for line in sorted(lines, key=_place):
        inputs: list[int] = []
        for number in lines[line]:
            if is_input(entries[number]):
                inputs.append(number)
            else:
                steps.append(GraphStep(line, tuple(inputs), number))
                inputs = []
        if inputs:
            steps.append(GraphStep(line, tuple(inputs), None))
    return steps


def reads_of(entries: Sequence[TracedVariable]) -> list[list[int]]:
    """Return for each entry the numbers of the entries that it reads, each once."""
    numbers = {entry.variable: number for number, entry in enumerate(entries)}
    return [
        [numbers[name] for name in dict.fromkeys(entry.reads) if name in numbers and name != entry.variable]
        for entry in entries
    ]


def lay_out(entries: Sequence[TracedVariable]) -> GraphLayout | None:
    """Return the layout of a trace's dependency graph; None if it is empty or too large for a picture."""
    reads = reads_of(entries)
    if not 0 < len(entries) <= MOST_NODES or sum(map(len, reads)) > MOST_EDGES:
        return None
    steps = steps_of(entries)
    rows, bands, height = _rows(steps)
    inputs = [number for step in steps for number in step.inputs]
    outputs = [step.output for step in steps if step.output is not None]
    pairs = [(source, target) for target, sources in enumerate(reads) for source in sources]
    step_of = {number: place for place, step in enumerate(steps) for number in (*step.inputs, step.output)}
    below = dict(pairwise(outputs))
    given = frozenset(inputs)
    far = _tracks(
        [(a, b) for a, b in pairs if a in given and step_of[a] != step_of[b]],
        rows,
    )
    around = _tracks([(a, b) for a, b in pairs if a not in given and below.get(a) != b], rows)
    left = _width([entries[number] for number in inputs])
    channel = _BEFORE_TRACKS + _TRACK * len(set(far.values())) + _AFTER_TRACKS if inputs else 0
    spine = _GUTTER + left + channel
    right = _width([entries[number] for number in outputs])
    boxes = tuple(
        NodeBox(_GUTTER, rows[number], left) if number in given else NodeBox(spine, rows[number], right)
        for number in range(len(entries))
    )
    edges = []
    for a, b in pairs:
        if a not in given and below.get(a) == b:
            points = _down(boxes[a], boxes[b])
        elif a not in given:
            track = boxes[a].right + _BEFORE_TRACKS + _TRACK * around[a]
            points = _sideways(boxes[a], track, boxes[b].right, _port(boxes[a], boxes[b]))
        elif a in far and step_of[a] != step_of[b]:
            track = spine - _AFTER_TRACKS - _TRACK * (far[a] + 1)
            points = _sideways(boxes[a], track, spine, _port(boxes[a], boxes[b]))
        else:
            points = _sideways(boxes[a], spine - _AFTER_TRACKS, spine, boxes[b].middle)
        edges.append(Edge(a, b, points))
    tracks = len(set(around.values()))
    width = spine + right + (_BEFORE_TRACKS + _TRACK * (tracks - 1) if tracks else 0) + 2 * _MARGIN
    return GraphLayout(width, height, boxes, tuple(edges), tuple(bands))


def _place(line: str | None) -> tuple[int, int, str]:
    if line is None:
        return 0, 0, ""
    if line[1:].isdecimal():
        return 1, int(line[1:]), line
    return 2, 0, line


def _rows(steps: Sequence[GraphStep]) -> tuple[dict[int, int], list[LineBand], int]:
    """Return the top of each node, the bands of the lines, and the height of the picture."""
    rows: dict[int, int] = {}
    bands: list[LineBand] = []
    y = _MARGIN
    for place, step in enumerate(steps):
        opens = place == 0 or steps[place - 1].line != step.line
        top = y
        y += _BAND_PADDING if opens else _STEP_GAP
        stacked = max(1, len(step.inputs))
        height = stacked * NODE_HEIGHT + (stacked - 1) * _STACK_GAP
        for position, number in enumerate(step.inputs):
            rows[number] = y + position * (NODE_HEIGHT + _STACK_GAP)
        if step.output is not None:
            rows[step.output] = y + (height - NODE_HEIGHT) // 2
        y += height
        if place + 1 == len(steps) or steps[place + 1].line != step.line:
            y += _BAND_PADDING
        if opens:
            bands.append(LineBand(step.line, top, y - top))
        else:
            bands[-1] = LineBand(step.line, bands[-1].y, y - bands[-1].y)
    return rows, bands, y + _MARGIN


def _width(entries: Sequence[TracedVariable]) -> int:
    if not entries:
        return 0
    # A text is measured up to the widest node only: it may be very long.
    longest = max(
        max(_NAME_CELL * cell_len(entry.variable[:64]), _VALUE_CELL * cell_len(one_line(entry.value[:64])))
        for entry in entries
    )
    return round(min(_WIDEST, max(_NARROWEST, longest + _NODE_PADDING)))


def _tracks(pairs: Sequence[tuple[int, int]], rows: Mapping[int, int]) -> dict[int, int]:
    """Return the track of each source, counted from the inside; sources with a common height get different tracks."""
    spans: dict[int, tuple[int, int]] = {}
    for source, target in pairs:
        top, bottom = spans.get(source, (rows[source], rows[source]))
        spans[source] = min(top, rows[target]), max(bottom, rows[target])
    taken: list[list[tuple[int, int]]] = []
    tracks: dict[int, int] = {}
    for source, (top, bottom) in sorted(spans.items(), key=lambda item: (item[1][1] - item[1][0], item[1], item[0])):
        free = (
            number
            for number, others in enumerate(taken)
            if all(bottom + NODE_HEIGHT < first or last + NODE_HEIGHT < top for first, last in others)
        )
        track = next(free, len(taken))
        if track == len(taken):
            taken.append([])
        taken[track].append((top, bottom))
        tracks[source] = track
    return tracks


def _down(source: NodeBox, target: NodeBox) -> tuple[Point, ...]:
    x = source.x + source.width // 2
    return (x, source.y + NODE_HEIGHT), (x, target.y)


def _sideways(source: NodeBox, track: int, side: int, port: int) -> tuple[Point, ...]:
    if source.middle == port:
        return (source.right, port), (side, port)
    return (source.right, source.middle), (track, source.middle), (track, port), (side, port)


def _port(source: NodeBox, target: NodeBox) -> int:
    return target.middle - _PORT if source.middle < target.middle else target.middle + _PORT
