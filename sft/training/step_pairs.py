"""The solutions that a step classifier is trained on: flawed ones, each beside its right twin, in several forms of writing."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from harness.corpora.problems import read_records
from harness.equations.equation import Operation, numbers
from harness.equations.line_reader import read_line
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError
from sft.datasets.leakage import origin
from sft.models.step_encoder import KINDS
from sft.samples.items import Sample
from sft.samples.solution_text import concluded, read_item
from sft.training.examples import sample_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from harness.equations.equation import StatedEquation
    from sft.samples.items import Item

RIGHT = -1
"""The place of the first wrong line of a solution without one."""
EQUALS = " equals "
COMMUTES = ("+", "*")
CELL = 8
"""A kind and a line may have this many times the median number of solutions of all kinds and lines; the others are left out."""


@dataclass(frozen=True, slots=True)
class MarkedSolution:
    """A solution, the index of the first wrong of its places or `RIGHT`, and the index of its kind in `KINDS`, -1 if unknown.

    `source` names where it is from; `placed` is false if it is flawed and the line is unknown, so that only its verdict can be measured.
    """

    item: Item
    wrong: int
    kind: int
    source: str
    placed: bool = True


@dataclass(frozen=True, slots=True)
class SolutionGroup:
    """A flawed solution with its right twin, or one solution alone; they stay in one batch, and are of one problem."""

    problem: str
    solutions: tuple[MarkedSolution, ...]


def read_samples(files: Iterable[Path | str]) -> list[Sample]:
    """Return the samples of JSONL files.

    Raises:
        HarnessError: a file cannot be read, or a record is no solution with its label.
    """
    samples = []
    for path in sample_files(files):
        for number, record in read_records(path):
            try:
                samples.append(Sample.of_record(record))
            except (MalformedRecordError, KeyError, TypeError, ValueError) as error:
                message = f"{path}:{number}: expected a solution with its label, as `datasets` writes samples-train.jsonl; found {str(error)[:120]}"
                raise HarnessError(message) from None
    return samples


def marked(sample: Sample) -> MarkedSolution:
    """Return a sample with the place of its error."""
    item = concluded(read_item(sample.question, sample.solution))
    places, truth = item.places(), sample.truth
    if not truth.flawed:
        return MarkedSolution(item, RIGHT, -1, sample.source)
    kind = next((index for index, known in enumerate(KINDS) if known == truth.error_type), -1)
    placed = truth.line in places
    return MarkedSolution(item, places.index(truth.line) if placed else RIGHT, kind, sample.source, placed)


def learnable(samples: Iterable[Sample]) -> list[Sample]:
    """Return the samples that are learnt: right ones that are the twin of no flawed one, and flawed ones of a known line."""
    samples = list(samples)
    twins = {(sample.question, sample.reference) for sample in samples if sample.truth.flawed and sample.reference}
    return [
        sample
        for sample in samples
        if (sample.truth.line if sample.truth.flawed else (sample.question, sample.solution) not in twins)
    ]


def balanced(samples: Sequence[Sample], limit: int, seed: int) -> list[Sample]:
    """Draw samples so that kinds and lines are even: one of each kind and line in turn, at most `limit` in all (0: no limit)."""
    cells: dict[tuple[str, str], list[Sample]] = defaultdict(list)
    for sample in random.Random(f"{seed}:balance").sample(samples, len(samples)):
        cells[sample.truth.error_type, sample.truth.line].append(sample)
    sizes = sorted(map(len, cells.values()))
    most = CELL * sizes[len(sizes) // 2] if sizes else 0
    ranked = sorted((rank, cell) for cell, own in cells.items() for rank in range(min(len(own), most)))
    return [cells[cell][rank] for rank, cell in ranked[: limit or None]]


def group_of(sample: Sample) -> SolutionGroup | None:
    """Return a flawed solution with its right twin, or a solution alone; `None` where it has no such line.

    A twin stands beside each flawed solution that was made from it, so that its text is as frequent as theirs.
    """
    own = [marked(sample)]
    if sample.truth.flawed and sample.reference:
        own.append(marked(sample.corrected(sample.sample_id)))
    return SolutionGroup(origin(sample.problem_id), tuple(own)) if own[0].placed else None


def rewritten(group: SolutionGroup, seed: int) -> SolutionGroup:
    """Return a group in a form drawn for it, the same for the twins: as it is, lines joined, terms turned, equals signs in words, or several of these."""
    draw = random.Random(f"{seed}:form:{group.problem}:{group.solutions[0].item.lines}")
    joins, turns, words = draw.random() < 1 / 3, draw.random() < 1 / 3, draw.random() < 1 / 4
    first = draw.randrange(2)
    changed = []
    for solution in group.solutions:
        item = solution.item
        for wanted, change in ((turns, turned), (words, in_words)):
            if wanted:
                item = replace(item, lines=tuple(map(change, item.lines)))
        solution = replace(solution, item=item)
        changed.append(joined(solution, first) if joins else solution)
    return SolutionGroup(group.problem, tuple(changed))


def joined(solution: MarkedSolution, first: int) -> MarkedSolution:
    """Return a solution with two lines in one, from line `first` on; the line with the error is the one that holds it."""
    lines, where = list(solution.item.lines), list(range(len(solution.item.lines)))
    for index in range(first, len(lines) - 1, 2):
        lines[index] = f"{lines[index]} {lines[index + 1]}"
        lines[index + 1] = ""
        where[index + 1] = index
    kept = [index for index in range(len(lines)) if where[index] == index]
    wrong = solution.wrong
    if wrong != RIGHT:
        # The final answer is the place after all lines.
        wrong = kept.index(where[wrong]) if wrong < len(where) else len(kept)
    text = tuple(lines[index] for index in kept)
    return replace(solution, item=replace(solution.item, lines=text, annotated=text, before=len(text)), wrong=wrong)


def turned(line: str) -> str:
    """Return a line whose left sides have the two terms of their last sum or product exchanged, where both are numbers without units and signs."""

    def edits(equation: StatedEquation) -> Iterator[tuple[int, int, str]]:
        side = equation.left
        if isinstance(side, Operation) and side.operator in COMMUTES and _bare(side):
            left, right = side.left, side.right
            between = line[left.end : right.start]
            yield side.start, side.end, f"{line[right.start : right.end]}{between}{line[left.start : left.end]}"

    return _edited(line, edits)


def in_words(line: str) -> str:
    """Return a line whose equations have `equals` for each `=` between their sides."""

    def edits(equation: StatedEquation) -> Iterator[tuple[int, int, str]]:
        start, end = equation.left.end, equation.right.start
        if line[start:end].strip() == "=":
            yield start, end, EQUALS

    return _edited(line, edits)


def _bare(side: Operation) -> bool:
    """Tell whether the numbers of an operation have no unit, no sign and no percent, so that their order alone can change."""
    return all(
        (number.outer_start, number.outer_end) == (number.start, number.end) and not number.unit and not number.percent
        for number in numbers(side)
    )


def _edited(line: str, edits: Callable[[StatedEquation], Iterator[tuple[int, int, str]]]) -> str:
    """Return a line with the edits of its equations, or as it is where they overlap or the equations are then read in another way."""
    equations = read_line(line).equations
    wanted = sorted(edit for equation in equations for edit in edits(equation))
    written, end = "", 0
    for start, stop, text in wanted:
        if start < end:
            return line
        written += line[end:start] + text
        end = stop
    written += line[end:]
    again = read_line(written).equations
    return written if _values(again) == _values(equations) else line


def _values(equations: Iterable[StatedEquation]) -> list[Any]:
    return [(equation.left.value, equation.right.value, equation.truth) for equation in equations]
