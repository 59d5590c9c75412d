"""The files of an environment: its tasks as JSON lines, and the card by which `datasets.load_dataset` reads the folder."""

from __future__ import annotations

import multiprocessing
import sys
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from harness.errors import HarnessError
from harness.store.run_folder import dump, write_lines
from harness.store.stage_progress import StageProgress
from oracles.proofs.solvers import SolverName, open_solver
from properties.engine.problem_sources import SourceSelection
from properties.environment.reward_tasks import RewardTask, TaskKind, tasks_of
from properties.factory.judged_problems import judged_run

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from properties.engine.inputs import SessionInputs
    from properties.factory.options import EnvironmentOptions

TASKS, CARD, RUN = "tasks.jsonl", "README.md", "run"
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


def write_environment(options: EnvironmentOptions) -> Mapping[str, int]:
    """Write the tasks and the card into the folder; return the number of tasks of each kind.

    Raises:
        HarnessError: an option or a file cannot be used, or no problem gives a task.
    """
    inputs = judged_run(replace(options, out=options.out / RUN))
    selection = SourceSelection.open(inputs, None)
    counts: Counter[str] = Counter({str(kind): 0 for kind in TaskKind})
    lines = []
    for task in _tasks(inputs, selection, options):
        counts[str(task.kind)] += 1
        lines.append(f"{dump(task.record())}\n")
    if not lines:
        raise HarnessError(
            f"--out {options.out}: none of the {len(inputs.problems):,} problems gives a task; tasks are made from oracles whose program follows a worked solution"
        )
    write_lines(options.out / TASKS, lines)
    said = ", ".join(f"{count:,} {kind}" for kind, count in counts.items())
    card = _CARD.format(
        licence=options.licence.lower(), tasks=TASKS, seed=options.seed, rounds=options.rounds, counts=said
    )
    write_lines(options.out / CARD, [card])
    return counts


def _tasks(inputs: SessionInputs, selection: SourceSelection, options: EnvironmentOptions) -> Iterator[RewardTask]:
    """Yield the tasks of all problems, in order, whatever the number of processes."""
    progress = StageProgress("tasks", sys.stderr)
    given = (selection, options.seed, options.rounds, options.most)
    with multiprocessing.get_context("fork").Pool(options.processes, _open, given) as pool:
        made = pool.imap(_tasks_of_problem, inputs.problems)
        for tasks in progress.over(made, len(inputs.problems)):
            yield from tasks
    progress.cleared()


_GIVEN: list[tuple[SourceSelection, int, int, int]] = []
"""The inputs from which a process of the pool makes tasks."""


def _open(selection: SourceSelection, seed: int, rounds: int, most: int) -> None:
    _GIVEN.append((selection, seed, rounds, most))


def _tasks_of_problem(problem_id: str) -> list[RewardTask]:
    selection, seed, rounds, most = _GIVEN[0]
    sources, problem = selection.sources(problem_id), selection.inputs.problems[problem_id]
    if sources.unfit is not None or problem.gold is None:
        return []
    solver = open_solver(SolverName.Z3)
    return list(tasks_of(problem, sources, seed=seed, rounds=rounds, most=most, solver=solver))
