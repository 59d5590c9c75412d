"""Tests of the card of a run: `datasets.load_dataset` reads every kind of record by it, offline, with every value as it was."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.errors import HarnessError
from harness.stages import FORMALIZATION, MUTATION, TEMPLATE, VARIANT
from harness.store.run_folder import RunFolder
from oracle_factory.command import main
from properties.engine.engines import LocalPool
from properties.factory.factory_run import judge_and_seal, opened_inputs
from properties.factory.options import FactoryOptions
from reports.dataset_card import CARD, CONFIGS, write_card
from reports.review.candidate_queue import CandidateQueue
from reports.review.candidates import Candidates
from reports.review.examples import add_example
from reports.review.review_state import ReviewState
from tests.reports.review.made_candidates import accepted, leased
from tests.reports.review.test_review_examples import example

ROOT = Path(__file__).parents[2]
LOADING = """
import json, sys
from datasets import load_dataset
folder, cache, *names = sys.argv[1:]
for name in names:
    for split, rows in load_dataset(folder, name, cache_dir=cache).items():
        print(json.dumps([name, split, list(rows)]))
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a real run of two problems with every stage that a card names, and the card."""
    folder = tmp_path_factory.mktemp("carded")
    answers = str(ROOT / "corpora" / "mini" / "formalizations.jsonl")
    inputs = opened_inputs(FactoryOptions(corpus="mini", answers=[answers], out=folder / "made", problems="0:2"))
    for stage in (FORMALIZATION, TEMPLATE, MUTATION, VARIANT):
        judge_and_seal(stage, inputs, LocalPool(1), quiet=True)
    state = folder / "review.sqlite"
    opened = ReviewState.open(state)
    queue = CandidateQueue(Candidates.open([folder / "made" / "mutation" / "conceptual.jsonl"]), opened)
    for _ in range(3):
        taken = leased(queue.next("ann", "ann"))
        opened.decide(taken.candidate, taken.lease, accepted(taken))
    add_example(opened, example())
    opened.close()
    assert main(["review", "seal", "--run", str(folder / "made"), "--state", str(state)]) == 0
    assert main(["card", str(folder / "made"), "--licence", "MIT"]) == 0
    return folder / "made"


def _load(folder: Path, cache: Path, names: list[str]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Return what `load_dataset` gives in a process without a network."""
    pytest.importorskip("datasets", reason="the sft extra is not installed")
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(cache)}
    told = subprocess.run(
        [sys.executable, "-c", LOADING, str(folder), str(cache), *names],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, **offline},
    )
    assert told.returncode == 0, told.stderr
    rows = (json.loads(line) for line in told.stdout.splitlines())
    return {(name, split): records for name, split, records in rows}


def _present(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record without null fields: a column that a record lacks is null."""
    return {name: _rounded(value) for name, value in record.items() if value is not None}


def _rounded(value: Any) -> Any:
    """Return a value with 12 digits of each float: `datasets` reads the last one of a float in a column of JSON otherwise."""
    if isinstance(value, dict):
        return {name: _rounded(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return float(f"{value:.12g}") if isinstance(value, float) else value


def test_every_configuration_loads_with_every_value(run: Path, tmp_path: Path) -> None:
    """Oracles, flaws, variants, reviewed flaws and examples come back as the files hold them, nested values too."""
    loaded = _load(run, tmp_path, [config.name for config in CONFIGS])
    files = {(config.name, split): (config.stage, file) for config in CONFIGS for split, file in config.files.items()}
    assert loaded.keys() == files.keys()
    for key, (stage, file) in files.items():
        records = list(RunFolder(run).stage(stage).records(file))
        assert records
        assert [_present(row) for row in loaded[key]] == [_present(record) for record in records], key


@pytest.mark.slow
def test_types_are_those_of_the_records_whatever_the_first_rows_hold(tmp_path: Path) -> None:
    """A file whose first megabytes hold other forms than its last record loads: no row decides the type of a column."""
    plain = {"flaw_id": "a", "label": {"verdict": "Flawed"}, "certificate": None, "index": None, "edits": []}
    odd = {**plain, "label": {"verdict": "Flawed", "error_details": {"alias": ["x"]}}, "index": 3, "edits": [["x"], 1]}
    records = [*({**plain, "question": "w" * 400_000} for _ in range(40)), {**odd, "question": "</script>: [x]\n---\n"}]
    RunFolder(tmp_path / "run").stage("mutation").seal({"conceptual.jsonl": records}, {})
    assert write_card(tmp_path / "run", "a licence: [of its own") == {"flaws": 41}
    (rows,) = _load(tmp_path / "run", tmp_path / "cache", ["flaws"]).values()
    assert [_present(row) for row in rows] == [_present(record) for record in records]
    assert "license: other" in (tmp_path / "run" / CARD).read_text("utf-8")


def test_card_is_the_same_again_and_never_replaces_another(run: Path, tmp_path: Path) -> None:
    """A second card has the same bytes; a README of somebody else stays, and a run without records is an error."""
    before = (run / CARD).read_bytes()
    write_card(run, "MIT")
    assert (run / CARD).read_bytes() == before
    RunFolder(tmp_path / "run").stage("mutation").seal({"conceptual.jsonl": [{"flaw_id": "a"}]}, {})
    (tmp_path / "run" / CARD).write_text("# Mine")
    with pytest.raises(HarnessError, match="move it away"):
        write_card(tmp_path / "run", "MIT")
    assert (tmp_path / "run" / CARD).read_text() == "# Mine"
    with pytest.raises(HarnessError, match="expected a sealed stage"):
        write_card(tmp_path / "nothing", "MIT")
