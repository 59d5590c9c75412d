"""Training examples made from constraint problems, and the problems reserved for the evaluation.

Problems whose texts differ only in numbers and names are one group, and no group is split.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.json_form import json_form, read_record
from harness.records.constraint import ConstraintProblem
from harness.store.run_folder import RunFolder, Stage, dump, write_lines
from harness.text.words import masked_words
from oracles.constraints.rows import read_rows
from sft.constraints.output_forms import OutputForm, example_of
from sft.constraints.stages import WRITING, stage_for_inputs
from sft.datasets.leakage import SPLITS, split_groups

STAGE = "smt-format"
TRAIN, VALIDATION, EVALUATION = "train.jsonl", "validation.jsonl", "evaluation.jsonl"
ORIGINAL = "training.jsonl"
"""The training problems with reasoning and program, under the name of the original pipeline."""


@dataclass(frozen=True, slots=True)
class ProblemSplitPlan:
    """The split of problems: shares of training, validation and test, the maximum sizes of the last two; and the form of outputs."""

    shares: tuple[float, float, float] = (0.85, 0.05, 0.1)
    most_validation: int = 60
    most_evaluation: int = 120
    seed: int = 0
    form: OutputForm = OutputForm.REASONING


def read_problems(path: Path) -> list[ConstraintProblem]:
    """Read the constraint problems of JSONL or CSV; of a repeated id, the later ones get their number.

    Raises:
        HarnessError: the file cannot be read, a row is no record or has no problem, or there is no row.
    """
    rows = list(read_rows([path]))
    for row in rows:
        if row.unreadable or row.text("problem") is None:
            reason = row.unreadable or "expected a text 'problem'"
            raise HarnessError(f"{path}: {row.id}: {reason}")
    if not rows:
        command = runnable("oracle-factory smt generate")
        raise HarnessError(f"{path}: the file has no problem; make problems by {command}")
    return [row.problem for row in rows]


def write_examples(problems: Path, output: Path, form: OutputForm) -> None:
    """Write all problems of a file as training texts, JSON lines of instruction, input and output; errors as in `read_problems`."""
    output.parent.mkdir(parents=True, exist_ok=True)
    write_lines(output, (f"{dump(json_form(example_of(problem, form)))}\n" for problem in read_problems(problems)))


def make_dataset(run: RunFolder, problems: Path, plan: ProblemSplitPlan) -> Stage:
    """Seal `train.jsonl`, `validation.jsonl` (instruction, input, output) and `evaluation.jsonl` (problems with gold); errors as in `read_problems`, or a part is empty."""
    wanted = stage_for_inputs(run, STAGE, asdict(plan), problems, code=WRITING)
    if wanted.done:
        return wanted.stage
    parts = split(read_problems(problems), plan.shares, seed=plan.seed)
    training = parts["train"]
    reserved = _spread(parts["test"], plan.most_evaluation)
    validation = _spread(parts["validation"], plan.most_validation)
    if not (training and validation and reserved):
        counted = ", ".join(f"{name} {len(members)}" for name, members in parts.items())
        raise HarnessError(f"{problems}: too few problems for the split ({counted}); make more")
    domains = Counter(problem.domain for problem in reserved)
    counts = {"train": len(training), "validation": len(validation), "evaluation": len(reserved)}
    files = {
        TRAIN: (json_form(example_of(problem, plan.form)) for problem in training),
        VALIDATION: (json_form(example_of(problem, plan.form)) for problem in validation),
        EVALUATION: map(json_form, reserved),
        ORIGINAL: (json_form(example_of(problem)) for problem in training),
    }
    return wanted.seal(files, {**counts, "evaluation_by_domain": dict(sorted(domains.items()))}, options=asdict(plan))


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
    groups = defaultdict[str, list[ConstraintProblem]](list)
    for problem in problems:
        groups[masked_text(problem.problem)].append(problem)
    traits = {text: {f"domain:{problem.domain}" for problem in group} for text, group in groups.items()}
    chosen = split_groups(traits, shares, seed=seed)
    for part, share in zip(SPLITS, shares, strict=True):
        given = [name for name, into in chosen.items() if into == SPLITS[0]]
        if share > 0 and part not in chosen.values() and len(given) > 1:
            chosen[given[-1]] = part
    part_of = {problem.id: chosen[text] for text, group in groups.items() for problem in group}
    return {name: [problem for problem in problems if part_of[problem.id] == name] for name in SPLITS}


def plan_of(run: RunFolder) -> ProblemSplitPlan:
    """Return the plan of the sealed stage; errors as in `evaluation_of`."""
    return read_record(ProblemSplitPlan, run.stage(STAGE).manifest()["options"])


def evaluation_of(run: RunFolder) -> list[ConstraintProblem]:
    """Return the problems reserved for the evaluation; a stage that is not sealed is a `HarnessError`."""
    return [read_record(ConstraintProblem, record) for record in run.stage(STAGE).records(EVALUATION)]
