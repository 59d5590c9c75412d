"""Of which problems are traces kept as snapshots, and which models' traces?"""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness.corpora import load_corpus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.domain import Problem

ROOT = Path(__file__).resolve().parent.parent
GSM8K_TRAIN = "gsm8k-train"
GSM8K_PLACES = (
    *(1, 4, 5, 72, 310, 672, 964, 1372, 2300, 2332, 2401, 2422, 2918, 3592, 3822, 3847, 3946, 4215, 4258, 4746),
    *(4764, 4822, 4847, 5040, 5531, 6126, 6216, 7037),
)
"""Zero-based lines of gsm8k/train.jsonl."""
BUNDLED_MODEL = "birch"
COMPILED = "annotation"


@dataclass(frozen=True, slots=True)
class Subject:
    """What one snapshot is of: a problem, the models whose traces it shows, and whether it may quote the problem."""

    problem_id: str
    models: tuple[str, ...]
    prose: bool


class NoDataError(Exception):
    """The problem is not bundled, and its corpus is not on this machine."""


def subjects() -> list[Subject]:
    """Return what there are snapshots of, whether its data are on this machine or not."""
    mini = [Subject(problem_id, (BUNDLED_MODEL, COMPILED), prose=True) for problem_id in _mini()]
    return mini + [Subject(f"{GSM8K_TRAIN}-{place}", (COMPILED,), prose=False) for place in GSM8K_PLACES]


def problem_of(subject: Subject) -> Problem:
    """Return the problem of a subject.

    Raises:
        NoDataError: it is not on this machine.
    """
    return (_mini() if subject.problem_id in _mini() else _gsm8k(gsm8k_path()))[subject.problem_id]


def gsm8k_path() -> Path:
    """Return the file of GSM8K's training problems, under `$SHARED_DATA` or ../shared/data.

    Raises:
        NoDataError: it is not there.
    """
    path = Path(os.environ.get("SHARED_DATA") or ROOT.parent / "shared" / "data") / "gsm8k" / "train.jsonl"
    if not path.is_file():
        message = f"no GSM8K at {path}; set SHARED_DATA to the folder that holds gsm8k/train.jsonl"
        raise NoDataError(message)
    return path


@functools.cache
def _mini() -> Mapping[str, Problem]:
    return {problem.problem_id: problem for problem in load_corpus("mini")}


@functools.cache
def _gsm8k(path: Path) -> Mapping[str, Problem]:
    return {problem.problem_id: problem for problem in load_corpus(f"{GSM8K_TRAIN}={path}")}
