"""Tests of the SMT-LIB grammar: it accepts valid programs, and the reader and the solvers read what it accepts."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from llguidance import LLMatcher, LLTokenizer
from llguidance.gbnf_to_lark import gbnf_to_lark

from generators.constraints.problem.domain import DOMAINS, ProblemSize
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.grammar import CHECK, KEPT, LOGICS, declared_prefix, grammar_after, open_grammar
from harness.smtlib.grammar_notation import GrammarNotation
from harness.smtlib.script import read_script
from oracle_factory.command import main
from oracles.constraints.validation import ValidationCase, validate_all
from tests.cases import cases

BYTES = LLTokenizer("byte")
LONGEST_WALK = 1_000
PROGRAM = """(set-logic QF_LIA)
(declare-const ann Int)
(declare-const item Int)
(declare-const answer Int)
(assert (distinct ann item 3))
(assert (=> (< ann item) (= (- ann 1 item) (* 2 item))))
(assert (= answer (ite (= ann 1) 4 (- ann))))
(check-sat)
(get-value (answer))
"""
ALLOWED = {
    ScriptFaultKind.UNDECLARED,
    ScriptFaultKind.UNKNOWN_SORT,
    ScriptFaultKind.WRONG_SORT,
    ScriptFaultKind.WRONG_ARITY,
    ScriptFaultKind.DUPLICATE,
}
"""What may be wrong with a program of the open grammar: its names."""


@cache
def lark(commands: str | None = None, notation: GrammarNotation = GrammarNotation.LARK) -> str:
    """Return a grammar of llguidance: the open one, or the one after some commands, in either notation."""
    text = open_grammar(notation) if commands is None else grammar_after(commands, notation)
    return LLMatcher.grammar_from_lark(text if notation is GrammarNotation.LARK else gbnf_to_lark(text))


def matcher(grammar: str) -> Any:
    """Return a matcher of bytes."""
    made = LLMatcher(BYTES, grammar, log_level=0)
    assert not made.is_error(), made.get_error()
    return made


def accepts(grammar: str, text: str) -> bool:
    """Tell whether a grammar accepts a text."""
    data, state = list(text.encode()), matcher(grammar)
    return state.try_consume_tokens(data) == len(data) and state.is_accepting()


def declared(program: str) -> str:
    """Return the lines of a program before its first assertion."""
    lines = program.split("\n")
    return "\n".join(lines[: next(place for place, line in enumerate(lines) if line.startswith("(assert"))])


def walk(seed: str, *, held: bool) -> str:
    """Return a text that chance writes under a grammar, each next byte one that is allowed; endings are preferred."""
    draw, text = random.Random(seed), "(set-logic "
    state = matcher(lark("" if held else None))
    state.consume_tokens(list(text.encode()))
    begun = ""
    while len(text) < LONGEST_WALK and not state.is_stopped():
        allowed = [byte for byte in allowed_bytes(state) if byte < 128]
        if not allowed:
            break
        ends = [byte for byte in allowed if chr(byte) in ")\n 0123456789"]
        text += chr(draw.choice(ends if ends and draw.random() < 0.75 else allowed))
        state.consume_token(ord(text[-1]))
        if held and declared_prefix(text) != begun:
            begun = declared_prefix(text)
            state = matcher(LLMatcher.grammar_from_lark(grammar_after(begun, GrammarNotation.LARK)))
            state.consume_tokens(list(text.encode()))
    return text


def allowed_bytes(state: Any) -> list[int]:
    """Return the bytes that may follow."""
    bits = state.compute_bitmask()
    return [byte for byte in range(256) if bits[byte // 8] >> byte % 8 & 1]


def complete(text: str) -> str:
    """Return a text without its last, unfinished line, checked."""
    return text if CHECK in text else "\n".join([*text.split("\n")[:-1], CHECK])


@pytest.mark.slow
@pytest.mark.parametrize("notation", [GrammarNotation.LARK, pytest.param(GrammarNotation.GBNF, marks=pytest.mark.slow)])
def test_every_domain_program_is_accepted(notation: GrammarNotation) -> None:
    """The grammar accepts the program of every domain and size."""
    grammar = lark(None, notation)
    programs = [
        problem.program
        for domain in DOMAINS
        for size in ProblemSize
        for problem in domain.problems(4, seed=3, size=size)
    ]
    assert [program for program in programs if not accepts(grammar, program)] == []


def test_every_domain_program_goes_on_from_its_declarations() -> None:
    """Every domain's program is accepted by the grammar of its own declarations."""
    programs = [
        problem.program
        for domain in DOMAINS
        for size in ProblemSize
        for problem in domain.problems(3, seed=4, size=size)
    ]
    assert [program for program in programs if not accepts(lark(declared(program)), program)] == []


@cases(
    ("before", "after"),
    [
        ("(declare-const item Int)\n", ""),
        ("(< ann item)", "(< ann items)"),
        ("(< ann item)", "(+ ann item)"),
        ("(< ann item)", "(< ann true)"),
        ("(distinct ann item 3)", "(distinct ann)"),
        ("(distinct ann item 3)", "(ann item)"),
        ("(assert (distinct ann item 3))", "(assert ann)"),
        ("(assert (distinct ann item 3))", "(assert true)"),
        ("(declare-const item Int)", "(declare-const ann Int)"),
        ("(declare-const item Int)", "(declare-const and Int)"),
        ("(declare-const item Int)", "(declare-const item Real)"),
        ("(check-sat)\n", "(exit)\n"),
        ("(check-sat)\n", '(echo "x")\n(check-sat)\n'),
        ("(* 2 item)", "(* ann item)"),
        ("item 3))", "item 3)"),
    ],
)
def test_what_a_declared_program_may_not_say(before: str, after: str) -> None:
    """The grammar after the declarations refuses a program with a fault of any kind, and accepts it without."""
    assert before in PROGRAM
    changed = PROGRAM.replace(before, after, 1)
    assert held_to_the_end(PROGRAM)
    assert not held_to_the_end(changed)


