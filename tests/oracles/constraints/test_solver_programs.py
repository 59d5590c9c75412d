"""Tests of programs that the solvers read and the reader does not: both solvers decide, and the reader explains."""

from __future__ import annotations

import pytest

from oracles.constraints.program_judge import ProgramJudge
from oracles.constraints.validation import ValidationCase, validate_all
from tests.cases import cases

HEAD = "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const answer Int)\n"


@pytest.fixture(scope="module")
def judge() -> ProgramJudge:
    """Return a judge of this process."""
    return ProgramJudge.within(10_000_000)


@cases(
    ("text", "gold", "satisfiable"),
    [
        ("(declare-const answer (_ BitVec 8))(assert (= (bvadd answer #x01) #x03))(check-sat)", "2", True),
        (
            "(declare-const a (Array Int Int))(declare-const answer Int)(assert (= answer (select (store a 1 5) 1)))",
            "5",
            True,
        ),
        (
            '(declare-const s String)(declare-const answer Int)(assert (= s "abc"))(assert (= answer (str.len s)))',
            "3",
            True,
        ),
        (
            '(declare-const answer String)(assert (= answer (str.++ "a" "b")))(check-sat)(get-value (answer))',
            "ab",
            True,
        ),
        (HEAD + "(assert (= answer 4))(push 1)(assert (> x x))(check-sat)(pop 1)(check-sat)", "4", True),
        (HEAD + "(assert (= answer 4))(push 1)(assert (> x x))(check-sat)", "4", False),
        (
            "(declare-const p Bool)(declare-const answer Int)(assert (=> p (= answer 4)))(check-sat-assuming (p))",
            "4",
            True,
        ),
        (
            "(define-fun-rec f ((n Int)) Int (ite (<= n 0) 1 (* n (f (- n 1)))))(declare-const answer Int)(assert (= answer (f 3)))",
            "6",
            True,
        ),
        (HEAD + "(assert (= answer 4))", "4", True),
        (HEAD + '(assert (= answer 4))(echo "unsat")(check-sat)(get-info :version)(exit)', "4", True),
    ],
)
def test_solvers_decide_what_the_reader_does_not_know(
    judge: ProgramJudge, text: str, gold: str, satisfiable: bool
) -> None:
    """Other theories, assumptions, scopes and recursion are judged by both solvers, and a note says what the reader lacks."""
    found = judge.judge(ValidationCase("a", text, gold))
    assert (found.valid, found.error, found.satisfiable, found.correct) == (True, "", satisfiable, satisfiable)
    assert found.note.startswith("for the solvers alone: line")


@cases(
    ("text", "kind"),
    [
        (HEAD + "(assert (> y 1))(check-sat)", "undeclared"),
        (HEAD + "(assert (> x true))(check-sat)", "wrong-sort"),
        ("(declare-const x (_ BitVec 8))(assert (= (bvadd x #b1) x))(check-sat)", "unsupported"),
        (HEAD + "(assert (= x 1))(pop 1)(check-sat)", "refused-command"),
    ],
)
def test_the_reader_explains_what_solvers_refuse(judge: ProgramJudge, text: str, kind: str) -> None:
    """What a solver does not take is invalid, with the reader's fault as the reason and both solvers' words beside it."""
    found = judge.judge(ValidationCase("a", text, "4"))
    assert not found.valid
    assert found.error.partition(":")[0] == kind
    assert len(found.by_solver) == 2


def test_half_a_character_is_a_fault() -> None:
    """A lone surrogate ends no process, wherever it stands."""
    texts = [
        f"(declare-const {name} Int)(assert (> {name} 1))(check-sat)" for name in ("x\ud800", "|\udfff|", "x ;\ud800\n")
    ]
    for found in validate_all((ValidationCase("a", text) for text in texts), workers=1):
        assert found.error.partition(":")[0] in {"stray-text", "odd-atom"}
