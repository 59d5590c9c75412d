"""Tests of the line reader on correct solutions: it reads their equations and calls almost none of them false."""

import json
import re
from pathlib import Path

import pytest

from harness.equations.equation import Truth
from harness.equations.line_reader import read_line

# Three false equations in the first 1,500 solutions of GSM8K train: ten times too little, another line's price, a lost digit.
MOST_SLIPS = 9


def test_few_equations_of_right_solutions_are_called_false(shared_data: Path) -> None:
    """Only the known slips of its authors are called false, and in the annotations none."""
    lines = [
        line
        for solution in (shared_data / "gsm8k/train.jsonl").read_text(encoding="utf-8").splitlines()[:1_500]
        for line in json.loads(solution)["answer"].split("\n")
    ]
    found = [(line, equation) for line in lines for equation in read_line(line).equations]
    false = {line[equation.start : equation.end] for line, equation in found if equation.truth is Truth.FALSE}
    annotated = [equation for _, equation in found if equation.annotation]
    assert len(false) <= MOST_SLIPS
    # Three such as `<<+11=11>>` compute nothing.
    assert len(annotated) == sum(line.count("<<") for line in lines) - 3
    assert all(equation.truth is Truth.TRUE for equation in annotated)


@pytest.mark.slow
def test_a_planted_error_in_a_real_line_is_found(shared_data: Path) -> None:
    """One added to the result of an annotation that the prose repeats makes it false, wherever it stood."""
    solutions = (shared_data / "gsm8k/train.jsonl").read_text(encoding="utf-8").splitlines()[1_500:2_000]
    missed = total = 0
    for line in (line for text in solutions for line in json.loads(text)["answer"].split("\n")):
        noted = re.search(r"<<[^<>]*=(\d+)>>\1(?![\d.,])", line)
        if noted is None or line.count("<<") != 1:
            continue
        total += 1
        flawed = noted[0].replace(f"={noted[1]}>>{noted[1]}", f"={int(noted[1]) + 1}>>{int(noted[1]) + 1}")
        missed += not any(equation.annotation for equation in read_line(line.replace(noted[0], flawed)).false)
    assert total > 1_000
    assert missed <= total * 0.02
