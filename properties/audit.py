"""The command `oracle-factory audit`, and which of the audited records are safe to train on."""

import os
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.command_line.option_types import AnswerField, QuestionField, Seed, SolutionField, from_fields
from harness.corpora.field_roles import FieldNames
from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.text.characters import one_line, printable
from harness.text.nouns import counted
from oracles.dataset_audit.findings import DatasetAudit
from properties.factory.options import option
from sft.verifier.command import ByValue, Keep, Precision, verify_items
from sft.verifier.record_selection import KeptRecords

FOUND = 1
LONGEST_CELL = 160
LONGEST_TEXT = 2_000
TITLES = {
    "false-equation": "equation that is false|equations that are false",
    "wrong-label": "label that contradicts the solution|labels that contradict the solution",
    "equation-gives-another-answer": "equation that gives another value than the answer|equations that give another value than the answer",
    "solution-gives-another-answer": "solution that ends in another answer than its record states|solutions that end in another answer than their records state",
    "answer-of-no-line": "final answer that stands in no line of its solution|final answers that stand in no line of their solutions",
    "same-question-another-answer": "record that asks the same as an earlier one and states another answer|records that ask the same as an earlier one and state another answer",
    "broken-program": "program that the solvers cannot run|programs that the solvers cannot run",
    "contradictory-program": "program whose assertions contradict each other|programs whose assertions contradict each other",
    "answer-not-entailed": "program from which the stated answer does not follow|programs from which the stated answer does not follow",
}
"""The heading of each kind of finding, for one and for several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditOptions:
    """The options of `oracle-factory audit`."""

    file: Annotated[Path, typer.Argument(metavar="FILE", help="Records of any form named below, in any layout.")]
    output: Annotated[Path | None, option("OUT", "Write the findings to OUT as JSON lines.", "--output", "-o")] = None
    most: Annotated[int, option("N", "The most findings of a kind to print.", min=0)] = 20
    read: Annotated[int, option("N", "Print N findings drawn at random with their record, to read.", min=0)] = 0
    seed: Seed = 0
    question_field: QuestionField = ""
    solution_field: SolutionField = ""
    answer_field: AnswerField = ""
    check: Annotated[bool, typer.Option("--check", help="End with status 1 if there is a finding.")] = False
    processes: Annotated[
        int, option("N", "Processes that read; one per core by default.", "--processes", "-j", min=1, max=1024)
    ] = len(os.sched_getaffinity(0))
    keep: Keep = None
    precision: Precision = 0.99
    by_value: ByValue = False
    oracles: Annotated[
        Path | None, option("RUN", "For --keep, the folder of a run whose programs judge the solutions.")
    ] = None


@from_fields
def audit(options: AuditOptions) -> int:
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


def _write_kept_records(kept: KeptRecords, options: AuditOptions, oracles: Path, audited: DatasetAudit) -> str:
    """Write the records without a finding whose solution an oracle proves right.

    Return what is expected of them. A run that judges none raises a `HarnessError`.
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


def audit_file(options: AuditOptions) -> DatasetAudit:
    """Audit a file, write its findings, print them and return them; a file in which nothing can be checked raises a `HarnessError`."""
    from harness.json_form import json_form
    from harness.store.progress_line import StageProgress
    from harness.store.run_folder import dump, output_file, write_lines
    from oracles.dataset_audit.audit import audit_dataset

    target = None if options.output is None else output_file(options.output)
    progress = StageProgress("audit", sys.stderr, noun="records")
    progress.began(sum(1 for _ in read_records(options.file)))
    audited = audit_dataset(
        options.file,
        processes=options.processes,
        named=FieldNames(options.question_field, options.solution_field, options.answer_field),
        watch=lambda findings: progress.advanced(1, findings=findings),
    )
    progress.cleared()
    if len(audited.unread) == audited.records and not audited.findings:
        raise HarnessError(f"{options.file}: {summary(audited).rstrip('.')}; see docs/audit.md")
    sys.stderr.write(f"audit: {audited.fields}\n")
    if target is not None:
        write_lines(target, (f"{dump(json_form(finding))}\n" for finding in audited.findings))
    console = Console(highlight=False)
    _print_findings(audited, options.most, console)
    if options.read:
        _print_sample(options.file, audited, options.read, options.seed, console)
    console.print(Text(one_line(summary(audited)), style="bold"), soft_wrap=True)
    if options.output is not None:
        console.print(Text(one_line(f"written to {options.output}")), soft_wrap=True)
    return audited


def summary(audited: DatasetAudit) -> str:
    """Return what was checked and found, in one sentence."""
    nouns = {
        "solutions": "solution",
        "equations": "equation",
        "labels": "label",
        "programs": "program",
        "questions": "answered question",
    }
    checked = [counted(count, noun) for field, noun in nouns.items() if (count := getattr(audited, field))]
    kinds = Counter(str(finding.kind) for finding in audited.findings)
    found = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items(), key=lambda entry: -entry[1]))
    text = counted(audited.records, "record")
    text += f" with {', '.join(checked)}" if checked else ""
    text += f": {counted(len(audited.findings), 'finding')}"
    text += f" ({found})" if found else ""
    if audited.unread_lines:
        text += f"; {counted(audited.unread_lines, 'line')} that could not be judged"
    if audited.unread:
        first = audited.unread[0]
        text += f"; {counted(len(audited.unread), 'record')} not read whole, such as {first.record_id}: {first.reason}"
    return f"{text}."


def _print_findings(audited: DatasetAudit, most: int, console: Console) -> None:
    for kind, title in TITLES.items():
        findings = [finding for finding in audited.findings if finding.kind == kind]
        if not findings or not most:
            continue
        single, _, several = title.partition("|")
        console.print(Text(f"{len(findings):,} {single if len(findings) == 1 else several}", style="bold"))
        table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        table.add_column(overflow="fold", style="dim")
        for finding in findings[:most]:
            cells = (f"{finding.record_id} (row {finding.row})", finding.place, finding.found, finding.expected)
            table.add_row(*(Text(one_line(cell, limit=LONGEST_CELL)) for cell in cells))
        console.print(table)
        if len(findings) > most:
            console.print(Text(f"… and {len(findings) - most:,} more; all by -o FILE", style="dim"))
        console.print()


def _print_sample(file: Path, audited: DatasetAudit, count: int, seed: int, console: Console) -> None:
    """Print findings drawn at random, each with the text of its record."""
    drawn = Random(f"{seed}:audit").sample(audited.findings, min(count, len(audited.findings)))
    wanted = {finding.row for finding in drawn}
    records = {row: record for row, record in read_records(file) if row in wanted}
    for finding in sorted(drawn, key=lambda finding: finding.row):
        record = records[finding.row]
        console.rule(Text(one_line(f"{finding.record_id} {finding.place}: {finding.kind}")), align="left")
        console.print(Text(f"found:    {printable(finding.found)}\nexpected: {printable(finding.expected) or '?'}"))
        fields = record if isinstance(record, dict) else {"record": record}
        for name, value in fields.items():
            text = "\n".join(map(str, value)) if isinstance(value, list) else str(value)
            console.print(Text(f"{printable(str(name))}:", style="dim"), Text(printable(text[:LONGEST_TEXT])))
        console.print()
