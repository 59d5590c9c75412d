"""The registry of variant operators, with the examples that each shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from generators.variants.variant_proposal import VariantResult
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from harness.registry import Registry


@dataclass(frozen=True, slots=True)
class VariantOperator:
    """A registered operator: the variants of a problem, each near-twin after its variant."""

    name: str
    problem_class: ProblemClass
    variants: Callable[[VariantSubject, Random], Iterable[VariantResult]]
    examples: tuple[VariantExample, ...]


@dataclass(frozen=True, slots=True)
class VariantExample:
    """A solution as the body of a template (`# L1`, inputs with comments, steps), its question, and texts among those made of it."""

    code: str
    question: str
    texts: tuple[str, ...]


VARIANT_OPERATORS: Registry[VariantOperator] = Registry("generators.variants.operators")


def variant_operator(
    name: str, *, problem_class: ProblemClass, examples: tuple[VariantExample, ...]
) -> Callable[[Callable[[VariantSubject, Random], Iterable[VariantResult]]], VariantOperator]:
    """Register a function from a subject to its variants as an operator."""

    def register(
        variants: Callable[[VariantSubject, Random], Iterable[VariantResult]],
    ) -> VariantOperator:
        return VARIANT_OPERATORS.add(VariantOperator(name, problem_class, variants, examples))

    return register
