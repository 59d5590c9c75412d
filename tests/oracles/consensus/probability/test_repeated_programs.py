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


@given(st.floats(0, 0.89), st.integers(2, 9), st.sampled_from([5, 30, 100, 300]), SEEDS)
def test_independent_writers_hand_in_nothing_of_each_other(
    usual: float, writers: int, problems: int, seed: int
) -> None:
    """Writers that choose one form up to nine times in ten, each for itself, are nobody's copies."""
    rows = forms_of(usual, {}, writers=writers, problems=problems, seed=seed)
    assert repeated_writers(sorted({name for row in rows for name in row}), rows) == {}


COPIES = [(0.0, 60, 2), (0.02, 100, 3), (0.05, 300, 2), (0.05, 300, 7), (0.1, 300, 3), (0.1, 300, 7)]


@cases("noise, problems, writers", COPIES)
def test_models_that_hand_in_programs_of_another_one_are_found(noise: float, problems: int, writers: int) -> None:
    """Two models with the programs of a writer, but for a twentieth of the problems or a tenth among more writers, are that writer's."""
    for seed in range(3):
        rows = forms_of(0.5, {"b": noise, "0": noise}, writers=writers, problems=problems, seed=seed)
        found = repeated_writers(sorted({name for row in rows for name in row}), rows)
        assert (found.keys() | set(found.values()), len(found)) == ({"a0", "b", "0"}, 2)
