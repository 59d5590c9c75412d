"""No edit that keeps what programs compute changes a probability of a judged run, nor does a model that hands in another one's programs, or bare answers."""

from random import Random
from typing import Any

import pytest

from oracle_factory import judge
from tests.oracles.consensus.edited_programs import edited as keeping_edits, program
from tests.oracles.equivalence.planted.sketches import Sketch

NAMES = ("bags", "apples", "eaten", "sold")


def problems(count: int, rng: Random) -> list[dict[str, Any]]:
    """Return problems without a gold answer, with the numbers of each: of two equal ones, only the words of the inputs say which is which."""
    numbers = [rng.sample(range(11, 99), len(NAMES)) for _ in range(count)]
    return [
        {
            "problem_id": f"p{place:03}",
            "question": f"Tom fills {own[0]} bags with {own[1]} apples each. He eats {own[2]} and sells {own[3]}. How many are left?",
            "numbers": own,
        }
        for place, own in enumerate(numbers)
    ]


def probabilities(tasks: list[dict[str, Any]], given: list[dict[str, str]]) -> dict[str, float | None]:
    """Return `p_right` of each problem."""
    records = [{"problem_id": task["problem_id"], "question": task["question"]} for task in tasks]
    run = judge(records, given, processes=1)
    return {task["problem_id"]: run[task["problem_id"]].consensus.p_right for task in tasks}


STEPS = (
    {"whole": "bags * apples", "gone": "eaten + sold", "left": "whole - gone"},
    {"whole": "apples * bags", "rest": "whole - eaten", "left": "rest - sold"},
    {"gone": "sold + eaten", "left": "bags * apples - gone"},
    {"whole": "bags * apples", "left": "whole - eaten"},
    {"whole": "(bags + 0) * apples", "gone": "eaten - sold", "left": "whole - gone"},
    {"whole": "bags * apples + eaten", "left": "whole - sold * 2"},
)
"""Three programs that are right, and three that are not."""


def programs(tasks: list[dict[str, Any]], accuracies: dict[str, float], rng: Random) -> dict[tuple[str, str], Sketch]:
    """Return the programs of independent models by problem and model."""
    return {
        (task["problem_id"], model): program(
            dict(zip(NAMES, task["numbers"], strict=True)), STEPS[rng.randrange(3) + 3 * (rng.random() > accuracy)]
        )
        for task in tasks
        for model, accuracy in accuracies.items()
    }


def judged(tasks: list[dict[str, Any]], given: dict[tuple[str, str], Sketch]) -> dict[str, float | None]:
    """Return `p_right` of each problem by the programs of its models."""
    return probabilities(
        tasks,
        [
            {"problem_id": name, "model": model, "response": own.code(), "dialect": "parametric"}
            for (name, model), own in given.items()
        ],
    )


@pytest.mark.parametrize(
    ("count", "seed"),
    [(12, 0), pytest.param(40, 1, marks=pytest.mark.slow), pytest.param(40, 2, marks=pytest.mark.slow)],
)
def test_edits_change_no_probability(count: int, seed: int) -> None:
    """Another name, order, spelling of numbers, comment, dead step or unused input in any program changes no probability."""
    rng = Random(f"edits {seed}")
    tasks = problems(count, rng)
    given = programs(tasks, {"a": 0.7, "b": 0.8, "c": 0.9}, rng)
    after = {key: keeping_edits(own, rng) for key, own in given.items()}
    assert judged(tasks, after) == pytest.approx(judged(tasks, given), abs=1e-4)


def test_programs_of_another_model_add_no_witness() -> None:
    """Two models that hand in a third one's programs, edited, make no answer surer than the doubt which of them is the writer does."""
    rng = Random("copies")
    tasks = problems(24, rng)
    given = programs(tasks, {"a": 0.7, "b": 0.8, "c": 0.9}, rng)
    before = judged(tasks, given)
    given |= {
        (name, copy): keeping_edits(own, rng) for (name, model), own in given.items() if model == "c" for copy in "0z"
    }
    after = judged(tasks, given)
    raised = {name: (before[name], after[name]) for name in before if (after[name] or 0) > (before[name] or 0) + 0.01}
    assert raised == {}
