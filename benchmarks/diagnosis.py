"""Benchmark of the place and the kind that the verifier names of errors of reasoning.

`python -m benchmarks.diagnosis RUN` measures on the sealed mutation stage of a run and on errors of people and teachers;
`python -m benchmarks.diagnosis --fit RUN` writes the committed weights.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.verifier_sources import human_written, shown
from harness.corpora.problems import load_corpus, read_exclusion, read_records
from harness.paths import data_folder
from harness.solution.labels import ErrorClass, ErrorType, named_error_type
from sft.evaluation.benchmark_files import adapt
from sft.samples.items import Sample, Truth
from sft.samples.solution_text import read_item
from sft.verifier.case import Case
from sft.verifier.diagnosis import diagnosis
from sft.verifier.diagnosis.diagnosis import KnownError, fit_diagnosis
from sft.verifier.diagnosis.place_features import place_features

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sft.verifier.diagnosis.diagnosis import DiagnosisModel

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
    """Return the errors that people accepted, by the published labels; a misplaced answer is put last."""
    questions = {problem.problem_id: problem.question for problem in load_corpus(str(data / "gsm8k" / "train.jsonl"))}
    read = []
    for _, record in read_records(data / "errors" / "human_accepted_conceptual.jsonl"):
        lines = [line for line in record["flawed_solution"].split("\n") if line.strip()]
        answers = [line for line in lines if line.startswith("####")]
        text = "\n".join([line for line in lines if not line.startswith("####")] + answers[:1])
        read.append((record["problem_id"], questions[record["problem_id"]], text, record["label"]["error_details"]))
    return list(_known(PUBLISHED, read))


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


def measure(run: Path, data: Path) -> str:
    """Return the figures as Markdown: kinds and lines cross-fitted by problem, lines of sources that no weight saw."""
    errors = [*certified(run, data), *published(data)]
    said: list[tuple[KnownError, str, ErrorType | None]] = []
    for fold in range(FOLDS):
        held = [error for error in errors if _fold(error.problem_id) == fold]
        model = fit_diagnosis([error for error in errors if _fold(error.problem_id) != fold], {})
        said += [(error, *_told(model, error)) for error in held]
    model = fit_diagnosis(errors, {})
    lines = [
        "## Place and kind of errors of reasoning",
        "",
        "    python -m benchmarks.diagnosis RUN",
        "",
        _introduction(errors),
        "",
        "| source | errors | line right | kind right | mean of kinds | kind unknown |",
        "|---|---|---|---|---|---|",
        *(_row(source, [pair for pair in said if pair[0].source == source]) for source in (OWN, PUBLISHED)),
        "",
        "| kind | certified flaws | line right | kind right | said instead |",
        "|---|---|---|---|---|",
        *_by_kind([pair for pair in said if pair[0].source == OWN]),
        "",
        "| source that no weight saw | errors of reasoning with a line | line right | the commonest line |",
        "|---|---|---|---|",
        *(
            _unseen(name, model, lined(samples))
            for name, samples in (
                ("human_written", human_written(data)),
                (
                    "verify_then_generate",
                    [shown(sample) for sample in adapt(data / "errors" / "verify_then_generate.jsonl")],
                ),
            )
        ),
    ]
    return "\n".join([*lines, "", *_transfers(errors, data)])


def _transfers(errors: Sequence[KnownError], data: Path) -> Iterable[str]:
    """Yield how often the line of the teachers' marks is right, by the sources of the fit, up to a fit on these marks themselves."""
    people = _placed("human_written", human_written(data))
    teachers = _placed(TEACHERS, [shown(sample) for sample in adapt(data / "errors" / "verify_then_generate.jsonl")])
    own = [error for error in errors if error.source == OWN]
    accepted = [error for error in errors if error.source == PUBLISHED]
    yield f"| fitted on | line right in `{TEACHERS}` |"
    yield "|---|---|"
    for name, fitted in (
        (f"certified flaws and `{PUBLISHED}`", errors),
        ("these and `human_written`", [*errors, *people]),
        (f"`{PUBLISHED}` and `human_written`", [*accepted, *people]),
    ):
        yield f"| {name} | {_line_right(fit_diagnosis(fitted, {}), teachers):.3f} |"
    right = 0.0
    for fold in range(FOLDS):
        held = [error for error in teachers if _fold(error.problem_id) == fold]
        seen = [error for error in teachers if _fold(error.problem_id) != fold]
        right += _line_right(fit_diagnosis([*own, *accepted, *people, *seen], {}), held) * len(held)
    yield f"| all of them and `{TEACHERS}` itself, cross-fitted by problem | {right / len(teachers):.3f} |"


