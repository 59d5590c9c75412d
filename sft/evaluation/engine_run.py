"""The run of engines over items of known label, which can be resumed after a kill, and its sealed results for the reports."""

import contextlib
import json
import re
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any, ClassVar, Generic

from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.json_form import json_form
from harness.paths import ROOT
from harness.records.verifier import EngineComparison, EngineFigures
from harness.store.progress_line import StageProgress
from harness.store.run_folder import Stage, code_fingerprint, dump, fingerprint
from sft.evaluation.dataset_items import ALL, EvaluationItem, SampleT, datasets_of
from sft.evaluation.metrics import JudgedItem, Measures, mcnemar
from sft.samples.problem_judgement import ProblemJudgement
from sft.samples.solution_judgement import Judgement
from sft.validator.problem_engine import ProblemEngineSettings
from sft.verifier.engine_registry import EngineSettings

MAJORITY = "majority"
"""The engine that gives each item the commonest label of its dataset: the best baseline that does not read them."""
ASKED = "zero-shot:"
"""The beginning of the name of an engine that asks a model of a provider; its rest is PROVIDER:MODEL."""
_NO_NAME = re.compile(r"[^a-z0-9._-]+")
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,60}")
Answers = dict[tuple[str, str], dict[str, Any]]
"""The stored judgements of an engine by the keys of the items."""


@dataclass(frozen=True, slots=True)
class OpenedEngine(Generic[SampleT]):
    """An engine that is ready: it gives a judgement on each of some samples, in order; `at_once` are best judged together."""

    judge: Callable[[Sequence[SampleT]], Iterable[Judgement | ProblemJudgement]]
    at_once: int = 1


def kept_name(name: str) -> str:
    """Return the name under which the answers of an engine are kept, of `zero-shot:openai:gpt-4.1` with dashes.

    Raises `HarnessError` where it cannot be used in the name of a file.
    """
    kept = _NO_NAME.sub("-", name.lower()) if name.startswith(ASKED) else name
    if not _NAME.fullmatch(kept):
        message = f"engine {kept[:60]!r}: expected a name of small letters, digits, '-', '_' and '.', such as {MAJORITY}; --help lists the engines"
        raise HarnessError(message)
    return kept


def signature(name: str, settings: EngineSettings | ProblemEngineSettings) -> str:
    """Return a hash of the inputs of an engine's answers: its options, the code, and the weights, those of the adapter too."""
    weights = [path for ending in ("json", "npz") for path in sorted((ROOT / "sft").rglob(f"*.{ending}"))]
    weights += sorted(settings.adapter.rglob("*")) if settings.adapter is not None else []
    parts = [path.read_bytes() for path in weights if path.is_file()]
    return fingerprint([name, repr(settings), code_fingerprint(ROOT, ("harness", "oracles", "sft")), *parts])


def answer_record(judgement: Judgement | ProblemJudgement) -> dict[str, Any]:
    """Return the stored form of a judgement: its JSON form, and whether it is valid."""
    return {**judgement.record(), "valid": judgement.valid}


