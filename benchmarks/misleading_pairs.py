"""Benchmark of pairs of programs that were written to mislead UT-3, their truth found by CPython over grids of inputs.

`pairs.jsonl` in `cases` beside the folder of the real data holds a problem, two programs, `EQ` or `NE`, and a kind a line. Both are judged as
the answers of two models. `python -m benchmarks.misleading_pairs [FILE …]` prints the pairs that are not decided as they are.
"""

import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.sessions import DataMissing
from harness.paths import data_folder
from oracle_factory import judge

DECIDED = {"EQ": "CONFIRMED", "NE": "REFUTED"}


def run(path: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return each pair of a file with the verdict of UT-3."""
    pairs = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    problems = [{"id": own["problem_id"], "question": own["question"], "answer": own["answer"]} for own in pairs]
    answers = [
        {"problem_id": own["problem_id"], "model": side, "response": own[side]}
        for own in pairs
        for side in ("left", "right")
    ]
    with tempfile.TemporaryDirectory() as folder:
        judge(problems, answers, out=Path(folder) / "run")
        lines = (Path(folder) / "run/formalization/verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    verdicts = {verdict["problem_id"]: verdict for verdict in map(json.loads, lines) if verdict["claim"] == "ut3"}
    return [(own, verdicts[own["problem_id"]]) for own in pairs]


def measure(data: Path) -> dict[str, Any]:
    """Return how many equivalent and inequivalent pairs have each verdict, and the kinds of those that are not decided."""
    path = data.parent / "cases/pairs.jsonl"
    if not path.exists():
        raise DataMissing(path)
    results = run(path)
    counts = Counter((own["truth"], verdict["status"].lower()) for own, verdict in results)
    open_kinds = Counter(own["kind"] for own, verdict in results if verdict["status"] != DECIDED[own["truth"]])
    figures: dict[str, Any] = {
        name: {"pairs": sum(own["truth"] == truth for own, _ in results)}
        | {status: counts[truth, status] for status in ("confirmed", "refuted", "unknown")}
        for name, truth in (("equivalent", "EQ"), ("inequivalent", "NE"))
    }
    return figures | {"not decided, by kind": dict(open_kinds.most_common())}


def main(paths: list[str]) -> None:
    """Print the pairs that are not decided as they are, and the counts."""
    for path in [Path(name) for name in paths] or [data_folder().parent / "cases/pairs.jsonl"]:
        results = run(path)
        for own, verdict in results:
            if verdict["status"] != DECIDED[own["truth"]]:
                print(
                    f"{own['problem_id']} | {own['kind']} | {own['truth']} | {verdict['status']}: {verdict['reason']}"
                )
        print(Counter((own["truth"], verdict["status"]) for own, verdict in results))


if __name__ == "__main__":
    main(sys.argv[1:])
