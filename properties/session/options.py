"""The settings of a run that the options of a session give, and the checks before it starts its workers."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.command_line.session_options import REPRODUCTION_DEFAULTS
from harness.corpora.problems import answers_of
from harness.errors import HarnessError
from harness.store.run_folder import held_lock
from harness.text.characters import one_line

if TYPE_CHECKING:
    from properties.engine.inputs import RunSettings, SessionInputs

FILES = ("formalizations", "labels", "solutions", "smt_problems")
LOCKS = pytest.StashKey[ExitStack]()
LONGEST_MESSAGE = 2_000


@contextlib.contextmanager
def usage_errors() -> Generator[None]:
    """Report what cannot be used as a usage error of pytest, on one line."""
    try:
        yield
    except HarnessError as error:
        raise pytest.UsageError(one_line(str(error), limit=LONGEST_MESSAGE)) from None


def settings_of(config: pytest.Config) -> RunSettings:
    """Read the options.

    Raises:
        HarnessError: a weight or bonus is no list of finite numbers, or a corpus that brings no formalizations has none.
    """
    from oracles.consensus.confidence_score import ConsensusWeights  # sessions without a stage do not import them
    from properties.engine.inputs import RunSettings

    given = {name: config.getoption(f"harness_{name}") for name in REPRODUCTION_DEFAULTS if name not in {"run", "runs"}}
    weights, bonus = _numbers("weights", given["weights"]), _numbers("bonus", given.pop("bonus"))
    if len(weights) != 2:
        message = f"--harness-weights {given['weights']!r}: expected two numbers such as 0.7,0.3"
        raise HarnessError(message)
    # Solutions, labelled or not, need no formalization: a session that names no formalizations judges them only.
    if not given["formalizations"] and not given["labels"] and not given["solutions"]:
        how = "name a file by --harness-formalizations PATH, or compile its annotated solutions by --harness-formalizations annotation"
        given["formalizations"] = answers_of(given["corpus"], how)
    given |= {name: tuple(given[name]) for name in FILES}
    given["family"] = tuple(given["family"])
    given["weights"] = ConsensusWeights(weights[0], weights[1], bonus)
    given["strict"] = given["strict"] == "yes"
    given["min_confidence"] = given["min_confidence"] or 0.0
    return RunSettings(**given)


def _numbers(option: str, text: str) -> tuple[float, ...]:
    try:
        numbers = tuple(map(float, text.split(",")))
    except ValueError:
        numbers = ()
    if not numbers or not all(0 <= number < math.inf for number in numbers):
        message = f"--harness-{option} {text!r}: expected numbers separated by commas, none below zero"
        raise HarnessError(message)
    return numbers


def require_files(config: pytest.Config) -> None:
    """Check that all files which the options name exist, before any worker starts.

    Raises:
        pytest.UsageError: some are missing; the message names each.
    """
    from generators.formalizations.annotation_compiler import FORMALIZERS  # sessions without a stage do not import it

    corpus, mistakes = config.getoption("harness_corpus"), list[str]()
    named = corpus.partition("=")[2] or corpus
    if not corpus.startswith(("mini", "gsm8k:")) and not Path(corpus).exists() and not Path(named).exists():
        mistakes.append(
            f"--harness-corpus {corpus!r}: no such file; give a file of JSON lines, Parquet or Arrow, a folder of such files, mini, gsm8k:train or gsm8k:test"
        )
    for option in FILES:
        for name in config.getoption(f"harness_{option}"):
            if not Path(name).exists() and not (option == "formalizations" and name in FORMALIZERS):
                mistakes.append(f"--harness-{option.replace('_', '-')} {name!r}: no such file")
    excluded = config.getoption("harness_exclude")
    if excluded is not None and not Path(excluded).is_file():
        mistakes.append(f"--harness-exclude {excluded!r}: no such file")
    if mistakes:
        raise pytest.UsageError(one_line("; ".join(mistakes), limit=LONGEST_MESSAGE))


def hold_run(config: pytest.Config, inputs: SessionInputs) -> None:
    """Hold the lock of the run until the session ends.

    Raises:
        HarnessError: another process works on the run, or its folder cannot be written.
    """
    if LOCKS not in config.stash:
        config.stash[LOCKS] = locks = ExitStack()
        config.add_cleanup(locks.close)
        locks.enter_context(held_lock(inputs.run.folder, inputs.options.run))
