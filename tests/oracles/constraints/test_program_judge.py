"""Tests of the judge of programs: both solvers decide what is claimed, and its report on any program is correct."""

from functools import partial
from pathlib import Path

import pytest

from harness.smtlib.solvers import SolverName, SolverSessions
from oracles.constraints.validation import ProgramJudge, ValidationCase, ValidationErrorKind
from tests.cases import cases, rows
from tests.oracles.constraints.programs import HEAD, Liar, program


@pytest.fixture(scope="module")
def judge() -> ProgramJudge:
    """Return a judge of this process."""
    return ProgramJudge(10_000_000)


@cases(
    "terms, gold, expected",
    [
        ("(= answer x)", None, "True False None"),
        *rows("""(= x 3)) (assert (= answer (+ x 1)) → 4 → True True True
(= x 3)) (assert (= answer (+ x 1)) → 5 → True True False
(> x 3)) (assert (= answer (+ x 1)) → 5 → True False False
(< 3 x 5)) (assert (= answer (- x)) → (- 4) → True True True
(< 3 x 5)) (assert (= answer (- x)) → -4 → True True True
(< 3 x 4)) (assert (= answer x) → 3 → False None False | (= x 1)) (assert (= answer x) → true → True True False
(= x 1)) (assert (= answer x) → 1.0 → True True True | (= x 1)) (assert (= answer x) → Ana → True True False"""),
    ],
)
def test_claims(judge: ProgramJudge, terms: str, gold: str | None, expected: str) -> None:
    """Satisfiable, unique and entailed are told apart, and a literal of another sort is never entailed."""
    found = judge.judge(ValidationCase("a", program(terms), gold))
    assert found.valid, found.error
    assert f"{found.satisfiable} {found.unique} {found.entails_gold}" == expected
    assert found.correct is (None if gold is None else expected.startswith("True") and expected.endswith("True"))


NAMED = "(declare-datatypes ((P 0)) (((Ana) (Ben))))(declare-const answer P)(assert (distinct answer Ana))(check-sat)"
TRUTH = "(declare-const p Bool)(declare-const answer Bool)(assert p)(assert (= answer (not p)))(check-sat)"
REAL = "(set-logic QF_LRA)(declare-const answer Real)(assert (= (* 2.0 answer) 5.0))(check-sat)"
BETWEEN = "(declare-const x Int)(assert (< x 0))(assert (> x {}))(check-sat)"


@cases(
    ("case", "correct"),
    [
        *((ValidationCase("a", NAMED, gold), right) for gold, right in (("Ben", True), ("ben", True), ("Ana", False))),
        (ValidationCase("a", TRUTH, "false"), True),
        *((ValidationCase("a", REAL, gold), True) for gold in ("2.5", "(/ 5 2)")),
        *((ValidationCase("a", BETWEEN.format("(- 2)"), None, known), known) for known in (True, False, None)),
        *((ValidationCase("a", BETWEEN.format(0), None, known), not known) for known in (True, False)),
        (ValidationCase("a", BETWEEN.format("(- 2)"), "1"), False),
    ],
)
def test_answers_of_any_sort_or_none(judge: ProgramJudge, case: ValidationCase, correct: bool | None) -> None:
    """Truth values, reals and named values are judged like numbers; without `answer` a program is right where it is satisfiable as it is said to be."""
    found = judge.judge(case)
    assert (found.valid, found.correct) == (True, correct), found


