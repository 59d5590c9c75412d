"""The sources of judged and of correct solutions that the text engine is fitted on and measured on."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from harness.corpora.labelled_solutions import with_answer
from harness.corpora.problems import load_corpus, read_exclusion, read_records
from harness.domain import Problem
from harness.solution.labels import ErrorClass
from harness.text.markup import without_annotations
from sft.evaluation.dataset_items import adapt
from sft.samples.items import Item, Sample, Truth
from sft.samples.solution_forms import in_words, joined, turned, with_lines
from sft.samples.solution_text import concluded, read_item
from sft.verifier.case import EVIDENCE, Case
from sft.verifier.engine_registry import judge, open_engine
from sft.verifier.guarded_engine import proved, without_form

if TYPE_CHECKING:
    Array = NDArray[np.float64]

FLAWED = "conceptual_error"
ACCEPTED = "human_accepted_conceptual"
CORRECT_DRAWN = 1_000
MOST_OF_OPERATOR = 150
CORRECT_WEIGHT = 0.3
"""The weight of the correct solutions of a source without flawed ones, as a share of that of the others."""


@dataclass(frozen=True, slots=True)
class MeasuredSource:
    """A source with the features of its solutions; `decided` by a certified equation."""

    name: str
    samples: Sequence[Sample]
    features: Sequence[dict[str, float]]
    decided: NDArray[np.bool_]

    @property
    def flawed(self) -> NDArray[np.bool_]:
        """Return which solutions are flawed."""
        return np.array([sample.truth.flawed for sample in self.samples])

    def part(self, places: Sequence[int]) -> MeasuredSource:
        """Return the solutions at some places."""
        kept = [self.samples[place] for place in places], [self.features[place] for place in places]
        return MeasuredSource(self.name, *kept, self.decided[list(places)])


def judged_sources(data: Path) -> dict[str, list[Sample]]:
    """Return the sources with flawed and correct solutions, by name."""
    teachers = [shown(sample) for sample in adapt(data / "errors" / "verify_then_generate.jsonl")]
    return {
        "human_written": human_written(data),
        "human_accepted_conceptual": accepted_errors(data),
        "verify_then_generate": [*teachers, *_teachers_own(data)],
        "model_solutions": [shown(sample) for sample in adapt(data / "model_solutions" / "dev.jsonl", "is-correct")],
    }


def correct_sources(data: Path) -> dict[str, list[Sample]]:
    """Return sources of correct solutions that the fit may read; SVAMP's are its equations in the ways people write them."""
    problems = load_corpus(str(data / "gsm8k" / "train.jsonl"))
    reserved = set(read_exclusion(data / "gsm8k" / "reserved_indices.json", problems).problems)
    drawn = random.Random("travel").sample(
        [problem for problem in problems if problem.problem_id not in reserved], CORRECT_DRAWN
    )
    gsm8k = [
        _correct(problem.problem_id, problem.question, f"{problem.solution}\n#### {problem.gold}") for problem in drawn
    ]
    return {"gsm8k": [shown(sample) for sample in gsm8k], "svamp": equations(data)}


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
        details = record["label"]["error_details"]
        error_class, line = ErrorClass.CONCEPTUAL, details["erroneous_line_number"]
        truth = Truth(flawed=True, error_class=error_class, error_type=details["error_type"], line=line)
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


def shown(sample: Sample) -> Sample:
    """Return a sample in the form of the examination: no annotations, the answer as `FINAL ANSWER: 5`."""
    text = without_annotations(sample.solution)
    return replace(sample, solution=re.sub(r"^(?:####|A:)", "FINAL ANSWER:", text, flags=re.MULTILINE))


def equations(data: Path) -> list[Sample]:
    """Return SVAMP's equations as solutions, each in one of four styles."""
    samples = []
    for number, record in read_records(data / "svamp" / "problems.jsonl"):
        equation, answer = record["equation"], record["answer"].removeprefix("#### ")
        text = (f"{equation} = {answer}", f"x={equation}\nx={answer}", equation, f"x = {equation} = {answer}")[
            number % 4
        ]
        samples.append(_correct(record["problem_id"], record["question"], f"{text}\nFINAL ANSWER: {answer}"))
    return samples


def certified_flaws(run: Path, data: Path) -> list[Sample]:
    """Return drawn conceptual flaws of a sealed mutation stage, and each of their correct originals once; no reserved problem."""
    problems = load_corpus(str(data / "gsm8k" / "train.jsonl"))
    reserved = read_exclusion(data / "gsm8k" / "reserved_indices.json", problems).problems
    by_operator: dict[str, list[dict[str, Any]]] = {}
    for _, record in read_records(run / "mutation" / "conceptual.jsonl"):
        if record["problem_id"] not in reserved:
            by_operator.setdefault(record["operator"], []).append(record)
    samples: dict[str, Sample] = {}
    for operator, records in sorted(by_operator.items()):
        for record in random.Random(f"travel:{operator}").sample(records, min(len(records), MOST_OF_OPERATOR)):
            name, problem_id, question = record["flaw_id"], record["problem_id"], record["question"]
            truth = Truth(flawed=True, error_class=ErrorClass.CONCEPTUAL)
            samples[name] = Sample(name, problem_id, question, record["flawed_solution"], truth, "certified", "MIT")
            samples.setdefault(problem_id, _correct(problem_id, question, record["solution"]))
    return [shown(sample) for sample in samples.values()]


def _teachers_own(data: Path) -> list[Sample]:
    """Return the correct solutions beside the students' ones."""
    return [
        shown(
            _correct(
                record["id"], record["problem"], "\n".join(with_answer(record["gold_solution"].strip().split("\n")))
            )
        )
        for _, record in read_records(data / "errors" / "verify_then_generate.jsonl")
        if (record.get("gold_solution") or "").strip()
    ]


def _correct(name: str, question: str, solution: str) -> Sample:
    return Sample(f"{name}:correct", name, question, solution, Truth(flawed=False), "correct", "as the file's")


FORMS: dict[str, Callable[[Item], Item]] = {
    "plain": lambda item: item,
    "joined": lambda item: with_lines(item, joined(item.lines, 0)),
    "turned, in words": lambda item: with_lines(item, (in_words(turned(line)) for line in item.lines)),
}
"""The forms in which each solution is read; an annotated one is no other form, since engines see no annotations."""


def measured(name: str, samples: Sequence[Sample], form: str = "plain") -> MeasuredSource:
    """Return the features of a source's solutions in a form, as the engine sees them."""
    items = [FORMS[form](concluded(read_item(sample.question, sample.solution))) for sample in samples]
    return MeasuredSource(
        name,
        samples,
        [EVIDENCE.features_of(Case(without_form(item))) for item in items],
        np.array([proved(Case(item)) is not None for item in items]),
    )


def symbolic_verdicts(samples: Sequence[Sample]) -> list[bool]:
    """Return which samples the symbolic engine calls flawed."""
    items = [read_item(sample.question, sample.solution) for sample in samples]
    return [judgement.flawed for judgement in judge(open_engine("symbolic"), items)]
