"""The command `oracle-factory audit`, and which of the audited records are safe to train on."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.command_line.option_types import from_fields
from harness.corpora.field_roles import FieldNames
from harness.errors import HarnessError
from oracles.dataset_audit.command import FOUND, AuditOptions, audit_file
from oracles.dataset_audit.findings import DatasetAudit
from sft.verifier.command import ByValue, Keep, Precision, verify_items
from sft.verifier.record_selection import KeptRecords


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepingAuditOptions(AuditOptions):
    """The options of `oracle-factory audit`, with those that keep records."""

    keep: Keep = None
    precision: Precision = 0.99
    by_value: ByValue = False
    oracles: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="For --keep, the folder of a run whose programs judge the solutions."),
    ] = None


@from_fields
def audit(options: KeepingAuditOptions) -> int:
    """Find false equations, wrong labels and broken programs in a data set.

    A record may have a worked solution (answer as in GSM8K, solution, gold_solution), a labelled one (flawed_solution or solution
    with label, steps with first_error_step), an equation beside its answer, or an SMT-LIB 2 program (smtlib, program), with
    query and gold if a term should follow. No model is asked: each finding is proved from the record, or from two records that ask the same.

    Example: oracle-factory audit gsm8k/train.jsonl -o findings.jsonl

    Returns:
        0; 1 with --check if there is a finding; 2 if the file cannot be used.
    """
    if (options.keep is None) != (options.oracles is None):
        raise HarnessError("--keep and --oracles RUN go together: a record alone does not show that it is right")
    kept = None
    if options.keep is not None:
        kept = KeptRecords(Path(options.file), options.keep, options.precision, options.by_value, options.output)
    audited = audit_file(options)
    if kept is not None and options.oracles is not None:
        typer.echo(_write_kept_records(kept, options, options.oracles, audited), err=True)
    return FOUND if options.check and audited.findings else 0


def _write_kept_records(kept: "KeptRecords", options: KeepingAuditOptions, oracles: Path, audited: DatasetAudit) -> str:
    """Write the records without a finding whose solution an oracle proves right, and return what is expected of them.

    Raises:
        HarnessError: the run cannot be used, or no oracle judges a record.
    """
    from sft.diagnosis.oracle_sources import OracleSource
    from sft.samples.record_lines import open_input, read_items
    from sft.verifier.engines.oracle import OracleEngine

    engine = OracleEngine(OracleSource.of_run(oracles))
    objections = {record.row: f"not read whole: {record.reason}" for record in audited.unread}
    objections |= {own.row: f"{own.kind}: {own.place} {own.found}" for own in audited.findings}
    with open_input(str(options.file), FieldNames(options.question_field, options.solution_field)) as given:
        for row, judgement in enumerate(verify_items(read_items(given), engine), start=1):
            kept.add(judgement, objections.get(row, ""))
    return kept.write()
