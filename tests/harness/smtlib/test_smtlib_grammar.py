"""Tests of the SMT-LIB grammar: it accepts valid programs, and the reader and the solvers read what it accepts."""

import random
from functools import cache
from typing import Any

import pytest
from llguidance import LLMatcher, LLTokenizer

from harness.smtlib.grammar import CHECK, KEPT, GrammarWords, clause_grammar, opened_enumeration
from harness.smtlib.script import read_script
from oracles.constraints.validation import ValidationCase, validate_all
from tests.cases import cases, rows

BYTES = LLTokenizer("byte")
LONGEST_WALK = 1_000
HEAD = "(set-logic ALL)\n"
WORDS = GrammarWords(("ann", "item", "or", "red_item"), ("Red", "Blue", "Int"), ("1", "2", "3", "4", "2.5"))
PROGRAM = """(declare-const ann Int)
(declare-const item Int)
(declare-const answer Int)
(assert (distinct ann item 3))
(assert (=> (< ann item) (= (- ann 1 item) (* 2 item))))
(assert (= answer (ite (= ann 1) 4 (- ann))))
(check-sat)"""
COLOURS = """(declare-datatypes ((Colour 0)) (((Red) (Blue))))
(declare-const answer Colour)
(assert (= answer Red))
(check-sat)"""


def matcher(grammar: str) -> Any:
    """Return a matcher of bytes."""
    made = LLMatcher(BYTES, grammar, log_level=0)
    assert not made.is_error(), made.get_error()
    return made


@cache
def after(begun: str) -> str:
    """Return the grammar after some declarations."""
    return LLMatcher.grammar_from_lark(clause_grammar(HEAD, begun, CHECK, WORDS, last=True))


def begun_by(text: str) -> str:
    """Return the declarations that a text begins with, and an enumeration up to a value after them."""
    begun = ""
    for line in text.splitlines(keepends=True):
        if not (line.startswith("(declare-") and line.endswith("\n")):
            return begun + opened_enumeration(line)
        begun += line
    return begun


def held_to_the_end(program: str) -> bool:
    """Tell whether a program can be written letter by letter under the grammars that its declarations give."""
    begun, state = "", matcher(after(""))
    for place, byte in enumerate(program.encode(), start=1):
        if not state.try_consume_tokens([byte]):
            return False
        if begun_by(program[:place]) != begun:
            begun = begun_by(program[:place])
            state = matcher(after(begun))
            if state.try_consume_tokens(list(program[:place].encode())) < place:
                return False
    return bool(state.is_accepting())


def walk(seed: str) -> str:
    """Return a text that chance writes under a grammar, each next byte one that is allowed; endings are preferred."""
    draw, text, begun = random.Random(seed), "", ""
    state = matcher(after(""))
    while len(text) < LONGEST_WALK and not state.is_stopped():
        bits = state.compute_bitmask()
        allowed = [byte for byte in range(128) if bits[byte // 8] >> byte % 8 & 1]
        if not allowed:
            break
        ends = [byte for byte in allowed if chr(byte) in ")\n 0123456789"]
        text += chr(draw.choice(ends if ends and draw.random() < 0.75 else allowed))
        state.consume_token(ord(text[-1]))
        if begun_by(text) != begun:
            begun = begun_by(text)
            state = matcher(after(begun))
            state.consume_tokens(list(text.encode()))
    return text if CHECK in text else "\n".join([*text.split("\n")[:-1], CHECK])


@cases(
    ("program", "before", "after"),
    [
        (PROGRAM, "(declare-const item Int)\n", ""),
        (PROGRAM, "(check-sat)", '(echo "x")\n(check-sat)'),
        *(
            (PROGRAM, *change)
            for change in rows("""(< ann item) → (< ann items) | (< ann item) → (+ ann item) | (< ann item) → (< ann true)
(distinct ann item 3) → (distinct ann) | (distinct ann item 3) → (ann item)
(distinct ann item 3) → (distinct ann item 5) | (assert (distinct ann item 3)) → (assert ann)
(assert (distinct ann item 3)) → (assert true) | (declare-const item Int) → (declare-const ann Int)
(declare-const item Int) → (declare-const or Int) | (declare-const item Int) → (declare-const other Int)
(declare-const item Int) → (declare-const item Real) | (check-sat) → (exit) | (* 2 item) → (* ann item)
item 3)) → item 3)""")
        ),
        *(
            (COLOURS, *change)
            for change in rows(
                """(Blue) → (Red) | (Blue) → (Green) | (Blue) → (Int) | answer Red → answer 3 | answer Colour → answer Color"""
            )
        ),
    ],
)
def test_what_a_declared_program_may_not_say(program: str, before: str, after: str) -> None:
    """The grammar after declarations refuses a program with a fault of any kind, or with words of its own, and accepts it without."""
    assert before in program
    assert held_to_the_end(program)
    assert not held_to_the_end(program.replace(before, after, 1))


@pytest.mark.parametrize("walks", [8, pytest.param(40, marks=pytest.mark.slow)])
def test_held_walks_are_valid_for_both_solvers(walks: int) -> None:
    """What chance writes under the grammars of what is declared is read by the reader without a fault, and by z3 and cvc5."""
    texts = [HEAD + text for seed in range(walks) if "(assert " in (text := walk(f"held:{seed}"))]
    assert len(texts) > walks / 4
    assert [text for text in texts if read_script(text).faults] == []
    found = list(validate_all(ValidationCase(text, text) for text in texts))
    assert [(validation.id, validation.error) for validation in found if validation.valid is False] == []


@pytest.mark.slow
def test_kept_words_cannot_be_declared() -> None:
    """Each is refused by a solver or the reader as a constant or as a sort."""
    constant = "(set-logic ALL)\n(declare-const {0} Int)\n(assert (= {0} 1))\n(check-sat)\n"
    sort = "(set-logic ALL)\n(declare-datatypes (({0} 0)) (((red))))\n(declare-const x {0})\n(assert (= x red))\n(check-sat)\n"
    words = sorted(KEPT)
    for text in (constant, sort):
        found = validate_all(ValidationCase(word, text.format(word)) for word in words)
        words = [validation.id for validation in found if validation.valid and not validation.note]
    assert words == []
