"""The commands of `oracle-factory smt` that make a model write programs: format, train, generate-programs, refine, evaluate."""

import shutil
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from harness.command_line.option_types import AnswerStoreFile, Budget, Preset, Prices, Seed, from_fields
from harness.errors import HarnessError
from harness.store.run_folder import RunFolder, Stage
from sft.constraints.output_forms import OutputForm
from sft.models.base_model import quiet_libraries

Run = Annotated[Path, typer.Option(metavar="DIR", help="Folder of the run.")]
RUN = Path("runs/smt")
PRESET = "smt-original"
ANSWER_STORE = Path(".cache/llm/answers.sqlite")
Most = Annotated[int, typer.Option(min=0, metavar="N", help="Maximum number of such problems.")]
ModelDevice = Annotated[Literal["auto", "cpu", "cuda"], typer.Option(help="Where the model runs.")]
Quantization = Annotated[
    Literal["none", "nf4"] | None,
    typer.Option(help="Format of the weights in training; by default nf4 on CUDA, none elsewhere."),
]
Form = Annotated[
    OutputForm, typer.Option(help="Learn to write the program after its reasoning, alone, or clause by clause.")
]
MODEL = ("--model", "--base-model", "--distilled-base")
WEIGHTS = "Weights of the hub or of a folder, not the preset's."
Model = Annotated[str | None, typer.Option(*MODEL, metavar="ID|FOLDER", help=WEIGHTS)]
BASELINE = "Ask this model for the baseline; none: the base model; by default ollama:phi3 where Ollama serves it."
NO_PROVIDER = "none"
Baseline = Annotated[str, typer.Option("--baseline", "--baseline-model", metavar="PROVIDER:MODEL", help=BASELINE)]
Batch = Annotated[int, typer.Option("--batch", "--batch-size", min=1, metavar="N", help="Programs in a batch.")]
MostTokens = Annotated[int, typer.Option(min=1, metavar="N", help="Maximum number of tokens of a program.")]
Grammar = Annotated[bool, typer.Option("--grammar", help="Constrain the model by the grammar of SMT-LIB 2.")]
ROUNDS = "Maximum number of corrections of a program (3) or, clause by clause, of further drafts (12)."
Rounds = Annotated[int | None, typer.Option(min=1, max=100, metavar="N", help=ROUNDS)]
ROWS = "Rows of problem, reasoning and program, CSV or JSONL, not the run's."
Rows = Annotated[Path | None, typer.Option("--data", "--dataset", metavar="FILE", help=ROWS)]
LearntForm = Annotated[OutputForm, typer.Option("--form", help="With --data: the form that is or was learnt.")]
MostRows = Annotated[
    int | None, typer.Option("--max-examples", min=1, metavar="N", help="With --data: read no more rows than this.")
]
TEXTS = "Write all problems as training texts here; no run is made."
TABLES = "Copy final_metrics.json and the tables of outputs here."


def format_dataset(
    *,
    problems: Annotated[
        Path, typer.Option("--problems", "--input", "--data", metavar="FILE", help="Constraint problems, JSONL or CSV.")
    ],
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help=TEXTS)] = None,
    run: Run = RUN,
    shares: Annotated[
        tuple[float, float, float], typer.Option(metavar="X X X", help="Shares of training, validation and test.")
    ] = (0.85, 0.05, 0.1),
    most_validation: Most = 60,
    most_evaluation: Most = 120,
    seed: Seed = 0,
    form: Form = OutputForm.REASONING,
) -> int:
    """Make training examples of problems.

    Example: oracle-factory smt format --run runs/smt --problems runs/smt/smt-validate/problems.jsonl
    """
    from sft.constraints.dataset import ProblemSplitPlan, make_dataset, write_examples

    if output is not None:
        write_examples(problems, output, form)
        sys.stdout.write(f"{output}\n")
        return 0
    plan = ProblemSplitPlan(shares, most_validation, most_evaluation, seed, form)
    return _print_folder(make_dataset(RunFolder(run), problems, plan))


