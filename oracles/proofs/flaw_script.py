"""The SMT-LIB script of a flaw certificate: its claims as queries that any solver can decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.program.refusal import ProgramError, Refusal
from oracles.proofs.flaw_certificate import FlawNotCertified, program_values
from oracles.proofs.real_terms import PLAIN, PRELUDE, RealTermWriter, conjunction, symbol

if TYPE_CHECKING:
    from oracles.proofs.flaw_certificate import FlawCertificate


@dataclass(frozen=True, slots=True)
class FlawQuery:
    """A formula with the answer a solver should give, `unsat` or `sat`; `claim` is the meaning of that answer in words."""

    claim: str
    formula: str
    expect: str


@dataclass(frozen=True, slots=True)
class FlawScript:
    """Definitions over which each query is put by itself; `text` is a whole file, `body` what follows the prelude."""

    definitions: tuple[str, ...]
    queries: tuple[FlawQuery, ...]

    @property
    def expected(self) -> tuple[str, ...]:
        """Return the answers that confirm the claims, in the order of the queries."""
        return tuple(query.expect for query in self.queries)

    @property
    def body(self) -> str:
        """Return the script without its prelude."""
        asked = (
            f"; {query.claim}: expect {query.expect}\n(push 1)\n(assert {query.formula})\n(check-sat)\n(pop 1)\n"
            for query in self.queries
        )
        return "\n".join([*self.definitions, ""]) + "".join(asked)

    @property
    def text(self) -> str:
        """Return the script any solver runs."""
        return PRELUDE + self.body


def script(certificate: FlawCertificate) -> FlawScript:
    """Write the claims of a certificate as queries, whether or not they hold.

    All are put at the values the question and the flawed solution give: `o:x` is the oracle's value of x, `s:x` the
    value that the solution states. Negated claims should be `unsat`, the claims together `sat`.

    Raises:
        UntranslatableError: an expression holds what the theory of reals lacks.
    """
    writer = RealTermWriter()
    try:
        right = program_values(certificate.oracle)
    except (FlawNotCertified, Refusal, ProgramError):
        right = {}
    oracle = writer.program("o", certificate.oracle, right)
    told = writer.stated("s", certificate.told, certificate.stated)
    equations = dict(told.equations)
    changed = equations.pop(certificate.change.variable, None) if certificate.mutant is None else None
    claims = {f"the other steps hold, {len(equations)} of them": conjunction(list(equations.values()))}
    if certificate.mutant is None:
        # Without such a step the claim is false, and so is its formula.
        claims[f"the step {_shown(certificate.change.variable)} is false"] = (
            "false" if changed is None else f"(not {changed})"
        )
    answers = oracle[certificate.oracle.answer], told.names[certificate.told.answer]
    claims["the answers differ"] = f"(not (= {answers[0]} {answers[1]}))"
    if writer.guards:
        claims["no divisor is zero, exponents and roots are what they are taken for"] = conjunction(writer.guards)
    queries = [FlawQuery(claim, f"(not {formula})", "unsat") for claim, formula in claims.items()]
    queries.append(FlawQuery("all of it together", conjunction(list(claims.values())), "sat"))
    return FlawScript(tuple(writer.definitions), tuple(queries))


def smtlib(certificate: FlawCertificate) -> str:
    """Return the script of a certificate as text; errors as in `script`."""
    return script(certificate).text


def _shown(name: str) -> str:
    return name if PLAIN.fullmatch(name) else symbol(name)