def _placed(source: str, samples: Sequence[Sample]) -> list[KnownError]:
    """Return errors whose line is known and whose kind is not: a model of them places errors only."""
    return [
        KnownError(
            source,
            sample.problem_id,
            place_features(Case(read_item(sample.question, sample.solution))),
            sample.truth.line,
            ErrorType.SKIPPED_STEP,
        )
        for sample in lined(samples)
    ]


def _line_right(model: DiagnosisModel, errors: Sequence[KnownError]) -> float:
    return float(np.mean([_told(model, error)[0] == error.line for error in errors]))


def _introduction(errors: Sequence[KnownError]) -> str:
    chance = np.mean([len(error.features) for error in errors])
    return (
        f"Fitted on at most {MOST_OF_OPERATOR} certified flaws of each operator and on `{PUBLISHED}`, cross-fitted by problem in {FOLDS} folds. "
        f"Chance: one place in {chance:.1f}."
    )


def _fold(problem_id: str) -> int:
    # A problem that is known by its question has the id `q:QUESTION`; behind another id a colon begins the name of a formalization.
    problem = problem_id if problem_id.startswith("q:") else problem_id.partition(":")[0]
    return random.Random(f"fold:{problem}").randrange(FOLDS)


def _told(model: DiagnosisModel, error: KnownError) -> tuple[str, ErrorType | None]:
    told = model.of_features(error.features)
    return told.place, told.kind(told.place)


def _same(error: KnownError, told: ErrorType | None) -> bool:
    alike = ALIKE if error.source == PUBLISHED else {}
    return told is not None and alike.get(told, told) is alike.get(error.error_type, error.error_type)


def _row(source: str, said: Sequence[tuple[KnownError, str, ErrorType | None]]) -> str:
    right: dict[ErrorType, list[bool]] = defaultdict(list)
    for error, _, kind in said:
        right[error.error_type].append(_same(error, kind))
    line = np.mean([error.line == place for error, place, _ in said])
    kinds = np.mean([_same(error, kind) for error, _, kind in said])
    mean = np.mean([np.mean(each) for each in right.values()])
    unknown = np.mean([kind is None for *_, kind in said])
    return f"| {source} | {len(said):,} | {line:.3f} | {kinds:.3f} | {mean:.3f} of {len(right)} | {unknown:.1%} |"


def _by_kind(said: Sequence[tuple[KnownError, str, ErrorType | None]]) -> Iterable[str]:
    for error_type in sorted({error.error_type for error, *_ in said}):
        own = [pair for pair in said if pair[0].error_type is error_type]
        other = Counter(str(kind or "unknown") for _, _, kind in own if kind is not error_type).most_common(2)
        line = np.mean([error.line == place for error, place, _ in own])
        kind = np.mean([told is error_type for *_, told in own])
        yield f"| {error_type} | {len(own):,} | {line:.2f} | {kind:.2f} | {', '.join(f'{name} {count}' for name, count in other)} |"


def _unseen(name: str, model: DiagnosisModel, samples: Sequence[Sample]) -> str:
    right, lines = [], []
    for sample in samples:
        right.append(model.diagnosis(Case(read_item(sample.question, sample.solution))).place == sample.truth.line)
        lines.append(sample.truth.line)
    commonest = Counter(lines).most_common(1)[0][1] / len(lines)
    return f"| `{name}` | {len(samples):,} | {np.mean(right):.3f} | {commonest:.3f} |"


def main() -> int:
    """Fit the committed weights, or print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.diagnosis", description=__doc__)
    parser.add_argument("run", type=Path, help="a run with a sealed mutation stage")
    parser.add_argument("--fit", action="store_true", help="write the weights of the verifier")
    arguments = parser.parse_args()
    data = data_folder()
    if not arguments.fit:
        print(measure(arguments.run, data))
        return 0
    errors = [*certified(arguments.run, data), *published(data)]
    about = {"fitted_by": "python -m benchmarks.diagnosis --fit RUN"}
    fit_diagnosis(errors, about).save(Path(diagnosis.__file__).parent)
    return 0


if __name__ == "__main__":
    sys.exit(main())
