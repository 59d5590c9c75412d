"""A model that hands in another one's programs, renamed and edited, or a bare answer, changes no probability of a judged run."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from oracle_factory import judge

if TYPE_CHECKING:
    from collections.abc import Iterator

RIGHT = "whole = bags * apples\n    gone = eaten + sold\n    return whole - gone"
WRONG = (
    "whole = bags * apples\n    return whole - eaten",
    "whole = bags + apples\n    gone = eaten + sold\n    return whole + gone",
    "gone = eaten * sold\n    return bags * apples + gone",
)
NAMES = ("bags", "apples", "eaten", "sold")


def problems(count: int, rng: Random) -> list[dict[str, Any]]:
    """Return problems without a gold answer, with the numbers of each."""
    numbers = [[rng.randrange(11, 99) for _ in NAMES] for _ in range(count)]
    return [
        {
            "problem_id": f"p{place:03}",
            "question": f"Tom fills {own[0]} bags with {own[1]} apples each. He eats {own[2]} and sells {own[3]}. How many are left?",
            "numbers": own,
        }
        for place, own in enumerate(numbers)
    ]


def program(numbers: list[int], body: str) -> str:
    """Return a program of the four inputs."""
    inputs = ", ".join(f"{name}: int = {number}" for name, number in zip(NAMES, numbers, strict=True))
    return f"def solve({inputs}):\n    {body}"


def edited(text: str, rng: Random) -> str:
    """Return a program with other names, another order of inputs, other comments and operations without effect."""
    header, *lines = text.splitlines()
    inputs = header.removeprefix("def solve(").removesuffix("):").split(", ")
    rng.shuffle(inputs)
    if len(lines) == 3 and rng.random() < 0.5:
        lines[:2] = lines[1::-1]
    lines[-1] += rng.choice([" + 0", " * 1", " - 0", ""])
    lines[0] += f"  # step {rng.randrange(99)}"
    text = "\n".join([f"def solve({', '.join(inputs)}):", *lines])
    for name in (*NAMES, "whole", "gone"):
        text = re.sub(rf"\b{name}\b", f"{name}_{rng.randrange(9)}", text)
    return text


def answers(tasks: list[dict[str, Any]], accuracies: dict[str, float], rng: Random) -> Iterator[dict[str, str]]:
    """Yield the answers of independent models."""
    for task in tasks:
        for model, accuracy in accuracies.items():
            body = RIGHT if rng.random() < accuracy else rng.choice(WRONG)
            yield {
                "problem_id": task["problem_id"],
                "model": model,
                "response": program(task["numbers"], body),
                "dialect": "parametric",
            }


def probabilities(tasks: list[dict[str, Any]], given: list[dict[str, str]]) -> dict[str, float | None]:
    """Return `p_right` of each problem."""
    records = [{"problem_id": task["problem_id"], "question": task["question"]} for task in tasks]
    run = judge(records, given, processes=1)
    return {task["problem_id"]: run[task["problem_id"]].consensus.p_right for task in tasks}


def check(count: int, seed: int) -> None:
    """Fail if two edited copies of a model and one that states its values change a probability."""
    rng = Random(f"copies {seed}")
    tasks = problems(count, rng)
    given = list(answers(tasks, {"a": 0.7, "b": 0.8, "c": 0.9}, rng))
    before = probabilities(tasks, given)
    copied = rng.choice("abc")
    for own in [own for own in given if own["model"] == copied]:
        given += [{**own, "model": f"{name}copy", "response": edited(own["response"], rng)} for name in "0z"]
        numbers = next(task["numbers"] for task in tasks if task["problem_id"] == own["problem_id"])
        whole, gone = numbers[0] * numbers[1], numbers[2] + numbers[3]
        given.append({**own, "model": "stated", "response": program(numbers, f"return {whole - gone}")})
    assert probabilities(tasks, given) == pytest.approx(before, abs=1e-4)


def test_edited_copies_change_no_probability() -> None:
    """Renamed, reordered, commented, with `+ 0`, or with no computation at all: what a copy says was said before."""
    check(12, 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 6))
def test_edited_copies_change_no_probability_of_longer_runs(seed: int) -> None:
    """The same on 60 problems."""
    check(60, seed)
