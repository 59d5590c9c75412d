"""The evaluation command: verifiers and baselines judge the same items, `python -m sft.evaluation.command --help`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError
from harness.paths import cache_folder
from harness.store.run_folder import Stage, dump, write_lines
from sft.evaluation.benchmark_files import ADAPTERS, adapt
from sft.evaluation.dataset_items import items_of_drawn_problems, read_items
from sft.evaluation.judgement_run import (
    EvaluationPlan,
    checked_name,
    judge_items,
    kept_engines,
    read_predictions,
    seal_results,
)
from sft.evaluation.metamorphic_relations import related_items, stage_pairs
from sft.evaluation.metrics import ROUNDS
from sft.models.presets import DEFAULT
from sft.verifier.engine import ENGINES, EngineSettings
from sft.verifier.zero_shot import ZeroShotAccess

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sft.evaluation.dataset_items import EvaluationItem

STAGE = "verifier"
BASELINES = ("majority", "zero-shot", "zero-shot-llm")
SHOWN = ("verdict_accuracy", "weighted_f1", "macro_f1", "line_accuracy", "calibration_error")


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge items by engines and seal what they said, or turn a file of a benchmark into samples.

    Returns:
        0, or 2 where something cannot be read or opened: one message on stderr, no traceback.
    """
    options = _parser().parse_args(arguments)
    try:
        if options.adapt:
            shape, file = options.adapt
            return _adapt(shape, file, options.out)
        return _evaluate(options)
    except HarnessError as error:
        sys.stderr.write(f"sft.evaluation.command: {' '.join(str(error).split())}\n")
        return 2


def _adapt(shape: str, file: str, out: str) -> int:
    samples = adapt(Path(file), "" if shape == "auto" else shape)
    lines = [dump(sample.record()) + "\n" for sample in samples]
    if out in {"", "-"}:
        sys.stdout.writelines(lines)
    else:
        Path(out).parent.mkdir(parents=True, exist_ok=True)
        write_lines(Path(out), lines)
        sys.stderr.write(
            f"{len(samples):,} samples, {sum(one.truth.flawed for one in samples):,} of them flawed: {out}\n"
        )
    return 0


def _evaluate(options: argparse.Namespace) -> int:
    if not options.out:
        raise HarnessError("--out: expected the folder to seal the stage in, such as runs/NAME/verifier")
    stage = Stage(Path(options.out))
    if stage.folder.name != STAGE:
        raise HarnessError(
            f"--out {options.out}: expected a folder named {STAGE!r} in that of a run, such as runs/NAME/{STAGE}"
        )
    items = _items(options)
    settings = EngineSettings(
        preset=options.preset,
        adapter=Path(options.adapter) if options.adapter else None,
        device=options.device,
        endpoint=options.endpoint,
        model=options.model,
        twins=options.twins,
        explain=not options.no_explanations,
        batch=max(options.batch, 1),
    )
    asking = ZeroShotAccess(
        Path(options.store) if options.store else cache_folder() / "llm" / "answers.sqlite", options.offline
    )
    plan = EvaluationPlan(settings, asking, max(options.batch, 1))
    asked: dict[str, Any] = {}
    for given in options.predictions:
        name, separator, file = given.partition("=")
        if not separator:
            raise HarnessError(f"--predictions {given!r}: expected NAME=FILE")
        asked[checked_name(name)] = read_predictions(Path(file), items)
    for name in options.engines:
        asked[name] = judge_items(name, items, plan, stage)
    engines = {**{name: one for name, one in kept_engines(items, stage).items() if name not in asked}, **asked}
    if not engines:
        raise HarnessError("--engines: expected at least one, or --predictions NAME=FILE")
    about = {"items": [str(path) for path in options.items], "batch": plan.batch, "preset": settings.preset}
    figures = seal_results(stage, items, engines, rounds=options.rounds, seed=options.seed, about=about)
    _print(figures)
    sys.stdout.write(f"\nread it: oracle-factory report {stage.folder.parent} --verifier\n")
    return 0


