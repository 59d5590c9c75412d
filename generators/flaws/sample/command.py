"""The command `oracle-factory sample`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from harness.command_line.option_types import Seed


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
    from generators.flaws.sample.stratified_sample import read_flaws, sample as drawn, stratum_of
    from harness.store.run_folder import dump, write_lines

    flaws = drawn(read_flaws(file), per_stratum=per_stratum, seed=seed, per_problem=per_problem)
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