@dataclass(frozen=True, slots=True)
class EngineRun(ABC, Generic[SampleT]):
    """Judges items by engines, measures them, and seals answers and figures in a stage."""

    items_file: ClassVar[str]
    prefix: ClassVar[str]
    """The beginning of the names of the files of answers."""
    measures: ClassVar[Measures]

    stage: Stage
    items: Sequence[EvaluationItem[SampleT]]
    settings: EngineSettings | ProblemEngineSettings

    @abstractmethod
    def opened(self, name: str, samples: Sequence[SampleT]) -> OpenedEngine[SampleT]:
        """Return the engine of a name for the samples of one dataset; raises `HarnessError` where it is unknown, or cannot be opened."""

    @staticmethod
    @abstractmethod
    def judged_items(items: Sequence[EvaluationItem[SampleT]], answers: Answers) -> list[JudgedItem]:
        """Return items with their answers as metrics count them."""

    def measured(
        self, names: Sequence[str], *, rounds: int, seed: int, about: Mapping[str, Any]
    ) -> list[EngineFigures]:
        """Judge all items by the named engines, and measure and seal them as `sealed` does; `about` are further fields of the manifest.

        Engines that judged all of these items before stay in the comparison.
        Raises `HarnessError` where there is no engine, or one is unknown or cannot be opened.
        """
        asked = {kept_name(name): self.answers(name) for name in names}
        there = [
            path.stem.removeprefix(self.prefix) for path in sorted(self.stage.folder.glob(f"{self.prefix}*.jsonl"))
        ]
        kept = {name: self._stored(name) for name in there if name not in asked}
        engines = {name: own for name, own in kept.items() if len(own) == len(self.items)} | asked
        if not engines:
            raise HarnessError("--engines: expected at least one")
        return self.sealed(engines, rounds=rounds, seed=seed, about=about)

    def sealed(
        self, engines: Mapping[str, Answers], *, rounds: int, seed: int, about: Mapping[str, Any]
    ) -> list[EngineFigures]:
        """Measure engines by their answers to all items, seal the stage, and return the figures of each engine and dataset."""
        parts = {name: [item for item in self.items if item.dataset == name] for name in datasets_of(self.items)}
        parts |= {ALL: list(self.items)} if len(parts) > 1 else {}
        figures: list[EngineFigures] = []
        right: dict[tuple[str, str, str], list[bool]] = {}
        for (name, answers), (dataset, part) in product(engines.items(), parts.items()):
            items = self.judged_items(part, answers)
            figures.append(self.measures.figures(items, engine=name, dataset=dataset, rounds=rounds, seed=seed))
            right[dataset, name, "verdict"] = [item.right for item in items]
            right[dataset, name, "class"] = [item.said == item.gold for item in items if item.gold]
        files: dict[str, Iterable[dict[str, Any] | str]] = {
            self.items_file: [{"dataset": item.dataset, **item.sample.record()} for item in self.items],
            "figures.jsonl": map(json_form, figures),
            "comparisons.jsonl": [
                json_form(comparison(right, dataset=dataset, engine=engine, baseline=baseline, of=of))
                for dataset, (engine, baseline), of in product(parts, permutations(engines, 2), ("verdict", "class"))
            ],
        }
        for name, answers in engines.items():
            files[f"{self.prefix}{name}.jsonl"] = [dump(answers[item.key]) for item in self.items]
        signatures = {name: sorted({answer["signature"] for answer in own.values()}) for name, own in engines.items()}
        manifest = {"seed": seed, "rounds": rounds, "engines": list(engines), "signatures": signatures}
        self.stage.seal(files, json.loads(json.dumps({**manifest, "datasets": datasets_of(self.items), **about})))
        for path in self.stage.folder.glob(f"{self.prefix}*.jsonl"):
            if path.name not in files:
                path.unlink()  # answers to other items must not stay in the stage
        return figures

    def answers(self, name: str) -> Answers:
        """Return an engine's answers on all items; earlier answers of the same code to the same text are reused.

        A text that several items of a dataset have is judged once; the answer of the first of them alone has a time, its share of that of its
        batch. Raises `HarnessError` where the engine is unknown, or cannot be opened.
        """
        label = kept_name(name)
        made_by = signature(label, self.settings)
        answers = {key: record for key, record in self._stored(label).items() if record["signature"] == made_by}
        with contextlib.closing(self.stage.shard(f"{self.prefix}{label}")) as shard:
            for dataset in datasets_of(self.items):
                members = [item for item in self.items if item.dataset == dataset]
                by_text: dict[str, list[EvaluationItem[SampleT]]] = {}
                for item in members:
                    if item.key not in answers:
                        by_text.setdefault(item.text, []).append(item)
                if not by_text:
                    continue
                engine = self.opened(name, [item.sample for item in members])
                texts = list(by_text.values())
                progress = StageProgress(f"{name}, {dataset}", sys.stderr, noun="texts")
                progress.began(len(texts))
                for place in range(0, len(texts), engine.at_once):
                    part = texts[place : place + engine.at_once]
                    start = time.perf_counter()
                    judgements = list(engine.judge([same[0].sample for same in part]))
                    seconds = round((time.perf_counter() - start) / len(part), 6)
                    for same, judgement in zip(part, judgements, strict=True):
                        for item in same:
                            about = {"dataset": dataset, "sample_id": item.sample.sample_id, "text": item.text}
                            record = {**answer_record(judgement), "seconds": seconds if item is same[0] else None}
                            answers[item.key] = {**about, "signature": made_by, **record}
                            shard.append({"engine": label, **answers[item.key]})
                    progress.advanced(len(part))
                progress.cleared()
        return {item.key: answers[item.key] for item in self.items}

    def _stored(self, name: str) -> Answers:
        """Return an engine's answers to these texts, from the shards and the sealed files of the stage."""
        texts = {item.key: item.text for item in self.items}
        records = [record for record in self.stage.shard_records() if record.get("engine") == name]
        path = self.stage.folder / f"{self.prefix}{name}.jsonl"
        if path.is_file():
            records += [record for _, record in read_records(path) if isinstance(record, dict)]
        answers: Answers = {}
        for record in records:
            key = record.get("dataset"), record.get("sample_id")
            if key in texts and record.get("text") == texts[key] and "signature" in record:
                answers[key] = {field: value for field, value in record.items() if field != "engine"}
        return answers


def comparison(
    right: Mapping[tuple[str, str, str], Sequence[bool]], *, dataset: str, engine: str, baseline: str, of: str
) -> EngineComparison:
    """Return McNemar's exact test of two engines on verdicts or, if known, on classes; `right` is by dataset, engine and one of these."""
    ours, theirs = right[dataset, engine, of], right[dataset, baseline, of]
    test = mcnemar(ours, theirs)
    return EngineComparison(dataset=dataset, engine=engine, baseline=baseline, of=of, items=len(ours), **test)
