"""The command `oracle-factory evaluate-validator`."""

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.command_line.option_types import AnswerStoreFile, Device, Offline, Preset, Seed, from_fields
from harness.errors import HarnessError
from harness.store.run_folder import Stage
from sft.models.presets import DEFAULT
from sft.validator.problem_engine import Endpoint, ModelName, ProblemEngineSettings

if TYPE_CHECKING:
    from harness.records.verifier import EngineFigures, Estimate

STAGE = "validator"
SHOWN = {
    "accuracy": "accuracy",
    "macro_f1": "macro F1",
    "unsolvable_f1": "unsolvable F1",
    "false_alarms": "false alarms",
    "recall_contradictory": "contradictory",
    "recall_underspecified": "underspecified",
    "calibration_error": "ECE",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemEvaluationOptions:
    """The options of `oracle-factory evaluate-validator`."""

    problems: Annotated[
        list[Path],
        typer.Argument(metavar="FILE|RUN", help="JSON lines with class_label, or a run with a variant stage."),
    ]
    engines: Annotated[
        str,
        typer.Option(metavar="NAME,…", help="Of majority, symbolic, chat, zero-shot and zero-shot-llm."),
    ] = "majority,symbolic"
    out: Annotated[str, typer.Option("--out", "-o", metavar="PATH", help="runs/NAME/validator.")] = ""
    adapter: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder of an adapter, for chat.")] = None
    prior: Annotated[
        float | None,
        typer.Option(min=0.001, max=0.999, metavar="SHARE", help="Expected share of problems without an answer."),
    ] = None
    preset: Preset = DEFAULT
    device: Device = "cpu"
    model: ModelName = ""
    endpoint: Endpoint = ""
    store: AnswerStoreFile = field(default_factory=lambda: Path(".cache/llm/answers.sqlite"))
    offline: Offline = False
    rounds: Annotated[int, typer.Option(min=1, metavar="N", help="Rounds of the bootstrap.")] = 1000
    seed: Seed = 0


@from_fields
def evaluate_validator(options: ProblemEvaluationOptions) -> int:
    """Judge problems of known class by several engines and measure them.

    The results are sealed as the stage validator of a run.

    Example: oracle-factory evaluate-validator runs/latest --engines majority,symbolic --out runs/mine/validator
    """
    from sft.evaluation.problem_evaluation import evaluate_problems, judge_samples, read_samples
    from sft.judges.remote import ZeroShotAccess

    stage = Stage(Path(options.out))
    if stage.folder.name != STAGE:
        raise HarnessError(f"--out {options.out!r}: expected a folder named {STAGE!r} in that of a run")
    names = list(dict.fromkeys(filter(None, map(str.strip, options.engines.split(",")))))
    if not names:
        raise HarnessError("--engines: expected at least one")
    samples = read_samples(options.problems)
    asking = ZeroShotAccess(options.store, options.offline)
    settings = ProblemEngineSettings(
        options.adapter, options.prior, options.preset, options.device, options.model, options.endpoint, asking
    )
    engines = {name: judge_samples(name, samples, settings) for name in names}
    _print(evaluate_problems(stage, samples, engines, rounds=options.rounds, seed=options.seed))
    sys.stdout.write(f"\nfigures and judgements: {stage.folder}\n")
    return 0


def _print(measured: "list[EngineFigures]") -> None:
    """Print a line for each engine."""
    wide = max(len("engine"), *(len(figures.engine) for figures in measured))
    head = "  ".join(f"{title:>17s}" for title in SHOWN.values())
    sys.stdout.write(f"{measured[0].items:,} problems, those made of one problem as one group\n")
    sys.stdout.write(f"{'engine':{wide}s}  {head}  {'p50 ms':>8s}\n")
    for figures in measured:
        cells = "  ".join(f"{_told(figures.metrics[name]):>17s}" for name in SHOWN)
        middle = figures.latency.p50
        took = "-" if middle is None else f"{1000 * middle:.1f}"
        sys.stdout.write(f"{figures.engine:{wide}s}  {cells}  {took:>8s}\n")


def _told(shown: "Estimate") -> str:
    if shown.value is None or shown.low is None or shown.high is None:
        return "-"
    return f"{shown.value:.3f} {shown.low:.2f}..{shown.high:.2f}"
