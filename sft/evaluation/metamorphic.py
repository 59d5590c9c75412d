"""placeholder"""

from pathlib import Path


def relatives(items, seed):
    return []


def stage_pairs(run: Path, problems: int, seed: int):
    return []
