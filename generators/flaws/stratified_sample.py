"""The command `oracle-factory sample`: a seeded sample of flawed solutions, drawn by tier, position and error type."""

import heapq
import itertools
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer

from harness.command_line.option_types import Seed
from harness.errors import HarnessError

Record = dict[str, Any]
Stratum = tuple[str, str, str]
Ticket = tuple[float, str, Record]
"""The draw of a record, its id, which decides between equal draws, and the record."""


def stratum_of(record: Record) -> Stratum:
    """Return the tier, position and error type of a flawed solution."""
    return str(record["tier"]), str(record["position"]), str(record["label"]["error_details"]["error_type"])


def drawn_records(
    records: Iterable[Record], *, per_stratum: int, seed: int = 0, per_problem: int | None = None
) -> list[Record]:
    """Draw at most `per_stratum` records of each stratum tier × position × type, at most `per_problem` of one problem in each.

    The records drawn from a stratum depend on the seed and on that stratum's records alone, not on their order. Memory
    holds the records drawn or, with `per_problem`, those drawn for each problem.
    """
    drawn: dict[Stratum, dict[str, list[Ticket]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        name = record["flaw_id"]
        ticket = Random(f"{seed}:{name}".encode("utf-8", "surrogatepass")).random(), name, record
        group, most = ("", per_stratum) if per_problem is None else (record["problem_id"], per_problem)
        tickets = drawn[stratum_of(record)][group]
        tickets.append(ticket)
        if len(tickets) > most:
            tickets.remove(min(tickets, key=_draw))
    return [
        record
        for stratum in sorted(drawn)
        for _, _, record in heapq.nlargest(per_stratum, itertools.chain(*drawn[stratum].values()), key=_draw)
    ]


def _draw(ticket: Ticket) -> tuple[float, str]:
    return ticket[:2]


def read_flaws(path: Path) -> Iterator[Record]:
    """Yield the flawed solutions of a file.

    Raises:
        HarnessError: the file cannot be read, or a record is not a flawed solution.
    """
    from harness.corpora.problems import read_records

    for number, record in read_records(path):
        try:
            names: list[Any] = [record["flaw_id"], record["problem_id"], *stratum_of(record)]
        except (ValueError, KeyError, TypeError):
            names = [None]
        if not all(isinstance(name, str) for name in names):
            message = f"{path}:{number}: expected a flawed solution of the mutation stage, found {ascii(record)[:80]}"
            raise HarnessError(message)
        yield record


def sample(
    file: Annotated[Path, typer.Argument(help="computational.jsonl or conceptual.jsonl of a run.")],
    *,
    per_stratum: Annotated[int, typer.Option(min=1, metavar="N", help="At most N solutions of a stratum.")] = 20,
    per_problem: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="At most N solutions of a problem in a stratum.")
    ] = None,
    seed: Seed = 0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write; standard output by default.")
    ] = None,
) -> int:
    """Draw a stratified sample of flawed solutions.

    A stratum is a tier, a position and an error type.

    Example: oracle-factory sample runs/latest/mutation/conceptual.jsonl --per-stratum 20 -o sample.jsonl
    """
    from harness.store.run_folder import dump, write_lines

    flaws = drawn_records(read_flaws(file), per_stratum=per_stratum, seed=seed, per_problem=per_problem)
    lines = [f"{dump(flaw)}\n" for flaw in flaws]
    if output is None:
        sys.stdout.writelines(lines)
    else:
        write_lines(output, lines)
        strata = len({stratum_of(flaw) for flaw in flaws})
        sys.stderr.write(
            f"{output}: {len(flaws):,} flawed solutions of {strata:,} strata (tier, position, type of error), "
            f"at most {per_stratum:,} of each\n"
        )
    return 0
