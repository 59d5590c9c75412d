"""Constraint problems written by language models: the request, and the problems read from an answer."""

import enum
import functools
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from string import Template
from typing import Any

from generators.constraints.problem.domain import DOMAINS, ProblemSize
from generators.constraints.problem.vocabulary import words
from harness.llm.messages import Message, Request
from harness.records.constraint import ConstraintProblem
from harness.reply import answer_part, json_objects
from harness.store.run_folder import dump

PROMPTS = Path(__file__).with_name("prompts")
LONGEST_ANSWER, LONGEST_TEXT, LONGEST_REASONING = 1_000_000, 20_000, 200


class RejectionReason(enum.StrEnum):
    """Why a part of an answer is not a problem."""

    NO_LIST = "no-list"
    TOO_LONG = "too-long"
    NO_PROBLEM = "no-problem"
    NO_PROGRAM = "no-program"
    DUPLICATE = "duplicate"
    SURPLUS = "surplus"


@dataclass(frozen=True, slots=True)
class ProblemBatch:
    """One question to one model: a number of problems of a domain, and the place of the question."""

    domain: str
    number: int
    count: int
    seed: int = 0

    @property
    def name(self) -> str:
        """Return the key that distinguishes it from the others."""
        return f"{self.domain}-{self.number:03d}"


def request_of(
    batch: ProblemBatch, provider: str, model: str, *, max_tokens: int, temperature: float | None
) -> Request:
    """Return the question of a batch; all of one domain share the system part to the byte."""
    rng, table = Random(f"{batch.seed}:{batch.name}:themes"), words("names")
    themes = [rng.choice(table[key]) for key in ("subjects", "tasks", "goods")]
    themes += [f"a person called {name}" for name in rng.sample(table["names"], 3)]
    about = tomllib.loads(_prompt("domains.toml"))[batch.domain]
    slots = {"count": batch.count, "about": about, "themes": ", ".join(themes), "batch": batch.number + 1}
    return Request(
        provider,
        model,
        (Message("user", Template(_prompt("batch.txt")).substitute(slots)),),
        _system(batch.domain),
        schema=json.loads(_prompt("answer.json")),
        max_tokens=max_tokens,
        temperature=temperature,
        sample=batch.number,
    )


@functools.cache
def _system(domain: str) -> str:
    """Return the rules with two problems that the domain makes, which are right."""
    sizes = enumerate((ProblemSize.SMALL, ProblemSize.MEDIUM))
    problems = [DOMAINS.require(domain).problem(number, seed=-1, size=size) for number, size in sizes]
    records = [{"problem": own.problem, "reasoning": list(own.reasoning), "program": own.program} for own in problems]
    return f"{_prompt('rules.txt')}\nExample of an answer with two problems:\n{dump({'problems': records})}\n"


@functools.cache
def _prompt(name: str) -> str:
    return (PROMPTS / name).read_text(encoding="utf-8")


def problems_of(text: str, batch: ProblemBatch, source: str) -> Iterator[ConstraintProblem | RejectionReason]:
    """Yield the problems of an answer, and why other parts are not one: JSON objects anywhere in it, whole or cut off.

    The answer is data: nothing of it is run, and everything is bounded.
    """
    if len(text) > LONGEST_ANSWER:
        yield RejectionReason.TOO_LONG
        return
    records = list(_records(text))
    if not records:
        yield RejectionReason.NO_LIST
    seen: set[str] = set()
    for record in records:
        result = _problem(record, batch, source, len(seen))
        if isinstance(result, ConstraintProblem):
            key = " ".join(result.problem.casefold().split())
            if key in seen:
                result = RejectionReason.DUPLICATE
            elif len(seen) == batch.count:
                result = RejectionReason.SURPLUS
            else:
                seen.add(key)
        yield result


def _records(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects with a problem or a program that stand anywhere in an answer."""
    for piece in json_objects(answer_part(text)):
        waiting: list[Any] = [piece]
        while waiting:
            value = waiting.pop()
            if isinstance(value, dict) and {"problem", "program"} & value.keys():
                yield value
            elif isinstance(value, dict | list):
                waiting += reversed(list(value.values() if isinstance(value, dict) else value))


def _problem(
    record: dict[str, Any], batch: ProblemBatch, source: str, place: int
) -> ConstraintProblem | RejectionReason:
    problem, program, steps = (record.get(name) for name in ("problem", "program", "reasoning"))
    if not isinstance(problem, str) or not problem.strip():
        return RejectionReason.NO_PROBLEM
    if not isinstance(program, str) or not program.strip():
        return RejectionReason.NO_PROGRAM
    listed = steps.splitlines() if isinstance(steps, str) else steps if isinstance(steps, list) else []
    reasoning = tuple(str(step) for step in listed if str(step).strip())
    if max(len(problem), len(program), *map(len, reasoning), 0) > LONGEST_TEXT or len(reasoning) > LONGEST_REASONING:
        return RejectionReason.TOO_LONG
    name = re.sub(r"[^a-z0-9]+", "-", source.casefold()).strip("-")
    name = f"{batch.name}-{name}-{place:02d}"
    return ConstraintProblem(name, batch.domain, problem.strip(), reasoning, program, source=source, seed=batch.seed)
