"""The command `oracle-factory recheck`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from harness.command_line.option_types import Jobs
from harness.domain import Status
from harness.text.characters import one_line
from oracles.proofs.solvers import SolverName

if TYPE_CHECKING:
    from properties.recheck.file_recheck import RecheckCounts

LONGEST_SHOWN = 300


def recheck(
    file: Annotated[Path, typer.Argument(help="JSONL of flawed solutions or variants, plain or .gz.")],
    *,
    solver: Annotated[SolverName, typer.Option(help="The solver that answers the queries.")] = SolverName.Z3,
    smtlib: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write each record's script to DIR/LINE.smt2.")
    ] = None,
    corpus: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE", help="The corpus of the problems: each record must have its question and solution."
        ),
    ] = None,
    jobs: Jobs = 1,
) -> int:
    """Check the certificates of flaws or variants.

    A record is checked by itself and made again from the facts that it holds: it is refused if a field differs, if its digest is
    wrong, if its id stands twice, if it belongs in another file of the stage, if it is a near-twin that does not stand below its
    variant, or if another record of the same problem or formalization has another question, solution or source. A record without
    `source`, of an earlier version, is not confirmed: its words are not checked. A file beside a manifest is refused if it differs
    from the sealed file; in a run with sealed oracles, a record is refused if its oracle, clique or confidence differs from the
    run's. A refused record never stops the rest.

    A record alone does not show which of two solutions with true arithmetic is the right one. --corpus decides it: the
    correct solution must be that of the corpus.

    Rows that are deleted from a file before its manifest is written again are not detected, except near-twins. The
    consensus and the oracles of a run, with their p_right, are protected by their manifest only.

    The exit status is 0 if every record is confirmed, 1 if a record or the file is not or there is no record, and 2 if the file
    cannot be read.

    Example: oracle-factory recheck runs/latest/mutation/conceptual.jsonl --solver cvc5 --corpus mini
    """
    from properties.recheck.file_recheck import RecheckCounts, recheck_file
    from properties.recheck.reference_records import CorpusProblems

    counts = RecheckCounts()
    problems = None if corpus is None else CorpusProblems.of(corpus)
    if smtlib is not None:
        smtlib.mkdir(parents=True, exist_ok=True)
    for result in recheck_file(file, solver, jobs=jobs, folder=smtlib, corpus=problems):
        counts.add(result)
    _print(counts, Console(highlight=False))
    return 0 if counts.confirmed else 1


def _print(tally: "RecheckCounts", console: Console) -> None:
    table = Table("claim", *(status.name for status in reversed(Status)))
    for claim in sorted({claim for claim, _ in tally.counts}):
        table.add_row(claim, *(f"{tally.counts[claim, status]:,}" for status in reversed(Status)))
    console.print(table)
    total = sum(tally.counts.values())
    if not total:
        console.print("the file holds no record")
    if tally.unread:
        console.print(
            f"{tally.unread:,} equals signs in the texts belong to no equation that can be read; they are counted, not checked"
        )
    for found in tally.shown:
        text = f"{found.status.name} line {found.place}, {found.problem_id}, {found.claim}: {found.reason}"
        console.print(one_line(text, limit=LONGEST_SHOWN), markup=False, soft_wrap=True)
    more = sum(count for (_, status), count in tally.counts.items() if status is not Status.CONFIRMED)
    if more > len(tally.shown):
        console.print(f"… and {more - len(tally.shown):,} more")
