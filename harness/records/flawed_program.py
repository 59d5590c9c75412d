"""The program of a flawed solution, derived from its certificate and its text."""

from collections.abc import Mapping, Set as AbstractSet

from harness.domain import Exact
from harness.records.mutation import FlawCertificateRecord
from harness.solution.solution_program import SolutionProgram, StatedSolution, solution_program


def flawed_program(
    certificate: FlawCertificateRecord,
    flawed_solution: str,
    values: Mapping[str, Exact],
    comments: Mapping[str, str],
    world_knowledge: AbstractSet[str],
) -> SolutionProgram:
    """Return the program whose values are those that a flawed solution states; a slip's step has its wrong value.

    `values` are those of the inputs and of the steps, `comments` those on the inputs.
    """
    told = certificate.mutant or certificate.oracle
    slip = certificate.change.variable if certificate.mutant is None else None
    steps = [(line, name, certificate.change.after if name == slip else code) for line, name, code in told.steps]
    lines = flawed_solution.split("\n")[:-1]
    stated = StatedSolution(told.inputs, steps, told.answer, values, lines)
    return solution_program(stated, comments, world_knowledge)
