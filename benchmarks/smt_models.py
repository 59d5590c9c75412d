"""Benchmark of models that write constraint programs: untrained, distilled, refined, grammar-bound and repaired.

`python -m benchmarks.smt_models --minutes 30` runs all steps of `oracle-factory smt run` and prints tables in Markdown. With
`--run` and a sealed run it only prints the tables. `--minutes` is the time of training; writing and refinement come after it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from generators.constraints.repair.program_repair import repair
from harness.store.run_folder import RunFolder
from sft.constraints.adapter_training import metrics_of
from sft.constraints.dataset import STAGE as FORMAT, evaluation_of
from sft.constraints.evaluation import STAGE as EVALUATED, row_of, shares, table
from sft.constraints.generation import WriterModel, answers_of, stage_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NAMES = {
    "baseline": "as it comes",
    "distilled": "distilled",
    "refined": "distilled, refined",
}
DEFAULTS = {"count": 500, "evaluation": 48, "validation": 16, "corrected": 0.1, "broken": 0.2, "batch": 24, "most": 288}
"""So many problems are made; training ends with its time, the data are more than it reads."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return what the pipeline returns."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.smt_models", description=__doc__)
    parser.add_argument("--run", type=Path, default=Path("runs/smt-models"))
    parser.add_argument("--minutes", type=float, default=30.0, help="of training (30)")
    parser.add_argument("--seed", type=int, default=0)
    options, further = parser.parse_known_args(arguments)
    if not (options.run / EVALUATED / "manifest.json").is_file():
        given = [text for name, value in DEFAULTS.items() for text in (f"--{name}", str(value))]
        told = ["--run", str(options.run.resolve()), "--seed", str(options.seed)]
        told += ["--minutes", "0", "--train-minutes", str(options.minutes)]
        command = [sys.executable, "-m", "oracle_factory", "smt", "run", *told, *given, *further]
        status = subprocess.run(command, check=False).returncode
        if status:
            return status
    print(figures_of_run(RunFolder(options.run)))
    return 0


def figures_of_run(run: RunFolder) -> str:
    """Return the figures of a sealed run as Markdown."""
    counts = run.stage(FORMAT).manifest()["counts"]
    metrics, trained = json.loads(run.stage(EVALUATED).read("final_metrics.json")), metrics_of(run)
    about = (
        f"{counts['train']:,} examples to learn from, corrections among them; "
        f"{trained['steps']:,} steps, {trained['tokens_read']:,} tokens in {trained['seconds'] / 60:.1f} minutes, "
        f"loss of a token {trained['valid_loss']:.3f} on {counts['validation']} that were not; all steps "
        f"{metrics['total_runtime_seconds'] / 60:.1f} minutes. {metrics['num_examples']} problems were kept, "
        f"{counts['evaluation_shapes_trained']} with a program that is, but for names and numbers, one of those trained on."
    )
    return "\n".join([about, "", *_rows(run), "", *_domains(run), "", *_rounds(run)])


def _rows(run: RunFolder) -> Iterator[str]:
    yield from table(run).splitlines()[:2]
    for row in run.stage(EVALUATED).records("rows.jsonl"):
        name, _, held = row["row"].partition("_")
        yield row_of(f"{NAMES[name]}{', under the grammar' if held else ''}", row)
    problems = evaluation_of(run)
    for who in WriterModel:
        answers = answers_of(run, stage_name(who, held=False))
        mended = {name: repair(answer["program"]).program for name, answer in answers.items()}
        yield row_of(f"{NAMES[who]}, repaired without a model", shares(problems, mended))


def _domains(run: RunFolder) -> Iterator[str]:
    rows = {row["row"]: row["domains"] for row in run.stage(EVALUATED).records("rows.jsonl")}
    names = [name for name in rows if not name.startswith("baseline")]
    yield f"| correct of | {' | '.join(name.replace('_', ', ') for name in names)} |"
    yield f"|---|{'---|' * len(names)}"
    for domain in next(iter(rows.values())):
        cells = [f"{rows[name][domain]['correct']['count']} of {rows[name][domain]['correct']['of']}" for name in names]
        yield f"| {domain} | {' | '.join(cells)} |"


def _rounds(run: RunFolder) -> Iterator[str]:
    for held in (False, True):
        told = run.stage(stage_name("refine", held=held)).records("rounds.jsonl")
        said = Counter((reply["round"], reply["said"].partition(" ")[0].rstrip(":")) for reply in told)
        shown = ", ".join(f"round {number} {what} {count}" for (number, what), count in sorted(said.items()))
        yield f"What solvers said{' under the grammar' if held else ''}: {shown or 'nothing'}."


if __name__ == "__main__":
    sys.exit(main())
