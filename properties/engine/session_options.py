"""The options that the suites add to pytest, and the settings of a run that they give."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING

from harness.command_line.reproduction_options import REPRODUCTION_DEFAULTS
from harness.errors import HarnessError

if TYPE_CHECKING:
    import pytest

    from properties.engine.settings import RunSettings


def _positive(text: str) -> int:
    """Return a whole number of at least 1; errors as argparse expects of a type."""
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= 1_000_000):
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, found {text!r}")
    return int(text)


def add_options(parser: pytest.Parser) -> None:
    """Declare the options of the sentence encoder, of constraint problems, and the size of a clique that flaws and variants need."""
    group = parser.getgroup("harness", "oracle-factory")
    group.addoption(
        "--harness-min-clique",
        type=_positive,
        default=1,
        metavar="N",
        help="the formalizations that must agree on a problem before flaws and variants are made of it (default: 1, which UT-1 confirms)",
    )
    group.addoption(
        "--harness-encoder",
        default=REPRODUCTION_DEFAULTS["encoder"],
        metavar="NAME|FOLDER",
        help="the sentence encoder of UT-2: all-MiniLM-L6-v2 (default), or the name or folder of any model of sentence-transformers, where that is installed",
    )
    group.addoption(
        "--harness-max-pairs",
        type=_positive,
        default=1_000,
        metavar="N",
        help="the most pairs of formalizations of a problem that have an item each; a problem with more has one item, which compares classes (default: 1000)",
    )
    group.addoption(
        "--harness-smt-count",
        type=int,
        default=25,
        metavar="N",
        help="the number of constraint problems of each domain to judge (default: 25)",
    )
    group.addoption(
        "--harness-smt-seed", type=int, default=0, metavar="N", help="seed of constraint problems (default: 0)"
    )
    group.addoption(
        "--harness-smt-problems",
        action="append",
        default=[],
        metavar="FILE",
        help="judge these constraint problems instead: JSONL {problem, program, …}, plain or .gz, or CSV with these columns; may be given again",
    )


def settings_of(config: pytest.Config) -> RunSettings:
    """Read the options.

    Raises:
        HarnessError: a weight or bonus is no list of finite numbers.
    """
    from oracles.consensus.confidence_score import ConsensusWeights  # sessions without a stage do not import them
    from properties.engine.settings import RunSettings, bundled_formalizations

    corpus, labels = config.getoption("harness_corpus"), config.getoption("harness_labels")
    # Labelled solutions need no formalization: a session that names no formalizations judges labels only.
    paths = config.getoption("harness_formalizations") or ([] if labels else bundled_formalizations(corpus))
    weights, bonus = _numbers(config, "harness_weights"), _numbers(config, "harness_bonus")
    if len(weights) != 2:
        message = f"--harness-weights {config.getoption('harness_weights')!r}: expected two numbers such as 0.7,0.3"
        raise HarnessError(message)
    return RunSettings(
        corpus=corpus,
        formalizations=tuple(paths),
        problems=config.getoption("harness_problems"),
        slice=config.getoption("harness_slice"),
        seed=config.getoption("harness_seed"),
        oracle=config.getoption("harness_oracle"),
        weights=ConsensusWeights(weights[0], weights[1], bonus),
        labels=tuple(labels),
        exclude=config.getoption("harness_exclude"),
        smt_count=config.getoption("harness_smt_count"),
        smt_seed=config.getoption("harness_smt_seed"),
        smt_problems=tuple(config.getoption("harness_smt_problems")),
        strict=config.getoption("harness_strict") == "yes",
        min_confidence=config.getoption("harness_min_confidence") or 0.0,
        min_clique=config.getoption("harness_min_clique"),
        max_pairs=config.getoption("harness_max_pairs"),
        encoder=config.getoption("harness_encoder"),
    )


def _numbers(config: pytest.Config, option: str) -> tuple[float, ...]:
    text = config.getoption(option)
    try:
        numbers = tuple(float(part) for part in text.split(","))
    except ValueError:
        numbers = ()
    if not numbers or not all(0 <= number < math.inf for number in numbers):
        message = f"--{option.replace('_', '-')} {text!r}: expected numbers separated by commas, none below zero"
        raise HarnessError(message)
    return numbers
