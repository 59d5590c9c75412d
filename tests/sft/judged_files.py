"""Small files of judged solutions for the tests of the evaluation."""

from typing import Any

QUESTION = "Maria buys 3 pens at $4 each and Tom buys 5 rulers at $2 each. How much do they pay together?"
LINES = [
    "Maria pays 3*4 = <<3*4=12>>12 dollars.",
    "Tom pays 5*2 = <<5*2=10>>10 dollars.",
    "Together they pay 12+10 = <<12+10=22>>22 dollars.",
]
WRONG = [line.replace("10", "15").replace("22", "27") for line in LINES]
SOLUTION, FLAWED = "\n".join([*LINES, "#### 22"]), "\n".join([*WRONG, "#### 27"])


def _record(fields: str, *values: object) -> dict[str, Any]:
    return dict(zip(fields.split(), values, strict=True))


OUTPUT = "model_output_solution"
RECORDS: dict[str, dict[str, Any]] = {
    "processbench": _record(
        *("id generator problem steps final_answer_correct label", "a-0", "m", QUESTION, [*WRONG, "#### 27"], False, 1)
    ),
    "mr-gsm8k": _record(
        f"uuid question model_output_steps {OUTPUT}_correctness {OUTPUT}_first_error_step {OUTPUT}_first_error_reason question_type",
        *("u-0", QUESTION, WRONG, "wrong", 2, "5*2 is 10", "original"),
    ),
    "eic": _record(
        "question original_solution transformed_solution wrong_step error_type",
        *(QUESTION, SOLUTION, FLAWED, 2, "calculation error"),
    ),
    "verify-then-generate": _record(
        "id problem steps first_error_step error_type explanation",
        *("v-0", QUESTION, [*WRONG, " 27"], 2, "computational_error", "5*2 is 10"),
    ),
    "big-bench-mistake": {"input": QUESTION, "steps": WRONG, "target": "22", "answer": "27", "mistake_index": 1},
    "stepwise": {"prompt": QUESTION, "completions": [*WRONG, "27"], "labels": [True, False, False, False]},
    "human": _record(
        "problem_id question solution flawed_solution error_type erroneous_line_number explanation",
        *("p-0", QUESTION, SOLUTION, FLAWED, "computational", "L2", "x"),
    ),
    "is-correct": {"problem_id": "p-0", "question": QUESTION, "solution": FLAWED, "is_correct": False, "model": "m"},
    "examination": _record(
        *("question solution error_type", QUESTION, FLAWED.replace("####", "FINAL ANSWER:"), "computational_error")
    ),
    "sample": _record(
        "sample_id problem_id question solution flawed error_class error_type line explanation source licence operator tier position",
        *("s-0", "p-0", QUESTION, FLAWED, True, "computational_error", "computational_error", "L2", "", "x", "y"),
        *("", None, "middle"),
    ),
}
"""One record of each shape; each holds the same flawed solution."""
