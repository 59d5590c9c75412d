"""Benchmark of the step classifier of the preset minilm-steps on sources of which nothing is trained, alone and beside the evidence of the engine text.

`python -m benchmarks minilm_steps` measures the classifier in `runs/minilm-steps`. `python -m benchmarks.minilm_steps --sources DIR` writes the sources as
samples for `train --valid`, and `--renumbered RUN FILE` the renumbered variants of a run as a corpus, of which flaws with other numbers are made.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.sessions import DataMissing
from benchmarks.shortcuts import classes_told_apart
from benchmarks.verifier_sources import MeasuredSource, correct_sources, judged_sources, measured
from benchmarks.verifier_travel import area_of, fitted, probabilities
from harness.corpora.problems import read_records
from harness.paths import ROOT, data_folder
from harness.store.run_folder import dump, write_lines
from sft.datasets.leakage import origin
from sft.models.step_encoder import StepEncoder, StepProbabilities, load_steps
from sft.samples.items import Item, Sample
from sft.samples.solution_text import concluded, read_item
from sft.training.examples import read_samples
from sft.training.run import ticket
from sft.training.step_pairs import balanced, group_of, learnable

RUN = ROOT / "runs" / "minilm-steps"
MOST = 500
"""Solutions that are drawn of each source."""
MOST_PAIRS = 2_000
TIMED = 100
ADDED = 0.03
"""The area that the classifier has to add to the evidence of `text` for a place among it."""
LEAST = 1e-6


def measure(data: Path, run: Path = RUN) -> dict[str, Any]:
    """Return areas and lines on each left-out source, what the classifier adds to the evidence of text, its time, its curve, and the shortcut of its data.

    Raises:
        DataMissing: the judged solutions, or the run, are not there.
    """
    for path in (data / "errors" / "human_written.jsonl", run / "adapter" / "steps.json"):
        if not path.exists():
            raise DataMissing(path)
    encoder = load_steps(run / "adapter")
    judged = [measured(name, drawn(samples)) for name, samples in judged_sources(data).items()]
    correct = [measured(name, drawn(samples)) for name, samples in correct_sources(data).items()]
    told = {source.name: list(encoder.probabilities(items_of(source))) for source in (*judged, *correct)}
    beside = {source.name: with_steps(source, told[source.name]) for source in (*judged, *correct)}
    figures = {}
    for source in judged:
        others = [other for other in judged if other is not source]
        text = area_of(source, probabilities(fitted(others, correct, {}), source))
        names = [beside[other.name] for other in others], [beside[other.name] for other in correct]
        both = area_of(source, probabilities(fitted(*names, {}), beside[source.name]))
        alone = np.array([0.0 if own is None else own.flawed for own in told[source.name]])
        figures[source.name] = {
            "solutions": len(source.samples),
            "without_false_equation": int((~source.decided).sum()),
            "area": area_of(source, alone),
            "area_text": text,
            "area_both": both,
            "added": round(both - text, 3),
            **first_wrong_lines(source, told[source.name]),
        }
    added = [figure["added"] for figure in figures.values()]
    history = json.loads((run / "trainer_state.json").read_text("utf-8"))["log_history"]
    metrics = json.loads((run / "metrics.json").read_text("utf-8"))
    return {
        "sources": figures,
        "sources_with_more": sum(gain >= ADDED for gain in added),
        "milliseconds": milliseconds(encoder, items_of(judged[0])[:TIMED]),
        "solutions_read": 2 * metrics["groups_read"],
        "seconds_trained": round(metrics["seconds"]),
        "held_out": {name.removeprefix("valid_"): round(metrics[name], 3) for name in metrics if "held out" in name},
        "held_out_pairs": held_out_pairs(run, encoder),
        "shortcut": shortcut(run),
        "curve": [entry for entry in history if "eval_runtime" in entry],
    }


def drawn(samples: Sequence[Sample]) -> list[Sample]:
    """Draw at most `MOST` samples."""
    return random.Random("minilm-steps").sample(samples, min(MOST, len(samples)))


def items_of(source: MeasuredSource) -> list[Item]:
    """Return the solutions of a source as the classifier reads them."""
    return [concluded(read_item(sample.question, sample.solution)) for sample in source.samples]


def with_steps(source: MeasuredSource, told: Sequence[StepProbabilities | None]) -> MeasuredSource:
    """Return a source with one more evidence: the log-odds of the most doubtful line, those of even odds for a solution that is too long."""

    def feature(own: StepProbabilities | None) -> float:
        chance = 0.5 if own is None else min(1 - LEAST, max(LEAST, own.flawed))
        return float(np.log(chance / (1 - chance)))

    pairs = zip(source.features, told, strict=True)
    return replace(source, features=[{**features, "steps.worst": feature(own)} for features, own in pairs])


def first_wrong_lines(source: MeasuredSource, told: Sequence[StepProbabilities | None]) -> dict[str, int]:
    """Count flawed solutions with a known line, and those whose first wrong line is found; both among solutions without a false equation."""
    placed = [
        (own.places[own.first] == sample.truth.line, len(own.places))
        for sample, own, decided in zip(source.samples, told, source.decided, strict=True)
        if own is not None and own.wrong and sample.truth.line and not decided
    ]
    by_chance = sum(1 / places for _, places in placed)
    return {
        "with_a_line": len(placed),
        "line_right": sum(right for right, _ in placed),
        "line_by_chance": round(by_chance),
    }


def milliseconds(encoder: StepEncoder, items: Sequence[Item]) -> float:
    """Return the processor time of a solution that is judged alone, on one thread."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    began = time.process_time()
    for item in items:
        list(encoder.probabilities([item]))
    torch.set_num_threads(threads)
    return round(1000 * (time.process_time() - began) / max(1, len(items)), 1)


