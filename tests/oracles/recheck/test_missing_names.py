"""Tests that a reasoning trace names what its own problem lost: another quantity in its place is refuted."""

import re
from copy import deepcopy
from dataclasses import replace

import pytest

from generators.flaws.solution.example_solutions import example_source
from generators.variants.variant_source import VariantSubject
from harness.domain import Status
from harness.records.content_digest import with_digest
from harness.solution.phrases.gap_phrases import gap_phrase
from harness.solution.phrases.missing_quantities import missing_phrase, unnamed_quantities
from harness.text.numbers import mentions
from oracles.certificates.solvers import SolverName, open_solver
from oracles.recheck.record_recheck import recheck
from oracles.recheck.variants.missing_names import LostNumber, MissingNames, lost_numbers
from oracles.recheck.variants.reasoning_relations import SentenceNumbers
from properties.stages.certified_variants import make_from
from tests.cases import cases
from tests.oracles.variants.constraint_systems import PEARS

PROBLEMS = {
    "mugs": (
        (
            "# L1\nboxes = 4  # 4 boxes\nper_box = 6  # each box holds 6 mugs\nmugs = boxes * per_box\n"
            "# L2\nbroken = 5  # 5 mugs broke\nleft = mugs - broken"
        ),
        "Petra packs 4 boxes. Each box holds 6 mugs. On the way, 5 mugs break. How many mugs are whole?",
    ),
    "weight": (
        (
            "# L1\nweight = 220  # weighs 220 pounds\nshare = 0.1  # loses 10% of his weight\nlost = weight * share\n"
            "# L2\nback = 2  # gains back 2 pounds\nend = weight - lost + back"
        ),
        "Ivo weighs 220 pounds in May. He loses 10% of his weight. Then he gains 2 pounds. How much does he weigh at the end?",
    ),
    "shells": (
        (
            "# L1\nann = 29  # Ann collected 29 shells\nbo = 17  # Bo collected 17 shells\nshells = ann + bo\n"
            "# L2\nfriends = 2  # 2 friends\neach = shells / friends"
        ),
        "Ann collected 29 shells and Bo collected 17 shells. They share them between 2 friends. How many shells does each friend get?",
    ),
}
SOLVER = open_solver(SolverName.Z3)


@pytest.mark.parametrize("name", PROBLEMS)
def test_another_quantity_in_the_place_of_the_missing_one_is_refuted(name: str) -> None:
    """With the digest computed anew: the name of each number that the problem keeps, each of its words, and the words of other variables."""
    code, question = PROBLEMS[name]
    subject = VariantSubject(example_source(code, question))
    made = make_from(subject, seed=0, solver=SOLVER).records
    underspecified = [record for record in made if record["class_label"] == 2]
    assert underspecified
    tried = 0
    for record in underspecified:
        assert recheck(record, SOLVER).status is Status.CONFIRMED, record["reasoning_trace"]
        edits = tuple((*edit["span"], edit["before"], edit["after"]) for edit in record["edits"])
        own = {lost.name for lost in lost_numbers(question, edits)}
        told = next((lost for lost in own if lost and lost in record["reasoning_trace"]), None)
        if told is None:
            continue
        names = {missing_phrase(question, mention.start, mention.end) for mention in mentions(question)}
        first, second = record["models"]
        kept = {name for name in subject.values if first[name] == second[name]}
        foreign = {f"the number of {name}" for name in kept} | {"the mugs of Petra", "how much", "how many"}
        for other in sorted((names - own - {None}) | foreign):
            tampered = with_digest(
                {**deepcopy(record), "reasoning_trace": record["reasoning_trace"].replace(told, other)}
            )
            assert recheck(tampered, SOLVER).status is Status.REFUTED, (told, other, record["reasoning_trace"])
            tried += 1
    assert tried > 4


