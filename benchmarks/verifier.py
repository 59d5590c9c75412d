"""Benchmark of the verifier on solutions that people and models wrote, with the contribution of each part.

`python -m benchmarks verifier` measures; `python -m benchmarks.verifier --fit` writes the combiner of the committed adapter.
The model's output for a text is kept under `.cache/verifier`, by the content of the adapter and the text.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.corpora.problems import load_corpus, read_records
from harness.json_form import json_form, read_record
from harness.paths import cache_folder, data_folder
from harness.solution.labels import ErrorClass
from harness.store.run_folder import dump
from harness.text.markup import without_annotations
from sft.evaluation.benchmark_files import adapt
from sft.evaluation.metrics import mcnemar
from sft.models.presets import DEFAULT
from sft.samples.items import Sample, Truth
from sft.samples.solution_text import read_item
from sft.verifier.case import EVIDENCE
from sft.verifier.combiner.combiner import CLASSES, SOUND
from sft.verifier.combiner.combiner_fit import cross_fit, fit
from sft.verifier.combiner.evidence_rows import label_of, rows_of
from sft.verifier.engine_registry import ADAPTERS, judge, open_engine
from sft.verifier.model_scores import Scores

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from harness.domain import Problem
    from sft.samples.items import Item
    from sft.verifier.combiner.combiner import Combiner

FOLDER = ADAPTERS / DEFAULT
HUMAN, ACCEPTED, MODELS = "human_written", "human_accepted_conceptual", "model_solutions/dev"
AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class SampleFeatures:
    """Samples of one file with their features, the model's among them."""

    samples: list[Sample]
    features: list[dict[str, float]]


def measure(data: Path) -> str:
    """Return the figures as Markdown."""
    head = "## The verifier on solutions of people and models\n\n    python -m benchmarks verifier"
    if not (data / "errors" / "human_written.jsonl").exists():
        return f"{head}\n\nNot measured: the data are not there."
    human, accepted, models = (_rows(read(data)) for read in (human_written, accepted_errors, _models))
    return "\n\n".join(
        [head, _INTRODUCTION, _people(human, accepted), _parts(human, accepted), _of_models(human, accepted, models)]
    )


_INTRODUCTION = (
    "Texts are shown without annotations, their answer as `FINAL ANSWER: 5`. Weights of evidence are cross-fitted by problem, five folds: no "
    "solution is judged by weights that saw another solution to its problem. The provisional model was trained on no problem of these files by id; likeness was not compared."
)


def human_written(data: Path) -> list[Sample]:
    """Return flawed solutions that people wrote, and each correct original once."""
    samples = adapt(data / "errors" / "human_written.jsonl", "human")
    once: dict[tuple[str, str], Sample] = {}
    for sample in samples:
        once.setdefault((sample.question, sample.solution), sample)
    return [shown(sample) for sample in once.values()]


def accepted_errors(data: Path) -> list[Sample]:
    """Return program-made conceptual errors that people accepted, and their originals; a misplaced answer is put last."""
    problems = {problem.problem_id: problem for problem in load_corpus(str(data / "gsm8k" / "train.jsonl"))}
    found: dict[str, Sample] = {}
    for number, record in read_records(data / "errors" / "human_accepted_conceptual.jsonl"):
        problem = problems[record["problem_id"]]
        lines = [line for line in record["flawed_solution"].split("\n") if line.strip()]
        answers = [line for line in lines if line.startswith("####")]
        text = "\n".join([line for line in lines if not line.startswith("####")] + answers[:1])
        correct = f"{problem.solution}\n#### {problem.gold}"
        found[problem.problem_id] = _sample(problem, "original", correct, Truth(flawed=False))
        line = record["label"]["error_details"]["erroneous_line_number"]
        truth = Truth(flawed=True, error_class=ErrorClass.CONCEPTUAL, line=line)
        found[str(number)] = _sample(problem, str(number), text, truth)
    return [shown(sample) for sample in found.values()]


def _sample(problem: Problem, name: str, solution: str, truth: Truth) -> Sample:
    return Sample(
        sample_id=f"{problem.problem_id}:{name}",
        problem_id=problem.problem_id,
        question=problem.question,
        solution=solution,
        truth=truth,
        source=ACCEPTED,
        licence="as the file's",
    )


def _models(data: Path) -> list[Sample]:
    """Return what models answered, of which it is known whether the answer is right."""
    return [shown(sample) for sample in adapt(data / "model_solutions" / "dev.jsonl", "is-correct")]


def shown(sample: Sample) -> Sample:
    """Return a sample in the form of the examination: no annotations, the answer as `FINAL ANSWER: 5`."""
    text = without_annotations(sample.solution)
    return replace(sample, solution=re.sub(r"^(?:####|A:)", "FINAL ANSWER:", text, flags=re.MULTILINE))


def _rows(samples: list[Sample]) -> SampleFeatures:
    return SampleFeatures(samples, rows_of(samples, scores_of(samples)))


