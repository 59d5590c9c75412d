"""The models and built-in formalizers that the command line names, and the names of their answers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from generators.formalizations.annotation_compiler import MODEL as ANNOTATION
from harness.errors import HarnessError
from harness.json_form import LONGEST_NAME
from harness.llm.provider import PROVIDERS, split_model_name
from harness.records.question import QuestionRecord

PLAIN = "parametric"
"""The dialect that a name does not tell."""
SHOWN = "/solution"
"""What ends the name of a model that is shown the worked solution of a dialect that is asked for without it, too."""
NAMELESS = frozenset({"local"})
"""Providers that have one model, which needs no name."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model that is asked in a dialect, or a formalizer that is no model; `sample` tells answers to the same question apart."""

    provider: str
    model: str
    dialect: str = PLAIN
    sample: int = 0
    solution: bool = False
    """Whether it is shown the worked solution, of a dialect that is asked for without it, too."""

    @property
    def made_here(self) -> bool:
        """Tell whether it is a formalizer of this process, which sends no request."""
        return self.provider == ANNOTATION

    @property
    def asked(self) -> str:
        """Return the model as the command line names it."""
        return f"{self.provider}:{self.model}" if self.model else self.provider

    @property
    def name(self) -> str:
        """Return the name its answers stand under, the same whatever else is asked: `openai:gpt-4.1-mini/template#2`."""
        dialect = "" if self.dialect == PLAIN or self.made_here else f"/{self.dialect}"
        dialect += SHOWN if self.solution else ""
        return f"{self.asked}{dialect}{f'#{self.sample + 1}' if self.sample else ''}"


def read_model_specs(
    specs: Sequence[str], dialects: Sequence[str] = (PLAIN,), samples: int = 1, *, solution: bool = False
) -> list[ModelSpec]:
    """Return the models to ask, in order, or raise a `HarnessError` if a provider is not known, a model is not named, or named twice."""
    members: list[ModelSpec] = []
    for spec in specs:
        if spec == ANNOTATION:
            members.append(ModelSpec(spec, "", "template"))
            continue
        provider, model = split_model_name(spec)
        if not model and provider not in NAMELESS:
            raise HarnessError(f"--models {spec!r}: expected PROVIDER:MODEL, such as openai:gpt-4.1-mini")
        for dialect, sample in product(dialects, range(samples)):
            members.append(ModelSpec(provider, model, dialect, sample, solution and dialect == PLAIN))
    names = [member.name for member in members]
    for name in names:
        if len(name) > LONGEST_NAME:
            raise HarnessError(f"--models {name[:60]!r}…: a name has at most {LONGEST_NAME} characters")
        if names.count(name) > 1:
            raise HarnessError(f"--models {name!r} is named twice")
    return members


def spec_of(question: QuestionRecord) -> ModelSpec:
    """Return the model to ask a question of `oracle-factory next`; errors as in `read_model_specs`."""
    (spec,) = read_model_specs([question.ask])
    return spec if spec.made_here else replace(spec, dialect=question.dialect, sample=question.sample)


def spec_named(name: str, dialects: Sequence[str]) -> ModelSpec | None:
    """Return the model of a name, as the first of its samples; `None` if it cannot be asked."""
    asked = re.sub(r"#\d+$", "", name).removesuffix(SHOWN)
    dialect = next((known for known in dialects if asked.endswith(f"/{known}")), PLAIN)
    provider, _, model = asked.removesuffix(f"/{dialect}").partition(":")
    if provider == ANNOTATION and not model:
        return ModelSpec(provider, "", "template")
    if PROVIDERS.get(provider) is None or not (model or provider in NAMELESS):
        return None
    return ModelSpec(provider, model, dialect)
