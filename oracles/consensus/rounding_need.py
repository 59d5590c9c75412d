"""The finding that an oracle may need rounding: the question asks for whole things, and near inputs give it a fraction."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import islice

from harness.domain import Exact
from harness.program.evaluation.evaluator import SEARCH_STEPS, evaluate, format_exact
from harness.program.ir import Program
from harness.program.refusal import Refusal
from harness.records.formalization import ConsensusFinding, ConsensusFindingKind
from harness.text.nouns import phrase_at
from harness.text.sentences import sentences_of
from harness.text.units import MEASURES, TIMES, sizes
from oracles.equivalence.counterexample_search import typed
from oracles.equivalence.input_domain import domain_of
from oracles.equivalence.witness import is_world_fact, near_values

_HOW_MANY = "how many"
NEAREST = 4
"""How many values near an input's own are tried."""


def rounding_finding(
    question: str, read_oracle: Callable[[], Program | None], rounding_dissenters: Sequence[str]
) -> ConsensusFinding | None:
    """Return the finding `may need rounding` on the oracle of a problem, `None` without evidence for it.

    Four things must hold: formalizations were refuted because they round (`rounding_dissenters`); the question asks how many
    there are of things that are counted, not measured; the oracle gives a whole number for the problem; and moving one input by
    little, within its domain and facts of world knowledge apart, gives it a fraction.
    """
    noun = counted_noun(question) if rounding_dissenters else None
    oracle = None if noun is None else read_oracle()
    fraction = None if oracle is None else _fractional_point(oracle)
    if noun is None or fraction is None:
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
    """Return the noun, in the singular, of the things that a question asks the number of; `None` for measures and times."""
    sentences = sentences_of(question)
    asking = [sentence.text for sentence in sentences if sentence.asks] or [sentence.text for sentence in sentences]
    # A name such as `Scottish` would end the noun phrase.
    text = asking[-1].lower() if asking else ""
    place = text.rfind(_HOW_MANY)
    phrase = phrase_at(text, place + len(_HOW_MANY)) if place >= 0 else None
    if phrase is None or phrase.noun in TIMES or phrase.noun in MEASURES or sizes(phrase.noun).keys() - {"count"}:
        return None
    return phrase.noun


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
            yield from ((index, value) for value in islice(values, NEAREST))


def _result(program: Program, inputs: Sequence[Exact]) -> Exact | None:
    try:
        return evaluate(program, inputs, most_steps=SEARCH_STEPS).value
    except Refusal:
        return None
