"""The records of a formalization and of an oracle, and what they say of answers to a problem and of their writers."""

from collections.abc import Iterable
from dataclasses import fields, replace
from fractions import Fraction

from harness.domain import Problem
from harness.program.evaluation.evaluator import format_exact
from harness.program.lifter import Candidate
from harness.records.formalization import (
    ConsensusRecord,
    OracleProvenance,
    OracleRecord,
    ParameterRecord,
    ProgramRecord,
)
from oracles.consensus.answer_inputs import answer_inputs, is_literal
from oracles.consensus.probability.answer_model import ProblemAnswers, problem_answers
from oracles.consensus.program_forms import program_form


def program_record(problem: Problem, model: str, candidate: Candidate) -> ProgramRecord:
    """Return the record of a formalization as it was read."""
    program, outcome = candidate.program, candidate.outcome
    value = None if outcome is None or outcome.value is None else format_exact(outcome.value)
    record = ProgramRecord(
        problem_id=problem.problem_id,
        model=model,
        dialect=None,
        code=None,
        parameters=(),
        value=value,
        reason=candidate.reason,
        repairs=(),
        saw_solution=candidate.response.saw_solution,
    )
    if program is None:
        return record
    depending = answer_inputs(program)
    parameters = (
        ParameterRecord(
            given.name, format_exact(given.value), given.type, given.provenance, given.comment, index not in depending
        )
        for index, given in enumerate(program.parameters)
    )
    return replace(
        record,
        dialect=program.dialect,
        code=program.code,
        parameters=tuple(parameters),
        repairs=tuple(program.repairs),
        literal=is_literal(problem.question, program),
        form=program_form(program),
    )


def answers_given(records: Iterable[ProgramRecord]) -> ProblemAnswers:
    """Return the values of a problem's formalizations by model with the forms of their programs; those that only state a value are left out."""
    computing = [record for record in records if not record.literal]
    return problem_answers(
        {record.model: None if record.value is None else Fraction(record.value) for record in computing},
        {record.model: record.form for record in computing if record.form is not None},
    )


def oracle_record(agreed: ConsensusRecord, program: ProgramRecord, *, run: str) -> OracleRecord:
    """Return the record of the oracle of a problem, whose run has the fingerprint `run`."""
    pairs = tuple(pair for pair in agreed.pairs if {pair.left, pair.right} <= set(agreed.clique))
    return OracleRecord(
        **{field.name: getattr(program, field.name) for field in fields(program)},
        confidence=agreed.confidence,
        clique_size=agreed.clique_size,
        p_right=agreed.p_right,
        provenance=OracleProvenance(run=run, clique=agreed.clique, pairs=pairs),
    )
