"""The tasks of a problem: what is asked, and the one right reply; each round of another seed gives others."""

from __future__ import annotations

import enum
import hashlib
from collections import defaultdict
from dataclasses import dataclass
from itertools import zip_longest
from random import Random
from typing import TYPE_CHECKING, Any

from harness.records.mutation import LEAST_PLAUSIBILITY
from properties.stages import certified_flaws, certified_variants

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.domain import Problem
    from oracles.proofs.solvers import Solver
    from properties.engine.problem_sources import ProblemSources

CLASS_NAMES = ("contradictory", "solvable", "underspecified")
"""The classes of problems by their labels 0, 1 and 2."""
NO_LINE = "none"
"""The right reply where no line is wrong."""


class TaskKind(enum.StrEnum):
    """What a task asks for."""

    ANSWER = "answer"
    LINE = "line"
    PROBLEM_CLASS = "class"


PROMPTS = {
    TaskKind.ANSWER: "Solve the problem. Write your steps, then end with one line: ANSWER: the number.\n\nProblem: {question}",
    TaskKind.LINE: "Read the problem and the solution. At most one line is wrong. End with one line: ANSWER: the first wrong line, such as L2, or FA for the final answer, or none.\n\nProblem: {question}\n\nSolution:\n{solution}",
    TaskKind.PROBLEM_CLASS: "Can the problem be solved from what it says? End with one line: ANSWER: solvable, contradictory or underspecified.\n\nProblem: {question}",
}


@dataclass(frozen=True, slots=True)
class RewardTask:
    """A task: the text that a model reads, and the only right reply."""

    problem_id: str
    """The problem of the corpus."""
    kind: TaskKind
    """What is asked for."""
    text: str
    """What the model reads."""
    truth: str
    """The right reply: an exact number, the label of a line or `none`, or a class."""
    source: str
    """The flaw or variant whose certificate proves the truth; the problem itself where the task asks about its own text."""

    def record(self) -> dict[str, Any]:
        """Return the JSON form, with the columns that TRL's trainers read."""
        digest = hashlib.sha256(self.text.encode("utf-8", "backslashreplace")).hexdigest()[:12]
        return {
            "task_id": f"{self.problem_id}/{self.kind}/{digest}",
            "problem_id": self.problem_id,
            "task": str(self.kind),
            "prompt": [{"role": "user", "content": self.text}],
            "truth": self.truth,
            "source": self.source,
        }


def tasks_of(
    problem: Problem, sources: ProblemSources, *, seed: int, rounds: int, most: int, solver: Solver
) -> Iterator[RewardTask]:
    """Yield the tasks of a problem, no text twice: at most `most` of each kind per round, drawn by the seed of the round."""
    seen: set[str] = set()
    for number in range(rounds):
        drawn = Random(f"{seed + number}:{problem.problem_id}:environment".encode("utf-8", "surrogatepass"))
        flaws = certified_flaws.make(problem, sources.responses, seed=seed + number, provenance=sources.provenance)
        variants = certified_variants.make(
            problem, sources.responses, seed=seed + number, solver=solver, provenance=sources.provenance
        )
        tasks = [*_answers(problem, variants.records), *_classes(problem, variants.records)]
        tasks += _lines(problem, flaws.records, variants.records)
        for kind in TaskKind:
            fresh = {task.text: task for task in tasks if task.kind is kind and task.text not in seen}
            chosen = _balanced(list(fresh.values()), most, drawn)
            seen.update(task.text for task in chosen)
            yield from chosen


def _balanced(tasks: Sequence[RewardTask], most: int, random: Random) -> list[RewardTask]:
    """Return at most a number of tasks, in turn of each kind of truth: as many correct solutions as flawed ones, as many of each class."""
    strata: defaultdict[str, list[RewardTask]] = defaultdict(list)
    for task in sorted(tasks, key=lambda task: task.text):
        stratum = task.truth if task.kind is TaskKind.PROBLEM_CLASS else str(task.truth == NO_LINE)
        strata[stratum].append(task)
    shuffled = [random.sample(strata[name], len(strata[name])) for name in sorted(strata)]
    in_turn = [task for turn in zip_longest(*shuffled) for task in turn if task is not None]
    return in_turn[:most]


def _answers(problem: Problem, variants: Sequence[dict[str, Any]]) -> Iterator[RewardTask]:
    """Yield the problem and its renumberings with their exact answers."""
    for variant in variants:
        if variant["class_label"] == CLASS_NAMES.index("solvable") and variant["gold"] is not None:
            text = PROMPTS[TaskKind.ANSWER].format(question=variant["modified_problem_text"])
            yield RewardTask(problem.problem_id, TaskKind.ANSWER, text, variant["gold"], variant["variant_id"])


def _classes(problem: Problem, variants: Sequence[dict[str, Any]]) -> Iterator[RewardTask]:
    for variant in variants:
        text = PROMPTS[TaskKind.PROBLEM_CLASS].format(question=variant["modified_problem_text"])
        truth = CLASS_NAMES[variant["class_label"]]
        yield RewardTask(problem.problem_id, TaskKind.PROBLEM_CLASS, text, truth, variant["variant_id"])


def _lines(
    problem: Problem, flaws: Sequence[dict[str, Any]], variants: Sequence[dict[str, Any]]
) -> Iterator[RewardTask]:
    """Yield flawed solutions that a person may write, and correct ones of the problem and its renumberings."""
    for flaw in flaws:
        plausibility = flaw["plausibility"]["score"] if flaw.get("plausibility") else 0.0
        if not flaw["needs_edit"] and plausibility >= LEAST_PLAUSIBILITY:
            line = flaw["label"]["error_details"]["erroneous_line_number"]
            yield _line(problem, flaw["question"], flaw["flawed_solution"], line, flaw["flaw_id"])
    if flaws:
        yield _line(problem, flaws[0]["question"], flaws[0]["solution"], NO_LINE, problem.problem_id)
    for variant in variants:
        if variant["solution"] is not None:
            yield _line(problem, variant["modified_problem_text"], variant["solution"], NO_LINE, variant["variant_id"])


def _line(problem: Problem, question: str, solution: str, truth: str, source: str) -> RewardTask:
    text = PROMPTS[TaskKind.LINE].format(question=question, solution=solution)
    return RewardTask(problem.problem_id, TaskKind.LINE, text, truth, source)
