"""Benchmark of the alignment of assertions with clauses: right programs accused, wrong ones found, removed assertions found."""

from __future__ import annotations

import re
import sys
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

from generators.constraints.problem.domain import DOMAINS, ProblemSize
from generators.constraints.repair.templates.problem_template import template_program
from harness.corpora.problems import read_records
from harness.domain import Status
from harness.paths import data_folder
from oracles.constraints.clause_alignment import align_clauses
from oracles.constraints.equivalence import equivalences
from oracles.constraints.order_directions import opposed_assertions

if TYPE_CHECKING:
    from pathlib import Path

    from harness.smtlib.constraint_problem import ConstraintProblem

SEED, PROBLEMS = 23, 60
"""Problems of each domain and size."""
DEDUCTION = "smt/logical_deduction.jsonl.gz"


def measure(data: Path) -> str:
    """Return the figures as Markdown."""
    said = (
        "What an alignment of assertions with clauses by names and numbers finds. *Accused*: a right program of which it says that a clause is stated by "
        "nothing. *Removed*: one assertion of a right program that states a clause is left out, drawn by chance; *found*: the alignment then says that a clause "
        "is stated by nothing. *Misplaced*: of the assertions whose words in the problem are known, as the domains give them, those that stand with another clause or with none "
        "(86, 110 and 127 of them by the alignment of commit 9ff25ba9, before the classes that twenty of other seeds show were mended). *Numbered both ways*: programs with an assertion that numbers an order the other way than the rest, such as `(> eve rob)` for `Eve finished above Rob` beside `(= eve 1)` for `Eve finished first`. A program that entails the gold answer counts as right, so that one of these may state something else: *another meaning* counts those that are equivalent to the template of the text in neither direction, by z3 and cvc5."
    )
    rows = [
        "| programs | right | accused | one assertion removed | found | wrong | found | misplaced | right, numbered both ways | of these, another meaning | wrong, numbered both ways |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
        *(_generated(size) for size in ProblemSize),
    ]
    if (data / DEDUCTION).is_file():
        rows.append(_of_models(data / DEDUCTION))
    return "\n\n".join(
        ["## Clauses and assertions", "    python -m benchmarks clause_alignment", said, "\n".join(rows)]
    )


def _generated(size: ProblemSize) -> str:
    counts: Counter[str] = Counter()
    for domain in DOMAINS:
        for problem in domain.problems(PROBLEMS, seed=SEED, size=size):
            _count(counts, problem.id, problem.problem, problem.program)
            counts.update(_misplaced(problem))
    return _row(f"of the domains, {size}", counts)


def _misplaced(problem: ConstraintProblem) -> Counter[str]:
    """Count the assertions whose words are known, and those of them that stand with another clause."""
    alignment = align_clauses(problem.problem, problem.program)
    counts: Counter[str] = Counter()
    for place, stated in zip(alignment.clause_of, problem.stated, strict=False):
        words = _words(stated)
        if words:
            clause = "" if place is None else _words(alignment.clauses[place].text)
            counts["known"] += 1
            counts["misplaced"] += not clause or (words not in clause and clause not in words)
    return counts


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _of_models(path: Path) -> str:
    counts: Counter[str] = Counter()
    for _, record in read_records(path):
        if record["verdict"] == "correct":
            _count(counts, f"{record['id']}:{record['model']}", record["context"], record["smtlib"])
        else:
            counts["wrong"] += 1
            counts["wrong found"] += bool(align_clauses(record["context"], record["smtlib"]).missing)
            counts["wrong opposed"] += bool(opposed_assertions(record["context"], record["smtlib"]))
    return _row("of three models, puzzles about orders", counts)


def _count(counts: Counter[str], name: str, problem: str, program: str) -> None:
    alignment = align_clauses(problem, program)
    counts["right"] += 1
    counts["accused"] += bool(alignment.missing)
    if opposed_assertions(problem, program):
        counts["opposed"] += 1
        counts["opposed rightly"] += _means_something_else(problem, program)
    shorter = None if alignment.missing else _without_one(problem, program, Random(f"{SEED}:{name}"))
    if shorter is not None:
        counts["removed"] += 1
        counts["found"] += bool(align_clauses(problem, shorter).missing)


def _means_something_else(problem: str, program: str) -> bool:
    """Tell whether a program is equivalent to the template of the problem's text neither as it is nor with its order numbered from the other end."""
    template = template_program(problem)
    if template is None:
        return False
    names = re.findall(r"\(declare-const (\S+)", template)
    written = f"{program.partition('(check-sat)')[0]}\n(check-sat)\n"
    for name in names:
        # The names of models differ from those of the template by their capitals.
        written = re.sub(rf"(?<=[ (]){re.escape(name)}(?=[ )])", name, written, flags=re.IGNORECASE)
    lines = template.splitlines()
    declared, formulas = (
        "\n".join(line for line in lines if line.startswith(head)) for head in ("(declare", "(assert")
    )
    for name in names:
        formulas = re.sub(rf"(?<=[ (]){re.escape(name)}(?=[ )])", f"(- {len(names) + 1} {name})", formulas)
    pairs = [(template, written), (f"{declared}\n{formulas}\n(check-sat)\n", written)]
    return all(verdict.status is Status.REFUTED for verdict in equivalences(pairs))


def _without_one(problem: str, program: str, random: Random) -> str | None:
    """Return a program without an assertion that alone states a clause, the first clause and the question aside."""
    alignment = align_clauses(problem, program)
    places = [place for place in alignment.clause_of if place]
    lines = program.splitlines()
    asserted = [number for number, line in enumerate(lines) if line.startswith("(assert")]
    chosen = [
        asserted[number]
        for number, place in enumerate(alignment.clause_of)
        if place and places.count(place) == 1 and not alignment.clauses[place].asks
    ]
    if len(asserted) != len(alignment.clause_of) or not chosen:
        return None
    left_out = random.choice(chosen)
    return "\n".join(line for number, line in enumerate(lines) if number != left_out)


def _row(name: str, counts: Counter[str]) -> str:
    wrong = f"{counts['wrong']:,} | {counts['wrong found']:,}" if counts["wrong"] else "· | ·"
    share = f"{counts['found']:,} ({counts['found'] / counts['removed']:.0%})" if counts["removed"] else "·"
    misplaced = f"{counts['misplaced']:,} of {counts['known']:,}" if counts["known"] else "·"
    opposed = f"{counts['opposed']:,} | {counts['opposed rightly'] or '·'} | {counts['wrong opposed'] if counts['wrong'] else '·'}"
    return f"| {name} | {counts['right']:,} | {counts['accused']:,} | {counts['removed']:,} | {share} | {wrong} | {misplaced} | {opposed} |"


if __name__ == "__main__":
    sys.stdout.write(f"{measure(data_folder())}\n")
