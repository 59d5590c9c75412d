"""The subjects of snapshots: chosen problems with their traces, and every registered operator."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.corpora.problems import load_corpus
from harness.paths import data_folder
from harness.plugin import item_id
from snapshots.snapshot_files import KINDS, MUTATIONS, TRACES, VARIANTS
from snapshots.texts import bundled_corpus as bundled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from harness.domain import Problem
    from snapshots.snapshot_files import SnapshotKind

GSM8K_TRAIN = "gsm8k-train"
GSM8K_PLACES = (
    *(1, 4, 5, 72, 310, 672, 964, 1372, 2300, 2332, 2401, 2422, 2918, 3592, 3822, 3847, 3946, 4215, 4258, 4746),
    *(4764, 4822, 4847, 5040, 5531, 6126, 6216, 7037),
)
"""Zero-based lines of gsm8k/train.jsonl."""
BUNDLED_MODEL = "birch"
COMPILED = "annotation"


@dataclass(frozen=True, slots=True)
class TraceSubject:
    """A problem with a snapshot: the models whose traces it shows, and whether it may quote the problem."""

    problem_id: str
    models: tuple[str, ...]
    prose: bool

    @property
    def kind(self) -> SnapshotKind:
        """Return the kind of its snapshot."""
        return TRACES

    @property
    def name(self) -> str:
        """Return the name of its snapshot."""
        return self.problem_id

    @property
    def item(self) -> str:
        """Return the id of its item, by which xdist distributes problems to workers."""
        return item_id(self.problem_id, *self.models)


@dataclass(frozen=True, slots=True)
class OperatorSubject:
    """A registered slip, mutation operator or variant operator with a snapshot of a kind."""

    kind: SnapshotKind
    operator: str

    @property
    def name(self) -> str:
        """Return the name of its snapshot."""
        return self.operator

    @property
    def item(self) -> str:
        """Return the id of its item; without a problem in it, xdist runs all of a kind in one worker, which makes them once."""
        return self.operator


Subject = TraceSubject | OperatorSubject


class NoDataError(Exception):
    """The problem is not bundled, and its corpus is not on this machine."""


def subjects(kinds: Iterable[SnapshotKind] = KINDS) -> list[Subject]:
    """Return the subjects of all snapshots, also those whose data are not on this machine."""
    lists = {TRACES: _traces, MUTATIONS: _mutations, VARIANTS: _variants}
    return [subject for kind in kinds for subject in lists[kind]()]


def _traces() -> Sequence[Subject]:
    mini = [TraceSubject(problem_id, (BUNDLED_MODEL, COMPILED), prose=True) for problem_id in bundled.problems()]
    return mini + [TraceSubject(f"{GSM8K_TRAIN}-{place}", (COMPILED,), prose=False) for place in GSM8K_PLACES]


def _mutations() -> Sequence[Subject]:
    # These import every operator and every slip, which other sessions do not need.
    from generators.flaws.mutation_operator import OPERATORS
    from generators.flaws.slip import SLIPS

    return [
        OperatorSubject(MUTATIONS, name)
        for name in sorted([*(entry.name for entry in SLIPS), *(entry.name for entry in OPERATORS)])
    ]


def _variants() -> Sequence[Subject]:
    from generators.variants.variant_operator import VARIANT_OPERATORS  # as above

    return [OperatorSubject(VARIANTS, name) for name in sorted(operator.name for operator in VARIANT_OPERATORS)]


def problem_of(subject: TraceSubject) -> Problem:
    """Return the problem of a subject.

    Raises:
        NoDataError: it is not on this machine.
    """
    mini = bundled.problems()
    return (mini if subject.problem_id in mini else _gsm8k(gsm8k_path()))[subject.problem_id]


def gsm8k_path() -> Path:
    """Return the file of GSM8K's training problems, under `$SHARED_DATA` or ../shared/data.

    Raises:
        NoDataError: it is not there.
    """
    path = data_folder() / "gsm8k" / "train.jsonl"
    if not path.is_file():
        message = f"no GSM8K at {path}; set SHARED_DATA to the folder that holds gsm8k/train.jsonl"
        raise NoDataError(message)
    return path


@functools.cache
def _gsm8k(path: Path) -> Mapping[str, Problem]:
    return {problem.problem_id: problem for problem in load_corpus(f"{GSM8K_TRAIN}={path}")}