def held_out_pairs(run: Path, encoder: StepEncoder) -> dict[str, int]:
    """Count flaws of problems that were kept from training, by the first wrong line, and those where it is more doubtful than the same line of the right twin."""
    settings = json.loads((run / "settings.json").read_text("utf-8"))
    kept = [
        sample
        for sample in learnable(read_samples(settings["train"]))
        if sample.reference and ticket(origin(sample.problem_id), settings["seed"]) < settings["valid_share"]
    ]
    groups = [group for sample in balanced(kept, MOST, settings["seed"]) if len(group := group_of(sample)) > 1]
    told = []
    for flawed, right in groups:
        own, other = encoder.probabilities([flawed.item, right.item])
        if own is not None and other is not None and flawed.wrong < len(other.wrong):
            told.append(own.wrong[flawed.wrong] > other.wrong[flawed.wrong])
    return {"pairs": len(told), "more_doubtful": sum(told)}


def shortcut(run: Path) -> dict[str, Any]:
    """Return how well a linear classifier on words and characters of the solution alone tells the flawed ones that were drawn for training from their twins."""
    settings = json.loads((run / "settings.json").read_text("utf-8"))
    samples = [
        sample for sample in learnable(read_samples(settings["train"])) if sample.truth.flawed and sample.reference
    ]
    read = balanced(samples, settings["limit"], settings["seed"])
    groups = [group_of(sample) for sample in random.Random("shortcut").sample(read, min(MOST_PAIRS, len(read)))]
    some = [group for group in groups if group]
    texts = [[(group[place].problem, "\n".join(group[place].item.lines)) for group in some] for place in (1, 0)]
    return {"pairs": len(some), "area": classes_told_apart(*texts, strongest=0)["area"]}


def renumbered(run: Path) -> Iterator[dict[str, str]]:
    """Yield the renumbered variants of a run as problems with their solutions; their ids begin with that of the original."""
    for _, record in read_records(run / "variant" / "variants.jsonl"):
        if record["operator"] == "renumbered" and record.get("solution"):
            yield {
                "problem_id": record["variant_id"],
                "question": record["modified_problem_text"],
                "answer": record["solution"],
            }


def main() -> int:
    """Write the sources, or a corpus of renumbered problems."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.minilm_steps", description=__doc__)
    parser.add_argument("--sources", type=Path, metavar="DIR")
    parser.add_argument("--renumbered", type=Path, nargs=2, metavar=("RUN", "FILE"))
    arguments = parser.parse_args()
    if arguments.renumbered:
        run, file = arguments.renumbered
        write_lines(file, (dump(record) + "\n" for record in renumbered(run)))
    for name, samples in judged_sources(data_folder()).items() if arguments.sources else ():
        arguments.sources.mkdir(parents=True, exist_ok=True)
        write_lines(arguments.sources / f"{name}.jsonl", (dump(sample.record()) + "\n" for sample in samples))
    return 0


if __name__ == "__main__":
    sys.exit(main())
