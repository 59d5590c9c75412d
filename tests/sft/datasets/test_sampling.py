"""Tests of dataset sampling: how samples are drawn and split."""

from collections import Counter, defaultdict
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given, settings, strategies as st

from sft.datasets.leakage import SPLITS, groups_of, split_groups
from sft.datasets.sampling import Candidate, SampleReservoir, balanced, ticket_of
from sft.samples.items import Sample, Truth

KINDS = ("correct", "computational_error", "conceptual_error")


def _candidate(number: int, problem: str, kind: str, operator: str = "", **more: Any) -> Candidate:
    """Return a candidate whose ticket is drawn by its number, unless another is given."""
    sample = Sample(str(number), problem, "?", "", Truth(flawed=kind != "correct"), "here", "MIT", operator)
    return Candidate(number, sample, kind, operator or kind, **{"ticket": ticket_of(0, str(number)), **more})


def _candidates(count: int = 3_000) -> list[Candidate]:
    random = Random(3)
    found = []
    for number in range(count):
        kind = random.choices(KINDS, (1, 4, 6))[0]
        operator = "" if kind == "correct" else random.choice("abc")
        stratum = random.choices(("answer", "no answer"), (5, 1))[0]
        found.append(_candidate(number, f"p-{random.randrange(300)}", kind, operator, stratum=stratum))
    return found


def _of(candidate: Candidate) -> tuple[str, str, str]:
    return candidate.problem, candidate.kind, candidate.sample.operator


def test_at_most_so_many_of_a_problem_and_operator_are_kept() -> None:
    """Those with the lowest tickets are, whatever the order of reading."""
    entries = _candidates()
    drawings = SampleReservoir(2), SampleReservoir(2)
    for drawing, order in zip(drawings, (entries, entries[::-1]), strict=True):
        for entry in order:
            drawing.add(entry)
    kept = drawings[0].kept()
    assert kept == drawings[1].kept()
    assert max(Counter(map(_of, kept)).values()) == 2
    held = {_of(entry): entry.ticket for entry in sorted(kept, key=lambda entry: entry.ticket)}
    numbers = {entry.number for entry in kept}
    left = [entry for entry in entries if entry.number not in numbers]
    assert left
    assert all(entry.ticket > held[_of(entry)] for entry in left)
    assert drawings[0].seen.total() == len(entries)


@given(shares=st.dictionaries(st.sampled_from(KINDS), st.floats(0.1, 9), min_size=1))
@settings(max_examples=8, deadline=None)
def test_classes_stand_as_their_shares_say_in_each_stratum(shares: dict[str, float]) -> None:
    """To within rounding, in each stratum, and one class is used up."""
    entries = _candidates(600)
    found = balanced(entries, shares)
    available = Counter((entry.stratum, entry.kind) for entry in entries)
    for stratum in ("answer", "no answer"):
        counts = Counter(entry.kind for entry in found if entry.stratum == stratum)
        scale = min(available[stratum, kind] / share for kind, share in shares.items())
        assert counts == {kind: round(scale * share) for kind, share in shares.items() if round(scale * share)}


def test_problems_take_turns() -> None:
    """Of two problems, one with ten flawed solutions and one with three, as many are drawn."""
    numbers = {"short": range(3), "long": range(100, 110)}
    entries = [_candidate(number, name, "conceptual_error", "o") for name in numbers for number in numbers[name]]
    correct = [_candidate(900 + number, f"c{number}", "correct") for number in range(6)]
    found = balanced([*entries, *correct], {"correct": 1, "conceptual_error": 1})
    assert Counter(entry.problem for entry in found if entry.kind != "correct") == {"short": 3, "long": 3}


def test_twins_of_what_is_drawn_are_drawn_before_all_else() -> None:
    """The words of an edit stand in both classes, so that they tell neither."""
    entries = []
    for number in range(40):
        pair, ticket = f"v{number}", ticket_of(0, f"v{number}")
        base = _candidate(3 * number, f"p{number}", "contradictory", "o", ticket=ticket, pair=pair)
        entries += [base, replace(base, number=3 * number + 1, kind="solvable", follows=True)]
        entries.append(replace(base, number=3 * number + 2, kind="solvable", ticket=0.0, pair=f"o{number}"))
    found = balanced(entries[:-60], {"contradictory": 1, "solvable": 1.5})
    pairs = {entry.pair for entry in found if entry.kind == "contradictory"}
    assert pairs
    assert pairs == {entry.pair for entry in found if entry.follows}


def test_every_trait_is_split_alike() -> None:
    """Of each trait that many groups have, a tenth is for validation and a tenth for testing, also of a rare one."""
    random = Random(5)
    traits = {}
    for number in range(600):
        found = {f"tier:{random.choices((1, 2, 3), (6, 3, 1))[0]}", f"position:{random.choice(('first', 'last'))}"}
        traits[f"p-{number}"] = found | {f"type:{name}" for name in "abcdefgh" if random.random() < 0.3}
        if number % 30 == 0:
            traits[f"p-{number}"].add("type:rare")
    split = split_groups(traits, (0.8, 0.1, 0.1), seed=0)
    sizes = Counter(split.values())
    assert all(abs(sizes[part] - 60) <= 9 for part in SPLITS[1:])
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for name, found in traits.items():
        for trait in found:
            counts[trait][split[name]] += 1
    assert counts["type:rare"] == {"train": 16, "validation": 2, "test": 2}
    for trait, count in counts.items():
        for part in SPLITS[1:]:
            assert abs(count[part] / count.total() - 0.1) < 0.025, trait
    assert split == split_groups(dict(reversed(traits.items())), (0.8, 0.1, 0.1), seed=0)
    assert split != split_groups(traits, (0.8, 0.1, 0.1), seed=1)


def test_nearly_equal_problems_are_one_group() -> None:
    """Also where only a third one is near to both."""
    questions = {
        "a": "Nora has 24 glass marbles in a jar and gives six to her cousin. How many marbles are left?",
        "b": "Imre has 90 glass marbles in a jar and gives eleven to his cousin. How many marbles are left?",
        "c": "A ferry carries 12 cars over the river on every crossing. How many cars does it carry on five days?",
    }
    groups = groups_of(questions)
    assert groups["a"] == groups["b"] == "a"
    assert groups["c"] == "c"
