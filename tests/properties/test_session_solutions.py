"""`pytest -m label --harness-solutions`: one item a solution, judged by the programs of the run or by a worked solution."""

from pathlib import Path

from tests.json_lines import write_lines
from tests.properties.session_process import TINY_PROBLEMS, TINY_RESPONSES, SessionTerminal, write_inputs
from tests.properties.stage_inputs import label_options

HOSTILE = "<img src=x onerror=alert(1)>\x1b[31m"
SOLUTIONS = [
    {"problem_id": "t-1", "solution": "3*4=12\n#### 12"},
    {"problem_id": "t-2", "solution": f"5+6=11 {HOSTILE}\n11-7=4\n#### 4"},
    {"question": "10 birds and 5 more?", "solution": "10+5=16\n#### 16"},
    {"question": "7 and 1?", "solution": "7-1=6\n#### 6", "gold_solution": "7+1=8\n#### 8"},
    {"question": "9 and 1?", "solution": "9+1=10\n#### 10"},
    {"problem_id": "t-6", "solution": ""},
    {"problem_id": "t-6", "solution": "8-1=7 " + "and " * 30_000},
    {"problem_id": "nobody", "solution": "1+1=2"},
    "no record",
]
STATUSES = ["CONFIRMED", "REFUTED", "REFUTED", "REFUTED", "UNKNOWN", "UNKNOWN", "UNKNOWN", "REFUTED", "REFUTED"]


def test_one_item_a_solution(tmp_path: Path, embeddings_cache: Path) -> None:
    """Each solution is an item: a wrong one fails with its line, an unjudged one is no pass; the report has it beside the right way, whatever judged it."""
    inputs = write_inputs(tmp_path / "inputs", TINY_PROBLEMS, TINY_RESPONSES)
    solutions = f"--harness-solutions={write_lines(tmp_path / 'class.jsonl', SOLUTIONS)}"
    terminal = SessionTerminal(tmp_path, embeddings_cache)
    options = (f"--harness-corpus={inputs.corpus}", solutions)
    outcomes = terminal.run_in_turn({
        "worked": (*options, "-m", "label", "properties"),
        "judged": (*inputs.options, solutions, "-m", "formalization", "--harness-gate=none", "--harness-run=r", "properties"),
        "one": (*options[:1], f"--harness-solutions={write_lines(tmp_path / 'one.jsonl', SOLUTIONS[:1])}", "-m", "label", "properties"),
        "again": (*inputs.options, solutions, "-m", "label", "--harness-run=r", f"--harness-runs={tmp_path / 'judged' / 'runs'}", "properties"),
        "labels": (*label_options(tmp_path), "-m", "label", "--harness-gate=none", "properties"),
        "none": (f"--harness-corpus={inputs.corpus}", "--harness-labels=none.jsonl", "--harness-solutions=none.jsonl", "properties"),
    })  # fmt: skip
    worked = outcomes["worked"]
    by_place = {record["left"]: record for record in worked.records("verdicts", "label")}
    assert [by_place[f"class#{place}"]["status"] for place in range(len(SOLUTIONS))] == STATUSES
    assert by_place["class#1"]["findings"][0]["line"] == "L1"
    assert "L1 states 10+5=16" in by_place["class#2"]["reason"]
    assert worked.status == 1
    assert worked.outcomes == {"failed": 5, "passed": 1, "xfailed": 3}
    (flagged,) = (record for record in worked.records("flagged", "label") if record["left"] == "class#1")
    assert flagged["rows"][0]["mark"] == "differs"
    assert "report/labels.html" in worked.output
    assert "no such file" in outcomes["none"].output
    assert (outcomes["one"].status, outcomes["one"].outcomes) == (0, {"passed": 1})
    assert outcomes["labels"].status == 0
    assert outcomes["judged"].status == 0
    again = outcomes["judged"]
    by_programs = {record["left"]: record for record in again.records("verdicts", "label")}
    assert by_programs["class#0"]["status"] == "CONFIRMED"
    (flagged,) = (record for record in again.records("flagged", "label") if record["left"] == "class#1")
    assert any("lent" in flagged["certificate"] + flagged["written"] or row["steps"] for row in flagged["rows"])
