"""Real problems that flaws and variants can be made of, from the templates that models wrote."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from generators.flaws.solution.source_solution import FlawSource, UnfitError, open_source
from harness.corpora.problems import load_corpus, read_records
from harness.domain import Response


def real_sources(shared_data: Path, most: int, *, step: int) -> Iterator[FlawSource]:
    """Yield the first solutions that are fit, one a problem, of every `step`-th template; skip without the data."""
    corpus, templates = (shared_data / name for name in ("gsm8k/train.jsonl", "formalizations/templates.jsonl.gz"))
    if not (corpus.is_file() and templates.is_file()):
        pytest.skip(f"no {corpus} or no {templates}")
    problems = {problem.problem_id: problem for problem in load_corpus(f"gsm8k-train={corpus}")}
    done: set[str] = set()
    for _, record in islice(read_records(templates), 0, None, step):
        response = Response(record["problem_id"], record["model"], record["response"], "template")
        if response.problem_id in done:
            continue
        try:
            source = open_source(problems[response.problem_id], response)
        except UnfitError:
            continue
        done.add(response.problem_id)
        yield source
        if len(done) == most:
            return
