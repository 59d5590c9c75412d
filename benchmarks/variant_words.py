"""Benchmark of what the form of problem variants gives away: a linear classifier on words and characters, and ten counts, tell contradictory from underspecified ones, and variants from near-twins."""

import json
import re
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from benchmarks.sessions import require
from benchmarks.shortcuts import classes_told_apart
from benchmarks.variants import CORPUS, EXCLUDED, FORMALIZATIONS, NAME
from harness.constraint_system import ProblemClass
from harness.corpora.problems import load_corpus
from harness.corpora.responses import SpooledResponses
from harness.text.numbers import mentions
from harness.text.sentences import sentences_of
from properties.stages.variant import make
from sft.fitted.model import area

PARTS = {"guiding": slice(2, None, 16), "fresh": slice(5, None, 16)}
"""The problems that are measured, of those that are not reserved: some that guided how variants are made, and others."""
FEWEST_PAIRS = 10
"""Of an operator with fewer in a part no figure is given."""
Record = dict[str, Any]
COUNTS: dict[str, Callable[[str], float]] = {
    "sentences": lambda text: len(sentences_of(text)),
    "characters": len,
    "words": lambda text: len(re.findall(r"\w+", text)),
    "numbers": lambda text: len(mentions(text)),
}
"""What a text has more or fewer of, also than the problem that it was made of."""
OWN: dict[str, Callable[[str], float]] = {
    **COUNTS,
    "question_marks": lambda text: text.count("?"),
    "sentences_said_twice": lambda text: sum(
        later.endswith(first)
        for first, later in combinations(sorted([one.text.lower() for one in sentences_of(text)], key=len), 2)
    ),
}
"""A sentence is said twice where it ends another one, as after `Remember that`."""


def measure(data: Path) -> Record:
    """Make the variants of two parts of the problems, and tell their classes, and variants from near-twins by operator."""
    require(NAME, EXCLUDED, data=data)
    problems = {problem.problem_id: problem for problem in load_corpus(str(data / CORPUS))}
    reserved = set(json.loads((data / EXCLUDED).read_text(encoding="utf-8")))
    names = [name for place, name in enumerate(problems) if place not in reserved]
    figures = {}
    for label, part in PARTS.items():
        responses = SpooledResponses([data / FORMALIZATIONS], frozenset(names[part]))
        figures[label] = _part(
            [
                record
                for name in sorted(responses)
                for record in make(problems[name], responses[name].values(), seed=0).records
            ]
        )
    return figures


def _part(made: Sequence[Record]) -> Record:
    by_id = {record["variant_id"]: record for record in made}
    twins = [record for record in made if record["twin_of"] is not None]
    own = {name: [twin for twin in twins if twin["operator"] == name] for name in {one["operator"] for one in twins}}
    pairs = {
        name: _told_apart(alike, [by_id[twin["twin_of"]] for twin in alike], strongest=5)
        for name, alike in sorted(own.items())
        if len(alike) >= FEWEST_PAIRS
    }
    return {
        "contradictory_or_underspecified": _told_apart(
            *([record for record in made if record["class_label"] == label] for label in (0, 2))
        ),
        "variant_or_near_twin": pairs,
        "variant_or_near_twin_by_a_count": max(pair["by_a_count"] for pair in pairs.values()),
        "classes": {
            label.name.lower(): sum(record["class_label"] == label for record in made) for label in ProblemClass
        },
    }


def _told_apart(left: Sequence[Record], right: Sequence[Record], *, strongest: int = 20) -> Record:
    """Tell the texts of two classes apart by their words, and by counts alone: an area is above 0.5 where the second class has more."""
    texts = [
        [(record["problem_id"], record["modified_problem_text"]) for record in records] for records in (left, right)
    ]
    truth = [False] * len(left) + [True] * len(right)
    told = [(record["modified_problem_text"], record["question"]) for record in (*left, *right)]
    counts = {name: area(truth, [count(text) for text, _ in told]) for name, count in OWN.items()}
    counts |= {
        f"{name}_beyond_the_problem": area(truth, [count(text) - count(question) for text, question in told])
        for name, count in COUNTS.items()
    }
    worst = max(max(figure, 1 - figure) for figure in counts.values())
    rounded = {name: round(figure, 3) for name, figure in counts.items()}
    return classes_told_apart(*texts, strongest=strongest) | {"by_a_count": round(worst, 3), "counts": rounded}
