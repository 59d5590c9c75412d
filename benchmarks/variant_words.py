"""Benchmark of what the words of problem variants give away: a linear classifier on words and characters tells contradictory from underspecified ones; so may what a text says twice."""

import itertools
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.sessions import require
from benchmarks.shortcuts import classes_told_apart
from benchmarks.variants import CORPUS, EXCLUDED, FORMALIZATIONS, NAME
from generators.variants.near_twins import NOTE
from harness.constraint_system import ProblemClass
from harness.corpora.problems import load_corpus
from harness.corpora.responses import SpooledResponses
from harness.text.sentences import sentences_of
from oracles.proofs.solvers import SolverName, open_solver
from properties.stages.certified_variants import make
from sft.fitted.fit import area

PART = slice(2, None, 16)
"""The problems that are measured, of those that are not reserved."""
Record = dict[str, Any]


def measure(data: Path) -> Record:
    """Make the variants of a part of the problems, and tell their classes, and variants from near-twins by operator, by their words."""
    require(NAME, EXCLUDED, data=data)
    problems = {problem.problem_id: problem for problem in load_corpus(str(data / CORPUS))}
    reserved = set(json.loads((data / EXCLUDED).read_text(encoding="utf-8")))
    part = frozenset([name for place, name in enumerate(problems) if place not in reserved][PART])
    responses, solver = SpooledResponses([data / FORMALIZATIONS], part), open_solver(SolverName.Z3)
    made = [
        record
        for name in sorted(responses)
        for record in make(problems[name], responses[name].values(), seed=0, solver=solver).records
    ]
    by_id = {record["variant_id"]: record for record in made}
    twins = [record for record in made if record["twin_of"] is not None]
    operators = sorted({record["operator"] for record in twins})
    own = {name: [record for record in twins if record["operator"] == name] for name in operators}
    return {
        "contradictory_or_underspecified": _told_apart(
            *([record for record in made if record["class_label"] == label] for label in (0, 2))
        ),
        "variant_or_near_twin": {
            name: _told_apart(alike, [by_id[twin["twin_of"]] for twin in alike], strongest=5)
            for name, alike in own.items()
        },
        "classes": {
            label.name.lower(): sum(record["class_label"] == label for record in made) for label in ProblemClass
        },
    }


def sentences_said_twice(text: str) -> int:
    """Return how many sentences of a text say what an earlier one says, word for word but for the beginning of a note."""
    sentences = [sentence.text.removeprefix(NOTE).lower() for sentence in sentences_of(text)]
    return len(sentences) - len({*sentences})


def _told_apart(left: Sequence[Record], right: Sequence[Record], *, strongest: int = 20) -> Record:
    """Tell the texts of two classes apart by their words, and by counts alone: an area is above 0.5 where the second class has more."""
    texts = [
        [(record["problem_id"], record["modified_problem_text"]) for record in records] for records in (left, right)
    ]
    truth = [False] * len(left) + [True] * len(right)
    counts: dict[str, Callable[[str], int]] = {
        "said_twice": sentences_said_twice,
        "sentences": lambda text: len(sentences_of(text)),
    }
    return classes_told_apart(*texts, strongest=strongest) | {
        name: round(area(truth, [float(count(text)) for _, text in itertools.chain(*texts)]), 3)
        for name, count in counts.items()
    }
