"""The finding that an oracle may need rounding: the question asks for whole things, and near inputs give it a fraction."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.program.evaluation.evaluator import evaluate, format_exact
from harness.program.refusal import Refusal
from harness.records.formalization import ConsensusFinding, ConsensusFindingKind
from harness.text.lexicon import english
from harness.text.nouns import phrase_at
from harness.text.sentences import sentences_of
from harness.text.units import MEASURES, TIMES, sizes
from oracles.equivalence.counterexamples.counterexample_search import typed
from oracles.equivalence.counterexamples.witness import is_world_fact, near_values
from oracles.equivalence.input_domain import domain_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from harness.domain import Exact
    from harness.program.ir import Program

_LISTS = english("rounding_need")
_NEED = re.compile(rf"\b(?:{_LISTS.either('need')})\b", re.IGNORECASE)
_AVERAGE = re.compile(rf"\b(?:{_LISTS.either('average')})\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"\bhow many(?: of (?:the|his|her|their|its|these|those))?(?: (?:\d+|\w+)-\w+)?", re.IGNORECASE)
_REPEATS = re.compile(r" (?:more )?times (?:must|can|could|did|do|does|should|will|would|has|have|had)\b")
NEAREST = 4
"""How many values near an input's own are tried."""


def rounding_finding(
    question: str, read_oracle: Callable[[], Program | None], rounding_dissenters: Sequence[str]
) -> ConsensusFinding | None:
    """Return the finding `may need rounding` on the oracle of a problem, `None` without evidence for it.

    Four things must hold: the question asks how many there are of things that are counted, not measured (`counted_noun`); the oracle
    gives a whole number for the problem; moving one input by little, within its domain and facts of world knowledge apart, gives it
    a fraction; and either members were refuted because they round (`rounding_dissenters`), or the question speaks of need, of what is
    possible, or of full things, where a part of a thing is of no use. An average may be a fraction. The oracle is read only where the words allow the finding.
    """
    asking, noun = _asking(question), counted_noun(question)
    if noun is None or _AVERAGE.search(asking) or not (rounding_dissenters or _NEED.search(asking)):
        return None
    oracle = read_oracle()
    fraction = None if oracle is None else _fractional_point(oracle)
    if fraction is None:
        return None
    name, value, result = fraction
    return ConsensusFinding(
        kind=ConsensusFindingKind.MAY_NEED_ROUNDING,
        asked=noun,
        inputs={name: format_exact(value)},
        value=format_exact(result),
        dissenters=tuple(sorted(rounding_dissenters)),
    )


def counted_noun(question: str) -> str | None:
    """Return the noun, in the singular, of the things that a question asks the number of; `None` for measures and times.

    `how many times must he go` counts, `how many times as many` compares.
    """
    # A name such as `Scottish` would end the noun phrase.
    asking = _asking(question).lower()
    for match in reversed(list(_HOW_MANY.finditer(asking))):
        phrase = phrase_at(asking, match.end())
        if phrase is not None:
            return phrase.noun if _is_counted(phrase.noun) else None
        if _REPEATS.match(asking, match.end()):
            return "time"
    return None


def _is_counted(noun: str) -> bool:
    return noun not in TIMES and noun not in MEASURES and not sizes(noun).keys() - {"count"}


def _asking(question: str) -> str:
    """Return the last sentence that asks, or the last one."""
    sentences = sentences_of(question)
    asking = [sentence.text for sentence in sentences if sentence.asks] or [sentence.text for sentence in sentences]
    return asking[-1] if asking else ""


def _fractional_point(program: Program) -> tuple[str, Fraction, Exact] | None:
    """Return an input, a value near its own and the fraction that it gives; `None` where there is none, or already a fraction."""
    own = [parameter.value for parameter in program.parameters]
    result = _result(program, own)
    if result is None or result.denominator != 1:
        return None
    for index, value in _near_points(program):
        moved = _result(program, [*own[:index], typed(value, program.parameters[index]), *own[index + 1 :]])
        if moved is not None and moved > 0 and moved.denominator != 1:
            return program.parameters[index].name, value, moved
    return None


def _near_points(program: Program) -> Iterator[tuple[int, Fraction]]:
    for index, parameter in enumerate(program.parameters):
        if not is_world_fact(parameter) and Fraction(parameter.value).denominator == 1:
            values = near_values(Fraction(parameter.value), domain_of(parameter), (parameter,))
            for _, value in zip(range(NEAREST), values, strict=False):
                yield index, value


def _result(program: Program, inputs: Sequence[Exact]) -> Exact | None:
    try:
        return evaluate(program, inputs, most_steps=3_000).value
    except Refusal:
        return None
