"""The prompts for formalizations in each dialect: rules, examples, and the schema or grammar of an answer.

A template is the form of a worked solution, so its prompt shows the solution of the problem. No other prompt shows it, nor
anything that was computed from it, nor the gold answer.
"""

from __future__ import annotations

import functools
import itertools
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from generators.formalizations.llm_formalizers.prompts.prompt_examples import (
    TEMPLATE,
    PromptExample,
    bundled_examples,
    example_table,
    problem_tier,
    published_examples,
    read_examples,
)
from generators.formalizations.llm_formalizers.prompts.prompt_texts import (
    PROMPTS,
    WORDINGS,
    problem_text,
    prompt_file,
    unaskable_reason,
    worded,
)
from harness.errors import HarnessError
from harness.llm.messages import Message, Request
from harness.solution.tiers import TIERS
from harness.store.run_folder import dump, fingerprint

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from generators.formalizations.llm_formalizers.model_specs import ModelSpec
    from harness.domain import Problem

CONSTRAINED = frozenset({"local"})
"""Providers that are held to the grammar; abler models may use the whole dialect."""
LONGEST_QUOTED = 20_000
"""Characters of its own answer that a model is shown again."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The prompt of one dialect: rules, examples by tier of which at most `shots` are shown, and the form of an answer.

    `with_solution` tells that a request shows the solution of the problem, and examples of its tier.
    """

    dialect: str
    rules: str
    examples: tuple[PromptExample, ...]
    shots: int
    schema: dict[str, Any] | None
    grammar: str | None
    with_solution: bool

    @property
    def version(self) -> str:
        """Return a hash of every byte a request may take from here."""
        wordings = [prompt_file(f"{name}.txt") for name in WORDINGS]
        texts = [self.example_text(example) for example in self.examples]
        parts = [self.dialect, self.rules, str(self.shots), *texts, dump(self.schema), self.grammar or "", *wordings]
        return fingerprint(parts)

    def example_text(self, example: PromptExample) -> str:
        """Return an example as the prompt shows it."""
        return f"{problem_text(example.problem, with_solution=self.with_solution)}\n{example.answer}\n"

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
        texts = tuple(self.example_text(example) for example in self.shown(problem))
        return _system(self.rules, texts)

    def refusal(self, problem: Problem) -> str | None:
        """Return why no model is asked about a problem in this dialect, `None` where it may be."""
        return unaskable_reason(problem, with_solution=self.with_solution)

    def request(self, problem: Problem, member: ModelSpec, *, max_tokens: int, temperature: float | None) -> Request:
        """Return the first question to a model about a problem."""
        held = self.grammar is not None and member.answerer in CONSTRAINED
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
        # A lone surrogate, which JSON can hold, cannot be sent.
        sendable = quoted.encode("utf-8", "replace").decode()
        asked = worded("cut" if cut else "repair", reason=reason)
        return request.followed(Message("assistant", sendable), Message("user", asked))

    def likely_answer(self, problem: Problem) -> int:
        """Return how many tokens an answer is likely to have: those of the longest example that is shown, or of any."""
        longest = max(self.shown(problem) or self.examples, key=lambda example: len(example.answer))
        return Request("", "", (Message("assistant", longest.answer),)).estimate().input


def load_prompt(dialect: str, examples: tuple[PromptExample, ...] | None = None, *, shots: int | None = None) -> Prompt:
    """Return the prompt of a dialect, with the bundled examples or others.

    Raises:
        HarnessError: there is none.
    """
    if dialect not in dialects():
        raise HarnessError(f"no prompt asks for {dialect!r}; there are {', '.join(dialects())}")
    schema, grammar = PROMPTS / f"{dialect}.json", PROMPTS / f"{dialect}.gbnf"
    return Prompt(
        dialect,
        prompt_file(f"{dialect}.txt"),
        bundled_examples(dialect) if examples is None else examples,
        example_table()["shots"][dialect] if shots is None else shots,
        json.loads(schema.read_text(encoding="utf-8")) if schema.is_file() else None,
        grammar.read_text(encoding="utf-8") if grammar.is_file() else None,
        with_solution=dialect == TEMPLATE,
    )


@functools.cache
def bundled_prompts() -> Mapping[str, Prompt]:
    """Return the prompt of each dialect with the bundled examples."""
    return {dialect: load_prompt(dialect) for dialect in dialects()}


def corpus_prompts(
    corpus: Sequence[Problem],
    *,
    excluded: Collection[str] = (),
    examples: Path | None = None,
    shots: int | None = None,
) -> Mapping[str, Prompt]:
    """Return the prompt of each dialect for a corpus: with the user's examples, else the published ones, else the bundled ones.

    Raises:
        HarnessError: the file of examples cannot be used.
    """
    own = {} if examples is None else read_examples(examples, dialects())
    published = published_examples(corpus, excluded)
    chosen = {**({TEMPLATE: published} if published else {}), **own}
    return {dialect: load_prompt(dialect, chosen.get(dialect), shots=shots) for dialect in dialects()}


def dialects() -> tuple[str, ...]:
    """Return the dialects there are prompts for."""
    return tuple(example_table()["author"])


@functools.cache
def _system(rules: str, examples: tuple[str, ...]) -> str:
    """Return the shared part; one text in memory for all requests."""
    return "\n".join([rules, *(f"Example {number}\n\n{text}" for number, text in enumerate(examples, start=1))])


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
