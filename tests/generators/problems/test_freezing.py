"""Which inputs keep their values, and when does a whole problem?"""

from fractions import Fraction

import pytest

from generators.flaws.testing import source_of
from generators.problems.subject import Subject

TEXT = "Ann and Ben pick 30 pears and 20% of them rot. They work for 2 hours. How many pears are good?"


def subject(inputs: str, step: str = "good = pears * factor") -> Subject:
    """A problem of pears with other inputs."""
    code = f"""
# L1
pears = 30 # 30 pears
{inputs}
{step}
# L2
kept = good + pears
"""
    return Subject(source_of(code, TEXT))


@pytest.mark.parametrize(
    "inputs",
    [
        "factor = Fraction(4, 5) # the rest",
        "factor = Fraction(4, 5)",
        "factor = 17 # derived from the others",
        "factor = 3 # 3 boys remain",
        "pear_coefficient = 6\nfactor = pear_coefficient / 2",
    ],
)
def test_inputs_worked_out_in_the_head(inputs: str) -> None:
    """An input that stands nowhere and may follow from others hinders every change."""
    assert "may have been worked out" in subject(inputs).hindrance


@pytest.mark.parametrize(
    "inputs",
    [
        "factor = Fraction(1, 5) # 20% of them",
        "factor = 20 # 20% of them",
        "factor = 3 # Ann and Ben and their dog",
        "minutes_per_hour = 60 # 60 minutes per hour\nfactor = minutes_per_hour / 2",
        "total_percent = 100\nfactor = total_percent / 2",
    ],
)
def test_inputs_that_depend_on_no_number(inputs: str) -> None:
    """What the question says, what everybody knows and what is counted in words hinders nothing."""
    assert subject(inputs).hindrance == ""


def test_numbers_within_steps() -> None:
    """A step may halve; a number of its own that no input gives hinders every change."""
    share = "factor = Fraction(1, 5) # 20% of them"
    assert subject(share, "good = pears * (1 - factor) / 2").hindrance == ""
    assert "the number 13" in subject(share, "good = pears * factor + 13").hindrance


def test_frozen_inputs_have_reasons() -> None:
    """Every input without a place of its own keeps its value."""
    made = subject("minutes_per_hour = 60 # 60 minutes per hour\nfactor = Fraction(1, 5) # 20% of them")
    assert "minutes_per_hour" in made.frozen
    assert all(made.frozen.values())


def test_facts_have_their_sentence_and_span() -> None:
    """A located input is a fact of the text with the sentence it stands in."""
    made = subject("factor = Fraction(1, 5) # 20% of them")
    fact = made.system.constraints["fact:pears"]
    assert fact.record() == {
        "name": "fact:pears",
        "variable": "pears",
        "value": "30",
        "source": "text",
        "words": "Ann and Ben pick 30 pears and 20% of them rot.",
        "span": [17, 19],
    }
    assert made.values["good"] == Fraction(6)
