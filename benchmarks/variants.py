"""Benchmark of the variant stage on real problems: yield, certificate checks, renumbered answers and speed.

`python -m benchmarks variants` measures all of it; `python -m benchmarks.variants` prints the speed alone, and with the folder of a run what was made there.
"""

from __future__ import annotations

import argparse
import gc
import json
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks import variant_shortcuts
from benchmarks.sessions import DATASETS, available, session, stage_options
from generators.flaws.solution.source_solution import UnfitError, open_source
from generators.formalizations.annotation.compiler import MODEL
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from harness.corpora.gold_answer import match_gold, read_gold
from harness.corpora.labelled_solutions import LabelledSolution, read_labelled
from harness.corpora.problems import load_corpus
from harness.corpora.responses import load_responses
from harness.domain import Status
from harness.paths import data_folder
from harness.store.run_folder import dump
from oracles.certificates.solvers import SolverName, open_solver
from oracles.labels.audit.label_verdict import audit
from oracles.recheck.record_recheck import recheck
from oracles.variants.system_record import system_of_record
from properties.engine.stage_run import RARELY
from properties.stages.certified_variants import make_from

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.domain import Problem, Response
    from oracles.certificates.solvers import Solver

NAME = "templates"
PART = "3/16"
"""The slice of the problems that is measured."""
TIMED = 8
"""Of so many problems one is made by itself to time it."""
EXCLUDED = "gsm8k/reserved_indices.json"
CORPUS, FORMALIZATIONS = DATASETS[NAME]
COMMAND = (
    f"pytest -q -n2 -m variant properties --harness-gate=none --harness-corpus=$SHARED_DATA/{CORPUS} "
    f"--harness-formalizations=$SHARED_DATA/{FORMALIZATIONS} --harness-formalizations=annotation "
    f"--harness-exclude=$SHARED_DATA/{EXCLUDED} --harness-slice={PART} --harness-run={NAME}"
)
CHANGED = 400
"""How many records are re-checked with one digit of their certificate changed."""
SEED = 11
SAID_AGAIN = "restated_input"
REMOVALS = ("removed_sentence", "removed_number")
VAGUE = "vague_quantity"
Record = dict[str, Any]


def measure(data: Path) -> str:
    """Run the variant stage on the templates, check what it made in every way there is, and return the figures as Markdown."""
    head = "## Problem variants\n\n    python -m benchmarks variants"
    if not available(NAME, data) or not (data / EXCLUDED).is_file():
        return f"{head}\n\nNot measured: the data are not there."
    speed = _table(speed_rows(data))
    with tempfile.TemporaryDirectory() as runs:
        options = stage_options(NAME, data, Path(runs), workers="2", marker="variant")
        more = [
            f"--harness-formalizations={MODEL}",
            f"--harness-exclude={data / EXCLUDED}",
            f"--harness-slice={PART}",
            "properties",
        ]
        done = session([*options, *more])
        stage = Path(runs, NAME, "variant")
        if not (stage / "manifest.json").exists():
            return f"{head}\n\nThe session failed with status {done.status}:\n\n```\n{done.output[-2000:]}\n```"
        file = stage / "variants.jsonl"
        counts = json.loads((stage / "manifest.json").read_text(encoding="utf-8"))["counts"]
        made = [
            *made_rows(counts, file),
            ("the session", f"{done.seconds:,.0f} s, peak {done.megabytes:,.0f} MB of its largest process"),
        ]
        shortcuts = variant_shortcuts.measure(file)
        parts = [_table(made), _operators(counts, file), _table(check_rows(file)), speed, shortcuts]
    return "\n\n".join([head, f"    {COMMAND}", *parts])


def _table(rows: list[tuple[str, str]]) -> str:
    return "\n".join(["| what | figure |", "|---|---|", *(f"| {label} | {value} |" for label, value in rows)])


