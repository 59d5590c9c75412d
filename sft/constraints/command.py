"""The commands of `oracle-factory smt` that make a model write programs: format, train, generate-programs, refine, evaluate."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from harness.command_line.option_types import AnswerStoreFile, Budget, Preset, Prices, Seed, from_fields
from harness.errors import HarnessError
from harness.store.run_folder import RunFolder
from sft.constraints.prompts import OutputForm
from sft.models.quiet_libraries import quiet_libraries

if TYPE_CHECKING:
    from harness.store.run_folder import Stage

Run = Annotated[Path, typer.Option(metavar="DIR", help="Folder of the run.")]
RUN = Path("runs/smt")
PRESET = "smollm2-135m-smt"
ANSWER_STORE = Path(".cache/llm/answers.sqlite")
Most = Annotated[int, typer.Option(min=0, metavar="N", help="Maximum number of such problems.")]
ModelDevice = Annotated[Literal["auto", "cpu", "cuda"], typer.Option(help="Where the model runs.")]
Quantization = Annotated[
    Literal["none", "nf4"] | None,
    typer.Option(help="Format of the weights in training; by default nf4 on CUDA, none elsewhere."),
]
Form = Annotated[
    OutputForm, typer.Option(help="Learn to write the program clause by clause, after its reasoning, or alone.")
]
Model = Annotated[
    str | None,
    typer.Option("--model", metavar="ID|FOLDER", help="Weights of the hub or of a folder, not the preset's."),
]
Baseline = Annotated[
    str, typer.Option(metavar="PROVIDER:MODEL", help="Ask this model for the baseline, such as ollama:phi3.")
]
Batch = Annotated[int, typer.Option("--batch", "--batch-size", min=1, metavar="N", help="Programs in a batch.")]
MostTokens = Annotated[int, typer.Option(min=1, metavar="N", help="Maximum number of tokens of a program.")]
Grammar = Annotated[bool, typer.Option("--grammar", help="Constrain the model by the grammar of SMT-LIB 2.")]
ROUNDS = "Maximum number of corrections of a program (3) or, clause by clause, of further drafts (12)."
Rounds = Annotated[int | None, typer.Option(min=1, max=100, metavar="N", help=ROUNDS)]


def format_dataset(
    *,
    problems: Annotated[Path, typer.Option(metavar="FILE", help="JSONL of constraint problems.")],
    run: Run = RUN,
    shares: Annotated[
        tuple[float, float, float], typer.Option(metavar="X X X", help="Shares of training, validation and test.")
    ] = (0.85, 0.05, 0.1),
    most_validation: Most = 60,
    most_evaluation: Most = 120,
    seed: Seed = 0,
    form: Form = OutputForm.CLAUSES,
) -> int:
    """Make training examples of problems.

    Example: oracle-factory smt format --run runs/smt --problems runs/smt/smt-validate/problems.jsonl
    """
    from sft.constraints.dataset import ProblemSplitPlan, make_dataset

    plan = ProblemSplitPlan(shares, most_validation, most_evaluation, seed, form)
    return _print_folder(make_dataset(RunFolder(run), problems, plan))


@dataclass(frozen=True, slots=True)
class AdapterTrainingOptions:
    """The options of `oracle-factory smt train`: those of a run, and changes of its preset; `None` keeps the value of the preset."""

    run: Run = RUN
    preset: Preset = PRESET
    device: ModelDevice = "auto"
    model: Model = None
    minutes: Annotated[float | None, typer.Option(min=0, metavar="X", help="Maximum time of the training.")] = None
    max_steps: Annotated[int | None, typer.Option(min=0, metavar="N", help="Maximum number of steps.")] = None
    batch_size: Annotated[int | None, typer.Option(min=1, metavar="N", help="Sequences in a batch.")] = None
    learning_rate: Annotated[float | None, typer.Option(min=0, metavar="X", help="Highest learning rate.")] = None
    epochs: Annotated[float | None, typer.Option(min=0, metavar="X", help="Maximum number of epochs.")] = None
    limit: Annotated[int | None, typer.Option(min=0, metavar="N", help="Maximum number of training sequences.")] = None
    quantization: Quantization = None


@from_fields
def train(options: AdapterTrainingOptions) -> int:
    """Train the adapter that writes programs.

    Example: oracle-factory smt train --run runs/smt --minutes 35
    """
    quiet_libraries()
    from sft.constraints.adapter_training import train_adapter

    changed = {name: value for name, value in asdict(options).items() if value is not None}
    run, preset, device = (changed.pop(name) for name in ("run", "preset", "device"))
    return _print_folder(train_adapter(RunFolder(run), preset, changed, device=device))


def generate_programs(
    *,
    run: Run = RUN,
    who: Annotated[
        Literal["baseline", "distilled"], typer.Option(help="The base model, or the model with the adapter.")
    ] = "distilled",
    grammar: Grammar = False,
    preset: Preset = PRESET,
    model: Model = None,
    device: ModelDevice = "auto",
    batch: Batch = 16,
    most: MostTokens = 320,
    baseline: Baseline = "",
    store: AnswerStoreFile = ANSWER_STORE,
    budget: Budget = None,
    prices: Prices = None,
) -> int:
    """Let a model write programs for the evaluation.

    With --baseline, a model of a provider is asked instead of the base model; it needs `make install-llm`.

    Example: oracle-factory smt generate-programs --run runs/smt --who distilled --grammar
    """
    quiet_libraries()
    from sft.constraints.generation import ProviderModel, WriterModel, WriterSettings, ask_programs, generate_programs

    if baseline:
        if who != "baseline" or grammar:
            raise HarnessError("--baseline: expected --who baseline, without --grammar")
        return _print_folder(ask_programs(RunFolder(run), ProviderModel(baseline, most, store, budget, prices)))
    writing = WriterSettings(preset, batch, most, model)
    return _print_folder(generate_programs(RunFolder(run), WriterModel(who), writing, held=grammar, device=device))


def refine(
    *,
    run: Run = RUN,
    grammar: Grammar = False,
    rounds: Rounds = None,
    preset: Preset = PRESET,
    model: Model = None,
    device: ModelDevice = "auto",
    batch: Batch = 16,
    most: MostTokens = 320,
) -> int:
    """Let the trained model correct its programs.

    Example: oracle-factory smt refine --run runs/smt --rounds 2
    """
    quiet_libraries()
    from sft.constraints.generation import WriterSettings
    from sft.constraints.refinement import refine_programs

    writing = WriterSettings(preset, batch, most, model)
    return _print_folder(refine_programs(RunFolder(run), writing, held=grammar, rounds=rounds, device=device))


def evaluate(*, run: Run = RUN) -> int:
    """Measure the programs that models wrote.

    Example: oracle-factory smt evaluate --run runs/smt
    """
    from sft.constraints.evaluation import evaluate_programs, table

    stage = evaluate_programs(RunFolder(run))
    sys.stdout.write(f"{table(RunFolder(run))}\n")
    return _print_folder(stage)


def _print_folder(stage: Stage) -> int:
    sys.stdout.write(f"{stage.folder}\n")
    return 0
