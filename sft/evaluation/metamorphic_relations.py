"""Metamorphic relations of items: other names, exchanged lines, other numbers, and the error removed or put in."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from harness.corpora.labelled_solutions import split_solution
from harness.stages import MUTATION, VARIANT
from harness.store.latest_run import with_stage
from harness.store.run_folder import RunFolder
from harness.text.lexicon import english
from oracles.labels.audit.solution_lines import read_statement
from sft.datasets.sources import RunSource
from sft.datasets.trust import NEEDS_EDIT
from sft.evaluation.dataset_items import EvaluationItem, items_of_drawn_problems
from sft.samples.items import Sample, position_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path


WOMEN, MEN = english("names").words("women"), english("names").words("men")
RENAMED, REORDERED, MENDED, RENUMBERED = "renamed", "reordered", "error-removed", "renumbered"
LICENCE = "as the run's corpus"
_WORD = re.compile(r"(?<![\w'’-])[A-Z][a-z]+(?![\w-])")


def related_items(items: Sequence[EvaluationItem], seed: int) -> list[EvaluationItem]:
    """Return the relatives of items: other names, two independent lines exchanged, the error removed."""
    return [
        relative
        for item in items
        for relative in _relatives(item, random.Random(f"{seed}:{item.dataset}:{item.sample.sample_id}"))
    ]


def _relatives(item: EvaluationItem, draw: random.Random) -> Iterator[EvaluationItem]:
    sample = item.sample
    made = {RENAMED: other_names(sample, draw), REORDERED: other_order(sample, draw), MENDED: corrected_sample(sample)}
    for relation, other in made.items():
        if other is not None:
            yield _relative(item, relation, other)


def _relative(item: EvaluationItem, relation: str, sample: Sample) -> EvaluationItem:
    name = f"{item.sample.sample_id}~{relation}"
    return EvaluationItem(item.dataset, replace(sample, sample_id=name), relation, item.sample.sample_id)


def people(text: str) -> list[str]:
    """Return the names of people in a text in the order they come, each once."""
    return list({word: None for word in _WORD.findall(text) if word in WOMEN or word in MEN})


def renaming(text: str, draw: random.Random) -> dict[str, str]:
    """Return for each name another of the same sex that the text does not hold, no two the same."""
    words = {word.lower() for word in re.findall(r"\w+", text)}
    chosen: dict[str, str] = {}
    for name in people(text):
        pool = sorted((WOMEN if name in WOMEN else MEN) - set(chosen.values()))
        chosen[name] = draw.choice([other for other in pool if other.lower() not in words])
    return chosen


def renamed(text: str, names: Mapping[str, str]) -> str:
    """Return a text with the names exchanged wherever they stand as words, all at once."""
    return _WORD.sub(lambda word: names.get(word[0], word[0]), text)


def other_names(sample: Sample, draw: random.Random) -> Sample | None:
    """Return a sample with other names of people in question and solution, `None` if nobody is named."""
    names = renaming(f"{sample.question}\n{sample.solution}", draw)
    if not names.keys() & set(people(sample.question)):
        return None
    question, solution, reference, explanation = (
        renamed(text, names) for text in (sample.question, sample.solution, sample.reference, sample.truth.explanation)
    )
    truth = replace(sample.truth, explanation=explanation)
    return replace(sample, question=question, solution=solution, reference=reference, truth=truth)


def corrected_sample(sample: Sample) -> Sample | None:
    """Return the correct solution that a flawed one was made from, `None` if it is unknown."""
    return sample.corrected("") if sample.truth.flawed and sample.reference.strip() else None


def other_order(sample: Sample, draw: random.Random) -> Sample | None:
    """Return a sample with two neighbouring, independent lines exchanged, `None` without such lines."""
    worked = split_solution(sample.solution)
    if worked.answer is not None and worked.before < len(worked.lines):
        return None
    places = exchangeable_places(worked.lines)
    if not places:
        return None
    place = draw.choice(places)
    written = [line for line in sample.solution.split("\n") if line.strip()]
    written[place], written[place + 1] = written[place + 1], written[place]
    moved = {f"L{place + 1}": f"L{place + 2}", f"L{place + 2}": f"L{place + 1}"}
    line = moved.get(sample.truth.line, sample.truth.line)
    truth = replace(sample.truth, line=line)
    return replace(sample, solution="\n".join(written), truth=truth, position=position_of(line, len(worked.lines)))


def exchangeable_places(lines: Sequence[str]) -> list[int]:
    """Return the places of lines that may be exchanged with the next one: neither takes what the other gives.

    The line after them takes what both give, or what neither gives: it may speak of the line before it as `this`. A line without an
    equation, or with one that is not read whole, stays.
    """
    statements = [read_statement(line) for line in lines]
    whole = [
        not line.unread and bool(line.results) and None not in (*line.results, *line.numbers) for line in statements
    ]
    places = []
    for place, (first, second) in enumerate(pairwise(statements)):
        if not all(whole[place : place + 3]):
            continue
        after = set(statements[place + 2].numbers if place + 2 < len(lines) else ())
        apart = not ({*first.results} & {*second.numbers} or {*second.results} & {*first.numbers})
        if apart and bool({*first.results} & after) == bool({*second.results} & after):
            places.append(place)
    return places


def stage_pairs(run: Path, problems: int, seed: int) -> list[EvaluationItem]:
    """Return flawed solutions and variants of a run's sealed stages with their relatives, of `problems` drawn problems (0: of all).

    Mutation stage: one flaw of each class and problem, renamed, reordered, and with the error removed. Variant stage: correct solutions
    with the numbers of another variant.

    Raises:
        HarnessError: a stage exists but is not sealed, or neither exists.
    """
    folder = RunFolder(with_stage(run, MUTATION, VARIANT)).folder
    items: list[EvaluationItem] = []
    for stage in [name for name in (MUTATION, VARIANT) if (folder / name).is_dir()] or [MUTATION]:
        read = RunSource.of(folder, (stage,), LICENCE).read()
        there = [EvaluationItem(stage, sample) for sample in read if isinstance(sample, Sample)]
        there = items_of_drawn_problems(there, problems, seed) if problems else there
        items += _of_mutation(there, seed) if stage == MUTATION else _of_variants(there, seed)
    return items


def _of_mutation(items: Sequence[EvaluationItem], seed: int) -> Iterator[EvaluationItem]:
    kept: dict[tuple[str, str], EvaluationItem] = {}
    # The last is the flaw whose id draws the smallest number, so that the order of records does not matter.
    for item in sorted(items, key=lambda item: random.Random(f"{seed}:{item.sample.sample_id}").random(), reverse=True):
        if item.sample.truth.flawed and item.sample.doubt != NEEDS_EDIT:
            kept[item.sample.problem_id, item.sample.kind] = item
    for _, item in sorted(kept.items()):
        yield item
        yield from _relatives(item, random.Random(f"{seed}:{item.sample.sample_id}:relatives"))


def _of_variants(items: Sequence[EvaluationItem], seed: int) -> Iterator[EvaluationItem]:
    groups: dict[str, dict[str, list[EvaluationItem]]] = {}
    for item in items:
        groups.setdefault(item.sample.problem_id, {}).setdefault(item.sample.operator, []).append(item)
    for name, group in sorted(groups.items()):
        if "" in group and RENUMBERED in group:
            base, other = group[""][0], random.Random(f"{seed}:{name}").choice(group[RENUMBERED])
            yield base
            yield _relative(base, RENUMBERED, other.sample)
