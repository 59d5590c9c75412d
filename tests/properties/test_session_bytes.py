"""Tests of determinism: the same inputs give the same bytes with any workers, order and cache."""

from pathlib import Path

import pytest

from tests.properties.session_process import (
    TINY_PROBLEMS,
    TINY_RESPONSES,
    InputFiles,
    SessionOutcome,
    SessionTerminal,
    write_inputs,
)

DOCUMENTED = [
    "calibration.jsonl",
    "consensus.jsonl",
    "manifest.json",
    "models.jsonl",
    "oracles.jsonl",
    "problems.jsonl",
    "programs.jsonl",
    "verdicts.jsonl",
]
REVERSE = """
def pytest_collection_modifyitems(items):
    items.reverse()
"""


def test_sealed_stage_holds_the_documented_files_only(judged: SessionOutcome) -> None:
    """Nothing else is left in the folder: no shards, no scratch, no partial files."""
    assert sorted(judged.files()) == DOCUMENTED


def test_workers_change_no_byte(tiny: InputFiles, terminal: SessionTerminal, judged: SessionOutcome) -> None:
    """Two workers write what one process writes."""
    assert terminal.run(tiny, processes=2).files() == judged.files()


@pytest.mark.slow
def test_order_of_lines_changes_no_byte(terminal: SessionTerminal, judged: SessionOutcome, tmp_path: Path) -> None:
    """The lines of the corpus and of the formalizations may stand in any order."""
    inputs = write_inputs(tmp_path / "reversed", TINY_PROBLEMS[::-1], TINY_RESPONSES[::-1])
    assert terminal.run(inputs).files() == judged.files()


@pytest.mark.slow
def test_order_of_items_changes_no_byte(tiny: InputFiles, terminal: SessionTerminal, judged: SessionOutcome) -> None:
    """Items may run in any order."""
    assert terminal.run(tiny, plugin=REVERSE).files() == judged.files()


@pytest.mark.slow
def test_cold_cache_changes_no_byte(tiny: InputFiles, cold_terminal: SessionTerminal, judged: SessionOutcome) -> None:
    """Embeddings made in this session and embeddings made in an earlier one give the same."""
    assert cold_terminal.run(tiny, processes=2).files() == judged.files()
