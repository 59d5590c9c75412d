"""The test for equivalent mutants: whether a mutant computes the same function as its oracle."""

from harness.domain import Parameter, Provenance, Response, Verdict
from harness.program import ir
from harness.program.evaluation.evaluator import Outcome
from harness.program.lifter import Candidate
from harness.solution.trace import Trace, VariableRole
from oracles.alignment.parameter_matching import AlignedPair, Alignment, Alignments
from oracles.equivalence.ladder import EquivalenceJudge

_PROVENANCE = {
    VariableRole.QUESTION_INPUT: Provenance.QUESTION,
    VariableRole.WORLD_KNOWLEDGE_INPUT: Provenance.WORLD_KNOWLEDGE,
}


def judge_mutant(problem_id: str, oracle: Trace, mutant: Trace, *, seed: int = 0) -> Verdict:
    """Decide by UT-3's ladder whether a mutant computes the same as its oracle on the domain of the inputs they share.

    CONFIRMED: it is an equivalent mutant. REFUTED: it differs from the oracle at the counterexample. UNKNOWN: neither
        was proved.
    """
    shared = [entry.variable for entry in oracle.entries if entry.role.is_input and entry.variable in mutant.by_name]
    sides = [_candidate(problem_id, name, trace) for name, trace in (("oracle", oracle), ("mutant", mutant))]
    places = [
        {parameter.name: index for index, parameter in enumerate(side.program.parameters if side.program else ())}
        for side in sides
    ]
    pairs = tuple(AlignedPair(places[0][name], places[1][name], 1.0) for name in shared)
    alignments = Alignments(Alignment(pairs, float(len(pairs))), (), (), ())
    return EquivalenceJudge(problem_id, seed).judge(sides[0], sides[1], alignments)


def _candidate(problem_id: str, name: str, trace: Trace) -> Candidate:
    return Candidate(Response(problem_id, name, ""), _program(trace), Outcome(trace.answer.value), None)


def _program(trace: Trace) -> ir.Program:
    """Return a trace as a program of its inputs, which are assigned before all steps."""
    parameters: list[Parameter] = []
    given: list[ir.Stmt] = []
    steps: list[ir.Stmt] = []
    for entry in trace.entries:
        if entry.expression is None:
            given.append(ir.Assign((entry.variable,), ir.Input(len(parameters)), 0))
            kind = "int" if isinstance(entry.value, int) else "float"
            provenance = _PROVENANCE.get(entry.role, Provenance.UNKNOWN)
            parameters.append(Parameter(entry.variable, entry.value, kind, provenance, entry.comment, 0))
        else:
            steps.append(ir.Assign((entry.variable,), entry.expression, 0))
    return ir.Program("trace", "", tuple(parameters), {}, (*given, *steps), ir.Name(trace.result))
