"""The steps of the constraint pipeline that need a model, one sub-command each: `python -m sft.constraints --help`.

    python -m sft.constraints format --run runs/smt --problems runs/smt/smt-validate/valid.jsonl
    python -m sft.constraints train --run runs/smt --minutes 35
    python -m sft.constraints generate --run runs/smt --who distilled --grammar
    python -m sft.constraints refine --run runs/smt
    python -m sft.constraints evaluate --run runs/smt

Each step seals a stage of the run. A step is skipped if its stage is sealed for the same inputs.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import HarnessError
from harness.store.run_folder import RunFolder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from harness.store.run_folder import Stage


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one step; return 0, or 2 with one message where it cannot be done."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    options = _parser().parse_args(arguments)
    try:
        stages = STEPS[options.step](options)
    except HarnessError as error:
        sys.stderr.write(f"constraints: {error}\n")
        return 2
    except ImportError as error:
        sys.stderr.write(f"constraints: {error}; run: make install-sft\n")
        return 2
    for stage in stages:
        sys.stdout.write(f"{stage.folder}\n")
    return 0


def _format(options: argparse.Namespace) -> list[Stage]:
    from sft.constraints.dataset import ProblemSplitPlan, make_dataset

    plan = ProblemSplitPlan(tuple(options.shares), options.most_validation, options.most_evaluation, options.seed)
    return [make_dataset(RunFolder(options.run), options.problems, options.corrections, plan)]


def _train(options: argparse.Namespace) -> list[Stage]:
    from sft.constraints.adapter_training import train_adapter

    changed = {name: getattr(options, name) for name in CHANGED if getattr(options, name) is not None}
    return [train_adapter(RunFolder(options.run), options.preset, changed, device=options.device)]


def _generate(options: argparse.Namespace) -> list[Stage]:
    from sft.constraints.generation import WriterModel, WriterSettings, generate_programs

    writing = WriterSettings(options.preset, options.batch, options.most)
    held, who = options.grammar, WriterModel(options.who)
    return [generate_programs(RunFolder(options.run), who, writing, held=held, device=options.device)]


def _refine(options: argparse.Namespace) -> list[Stage]:
    from sft.constraints.generation import WriterSettings
    from sft.constraints.refinement import refine_programs

    writing = WriterSettings(options.preset, options.batch, options.most)
    return [
        refine_programs(
            RunFolder(options.run), writing, held=options.grammar, rounds=options.rounds, device=options.device
        )
    ]


def _evaluate(options: argparse.Namespace) -> list[Stage]:
    from sft.constraints.evaluation import evaluate_programs, table

    stage = evaluate_programs(RunFolder(options.run))
    sys.stdout.write(f"{table(RunFolder(options.run))}\n")
    return [stage]


STEPS: dict[str, Callable[[argparse.Namespace], list[Stage]]] = {
    "format": _format,
    "train": _train,
    "generate": _generate,
    "refine": _refine,
    "evaluate": _evaluate,
}
CHANGED = {
    "minutes": float,
    "max_steps": int,
    "batch_size": int,
    "learning_rate": float,
    "epochs": float,
    "limit": int,
    "quantization": str,
}
"""The settings of training that this command changes; others are set by a preset of one's own."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m sft.constraints", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    steps = parser.add_subparsers(dest="step", required=True)
    found = {name: steps.add_parser(name) for name in STEPS}
    for one in found.values():
        one.add_argument(
            "--run", type=Path, default=Path("runs/smt"), metavar="DIR", help="the run's folder (runs/smt)"
        )
    _add_format(found["format"])
    for name in ("train", "generate", "refine"):
        found[name].add_argument("--preset", default="smollm2-135m-smt", metavar="NAME|PATH")
        found[name].add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    for name, kind in CHANGED.items():
        found["train"].add_argument(f"--{name.replace('_', '-')}", type=kind, metavar="X")
    found["generate"].add_argument("--who", choices=("baseline", "distilled"), default="distilled")
    for name in ("generate", "refine"):
        add_writing(found[name])
        found[name].add_argument("--grammar", action="store_true", help="hold the model to the grammar of SMT-LIB2")
    found["refine"].add_argument("--rounds", type=int, choices=(1, 2, 3), default=3)
    return parser


def _add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--problems", type=Path, required=True, metavar="FILE", help="JSONL of constraint problems")
    parser.add_argument("--corrections", type=Path, metavar="FILE", help="JSONL of programs to be corrected")
    parser.add_argument(
        "--shares", type=float, nargs=3, default=(0.85, 0.05, 0.1), metavar="X", help="of training, validation, test"
    )
    parser.add_argument("--most-validation", type=int, default=60, metavar="N")
    parser.add_argument("--most-evaluation", type=int, default=120, metavar="N")
    parser.add_argument("--seed", type=int, default=0)


def add_writing(parser: argparse.ArgumentParser) -> None:
    """Add how programs are written."""
    parser.add_argument("--batch", type=int, default=16, metavar="N", help="programs that are written at once (16)")
    parser.add_argument("--most", type=int, default=320, metavar="N", help="tokens of a program (320)")


if __name__ == "__main__":
    sys.exit(main())