@cases(
    ("text", "kind"),
    [
        (HEAD + "(assert (> x 1)", "unclosed-parenthesis"),
        ('(set-option :diagnostic-output-channel "owned")' + program("(> x 1)"), "refused-command"),
        (HEAD + "(exit)(assert (> x 1))(check-sat)", "refused-command"),
        (HEAD + '(assert (> x 1))(include "/etc/passwd")(push 1)(check-sat)', "refused-command"),
        (HEAD + "(assert (> x 1))(reset)(assert (> y 1))(check-sat)", "refused-command"),
        (HEAD + "(push 100000000)(assert (= x 2))(check-sat)", "refused-command"),
        ("The answer is 4.", "stray-text"),
        ("", "empty"),
        (HEAD + f"(assert {'(not ' * 5_000}true{')' * 5_000})(check-sat)", "too-deep"),
        (program(f"(= x {'9' * 100_000})"), "long-numeral"),
        ("\x00\ud800(assert", "stray-text"),
        ("(declare-const x\ud800 Int)(assert (> x\ud800 1))(check-sat)", "odd-atom"),
        ("(declare-const |\udfff| Int)(assert (> |\udfff| 1))(check-sat)", "stray-text"),
        ("(declare-const x Int)(assert (> x 1)) ;\ud800\n(check-sat)", "stray-text"),
    ],
)
def test_what_no_solver_should_see(
    judge: ProgramJudge, text: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has an error that begins with its kind; no solver is asked, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    asked: list[str] = []
    found = ProgramJudge(judge.work, asked.append, judge.sessions).judge(ValidationCase("a", text, "4"))
    assert not found.valid
    assert found.error.partition(":")[0] == kind
    assert (found.correct, found.by_solver, asked) == (False, {}, ["reading"])
    assert list(tmp_path.iterdir()) == []


def test_core_and_model(judge: ProgramJudge) -> None:
    """A core holds assertions that clash and none that do not; a model gives each constant a value."""
    found = judge.judge(ValidationCase("a", program("(> x 7)", "(= answer 1)", "(< x 7)", "(distinct x 100)")))
    assert found.core == ("(> x 7)", "(< x 7)")
    assert judge.judge(ValidationCase("a", program("(= x 7)", "(= answer 1)"))).model == {"x": "7", "answer": "1"}


def test_one_error_does_not_change_the_next(judge: ProgramJudge) -> None:
    """What a program declared before its error is gone when the next one is judged."""
    for _ in range(3):
        judge.judge(ValidationCase("a", "(declare-const x Bool)(assert (> x 1))(check-sat)"))
        assert judge.judge(ValidationCase("b", program("(= x 2)", "(= answer x)"), "2")).correct is True


@pytest.mark.parametrize("said", ["unsat", "unknown", "error: no", "perhaps"])
def test_disagreement_is_loud(judge: ProgramJudge, said: str) -> None:
    """Where one solver says sat and the other unsat, the program is not valid, and the error names both; unknown is no contradiction."""
    sessions = {**judge.sessions, SolverName.CVC5: SolverSessions(partial(Liar, said), kept=True)}
    lying = ProgramJudge(1, sessions=sessions)
    found = lying.judge(ValidationCase("a", program("(= x 1)", "(= answer x)"), "1"))
    if said == "unknown":
        assert (found.valid, found.satisfiable, found.correct) == (True, True, True)
        return
    assert (found.valid, found.correct) == (False, False)
    assert found.error.startswith(ValidationErrorKind.DISAGREEMENT if said == "unsat" else ValidationErrorKind.SOLVER)
    assert "cvc5" in found.error


ARRAY = "(declare-const a (Array Int Int))(declare-const answer Int)(assert (= answer (select (store a 1 5) 1)))"
TEXT = '(declare-const s String)(declare-const answer Int)(assert (= s "abc"))(assert (= answer (str.len s)))'
JOINED = '(declare-const answer String)(assert (= answer (str.++ "a" "b")))(check-sat)(get-value (answer))'
RECURSIVE = "(define-fun-rec f ((n Int)) Int (ite (<= n 0) 1 (* n (f (- n 1)))))(declare-const answer Int)(assert (= answer (f 3)))"
ASSUMED = "(declare-const p Bool)(declare-const answer Int)(assert (=> p (= answer 4)))(check-sat-assuming (p))"


@cases(
    ("text", "gold", "satisfiable"),
    [
        ("(declare-const answer (_ BitVec 8))(assert (= (bvadd answer #x01) #x03))(check-sat)", "2", True),
        (ARRAY, "5", True),
        (TEXT, "3", True),
        (JOINED, "ab", True),
        (HEAD + "(assert (= answer 4))(push 1)(assert (> x x))(check-sat)(pop 1)(check-sat)", "4", True),
        (HEAD + "(assert (= answer 4))(push 3)(assert (> x x))(check-sat)", "4", False),
        (ASSUMED, "4", True),
        (RECURSIVE, "6", True),
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
