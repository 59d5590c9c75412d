"""Where do generators find the record of a constraint problem? In the harness, since oracles and sft read it, too."""

from harness.constraint_problem import GENERATED, ConstraintProblem

__all__ = ["GENERATED", "ConstraintProblem"]
