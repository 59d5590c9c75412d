"""The labels of levels in a dataset: words, or the numbers of the original."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from oracle_factory.command import main
from tests.sft.datasets.sealed_runs import sealed_run

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [f"p-{number}" for number in range(40)]


def test_labels_are_the_numbers_of_the_original(tmp_path: Path) -> None:
    """With `--labels numeric` levels 1 to 4 count from zero, correct first where there is a correct one, and the card says so."""
    run = sealed_run(tmp_path / "forty", NAMES)
    out = tmp_path / "numeric"
    assert main(["datasets", "--run", str(run), "--out", str(out), "--levels", "1,2,3,4", "--labels", "numeric"]) == 0
    classes = {
        "": "correct",
        "conceptual_error": "conceptual",
        "computational_error": "computational",
        "skipped_step": "skipped",
    }
    orders = {
        "1": ["correct", "flawed"],
        "2": ["conceptual", "computational"],
        "3": ["correct", "conceptual", "computational"],
        "4": ["correct", "conceptual", "computational", "skipped"],
    }
    for level, order in orders.items():
        files = sorted(out.glob(f"level-{level}/*.jsonl"))
        rows = [json.loads(line) for path in files for line in path.read_bytes().splitlines()]
        assert {row["completion"] for row in rows} == {str(number) for number in range(len(order))}
        for row in rows:
            said = order[int(row["completion"])]
            assert said == (classes[row["error_class"]] if level != "1" else "flawed" if row["flawed"] else "correct")
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "answers as numeric" in card
    assert "0 correct, 1 conceptual_error, 2 computational_error, 3 skipped_step" in card
