"""The places of a question that state the inputs of a solution."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.json_form import Name, Span
from harness.text.numbers import mentions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.domain import Exact


@dataclass(frozen=True, slots=True)
class QuestionInput:
    """A number of a question that can mean the value of an input."""

    variable: Name
    """The input."""
    span: Span
    """Where the number begins and ends in the question."""


def question_inputs(question: str, inputs: "Mapping[str, Exact]") -> tuple[QuestionInput, ...]:
    """Return each number of a question that can mean the value of an input, with the first such input, in the order of the question."""
    variables: dict[Fraction, str] = {}
    for name, value in inputs.items():
        variables.setdefault(Fraction(value), name)
    places = []
    for mention in mentions(question):
        named = [variables[Fraction(value)] for value in mention.readings if value in variables]
        places += [QuestionInput(name, (mention.start, mention.end)) for name in named[:1]]
    return tuple(places)
