"""The records of programs and oracles that the formalization stage seals, and the parts that the consensus reads."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.program.evaluation.evaluator import format_exact
from harness.records.formalization import OracleProvenance, OracleRecord, ParameterRecord, ProgramRecord
from oracles.consensus.answer_inputs import answer_inputs, is_literal
from oracles.consensus.probability.answer_evidence import ReadProgram
from oracles.consensus.probability.model_reliability import problem_answers
from oracles.consensus.program_forms import program_form

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.domain import Problem
    from harness.program.candidate import Candidate
    from harness.records.formalization import ConsensusRecord
    from oracles.consensus.probability.model_reliability import ProblemAnswers


def program_record(problem: Problem, model: str, candidate: Candidate) -> ProgramRecord:
    """Return the record of a formalization as it was read."""
    program = candidate.program
    outcome = candidate.outcome
    depending = frozenset() if program is None else answer_inputs(program)
    return ProgramRecord(
        problem_id=problem.problem_id,
        model=model,
        dialect=None if program is None else program.dialect,
        code=None if program is None else program.code,
        parameters=tuple(
            ParameterRecord(
                parameter.name,
                format_exact(parameter.value),
                parameter.type,
                parameter.provenance,
                parameter.comment,
                idle=index not in depending,
            )
            for index, parameter in enumerate(() if program is None else program.parameters)
        ),
        value=None if outcome is None or outcome.value is None else format_exact(outcome.value),
        reason=candidate.reason,
        repairs=() if program is None else tuple(program.repairs),
        literal=program is not None and is_literal(problem.question, program),
        form=None if program is None else program_form(program),
    )


def answers_given(records: Iterable[ProgramRecord]) -> ProblemAnswers:
    """Return the values of a problem's formalizations by model with the forms of their programs; those that only state a value are left out."""
    computing = [record for record in records if not record.literal]
    return problem_answers(
        {record.model: None if record.value is None else Fraction(record.value) for record in computing},
        {record.model: record.form for record in computing if record.form is not None},
    )


def program_evidence(records: Iterable[ProgramRecord]) -> dict[str, ReadProgram]:
    """Return by model the evidence of the formalizations that could be read: `oracles.consensus.probability.answer_evidence.read_program` of the program itself."""
    return {
        record.model: ReadProgram(
            record.dialect, tuple(Fraction(given.value) for given in record.parameters if not given.idle)
        )
        for record in records
        if record.dialect is not None
    }


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
