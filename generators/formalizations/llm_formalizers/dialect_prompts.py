"""The prompts for formalizations in each dialect: rules, examples, the schema or grammar of an answer, and fences around foreign text.

A template is the form of a worked solution, so its prompt shows the solution of the problem. No other prompt shows it, nor
anything that was computed from it, nor the gold answer.
"""

import functools
import itertools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

from generators.formalizations.llm_formalizers.model_specs import ModelSpec
from generators.formalizations.llm_formalizers.prompt_examples import (
    DIALECTS,
    PROMPTS,
    SHOTS,
    TEMPLATE,
    PromptExample,
    problem_tier,
    read_examples,
)
from harness.domain import Problem
from harness.llm.messages import Message, Request
from harness.store.run_folder import dump, fingerprint
from harness.text.characters import storable
from harness.text.tiers import TIERS

CONSTRAINED = frozenset({"local"})
"""Providers that are held to the grammar; abler models may use the whole dialect."""
LONGEST_QUOTED = 20_000
"""Characters of its own answer that a model is shown again."""
_WORDINGS = ("question", "solution", "repair", "cut")
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Controls, line ends that are no `\\n`, and lone surrogates, which no provider takes."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The prompt of one dialect: rules, examples by tier of which at most `shots` are shown, and the form of an answer."""

    dialect: str
    rules: str
    examples: tuple[PromptExample, ...]
    shots: int
    schema: dict[str, Any] | None
    grammar: str | None
    with_solution: bool = False
    """Whether a request shows the solution of the problem, and examples of its tier."""

    @property
    def version(self) -> str:
        """Return a hash of every byte a request may take from here."""
        wordings = [_prompt_file(f"{name}.txt") for name in _WORDINGS]
        texts = [self._example_text(example) for example in self.examples]
        shown = " with its solution" if self.with_solution and self.dialect != TEMPLATE else ""
        parts = [
            f"{self.dialect}{shown}",
            self.rules,
            str(self.shots),
            *texts,
            dump(self.schema),
            self.grammar or "",
            *wordings,
        ]
        return fingerprint(parts)

    def _example_text(self, example: PromptExample) -> str:
        shown = self.with_solution and bool(example.problem.solution.strip())
        return f"{problem_text(example.problem, with_solution=shown)}\n{example.answer}\n"

    def shown(self, problem: Problem) -> tuple[PromptExample, ...]:
        """Return the examples that a request about a problem shows, never the problem itself.

        With the solution they are those of its tier, or where there is none, of any. Without, the tier is not known:
        they are the first of each tier, then the second of each.
        """
        asked = _plain(problem.question)
        others = [example for example in self.examples if _plain(example.problem.question) != asked]
        by_tier = {tier: [example for example in others if example.tier == tier] for tier in TIERS}
        own = by_tier.get(problem_tier(problem)) if self.with_solution else None
        turns = itertools.chain.from_iterable(itertools.zip_longest(*by_tier.values()))
        return tuple(own or [example for example in turns if example is not None])[: self.shots]

    def system(self, problem: Problem) -> str:
        """Return the part that requests share, to the byte, among problems for which the same examples are shown."""
        return _system(self.rules, tuple(map(self._example_text, self.shown(problem))))

    def request(self, problem: Problem, member: ModelSpec, *, max_tokens: int, temperature: float | None) -> Request:
        """Return the first question to a model about a problem."""
        held = self.grammar is not None and member.provider in CONSTRAINED
        return Request(
            member.provider,
            member.model,
            (Message("user", problem_text(problem, with_solution=self.with_solution)),),
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
        sendable = storable(quoted)
        asked = _wording("cut" if cut else "repair", reason=reason)
        return request.followed(Message("assistant", sendable), Message("user", asked))

    def likely_answer(self, problem: Problem) -> int:
        """Return how many tokens an answer is likely to have: those of the longest example that is shown, or of any."""
        longest = max(self.shown(problem) or self.examples, key=lambda example: len(example.answer))
        return Request("", "", (Message("assistant", longest.answer),)).estimate().input


@functools.cache
def prompts(
    examples: Path | None = None, shots: int | None = None, *, with_solution: bool = False
) -> Mapping[str, Prompt]:
    """Return the prompt of each dialect, with a user's examples or the bundled ones; errors as in `read_examples`.

    The worked solution is shown for templates, which are its form, and with `with_solution` for all dialects.
    """
    chosen = {**read_examples(), **({} if examples is None else read_examples(examples))}
    found: dict[str, Prompt] = {}
    for dialect in DIALECTS:
        rules, schema, grammar = (
            _prompt_file(f"{dialect}.{end}") if (PROMPTS / f"{dialect}.{end}").is_file() else None
            for end in ("txt", "json", "gbnf")
        )
        form = None if schema is None else json.loads(schema)
        own = SHOTS[dialect] if shots is None else shots
        shown = with_solution or dialect == TEMPLATE
        found[dialect] = Prompt(dialect, rules or "", chosen[dialect], own, form, grammar, shown)
    return found


def problem_text(problem: Problem, *, with_solution: bool) -> str:
    """Return how a request presents a problem: its question and, with `with_solution`, the numbered lines of its solution.

    Both stand between fences that are longer than any run of backticks within them, so that neither can end its fence.
    """
    question = _fenced(_UNSEEN.sub(" ", problem.question.strip()))
    if not with_solution:
        return _wording("question", question=question)
    lines = enumerate(problem.solution.split("\n"), start=1)
    solution = "\n".join(f"L{number}: {_UNSEEN.sub(' ', line)}" for number, line in lines)
    return _wording("solution", question=question, solution=_fenced(solution))


def _fenced(text: str) -> str:
    """Return a text between two equal lines of backticks, of which it has no longer run."""
    fence = "`" * max(3, max(map(len, re.findall("`+", text)), default=0) + 1)
    return f"{fence}\n{text}\n{fence}"


def _wording(name: str, **values: str) -> str:
    return Template(_prompt_file(f"{name}.txt")).substitute(values)


@functools.cache
def _prompt_file(name: str) -> str:
    return (PROMPTS / name).read_text(encoding="utf-8")


@functools.cache
def _system(rules: str, examples: tuple[str, ...]) -> str:
    """Return the shared part; one text in memory for all requests."""
    return "\n".join([rules, *(f"Example {number}\n\n{text}" for number, text in enumerate(examples, start=1))])


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