@dataclass(frozen=True, slots=True)
class AdapterTrainingOptions:
    """The options of `oracle-factory smt train`: those of a run, and changes of its preset; `None` keeps the value of the preset."""

    run: Run = RUN
    data: Rows = None
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="DIR", help="Copy the adapter into this folder.")
    ] = None
    form: LearntForm = OutputForm.REASONING
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
    from sft.constraints.adapter_training import ADAPTER, train_adapter
    from sft.constraints.user_files import seal_rows

    own = {"run", "preset", "device", "data", "output", "form"}
    changed = {name: value for name, value in asdict(options).items() if name not in own and value is not None}
    folder = RunFolder(options.run)
    if options.data:
        seal_rows(folder, options.data, options.form)
    stage = train_adapter(folder, options.preset, changed, device=options.device)
    if options.output:
        shutil.copytree(stage.folder / ADAPTER, options.output, dirs_exist_ok=True)
    return _print_folder(stage)


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

    if baseline and (who != "baseline" or grammar):
        raise HarnessError("--baseline: expected --who baseline, without --grammar")
    if who == "baseline" and not grammar and (named := baseline_model(baseline)):
        return _print_folder(ask_programs(RunFolder(run), ProviderModel(named, most, store, budget, prices)))
    writing = WriterSettings(preset, batch, most, model)
    return _print_folder(generate_programs(RunFolder(run), WriterModel(who), writing, held=grammar, device=device))


Adapter = Annotated[
    Path | None, typer.Option("--adapter", "--distilled-model", metavar="DIR", help="This adapter, not the run's.")
]


def refine(
    *,
    run: Run = RUN,
    data: Rows = None,
    max_examples: MostRows = None,
    adapter: Adapter = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Copy refined_outputs.csv here.")
    ] = None,
    form: LearntForm = OutputForm.REASONING,
    grammar: Grammar = False,
    rounds: Rounds = None,
    preset: Preset = PRESET,
    model: Model = None,
    device: ModelDevice = "auto",
    batch: Batch = 16,
    most: MostTokens = 320,
) -> int:
    """Let the trained model correct its programs, or with --data the programs of a file.

    Example: oracle-factory smt refine --run runs/smt --rounds 2
    """
    quiet_libraries()
    from sft.constraints.generation import WriterSettings
    from sft.constraints.refinement import TABLE, refine_programs
    from sft.constraints.user_files import copy_output, seal_adapter, seal_programs, seal_rows

    if data and grammar:
        raise HarnessError("--grammar: the programs of --data are not written under the grammar")
    folder = RunFolder(run)
    if adapter:
        seal_adapter(folder, adapter)
    if data:
        seal_rows(folder, data, form, max_examples)
        seal_programs(folder, data, max_examples)
    writing = WriterSettings(preset, batch, most, model)
    stage = refine_programs(folder, writing, held=grammar, rounds=rounds, device=device)
    if output:
        copy_output(stage, TABLE, output)
    return _print_folder(stage)


def evaluate(
    *,
    run: Run = RUN,
    data: Rows = None,
    max_examples: MostRows = None,
    adapter: Adapter = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="DIR", help=TABLES)] = None,
    baseline: Baseline = "",
    form: LearntForm = OutputForm.REASONING,
    rounds: Rounds = None,
    preset: Preset = PRESET,
    model: Model = None,
    device: ModelDevice = "auto",
    batch: Batch = 16,
    most: MostTokens = 320,
    store: AnswerStoreFile = ANSWER_STORE,
    budget: Budget = None,
    prices: Prices = None,
) -> int:
    """Measure the programs that models wrote; with --data let baseline, adapter and refinement write those of a file first.

    Example: oracle-factory smt evaluate --run runs/smt
    """
    from sft.constraints.evaluation import evaluate_programs, table

    folder = RunFolder(run)
    if data:
        quiet_libraries()
        from sft.constraints.generation import ProviderModel, WriterSettings
        from sft.constraints.user_files import seal_adapter, seal_rows, write_programs

        seal_rows(folder, data, form, max_examples)
        if adapter:
            seal_adapter(folder, adapter)
        provider = ProviderModel(named, most, store, budget, prices) if (named := baseline_model(baseline)) else None
        write_programs(folder, WriterSettings(preset, batch, most, model), provider, rounds=rounds, device=device)
    stage = evaluate_programs(folder)
    if output:
        from sft.constraints.user_files import copy_outputs

        copy_outputs(folder, output)
    sys.stdout.write(f"{table(folder)}\n")
    return _print_folder(stage)


def baseline_model(given: str) -> str:
    """Return the model that is asked for the baseline, and say which: `given`, else phi3 where Ollama serves it, else none, the base model itself."""
    from harness.llm.providers.ollama import served_model

    if given:
        return "" if given == NO_PROVIDER else given if ":" in given else f"ollama:{given}"
    served = served_model() or ""
    writer = f"{served} writes" if served else "no Ollama serves phi3 here: the base model writes"
    sys.stderr.write(f"{writer} the baseline; --baseline says otherwise\n")
    return served


def _print_folder(stage: Stage) -> int:
    sys.stdout.write(f"{stage.folder}\n")
    return 0
