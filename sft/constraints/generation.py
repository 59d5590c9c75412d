"""Generation of programs for the evaluation problems, with and without the adapter, free or under the grammar."""

from __future__ import annotations

import enum
import itertools
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from harness.json_form import json_form
from harness.store.csv_tables import csv_lines
from harness.store.run_folder import merge_lines
from sft.constraints.adapter_training import STAGE as TRAINED, adapter_of
from sft.constraints.clause_writer import ClauseWriter
from sft.constraints.dataset import STAGE as FORMAT, evaluation_of, form_of
from sft.constraints.program_writer import ProgramWriter
from sft.constraints.prompts import OutputForm, chat_turns, instruction_of
from sft.constraints.stages import WRITING as CODE, StageWatch, stage_for_inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from harness.store.run_folder import RunFolder, Stage
    from sft.models.base_model import LoadedModel

ANSWERS = "answers.jsonl"
GRAMMAR = "grammar"
MOST_BEHIND_A_CLAUSE = 120
"""Tokens that are written after one clause at most; a model that was not trained seldom ends a part by itself."""


class WriterModel(enum.StrEnum):
    """The model that writes: the base model, or the base model with the adapter."""

    BASELINE = "baseline"
    DISTILLED = "distilled"


@dataclass(frozen=True, slots=True)
class WriterSettings:
    """The settings of generation: the preset of the model, the batch size, the maximum number of tokens, and other weights than the preset's."""

    preset: str
    batch: int = 16
    most: int = 320
    model: str | None = None


def stage_name(who: str, *, held: bool) -> str:
    """Return the stage of the programs of a model, `held` to the grammar or not."""
    return f"smt-{who}-{GRAMMAR}" if held else f"smt-{who}"


def load(run: RunFolder, who: WriterModel, writing: WriterSettings, device: str) -> LoadedModel:
    """Return the model that writes; errors as in `sft.models.base_model`."""
    from sft.models.base_model import LoadedModel, load_base, load_with_adapter, number_format

    device = _device(device)
    if who is WriterModel.BASELINE:
        return load_base(writing.preset, device, model=writing.model)
    loaded = load_with_adapter(writing.preset, adapter_of(run), device, model=writing.model)
    if number_format(device).itemsize == 4:
        # In float32, the merged model differs by at most 5e-5 and takes a third less time; in bfloat16 it differs more.
        return LoadedModel(loaded.model.merge_and_unload(), loaded.tokenizer, device)
    return loaded


def _device(name: str) -> str:
    import torch

    if name != "auto":
        return name
    return "cuda" if torch.cuda.is_available() else "cpu"


def generate_programs(
    run: RunFolder,
    who: WriterModel,
    writing: WriterSettings,
    *,
    held: bool,
    device: str = "auto",
    loaded: Callable[[], LoadedModel] | None = None,
    watch: StageWatch | None = None,
) -> Stage:
    """Generate and seal the programs for the evaluation problems; an interrupted run continues.

    `loaded` returns a model that is already loaded. Where the time of `watch` is over, the programs that are not complete,
    which are those of the longer texts, are left out, until the stage is made again with more time.

    Raises:
        HarnessError: the problems or the adapter are not sealed, or the weights are missing.
    """
    inputs = [run.stage(FORMAT).folder, *([run.stage(TRAINED).folder] if who is WriterModel.DISTILLED else [])]
    asked = instruction_of(form_of(run))
    options = {"who": who, "held": held, **asdict(writing), "asked": asked}
    wanted = stage_for_inputs(run, stage_name(who, held=held), options, *inputs, code=CODE)
    if wanted.finished:
        return wanted.stage
    problems = evaluation_of(run)
    stage = wanted.begin(keep=ANSWERS)
    watch = watch or StageWatch(stage.folder.name)
    writer = None
    if not watch.over:
        model = loaded() if loaded else load(run, who, writing, device)
        writer = writer_of(run, model, writing, held=held)
    written, seconds = write_all(
        stage,
        writer,
        [(problem.id, chat_turns(asked, problem.problem.strip())) for problem in problems],
        watch,
    )
    table = csv_lines(
        ("id", "program", "cut"), ((answer["id"], answer["program"], answer["cut"]) for answer in written)
    )
    outputs = {f"{who}_outputs.csv": (line.removesuffix("\n") for line in table)}
    stage.seal(
        {ANSWERS: written, **outputs},
        wanted.manifest(
            options=asdict(writing),
            counts={"programs": len(written), "problems": len(problems)},
            left=len(problems) - len(written),
            seconds=round(seconds, 1),
        ),
    )
    return stage


def writer_of(
    run: RunFolder, model: LoadedModel, writing: WriterSettings, *, held: bool
) -> ProgramWriter | ClauseWriter:
    """Return the writer of programs in the form that was learnt; errors as in `form_of`."""
    if form_of(run) is OutputForm.CLAUSES:
        return ClauseWriter(model, writing.batch, min(writing.most, MOST_BEHIND_A_CLAUSE), held)
    return ProgramWriter(model, writing.batch, writing.most, held)


def write_all(
    stage: Stage,
    writer: ProgramWriter | ClauseWriter | None,
    asked: Sequence[tuple[str, list[dict[str, str]]]],
    watch: StageWatch,
    **more: Any,
) -> tuple[list[dict[str, Any]], float]:
    """Return the record of each id, in order, and the seconds of the generation; records in the shards of the stage are reused.

    Where the time of `watch` is over, also within a batch, the ids whose programs are not complete have no record;
    without a `writer` none is written. `more` are further fields of each record, which distinguish records of the same
    id.
    """

    def key(record: dict[str, Any]) -> tuple[Any, ...]:
        return (record["id"], *(record.get(name) for name in more))

    known = merge_lines(stage.shard_lines(), key)
    wanted = [(name, *more.values()) for name, _ in asked]
    shard = stage.shard("written")
    total = len(wanted) - sum(name in known for name in wanted)
    watch.progress.began(total)
    done, last = 0, time.monotonic()

    def goes_on(programs: float) -> bool:
        watch.progress.advanced(0, share=(done + programs) / max(1, total))
        return not watch.over

    if writer and not watch.over:
        for batch in writer.write([chat for _, chat in asked], lambda number: wanted[number] in known, goes_on):
            seconds = (time.monotonic() - last) / max(1, len(batch))
            for number, answer in batch.items():
                shard.append({"id": asked[number][0], **more, **json_form(answer), "seconds": round(seconds, 3)})
            last = time.monotonic()
            new = sum(wanted[number] not in known for number in batch)
            done += new
            watch.progress.advanced(new)
            if watch.over:
                break
    shard.close()
    by_key = {key(record): record for record in stage.shard_records()}
    records = [by_key[wanted_key] for wanted_key in wanted if wanted_key in by_key]
    return records, sum(record["seconds"] for record in records)


def answers_of(run: RunFolder, name: str) -> dict[str, dict[str, Any]]:
    """Return the records of a stage by the id of their problem.

    Raises:
        HarnessError: the stage is not sealed.
    """
    return {record["id"]: record for record in run.stage(name).records(ANSWERS)}


def all_kinds() -> list[tuple[WriterModel, bool]]:
    """Return each model, without and with the grammar."""
    return list(itertools.product(WriterModel, (False, True)))