def held_to_the_end(program: str) -> bool:
    """Tell whether a program can be written letter by letter under the grammars that what is settled gives."""
    begun, state = "", matcher(lark(""))
    for place, byte in enumerate(program.encode(), start=1):
        if not state.try_consume_tokens([byte]):
            return False
        if declared_prefix(program[:place]) != begun:
            begun = declared_prefix(program[:place])
            state = matcher(lark(begun))
            if state.try_consume_tokens(list(program[:place].encode())) < place:
                return False
    return bool(state.is_accepting())


COLOURS = "(set-logic QF_UFDTLIA)\n(declare-datatypes ((Colour 0)) (((red) (blue))))\n(declare-const answer Colour)\n(assert (= answer red))\n(check-sat)\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(blue)", "(red)"),
        ("(declare-const answer", "(declare-const blue"),
        ("answer red", "answer 3"),
        ("answer Colour", "answer Color"),
    ],
)
def test_what_an_enumeration_may_not_say(before: str, after: str) -> None:
    """Its values differ from one another and from whatever else is declared."""
    assert held_to_the_end(COLOURS)
    assert not held_to_the_end(COLOURS.replace(before, after, 1))


def test_every_domain_program_can_be_written_letter_by_letter() -> None:
    """Of each domain, under the grammars that go on from what is settled."""
    programs = [problem.program for domain in DOMAINS for problem in domain.problems(3, seed=6, size=ProblemSize.SMALL)]
    assert [program for program in programs if not held_to_the_end(program)] == []


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_open_walks_parse_up_to_names(seed: int) -> None:
    """What chance writes under the open grammar has no fault but names: undeclared, declared twice, or of another sort."""
    text = complete(walk(f"open:{seed}", held=False))
    faults = read_script(text).faults
    if "(assert " in text:
        assert {fault.kind for fault in faults} <= ALLOWED | {ScriptFaultKind.NARROW_LOGIC}, (text, faults)


@pytest.mark.slow
@pytest.mark.parametrize("walks", [12, pytest.param(40, marks=pytest.mark.slow)])
def test_held_walks_are_valid_for_both_solvers(walks: int) -> None:
    """What chance writes under the grammars of what is declared is read by the reader without a fault, and by z3 and cvc5."""
    texts = [complete(walk(f"held:{seed}", held=True)) for seed in range(walks)]
    texts = [text for text in texts if "(assert " in text]
    assert len(texts) > walks / 4
    assert [(text, read_script(text).faults) for text in texts if read_script(text).faults] == []
    found = validate_all(ValidationCase(str(number), text) for number, text in enumerate(texts))
    wrong = [
        (texts[int(validation.id)], validation.error)
        for validation in found
        if not validation.valid and not validation.error.startswith("time")
    ]
    assert wrong == []


@pytest.mark.slow
def test_both_notations_accept_the_same() -> None:
    """Names and walks, kept words and their neighbours among them, are accepted by both or by neither."""
    names = ["and", "an", "andy", "_", "__", "bv", "bvadd", "bvaddy", "Int", "Inte", "x1", "A"]
    programs = [PROGRAM.replace("ann", name) for name in names]
    programs += [complete(walk(f"both:{seed}", held=False)) for seed in range(20)]
    told = [(accepts(lark(), program), accepts(lark(None, GrammarNotation.GBNF), program)) for program in programs]
    assert [program for program, (left, right) in zip(programs, told, strict=True) if left is not right] == []
    assert {left for left, _ in told} == {True, False}


@cases("logic", LOGICS)
def test_each_logic_is_known_to_both_solvers(logic: str) -> None:
    """A program that sets any of the logics is valid for both solvers."""
    text = f"(set-logic {logic})\n(declare-const a Bool)\n(assert (not a))\n(check-sat)\n"
    assert read_script(text).faults == ()
    assert accepts(lark(), text)


@pytest.mark.slow
def test_kept_words_cannot_be_declared() -> None:
    """Each is refused by a solver or the reader as a constant or as a sort; no other word of English that we try is kept."""
    texts = {
        word: f"(set-logic ALL)\n(declare-const {word} Int)\n(assert (= {word} 1))\n(check-sat)\n"
        for word in sorted(KEPT)
    }
    found = {
        validation.id: validation.valid and not validation.note
        for validation in validate_all(ValidationCase(word, text) for word, text in texts.items())
    }
    sorts = {
        word: f"(set-logic ALL)\n(declare-datatypes (({word} 0)) (((red) (blue))))\n(declare-const x {word})\n(assert (= x red))\n(check-sat)\n"
        for word, valid in found.items()
        if valid
    }
    left = [
        validation.id
        for validation in validate_all(ValidationCase(word, text) for word, text in sorts.items())
        if validation.valid
    ]
    assert left == []


def test_the_command_prints_the_grammar(capsys: pytest.CaptureFixture[str]) -> None:
    """`oracle-factory smt grammar` prints it in either notation."""
    for notation in GrammarNotation:
        assert main(["smt", "grammar", "--notation", notation]) == 0
        assert capsys.readouterr().out == open_grammar(notation)


def test_schema_free_text_is_refused() -> None:
    """Prose, fences and JSON are no programs."""
    for text in ("Sure! (check-sat)", f"```smt2\n{PROGRAM}```", json.dumps({"program": PROGRAM}), ""):
        assert not accepts(lark(), text)
