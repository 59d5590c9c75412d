"""The SMT-LIB script of a flaw certificate: its claims as queries that any solver can decide."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from harness.domain import Exact
from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.refusal import ProgramError, Refusal
from oracles.proofs.flaw_certificate import FlawCertificate
from oracles.proofs.real_terms import FUNCTIONS, LOGIC, PLAIN, RealTermWriter, conjunction, literal, symbol
from oracles.proofs.straight_program import StraightLineProgram


@dataclass(frozen=True, slots=True)
class FlawQuery:
    """A formula with the answer a solver should give, `unsat` or `sat`; `claim` is the meaning of that answer in words."""

    claim: str
    formula: str
    expect: str


@dataclass(frozen=True, slots=True)
class FlawScript:
    """Definitions over which each query is put by itself."""

    definitions: tuple[str, ...]
    queries: tuple[FlawQuery, ...]

    @property
    def text(self) -> str:
        """Return the script that any solver runs."""
        parts = [LOGIC, FUNCTIONS, *(f"{definition}\n" for definition in self.definitions)]
        for query in self.queries:
            claim = f"; {query.claim}: expect {query.expect}"
            parts.append(f"{claim}\n(push 1)\n(assert {query.formula})\n(check-sat)\n(pop 1)\n")
        return "".join(parts)


def script(certificate: FlawCertificate) -> FlawScript:
    """Write the claims of a certificate as queries, whether or not they hold.

    All are put at the values the question and the flawed solution give: `o:x` is the oracle's value of x, `s:x` the
    value that the solution states. Negated claims should be `unsat`, the claims together `sat`.

    Raises:
        UntranslatableError: an expression holds what the theory of reals lacks.
    """
    writer = RealTermWriter()
    oracle, _ = _defined(writer, "o", certificate.oracle, None)
    told, equations = _defined(writer, "s", certificate.told, certificate.stated)
    variable = certificate.change.variable
    changed = equations.pop(variable, None) if certificate.mutant is None else None
    claims = {f"the other steps hold, {len(equations)} of them": conjunction(list(equations.values()))}
    if certificate.mutant is None:
        shown = variable if PLAIN.fullmatch(variable) else symbol(variable)
        # Without such a step the claim is false, and so is its formula.
        claims[f"the step {shown} is false"] = "false" if changed is None else f"(not {changed})"
    claims["the answers differ"] = f"(not (= {oracle[certificate.oracle.answer]} {told[certificate.told.answer]}))"
    if writer.guards:
        claims["each operation has a value"] = conjunction(writer.guards)
    queries = [FlawQuery(claim, f"(not {formula})", "unsat") for claim, formula in claims.items()]
    queries.append(FlawQuery("all of it together", conjunction(list(claims.values())), "sat"))
    return FlawScript(tuple(writer.definitions), tuple(queries))


def _defined(
    writer: RealTermWriter, prefix: str, program: StraightLineProgram, stated: Mapping[str, Exact] | None
) -> tuple[dict[str, str], dict[str, str]]:
    """Define inputs and steps, steps by the stated values if there are any; return symbols and equations by variable."""
    names = {
        name: writer.define(symbol(name, prefix), "Real", literal(value)) for name, value in program.inputs.items()
    }
    values = dict(program.inputs)
    writer.names, writer.values = names, values
    equations = {}
    for step in program.steps:
        text = writer.term(step.expression)
        value = text if stated is None else literal(stated[step.variable])
        with suppress(ProgramError, Refusal):  # A step after a root has a value, or the root is refused.
            values[step.variable] = (
                evaluate_expression(step.expression, values) if stated is None else stated[step.variable]
            )
        names[step.variable] = writer.define(symbol(step.variable, prefix), "Real", value)
        equations[step.variable] = f"(= {names[step.variable]} {text})"
    return names, equations
