"""The solutions that a step classifier is trained on: flawed ones, each beside its right twin, in several forms of writing."""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median_high

from sft.datasets.leakage import origin
from sft.models.step_encoder import KINDS
from sft.samples.items import Item, Sample
from sft.samples.solution_forms import in_words, joined, turned, with_lines
from sft.samples.solution_text import concluded, read_item

NONE = -1
"""The place of the first wrong line of a solution without one or without a known one, and the number of an unknown kind."""
CELL = 8
"""A kind and a line may have this many times the median number of solutions of all kinds and lines; the others are left out."""


@dataclass(frozen=True, slots=True)
class MarkedSolution:
    """A solution of a problem, whether it is flawed, the index of the first wrong of its places and that of its kind in `KINDS`, or `NONE`; `source` names where it is from."""

    problem: str
    item: Item
    flawed: bool
    wrong: int
    kind: int
    source: str

    @property
    def placed(self) -> bool:
        """Tell whether it is known which lines are right and wrong; of others only the verdict can be measured."""
        return self.wrong != NONE or not self.flawed


SolutionGroup = tuple[MarkedSolution, ...]
"""A flawed solution with its right twin, or one solution alone; they stay in one batch, and are of one problem."""


def marked(sample: Sample) -> MarkedSolution:
    """Return a sample with the place of its error."""
    item, truth = concluded(read_item(sample.question, sample.solution)), sample.truth
    wrong = next((index for index, place in enumerate(item.places()) if truth.flawed and place == truth.line), NONE)
    kind = next((index for index, name in enumerate(KINDS) if truth.flawed and name == truth.error_type), NONE)
    return MarkedSolution(origin(sample.problem_id), item, truth.flawed, wrong, kind, sample.source)


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
    most = CELL * median_high(map(len, cells.values())) if cells else 0
    ranked = sorted((rank, cell) for cell, own in cells.items() for rank in range(min(len(own), most)))
    return [cells[cell][rank] for rank, cell in ranked[: limit or None]]


def group_of(sample: Sample) -> SolutionGroup:
    """Return a flawed solution with its right twin, or a solution alone; an empty group where it has no such line.

    A twin stands beside each flawed solution that was made from it, so that its text is as frequent as theirs.
    """
    own = [marked(sample)]
    if sample.truth.flawed and sample.reference:
        own.append(marked(sample.corrected(sample.sample_id)))
    return tuple(own) if own[0].placed else ()


def rewritten(group: SolutionGroup, seed: int) -> SolutionGroup:
    """Return a group in a form drawn for it, the same for the twins: as it is, lines joined, terms turned, equals signs in words, or several of these."""
    draw = random.Random(f"{seed}:form:{group[0].problem}:{group[0].item.lines}")
    joins, turns, words = draw.random() < 1 / 3, draw.random() < 1 / 3, draw.random() < 1 / 4
    first = draw.randrange(2)
    for wanted, change in ((turns, turned), (words, in_words)):
        if wanted:
            group = tuple(replace(each, item=with_lines(each.item, map(change, each.item.lines))) for each in group)
    return tuple(with_joined_lines(each, first) for each in group) if joins else group


def with_joined_lines(solution: MarkedSolution, first: int) -> MarkedSolution:
    """Return a solution with two lines in one, from line `first` on; the line with the error is the one that holds it."""
    item = with_lines(solution.item, joined(solution.item.lines, first))
    wrong = solution.wrong
    if wrong == len(solution.item.lines):
        # The final answer is the place after all lines.
        wrong = len(item.lines)
    elif wrong > first:
        wrong = first + (wrong - first) // 2
    return replace(solution, item=item, wrong=wrong)
