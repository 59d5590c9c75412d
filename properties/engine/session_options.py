"""The options that the suites add to pytest, the settings of a run that they give, and the checks before a session starts its workers."""

from __future__ import annotations

import argparse
import math
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.command_line.reproduction_options import REPRODUCTION_DEFAULTS
from harness.errors import HarnessError
from harness.store.run_lock import held_lock
from harness.text.characters import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from properties.engine.inputs import SessionInputs
    from properties.engine.settings import RunSettings


LOCKS = pytest.StashKey[ExitStack]()
LONGEST_MESSAGE = 2_000
FILES = ("formalizations", "labels", "smt_problems")
_NO_FILES = ("mini", "gsm8k:")


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


def require_files(config: pytest.Config) -> None:
    """Check that all files which the options name exist, before any worker starts.

    Raises:
        pytest.UsageError: some are missing; the message names each.
    """
    mistakes = list(_mistakes(config))
    if mistakes:
        raise pytest.UsageError(one_line("; ".join(mistakes), limit=LONGEST_MESSAGE))


def _mistakes(config: pytest.Config) -> Iterator[str]:
    corpus: str = config.getoption("harness_corpus")
    named = corpus.partition("=")[2] or corpus
    if not corpus.startswith(_NO_FILES) and not Path(corpus).exists() and not Path(named).exists():
        yield f"--harness-corpus {corpus!r}: no such file; give a file of JSON lines, Parquet or Arrow, a folder of such files, mini, gsm8k:train or gsm8k:test"
    for option in FILES:
        for name in config.getoption(f"harness_{option}"):
            if not Path(name).exists() and not (option == "formalizations" and _made_here(name)):
                yield f"--harness-{option.replace('_', '-')} {name!r}: no such file"
    encoder: str = config.getoption("harness_encoder")
    if encoder != REPRODUCTION_DEFAULTS["encoder"] and (problem := _encoder_problem(encoder)) is not None:
        yield f"--harness-encoder {encoder!r}: {problem}"
    excluded = config.getoption("harness_exclude")
    if excluded is not None and not Path(excluded).is_file():
        yield f"--harness-exclude {excluded!r}: no such file"


def _made_here(name: str) -> bool:
    from generators.formalizations.annotation_compiler import FORMALIZERS  # only a name that is not a file is looked up

    return name in FORMALIZERS


def _encoder_problem(name: str) -> str | None:
    from oracles.alignment.encoder import encoder_problem  # only another encoder than the default is looked up

    return encoder_problem(name)


def hold_run(config: pytest.Config, inputs: SessionInputs) -> None:
    """Hold the lock of the run until the session ends.

    Raises:
        pytest.UsageError: another process works on the run, or its folder cannot be written.
    """
    if LOCKS in config.stash:
        return
    config.stash[LOCKS] = locks = ExitStack()
    config.add_cleanup(locks.close)
    try:
        locks.enter_context(held_lock(inputs.run.folder, inputs.options.run))
    except HarnessError as error:
        raise pytest.UsageError(one_line(str(error), limit=LONGEST_MESSAGE)) from None
