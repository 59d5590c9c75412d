"""Metamorphic relations of items: other names, exchanged lines, other numbers, and the error removed or put in."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from harness.corpora.labelled_solutions import split_solution
from harness.json_form import read_record
from harness.records.mutation import FlawRecord
from harness.store.latest_run import with_stage
from harness.store.run_folder import RunFolder
from harness.text.lexicon import english
from oracles.labels.audit.solution_lines import read_statement
from sft.datasets.sources import FLAW_FIELDS, flawed_sample
from sft.evaluation.dataset_items import EvaluationItem
from sft.samples.items import Sample, Truth, position_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path


WOMEN, MEN = english("names").words("women"), english("names").words("men")
RENAMED, REORDERED, MENDED, RENUMBERED = "renamed", "reordered", "error-removed", "renumbered"
MUTATION, VARIANT = "mutation", "variant"
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
    for relation, sample in (
        (RENAMED, other_names(item.sample, draw)),
        (REORDERED, other_order(item.sample, draw)),
        (MENDED, corrected_sample(item.sample)),
    ):
        if sample is not None:
            yield _relative(item, relation, sample)


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
    if not any(renamed(sample.question, {name: ""}) != sample.question for name in names):
        return None
    truth = replace(sample.truth, explanation=renamed(sample.truth.explanation, names))
    return replace(
        sample,
        question=renamed(sample.question, names),
        solution=renamed(sample.solution, names),
        reference=renamed(sample.reference, names),
        truth=truth,
    )


def corrected_sample(sample: Sample) -> Sample | None:
    """Return the correct solution that a flawed one was made from, `None` if it is unknown."""
    if not sample.truth.flawed or not sample.reference.strip():
        return None
    return replace(sample, solution=sample.reference, truth=Truth(flawed=False), operator="", position="none")


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
    stages = RunFolder(with_stage(run, MUTATION, VARIANT))
    items: list[EvaluationItem] = []
    if stages.stage(MUTATION).folder.is_dir() or not stages.stage(VARIANT).folder.is_dir():
        items += _of_mutation(stages, problems, seed)
    if stages.stage(VARIANT).folder.is_dir():
        items += _of_variants(stages, problems, seed)
    return items


def _chosen(run: RunFolder, stage: str, problems: int, seed: int) -> set[str]:
    names = sorted(json.loads(line)["problem_id"] for line in run.stage(stage).stream("problems.jsonl"))
    random.Random(f"{seed}:{stage}").shuffle(names)
    return set(names[:problems] if problems else names)


def _of_mutation(run: RunFolder, problems: int, seed: int) -> Iterator[EvaluationItem]:
    wanted = _chosen(run, MUTATION, problems, seed)
    kept: dict[tuple[str, str], tuple[str, dict[str, Any]]] = {}
    for name in ("computational.jsonl", "conceptual.jsonl"):
        for line in run.stage(MUTATION).stream(name):
            flaw = json.loads(line)
            if flaw["problem_id"] in wanted and not flaw["needs_edit"]:
                key = flaw["problem_id"], flaw["label"]["error_details"]["error_class"]
                # The flaw whose id draws the smallest number, so that the order of records does not matter.
                drawn = random.Random(f"{seed}:{flaw['flaw_id']}").random().hex()
                kept[key] = min(kept.get(key, (drawn, flaw)), (drawn, flaw), key=lambda pair: pair[0])
    for _, (_, form) in sorted(kept.items()):
        flaw = read_record(FlawRecord, form, fields=FLAW_FIELDS)
        base = EvaluationItem(MUTATION, flawed_sample(flaw, MUTATION, LICENCE))
        yield base
        yield from _relatives(base, random.Random(f"{seed}:{flaw.flaw_id}:relatives"))


def _of_variants(run: RunFolder, problems: int, seed: int) -> Iterator[EvaluationItem]:
    wanted = _chosen(run, VARIANT, problems, seed)
    groups: dict[tuple[str, str], dict[str, list[dict[str, Any]]]] = {}
    for line in run.stage(VARIANT).stream("variants.jsonl"):
        variant = json.loads(line)
        if variant["problem_id"] in wanted and variant["operator"] in {"original", RENUMBERED} and variant["solution"]:
            key = variant["problem_id"], variant["model"]
            groups.setdefault(key, {}).setdefault(variant["operator"], []).append(variant)
    for key in sorted(groups):
        originals, others = (groups[key].get(name, []) for name in ("original", RENUMBERED))
        if not originals or not others:
            continue
        other = random.Random(f"{seed}:{key}").choice(others)
        base = EvaluationItem(VARIANT, _of_variant(originals[0]))
        yield base
        yield _relative(base, RENUMBERED, _of_variant(other))


def _of_variant(variant: dict[str, Any]) -> Sample:
    solution, gold = variant["solution"], variant["gold"]
    bare = gold is not None and split_solution(solution).answer is None
    return Sample(
        sample_id=variant["variant_id"],
        problem_id=variant["problem_id"],
        question=variant["modified_problem_text"],
        solution=f"{solution}\n#### {gold}" if bare else solution,
        truth=Truth(flawed=False),
        source=VARIANT,
        licence=LICENCE,
        operator=variant["operator"],
        tier=variant["tier"],
    )
