"""The options that decide what an item judges, as the command that reproduces a finding names them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pytest

REPRODUCTION_DEFAULTS: Mapping[str, Any] = {
    "corpus": "mini",
    "formalizations": [],
    "labels": [],
    "problems": None,
    "exclude": None,
    "slice": None,
    "run": None,
    "runs": "runs",
    "seed": 0,
    "oracle": "parameters",
    "weights": "0.7,0.3",
    "bonus": "1.0,1.1,1.2,1.3",
    "strict": "yes",
    "min_confidence": None,
    "min_clique": 1,
    "encoder": "all-MiniLM-L6-v2",
    "max_pairs": 1_000,
    "smt_count": 25,
    "smt_seed": 0,
    "smt_problems": [],
}
"""The options that an item and its verdict depend on, with their defaults; a session without a suite does not know its options."""


def reproduction_options(config: pytest.Config) -> list[str]:
    """Return the options that an item and its verdict depend on, without those at their defaults."""
    options = []
    for option, default in REPRODUCTION_DEFAULTS.items():
        value = config.getoption(f"harness_{option}", default)
        if value != default:
            values = value if isinstance(value, list) else [value]
            options += [f"--harness-{option.replace('_', '-')}={text}" for text in values]
    return options
