"""Models that hand in the programs of another one are told from independent ones whose programs are often the same."""

from __future__ import annotations

from random import Random

from hypothesis import given, strategies as st

from oracles.consensus.probability.repeated_programs import repeated_writers
from tests.cases import cases

SEEDS = st.integers(0, 10**9)


def forms_of(usual: float, noise: dict[str, float], *, writers: int, problems: int, seed: int) -> list[dict[str, str]]:
    """Return the forms of the writers `a0`, `a1`, …, who choose the usual one with a probability, and of models that take over that of `a0` but for some noise."""
    rng = Random(seed)
    rows = []
    for number in range(problems):
        row = {
            f"a{writer}": "usual" if rng.random() < usual else f"own {writer} {number}"
            for writer in range(writers)
            if rng.random() < 0.9
        }
        if "a0" in row:
            row |= {name: f"{name} {number}" if rng.random() < share else row["a0"] for name, share in noise.items()}
        rows.append(row)
    return rows


@cases("noise, problems", [(0.0, 60), (0.02, 100), (0.05, 300)])
@cases("writers", [2, 3, 7])
def test_models_that_hand_in_programs_of_another_one_are_found(noise: float, problems: int, writers: int) -> None:
    """Two models with the programs of a writer, but for up to a twentieth of the problems, are both that writer's, whatever their names."""
    check_copies(noise, problems, writers)


@cases("writers", [3, 7])
def test_more_different_programs_tell_where_others_differ(writers: int) -> None:
    """They may differ on a tenth of the problems where most pairs of the run are no copies."""
    check_copies(0.1, 300, writers)


def check_copies(noise: float, problems: int, writers: int) -> None:
    """Fail if one of two copies is not found, or anything else is."""
    for seed in range(3):
        rows = forms_of(0.5, {"b": noise, "0": noise}, writers=writers, problems=problems, seed=seed)
        found = repeated_writers(sorted({name for row in rows for name in row}), rows)
        assert (found.keys() | set(found.values()), len(found)) == ({"a0", "b", "0"}, 2)


@given(st.floats(0, 0.89), st.integers(2, 9), st.sampled_from([5, 30, 100, 300]), SEEDS)
def test_independent_writers_hand_in_nothing_of_each_other(
    usual: float, writers: int, problems: int, seed: int
) -> None:
    """Writers that choose one form up to nine times in ten, each for itself, are nobody's copies."""
    rows = forms_of(usual, {}, writers=writers, problems=problems, seed=seed)
    assert repeated_writers(sorted({name for row in rows for name in row}), rows) == {}


@given(st.integers(0, 15), SEEDS)
def test_few_problems_tell_nothing(problems: int, seed: int) -> None:
    """On few problems, equal programs are no copies."""
    rows = forms_of(1.0, {"b": 0.0}, writers=2, problems=problems, seed=seed)
    assert repeated_writers(["a0", "a1", "b"], rows) == {}
