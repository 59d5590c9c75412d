"""The settings of a run that the options of a session give, and the checks before it starts its workers."""

from __future__ import annotations

import math
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.command_line.session_options import REPRODUCTION_DEFAULTS
from harness.errors import HarnessError
from harness.store.run_lock import held_lock
from harness.text.characters import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from properties.engine.inputs import RunSettings, SessionInputs

LOCKS = pytest.StashKey[ExitStack]()
LONGEST_MESSAGE = 2_000
FILES = ("formalizations", "labels", "smt_problems")
_NO_FILES = ("mini", "gsm8k:")


def settings_of(config: pytest.Config) -> RunSettings:
    """Read the options.

    Raises:
        HarnessError: a weight or bonus is no list of finite numbers.
    """
    from oracles.consensus.confidence_score import ConsensusWeights  # sessions without a stage do not import them
    from properties.engine.inputs import RunSettings, bundled_formalizations

    given = {name: config.getoption(f"harness_{name}") for name in REPRODUCTION_DEFAULTS if name not in {"run", "runs"}}
    weights, bonus = _numbers(config, "harness_weights"), _numbers(config, "harness_bonus")
    if len(weights) != 2:
        message = f"--harness-weights {given['weights']!r}: expected two numbers such as 0.7,0.3"
        raise HarnessError(message)
    # Labelled solutions need no formalization: a session that names no formalizations judges labels only.
    paths = given["formalizations"] or ([] if given["labels"] else bundled_formalizations(given["corpus"]))
    del given["bonus"]
    given |= {
        "formalizations": tuple(paths),
        "labels": tuple(given["labels"]),
        "smt_problems": tuple(given["smt_problems"]),
        "weights": ConsensusWeights(weights[0], weights[1], bonus),
        "strict": given["strict"] == "yes",
        "min_confidence": given["min_confidence"] or 0.0,
    }
    return RunSettings(**given)


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
    if encoder != REPRODUCTION_DEFAULTS["encoder"]:
        from oracles.alignment.encoder import encoder_problem  # only another encoder than the default is looked up

        if (problem := encoder_problem(encoder)) is not None:
            yield f"--harness-encoder {encoder!r}: {problem}"
    excluded = config.getoption("harness_exclude")
    if excluded is not None and not Path(excluded).is_file():
        yield f"--harness-exclude {excluded!r}: no such file"


def _made_here(name: str) -> bool:
    from generators.formalizations.annotation_compiler import FORMALIZERS  # only a name that is not a file is looked up

    return name in FORMALIZERS


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
