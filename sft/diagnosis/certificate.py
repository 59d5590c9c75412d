"""The proof of a diagnosis: a program over the inputs of the oracle, which UT-3 proves equal to it or shows to differ."""

from itertools import islice

from harness.domain import Counterexample, Exact, Status, Verdict
from harness.program import ir
from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.expression_nodes import nodes
from harness.program.refusal import ProgramError, Refusal
from harness.program.syntax.unparser import unparse
from harness.solution.trace import Trace, TraceEntry, VariableRole
from oracles.equivalence.equivalent_mutants import judge_mutant
from sft.diagnosis.diagnosis import Certificate
from sft.diagnosis.oracle import Oracle

MOST_NODES = 400
"""The size of an expression, its shared parts counted where they stand, above which no proof is tried."""
ANSWER = "solution_answer"


def certificate(oracle: Oracle, expression: ir.Expr, written: ir.Expr | None = None) -> Certificate | None:
    """Return the proof that an expression equals the oracle for all inputs, `None` where UT-3 does not prove it.

    `written` is the solution as it stands where the expression is a change of it.
    """
    verdict = _verdict(oracle, expression)
    if verdict is None or verdict.status is not Status.CONFIRMED:
        return None
    before = unparse(written) if written is not None and _is_small(written) else ""
    return Certificate(unparse(expression), verdict.method, before)


def witness(oracle: Oracle, written: ir.Expr) -> Counterexample | None:
    """Return inputs at which the solution as it stands differs from the oracle, `None` where none is found."""
    verdict = _verdict(oracle, written)
    return verdict.counterexample if verdict is not None and verdict.status is Status.REFUTED else None


def _verdict(oracle: Oracle, expression: ir.Expr) -> Verdict | None:
    """Return the verdict of UT-3 whether an expression equals the oracle, `None` where one of them is too large or has no value."""
    if not oracle.programs:
        return None
    right, trace = _trace(oracle, ir.Name(oracle.programs[0].result)), _trace(oracle, expression)
    return None if right is None or trace is None else judge_mutant("solution", right, trace)


def _is_small(expression: ir.Expr) -> bool:
    return sum(1 for _ in islice(nodes(expression), MOST_NODES + 1)) <= MOST_NODES


def _trace(oracle: Oracle, expression: ir.Expr) -> Trace | None:
    """Return the inputs and the steps of the oracle that an expression reads, and the expression as the answer."""
    if not _is_small(expression):
        return None
    known = oracle.programs[0].by_name
    values: dict[str, Exact] = {}
    entries: dict[str, TraceEntry] = {}

    def add(name: str, node: ir.Expr) -> None:
        if name in entries:
            return
        reads = tuple(dict.fromkeys(ir.names_in_order(node)))
        for read in reads:
            if read in oracle.definitions:
                add(read, oracle.definitions[read].expression)
            elif read not in entries:
                entries[read] = known.get(read) or TraceEntry(
                    read, oracle.inputs[read].value, VariableRole.QUESTION_INPUT, None
                )
                values[read] = entries[read].value
        values[name] = evaluate_expression(node, values)
        entries[name] = TraceEntry(name, values[name], VariableRole.OUTPUT, None, node, reads=reads)

    try:
        add(ANSWER, expression)
    except (ProgramError, Refusal, KeyError, RecursionError):
        return None
    return Trace(tuple(entries.values()), ANSWER)
