"""Benchmark of the place and the kind that the verifier names of errors of reasoning.

`python -m benchmarks.diagnosis RUN` measures on the sealed mutation stage of a run and on errors of people and teachers;
`python -m benchmarks.diagnosis --fit RUN` writes the committed weights.
"""

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.verifier_sources import accepted_errors, human_written, shown
from harness.corpora.problems import load_corpus, read_exclusion, read_records
from harness.paths import data_folder
from harness.solution.labels import ErrorClass, ErrorType, named_error_type
from sft.evaluation.dataset_items import adapt
from sft.samples.items import Sample, Truth
from sft.samples.solution_text import read_item
from sft.verifier.case import Case
from sft.verifier.diagnosis import diagnosis
from sft.verifier.diagnosis.diagnosis import DiagnosisModel, KnownError, fit_diagnosis
from sft.verifier.diagnosis.place_features import place_features

ToldError = tuple[KnownError, str, ErrorType | None]
"""An error, the place that is told of it, and the kind."""
OWN, PUBLISHED = "certified flaws", "human_accepted_conceptual"
TEACHERS = "verify_then_generate"
MOST_OF_OPERATOR = 650
FOLDS = 3
ALIKE = {ErrorType.FAILURE_TO_UPDATE_STATE: ErrorType.WRONG_REFERENCE_GROUP}
"""Both are an incorrect operand in the publication, whose labels do not tell them apart."""


def certified(run: Path, data: Path) -> list[KnownError]:
    """Return drawn conceptual flaws of a sealed mutation stage, of problems that are not reserved."""
    problems = load_corpus(str(data / "gsm8k" / "train.jsonl"))
    reserved = read_exclusion(data / "gsm8k" / "reserved_indices.json", problems).problems
    by_operator = defaultdict(list)
    for _, record in read_records(run / "mutation" / "conceptual.jsonl"):
        details = record["label"]["error_details"]
        if record["problem_id"].partition(":")[0] not in reserved:
            by_operator[record["operator"], details["error_type"]].append(record)
    drawn = [
        record
        for key, records in sorted(by_operator.items())
        for record in random.Random(f"diagnosis:{key}").sample(records, min(len(records), MOST_OF_OPERATOR))
    ]
    return list(
        _known(
            OWN,
            (
                (record["problem_id"], record["question"], record["flawed_solution"], record["label"]["error_details"])
                for record in drawn
            ),
        )
    )


def published(data: Path) -> list[KnownError]:
    """Return the errors that people accepted, by the published labels."""
    flawed = (sample for sample in accepted_errors(data) if sample.truth.flawed)
    return list(
        _known(PUBLISHED, ((s.problem_id, s.question, s.solution, s.truth.record()["error_details"]) for s in flawed))
    )


def _known(source: str, records: Iterable[tuple[str, str, str, dict[str, str]]]) -> Iterable[KnownError]:
    for problem_id, question, solution, details in records:
        sample = shown(Sample("", problem_id, question, solution, Truth(flawed=True), source, ""))
        item = read_item(sample.question, sample.solution)
        error_type, line = named_error_type(details["error_type"]), details["erroneous_line_number"]
        if error_type is not None and line in item.places():
            yield KnownError(source, problem_id, place_features(Case(item)), line, error_type)


def lined(samples: Sequence[Sample]) -> list[Sample]:
    """Return the errors of reasoning whose line is known."""
    return [
        sample
        for sample in samples
        if sample.truth.line
        and sample.truth.error_class is not ErrorClass.COMPUTATIONAL
        and sample.truth.line in read_item(sample.question, sample.solution).places()
    ]


def figures(run: Path, data: Path) -> dict[str, Any]:
    """Return how often line and kind are right: cross-fitted by problem, and on sources that no weight saw."""
    errors = [*certified(run, data), *published(data)]
    said: list[ToldError] = []
    for fold in range(FOLDS):
        held = [error for error in errors if _fold(error.problem_id) == fold]
        model = fit_diagnosis([error for error in errors if _fold(error.problem_id) != fold], {})
        said += [(error, *_told(model, error)) for error in held]
    model = fit_diagnosis(errors, {})
    teachers = [shown(sample) for sample in adapt(data / "errors" / f"{TEACHERS}.jsonl")]
    people = human_written(data)
    return {
        "places": round(float(np.mean([len(error.features) for error in errors])), 1),
        "cross_fitted": {name: _right([told for told in said if told[0].source == name]) for name in (OWN, PUBLISHED)},
        "unseen": {
            name: _unseen(model, lined(samples)) for name, samples in (("human_written", people), (TEACHERS, teachers))
        },
    }


def _fold(problem_id: str) -> int:
    # A problem that is known by its question has the id `q:QUESTION`; behind another id a colon begins the name of a formalization.
    problem = problem_id if problem_id.startswith("q:") else problem_id.partition(":")[0]
    return random.Random(f"fold:{problem}").randrange(FOLDS)


def _told(model: DiagnosisModel, error: KnownError) -> tuple[str, ErrorType | None]:
    told = model.of_features(error.features)
    return told.place, told.error_type


def _same(error: KnownError, told: ErrorType | None) -> bool:
    alike = ALIKE if error.source == PUBLISHED else {}
    return told is not None and alike.get(told, told) is alike.get(error.error_type, error.error_type)


def _right(said: Sequence[ToldError]) -> dict[str, Any]:
    """Return the shares of right lines and kinds, and the mean over kinds."""
    right: dict[ErrorType, list[bool]] = defaultdict(list)
    for error, _, kind in said:
        right[error.error_type].append(_same(error, kind))
    return {
        "errors": len(said),
        "line_right": float(np.mean([error.line == place for error, place, _ in said])),
        "kind_right": float(np.mean([_same(error, kind) for error, _, kind in said])),
        "mean_of_kinds": float(np.mean([np.mean(each) for each in right.values()])),
    }


def _unseen(model: DiagnosisModel, samples: Sequence[Sample]) -> dict[str, Any]:
    right = [model.diagnosis(Case(read_item(one.question, one.solution))).place == one.truth.line for one in samples]
    commonest = Counter(sample.truth.line for sample in samples).most_common(1)[0][1] / len(samples)
    return {"errors": len(samples), "line_right": float(np.mean(right)), "commonest_line": commonest}


def main() -> int:
    """Fit the committed weights, or print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.diagnosis", description=__doc__)
    parser.add_argument("run", type=Path, help="a run with a sealed mutation stage")
    parser.add_argument("--fit", action="store_true", help="write the weights of the verifier")
    arguments = parser.parse_args()
    data = data_folder()
    if not arguments.fit:
        print(json.dumps(figures(arguments.run, data), indent=1))
        return 0
    errors = [*certified(arguments.run, data), *published(data)]
    about = {"fitted_by": "python -m benchmarks.diagnosis --fit RUN"}
    fit_diagnosis(errors, about).save(Path(diagnosis.__file__).parent)
    return 0


if __name__ == "__main__":
    sys.exit(main())
