"""Tests of the program writer: the program of a model's output is read, and grammar-constrained output is a program."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from harness.smtlib.script import read_script
from oracles.constraints.validation import ValidationCase, validate_all
from sft.constraints.grammar_processor import completed_program
from sft.constraints.program_writer import ProgramWriter, is_complete, program_in
from sft.constraints.prompts import WRITE, chat_turns
from sft.training.tiny_models import tiny_loaded
from tests.cases import cases
from tests.sft.constraints.fakes import tiny_problem

if TYPE_CHECKING:
    from sft.models.base_model import LoadedModel

PROGRAM = tiny_problem(0).program.strip()
UNASKED = PROGRAM.removesuffix("\n(get-value (answer))")
CHATS = [chat_turns(WRITE, tiny_problem(number).problem) for number in range(6)]


@cache
def model(seed: int) -> LoadedModel:
    """Return a small model that has learnt nothing."""
    return tiny_loaded("smollm2-135m", seed=seed)


def written(writer: ProgramWriter, count: int = len(CHATS)) -> list[str]:
    """Return the programs that a writer writes for some chats, in their order."""
    found = {number: written.program for batch in writer.write(CHATS[:count]) for number, written in batch.items()}
    return [found[number] for number in range(count)]


@pytest.mark.slow
def test_an_untrained_model_writes_what_solvers_read() -> None:
    """Held to the grammar, its programs, the likeliest and drawn ones, have no fault but that a cut one may lack an assertion."""
    writers = (
        ProgramWriter(model(1), batch=2, most=60, held=True).drawing(1),
        ProgramWriter(model(3), batch=2, most=80, held=True),
    )
    programs = [program for writer in writers for program in written(writer, 2)]
    asserting = [program for program in programs if "(assert " in program]
    assert asserting
    assert [(term, read_script(term).faults) for term in asserting if read_script(term).faults] == []
    found = validate_all([ValidationCase(str(number), program) for number, program in enumerate(asserting)], workers=1)
    assert [validation.error for validation in found if validation.error] == []


def test_on_its_own_it_does_not() -> None:
    """Without the grammar, what it writes is no program."""
    assert all(read_script(program).faults for program in written(ProgramWriter(model(0), batch=6, most=20)))


@pytest.mark.slow
def test_decoding_is_the_same_each_time() -> None:
    """Decoding gives the same tokens each time."""
    writer = ProgramWriter(model(1), batch=2, most=12, held=True)
    assert written(writer, 4) == written(writer, 4)


def test_a_batch_that_is_known_is_passed_over() -> None:
    """A run that goes on writes the others, in the same batches."""
    writer = ProgramWriter(model(1), batch=3, most=4)
    order = [set(batch) for batch in writer.write(CHATS)]
    left = [set(batch) for batch in writer.write(CHATS, lambda number: number in order[0])]
    assert left == order[1:]


@pytest.mark.slow
def test_drawing_is_the_same_each_time() -> None:
    """With one seed; with another, or greedily, a model that has learnt nothing writes something else."""
    writer = ProgramWriter(model(1), batch=2, most=60, held=True)
    first = written(writer.drawing(1), 2)
    assert first == written(writer.drawing(1), 2)
    assert first not in (written(writer.drawing(2), 2), written(writer, 2))


@cases(
    "text",
    [
        PROGRAM,
        f"Sure! Here it is:\n```smt2\n{PROGRAM}\n```\nIt says that\n(assert false)",
        f"Here is the program: {PROGRAM}\nAnd (more) of it",
        f"```\n{PROGRAM}",
        f"{PROGRAM}\n(assert false)\n(check-sat)",
        f"  {PROGRAM}  \n",
    ],
)
def test_a_program_is_found_in_prose(text: str) -> None:
    """In a fence or without one, and no further than its end."""
    assert program_in(text) == PROGRAM


@given(st.text(max_size=200))
def test_any_text_gives_some_program(text: str) -> None:
    """A part of the text, and reading it again changes nothing."""
    found = program_in(text)
    assert program_in(found) == found
    assert all(line in text for line in found.splitlines())


@given(st.integers(0, len(PROGRAM)))
def test_a_program_ends_where_nothing_of_it_can_follow(place: int) -> None:
    """No beginning of it is taken for the end; the whole is, and so is whatever else stands behind `(check-sat)`."""
    assert is_complete(PROGRAM[:place]) is (place == len(PROGRAM))
    assert is_complete(f"{UNASKED}\nSo") is True
    assert is_complete(f"{UNASKED}\n") is False


@given(st.integers(PROGRAM.index("\n(assert (= a") + 1, len(PROGRAM)))
def test_a_cut_program_is_finished(place: int) -> None:
    """From its first whole assertion on it has no fault; one that is checked stays as it is."""
    text = completed_program(PROGRAM[:place])
    assert not read_script(text).faults or PROGRAM[:place].endswith("(get-value (answer)"[: place - len(UNASKED) - 1])
    assert completed_program(UNASKED) == UNASKED
