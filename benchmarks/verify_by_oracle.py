"""Benchmark of the engine `oracle`: verdicts, first wrong steps and proofs by programs of models, judged without gold answers, and by worked solutions.

`python -m benchmarks verify_by_oracle` judges seven, four, one and all 27 public programs of each of 300 problems, and five times seven drawn by lot, then diagnoses answers
of models to these problems, solutions of strong models whose first wrong step people marked, students' solutions, errors that people wrote, and flaws of renumbered bundled problems.
A solution of which nothing is known counts as wrong in each figure.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.answer_probability import coverage
from benchmarks.sessions import records, require
from generators.formalizations.annotation_compiler import compile_template
from harness.corpora.problems import CORPORA, load_corpus, read_records
from harness.domain import Problem, Response
from harness.records.provenance import SourceProvenance
from harness.solution.labels import FINAL_ANSWER, ErrorType
from oracle_factory import judge
from properties.stages.mutation import make as make_flaws
from properties.stages.variant import make as make_variants
from sft.diagnosis.decision import diagnose
from sft.diagnosis.diagnosis import Diagnosis, DiagnosisStatus
from sft.diagnosis.oracle_sources import OracleSource
from sft.samples.solution_text import read_item

if TYPE_CHECKING:
    Record = Mapping[str, Any]

SEVEN = (
    "Faithful-COT/code002/NL+SL",
    "Faithful-COT/gpt-3.5-turbo/NL+SL",
    "PoT/code-davinci-002/fewshot",
    "ToRA/tora-70b/tora",
    "Faithful-COT/gpt4/NL+SL",
    "Faithful-COT/text003/NL+SL",
    "ToRA/tora-code-34b/tora",
)
"""One configuration of each of seven models; the first four and the first one are the smaller sets."""
SETS = {"seven": SEVEN, "four": SEVEN[:4], "one": SEVEN[:1]}
LOTS, LOT, ALL = 5, "lot", "all"
MOST_BUNDLED = 12
MINI, TEMPLATES = CORPORA / "mini", "birch"
"""The bundled corpus, and the model in it whose programs have a line for each line of the solution."""
WORKED = "worked"
PRECISION = 0.99
ANSWERS = "model_solutions/dev.jsonl"
ERRORS = tuple(f"errors/{name}.jsonl" for name in ("model_steps", "verify_then_generate", "human_written"))


@dataclass(slots=True)
class Diagnoser:
    """Diagnoses solutions by a source of oracles, and keeps the seconds of processor time that each takes with its oracle at hand."""

    source: OracleSource
    seconds: list[float] = field(default_factory=list)

    def diagnosis(self, question: str, solution: str, reference: str = "") -> Diagnosis:
        """Return the diagnosis of a solution; `reference` is the worked solution of its problem."""
        item = replace(read_item(question, ""), reference=reference)
        oracle = self.source.oracle_of(item)
        if oracle is None:
            return diagnose(read_item(question, solution), None)
        _ = (
            oracle.values,
            oracle.definitions,
            oracle.by_residue,
            oracle.constants,
            oracle.told_steps,
        )  # built when they are first read
        began = time.process_time()
        found = diagnose(read_item(question, solution), oracle)
        self.seconds.append(time.process_time() - began)
        return found


def measure(data: Path) -> dict[str, Any]:
    """Return the figures by seven, four and one programs and by worked solutions."""
    require("programs", ANSWERS, *ERRORS, data=data)
    problems = {own.problem_id: own for own in load_corpus(str(data / "gsm8k" / "test.jsonl"))}
    marked = list(records(data / ERRORS[0]))
    by_reference = Diagnoser(OracleSource())
    steps = {WORKED: first_wrong_steps(by_reference, [_with_worked(record, problems) for record in marked])}
    students = [{**record, "question": record["problem"]} for record in records(data / ERRORS[1])]
    verdict: dict[str, Any] = {}
    figures: dict[str, Any] = {
        "first_wrong_step": steps,
        "students": first_wrong_steps(by_reference, students),
        "people": people(by_reference, records(data / ERRORS[2])),
        "own_flaws": own_flaws(Diagnoser(OracleSource())),
        "milliseconds_by_worked_solutions": _median_milliseconds(by_reference),
    }
    for name, models in {**SETS, **_other_sets(data)}.items():
        by_programs = Diagnoser(OracleSource.of_run(judged_run(data, models)))
        steps[name] = first_wrong_steps(by_programs, marked)
        verdict[name] = verdicts(by_programs, list(records(data / ANSWERS)))
        if models is SEVEN:
            figures["milliseconds"] = _median_milliseconds(by_programs)
    lots = [name for name in steps if name.startswith(LOT)]
    accuracies, scores = [verdict[name]["accuracy"] for name in lots], [steps[name]["f1"] for name in lots]
    by_lot = {
        "accuracy": statistics.mean(accuracies),
        "least_accuracy": min(accuracies),
        "f1": statistics.mean(scores),
        "least_f1": min(scores),
        "most_accused": max(steps[name]["accused"] for name in lots),
    }
    return {**figures, "verdicts": verdict["seven"], "verdicts_by_set": verdict, "by_lot": by_lot}


def _other_sets(data: Path) -> dict[str, tuple[str, ...]]:
    """Return all configurations, and sets of seven of them by lot."""
    models = tuple(
        sorted({record["model"] for _, record in read_records(data / "formalizations" / "programs.jsonl.gz")})
    )
    drawn = {f"{LOT}{number}": tuple(Random(f"{LOT}{number}").sample(models, len(SEVEN))) for number in range(LOTS)}
    return {**drawn, ALL: models}


def own_flaws(diagnoser: Diagnoser) -> dict[str, Any]:
    """Return how often the line and the type of flaws of renumbered bundled problems are found by their solutions."""
    counts: Counter[str] = Counter()
    for record in _renumbered_flaws():
        found = diagnoser.diagnosis(record["question"], record["flawed_solution"], record["solution"])
        details = record["label"]["error_details"]
        counts["flaws"] += 1
        counts["line_right"] += found.line == details["erroneous_line_number"]
        counts["type_right"] += found.error_type == details["error_type"]
        counts["proved"] += found.status is DiagnosisStatus.WRONG_PROVED
    return dict(counts)


def _renumbered_flaws() -> Iterator[Record]:
    """Yield flaws of the first renumbering of each of the bundled problems that have one."""
    provenance = SourceProvenance(formalized=True, oracle=TEMPLATES, clique_size=4, confidence=1.0, p_right=0.9)
    programs = {
        record["problem_id"]: Response(record["problem_id"], TEMPLATES, record["response"])
        for record in records(MINI / "formalizations.jsonl")
        if record["model"] == TEMPLATES
    }
    for problem in islice(load_corpus("mini"), MOST_BUNDLED):
        response = programs[problem.problem_id]
        made = make_variants(problem, [response], seed=0, provenance=provenance).records
        other = next((own for own in made if own["operator"] == "renumbered" and own["solution"]), None)
        if other is None:
            continue
        lines, _, gold = other["solution"].rpartition("####")
        renumbered = Problem(problem.problem_id, other["modified_problem_text"], lines.strip(), gold.strip())
        template = Response(problem.problem_id, WORKED, compile_template(renumbered), "template")
        flaws = make_flaws(renumbered, [template], seed=0, provenance=provenance).records
        yield from json.loads(json.dumps(list(flaws)))


def _with_worked(record: Record, problems: Mapping[str, Problem]) -> Record:
    """Return a record with the worked solution of its problem."""
    problem = problems[record["problem_id"]]
    return {**record, "gold_solution": f"{problem.solution}\n#### {problem.gold}"}


@cache
def judged_run(data: Path, models: tuple[str, ...]) -> Path:
    """Return the run that judges the programs of some models without the answers of the problems; it is made once a process, at whose end it is removed."""
    problems = {own.problem_id: own for own in load_corpus(str(data / "gsm8k" / "test.jsonl"))}
    programs = [
        record
        for _, record in read_records(data / "formalizations" / "programs.jsonl.gz")
        if record["model"] in set(models)
    ]
    asked = {record["problem_id"] for record in programs}
    questions = [{"problem_id": name, "question": problems[name].question} for name in sorted(asked)]
    out = Path(_runs().name) / str(judged_run.cache_info().currsize)
    judge(questions, programs, out=out, processes=2)
    return out


@cache
def _runs() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="oracle-factory-")


def verdicts(diagnoser: Diagnoser, answers: Sequence[Record]) -> dict[str, Any]:
    """Return how often right or wrong is said rightly, the share that is answered at 99% precision by confidence, and the wrong ones with a proof."""
    found = [diagnoser.diagnosis(record["question"], record["solution"]) for record in answers]
    known = np.array([own.status is not DiagnosisStatus.UNKNOWN for own in found])
    right = known & np.array(
        [own.status.is_right == record["is_correct"] for own, record in zip(found, answers, strict=True)]
    )
    wrong = [own.status for own, record in zip(found, answers, strict=True) if not record["is_correct"]]
    return {
        "answers": len(answers),
        "right": int(right.sum()),
        "unknown": int((~known).sum()),
        "accuracy": float(right.mean()),
        "coverage_at_99": coverage(
            np.array([own.confidence for own in found]), right.astype(float), PRECISION, len(answers)
        ),
        "wrong": len(wrong),
        "wrong_proved": wrong.count(DiagnosisStatus.WRONG_PROVED),
        "statuses_of_wrong": {str(status): count for status, count in sorted(Counter(wrong).items())},
    }


def first_wrong_steps(diagnoser: Diagnoser, solutions: Iterable[Record]) -> dict[str, Any]:
    """Return how many first wrong steps are found, how many right solutions are accepted and accused, and the harmonic mean of the two shares."""
    counts: Counter[str] = Counter()
    for record in solutions:
        text = "\n".join(" ".join(step.split()) for step in record["steps"])
        found = diagnoser.diagnosis(record["question"], text, record.get("gold_solution", ""))
        first = record["first_error_step"]
        if first is None:
            counts["right"] += 1
            counts["accepted"] += found.status.is_right
            counts["accused"] += found.status.is_wrong
        else:
            counts["wrong"] += 1
            counts["found"] += _step(found.line, len(record["steps"])) == first
            counts["proved"] += found.status is DiagnosisStatus.WRONG_PROVED
    located = counts["found"] / counts["wrong"]
    accepted = counts["accepted"] / counts["right"] if counts["right"] else 0.0
    return {
        **{name: counts[name] for name in ("wrong", "found", "proved", "right", "accepted", "accused")},
        "located": located,
        "f1": 2 * located * accepted / (located + accepted) if located + accepted else 0.0,
    }


def _step(line: str, steps: int) -> int | None:
    """Return the step of a line; the final answer belongs to the last one."""
    return None if not line else steps if line == FINAL_ANSWER else int(line[1:])


def people(diagnoser: Diagnoser, errors: Iterable[Record]) -> dict[str, Any]:
    """Return how often the line and the kind, computational or conceptual, of errors that people wrote are right, and how many are proved."""
    counts: Counter[str] = Counter()
    for record in errors:
        if record["erroneous_line_number"] is None:
            continue
        found = diagnoser.diagnosis(record["question"], record["flawed_solution"], record["solution"])
        computational = found.error_type is ErrorType.COMPUTATIONAL
        counts["errors"] += 1
        lines = [line for line in record["flawed_solution"].splitlines() if line.strip() and "####" not in line]
        # Those who number the lines give the final answer the number after them.
        last = f"L{len(lines) + 1}"
        counts["line_right"] += (last if found.line == FINAL_ANSWER else found.line) == record["erroneous_line_number"]
        counts["kind_right"] += found.status.is_wrong and computational == (record["error_type"] == "computational")
        counts["proved"] += found.status is DiagnosisStatus.WRONG_PROVED
    shares = {f"{name}_share": counts[name] / counts["errors"] for name in ("line_right", "kind_right", "proved")}
    return {**counts, **shares}


def _median_milliseconds(diagnoser: Diagnoser) -> float:
    return round(1000 * statistics.median(diagnoser.seconds), 1)
