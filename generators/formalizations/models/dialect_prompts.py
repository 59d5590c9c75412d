"""The prompts for formalizations in each dialect: rules, examples, and the schema or grammar of an answer."""

from __future__ import annotations

import functools
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

from generators.formalizations.models.model_specs import ModelSpec
from harness.corpora.problems import CORPORA, load_corpus
from harness.corpora.responses import load_responses
from harness.domain import Problem
from harness.errors import HarnessError
from harness.llm.messages import Message, Request
from harness.program.syntax.code_extraction import read_source
from harness.store.run_folder import dump, fingerprint

PROMPTS = Path(__file__).with_name("prompts")
CONSTRAINED = frozenset({"local"})
"""Providers that are held to the grammar: what it leaves out of a dialect, abler models may use."""
LONGEST_QUOTED = 20_000
"""Characters of its own answer that a model is shown again."""
_INDEX = re.compile(r"Index: \d+\.\s*")


@dataclass(frozen=True, slots=True)
class PromptExample:
    """A problem of `corpora/mini` with a right answer to it."""

    problem: Problem
    answer: str

    @property
    def text(self) -> str:
        """Return the example as a prompt shows it."""
        return f"{_worded('question', question=self.problem.question)}\n{self.answer}\n"


@dataclass(frozen=True, slots=True)
class Prompt:
    """What models are asked in one dialect: rules, examples of each tier, those that stand in for them, and the form of an answer."""

    dialect: str
    rules: str
    shown: tuple[PromptExample, ...]
    spare: tuple[PromptExample, ...]
    schema: dict[str, Any] | None
    grammar: str | None

    @property
    def version(self) -> str:
        """Return a hash of every byte a request may take from here."""
        wordings = [_text(f"{name}.txt") for name in ("question", "repair", "cut")]
        texts = [example.text for example in (*self.shown, *self.spare)]
        return fingerprint([self.dialect, self.rules, *texts, dump(self.schema), self.grammar or "", *wordings])

    def system(self, problem: Problem) -> str:
        """Return the part that requests share, to the byte: only a problem that is an example itself has another one in its place."""
        asked = _plain(problem.question)
        same = next(
            (place for place, example in enumerate(self.shown) if _plain(example.problem.question) == asked), None
        )
        return _system(self.dialect, same)

    def request(self, problem: Problem, member: ModelSpec, *, max_tokens: int, temperature: float | None) -> Request:
        """Return the first question to a model about a problem."""
        held = self.grammar is not None and member.answerer in CONSTRAINED
        return Request(
            member.provider,
            member.model,
            (Message("user", _worded("question", question=problem.question.strip())),),
            self.system(problem),
            schema=None if held else self.schema,
            grammar=self.grammar if held else None,
            max_tokens=max_tokens,
            temperature=temperature,
            sample=member.sample,
        )

    def again(self, request: Request, answer: str, reason: str, *, cut: bool) -> Request:
        """Return the request that goes on after an answer was refused, for exactly that reason."""
        quoted = answer if len(answer) <= LONGEST_QUOTED else f"{answer[:LONGEST_QUOTED]}\n[…]"
        # A lone surrogate, which JSON can hold, cannot be sent.
        sendable = quoted.encode("utf-8", "replace").decode()
        asked = _worded("cut" if cut else "repair", reason=reason)
        return request.followed(Message("assistant", sendable), Message("user", asked))

    @property
    def likely_answer(self) -> int:
        """Return how many tokens an answer is likely to have: those of the longest example."""
        longest = max(self.shown, key=lambda example: len(example.answer))
        return Request("", "", (Message("assistant", longest.answer),)).estimate().input


@functools.cache
def load_prompt(dialect: str) -> Prompt:
    """Return the prompt of a dialect.

    Raises:
        HarnessError: there is none.
    """
    about = _about()
    if dialect not in about["author"]:
        raise HarnessError(f"no prompt asks for {dialect!r}; there are {', '.join(about['author'])}")
    schema, grammar = PROMPTS / f"{dialect}.json", PROMPTS / f"{dialect}.gbnf"
    return Prompt(
        dialect,
        _text(f"{dialect}.txt"),
        _examples(dialect, about["shown"]),
        _examples(dialect, about["spare"]),
        json.loads(schema.read_text(encoding="utf-8")) if schema.is_file() else None,
        grammar.read_text(encoding="utf-8") if grammar.is_file() else None,
    )


def dialects() -> tuple[str, ...]:
    """Return the dialects there are prompts for."""
    return tuple(_about()["author"])


@functools.cache
def _system(dialect: str, replaced: int | None) -> str:
    """Return the shared part, with the spare example in one place; one text in memory for all requests."""
    prompt = load_prompt(dialect)
    examples = [prompt.spare[place] if place == replaced else example for place, example in enumerate(prompt.shown)]
    return "\n".join(
        [prompt.rules, *(f"Example {number}\n\n{example.text}" for number, example in enumerate(examples, start=1))]
    )


@functools.cache
def _about() -> Mapping[str, Any]:
    return tomllib.loads((PROMPTS / "examples.toml").read_text(encoding="utf-8"))


def _examples(dialect: str, ids: list[str]) -> tuple[PromptExample, ...]:
    problems = {problem.problem_id: problem for problem in load_corpus("mini")}
    answers = load_responses([CORPORA / "mini" / "formalizations.jsonl"], frozenset(problems)).accepted
    author = _about()["author"][dialect]
    return tuple(PromptExample(problems[problem_id], _tidied(answers[problem_id][author].text)) for problem_id in ids)


def _tidied(text: str) -> str:
    """Return an answer in the one form that is asked for: an author's numbering, and what a JSON object stands in, are left out."""
    source = read_source(text)
    if not source.template:
        return _INDEX.sub("", text).replace('"""\n    Returns', '"""Returns').strip()
    code = re.sub(r'"""\s*(.*?)\s*"""', r'"""\1"""', _INDEX.sub("", source.code), count=1, flags=re.DOTALL)
    return json.dumps({"function_code": code, "logical_steps": list(source.steps)}, ensure_ascii=False)


def _worded(name: str, **values: str) -> str:
    return Template(_text(f"{name}.txt")).substitute(values)


@functools.cache
def _text(name: str) -> str:
    return (PROMPTS / name).read_text(encoding="utf-8")


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
