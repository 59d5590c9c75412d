"""Tests that no float is made on the way from a program to its answer."""

import sys
from types import FrameType

from tests.harness.program.differential.comparison import our_answer
from tests.harness.program.differential.generated_programs import generated_program

PROGRAMS = 300


def holds_float(value: object) -> bool:
    """Tell whether a value is a float, or a sequence that holds one."""
    if isinstance(value, list | tuple | set):
        return any(isinstance(item, float) for item in value)
    return isinstance(value, float)


def floats_made(code: str) -> list[str]:
    """Return the functions of the evaluator that return a float, or hold one in a variable, while a program runs."""
    seen: list[str] = []

    def watch(frame: FrameType, event: str, result: object) -> None:
        if event != "return" or "harness/program/evaluation" not in frame.f_code.co_filename:
            return
        if holds_float(result) or any(map(holds_float, frame.f_locals.values())):
            seen.append(f"{frame.f_code.co_name}, line {frame.f_lineno}")

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        our_answer(code)
    finally:
        sys.setprofile(before)
    return seen


def test_no_function_of_the_evaluator_gives_a_float() -> None:
    """On generated programs no function of the evaluator returns a float or keeps one in a variable."""
    codes = [generated_program(7_000_000 + place).code for place in range(PROGRAMS)]
    assert {code: makers for code in codes if (makers := floats_made(code))} == {}
