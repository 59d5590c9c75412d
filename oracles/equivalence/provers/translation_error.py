"""The error of a translation to a solver, apart from the solvers, whose import takes longer than the help of a command."""


class UntranslatableError(Exception):
    """The term holds an operation the theory lacks."""
