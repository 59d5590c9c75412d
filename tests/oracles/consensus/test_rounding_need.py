"""Tests of the finding that an oracle may need rounding."""

from harness.domain import Response
from harness.json_form import json_form
from harness.program.lifter import lift
from harness.records.formalization import ConsensusFinding
from oracles.consensus.rounding_need import counted_noun, rounding_finding
from tests.cases import cases, rows, texts

NOUNS = dict(
    rows("""Each pack holds 6 cans. How many packs must she buy? → pack | How many more boxes does he need? He has 3. → box
How many full vans do they need? → van | He asked how many cats there are. How many dogs are there? → dog
Find how many children can go. → child | How many female Scottish unicorns are there? → unicorn""")
)
MEASURES = texts("""How many hours does it take? | How many miles must he drive? | How many dollars does she need?
How many times as many cards does he have? | How much does each one pay?""")


@cases("question, noun", [*NOUNS.items(), *((question, None) for question in ("", *MEASURES))])
def test_things_that_are_counted_are_told_from_measures(question: str, noun: str | None) -> None:
    """The noun behind `how many` in the sentence that asks is counted unless it is a unit of time, money or measure."""
    assert counted_noun(question) == noun


def found(
    question: str, result: str, dissenters: tuple[str, ...] = (), inputs: str = "cans: int = 30, size: int = 6"
) -> ConsensusFinding | None:
    """Return the finding on an oracle of one expression."""
    program = lift(Response("p", "m", f"import math\ndef solve({inputs}):\n    return {result}\n"))
    return rounding_finding(question, lambda: program, dissenters)


PACKS = "How many packs did she buy?"


def test_the_finding_names_the_dissenter_and_the_inputs() -> None:
    """The finding says what is asked, which near input gives which fraction, and who rounds."""
    finding = found(PACKS, "cans / size", ("b", "a"))
    assert finding is not None
    assert json_form(finding) == {
        "kind": "may need rounding",
        "asked": "pack",
        "inputs": {"cans": "31"},
        "value": "31/6",
        "dissenters": ["a", "b"],
    }


SILENT = [
    (PACKS, "cans / size", ()),  # nobody rounds
    (PACKS, "cans * size", ("a",)),  # no near input gives a fraction
    (PACKS, "math.ceil(cans / size)", ("a",)),  # the oracle rounds
    (PACKS, "cans / size + 1 / 2", ("a",)),  # the problem's own answer is a fraction
    ("How many miles must she go?", "cans / size", ("a",)),  # a measure may be a fraction
]


@cases("question, result, dissenters", SILENT)
def test_nothing_is_found_where_no_rounding_is_due(question: str, result: str, dissenters: tuple[str, ...]) -> None:
    """A measure, an oracle that rounds or needs no rounding, and formalizations of which none rounds carry no finding."""
    assert found(question, result, dissenters) is None
