"""The command `oracle-factory env`."""

import sys

from harness.command_line.option_types import from_fields
from properties.factory.options import EnvironmentOptions


@from_fields
def env(options: EnvironmentOptions) -> int:
    """Export tasks with exact rewards for reinforcement learning.

    Tasks ask for the answer of a problem, the wrong line of a solution, or the class of a problem. Each has one right reply,
    which is proved. Each round gives other numbers and other errors, so the number of tasks has no limit. The folder is
    a data set for load_dataset; oracle_factory.rewards holds the reward functions for TRL's GRPOTrainer.

    Example: oracle-factory env gsm8k/train.jsonl answers.jsonl annotation --out runs/env

    Returns:
        0; 2 if an option or a file cannot be used, or no problem gives a task; 130 if it was interrupted.
    """
    from properties.environment.environment_files import TASKS, write_environment

    counts = write_environment(options)
    said = ", ".join(f"{count:,} {kind}" for kind, count in counts.items())
    sys.stdout.write(f"{sum(counts.values()):,} tasks ({said}): {options.out / TASKS}\n")
    return 0
