"""A seeded, stratified sample of flawed solutions, drawn by tier, position and error type.

`python -m generators.flaws.stratified_sample conceptual.jsonl --per-stratum 20 -o sample.jsonl`
"""

from __future__ import annotations

import argparse
import heapq
import itertools
import sys
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.store.run_folder import dump, write_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Record = dict[str, Any]
Stratum = tuple[str, str, str]


def stratum_of(record: Record) -> Stratum:
    """Return the tier, position and error type of a flawed solution."""
    return str(record["tier"]), str(record["position"]), str(record["label"]["error_details"]["error_type"])


def sample(
    records: Iterable[Record], *, per_stratum: int, seed: int = 0, per_problem: int | None = None
) -> list[Record]:
    """Draw at most so many records of each stratum tier × position × type, at most `per_problem` of one problem in each.

    What is drawn of a stratum depends on the seed and on that stratum's records alone, not on their order. In memory are
    the records drawn, or, with `per_problem`, those drawn of each problem.
    """
    drawn: dict[Stratum, dict[str, list[Ticket]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        name = record["flaw_id"]
        ticket = Random(f"{seed}:{name}".encode("utf-8", "surrogatepass")).random(), name, record
        group, most = ("", per_stratum) if per_problem is None else (record["problem_id"], per_problem)
        _keep(drawn[stratum_of(record)][group], ticket, most)
    return [
        record
        for stratum in sorted(drawn)
        for _, _, record in heapq.nlargest(per_stratum, itertools.chain(*drawn[stratum].values()), key=_by_number)
    ]


Ticket = tuple[float, str, Record]
"""What a record drew, its id, which decides between equal draws, and the record."""


def _keep(heap: list[Ticket], ticket: Ticket, most: int) -> None:
    """Keep the highest tickets."""
    if len(heap) < most:
        heapq.heappush(heap, ticket)
    elif ticket[:2] > heap[0][:2]:
        heapq.heapreplace(heap, ticket)


def _by_number(ticket: Ticket) -> tuple[float, str]:
    return ticket[:2]


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw a sample of a file; return 0, or 2 with one message where it cannot be read."""
    options = _parser().parse_args(arguments)
    try:
        found = sample(
            _records(options.file), per_stratum=options.per_stratum, seed=options.seed, per_problem=options.per_problem
        )
        lines = [f"{dump(record)}\n" for record in found]
        if options.output is None:
            sys.stdout.writelines(lines)
        else:
            write_lines(options.output, lines)
            sys.stderr.write(f"{options.output}: {len(found):,} flawed solutions\n")
    except (HarnessError, OSError) as error:
        sys.stderr.write(f"sample: {error}\n")
        return 2
    return 0


def _records(path: Path) -> Iterator[Record]:
    for number, record in read_records(path):
        try:
            names: list[Any] = [record["flaw_id"], record["problem_id"], *stratum_of(record)]
        except (ValueError, KeyError, TypeError):
            names = [None]
        if not all(isinstance(name, str) for name in names):
            message = f"{path}:{number}: expected a flawed solution of the mutation stage, found {ascii(record)[:80]}"
            raise HarnessError(message)
        yield record


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m generators.flaws.stratified_sample",
        description="Draw a seeded sample of flawed solutions, stratified by tier, position and error type.",
    )
    parser.add_argument("file", type=Path, help="computational.jsonl or conceptual.jsonl of a run")
    parser.add_argument("--per-stratum", type=_positive, default=20, metavar="N", help="at most N a stratum (20)")
    parser.add_argument("--per-problem", type=_positive, metavar="N", help="at most N of one problem in a stratum")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed draws another sample (0)")
    parser.add_argument("-o", "--output", type=Path, metavar="PATH", help="where to write it (standard output)")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a number of at least 1, found {text!r}")
    return number


if __name__ == "__main__":
    sys.exit(main())
