"""Tasks with exact rewards for reinforcement learning, made of certified flaws and variants, for `oracle-factory env`."""

import enum
import hashlib
import multiprocessing
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from random import Random
from typing import Any

from harness.constraint_system import ProblemClass
from harness.domain import Problem
from harness.errors import HarnessError
from harness.records.mutation import LEAST_PLAUSIBILITY
from harness.store.progress_line import StageProgress
from harness.store.run_folder import dump, write_lines
from properties.engine.problem_sources import SourceSelection
from properties.factory.judged_problems import judged_run
from properties.factory.options import EnvironmentOptions
from properties.stages.mutation import make as make_flaws
from properties.stages.variant import make as make_variants

TASKS, CARD, RUN = "tasks.jsonl", "README.md", "run"
NO_LINE = "none"
"""The right reply where no line is wrong."""
_CARD = """---
license: {licence}
task_categories: [text-generation]
tags: [math, reinforcement-learning, grpo]
configs:
- config_name: default
  data_files: {tasks}
---
# Tasks with exact rewards

Made by `oracle-factory env`, seed {seed}, {rounds} rounds: {counts}. Another `--seed` or more `--rounds` give other numbers.

| task | asks for | `truth` |
|---|---|---|
| `answer` | the answer of a problem | the exact number |
| `line` | the wrong line of a solution | `L1`, `L2`, …, `FA`, or `none` |
| `class` | whether the problem can be solved | `solvable`, `contradictory`, `underspecified` |

Each `truth` is proved: `source` names the flaw or variant whose certificate says so. A model replies by a last line `ANSWER: …`.

```python
from datasets import load_dataset
from oracle_factory.rewards import REWARDS
from trl import GRPOTrainer

trainer = GRPOTrainer(model=..., reward_funcs=list(REWARDS), train_dataset=load_dataset("path/of/this/folder", split="train"))
```
"""


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
    """A task: the text that a model reads, and the only right reply, its `truth`.

    `source` is the flaw or variant whose certificate proves the truth, or the problem itself where the task asks about its own text.
    """

    problem_id: str
    kind: TaskKind
    text: str
    truth: str
    source: str

    def record(self) -> dict[str, Any]:
        """Return the JSON form, with the columns that TRL's trainers read."""
        digest = hashlib.sha256(self.text.encode("utf-8", "backslashreplace")).hexdigest()[:12]
        named = {"task_id": f"{self.problem_id}/{self.kind}/{digest}", "problem_id": self.problem_id}
        asked = {"task": str(self.kind), "prompt": [{"role": "user", "content": self.text}]}
        return {**named, **asked, "truth": self.truth, "source": self.source}


def write_environment(options: EnvironmentOptions) -> int:
    """Write the tasks and the card, print the number of tasks of each kind and return 0.

    A `HarnessError` if a file cannot be used, or no problem gives a task.
    """
    inputs = judged_run(replace(options, out=options.out / RUN))
    given = (SourceSelection.open(inputs, None), options)
    counts: Counter[str] = Counter({str(kind): 0 for kind in TaskKind})
    lines, progress = list[str](), StageProgress("tasks", sys.stderr)
    # Whatever the number of processes, the tasks stand in the order of the problems.
    with multiprocessing.get_context("fork").Pool(options.processes, _GIVEN.append, (given,)) as pool:
        for tasks in progress.over(pool.imap(_tasks_of_problem, inputs.problems), len(inputs.problems)):
            counts.update(str(task.kind) for task in tasks)
            lines += [f"{dump(task.record())}\n" for task in tasks]
    progress.cleared()
    if not lines:
        message = f"--out {options.out}: none of the {len(inputs.problems):,} problems gives a task; tasks are made from oracles whose program follows a worked solution"
        raise HarnessError(message)
    write_lines(options.out / TASKS, lines)
    listed = ", ".join(f"{count:,} {kind}" for kind, count in counts.items())
    card = _CARD.format(
        licence=options.licence.lower(), tasks=TASKS, seed=options.seed, rounds=options.rounds, counts=listed
    )
    write_lines(options.out / CARD, [card])
    sys.stdout.write(f"{counts.total():,} tasks ({listed}): {options.out / TASKS}\n")
    return 0


