"""The run of engines over items, which can be resumed after a kill, and the sealed results for the reports."""

import contextlib
import json
import re
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.json_form import json_form
from harness.paths import ROOT
from harness.records.verifier import EngineFigures
from harness.store.run_folder import Stage, code_fingerprint, dump, fingerprint
from sft.evaluation.baselines import ASKED, open_baseline
from sft.evaluation.dataset_items import EvaluationItem, datasets_of
from sft.evaluation.solution_metrics import Answers, answer_record, comparisons, figures
from sft.judges.remote import ZeroShotAccess
from sft.verifier.engine_registry import BATCH, ENGINES, EngineSettings, judge, open_engine

PREFIX = "predictions-"
EVERY = 10.0
_NO_NAME = re.compile(r"[^a-z0-9._-]+")
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,60}")


def kept_name(name: str) -> str:
    """Return the name under which the answers of an engine are kept, of `zero-shot:openai:gpt-4.1` with dashes; raises `HarnessError` where it cannot be used in the name of a file."""
    kept = _NO_NAME.sub("-", name.lower()) if name.startswith(ASKED) else name
    if not _NAME.fullmatch(kept):
        raise HarnessError(f"{kept[:60]!r}: expected a name of small letters, digits, '-', '_' and '.'")
    return kept


def signature(name: str, settings: EngineSettings) -> str:
    """Return a hash of the inputs of an engine's answers: its options, the code, and the weights, those of the adapter too."""
    weights = [path for ending in ("json", "npz") for path in sorted((ROOT / "sft").rglob(f"*.{ending}"))]
    weights += sorted(settings.adapter.rglob("*")) if settings.adapter is not None else []
    parts = [path.read_bytes() for path in weights if path.is_file()]
    return fingerprint([name, repr(settings), code_fingerprint(ROOT, ("harness", "oracles", "sft")), *parts])


def judge_items(
    name: str, items: Sequence[EvaluationItem], settings: EngineSettings, asking: ZeroShotAccess, stage: Stage
) -> Answers:
    """Return an engine's answers on all items; earlier answers of the same code to the same text are reused.

    A text that several items of a dataset have is judged once; the answer of the first of them alone has a time, its share of that of its
    batch. Unless the settings say, an engine that estimates the share of flawed solutions judges many items at once, the others one.

    Raises:
        HarnessError: the engine is unknown, or cannot be opened.
    """
    label = kept_name(name)
    made_by = signature(label, settings)
    answers = {key: record for key, record in _answers(label, items, stage).items() if record["signature"] == made_by}
    reported = time.monotonic()
    with contextlib.closing(stage.shard(f"{PREFIX}{label}")) as shard:
        for dataset in datasets_of(items):
            members = [item for item in items if item.dataset == dataset]
            by_text: dict[str, list[EvaluationItem]] = {}
            for item in members:
                if item.key not in answers:
                    by_text.setdefault(item.text, []).append(item)
            if not by_text:
                continue
            baseline = open_baseline(name, settings, asking, members)
            engine = baseline or open_engine(name, settings)
            texts, known = list(by_text.values()), ENGINES.get(name)
            batch = settings.batch or (known.together if known is not None and known.together > BATCH else 1)
            for place in range(0, len(texts), batch):
                part, start = texts[place : place + batch], time.perf_counter()
                given = list(judge(engine, [same[0].item() for same in part]))
                seconds = (time.perf_counter() - start) / len(part)
                for same, judgement in zip(part, given, strict=True):
                    for item in same:
                        about = {"dataset": dataset, "sample_id": item.sample.sample_id, "text": item.text}
                        record = answer_record(judgement, seconds=seconds if item is same[0] else None)
                        answers[item.key] = {**about, "signature": made_by, **record}
                        shard.append({"engine": label, **answers[item.key]})
                if time.monotonic() - reported > EVERY:
                    reported = time.monotonic()
                    sys.stderr.write(f"{name}: {len(answers):,} of {len(items):,}\n")
    return {item.key: answers[item.key] for item in items}


def _answers(name: str, items: Sequence[EvaluationItem], stage: Stage) -> Answers:
    """Return an engine's answers to these texts, from the shards and the sealed files of the stage."""
    texts = {item.key: item.text for item in items}
    records = [record for record in stage.shard_records() if record.get("engine") == name]
    path = stage.folder / f"{PREFIX}{name}.jsonl"
    if path.is_file():
        records += [record for _, record in read_records(path) if isinstance(record, dict)]
    answers: Answers = {}
    for record in records:
        key = record.get("dataset"), record.get("sample_id")
        if key in texts and record.get("text") == texts[key] and "signature" in record:
            answers[key] = {field: value for field, value in record.items() if field != "engine"}
    return answers


def kept_engines(items: Sequence[EvaluationItem], stage: Stage) -> dict[str, Answers]:
    """Return the engines with answers to all of these items in the stage, of any version of the code."""
    names = sorted(path.stem.removeprefix(PREFIX) for path in stage.folder.glob(f"{PREFIX}*.jsonl"))
    kept = {name: _answers(name, items, stage) for name in names}
    wanted = [item.key for item in items]
    return {
        name: {key: answers[key] for key in wanted}
        for name, answers in kept.items()
        if all(key in answers for key in wanted)
    }


def seal_results(
    stage: Stage,
    items: Sequence[EvaluationItem],
    engines: Mapping[str, Answers],
    *,
    rounds: int,
    seed: int,
    about: dict[str, Any],
) -> list[EngineFigures]:
    """Measure all engines on all items, seal the stage, and return the figures of each engine and dataset."""
    measured = figures(items, engines, rounds=rounds, seed=seed)
    files: dict[str, Iterable[dict[str, Any] | str]] = {
        "items.jsonl": [item.record() for item in items],
        "figures.jsonl": list(map(json_form, measured)),
        "comparisons.jsonl": comparisons(items, engines),
    }
    for name, answers in engines.items():
        files[f"{PREFIX}{name}.jsonl"] = [dump(answers[item.key]) for item in items]
    stale = [path for path in stage.folder.glob(f"{PREFIX}*.jsonl") if path.name not in files]
    signatures = {name: sorted({answer["signature"] for answer in given.values()}) for name, given in engines.items()}
    manifest = {"seed": seed, "rounds": rounds, "engines": list(engines), "signatures": signatures}
    stage.seal(files, json.loads(json.dumps({**manifest, "datasets": datasets_of(items), **about})))
    for path in stale:
        path.unlink()  # answers to other items must not stay in the stage
    return measured
