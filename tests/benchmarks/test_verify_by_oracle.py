"""Tests of the figures of the engine `oracle`: a solution of which nothing is known counts as wrong in each of them."""

import pytest

from benchmarks.verify_by_oracle import Diagnoser, first_wrong_steps, people, verdicts
from sft.diagnosis.oracle_sources import OracleSource

QUESTION = "A shelf holds 14 boxes of 9 pens. 31 pens are sold. How many pens are left?"
RIGHT, WRONG = ["14 * 9 = 126", "126 - 31 = 95", "#### 95"], ["14 + 9 = 23", "31 - 23 = 8", "#### 8"]
ANSWERS = [
    {"question": QUESTION, "solution": "\n".join(steps), "is_correct": steps is RIGHT} for steps in (RIGHT, WRONG)
]


@pytest.mark.parametrize("known", [True, False])
def test_what_is_not_known_counts_as_wrong(*, known: bool) -> None:
    """With the worked solution both solutions are judged rightly; without an oracle neither is, and none is accused."""
    reference = "\n".join(RIGHT) if known else ""
    diagnoser = Diagnoser(OracleSource())
    marked = [
        {"question": QUESTION, "steps": steps, "gold_solution": reference, "first_error_step": first}
        for steps, first in ((RIGHT, None), (WRONG, 1))
    ]
    steps = first_wrong_steps(diagnoser, marked)
    assert (steps["found"], steps["accepted"], steps["accused"], steps["f1"]) == (known, known, 0, float(known))
    error = {
        "question": QUESTION,
        "solution": reference,
        "flawed_solution": "\n".join(WRONG),
        "erroneous_line_number": "L1",
        "error_type": "conceptual",
    }
    assert people(diagnoser, [error])["line_right_share"] == float(known)
    assert len(diagnoser.seconds) == 3 * known
    without = verdicts(diagnoser, ANSWERS)
    assert (without["unknown"], without["right"], without["coverage_at_99"]) == (2, 0, 0.0)
