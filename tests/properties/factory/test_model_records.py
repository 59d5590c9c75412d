"""Tests of what a run says of each of its models."""

import json
from pathlib import Path

from oracle_factory import judge

COUNT = 12
PROGRAMS = {
    "copy": "def solve(first={boxes}, second={pens}):\n    product = first * second\n    return product * 3\n",
    "idle": "def solve(boxes={boxes}, pens={pens}):\n    return 3 * (pens * boxes)\n",
    "other": "def solve(boxes={boxes}, pens={pens}):\n    return boxes * (pens + pens + pens)\n",
    "source": "def solve(boxes={boxes}, pens={pens}):\n    total = boxes * pens\n    return total * 3\n",
    "weak": "def solve(boxes={boxes}, pens={pens}):\n    return boxes * pens * 3\n",
}
WRONG = "def solve(boxes={boxes}, pens={pens}):\n    return (boxes + pens) * 3\n"
MISTAKEN = {"other": {2}, "weak": {1, 3, 5, 7, 9}}
ASKED = {"copy": range(COUNT), "idle": range(0, COUNT, 3), "other": range(COUNT), "source": range(COUNT)}


def test_each_model_has_its_accuracy_and_its_witness(tmp_path: Path) -> None:
    """Without gold answers: who is asked how often, who is right more often, and who never differs from another one."""
    numbers = {number: {"boxes": number + 3, "pens": number + 5} for number in range(COUNT)}
    question = "Ann has {boxes} boxes of {pens} pens, Ben and Cleo as many. How many pens are there?"
    problems = [{"problem_id": f"p-{number:02}", "question": question.format(**own)} for number, own in numbers.items()]
    answers = [
        {
            "problem_id": f"p-{number:02}",
            "model": model,
            "response": (WRONG if number in MISTAKEN.get(model, ()) else program).format(**numbers[number]),
        }
        for model, program in PROGRAMS.items()
        for number in ASKED.get(model, range(COUNT))
    ]
    judge(problems, answers, out=tmp_path / "run")
    lines = (tmp_path / "run" / "formalization" / "models.jsonl").read_text().splitlines()
    found = {record["model"]: record for record in map(json.loads, lines)}
    assert list(found) == sorted(PROGRAMS)
    assert {model: record["problems"] for model, record in found.items()} == {
        model: len(ASKED.get(model, range(COUNT))) for model in PROGRAMS
    }
    accuracy = {model: record["accuracy"] for model, record in found.items()}
    assert accuracy["weak"] < accuracy["other"] <= accuracy["source"] == accuracy["copy"]
    witnesses = {model: record.get("one_witness_with") for model, record in found.items()}
    assert (witnesses["weak"], witnesses["other"]) == (None, None)
    assert {"copy": "source", "source": "copy"}.items() & witnesses.items()
