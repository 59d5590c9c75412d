"""Tests of program breakage: each kind breaks the program, is deterministic and does what its examples say."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from generators.constraints.breakage.breakage import WAYS, BreakingWay, break_program
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.script import read_script
from tests.harness.smtlib.random_scripts import draw_program, refusals

EACH = pytest.mark.parametrize("way", list(WAYS), ids=[way.name for way in WAYS])


@EACH
def test_ways_do_what_their_examples_say(way: BreakingWay) -> None:
    """A way of breaking turns each of its examples into the stated broken program."""
    assert way.examples
    for example in way.examples:
        assert way.apply(example.before, Random(example.seed)) == example.after


@EACH
def test_what_is_broken_is_refused(way: BreakingWay) -> None:
    """z3 or cvc5, reading as the standard says, refuses it, or it asks nothing; our reader finds a fault, too."""
    checked = 0
    for seed in range(40):
        program = draw_program(Random(f"broken:{seed}")).program
        text = way.apply(program, Random(seed))
        if text is None:
            continue
        checked += 1
        faults = read_script(text).faults
        assert faults
        assert refusals(text, strict=True) or {fault.kind for fault in faults} == {ScriptFaultKind.NO_CHECK}, text
        if checked == 8:
            break
    assert checked


@given(st.text(max_size=200), st.integers(0, 9))
@settings(max_examples=60)
def test_ways_take_any_text(text: str, seed: int) -> None:
    """A way breaks any text or leaves it, without raising."""
    for way in WAYS:
        found = way.apply(text, Random(seed))
        assert found is None or isinstance(found, str)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_programs_are_broken_in_so_many_ways(count: int) -> None:
    """Several ways at once are different ones, and the same seed gives the same."""
    program = draw_program(Random("many")).program
    for seed in map(str, range(20)):
        found = break_program(program, count, seed)
        assert found is not None
        assert len(set(found.ways)) == count
        assert found == break_program(program, count, seed)


def test_there_is_nothing_to_break_in_nothing() -> None:
    """Where too few ways apply there is no broken program."""
    assert break_program("", 3, "0") is None


def test_a_logic_that_fits_breaks_nothing() -> None:
    """Numerals are reals where there are no integers, so a program of truth values that counts fits two logics."""
    program = "(set-logic QF_LIA)\n(declare-const a Bool)\n(assert (>= (+ (ite a 5 0) 3) 6))\n(check-sat)\n"
    assert read_script(program.replace("QF_LIA", "QF_LRA")).valid
    texts = {WAYS.require("wrong_logic").apply(program, Random(seed)) for seed in range(50)}
    assert len(texts) > 1
    assert not any(text is None or read_script(text).valid for text in texts)
