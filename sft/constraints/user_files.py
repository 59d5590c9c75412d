"""The steps of the original pipeline on files of a user in place of sealed stages: rows and an adapter are sealed as the stages that make them."""

import shutil
from dataclasses import asdict
from pathlib import Path

from harness.errors import HarnessError
from harness.json_form import json_form
from harness.store.run_folder import RunFolder, Stage, fingerprint
from sft.constraints import generation
from sft.constraints.adapter_training import ADAPTER, STAGE as TRAINED
from sft.constraints.dataset import EVALUATION, STAGE as FORMAT, TRAIN, VALIDATION, ProblemSplitPlan, read_problems
from sft.constraints.evaluation import METRICS, STAGE as EVALUATED
from sft.constraints.output_forms import OutputForm, example_of
from sft.constraints.refinement import refine_programs
from sft.constraints.stages import digest, stage_for_inputs

HELD = 20
"""Of so many rows, the first is validated on."""


def seal_rows(run: RunFolder, rows: Path, form: OutputForm, most: int | None = None) -> None:
    """Seal the rows of a file, at most `most`, as the examples to learn from and as the problems to write programs for.

    One row in `HELD` is validated on while the others are learnt; of a single row, both are that row.
    Errors as in `read_problems`.
    """
    plan = ProblemSplitPlan(form=form)
    wanted = stage_for_inputs(run, FORMAT, {**asdict(plan), "rows": most}, rows)
    if wanted.done:
        return
    problems = read_problems(rows)[:most]
    examples = [json_form(example_of(problem, form)) for problem in problems if problem.program]
    held = examples[::HELD]
    files = {
        TRAIN: [example for number, example in enumerate(examples) if number % HELD] or held,
        VALIDATION: held,
        EVALUATION: map(json_form, problems),
    }
    wanted.seal(files, {"train": len(examples), "evaluation": len(problems)}, options=asdict(plan))


def seal_adapter(run: RunFolder, folder: Path) -> None:
    """Seal the adapter in a folder as the trained one; raises `HarnessError` where the folder holds no adapter."""
    if not (folder / "adapter_config.json").is_file():
        raise HarnessError(f"{folder}: no adapter here; expected adapter_config.json and its weights")
    inputs = fingerprint([digest(path) for path in sorted(folder.iterdir()) if path.is_file()])
    stage = run.stage(TRAINED)
    if not (stage.sealed and stage.manifest().get("inputs") == inputs):
        stage.discard()
        shutil.copytree(folder, stage.folder / ADAPTER)
        stage.seal({}, {"inputs": inputs, "seconds": 0.0})


def seal_programs(run: RunFolder, rows: Path, most: int | None = None) -> None:
    """Seal the programs of the rows as those that the model with the adapter wrote, to be refined; errors as in `read_problems`."""
    name = generation.stage_name(generation.WriterModel.DISTILLED, held=False)
    wanted = stage_for_inputs(run, name, {"rows": most}, rows)
    if not wanted.done:
        records = [{"id": problem.id, "program": problem.program} for problem in read_problems(rows)[:most]]
        wanted.seal({generation.ANSWERS: records}, {"programs": len(records)})


def write_programs(
    run: RunFolder,
    writing: generation.WriterSettings,
    provider: generation.ProviderModel | None,
    *,
    rounds: int | None,
    device: str,
) -> None:
    """Seal what the baseline, the model with the adapter, and its refinement write for the sealed rows; errors as theirs."""
    if provider:
        generation.ask_programs(run, provider)
    else:
        generation.generate_programs(run, generation.WriterModel.BASELINE, writing, held=False, device=device)
    if run.stage(TRAINED).sealed:
        generation.generate_programs(run, generation.WriterModel.DISTILLED, writing, held=False, device=device)
        refine_programs(run, writing, held=False, rounds=rounds, device=device)


def copy_output(stage: Stage, name: str, output: Path) -> None:
    """Copy a sealed file to a path of the user."""
    output.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(stage.folder / name, output)


def copy_outputs(run: RunFolder, folder: Path) -> None:
    """Copy the metrics of a run, and the tables of what was written, into a folder."""
    for path in (run.stage(EVALUATED).folder / METRICS, *run.folder.glob("smt-*/*_outputs.csv")):
        copy_output(Stage(path.parent), path.name, folder / path.name)
