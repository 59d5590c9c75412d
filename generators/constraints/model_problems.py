"""Constraint problems written by language models: the request, and the problems read from an answer."""

from __future__ import annotations

import csv
import enum
import functools
import io
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
from harness.smtlib.constraint_problem import ConstraintProblem
from harness.store.run_folder import dump

PROMPTS = Path(__file__).with_name("prompts")
BATCH = 20
"""Problems that are asked for at once."""
LONGEST_ANSWER, LONGEST_TEXT, MOST_STEPS, MOST_TRIES = 1_000_000, 20_000, 200, 2_000
_FENCE = re.compile(r"```[a-zA-Z]*\n(.*?)(?:```|\Z)", re.DOTALL)


class RejectionReason(enum.StrEnum):
    """Why a part of an answer is no problem."""

    NO_LIST = "no-list"
    TOO_LONG = "too-long"
    NO_OBJECT = "no-object"
    NO_PROBLEM = "no-problem"
    NO_PROGRAM = "no-program"
    DUPLICATE = "duplicate"
    SURPLUS = "surplus"


@dataclass(frozen=True, slots=True)
class Rejection:
    """A part of an answer that is no problem: why, and how it begins."""

    reason: RejectionReason
    found: str


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
    about = tomllib.loads(_text("domains.toml"))[batch.domain]
    asked = Template(_text("batch.txt")).substitute(
        count=batch.count, about=about, themes=", ".join(themes), batch=batch.number + 1
    )
    return Request(
        provider,
        model,
        (Message("user", asked),),
        _system(batch.domain),
        schema=json.loads(_text("answer.json")),
        max_tokens=max_tokens,
        temperature=temperature,
        sample=batch.number,
    )


@functools.cache
def _system(domain: str) -> str:
    """Return the rules with two problems that the domain makes, which are right."""
    sizes = (ProblemSize.SMALL, ProblemSize.MEDIUM)
    problems = [DOMAINS.require(domain).problem(number, seed=-1, size=size) for number, size in enumerate(sizes)]
    records = [
        {"problem": problem.problem, "reasoning": list(problem.reasoning), "program": problem.program}
        for problem in problems
    ]
    return f"{_text('rules.txt')}\nExample of an answer with two problems:\n{dump({'problems': records})}\n"


@functools.cache
def _text(name: str) -> str:
    return (PROMPTS / name).read_text(encoding="utf-8")


def problems_of(text: str, batch: ProblemBatch, source: str) -> Iterator[ConstraintProblem | Rejection]:
    """Yield the problems of an answer, and rejections: JSON, whole or cut off, in a fence or not, else CSV.

    The answer is data: nothing of it is run, and everything is bounded.
    """
    if len(text) > LONGEST_ANSWER:
        yield Rejection(RejectionReason.TOO_LONG, f"{len(text):,} characters")
        return
    seen: set[str] = set()
    place = 0
    for record in _records(text):
        result = _problem(record, batch, source, place)
        if isinstance(result, ConstraintProblem):
            key = " ".join(result.problem.casefold().split())
            if key in seen:
                result = Rejection(RejectionReason.DUPLICATE, result.problem[:80])
            elif place == batch.count:
                result = Rejection(RejectionReason.SURPLUS, result.problem[:80])
            else:
                seen.add(key)
                place += 1
        yield result


def _records(text: str) -> list[Any]:
    """Return what might be problems, or one rejection where nothing might."""
    parts = [*_FENCE.findall(text), text]
    readings = ((read, part) for read in (_whole, _pieces, _rows) for part in parts)
    records = next((records for read, part in readings if (records := read(part))), None)
    return records or [Rejection(RejectionReason.NO_LIST, text[:80])]


def _whole(text: str) -> list[Any]:
    try:
        parsed = json.loads(text.strip())
    except (ValueError, RecursionError):
        return []
    if isinstance(parsed, dict):
        lists = [value for value in parsed.values() if isinstance(value, list)]
        return [parsed] if "program" in parsed or not lists else lists[0]
    return parsed if isinstance(parsed, list) else []


def _pieces(text: str) -> list[Any]:
    """Return the objects with a program that stand anywhere in a text, such as one that was cut off."""
    objects: list[Any] = []
    offset, tries = text.find("{"), MOST_TRIES
    # A text of a million braces would take a minute.
    while offset >= 0 and tries:
        try:
            piece, end = json.JSONDecoder().raw_decode(text, offset)
        except (ValueError, RecursionError):
            piece, end, tries = None, offset + 1, tries - 1
        if isinstance(piece, dict) and "program" in piece:
            objects.append(piece)
        offset = text.find("{", end)
    return objects


def _rows(text: str) -> list[Any]:
    """Return the rows of a table with a column `program`."""
    place = text.find("problem,")
    if place < 0:
        return []
    csv.field_size_limit(LONGEST_ANSWER)
    try:
        rows = list(csv.DictReader(io.StringIO(text[place:].replace("\x00", "\ufffd")), skipinitialspace=True))
    except csv.Error:
        return []
    return [row for row in rows if "program" in row]


def _problem(record: Any, batch: ProblemBatch, source: str, place: int) -> ConstraintProblem | Rejection:
    if isinstance(record, Rejection):
        return record
    excerpt = ascii(record)[:80]
    if not isinstance(record, dict):
        return Rejection(RejectionReason.NO_OBJECT, excerpt)
    problem, program, steps = (record.get(name) for name in ("problem", "program", "reasoning"))
    if not isinstance(problem, str) or not problem.strip():
        return Rejection(RejectionReason.NO_PROBLEM, excerpt)
    if not isinstance(program, str) or not program.strip():
        return Rejection(RejectionReason.NO_PROGRAM, excerpt)
    listed = steps.splitlines() if isinstance(steps, str) else steps if isinstance(steps, list) else []
    reasoning = tuple(str(step) for step in listed if str(step).strip())
    if max(len(problem), len(program), *map(len, reasoning), 0) > LONGEST_TEXT or len(reasoning) > MOST_STEPS:
        return Rejection(RejectionReason.TOO_LONG, excerpt)
    name = re.sub(r"[^a-z0-9]+", "-", source.casefold()).strip("-")
    return ConstraintProblem(
        id=f"{batch.name}-{name}-{place:02d}",
        domain=batch.domain,
        problem=problem.strip(),
        reasoning=reasoning,
        program=program,
        source=source,
        seed=batch.seed,
    )
