"""Tests of flaws of real templates: they keep the same laws as flaws of random programs."""

import gzip
import json
from itertools import islice
from pathlib import Path

import pytest

from generators.flaws.flawed_solution import Flaw
from generators.flaws.solution.source_solution import FlawSource, UnfitError, open_source
from harness.corpora.problems import load_corpus
from harness.domain import Response
from harness.equations.line_reader import read_line
from harness.solution.labels import ErrorClass
from tests.generators.flaws.flaw_laws import breaches, flaws_or_none

MOST = 40
TEMPLATES = "formalizations/templates.jsonl.gz"
CORPUS = "gsm8k/train.jsonl"


@pytest.fixture(scope="module")
def real(shared_data: Path) -> list[tuple[FlawSource, list[Flaw]]]:
    """Return the flawed solutions of the first templates that are fit."""
    for name in (TEMPLATES, CORPUS):
        if not (shared_data / name).is_file():
            pytest.skip(f"no {name} in {shared_data}")
    problems = {problem.problem_id: problem for problem in load_corpus(f"gsm8k-train={shared_data / CORPUS}")}
    found: list[tuple[FlawSource, list[Flaw]]] = []
    with gzip.open(shared_data / TEMPLATES, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, islice(lines, 0, None, 3)):
            response = Response(record["problem_id"], record["model"], record["response"], "template")
            try:
                source = open_source(problems[response.problem_id], response)
            except UnfitError:
                continue
            found.append((source, flaws_or_none(source)))
            if len(found) == MOST:
                break
    return found


def test_real_flaws_are_wrong_in_one_place(real: list[tuple[FlawSource, list[Flaw]]]) -> None:
    """Not one of more than a thousand breaks a law."""
    checked = [(flaw.text, breaches(source, flaw)) for source, flaws in real for flaw in flaws]
    assert [one for one in checked if one[1]] == []
    assert len(checked) > 1000


def test_real_flaws_read_as_they_were_made(real: list[tuple[FlawSource, list[Flaw]]]) -> None:
    """The reader finds false equations on the labelled line of a slip, and nowhere else."""
    for flaw in (flaw for _, flaws in real for flaw in flaws):
        false = [f"L{number}" for number, line in enumerate(flaw.lines, start=1) if read_line(line).false]
        slip = flaw.label.error_type.error_class is ErrorClass.COMPUTATIONAL
        assert false == ([flaw.label.line] if slip else []), flaw.text


def test_what_needs_no_edit_shows_no_seams(real: list[tuple[FlawSource, list[Flaw]]]) -> None:
    """No double signs, no dollar sign before a dash, no equation of one number alone that the solution has not."""
    for source, flaw in ((source, flaw) for source, flaws in real for flaw in flaws if not flaw.edits):
        for seam in ("--", "- -", "+ -", "$-", "$$", "{", "}"):
            assert (seam in flaw.text) <= (seam in source.solution), flaw.text
