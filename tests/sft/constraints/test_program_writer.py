"""Tests of the program writer: what is held to the grammar is a program, the clauses are the problem's, and a batch ends with its time."""

import itertools

import pytest
from hypothesis import given, strategies as st

from harness.smtlib.s_expressions import Atom, AtomKind, walk
from harness.smtlib.script import read_script
from oracles.constraints.validation import ValidationCase, validate_all
from sft.constraints.output_forms import CLAUSE_BY_CLAUSE, WRITE, OutputForm, chat_turns, clause_texts
from sft.constraints.program_writer import ProgramWriter, grammar_words, is_complete, program_in
from tests.cases import cases
from tests.sft.constraints.fakes import tiny_model, tiny_problem

PROGRAM = tiny_problem(0).program.strip()
UNASKED = PROGRAM.removesuffix("\n(get-value (answer))")
CHATS = [chat_turns(WRITE, tiny_problem(number).problem) for number in range(6)]
CLAUSES = [chat_turns(CLAUSE_BY_CLAUSE, " ".join([tiny_problem(0).problem] * count)) for count in (1, 2)]


@pytest.mark.parametrize(
    ("form", "most"),
    [
        (OutputForm.CLAUSES, 6),
        pytest.param(OutputForm.CLAUSES, 24, marks=pytest.mark.slow),
        pytest.param(OutputForm.PROGRAM, 60, marks=pytest.mark.slow),
    ],
)
def test_what_is_held_to_the_grammar_solvers_read(form: OutputForm, most: int) -> None:
    """Drawn from a model that has learnt nothing: both solvers read it, its names and numerals are the problem's, each time the same."""
    writer = ProgramWriter(tiny_model(), form, batch=2, most=most, held=True, seed=2)
    chats = CLAUSES if form is OutputForm.CLAUSES else CHATS[:2]
    (programs,) = writer.write(chats)
    assert [programs == again for again in writer.write(chats)] == [True]
    for number, written in programs.items():
        problem, script = chats[number][-1]["content"], read_script(written.program)
        words = grammar_words(problem)
        atoms = [atom for node in script.assertions for atom in walk(node) if isinstance(atom, Atom)]
        assert {atom.text for atom in atoms if atom.kind is AtomKind.NUMERAL} <= {*words.numerals}
        assert {declaration.name for declaration in script.declarations} <= {*words.names, "answer"}
        given_lines = [line[2:] for line in written.text.splitlines() if line.startswith("; ")]
        assert given_lines == (list(clause_texts(problem)) if form is OutputForm.CLAUSES else [])
        if script.assertions:
            assert script.faults == ()
            assert next(validate_all([ValidationCase("a", written.program)], workers=1)).error == ""


def test_a_batch_that_is_known_is_passed_over() -> None:
    """A run that goes on writes the others, in the same batches."""
    writer = ProgramWriter(tiny_model(), batch=3, most=4)
    order = [set(batch) for batch in writer.write(CHATS)]
    assert [set(batch) for batch in writer.write(CHATS, lambda number: number in order[0])] == order[1:]


@pytest.mark.parametrize(
    ("form", "held", "seed"),
    [
        (OutputForm.CLAUSES, False, None),
        pytest.param(OutputForm.CLAUSES, True, 3, marks=pytest.mark.slow),
        (OutputForm.PROGRAM, False, None),
        pytest.param(OutputForm.PROGRAM, True, 3, marks=pytest.mark.slow),
    ],
)
def test_writing_ends_with_the_time(form: OutputForm, held: bool, seed: int | None) -> None:
    """At the token at which the time is over, with the programs that are complete, each as it is without an end."""
    chats = CLAUSES if form is OutputForm.CLAUSES else CHATS[:2]
    writer = ProgramWriter(tiny_model(), form, batch=2, most=6, held=held, seed=seed)
    whole: list[None] = []
    (programs,) = writer.write(chats, goes_on=lambda: whole.append(None) or True)  # type: ignore[func-returns-value]  # it counts the tokens
    counts = set()
    for yes in (0, len(whole) // 4, len(whole) * 3 // 5, len(whole) - 2):
        tokens = itertools.count(1)
        (batch,) = writer.write(chats, goes_on=lambda: next(tokens) <= yes)  # noqa: B023  # used within the loop
        assert next(tokens) == yes + 2
        assert all(programs[number] == program for number, program in batch.items())
        counts.add(len(batch))
    assert 0 in counts


@cases(
    "text",
    [
        PROGRAM,
        f"Sure! Here it is:\n```smt2\n{PROGRAM}\n```\nIt says that\n(assert false)",
        f"Here is the program: {PROGRAM}\nAnd (more) of it",
        f"```\n{PROGRAM}",
        f"~~~smt2\n{PROGRAM}\n~~~\n(assert false)",
        f"<think>\n```\n(assert false)\n```\n</think>\n{PROGRAM}",
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
    """No beginning of it is taken for the end; the whole is, and so is whatever else stands after `(check-sat)`."""
    assert is_complete(PROGRAM[:place]) is (place == len(PROGRAM))
    assert is_complete(f"{UNASKED}\nSo") is True
    assert is_complete(f"{UNASKED}\n") is False
