"""Benchmark of doubtful gold answers: the problems of GSM8K whose gold answer models contradict most, and what a language model that read them found."""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.sessions import DATASETS, available
from harness.corpora.problems import load_corpus
from harness.corpora.responses import load_responses
from harness.domain import Status
from harness.program.candidate import read_candidate
from oracles.consensus.probability.model_reliability import ProblemAnswers, estimate_reliability
from oracles.gold_answer_screening import screen

if TYPE_CHECKING:
    from harness.domain import Exact

READ = Path(__file__).with_name("gold_doubts_read.jsonl")
"""What was found by reading: `gold` (the gold answer is wrong), `solution` (the gold answer is right, its worked solution states
what is false), `ambiguous` or `none`, with the false equation."""
MOST_SUSPECT = 20
"""How many of each data set are read."""
SETS = {"programs": "GSM8K test, 300 problems, 27 programs each", "templates": "GSM8K train, templates of two LLMs"}


def suspects(name: str, data: Path) -> list[tuple[float, str, int]]:
    """Return the problems of a data set for which a model gives another value than the gold answer.

    Each with the number of independent witnesses of such a value times its probability, for the value for which that is most; then
    the id, and how many models give that value. The most suspect problem is first.
    """
    corpus, formalizations = (data / path for path in DATASETS[name])
    problems = {problem.problem_id: problem for problem in load_corpus(str(corpus))}
    answers, right = {}, defaultdict(set)
    for problem_id, responses in load_responses([formalizations], frozenset(problems)).accepted.items():
        support: dict[Exact, list[str]] = defaultdict(list)
        silent = []
        for model, response in sorted(responses.items()):
            candidate = read_candidate(response)
            if candidate.outcome is None or candidate.outcome.value is None:
                silent.append(model)
                continue
            support[Fraction(candidate.outcome.value)].append(model)
            if screen(problems[problem_id], candidate).status is Status.CONFIRMED:
                right[problem_id].add(model)
        answers[problem_id] = ProblemAnswers(
            {value: tuple(own) for value, own in sorted(support.items())}, tuple(silent)
        )
    reliability = estimate_reliability(answers)
    listed = []
    for problem_id, own in answers.items():
        against = [
            (reliability.posterior[problem_id][value] * sum(reliability.weights(models)), problem_id, len(models))
            for value, models in own.support.items()
            if not right[problem_id] & set(models)
        ]
        listed += [max(against)] if against else []
    return sorted(listed, key=lambda row: (-row[0], row[1]))


def measure(data: Path) -> str:
    """Return the most suspect gold answers with what reading them found, as Markdown."""
    read = {record["problem_id"]: record for record in map(json.loads, READ.read_text(encoding="utf-8").splitlines())}
    lines = [
        "## Doubtful gold answers",
        "",
        "    python -m benchmarks gold_doubts",
        "",
        f"The {MOST_SUSPECT} problems of each set with the most suspect gold answer, by probability of another value times its independent witnesses, and what a language model that read them found.",
    ]
    for name, title in SETS.items():
        if not available(name, data):
            lines += ["", f"{title}: not measured, the data are not there."]
            continue
        most = suspects(name, data)[:MOST_SUSPECT]
        found = [read.get(row[1], {"reading": "not read"})["reading"] for row in most]
        lines += [
            "",
            f"**{title}**: {found.count('gold')} of {len(most)} gold answers are wrong, {found.count('solution')} are right beside a solution that states what is false, {found.count('ambiguous')} ambiguous, {found.count('none')} without a fault.",
            "",
            "| problem | models that give the other value | fault | false equation |",
            "|---|---|---|---|",
        ]
        for _, problem_id, models in most:
            record = read.get(problem_id, {"reading": "not read"})
            equation = record.get("equation", "")
            lines.append(f"| {problem_id} | {models} | {record['reading']} | {equation} |")
    return "\n".join(lines)
