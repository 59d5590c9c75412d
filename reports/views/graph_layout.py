"""Layout of a trace's dependency graph: the boxes of its variables, the bands of its lines, and its edges.

Lines run from top to bottom. The inputs of a line are stacked on the left, its outputs one below the other on the right. The channel
between them and the room to the right of the outputs stay free of nodes: edges from inputs curve through the one, edges
between outputs bow out into the other, the further the longer, so that no edge crosses a node.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rich.cells import cell_len

from harness.records.template import TracedVariable
from harness.text.characters import one_line

# A larger picture is harder to read than the table beside it.
MOST_NODES, MOST_EDGES = 200, 1_000
NODE_HEIGHT = 42
_MARGIN, _GUTTER, _CHANNEL = 8, 52, 64
_STACK_GAP, _STEP_GAP, _BAND_PADDING = 10, 24, 12
_NARROWEST, _WIDEST, _NODE_PADDING = 92, 236, 26
# Advance of the page's fonts in pixels: the name in 12 px monospace, the value in 14 px bold.
_NAME_CELL, _VALUE_CELL = 7.25, 8.6
_BOW, _BOW_STEP, _FURTHEST = 24, 12, 12


@dataclass(frozen=True, slots=True)
class GraphStep:
    """Inputs of a line and the one variable that is computed after them, as numbers of entries."""

    line: str | None
    inputs: tuple[int, ...]
    output: int | None


@dataclass(frozen=True, slots=True)
class GraphLayout:
    """A laid out graph in pixels.

    Attributes:
        boxes: the left, the top and the width of each entry; its height is `NODE_HEIGHT`.
        edges: source, target, and how far the edge bows out to the right: 0 straight down or through the channel.
        bands: the top and the height of each solution line.
    """

    width: int
    height: int
    boxes: tuple[tuple[int, int, int], ...]
    edges: tuple[tuple[int, int, int], ...]
    bands: tuple[tuple[str | None, int, int], ...]


def steps_of(entries: Sequence[TracedVariable]) -> list[GraphStep]:
    """Split entries into steps, lines in the order of the solution: code before the first line, L1 …, FA."""
    lines: dict[str | None, list[int]] = {}
    for number, entry in enumerate(entries):
        lines.setdefault(entry.line, []).append(number)
    steps: list[GraphStep] = []
    for line in sorted(lines, key=_place):
        inputs: list[int] = []
        for number in lines[line]:
            if entries[number].role.is_input and not entries[number].reads:
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
    tops, bands, height = _node_tops_and_bands(steps)
    inputs = [number for step in steps for number in step.inputs]
    outputs = [step.output for step in steps if step.output is not None]
    order = {number: place for place, number in enumerate(outputs)}
    left, right = _width([entries[number] for number in inputs]), _width([entries[number] for number in outputs])
    spine = _GUTTER + (left + _CHANNEL if inputs else 0)
    boxes = tuple(
        (spine, tops[number], right) if number in order else (_GUTTER, tops[number], left)
        for number in range(len(entries))
    )
    below = set(pairwise(outputs))
    edges = tuple(
        (source, target, _BOW + _BOW_STEP * min(abs(order[target] - order[source]), _FURTHEST))
        if source in order and target in order and (source, target) not in below
        else (source, target, 0)
        for target, sources in enumerate(reads)
        for source in sources
    )
    # A curve reaches three quarters of the way to its control points.
    bow = max((3 * reach // 4 for *_, reach in edges), default=0)
    return GraphLayout(spine + right + bow + 2 * _MARGIN, height, boxes, edges, tuple(bands))


def _place(line: str | None) -> tuple[int, int, str]:
    if line is None:
        return 0, 0, ""
    return (1, int(line[1:]), line) if line[1:].isdecimal() else (2, 0, line)


def _node_tops_and_bands(steps: Sequence[GraphStep]) -> tuple[dict[int, int], list[tuple[str | None, int, int]], int]:
    """Return the top of each node, the bands of the lines, and the height of the picture."""
    tops: dict[int, int] = {}
    bands: list[tuple[str | None, int, int]] = []
    y = _MARGIN
    for place, step in enumerate(steps):
        opens = place == 0 or steps[place - 1].line != step.line
        top = y if opens else bands.pop()[1]
        y += _BAND_PADDING if opens else _STEP_GAP
        stacked = max(1, len(step.inputs))
        height = stacked * NODE_HEIGHT + (stacked - 1) * _STACK_GAP
        for position, number in enumerate(step.inputs):
            tops[number] = y + position * (NODE_HEIGHT + _STACK_GAP)
        if step.output is not None:
            tops[step.output] = y + (height - NODE_HEIGHT) // 2
        y += height
        if place + 1 == len(steps) or steps[place + 1].line != step.line:
            y += _BAND_PADDING
        bands.append((step.line, top, y - top))
    return tops, bands, y + _MARGIN


def _width(entries: Sequence[TracedVariable]) -> int:
    # A text is measured up to the widest node only: it may be very long.
    longest = 0.0
    for entry in entries:
        name, value = cell_len(entry.variable[:64]), cell_len(one_line(entry.value[:64]))
        longest = max(longest, _NAME_CELL * name, _VALUE_CELL * value)
    return round(min(_WIDEST, max(_NARROWEST, longest + _NODE_PADDING))) if entries else 0
