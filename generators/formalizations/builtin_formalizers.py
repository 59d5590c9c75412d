"""The formalizers that need neither a model nor a file, and their application to a corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from generators.formalizations.annotation import compiler
from harness.corpora.responses import Rejection
from harness.domain import Problem, Response
from harness.program.refusal import Refusal

FORMALIZERS: dict[str, Callable[[Problem], Response]] = {compiler.MODEL: compiler.formalize}
"""By the name that stands for them among formalizations, and as the model they answer as."""


def formalize_all(name: str, problems: Iterable[Problem]) -> Iterator[Response | Rejection]:
    """Formalize every problem by the formalizer of that name; what it refuses is a rejection with the reason."""
    formalize = FORMALIZERS[name]
    for problem in problems:
        try:
            yield formalize(problem)
        except Refusal as refusal:
            yield Rejection(name, problem.problem_id, name, str(refusal))