@cases(
    ("told", "allowed"),
    [
        ('how many "some old jugs" are', True),
        ('how many "some old" are', True),
        ('how many "clay pots" are', False),
        ('how many "pots" are', False),
        ('how much "a few dollars" is', False),
        ('how many "some new jugs" are', False),
        ("how many old jugs Petra sells", True),
        ("how many clay pots she has", False),
        ("the jugs", True),
        ("the pots", False),
        (unnamed_quantities(1, further=False), True),
    ],
)
def test_a_quantity_is_named_by_its_own_words_alone(told: str, allowed: bool) -> None:
    """By the question that its number answers, the vague words in its place, or its variable; not by those of another lost number."""
    question = "Petra sells 4 old jugs. She has 9 clay pots. She spends $5. How many things are left?"
    problem = (
        "Petra sells some old jugs. She has several clay pots. She spends a few dollars. How many things are left?"
    )
    edits = ((12, 13, "4", "some"), (32, 33, "9", "several"), (54, 56, "$5", "a few dollars"))
    names = MissingNames((("jugs", 4),), lost_numbers(question, edits), problem)
    assert names.allows(told) is allowed


LISTED = {"a": 4, "b": 9, "c": 7, "d": 8}


@cases(
    ("named", "told"),
    [
        ("abcd", "how many a Ida has, how many b Ida has, how many c Ida has and how many d Ida has"),
        ("", "four of the numbers it takes"),
        ("a", "how many a Ida has and three of the numbers it takes"),
        ("c", "two of the numbers it takes, how many c Ida has and another one"),
        ("ad", "how many a Ida has, two of the numbers it takes and how many d Ida has"),
        ("b", "one of the numbers it takes, how many b Ida has and two others"),
    ],
)
def test_quantities_that_no_words_name_are_told_by_their_number(named: str, told: str) -> None:
    """Those in a row as one; no other list of the same quantities is a list of them."""
    lost = tuple(
        LostNumber((value,), f"how many {name} Ida has", "") for name, value in LISTED.items() if name in named
    )
    names = MissingNames(tuple((f"told_{name}", value) for name, value in LISTED.items()), lost, "")
    assert names.allows(told)
    for other in ("three", "two", "four", "one"):
        changed = re.sub(r"\b(?:one|two|three|four) (?=of|others)", f"{other} ", told)
        assert changed == told or not names.allows(changed)
    for other in (f"{told} and another one", told.replace(" and ", ", "), told.replace("how many a", "how many b")):
        assert other == told or not names.allows(other)


@cases(
    ("gone", "problem", "phrase"),
    [
        (
            " for 7 days",
            "Jane sews 2 dresses a day| with care.",
            'for how many days "Jane sews 2 dresses a day with care"',
        ),
        (" for $8", "Ida sells mugs|.", 'for how much "Ida sells mugs"'),
        ("10 ", "Jen has |more ducks than Ulf.", 'the number that is left out of "Jen has more ducks than Ulf"'),
        ("a 6% ", "It has |a discount.", 'the number that is left out of "It has a discount"'),
        ("6 ", "If Jo had |pens, how many are left?", 'the number that is left out of "Jo had pens"'),
        ("6 ", "If Jo had pens, how many |cups are left?", None),
        (", and her aunt is 9 times older", "Mila is 7 years old|.", None),
        ("If Jo had 6 pens, h", "|How many are left?", None),
        ("6 ", 'She says "|pens".', None),
    ],
)
def test_a_gap_is_told_by_the_sentence_around_it(gone: str, problem: str, phrase: str | None) -> None:
    """A number that went alone, or with `for` and its unit, is named by the sentence that lacks it; a clause of its own is not."""
    place = problem.index("|")
    assert gap_phrase(problem.replace("|", ""), place, gone) == phrase


def test_no_number_that_went_with_its_sentence_is_told_as_given() -> None:
    """Of two numbers that a problem lost, both are missing, also where two solutions differ in one of them alone."""
    lacking = replace(PEARS, facts=PEARS.facts[:1])
    kept, each, given = (fact.variable for fact in PEARS.facts)
    models = [lacking.complete({each: 7, given: value}) for value in (9, 8)]
    numbers = SentenceNumbers(lacking, models, models[0])
    assert kept not in numbers.open_quantities
    assert set(numbers.open_quantities) == {each, given}
    assert numbers.fixed == ()
    one_missing = SentenceNumbers(replace(PEARS, facts=PEARS.facts[:2]), models, models[0])
    assert one_missing.open_quantities == (given,)
    assert len(one_missing.fixed) == 1
