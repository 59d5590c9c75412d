"""Training examples made from constraint problems, and the problems reserved for the evaluation.

Problems whose texts differ only in numbers and names are one group, and no group is split.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.json_form import json_form, read_record
from harness.records.record_files import read_file
from harness.smtlib.constraint_problem import ConstraintProblem
from sft.constraints.clause_form import clause_texts
from sft.constraints.prompts import OutputForm, example_of
from sft.constraints.stages import WRITING, stage_for_inputs
from sft.datasets.leakage import SPLITS, masked_words, split_groups

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from harness.store.run_folder import RunFolder, Stage

STAGE = "smt-format"
TRAIN, VALIDATION, EVALUATION = "train.jsonl", "validation.jsonl", "evaluation.jsonl"
ORIGINAL = "training.jsonl"
"""The training problems with reasoning and program, under the name of the original pipeline."""


@dataclass(frozen=True, slots=True)
class ProblemSplitPlan:
    """The split of problems: shares of training, validation and test, the maximum sizes of the last two; and the form of outputs.

    With `curriculum` the training examples stand in order of the clauses of their problems, from one to many, and are read so first.
    """

    shares: tuple[float, float, float] = (0.85, 0.05, 0.1)
    most_validation: int = 60
    most_evaluation: int = 120
    seed: int = 0
    form: OutputForm = OutputForm.REASONING
    curriculum: bool = False


def read_problems(path: Path) -> list[ConstraintProblem]:
    """Read constraint problems from JSONL.

    Raises:
        HarnessError: the file cannot be read, a record is no problem, an id is repeated, or the file has no problem.
    """
    problems: dict[str, ConstraintProblem] = {}
    for problem in read_file(ConstraintProblem, path):
        if problem.id in problems:
            raise HarnessError(f"{path}: the id {problem.id[:80]!r} is repeated")
        problems[problem.id] = problem
    if not problems:
        raise HarnessError(
            f"{path}: the file has no problem; make problems by {runnable('oracle-factory smt generate')}"
        )
    return list(problems.values())


def make_dataset(run: RunFolder, problems: Path, plan: ProblemSplitPlan) -> Stage:
    """Seal `train.jsonl`, `validation.jsonl` (instruction, input, output) and `evaluation.jsonl` (problems with gold).

    Raises:
        HarnessError: as in `read_problems`, or a part is empty.
    """
    wanted = stage_for_inputs(run, STAGE, asdict(plan), problems, code=WRITING)
    if wanted.done:
        return wanted.stage
    parts = split(read_problems(problems), plan.shares, seed=plan.seed)
    reserved = _spread(parts["test"], plan.most_evaluation)
    validation = _spread(parts["validation"], plan.most_validation)
    if not (parts["train"] and validation and reserved):
        counted = ", ".join(f"{name} {len(members)}" for name, members in parts.items())
        raise HarnessError(f"{problems}: too few problems for the split ({counted}); make more")
    if plan.curriculum:
        parts["train"].sort(key=lambda problem: len(clause_texts(problem.problem)))
    counts = {
        "train": len(parts["train"]),
        "validation": len(validation),
        "evaluation": len(reserved),
        "evaluation_by_domain": dict(sorted(Counter(problem.domain for problem in reserved).items())),
    }
    return wanted.seal(
        {
            TRAIN: (json_form(example_of(problem, plan.form)) for problem in parts["train"]),
            VALIDATION: (json_form(example_of(problem, plan.form)) for problem in validation),
            EVALUATION: (json_form(problem) for problem in reserved),
            ORIGINAL: (json_form(example_of(problem)) for problem in parts["train"]),
        },
        counts,
        options=asdict(plan),
    )


def _spread(problems: Sequence[ConstraintProblem], most: int) -> list[ConstraintProblem]:
    """Return at most `most` problems in their order, spread evenly over the domains."""
    places: Counter[str] = Counter()
    ranked: list[tuple[int, int]] = []
    for number, problem in enumerate(problems):
        ranked.append((places[problem.domain], number))
        places[problem.domain] += 1
    return [problems[number] for number in sorted(number for _, number in sorted(ranked)[:most])]


def masked_text(text: str) -> str:
    """Return the words of a text, with one mark for numbers and one for names."""
    return " ".join(masked_words(text, names=True))


def split(
    problems: Sequence[ConstraintProblem], shares: Sequence[float], *, seed: int
) -> dict[str, list[ConstraintProblem]]:
    """Return the problems of `train`, `validation` and `test` in their order, each domain split by `shares`.

    A part with a share has at least one group of equal texts, as far as `train` has more than one to give.
    """
    texts = [masked_text(problem.problem) for problem in problems]
    traits = defaultdict[str, set[str]](set)
    for text, problem in zip(texts, problems, strict=True):
        traits[text].add(f"domain:{problem.domain}")
    chosen = split_groups(traits, shares, seed=seed)
    for part, share in zip(SPLITS, shares, strict=True):
        given = [name for name, into in chosen.items() if into == SPLITS[0]]
        if share > 0 and part not in chosen.values() and len(given) > 1:
            chosen[given[-1]] = part
    parts: dict[str, list[ConstraintProblem]] = {name: [] for name in SPLITS}
    for text, problem in zip(texts, problems, strict=True):
        parts[chosen[text]].append(problem)
    return parts


def has_curriculum(run: RunFolder) -> bool:
    """Tell whether the training examples are read from few clauses to many; errors as in `evaluation_of`."""
    return bool(run.stage(STAGE).manifest()["options"].get("curriculum"))


def form_of(run: RunFolder) -> OutputForm:
    """Return the form in which programs are learnt; errors as in `evaluation_of`."""
    return OutputForm(run.stage(STAGE).manifest()["options"]["form"])


def evaluation_of(run: RunFolder) -> list[ConstraintProblem]:
    """Return the problems reserved for the evaluation.

    Raises:
        HarnessError: the stage is not sealed.
    """
    return [read_record(ConstraintProblem, record) for record in run.stage(STAGE).records(EVALUATION)]


def examples_of(run: RunFolder, name: str) -> list[dict[str, Any]]:
    """Return the records of `train.jsonl` or `validation.jsonl`; errors as in `evaluation_of`."""
    return run.stage(STAGE).records(name)