def scores_of(samples: Sequence[Sample], folder: Path = FOLDER) -> dict[str, Scores]:
    """Return what the model with an adapter, by default the committed one, gives of each sample, by its name; kept by content."""
    items = {sample.sample_id: read_item(sample.question, sample.solution) for sample in samples}
    adapter = hashlib.sha256((folder / "adapter_model.safetensors").read_bytes()).hexdigest()[:16]
    path = cache_folder() / "verifier" / f"{adapter}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    known: dict[str, Scores] = {}
    if path.exists():
        known = {record["key"]: read_record(Scores, record["scores"]) for _, record in read_records(path)}
    missing = [item for key, item in {_key(item): item for item in items.values()}.items() if key not in known]
    if missing:
        from sft.models.base_model import load_with_adapter
        from sft.verifier.line_scores.scorer import Scorer

        loaded = load_with_adapter(DEFAULT, folder)
        scorer = Scorer(loaded.model, loaded.tokenizer)
        for start in range(0, len(missing), AT_ONCE):
            some = missing[start : start + AT_ONCE]
            made = scorer.score(some, twins=False)
            with path.open("a", encoding="utf-8") as lines:
                for item, score in zip(some, made, strict=True):
                    known[_key(item)] = score
                    lines.write(dump({"key": _key(item), "scores": json_form(score)}) + "\n")
            sys.stderr.write(f"scored {start + len(some):,} of {len(missing):,}\n")
    return {name: known[_key(item)] for name, item in items.items()}


def _key(item: Item) -> str:
    said = json.dumps([item.question, item.lines, item.answer])
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def labels_of(samples: Sequence[Sample]) -> list[str]:
    """Return the classes of samples; a flawed one of no stated class counts as a conceptual error."""
    return [label_of(sample) or str(ErrorClass.CONCEPTUAL) for sample in samples]


def _fitted(parts: Sequence[SampleFeatures], weights: Sequence[float], only: str = "") -> np.ndarray[Any, Any]:
    """Return cross-fitted probabilities of all parts, one after the other; `only` names the evidence that is read."""
    samples = [sample for part in parts for sample in part.samples]
    rows = [_of(row, only) for part in parts for row in part.features]
    weighed = [weight for part, weight in zip(parts, weights, strict=True) for _ in part.samples]
    return cross_fit(rows, labels_of(samples), [sample.problem_id for sample in samples], weighed)


def _of(row: dict[str, float], only: str) -> dict[str, float]:
    if not only:
        return row
    model = only == "model"
    return {name: value for name, value in row.items() if name.startswith("likelihood.") == model}


def _told(shares: np.ndarray[Any, Any]) -> list[str]:
    return [
        "conceptual_error" if CLASSES[number] == "skipped_step" else CLASSES[number] for number in shares.argmax(axis=1)
    ]


ACCEPTED_WEIGHT = 0.5
"""A solution that a program made and a person accepted counts half as much as one that a person wrote."""


def _people(human: SampleFeatures, accepted: SampleFeatures) -> str:
    """Return the three classes on what people wrote, by each way of judging."""
    gold = labels_of(human.samples)
    count = len(gold)
    both = [human, accepted]
    ways = {
        "majority (correct)": [SOUND] * count,
        "symbolic engine alone": _symbolic(human.samples),
        "model's marks alone, cross-fitted": _told(_fitted(both, [1, ACCEPTED_WEIGHT], "model")[:count]),
        "evidence from text alone, cross-fitted": _told(_fitted(both, [1, ACCEPTED_WEIGHT], "text")[:count]),
        "hybrid, cross-fitted": _told(_fitted(both, [1, ACCEPTED_WEIGHT])[:count]),
    }
    ours = [prediction == expected for prediction, expected in zip(ways["hybrid, cross-fitted"], gold, strict=True)]
    lines = [
        f"`{HUMAN}` with each correct original once, {_counted(gold)}:",
        "",
        _HEADER,
        "|---|---|---|---|---|---|---|",
    ]
    for name, told in ways.items():
        right = [prediction == expected for prediction, expected in zip(told, gold, strict=True)]
        p = "" if name.startswith("hybrid") else f"{mcnemar(ours, right)['p']:.1e}"
        lines.append(f"| {name} | {_f1(gold, told)} | {_per_class(gold, told)} | {p} |")
    return "\n".join(lines)


_HEADER = "| judged by | weighted F1 | verdict accuracy | recall correct | recall computational | recall conceptual | hybrid is better: McNemar p |"


def _f1(gold: Sequence[str], told: Sequence[str]) -> str:
    from sklearn.metrics import f1_score

    return f"{f1_score(gold, told, average='weighted', zero_division=0):.3f}"


def _per_class(gold: Sequence[str], told: Sequence[str]) -> str:
    verdict = np.mean(
        [(expected == SOUND) == (prediction == SOUND) for expected, prediction in zip(gold, told, strict=True)]
    )
    counts = Counter(gold)
    right = Counter(expected for expected, prediction in zip(gold, told, strict=True) if expected == prediction)
    names = (SOUND, str(ErrorClass.COMPUTATIONAL), str(ErrorClass.CONCEPTUAL))
    return " | ".join(
        [f"{verdict:.3f}", *(f"{right[name] / counts[name]:.3f}" if counts[name] else "–" for name in names)]
    )


