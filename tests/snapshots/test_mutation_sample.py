"""Tests of the sample of a mutation snapshot: it represents all flaws and is stable when others are added."""

from typing import Any

from hypothesis import given, strategies as st

from snapshots.texts.operator_sample import MOST, POSITIONS, sample

Record = dict[str, Any]


def _flaw(problem: int, line: int, to: int, position: str) -> Record:
    return {
        "flaw_id": f"p-{problem:03}:off_by_n:{line}-{to}",
        "problem_id": f"p-{problem:03}",
        "operator": "off_by_n",
        "position": position,
        "mutation": {"line": "FA" if line == 0 else f"L{line}", "variable": f"v{line}", "from": "7", "to": str(to)},
    }


def _flaws(first: int, last: int) -> st.SearchStrategy[list[Record]]:
    return st.lists(
        st.builds(
            _flaw, st.integers(first, last), st.integers(0, 4), st.integers(8, 12), st.sampled_from(sorted(POSITIONS))
        ),
        max_size=60,
        unique_by=lambda flaw: flaw["flaw_id"],
    )


def _ids(flaws: list[Record]) -> list[str]:
    return [flaw["flaw_id"] for flaw in flaws]


@given(flaws=_flaws(0, 20))
def test_a_sample_is_of_what_there_is(flaws: list[Record]) -> None:
    """It holds all flaws, or twelve of them, each once; of each third of the solutions four, or all there are."""
    chosen = sample(flaws)
    assert len(chosen) == min(MOST, len(flaws))
    assert len(set(_ids(chosen))) == len(chosen)
    assert set(_ids(chosen)) <= set(_ids(flaws))
    for position in POSITIONS:
        there = sum(flaw["position"] == position for flaw in flaws)
        assert sum(flaw["position"] == position for flaw in chosen) >= min(there, MOST // len(POSITIONS))


@given(flaws=_flaws(0, 20), random=st.randoms(use_true_random=False))
def test_the_order_of_flaws_does_not_matter(flaws: list[Record], random: Any) -> None:
    """Made in another order, the same flaws give the same sample in the same order."""
    shuffled = random.sample(flaws, len(flaws))
    assert _ids(sample(shuffled)) == _ids(sample(flaws))


@given(flaws=_flaws(0, 20), others=_flaws(21, 40))
def test_further_problems_bring_in_only_their_own(flaws: list[Record], others: list[Record]) -> None:
    """What was not shown before further problems were added is not shown after."""
    assert set(_ids(sample([*flaws, *others]))) <= {*_ids(sample(flaws)), *_ids(others)}


@given(flaws=_flaws(0, 20), salt=st.integers(0, 9))
def test_the_words_of_a_flaw_do_not_matter(flaws: list[Record], salt: int) -> None:
    """Told in other words, which give a flaw another id, the same changes are shown."""
    reworded = [{**flaw, "flaw_id": f"{salt}{place}", "was": flaw["flaw_id"]} for place, flaw in enumerate(flaws)]
    assert {flaw["was"] for flaw in sample(reworded)} == set(_ids(sample(flaws)))


def test_a_sample_is_spread_over_problems() -> None:
    """Of thirty problems with nine flaws each, twelve are shown with one flaw each, four from each third."""
    flaws = [
        _flaw(problem, line, to, POSITIONS[line - 1])
        for problem in range(30)
        for line in (1, 2, 3)
        for to in (8, 9, 10)
    ]
    chosen = sample(flaws)
    assert len({flaw["problem_id"] for flaw in chosen}) == MOST
    assert [sum(flaw["position"] == position for flaw in chosen) for position in POSITIONS] == [4, 4, 4]


def test_a_sample_reads_from_the_first_problem_to_the_last() -> None:
    """Flaws stand in the order of their problems, then of their lines, the final answer last, then of what was made."""
    flaws = [_flaw(2, 1, 8, "early"), _flaw(1, 0, 8, "late"), _flaw(1, 2, 9, "late"), _flaw(1, 2, 8, "late")]
    shown = [(flaw["problem_id"], flaw["mutation"]["line"], flaw["mutation"]["to"]) for flaw in sample(flaws)]
    assert shown == [("p-001", "L2", "8"), ("p-001", "L2", "9"), ("p-001", "FA", "8"), ("p-002", "L1", "8")]
