"""Test of programs that open scopes of solvers."""

from oracles.constraints.validation import ValidationCase, validate_all


def test_scopes_are_counted() -> None:
    """A few scopes are opened; a hundred million, which take ten seconds and two gigabytes, are given to no solver."""
    text = "(set-logic QF_LIA)\n(declare-const x Int)\n(push {count})\n(assert (= x 2))\n(check-sat)\n"
    few, many = validate_all(
        (ValidationCase(count, text.format(count=count)) for count in ("3", "100000000")), workers=1
    )
    assert (few.valid, many.valid, many.by_solver) == (True, False, {})
