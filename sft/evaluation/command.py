"""The commands `oracle-factory evaluate` and `oracle-factory evaluate-validator`."""

import shlex
import sys
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.command_line.option_types import Budget, DryRun, Offline, QuestionField, Seed, SolutionField, from_fields
from harness.command_line.runnable_commands import runnable
from harness.corpora.field_roles import FieldNames, TakenFields
from harness.corpora.labelled_solutions import LAYOUTS
from harness.errors import HarnessError
from harness.llm.prices import read_budget
from harness.paths import cache_folder
from harness.store.run_folder import Stage, dump, write_lines
from sft.evaluation.dataset_items import SolutionItem, adapt, item_of, items_of_drawn_problems, read_items
from sft.validator.problem_engine import ProblemEngineSettings
from sft.verifier.engine_registry import EngineSettings

if TYPE_CHECKING:
    from sft.judges.remote import ZeroShotAccess

SHOWN = ("verdict_accuracy", "weighted_f1", "macro_f1", "line_accuracy", "calibration_error")
SHOWN_OF_PROBLEMS = {
    "accuracy": "accuracy",
    "macro_f1": "macro F1",
    "unsolvable_f1": "unsolvable F1",
    "false_alarms": "false alarms",
    "recall_contradictory": "contradictory",
    "recall_underspecified": "underspecified",
    "calibration_error": "ECE",
}


Rounds = Annotated[int, typer.Option(min=1, metavar="N", help="Rounds of the bootstrap.")]
ENGINES = "Of majority, zero-shot, zero-shot:PROVIDER:MODEL, zero-shot-llm, symbolic, text, model, chat and endpoint; trained is the adapter alone; with --level majority, zero-shot, trained and chat by default."


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateOptions(EngineSettings):
    """The options of `oracle-factory evaluate`."""

    items: Annotated[
        list[Path], typer.Argument(metavar="FILE", help=f"Judged solutions, in any of: {', '.join(LAYOUTS)}.")
    ] = field(default_factory=list)
    engines: Annotated[str, typer.Option(metavar="NAME,…", help=ENGINES)] = ""
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="PATH", help="runs/NAME/verifier; with --adapt the file to write.")
    ] = ""
    adapt: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="FORMAT FILE", help="Write the samples of a file instead; FORMAT may be auto."),
    ] = None
    shape: Annotated[str, typer.Option(metavar="FORMAT", help="The format of the files; else by their fields.")] = ""
    question_field: QuestionField = ""
    solution_field: SolutionField = ""
    problems: Annotated[int, typer.Option(min=0, help="Judge N problems of each file only; 0: all.")] = 0
    seed: Seed = 0
    rounds: Rounds = 1000
    batch: Annotated[int | None, typer.Option(min=1, help="Items at once: 1, but 1,024 for text.")] = None
    store: Annotated[
        Path | None, typer.Option(help="Answers of zero-shot models; by default .cache/llm/answers.sqlite.")
    ] = None
    offline: Offline = False
    budget: Budget = None
    dry_run: DryRun = False


def evaluate_engines(options: EvaluateOptions) -> int:
    """Judge the same items by several engines and measure them.

    The results are sealed as the stage verifier of a run. With --adapt a file of a benchmark becomes samples. An engine such as
    zero-shot:openai:gpt-4.1 asks a model of a provider; its price is printed before a question is sent.

    Example: oracle-factory evaluate bench.jsonl --engines majority,symbolic,text --out runs/mine/verifier
    """
    if options.adapt:
        return _adapt(*options.adapt, options.out, FieldNames(options.question_field, options.solution_field))
    from sft.evaluation.metrics import printed_figures
    from sft.evaluation.solution_evaluation import SolutionRun
    from sft.judges.remote import ZeroShotAccess

    stage = _stage(options.out, "verifier")
    settings = _with_level(EngineSettings.of_options(options), options.engines)
    taken = TakenFields()
    items = _items(options, settings.level, taken)
    store = options.store or cache_folder() / "llm" / "answers.sqlite"
    asking = ZeroShotAccess(store, options.offline, read_budget(options.budget))
    names = _names_in_list(options.engines or ("majority,zero-shot,trained,chat" if options.level else ""))
    _print_prices(names, settings, replace(asking, offline=True), items)
    if options.dry_run:
        return 0
    about = {"items": [str(path) for path in options.items], "batch": settings.batch, "preset": settings.preset}
    about |= {"level": settings.level, "labels": settings.labels} if settings.level else {}
    run = SolutionRun(stage, items, settings, asking)
    measured = run.measured(names, rounds=options.rounds, seed=options.seed, about=about)
    read = runnable(f"oracle-factory report {shlex.quote(str(stage.folder.parent))} --verifier")
    sys.stderr.write(f"evaluate: {taken}\n")
    sys.stdout.write(f"{printed_figures(measured, dict(zip(SHOWN, SHOWN, strict=True)))}\nread it: {read}\n")
    return 0


