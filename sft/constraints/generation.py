"""Generation of programs for the evaluation problems, with and without the adapter, free or under the grammar, or by a provider's model."""

import enum
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness.errors import HarnessError
from harness.json_form import json_form
from harness.llm.answer_store import AnswerStore
from harness.llm.client import Client
from harness.llm.messages import Message, Request, StopReason
from harness.llm.prices import PriceTable, read_budget
from harness.llm.provider import split_model_name
from harness.llm.question_job import Question, QuestionJob, replay
from harness.records.constraint import table
from harness.store.run_folder import RunFolder, Stage
from sft.constraints.adapter_training import STAGE as TRAINED, adapter_of
from sft.constraints.dataset import STAGE as FORMAT, evaluation_of, plan_of
from sft.constraints.output_forms import WRITE, chat_turns
from sft.constraints.program_writer import ProgramWriter, WrittenProgram, program_in
from sft.constraints.stages import LEFT, WRITING as CODE, PipelineStage, StageWatch, stage_for_inputs
from sft.models.base_model import LoadedModel, load_preset, number_format

ANSWERS = "answers.jsonl"
GRAMMAR = "grammar"
_LOADED: dict[tuple[Any, ...], LoadedModel] = {}
"""The model that was loaded last: each takes half a gigabyte or more."""


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


@dataclass(frozen=True, slots=True)
class ProviderModel:
    """A model of a provider, as `ollama:phi3`: the most tokens of an answer, the store of answers, and the budget in dollars with its prices."""

    spec: str
    most: int
    store: Path
    budget: str | None = None
    prices: Path | None = None


def stage_name(who: str, *, held: bool) -> str:
    """Return the stage of the programs of a model, `held` to the grammar or not."""
    return f"smt-{who}-{GRAMMAR}" if held else f"smt-{who}"


def load(run: RunFolder, who: WriterModel, writing: WriterSettings, device: str) -> LoadedModel:
    """Return the model that writes; errors as in `sft.models.base_model`."""
    import torch

    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    if who is WriterModel.BASELINE:
        return load_preset(writing.preset, device, model=writing.model)
    loaded = load_preset(writing.preset, device, model=writing.model, adapter=adapter_of(run))
    if number_format(device).itemsize == 4:
        # In float32, the merged model differs by at most 5e-5 and takes a third less time; in bfloat16 it differs more.
        return LoadedModel(loaded.model.merge_and_unload(), loaded.tokenizer, device)
    return loaded


def writer_of(run: RunFolder, who: WriterModel, writing: WriterSettings, *, held: bool, device: str) -> ProgramWriter:
    """Return the writer of programs in the form that was learnt; errors as in `load` and `plan_of`."""
    sealed = run.stage(TRAINED).manifest().get("inputs") if who is WriterModel.DISTILLED else ""
    key = (run.folder, who, writing.preset, writing.model, device, sealed)
    if key not in _LOADED:
        _LOADED.clear()
        _LOADED[key] = load(run, who, writing, device)
    return ProgramWriter(_LOADED[key], plan_of(run).form, writing.batch, writing.most, held)


def generate_programs(
    run: RunFolder,
    who: WriterModel,
    writing: WriterSettings,
    *,
    held: bool,
    device: str = "auto",
    watch: StageWatch | None = None,
) -> Stage:
    """Generate and seal the programs for the evaluation problems; an interrupted run continues.

    Where the time of `watch` is over, the programs that are not complete, which are those of the longer texts, are left out,
    until the stage is made again with more time.
    Raises `HarnessError` where the problems or the adapter are not sealed, or the weights are missing.
    """
    inputs = [run.stage(FORMAT).folder, *([run.stage(TRAINED).folder] if who is WriterModel.DISTILLED else [])]
    asked = plan_of(run).form.instruction
    options = {"who": who, "held": held, **asdict(writing), "asked": asked}
    wanted = stage_for_inputs(run, stage_name(who, held=held), options, *inputs, code=CODE)
    if wanted.finished:
        return wanted.stage
    stage = wanted.begin(keep=ANSWERS)
    watch = watch or StageWatch(stage.folder.name)
    writer = None if watch.over else writer_of(run, who, writing, held=held, device=device)
    chats = [(problem.id, chat_turns(asked, problem.problem.strip())) for problem in evaluation_of(run)]
    records = write_all(stage, writer, chats, watch)
    seconds = round(sum(record["seconds"] for record in records), 1)
    return _sealed(wanted, who, records, len(chats), options=asdict(writing), seconds=seconds)


