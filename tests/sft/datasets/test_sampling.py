"""Tests of dataset sampling: how samples are drawn and split."""

from collections import Counter, defaultdict
from random import Random

from hypothesis import given, settings, strategies as st

from harness.constraint_system import ProblemClass
from harness.solution.labels import ErrorClass
from sft.datasets.leakage import SPLITS, groups_of, split_groups
from sft.datasets.selection import Candidate, balanced, limited, ticket_of
from sft.samples.items import ProblemSample, Sample, Truth

CLASSES = {"correct": None, **{str(error_class): error_class for error_class in ErrorClass}}
KINDS = ("correct", "computational_error", "conceptual_error")


def _solution(number: int, problem: str, kind: str, operator: str = "", stratum: str = "") -> Candidate:
    """Return a solution of a class, its ticket drawn by its number."""
    truth = Truth(flawed=kind != "correct", error_class=CLASSES[kind])
    sample = Sample(str(number), problem, "?", "", truth, "here", "MIT", operator)
    return Candidate(number, sample, ticket_of(0, str(number)), stratum)


def _solutions(count: int) -> list[Candidate]:
    random = Random(3)
    found = []
    for number in range(count):
        kind = random.choices(KINDS, (1, 4, 6))[0]
        operator = "" if kind == "correct" else random.choice("abc")
        stratum = random.choices(("answer", "no answer"), (5, 1))[0]
        found.append(_solution(number, f"p-{random.randrange(300)}", kind, operator, stratum))
    return found


def test_at_most_so_many_of_a_problem_and_operator_are_kept() -> None:
    """Those with the lowest tickets are, whatever the order of reading."""
    entries = _solutions(3_000)
    kept = limited(entries, 2)
    assert kept == limited(entries[::-1], 2)
    groups: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for entry in entries:
        groups[entry.problem, entry.sample.kind, entry.sample.operator].append(entry.ticket)
    assert sorted(entry.ticket for entry in kept) == sorted(
        ticket for tickets in groups.values() for ticket in sorted(tickets)[:2]
    )
    assert len(kept) < len(entries)


@given(shares=st.dictionaries(st.sampled_from(KINDS), st.floats(0.1, 9), min_size=1))
@settings(max_examples=8, deadline=None)
def test_classes_stand_as_their_shares_say_in_each_stratum(shares: dict[str, float]) -> None:
    """To within rounding, in each stratum, and one class is used up."""
    entries = _solutions(600)
    found = balanced(entries, shares)
    available = Counter((entry.stratum, entry.sample.kind) for entry in entries)
    for stratum in ("answer", "no answer"):
        counts = Counter(entry.sample.kind for entry in found if entry.stratum == stratum)
        scale = min(available[stratum, kind] / share for kind, share in shares.items())
        assert counts == {kind: round(scale * share) for kind, share in shares.items() if round(scale * share)}


def test_problems_take_turns() -> None:
    """Of two problems, one with ten flawed solutions and one with three, as many are drawn."""
    numbers = {"short": range(3), "long": range(100, 110)}
    entries = [_solution(number, name, "conceptual_error", "o") for name in numbers for number in numbers[name]]
    correct = [_solution(900 + number, f"c{number}", "correct") for number in range(6)]
    found = balanced([*entries, *correct], {"correct": 1, "conceptual_error": 1})
    assert Counter(entry.problem for entry in found if entry.sample.truth.flawed) == {"short": 3, "long": 3}


def _problem(name: str, problem: int, problem_class: ProblemClass, twin: str = "") -> ProblemSample:
    return ProblemSample(name, f"p{problem}", "?", problem_class, "", "here", "MIT", "o", None, twin)


def test_twins_of_what_is_drawn_are_drawn_before_all_else() -> None:
    """The words of an edit stand in both classes, so that they tell neither."""
    entries = []
    for number in range(40):
        base = _problem(f"v{number}", number, ProblemClass.CONTRADICTORY)
        twin = _problem(f"t{number}", number, ProblemClass.SOLVABLE, f"v{number}")
        other = _problem(f"o{number}", number, ProblemClass.SOLVABLE)
        ticket = ticket_of(0, f"v{number}")
        entries += [Candidate(3 * number, base, ticket), Candidate(3 * number + 1, twin, ticket)]
        entries.append(Candidate(3 * number + 2, other, -(2**64)))
    found = [entry.sample for entry in balanced(entries[:-60], {"contradictory": 1, "solvable": 1.5})]
    pairs = {sample.sample_id for sample in found if sample.kind == "contradictory"}
    assert pairs
    assert pairs == {sample.twin for sample in found if isinstance(sample, ProblemSample) and sample.twin}


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