def _counted(gold: Sequence[str]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in sorted(Counter(gold).items()))


def _symbolic(samples: Sequence[Sample]) -> list[str]:
    engine = open_engine("symbolic")
    items = [read_item(sample.question, sample.solution) for sample in samples]
    return [
        SOUND if not judgement.flawed else _coarse(str(judgement.error_class)) for judgement in judge(engine, items)
    ]


def _coarse(name: str) -> str:
    return str(ErrorClass.CONCEPTUAL) if name == ErrorClass.SKIPPED_STEP else name


def _parts(human: SampleFeatures, accepted: SampleFeatures) -> str:
    """Return how well conceptual errors are told from correct solutions by each part of the evidence."""
    lines = [
        "Conceptual errors against correct solutions, area under the curve, cross-fitted on both files:",
        "",
        f"| evidence | `{HUMAN}` | `{ACCEPTED}` |",
        "|---|---|---|",
    ]
    for name, only in (("from the text", "text"), ("the model's marks and likelihoods", "model"), ("both", "")):
        shares = _fitted([human, accepted], [1, ACCEPTED_WEIGHT], only)
        first = len(human.samples)
        lines.append(f"| {name} | {_area(human, shares[:first])} | {_area(accepted, shares[first:])} |")
    lines += [
        "",
        f"`{ACCEPTED}` with originals: {_counted(labels_of(accepted.samples))}. Kinds of evidence: {', '.join(kind.name for kind in EVIDENCE)}.",
    ]
    return "\n".join(lines)


def _area(rows: SampleFeatures, shares: np.ndarray[Any, Any]) -> str:
    from sklearn.metrics import roc_auc_score

    labels = np.array(labels_of(rows.samples))
    kept = labels != str(ErrorClass.COMPUTATIONAL)
    sound, flawed = (
        shares[:, 0],
        shares[:, CLASSES.index("conceptual_error")] + shares[:, CLASSES.index("skipped_step")],
    )
    return f"{roc_auc_score(labels[kept] != SOUND, (flawed / (flawed + sound + 1e-9))[kept]):.3f}"


def _of_models(human: SampleFeatures, accepted: SampleFeatures, models: SampleFeatures) -> str:
    """Return the verdicts on what models wrote: by weights fitted on people's errors, and by weights cross-fitted on models'."""
    flawed = np.array([sample.truth.flawed for sample in models.samples])
    people = combiner(human, accepted)
    moved = people.predict_rows(people.rows_of(models.features))[:, 0] < 0.5
    own = _fitted([models], [1.0])[:, 0] < 0.5
    majority = np.full(len(flawed), flawed.mean() > 0.5)
    symbolic = np.array([prediction != SOUND for prediction in _symbolic(models.samples)])
    lines = [
        f"`{MODELS}`, {len(flawed):,} solutions of four models, {flawed.mean():.1%} with a wrong answer:",
        "",
        "| judged by | verdict accuracy | better than majority: McNemar p | better than symbolic: p |",
        "|---|---|---|---|",
    ]
    for name, told in (
        ("majority", majority),
        ("symbolic engine alone", symbolic),
        ("hybrid, fitted on people's errors", moved),
        ("hybrid, cross-fitted on these by problem", own),
    ):
        right = told == flawed
        tests = [f"{mcnemar(right.tolist(), (other == flawed).tolist())['p']:.1e}" for other in (majority, symbolic)]
        lines.append(f"| {name} | {right.mean():.3f} | {' | '.join(tests)} |")
    return "\n".join(lines)


def combiner(human: SampleFeatures, accepted: SampleFeatures) -> Combiner:
    """Return the combiner of the hybrid engine, fitted on all of both files."""
    samples = [*human.samples, *accepted.samples]
    weights = [1.0] * len(human.samples) + [ACCEPTED_WEIGHT] * len(accepted.samples)
    about = {
        "fitted_by": "python -m benchmarks.verifier --fit",
        "on": f"{HUMAN}, {ACCEPTED} at weight {ACCEPTED_WEIGHT}",
        "twins": False,
    }
    return fit(
        [*human.features, *accepted.features],
        labels_of(samples),
        [sample.problem_id for sample in samples],
        weights,
        about=about,
    )


def main() -> int:
    """Fit the committed combiners, or print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verifier", description=__doc__)
    parser.add_argument(
        "--fit", action="store_true", help="write combiner.json and model.json of the committed adapter"
    )
    data = data_folder()
    if not parser.parse_args().fit:
        print(measure(data))
        return 0
    human, accepted = _rows(human_written(data)), _rows(accepted_errors(data))
    combiner(human, accepted).save(FOLDER / "combiner.json")
    marks = [
        SampleFeatures(features.samples, [_of(row, "model") for row in features.features])
        for features in (human, accepted)
    ]
    combiner(marks[0], marks[1]).save(FOLDER / "model.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
