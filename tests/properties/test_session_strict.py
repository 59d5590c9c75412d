"""Tests of `--harness-strict`: which causes of a refutation part two formalizations, and what the consensus records of them."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.properties.session_process import InputFiles, Record, SessionOutcome, SessionTerminal, write_inputs

QUESTION = "A pack holds 6 cans, and a shelf holds 2 packs. How many packs does she need for 30 cans?"
PROBLEMS: tuple[Record, ...] = (
    {"problem_id": "s-1", "question": "3 bags of 4 apples, each in 1 box?", "answer": "3*4=12\n#### 12"},
    {"problem_id": "s-2", "question": QUESTION, "answer": "30/6=5\n#### 5"},
)
RESPONSES: tuple[Record, ...] = tuple(
    {"problem_id": problem_id, "model": model, "response": response}
    for problem_id, model, response in (
        ("s-1", "ash", "def solve(bags: int = 3, apples: int = 4, boxes: int = 1):\n    return bags * apples * boxes"),
        ("s-1", "oak", "def solve(bags: int = 3, apples: int = 4, boxes: int = 1):\n    return bags * apples"),
        ("s-2", "ash", "def solve(cans: int = 30, pack: int = 6):\n    return cans / pack"),
        ("s-2", "elm", "def solve(cans: int = 30, pack: int = 6):\n    packs = cans / pack\n    return packs"),
        ("s-2", "oak", "import math\ndef solve(cans: int = 30, pack: int = 6):\n    return math.ceil(cans / pack)"),
    )
)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> InputFiles:
    """Return a problem on which two differ by an unused input, and one on which one rounds."""
    return replace(write_inputs(tmp_path_factory.mktemp("strict"), PROBLEMS, RESPONSES), marker="formalization")


@pytest.fixture(scope="module")
def sessions(
    inputs: InputFiles, tmp_path_factory: pytest.TempPathFactory, embeddings_cache: Path
) -> dict[str, SessionOutcome]:
    """Return the sessions that say nothing of strictness, and those with `yes` and `no`, run in one process."""
    shared = (*inputs.options, "--harness-gate=none", "properties")
    given = {"default": shared, "yes": ("--harness-strict=yes", *shared), "no": ("--harness-strict=no", *shared)}
    return SessionTerminal(tmp_path_factory.mktemp("sessions"), embeddings_cache).run_in_turn(given)


def _consensus(ended: SessionOutcome) -> dict[str, Record]:
    return {record["problem_id"]: record for record in ended.records("consensus")}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strict", "sizes", "uncounted"),
    [
        ("default", {"s-1": 0, "s-2": 2}, None),
        ("yes", {"s-1": 0, "s-2": 2}, None),
        ("no", {"s-1": 2, "s-2": 2}, "unused_input"),
    ],
)
def test_an_unused_input_parts_two_members_only_if_strict(
    sessions: dict[str, SessionOutcome], strict: str, sizes: dict[str, int], uncounted: str | None
) -> None:
    """Strict is the default; without it the consensus joins the two and names the cause; rounding parts either way."""
    agreed = _consensus(sessions[strict])
    assert {problem_id: record["clique_size"] for problem_id, record in agreed.items()} == sizes
    assert [pair.get("uncounted") for pair in agreed["s-1"]["pairs"]] == ([uncounted] if uncounted else [])


def test_the_rounding_dissenter_is_named(sessions: dict[str, SessionOutcome]) -> None:
    """Two that do not round up outvote the one that does; the consensus carries the finding with its name."""
    ended = sessions["default"]
    record = _consensus(ended)["s-2"]
    finding = {"kind": "may need rounding", "asked": "pack", "inputs": {"cans": "31"}, "value": "31/6"}
    assert record["findings"] == [{**finding, "dissenters": ["oak"]}]
    assert [(dissenter["model"], dissenter["cause"]) for dissenter in record["dissenters"]] == [("oak", "rounding")]
    refuted = [verdict for verdict in ended.records("verdicts") if verdict["claim"] == "ut3" and "cause" in verdict]
    assert {(verdict["cause"]["kind"], verdict["cause"]["basis"], verdict["witness"]) for verdict in refuted} == {
        ("unused_input", "proved", "sensible"),
        ("rounding", "proved", "sensible"),
    }