def _sealed(
    wanted: PipelineStage, who: WriterModel, records: list[dict[str, Any]], problems: int, **more: Any
) -> Stage:
    counts = {"programs": len(records), "problems": problems}
    manifest = wanted.manifest(counts=counts, **{LEFT: problems - len(records)}, **more)
    outputs = table(records, ("id", "program", "cut"))
    wanted.stage.seal({ANSWERS: records, f"{who}_outputs.csv": outputs}, manifest)
    return wanted.stage


def write_all(
    stage: Stage,
    writer: ProgramWriter | None,
    asked: Sequence[tuple[str, list[dict[str, str]]]],
    watch: StageWatch,
    **more: Any,
) -> list[dict[str, Any]]:
    """Return the record of each id, in order; records in the shards of the stage are reused.

    Where the time of `watch` is over, also within a batch, the ids whose programs are not complete have no record;
    without a `writer` none is written. `more` are further fields of each record, which distinguish records of the same id.
    """

    def key(record: dict[str, Any]) -> tuple[Any, ...]:
        return (record["id"], *(record.get(name) for name in more))

    def goes_on() -> bool:
        watch.progress.advanced(0)
        return not watch.over

    wanted = [(name, *more.values()) for name, _ in asked]
    known = {key(record) for record in stage.shard_records()}
    watch.progress.began(sum(one not in known for one in wanted))
    last = time.monotonic()
    with closing(stage.shard("written")) as shard:
        chats = [chat for _, chat in asked]
        writes = writer is not None and not watch.over
        for batch in writer.write(chats, lambda number: wanted[number] in known, goes_on) if writer and writes else ():
            seconds = round((time.monotonic() - last) / max(1, len(batch)), 3)
            for number, answer in batch.items():
                shard.append({"id": asked[number][0], **more, **json_form(answer), "seconds": seconds})
            last = time.monotonic()
            watch.progress.advanced(sum(wanted[number] not in known for number in batch))
            if watch.over:
                break
    by_key = {key(record): record for record in stage.shard_records()}
    return [by_key[one] for one in wanted if one in by_key]


def answers_of(run: RunFolder, name: str) -> dict[str, dict[str, Any]]:
    """Return the records of a sealed stage by the id of their problem."""
    return {record["id"]: record for record in run.stage(name).records(ANSWERS)}


def ask_programs(run: RunFolder, model: ProviderModel, watch: StageWatch | None = None) -> Stage:
    """Seal the programs that a model of a provider writes for the evaluation problems as those of the baseline.

    Problems without an answer are left out, until the same command is given again.
    Raises `HarnessError` where the problems are not sealed, the provider cannot be used, or no problem has an answer.
    """
    name = stage_name(WriterModel.BASELINE, held=False)
    options = {"asked": WRITE, "spec": model.spec, "most": model.most}
    wanted = stage_for_inputs(run, name, options, run.stage(FORMAT).folder, code=CODE)
    if wanted.finished:
        return wanted.stage
    provider, named = split_model_name(model.spec)
    questions = {}
    for problem in evaluation_of(run):
        asked = (Message("user", problem.problem.strip()),)
        questions[problem.id] = Question(Request(provider, named, asked, system=WRITE, max_tokens=model.most))
    watch = watch or StageWatch(name)
    with AnswerStore(model.store) as store:
        client = Client(store, prices=PriceTable.load(model.prices), budget=read_budget(model.budget))
        over = "the time was over"
        job = QuestionJob(client, stopped=over if watch.over else "")

        def advanced() -> None:
            watch.progress.advanced(1)
            job.stopped = job.stopped or (over if watch.over else "")

        waiting = [question for question in questions.values() if replay(question, store) is not None]
        watch.progress.began(len(waiting))
        job.run(job.ask(waiting, advanced))
        records = [record for name, question in questions.items() if (record := _record(name, question, store))]
    if not records:
        faults = [question.outcome.fault for question in questions.values() if question.outcome]
        message = f"{model.spec} answered none of {len(questions):,} questions: {faults[-1] if faults else job.stopped}"
        raise HarnessError(message)
    wanted.begin()
    return _sealed(wanted, WriterModel.BASELINE, records, len(questions), options=options)


def _record(name: str, question: Question, store: AnswerStore) -> dict[str, Any] | None:
    """Return the record of an answer with the seconds that its attempts took, `None` where there is no answer."""
    if question.outcome is None or question.outcome.reply is None:
        return None
    reply = question.outcome.reply
    program = WrittenProgram(reply.text, program_in(reply.text), reply.stop is StopReason.LENGTH)
    seconds = sum(row["seconds"] or 0.0 for row in store.attempts(question.request.key))
    return {"id": name, **json_form(program), "seconds": round(seconds, 3)}
