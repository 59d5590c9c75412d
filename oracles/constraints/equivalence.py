"""Do two programs in SMT-LIB2 say the same of the constants they share?"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.domain import Verdict
    from oracles.constraints.validation import Limits


def equivalent(left: str, right: str, *, limits: Limits | None = None) -> Verdict:
    """Judge whether each program's assertions entail the other's, for all values of the constants both declare.

    CONFIRMED: proved both ways by z3 and by cvc5. REFUTED: `counterexample.inputs` satisfies one and not the other, `left`
    and `right` saying which. UNKNOWN: a program cannot be read, or a solver gave up; `reason` says which.
    """
    raise NotImplementedError


def equivalences(
    pairs: Iterable[tuple[str, str]], *, limits: Limits | None = None, workers: int = 0
) -> Iterator[Verdict]:
    """Yield the verdict of each pair, in the order given, from worker processes; `workers` of 0 is one a core."""
    raise NotImplementedError
