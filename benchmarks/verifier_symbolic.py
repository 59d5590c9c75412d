"""Benchmark of the symbolic engine: errors found, false accusations, and the value of each kind of evidence.

`python -m benchmarks.verifier_symbolic` also prints each missed error and each false accusation, for reading.
"""

import json
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from statistics import quantiles
from typing import Any, NamedTuple

from benchmarks.sessions import DataMissing
from harness.corpora.problems import load_corpus
from harness.paths import data_folder
from harness.solution.labels import ErrorClass
from harness.text.markup import without_annotations
from sft.samples.items import Item
from sft.samples.solution_judgement import Judgement
from sft.samples.solution_text import read_item
from sft.verifier.engines.symbolic import judgement

_MARK = re.compile(r"(?m)^####")
MOST_CORRECT = 4_000
CORRECT = "correct"


class LabelledSolution(NamedTuple):
    """A solution and what its label says: `computational`, `conceptual` or `correct`."""

    problem_id: str
    question: str
    solution: str
    said: str
    line: str

    def item(self, *, bare: bool) -> Item:
        """Return it as read; `bare` leaves out its annotations and writes `FINAL ANSWER:`."""
        text = _MARK.sub("FINAL ANSWER:", without_annotations(self.solution)) if bare else self.solution
        return read_item(self.question, text)


def measure(data: Path) -> dict[str, Any]:
    """Return recall, precision and latency on what people spoiled, and what each rule tells.

    Raises:
        DataMissing: the judged solutions are not there.
    """
    if not (data / "errors").is_dir():
        raise DataMissing(data / "errors")
    human = list(human_solutions(data))
    accepted = list(accepted_solutions(data))
    return {
        "human_written": {
            "with annotations": _found(human, bare=False),
            "without, FINAL ANSWER:": _found(human, bare=True),
        },
        **_rules(data, [*human, *accepted]),
    }


def human_solutions(data: Path) -> Iterator[LabelledSolution]:
    """Yield the solutions that people spoiled, and each correct original once."""
    seen: set[str] = set()
    for record in _records(data / "errors" / "human_written.jsonl"):
        problem_id, question = record["problem_id"], record["question"]
        line = record["erroneous_line_number"] or ""
        yield LabelledSolution(problem_id, question, record["flawed_solution"], record["error_type"], line)
        if problem_id not in seen:
            seen.add(problem_id)
            yield LabelledSolution(problem_id, question, record["solution"], CORRECT, "")


def accepted_solutions(data: Path) -> Iterator[LabelledSolution]:
    """Yield the accepted conceptual errors, an answer that stands first put last, and each correct original once."""
    problems = {problem.problem_id: problem for problem in load_corpus(f"gsm8k-train={data / 'gsm8k' / 'train.jsonl'}")}
    seen: set[str] = set()
    for record in _records(data / "errors" / "human_accepted_conceptual.jsonl"):
        problem = problems[record["problem_id"]]
        lines = [line for line in record["flawed_solution"].split("\n") if line.strip()]
        lines.sort(key=lambda line: line.startswith("####"))
        line = record["label"]["error_details"]["erroneous_line_number"]
        yield LabelledSolution(problem.problem_id, problem.question, "\n".join(lines), "conceptual", line)
        if problem.problem_id not in seen:
            seen.add(problem.problem_id)
            yield LabelledSolution(
                problem.problem_id, problem.question, f"{problem.solution}\n#### {problem.gold}", CORRECT, ""
            )


def _records(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def judgements_of(known: Sequence[LabelledSolution], *, bare: bool) -> tuple[list[Judgement], list[float]]:
    """Return the judgement on each, and the processor time of each in milliseconds, reading included."""
    found, times = [], []
    for solution in known:
        started = time.process_time()
        found.append(judgement(solution.item(bare=bare)))
        times.append((time.process_time() - started) * 1_000)
    return found, times


def _found(human: Sequence[LabelledSolution], *, bare: bool) -> dict[str, Any]:
    found, times = judgements_of(human, bare=bare)
    counts: Counter[str] = Counter()
    for solution, judgement_ in zip(human, found, strict=True):
        accused = judgement_.error_class is ErrorClass.COMPUTATIONAL
        counts[solution.said] += 1
        counts[f"{solution.said} accused"] += accused
        if solution.said == "computational" and accused and solution.line:
            counts["lines"] += 1
            counts["right lines"] += solution.line == judgement_.line
    cuts = quantiles(times, n=20)
    return {**counts, "milliseconds": {"p50": round(cuts[9], 1), "p95": round(cuts[18], 1)}}


def _rules(data: Path, known: Sequence[LabelledSolution]) -> dict[str, Any]:
    """Return of each rule of the engine how often each class is the labelled one, and the correct solutions of GSM8K that are accused."""
    corpus = load_corpus(f"gsm8k-train={data / 'gsm8k' / 'train.jsonl'}")
    correct = [
        LabelledSolution(problem.problem_id, problem.question, f"{problem.solution}\n#### {problem.gold}", CORRECT, "")
        for problem in islice(corpus, MOST_CORRECT)
    ]
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for solution, judgement_ in zip(known, judgements_of(known, bare=True)[0], strict=True):
        if judgement_.flawed:
            seen[str(judgement_.evidence[0].kind)][solution.said] += 1
    accused = sum(judgement_.flawed for judgement_ in judgements_of(correct, bare=True)[0])
    return {"rules": seen, "gsm8k": {"correct": len(correct), "accused": accused}}


def main() -> int:
    """Print what was missed and what was accused wrongly."""
    data = data_folder()
    human = list(human_solutions(data))
    for solution, judgement_ in zip(human, judgements_of(human, bare=True)[0], strict=True):
        accused = judgement_.error_class is ErrorClass.COMPUTATIONAL
        if accused != (solution.said == "computational"):
            print(
                f"=== {solution.problem_id} {solution.said} {solution.line} {judgement_.explanation}\n{solution.solution}"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
