"""A second opinion on planted pairs: cvc5 is asked what z3 decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.program.candidate import read_program
from oracles.certificates.real_terms import LOGIC
from oracles.certificates.solvers import SolverName, open_solver
from oracles.equivalence.input_domain import joint_domain
from oracles.equivalence.provers import smt
from oracles.equivalence.provers.comparison import Comparison
from oracles.equivalence.provers.symbolic_paths import paths_of

if TYPE_CHECKING:
    from tests.oracles.equivalence.planted.planted_pairs import PlantedPair


def comparison_of(pair: PlantedPair) -> Comparison | None:
    """Return the comparison of a pair with its inputs aligned by their known meaning, `None` where a side is not read."""
    left, right = read_program(pair.left), read_program(pair.right)
    if left is None or right is None:
        return None
    places = {parameter.name: index for index, parameter in enumerate(right.parameters)}
    pairs = tuple(
        (index, places[pair.names[parameter.name]])
        for index, parameter in enumerate(left.parameters)
        if pair.names.get(parameter.name) in places
    )
    domains = tuple(
        joint_domain(left.parameters[first], right.parameters[second]).without_guess() for first, second in pairs
    )
    return Comparison(paths_of, left, right, pairs, domains)


def second_answer(pair: PlantedPair) -> str:
    """Return what cvc5 says to the question whether the two sides part: `sat`, `unsat` or `unknown`.

    Raises:
        Refusal: a side has no paths.
        UntranslatableError: the question cannot be put to a solver.
    """
    comparison = comparison_of(pair)
    assert comparison is not None
    text = smt.script(*comparison.compared(), dict(enumerate(comparison.domains)))
    lines = [line for line in text.splitlines() if not line.startswith((";", "(set-info"))]
    return open_solver(SolverName.CVC5).decide("\n".join([LOGIC, *lines]) + "\n")[0]