_GIVEN: list[tuple[SourceSelection, EnvironmentOptions]] = []
"""The inputs from which a process of the pool makes tasks."""


def _tasks_of_problem(problem_id: str) -> list[RewardTask]:
    """Return the tasks of a problem, no text twice: at most `most` of each kind per round, drawn by the seed of the round."""
    selection, options = _GIVEN[0]
    sources, problem = selection.sources(problem_id), selection.inputs.problems[problem_id]
    if sources.unfit is not None or problem.gold is None:
        return []
    chosen: dict[str, RewardTask] = {}
    responses, provenance = sources.responses, sources.provenance
    for seed in range(options.seed, options.seed + options.rounds):
        drawn = Random(f"{seed}:{problem_id}:environment".encode("utf-8", "surrogatepass"))
        flaws = make_flaws(problem, responses, seed=seed, provenance=provenance)
        variants = make_variants(problem, responses, seed=seed, provenance=provenance)
        tasks = [*_variant_tasks(problem, variants.records), *_line_tasks(problem, flaws.records, variants.records)]
        for kind in TaskKind:
            fresh = {task.text: task for task in tasks if task.kind is kind and task.text not in chosen}
            chosen |= {task.text: task for task in _balanced(list(fresh.values()), options.most, drawn)}
    return list(chosen.values())


def _balanced(tasks: Sequence[RewardTask], most: int, random: Random) -> list[RewardTask]:
    """Return at most a number of tasks, in turn of each kind of truth: as many correct solutions as flawed ones, as many of each class."""
    strata: defaultdict[str, list[RewardTask]] = defaultdict(list)
    for task in sorted(tasks, key=lambda task: task.text):
        stratum = task.truth if task.kind is TaskKind.PROBLEM_CLASS else str(task.truth == NO_LINE)
        strata[stratum].append(task)
    shuffled = [random.sample(strata[name], len(strata[name])) for name in sorted(strata)]
    return [task for turn in zip_longest(*shuffled) for task in turn if task is not None][:most]


def _variant_tasks(problem: Problem, variants: Sequence[dict[str, Any]]) -> Iterator[RewardTask]:
    """Yield the problem and its variants with their classes, those that are renumbered with their exact answers."""
    for variant in variants:
        truths = {TaskKind.PROBLEM_CLASS: ProblemClass(variant["class_label"]).word}
        if truths[TaskKind.PROBLEM_CLASS] == "solvable" and variant["gold"] is not None:
            truths[TaskKind.ANSWER] = variant["gold"]
        for kind, truth in truths.items():
            text = PROMPTS[kind].format(question=variant["modified_problem_text"])
            yield RewardTask(problem.problem_id, kind, text, truth, variant["variant_id"])


def _line_tasks(
    problem: Problem, flaws: Sequence[dict[str, Any]], variants: Sequence[dict[str, Any]]
) -> Iterator[RewardTask]:
    """Yield flawed solutions that a person may write, and correct ones of the problem and its renumberings."""

    def task(question: str, solution: str, truth: str, source: str) -> RewardTask:
        text = PROMPTS[TaskKind.LINE].format(question=question, solution=solution)
        return RewardTask(problem.problem_id, TaskKind.LINE, text, truth, source)

    for flaw in flaws:
        plausibility = flaw["plausibility"]["score"] if flaw.get("plausibility") else 0.0
        if not flaw["needs_edit"] and plausibility >= LEAST_PLAUSIBILITY:
            line = flaw["label"]["error_details"]["erroneous_line_number"]
            yield task(flaw["question"], flaw["flawed_solution"], line, flaw["flaw_id"])
    for flaw in flaws[:1]:
        yield task(flaw["question"], flaw["solution"], NO_LINE, problem.problem_id)
    for variant in variants:
        if variant["solution"] is not None:
            yield task(variant["modified_problem_text"], variant["solution"], NO_LINE, variant["variant_id"])