def _items(options: argparse.Namespace) -> list[EvaluationItem]:
    if not options.items and not options.pairs:
        raise HarnessError("--items: expected files of judged solutions")
    items = read_items([Path(path) for path in options.items], shape=options.shape)
    if options.problems:
        items = items_of_drawn_problems(items, options.problems, options.seed)
    pairs = [one for run in options.pairs for one in stage_pairs(Path(run), options.problems, options.seed)]
    return [*items, *(related_items(items, options.seed) if options.metamorphic else []), *pairs]


def _print(figures: list[dict[str, Any]]) -> None:
    """Print a line for each engine and dataset."""
    wide = max(len(row["engine"]) for row in figures)
    long = max(len(row["dataset"]) for row in figures)
    head = "  ".join(f"{name:>17s}" for name in SHOWN)
    sys.stdout.write(f"{'dataset':{long}s}  {'engine':{wide}s}  {'items':>6s}  {head}  {'p50 ms':>8s}\n")
    for row in sorted(figures, key=lambda row: (row["dataset"], row["engine"])):
        cells = "  ".join(f"{_told(row['metrics'][name]):>17s}" for name in SHOWN)
        middle = row["latency"]["p50"]
        took = "-" if middle is None else f"{1000 * middle:.1f}"
        sys.stdout.write(f"{row['dataset']:{long}s}  {row['engine']:{wide}s}  {row['items']:6d}  {cells}  {took:>8s}\n")


def _told(estimate: dict[str, Any]) -> str:
    if estimate["value"] is None:
        return "-"
    return f"{estimate['value']:.3f} {estimate['low']:.2f}..{estimate['high']:.2f}"


def _parser() -> argparse.ArgumentParser:
    engines = ", ".join([*BASELINES, *(one.name for one in ENGINES)])
    shapes = ", ".join(one.name for one in ADAPTERS)
    parser = argparse.ArgumentParser(
        prog="python -m sft.evaluation.command",
        description="Judge items by several engines and measure how well they do.",
    )
    parser.add_argument(
        "--items", nargs="+", default=[], metavar="FILE", help=f"judged solutions, of any of these shapes: {shapes}"
    )
    parser.add_argument("--shape", default="", help="the shape of the files, found by their fields if not given")
    parser.add_argument("--engines", nargs="+", default=[], metavar="NAME", help=f"any of {engines}")
    parser.add_argument(
        "--predictions",
        nargs="+",
        default=[],
        metavar="NAME=FILE",
        help="output lines of oracle-factory verify",
    )
    parser.add_argument("--out", "-o", default="", help="runs/NAME/verifier; with --adapt the file to write")
    parser.add_argument(
        "--adapt", nargs=2, metavar=("SHAPE", "FILE"), help="write the samples of a file instead; SHAPE may be auto"
    )
    parser.add_argument(
        "--metamorphic", action="store_true", help="judge renamed, reordered and mended relatives of the items too"
    )
    parser.add_argument(
        "--pairs", nargs="+", default=[], metavar="RUN", help="judge pairs of a run's mutation and variant stages too"
    )
    parser.add_argument("--problems", type=int, default=0, help="judge the items of so many problems of each file only")
    parser.add_argument("--seed", type=int, default=0, help="of the bootstrap and of what is drawn")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"of the bootstrap, {ROUNDS} by default")
    parser.add_argument("--preset", default=DEFAULT, help=f"of the model, {DEFAULT} by default")
    parser.add_argument("--adapter", default="", help="folder of an adapter and its combiners")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--endpoint", default="", help="base URL of an OpenAI-compatible server")
    parser.add_argument("--model", default="", help="its model; without --endpoint PROVIDER:MODEL of zero-shot-llm")
    parser.add_argument("--batch", type=int, default=1, help="items at once; 1 (the default) times each by itself")
    parser.add_argument("--twins", action="store_true", help="score lines against their neighbours too")
    parser.add_argument("--no-explanations", action="store_true", help="let no model write explanations")
    parser.add_argument(
        "--store", default="", help="file of answers of zero-shot models, .cache/llm/answers.sqlite by default"
    )
    parser.add_argument("--offline", action="store_true", help="ask no zero-shot model; use answers of before")
    return parser


if __name__ == "__main__":
    # A terminal that lacks a character shows its escape; the table goes on.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # both are text streams
    sys.exit(main())
