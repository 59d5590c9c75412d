"""Constraint programs for tests: over two constants, hard for solvers, and larger than their memory; and a solver that lies."""

from dataclasses import dataclass

from harness.smtlib.solvers import SolverError

HEAD = "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const answer Int)\n"


def program(*terms: str) -> str:
    """Return a program over `x` and `answer` that asserts terms."""
    return f"{HEAD}{''.join(f'(assert {term})' for term in terms)}\n(check-sat)\n(get-value (answer))\n"


def pigeons(holes: int) -> str:
    """Return a program that puts one more pigeon than holes into holes: hard for both solvers."""
    names = [f"p{number}" for number in range(holes + 1)]
    lines = [f"(declare-const {name} Int)(assert (<= 1 {name} {holes}))" for name in names]
    return f"(set-logic QF_LIA){''.join(lines)}(assert (distinct {' '.join(names)}))(check-sat)"


def doubling(times: int) -> str:
    """Return a short program whose formula is as long as two to a power, once its functions are written out."""
    lines = [f"(define-fun f{number} ((a Int)) Int (f{number - 1} (f{number - 1} a)))" for number in range(1, times)]
    return f"(set-logic QF_LIA)(declare-const x Int)(define-fun f0 ((a Int)) Int (+ a a)){''.join(lines)}(assert (= (f{times - 1} x) 3))(check-sat)"


@dataclass
class Liar:
    """A session of a solver that answers every check with the same words."""

    answer: str
    logic: str = "ALL"

    def tell(self, commands: str) -> list[str]:
        """Return the words, or raise them where they are an error."""
        if self.answer.startswith("error"):
            raise SolverError(self.answer)
        return [self.answer] if "check-sat" in commands else ["((x 1) (answer 1))"] if "get-value" in commands else []
