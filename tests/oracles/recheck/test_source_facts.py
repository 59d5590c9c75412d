"""Tests that the audit of a flaw with what its solution's other flaws worked out is the audit of the flaw alone."""

from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings, strategies as st

from generators.flaws.solution.source_solution import FlawSource
from harness.domain import Status
from harness.json_form import read_record
from harness.records.content_digest import with_digest
from harness.records.mutation import FlawRecord
from oracles.certificates.flaw_certificate import FlawCertificate, program_values
from oracles.certificates.program_edit import edit_between
from oracles.certificates.solvers import SolverName, open_solver
from oracles.recheck.flaws.flaw_facts import FlawFacts
from oracles.recheck.flaws.flaw_record import text_objection
from oracles.recheck.flaws.source_facts import SourceFacts
from oracles.recheck.record_recheck import recheck
from properties.stages.certified_flaws import make_from
from tests.generators.flaws.solution_strategies import solutions

if TYPE_CHECKING:
    from oracles.recheck.judgement import Judgement

Record = dict[str, Any]
SOLVER = open_solver(SolverName.Z3)
FIELDS = (
    "flawed_solution",
    "solution",
    "question",
    "tier",
    "position",
    "question_inputs",
    "values",
    "mutation",
    "label",
)
MOST = 12


def audited(record: Record, source: SourceFacts | None) -> "Judgement | None":
    """Return what speaks against a record, with facts on its source that it shares or, without any, with its own."""
    read = read_record(FlawRecord, record)
    certificate = FlawCertificate.of_record(read.certificate)
    edit = None if certificate.mutant is None else edit_between(certificate.oracle, certificate.mutant)
    values = program_values(certificate.oracle)
    own = source or SourceFacts(read.question, read.solution, certificate.oracle, values)
    return text_objection(record, read, FlawFacts(read, certificate, edit, values, own))


def swapped(record: Record, others: list[Record], random: Random) -> Record:
    """Return a record with one field of another record."""
    field = random.choice(FIELDS)
    return {**deepcopy(record), field: deepcopy(random.choice(others)[field])}


@given(solutions(), st.integers(0, 1_000))
@settings(max_examples=15, deadline=None)
def test_the_audit_of_what_changed_is_the_audit_of_the_whole(source: FlawSource, seed: int) -> None:
    """For each flaw of generated solutions, as it is and with a field of another flaw: the same judgement, word for word."""
    random = Random(seed)
    records = make_from(source, seed=0).records
    if not records:
        return
    oracle = FlawCertificate.of_record(read_record(FlawRecord, records[0]).certificate).oracle
    shared = SourceFacts(records[0]["question"], records[0]["solution"], oracle, program_values(oracle))
    for record in random.sample(records, min(MOST, len(records))):
        assert audited(record, shared) is None
        changed = swapped(record, records, random)
        assert audited(changed, shared) == audited(changed, None)


@given(solutions())
@settings(max_examples=5, deadline=None)
def test_what_is_made_is_confirmed_from_its_record_alone(source: FlawSource) -> None:
    """The re-check, which shares nothing between records, confirms each flaw; one whose solution is another's is refuted."""
    for record in make_from(source, seed=0).records[:MOST]:
        assert recheck(record, SOLVER).status is Status.CONFIRMED
        lines = record["solution"].split("\n")
        other = with_digest({**record, "solution": "\n".join([*lines[:-1], f"{lines[-1]}1"])})
        assert recheck(other, SOLVER).status is Status.REFUTED
