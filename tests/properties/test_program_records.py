"""Tests of the records of programs and models: the consensus takes the same of a record as of the program itself."""

import json
from pathlib import Path

from harness.domain import Problem, Response
from harness.json_form import json_form, read_record
from harness.program.lifter import read_candidate
from harness.records.formalization import ProgramRecord
from oracle_factory import judge
from oracles.consensus.answer_inputs import answer_inputs, is_literal
from oracles.consensus.probability.answer_model import problem_answers
from oracles.consensus.program_forms import program_form
from properties.stages.program_records import answers_given, program_record

PROBLEM = Problem(
    "p", "Ann has 3 boxes of 4.5 pens each and gives 1/3 of them to 2 friends. How many are left?", "", "9"
)
PROGRAMS = {
    "product": "def solve(boxes: int = 3, pens: float = 4.5):\n    total = boxes * pens\n    return total - total / 3\n",
    "idle input": "def solve(boxes=3, pens=4.5, friends=2):\n    return boxes * pens * (1 - 1 / 3)\n",
    "third": "def solve(boxes=3, pens=4.5):\n    return boxes * pens / 7\n",
    "large": "def solve(boxes=3):\n    return boxes ** 400\n",
    "states its value": "def solve(boxes=3):\n    return 9\n",
    "raises": "def solve(boxes=3):\n    return boxes / (boxes - 3)\n",
    "no program": "I do not know.",
    "hostile": "def solve(boxes=3):\n    return __import__('os').getpid()\n",
    "lone surrogate": "def solve(boxes=3):  # \ud800\n    return boxes * 3\n",
    "statements": "boxes = 3\npens = 4.5\nanswer = boxes * pens\n",
}


def test_a_record_says_what_its_program_says() -> None:
    """Values, forms and evidence follow from the written records as from the programs that were read."""
    candidates = {model: read_candidate(Response("p", model, code)) for model, code in PROGRAMS.items()}
    written = [json.dumps(json_form(program_record(PROBLEM, model, own))) for model, own in candidates.items()]
    records = [read_record(ProgramRecord, json.loads(line)) for line in written]
    read = {model: own.program for model, own in candidates.items() if own.program is not None}
    computing = {
        model: own
        for model, own in candidates.items()
        if own.program is None or not is_literal(PROBLEM.question, own.program)
    }
    forms = {model: program_form(program) for model, program in read.items() if model in computing}
    assert {"states its value", "no program", "raises"} - computing.keys() == {"states its value"}
    idle = {record.model: {place for place, own in enumerate(record.parameters) if own.idle} for record in records}
    for model, program in read.items():
        assert idle[model] == set(range(len(program.parameters))) - answer_inputs(program)
    assert answers_given(records) == problem_answers(
        {model: None if own.outcome is None else own.outcome.value for model, own in computing.items()},
        {model: form for model, form in forms.items() if form is not None},
    )


COUNT = 16
MODELS = {
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
        for model, program in MODELS.items()
        for number in ASKED.get(model, range(COUNT))
    ]
    judge(problems, answers, out=tmp_path / "run")
    lines = (tmp_path / "run" / "formalization" / "models.jsonl").read_text().splitlines()
    found = {record["model"]: record for record in map(json.loads, lines)}
    assert list(found) == sorted(MODELS)
    assert {model: record["problems"] for model, record in found.items()} == {
        model: len(ASKED.get(model, range(COUNT))) for model in MODELS
    }
    accuracy = {model: record["accuracy"] for model, record in found.items()}
    assert accuracy["weak"] < accuracy["other"] <= accuracy["source"] == accuracy["copy"]
    witnesses = {model: record.get("one_witness_with") for model, record in found.items()}
    assert (witnesses["weak"], witnesses["other"]) == (None, None)
    assert {"copy": "source", "source": "copy"}.items() & witnesses.items()
