"""Broken and misstated constraint programs, which filters, repairs and models have to correct."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

from generators.constraints.breakage import break_program
from harness.smtlib.printer import write_script
from harness.smtlib.script import read_script
from sft.constraints.feedback import judge
from sft.constraints.prompts import ProgramCorrection

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.smtlib.constraint_problem import ConstraintProblem

_COMPARISONS = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
MOST_WAYS = 3


@dataclass(frozen=True, slots=True)
class BrokenProblem:
    """A problem whose program was broken, the ways in which it was broken, and the original program."""

    problem: ConstraintProblem
    ways: tuple[str, ...]
    original: str

    def record(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "id": self.problem.id,
            "ways": list(self.ways),
            "program": self.problem.program,
            "original": self.original,
        }


def broken_problems(problems: Sequence[ConstraintProblem], share: float, *, seed: int) -> Iterator[BrokenProblem]:
    """Yield a share of the problems, each with a program that was broken in one to three of the registered ways."""
    for problem in problems:
        random = Random(f"{seed}:{problem.id}:break")
        if random.random() < share:
            broken = break_program(problem.program, random.randint(1, MOST_WAYS), f"{seed}:{problem.id}")
            if broken is not None:
                yield BrokenProblem(replace(problem, program=broken.program), broken.ways, problem.program)


def corrections(problems: Sequence[ConstraintProblem], share: float, *, seed: int) -> list[ProgramCorrection]:
    """Return programs to be corrected, with the solvers' findings about them without gold: as many unreadable programs as misstated ones.

    A misstated program lacks an assertion or has a reversed comparison; it is dropped where the solvers find no
    difference.
    """
    wrong: dict[str, str] = {}
    by_id = {problem.id: problem for problem in problems}
    for problem in problems:
        random = Random(f"{seed}:{problem.id}:correct")
        if random.random() >= share:
            continue
        if random.random() < 0.5:
            broken = break_program(problem.program, random.choice((1, 1, 2)), f"{seed}:{problem.id}:correct")
            program = broken.program if broken is not None else None
        else:
            program = misstated_program(problem.program, random)
        if program is not None:
            wrong[problem.id] = program
    told = judge(wrong)
    return [
        ProgramCorrection(name, by_id[name].problem, program, told[name].said, by_id[name].program)
        for name, program in wrong.items()
        if told[name].said
    ]


def misstated_program(program: str, random: Random) -> str | None:
    """Return a readable program with another meaning: without an assertion, or with a reversed comparison."""
    script = read_script(program)
    claims = [place for place, command in enumerate(script.commands) if command.head == "assert"]
    if len(claims) < 2:
        return None
    place = random.choice(claims)
    lines = [write_script([command]).rstrip("\n") for command in script.commands]
    turned = [sign for sign in _COMPARISONS if f"({sign} " in lines[place]]
    if turned and random.random() < 0.5:
        lines[place] = lines[place].replace(f"({turned[0]} ", f"({_COMPARISONS[turned[0]]} ", 1)
    else:
        del lines[place]
    return "\n".join(lines) + "\n"
