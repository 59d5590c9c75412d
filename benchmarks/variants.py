"""Benchmark of problem variants made of real problems: yield, certificates by both solvers, renumbered answers, speed and shortcuts."""

import gc
import json
import statistics
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from benchmarks.sessions import DATASETS, recheck_counts, records, require, sealed_stage, session, stage_options
from benchmarks.shortcuts import Pair, areas
from generators.flaws.solution.source_solution import UnfitError, open_source
from generators.formalizations.annotation_compiler import MODEL
from generators.variants.variant_source import VariantSubject
from harness.answers.gold_answer import match_gold, read_gold
from harness.constraint_system import ConstraintSystem, ProblemClass
from harness.corpora.problems import load_corpus
from harness.corpora.responses import SpooledResponses
from harness.domain import Problem, Response
from harness.json_form import read_record
from harness.store.run_folder import dump
from oracles.proofs.solvers import Solver, SolverName, open_solver
from properties.engine.stage_run import RARELY
from properties.stages.variant import make_from

NAME = "templates"
PART = "3/16"
"""The slice of the problems that is measured."""
TIMED = 8
"""Of so many problems one is made by itself to time it."""
EXCLUDED = "gsm8k/reserved_indices.json"
CORPUS, FORMALIZATIONS = DATASETS[NAME]
Record = dict[str, Any]


def measure(data: Path) -> Record:
    """Run the variant stage on the templates and check what it made in every way there is."""
    require(NAME, EXCLUDED, data=data)
    with tempfile.TemporaryDirectory() as runs:
        options = stage_options(NAME, data, Path(runs), workers="2", marker="variant")
        more = [f"--harness-formalizations={MODEL}", f"--harness-exclude={data / EXCLUDED}", f"--harness-slice={PART}"]
        done = session([*options, *more, "properties"])
        stage = sealed_stage(NAME, "variant", Path(runs), done)
        made = list(records(stage / "variants.jsonl"))
        figures = {
            "counts": json.loads((stage / "manifest.json").read_text(encoding="utf-8"))["counts"],
            "session_seconds": round(done.seconds),
            "peak_megabytes": round(done.megabytes),
            **_made(made),
            "recheck": {solver: recheck_counts(stage / "variants.jsonl", solver) for solver in ("z3", "cvc5")},
            "renumbered": _renumbered(made),
            "shortcuts": areas(_kinds(made)),
        }
    return {**figures, "speed": _speed(data)}


def _made(made: Sequence[Record]) -> Record:
    twins = {record["twin_of"] for record in made}
    lacking = [record["variant_id"] for record in made if record["class_label"] == ProblemClass.UNDERSPECIFIED]
    return {
        "variants": len(made),
        "distinct": len({record["modified_problem_text"] for record in made}),
        "classes": dict(Counter(ProblemClass(record["class_label"]).name.lower() for record in made)),
        "near_twins": sum(record["twin_of"] is not None for record in made),
        "operators": dict(Counter(f"{record['operator']}{' twin' * bool(record['twin_of'])}" for record in made)),
        "underspecified": len(lacking),
        "underspecified_with_a_twin": sum(name in twins for name in lacking),
    }


def _kinds(made: Sequence[Record]) -> dict[str, list[Pair]]:
    """Return the pairs to be told apart: a variant and its near-twin, a variant and a solvable text, the two classes of errors."""
    by_id = {record["variant_id"]: record for record in made}
    kinds: dict[str, list[Pair]] = defaultdict(list)
    classes: dict[str, dict[int, str]] = defaultdict(dict)
    for record in sorted(made, key=lambda record: str(record["variant_id"])):
        problem, text = record["problem_id"], record["modified_problem_text"]
        classes[problem].setdefault(record["class_label"], text)
        original = by_id.get(record["twin_of"])
        if original is not None:
            name = ProblemClass(original["class_label"]).name.lower()
            kinds[f"{name}, its near-twin"].append((problem, text, original["modified_problem_text"]))
            kinds[f"{original['operator']}, its near-twin"].append((problem, text, original["modified_problem_text"]))
    for problem, texts in classes.items():
        for left, right in ((1, 0), (1, 2), (0, 2)):
            if left in texts and right in texts:
                name = f"{ProblemClass(right).name.lower()}, {ProblemClass(left).name.lower()}"
                kinds[name].append((problem, texts[left], texts[right]))
    return kinds


def _renumbered(made: Sequence[Record]) -> Record:
    """Compare the gold answers of renumbered problems with exact evaluation."""
    equal = total = 0
    for record in made:
        if record["operator"] == "renumbered":
            total += 1
            system = read_record(ConstraintSystem, record["system"])
            gold = read_gold(record["gold"], record["solution"])
            match = None if gold is None else match_gold(Fraction(system.complete()[system.answer]), gold)
            equal += match is not None and match.reached is True and match.method != "rounded"
    return {"problems": total, "equal_to_exact_evaluation": equal}


def _speed(data: Path) -> Record:
    """Make, certify and serialize in this process, problem by problem, as a stream; garbage is collected as in a session."""
    problems = {problem.problem_id: problem for problem in load_corpus(str(data / CORPUS))}
    reserved = set(json.loads((data / EXCLUDED).read_text(encoding="utf-8")))
    allowed = frozenset(name for place, name in enumerate(problems) if place not in reserved)
    responses = SpooledResponses([data / FORMALIZATIONS], allowed)
    solver = open_solver(SolverName.Z3)
    gc.freeze()
    gc.set_threshold(*RARELY)
    rates: list[float] = []
    made = 0
    for problem_id in sorted(responses)[::TIMED]:
        count, seconds = _timed(problems[problem_id], responses[problem_id], solver)
        made += count
        if count:
            rates.append(count / seconds)
    return {"median_a_second": round(statistics.median(rates)), "variants": made}


def _timed(problem: Problem, responses: Mapping[str, Response], solver: Solver) -> tuple[int, float]:
    """Return how many variants a problem gives, and what making and certifying them takes in processor seconds."""
    for response in responses.values():
        try:
            source = open_source(problem, response)
        except UnfitError:
            continue
        before = time.process_time()
        variants = make_from(VariantSubject(source), seed=0, solver=solver).records
        return sum(len(dump(record)) > 0 for record in variants), time.process_time() - before
    return 0, 0.0