evaluate = from_fields(evaluate_engines)


def _names_in_list(text: str) -> list[str]:
    return list(dict.fromkeys(filter(None, map(str.strip, text.split(",")))))


def _print_prices(
    names: list[str], settings: EngineSettings, asking: "ZeroShotAccess", items: list[SolutionItem]
) -> None:
    """Print what the models of providers will cost, a line for each, without a request; errors as in `RemoteJudge.of_provider`."""
    from harness.llm.prices import print_estimates
    from sft.evaluation.solution_evaluation import open_remote

    texts = {(item.dataset, item.text): item_of(item.sample) for item in items}
    estimates = []
    for name in names:
        if judge := open_remote(name, settings, asking):
            estimates.append(judge.cost(texts.values()))
            about = f"Prices of {judge.client.prices.about}. Expected: one short answer each. At most: each as long as is allowed."
            judge.close()
    if estimates:
        print_estimates(estimates, "solutions", about, stderr=True)


def _stage(out: str, name: str) -> Stage:
    """Return the stage to seal; raises `HarnessError` where its folder has another name."""
    if Path(out).name != name:
        message = f"--out {out!r}: expected a folder named {name!r} in that of a run to seal the stage in, such as runs/NAME/{name}"
        raise HarnessError(message)
    return Stage(Path(out))


def _adapt(shape: str, file: str, out: str, named: FieldNames) -> int:
    taken = TakenFields()
    samples = adapt(Path(file), "" if shape == "auto" else shape, named=named, taken=taken)
    sys.stderr.write(f"evaluate: {taken}\n")
    lines = [dump(sample.record()) + "\n" for sample in samples]
    if out in {"", "-"}:
        sys.stdout.writelines(lines)
        return 0
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    write_lines(Path(out), lines)
    flawed = sum(sample.truth.flawed for sample in samples)
    sys.stderr.write(f"{len(samples):,} samples, {flawed:,} of them flawed: {out}\n")
    return 0


def _with_level(settings: EngineSettings, engines: str) -> EngineSettings:
    """Return the settings with the level of the adapter, where the engine chat is asked and no level is named."""
    from sft.evaluation.solution_evaluation import TRAINED
    from sft.verifier.engines.language_model import asked_form

    if not settings.level and not {"chat", TRAINED} & {*_names_in_list(engines)}:
        return settings
    form = asked_form(settings)
    return replace(settings, level=str(form.level), labels=str(form.labels))


def _items(options: EvaluateOptions, level: str, taken: TakenFields) -> list[SolutionItem]:
    """Return the items; with a level, those whose label has an answer at it; raises `HarnessError` where there is none."""
    from sft.evaluation.solution_evaluation import items_at_level

    if not options.items:
        raise HarnessError("expected files of judged solutions")
    named = FieldNames(options.question_field, options.solution_field)
    items = read_items(options.items, shape=options.shape, named=named, taken=taken)
    if options.problems:
        items = items_of_drawn_problems(items, options.problems, options.seed)
    return items_at_level(items, level) if level else items


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemEvaluationOptions(ProblemEngineSettings):
    """The options of `oracle-factory evaluate-validator`."""

    problems: Annotated[
        list[Path], typer.Argument(metavar="FILE|RUN", help="JSON lines with class_label, or a run with variants.")
    ]
    engines: Annotated[
        str, typer.Option(metavar="NAME,…", help="Of majority, symbolic, chat, zero-shot and zero-shot-llm.")
    ] = "majority,symbolic"
    out: Annotated[str, typer.Option("--out", "-o", metavar="PATH", help="runs/NAME/validator.")] = ""
    question_field: QuestionField = ""
    rounds: Rounds = 1000
    seed: Seed = 0


@from_fields
def evaluate_validator(options: ProblemEvaluationOptions) -> int:
    """Judge problems of known class by several engines and measure them.

    The results are sealed as the stage validator of a run.

    Example: oracle-factory evaluate-validator runs/latest --engines majority,symbolic --out runs/mine/validator
    """
    from sft.evaluation.metrics import printed_figures
    from sft.evaluation.problem_evaluation import ProblemRun, read_problems

    stage = _stage(options.out, "validator")
    settings = ProblemEngineSettings(**{own.name: getattr(options, own.name) for own in fields(ProblemEngineSettings)})
    items = read_problems(options.problems, FieldNames(options.question_field))
    run = ProblemRun(stage, items, settings)
    names = _names_in_list(options.engines)
    measured = run.measured(names, rounds=options.rounds, seed=options.seed, about={"problems": len(items)})
    sys.stdout.write(f"{len(items):,} problems, those made of one problem as one group\n")
    sys.stdout.write(f"{printed_figures(measured, SHOWN_OF_PROBLEMS)}\nfigures and judgements: {stage.folder}\n")
    return 0
