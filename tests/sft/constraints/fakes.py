"""Small constraint problems, runs of them, and a program writer with given texts, for tests that must take seconds."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from harness.json_form import json_form
from harness.records.constraint import ConstraintProblem
from harness.store.run_folder import RunFolder, dump, write_lines
from sft.constraints.dataset import ProblemSplitPlan, make_dataset
from sft.constraints.program_writer import WrittenProgram, program_in
from sft.models.base_model import LoadedModel
from sft.training.tiny_models import tiny_loaded

_NAMES = ("Ana", "Ben", "Cem", "Dua")
_THINGS = ("pens", "eggs", "cards", "shells", "stamps", "coins", "books", "cups")
_WAYS = ("{0} has {1} {2} and gets {3} more.", "To {1} {2} of {0} come {3}.", "{0}, who had {1} {2}, finds {3}.")


def tiny_problem(number: int) -> ConstraintProblem:
    """Return a sum as a constraint problem, of one of two domains; no two of the first 96 differ in numbers and names alone."""
    place, way = divmod(number, len(_WAYS))
    thing, name = _THINGS[place % len(_THINGS)], _NAMES[number % len(_NAMES)]
    first, second = 2 + number % 7, 3 + number % 5
    mark = ("", " today", " at last", " by chance")[place // len(_THINGS) % 4]
    text = _WAYS[way].format(name, first, thing, second)
    program = (
        "(set-logic QF_LIA)\n(declare-const had Int)\n(declare-const answer Int)\n"
        f"(assert (= had {first}))\n(assert (= answer (+ had {second})))\n(check-sat)\n(get-value (answer))\n"
    )
    return ConstraintProblem(
        f"tiny-{number:03d}",
        ("sums", "counts")[number % 2],
        f"{text}{mark} How many {thing} are there?",
        (f"{first} + {second} = {first + second}.",),
        program,
        str(first + second),
        satisfiable=True,
        unique=True,
        seed=0,
    )


def write_problems(path: Path, problems: Sequence[ConstraintProblem]) -> Path:
    """Write problems as JSONL and return the path."""
    write_lines(path, (dump(json_form(problem)) + "\n" for problem in problems))
    return path


def formatted_run(folder: Path, problems: Sequence[ConstraintProblem] = (), **plan: Any) -> RunFolder:
    """Return a run with the data of some problems, by default 30 small ones, of which four are kept for the evaluation."""
    run = RunFolder(folder / "run")
    source = write_problems(folder / "problems.jsonl", problems or [tiny_problem(number) for number in range(30)])
    make_dataset(run, source, ProblemSplitPlan((0.5, 0.2, 0.3), 5, 4, **plan))
    return run


@cache
def tiny_model(seed: int = 1) -> LoadedModel:
    """Return a small model that has learnt nothing."""
    return tiny_loaded("smollm2-135m", seed=seed)


@dataclass(slots=True)
class ScriptedWriter:
    """A writer whose texts are given: `says` is what it writes when it is asked something; `asked` is what it was asked."""

    says: Callable[[str], str]
    asked: list[str] = field(default_factory=list)
    seed: int | None = None

    def write(
        self, chats: Sequence[Sequence[dict[str, str]]], known: Callable[[int], bool], goes_on: Callable[[], bool]
    ) -> Iterator[dict[int, WrittenProgram]]:
        """Yield what is written, one chat at a time, while there is time."""
        for number, chat in enumerate(chats):
            if not known(number) and goes_on():
                self.asked.append(chat[-1]["content"])
                text = self.says(chat[-1]["content"])
                yield {number: WrittenProgram(text, program_in(text), cut=False)}