def records(file: Path) -> Iterator[Record]:
    """Yield the records of a sealed stage."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def made_rows(counts: Record, file: Path) -> list[tuple[str, str]]:
    """Return what was made of how many problems."""
    sources = counts["sources"]
    unfit = ", ".join(f"{count:,} {why}" for why, count in sorted(counts.get("unfit", {}).items()))
    texts: set[int] = set()
    classes: Counter[str] = Counter()
    contradictions: Counter[str] = Counter()
    removed: dict[str, set[str]] = {}
    lacking: dict[str, str] = {}
    twinned: set[str] = set()
    for record in records(file):
        texts.add(hash(record["modified_problem_text"]))
        twin = " (near-twin)" if record["twin_of"] is not None else ""
        classes[f"{record['class_label']} {ProblemClass(record['class_label']).name.lower()}{twin}"] += 1
        twinned.add(record["twin_of"])
        if record["class_label"] == ProblemClass.UNDERSPECIFIED:
            lacking[record["variant_id"]] = record["operator"]
            removed.setdefault(record["operator"], set()).add(record["problem_id"])
        if record["class_label"] == ProblemClass.CONTRADICTORY:
            contradictions[record["operator"]] += 1
    edited = sum(count for who, count in sources.items() if who != "none")
    undecided = sum(count for name, count in counts["discarded"].items() if name.endswith(" undecided"))
    return [
        ("problems", f"{counts['problems']:,}"),
        (
            "problems edited, by who wrote the template",
            ", ".join(f"{count:,} {who}" for who, count in sources.items() if who != "none"),
        ),
        ("problems of which nothing is made", f"{sources.get('none', 0):,}: {unfit}"),
        ("variants by class", ", ".join(f"{count:,} of {name}" for name, count in sorted(classes.items()))),
        (
            "contradictions in which an input is said again as another number (asked ≤ half)",
            f"{contradictions[SAID_AGAIN]:,} of {contradictions.total():,}",
        ),
        (
            "problems with a removal, of those edited (asked ≥ 45%)",
            f"{_share(_problems(removed, *REMOVALS), edited)}",
        ),
        ("underspecified variants with vague words (asked ≤ a third)", _share(_of(lacking, VAGUE), len(lacking))),
        (
            "underspecified variants with a near-twin (asked ≥ 80%)",
            _share(len(lacking.keys() & twinned), len(lacking)),
        ),
        ("distinct texts", f"{len(texts):,} of {classes.total():,}"),
        ("edits on which the solver gave up, discarded", f"{undecided:,}"),
    ]


def _problems(removed: Mapping[str, set[str]], *operators: str) -> int:
    return len(set().union(*(removed.get(name, set()) for name in operators)))


def _of(lacking: Mapping[str, str], operator: str) -> int:
    return sum(name == operator for name in lacking.values())


def _share(count: int, total: int) -> str:
    return f"{count:,} of {total:,} ({count / max(1, total):.1%})"


def _operators(counts: Record, file: Path) -> str:
    """Return what each operator made and discarded."""
    made: Counter[tuple[str, str]] = Counter()
    for record in records(file):
        twin = record["twin_of"] is not None
        made[record["operator"], "twin" if twin else "variant"] += 1
    dropped: dict[str, Counter[str]] = {}
    for name, count in counts["discarded"].items():
        operator, _, why = name.partition(" ")
        dropped.setdefault(operator, Counter())[why] = count
    rows = ["| operator | variants | near-twins | discarded |", "|---|---|---|---|"]
    for operator in sorted({*(name for name, _ in made), *dropped}):
        why = ", ".join(
            f"{count:,} {name}" for name, count in sorted(dropped.get(operator, Counter()).items(), key=_most_first)
        )
        rows.append(f"| {operator} | {made[operator, 'variant']:,} | {made[operator, 'twin']:,} | {why} |")
    return "\n".join(rows)


def _most_first(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


def check_rows(file: Path) -> list[tuple[str, str]]:
    """Re-check every certificate by both solvers, some with a digit changed, and audit every renumbered solution."""
    rows = []
    for solver in SolverName:
        started = time.perf_counter()
        command = [
            sys.executable,
            "-m",
            "oracle_factory",
            "recheck",
            str(file),
            "--solver",
            solver,
            "--jobs",
            "2",
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        seconds = time.perf_counter() - started
        found = re.findall(r"^│ ([\w-]+) +│ +([\d,]+) +│ +([\d,]+) +│ +([\d,]+) +│", done.stdout, re.MULTILINE)
        said = "; ".join(f"{claim}: {yes} / {unknown} / {no}" for claim, yes, unknown, no in found)
        command_shown = f"`oracle-factory recheck variants.jsonl --solver {solver} --jobs 2`"
        told = said or done.stdout[-300:] + done.stderr[-300:]
        rows.append((f"{command_shown}: CONFIRMED / UNKNOWN / REFUTED", f"{told} ({seconds:,.0f} s)"))
    return [*rows, _changed_row(file), *_renumbered_rows(file)]


def _changed_row(file: Path) -> tuple[str, str]:
    """Re-check records drawn by lot, each with one digit of its certificate changed."""
    lot = sorted(
        (Random(f"{SEED}:{record['variant_id']}").random(), place) for place, record in enumerate(records(file))
    )
    chosen = {place for _, place in lot[:CHANGED]}
    solver = open_solver(SolverName.Z3)
    found: Counter[str] = Counter()
    for place, record in enumerate(records(file)):
        if place in chosen:
            changed = with_a_digit_changed(record, Random(f"{SEED}:{record['variant_id']}:digit"))
            found[recheck(changed, solver).status.name] += 1
    refused = found.total() - found[Status.CONFIRMED.name]
    return f"{found.total():,} records drawn by lot with one digit of the SMT-LIB text changed", f"{refused:,} refused"


_DIGIT = re.compile(r"\d")


def with_a_digit_changed(record: Record, random: Random) -> Record:
    """Return a record with another digit at one place of its script, not in a comment."""
    text = record["certificate"]["smtlib"]
    places = [
        start + match.start()
        for start, line in _lines(text)
        if not line.startswith(";")
        for match in _DIGIT.finditer(line)
    ]
    place = random.choice(places)
    other = random.choice([digit for digit in "0123456789" if digit != text[place]])
    return {**record, "certificate": {**record["certificate"], "smtlib": f"{text[:place]}{other}{text[place + 1 :]}"}}


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, line
        start += len(line)


def _renumbered_rows(file: Path) -> list[tuple[str, str]]:
    """Audit the solutions of renumbered problems, and compare their gold answers with exact evaluation."""
    verdicts: Counter[str] = Counter()
    equal = total = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "renumbered.jsonl")
        with path.open("w", encoding="utf-8") as lines:
            for record in records(file):
                if record["operator"] != "renumbered":
                    continue
                total += 1
                system = system_of_record(record["system"])
                gold = read_gold(record["gold"], record["solution"])
                match = None if gold is None else match_gold(Fraction(system.complete()[system.answer]), gold)
                equal += match is not None and match.reached and match.method != "rounded"
                told = {key: record[key] for key in ("problem_id", "solution", "gold")}
                lines.write(json.dumps({**told, "label": "correct"}) + "\n")
        for solution in read_labelled([path]):
            if isinstance(solution, LabelledSolution):
                verdicts[audit(solution, None, solution.problem_id or "").status.name] += 1
            else:
                verdicts["REJECTED"] += 1
    said = ", ".join(f"{count:,} {status}" for status, count in verdicts.most_common())
    return [
        ("solutions of renumbered problems through the label audit", said),
        ("renumbered problems whose gold answer equals exact evaluation", f"{equal:,} of {total:,}"),
    ]


def speed_rows(data: Path) -> list[tuple[str, str]]:
    """Make, certify and serialize in this process, problem by problem, as a stream, twice; the faster pass counts.

    The garbage collector is set as the stage sets it.
    """
    problems = {problem.problem_id: problem for problem in load_corpus(str(data / CORPUS))}
    reserved = set(json.loads((data / EXCLUDED).read_text(encoding="utf-8")))
    allowed = frozenset(name for place, name in enumerate(problems) if place not in reserved)
    responses = load_responses([data / FORMALIZATIONS], allowed).accepted
    chosen = [(problems[problem_id], responses[problem_id]) for problem_id in sorted(responses)[::TIMED]]
    gc.freeze()
    gc.set_threshold(*RARELY)
    passes = [_timed(chosen) for _ in range(2)]
    rates, made, spent, sizes = max(passes, key=_median_rate)
    return [
        (
            "certified variants a second on one core, making and certifying, median over problems, better of two passes (asked ≥ 200)",
            f"{statistics.median(rates):,.0f}",
        ),
        ("over the pass, reading of templates included", f"{made / spent:,.0f} ({made:,} in {spent:,.0f} s)"),
        ("peak memory at each quarter of the pass", ", ".join(f"{size:,.0f} MB" for size in sizes)),
    ]


_Pass = tuple[list[float], int, float, list[float]]


def _median_rate(timing: _Pass) -> float:
    return statistics.median(timing[0])


def _timed(chosen: Sequence[tuple[Problem, Mapping[str, Response]]]) -> _Pass:
    """Return variants a second problem by problem, how many there are, processor seconds, and memory at each quarter."""
    rates: list[float] = []
    sizes: list[float] = []
    made = 0
    solver = open_solver(SolverName.Z3)
    started = time.process_time()
    for place, (problem, answered) in enumerate(chosen):
        if place % (len(chosen) // 4) == 0:
            sizes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        count, seconds = _made(problem, answered, solver)
        if count:
            rates.append(count / seconds)
            made += count
    return rates, made, time.process_time() - started, sizes


def _made(problem: Problem, responses: Mapping[str, Response], solver: Solver) -> tuple[int, float]:
    """Return how many variants a problem gives, and what making and certifying them takes in processor seconds."""
    for response in responses.values():
        try:
            source = open_source(problem, response)
        except UnfitError:
            continue
        before = time.process_time()
        variants = make_from(VariantSubject(source), seed=0, solver=solver).records
        count = sum(len(dump(record)) > 0 for record in variants)
        return count, time.process_time() - before
    return 0, 0.0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.variants", description=__doc__)
    parser.add_argument("run", type=Path, nargs="?", help="the folder of a run with variants")
    run = parser.parse_args().run
    if run is None:
        print(_table(speed_rows(data_folder())))
    else:
        sealed = json.loads((run / "variant" / "manifest.json").read_text(encoding="utf-8"))["counts"]
        print(_table(made_rows(sealed, run / "variant" / "variants.jsonl")))
