"""Tests of program breakage: each way breaks a program as its example says, deterministically, and takes any text."""

from random import Random

from hypothesis import given, settings, strategies as st

from generators.constraints.error_injection import WAYS, break_program, broken
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.script import read_script
from tests.cases import cases
from tests.harness.smtlib.random_scripts import draw_program, refusals


@cases("way", WAYS)
def test_what_is_broken_is_refused(way: str) -> None:
    """z3 or cvc5, reading as the standard says, refuses it, or it asks nothing; our reader finds a fault, too."""
    texts = (broken(draw_program(Random(f"broken:{seed}")), way, Random(seed)) for seed in range(20))
    found = [text for text in texts if text is not None][:8]
    assert found
    for text in found:
        faults = {fault.kind for fault in read_script(text).faults}
        assert faults
        assert refusals(text, strict=True) or faults == {ScriptFaultKind.NO_CHECK}, text


@given(st.text(max_size=200), st.integers(0, 9))
@settings(max_examples=60, deadline=None)
def test_ways_take_any_text(text: str, seed: int) -> None:
    """A way breaks any text or leaves it, without raising."""
    for way in WAYS:
        assert broken(text, way, Random(seed)) != text


@cases("count", [1, 2, 3])
def test_programs_are_broken_in_so_many_ways(count: int) -> None:
    """Several ways at once are different ones, the same seed gives the same, and nothing is broken in an empty text."""
    program = draw_program(Random("many"))
    for seed in map(str, range(20)):
        found = break_program(program, count, seed)
        assert found is not None
        assert len(set(found.ways)) == count
        assert found == break_program(program, count, seed)
    assert break_program("", 3, "0") is None
