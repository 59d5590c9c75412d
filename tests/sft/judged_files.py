"""Small files of judged solutions for the tests of the evaluation."""

import json
from pathlib import Path
from typing import Any

QUESTION = "Maria buys 3 pens at $4 each and Tom buys 5 rulers at $2 each. How much do they pay together?"
LINES = [
    "Maria pays 3*4 = <<3*4=12>>12 dollars.",
    "Tom pays 5*2 = <<5*2=10>>10 dollars.",
    "Together they pay 12+10 = <<12+10=22>>22 dollars.",
]
WRONG = [line.replace("10", "15").replace("22", "27") for line in LINES]
SOLUTION, FLAWED = "\n".join([*LINES, "#### 22"]), "\n".join([*WRONG, "#### 27"])

RECORDS: dict[str, dict[str, Any]] = {
    "processbench": {
        "id": "a-0",
        "generator": "m",
        "problem": QUESTION,
        "steps": [*WRONG, "#### 27"],
        "final_answer_correct": False,
        "label": 1,
    },
    "mr-gsm8k": {
        "uuid": "u-0",
        "question": QUESTION,
        "model_output_steps": WRONG,
        "model_output_solution_correctness": "wrong",
        "model_output_solution_first_error_step": 2,
        "model_output_solution_first_error_reason": "5*2 is 10",
        "question_type": "original",
    },
    "eic": {
        "question": QUESTION,
        "original_solution": SOLUTION,
        "transformed_solution": FLAWED,
        "wrong_step": 2,
        "error_type": "calculation error",
    },
    "verify-then-generate": {
        "id": "v-0",
        "problem": QUESTION,
        "steps": [*WRONG, " 27"],
        "first_error_step": 2,
        "error_type": "computational_error",
        "explanation": "5*2 is 10",
    },
    "big-bench-mistake": {"input": QUESTION, "steps": WRONG, "target": "22", "answer": "27", "mistake_index": 1},
    "stepwise": {"prompt": QUESTION, "completions": [*WRONG, "27"], "labels": [True, False, False, False]},
    "human": {
        "problem_id": "p-0",
        "question": QUESTION,
        "solution": SOLUTION,
        "flawed_solution": FLAWED,
        "error_type": "computational",
        "erroneous_line_number": "L2",
        "explanation": "x",
    },
    "is-correct": {"problem_id": "p-0", "question": QUESTION, "solution": FLAWED, "is_correct": False, "model": "m"},
    "examination": {
        "question": QUESTION,
        "solution": FLAWED.replace("####", "FINAL ANSWER:"),
        "error_type": "computational_error",
    },
    "sample": {
        "sample_id": "s-0",
        "problem_id": "p-0",
        "question": QUESTION,
        "solution": FLAWED,
        "flawed": True,
        "error_class": "computational_error",
        "error_type": "computational_error",
        "line": "L2",
        "explanation": "",
        "source": "x",
        "licence": "y",
        "operator": "",
        "tier": None,
        "position": "middle",
    },
}
"""One record of each shape; each holds the same flawed solution."""


def write(path: Path, *records: object) -> Path:
    """Write JSON lines; text as it is."""
    path.write_text(
        "".join((record if isinstance(record, str) else json.dumps(record)) + "\n" for record in records),
        encoding="utf-8",
    )
    return path
