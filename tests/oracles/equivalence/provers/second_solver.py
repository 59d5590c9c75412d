"""A second opinion on planted pairs: cvc5 is asked what z3 decided."""

import cvc5  # noqa: F401  # loaded once: each question is asked in a copy of this process

from harness.limited_process import limited_result
from harness.program.lifter import read_program
from oracles.equivalence.input_domain import joint_domain
from oracles.equivalence.provers import smt
from oracles.equivalence.provers.comparison import Comparison
from oracles.equivalence.provers.symbolic_paths import paths_of
from oracles.proofs.real_terms import LOGIC
from oracles.proofs.solvers import SolverError, SolverName, open_solver
from tests.oracles.equivalence.planted.planted_pairs import PlantedPair

LONGEST_SECONDS = 0.4


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
        joint_domain(left.parameters[first], right.parameters[second], guesses=False) for first, second in pairs
    )
    return Comparison(paths_of, left, right, pairs, domains)


def second_answer(comparison: Comparison) -> str:
    """Return what cvc5 says to the question whether the two sides part, asked as z3 was: `sat`, `unsat` or `unknown`.

    It is `no answer` where cvc5 takes more processor time than `LONGEST_SECONDS`: its own limit may let it work for minutes.

    Raises:
        Refusal: a side has no paths.
        UntranslatableError: the question cannot be put to a solver.
    """
    text = smt.script(*comparison.sides, dict(enumerate(comparison.domains)))
    lines = [line for line in text.splitlines() if not line.startswith((";", "(set-info"))]
    question = "\n".join([LOGIC, *lines]) + "\n"
    return limited_result(lambda: _decided(question), LONGEST_SECONDS) or "no answer"


def _decided(question: str) -> str:
    try:
        return open_solver(SolverName.CVC5).decide(question)[0]
    except SolverError:
        # cvc5 gives its reason beside an answer that it does not know.
        return "unknown"
