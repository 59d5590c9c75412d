"""How is the formalization stage driven by pytest: its items, its fixture, its end?"""

from __future__ import annotations

import gc
import io
import math
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.errors import HarnessError
from harness.plugin import CLAIMS, is_worker, item_id, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from properties.formalization import FormalizationRun, Sealed
    from properties.settings import Settings

MODULE = "test_formalization.py"
RUN: pytest.StashKey[FormalizationRun] = pytest.StashKey()
SEALED: pytest.StashKey[Sealed] = pytest.StashKey()


def settings_of(config: pytest.Config) -> Settings:
    """Read the options.

    Raises:
        HarnessError: a weight or bonus is no list of finite numbers.
    """
    from oracles.consensus import Weights  # sessions without this stage do not pay for networkx
    from properties.settings import Settings, bundled_formalizations  # as above

    corpus = config.getoption("harness_corpus")
    paths = config.getoption("harness_formalizations") or bundled_formalizations(corpus)
    weights, bonus = _numbers(config, "harness_weights"), _numbers(config, "harness_bonus")
    if len(weights) != 2:
        message = f"--harness-weights {config.getoption('harness_weights')!r}: expected two numbers such as 0.7,0.3"
        raise HarnessError(message)
    return Settings(
        corpus=corpus,
        formalizations=tuple(paths),
        problems=config.getoption("harness_problems"),
        slice=config.getoption("harness_slice"),
        seed=config.getoption("harness_seed"),
        oracle=config.getoption("harness_oracle"),
        weights=Weights(weights[0], weights[1], bonus),
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


def formalization_run(config: pytest.Config) -> FormalizationRun:
    """Return this process's run, opened on first use."""
    if RUN not in config.stash:
        from properties.formalization import open_run  # as in settings_of

        worker = getattr(config, "workerinput", {})
        try:
            config.stash[RUN] = open_run(
                settings_of(config),
                runs=Path(config.getoption("harness_runs")),
                name=config.getoption("harness_run"),
                session=worker.get("testrunuid", f"pid{os.getpid()}"),
                worker=worker.get("workerid", "main"),
                owner=os.getppid() if worker else os.getpid(),
            )
        except HarnessError as error:
            raise pytest.UsageError(one_line(str(error), 2000)) from None
    return config.stash[RUN]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give every claim its item."""
    config = metafunc.config
    argument = next((name for name in ("formalization", "pair") if name in metafunc.fixturenames), None)
    if metafunc.definition.path.name != MODULE or argument is None:
        return
    try:
        run = formalization_run(config)
    except pytest.UsageError as error:
        # Raised here it would be a collection error with a traceback; pytest_collection_modifyitems raises it.
        config.stash[MISUSE] = error
        metafunc.parametrize(argument, [])
        return
    if argument == "formalization":
        _parametrize(metafunc, argument, run.screenings())
        return
    _parametrize(metafunc, argument, run.pairs())
    if not config.stash[PARTIAL]:
        _start_encoder(config, run)


MISUSE = pytest.StashKey[pytest.UsageError]()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """End the session if its inputs cannot be used; else put UT-2 last, which alone waits for every embedding.

    Raises:
        pytest.UsageError: they cannot.
    """
    if MISUSE in config.stash:
        raise config.stash[MISUSE]
    items.sort(key=lambda item: item.path.name == MODULE and "alignment" in getattr(item, "fixturenames", ()))


def _parametrize(metafunc: pytest.Metafunc, argument: str, keys: Iterable[tuple[str, ...]]) -> None:
    """Parametrize by plain strings; the keys behind them are looked up by the fixtures."""
    known = metafunc.config.stash.setdefault(KEYS, {})
    if argument not in known:
        ids: dict[str, tuple[str, ...]] = {}
        for key in keys:
            name = item_id(*key)
            while name in ids:
                name += "'"
            ids[name] = key
        known[argument] = ids
    metafunc.config.stash[CLAIMS].add(metafunc.definition.path)
    metafunc.parametrize(argument, list(known[argument]), ids=list(known[argument]))


RARELY = (20_000, 10, 5)
"""Thresholds of the garbage collector: a stage makes hardly any cycles, and looking for them takes a tenth of its time."""
KEYS = pytest.StashKey[dict[str, dict[str, tuple[str, ...]]]]()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Start the encoder beside the session as soon as it is known that pairs will be judged."""
    config = session.config
    if RUN not in config.stash:
        return
    # The collected items live as long as the session; the garbage collector need not look at them again.
    gc.freeze()
    gc.set_threshold(*RARELY)
    claims = [item for item in session.items if isinstance(item, pytest.Function) and item.path.name == MODULE]
    config.stash[COLLECTED] = len(claims)
    if any("pair" in item.fixturenames for item in claims):
        _start_encoder(config, config.stash[RUN])


def _start_encoder(config: pytest.Config, run: FormalizationRun) -> None:
    """Start the encoder beside the session, once a session, if anything is left to judge.

    It starts while items are still being collected, unless a selection may leave out every pair: the encoder's imports
    then cost no time of the session's.
    """
    if not config.option.collectonly and len(run.known) < sum(1 for _ in run.expected()):
        run.encoder.start()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: object, ids: list[str]) -> None:
    """Let the controlling process, which collects nothing itself, know which run its workers fill."""
    config = node.config  # type: ignore[attr-defined]  # xdist's WorkerController
    config.stash[COLLECTED] = sum(f"{MODULE}::" in name for name in ids)
    if config.stash[COLLECTED]:
        formalization_run(config)


def pytest_harness_finish(session: pytest.Session) -> list[str] | None:
    """Seal the run."""
    config = session.config
    if RUN not in config.stash or config.option.collectonly or session.exitstatus == pytest.ExitCode.USAGE_ERROR:
        return None
    run = config.stash[RUN]
    sealed = config.stash[SEALED] = run.finish()
    # pytest collects garbage five times before it ends, which takes 0.2 s each over what a large run holds.
    gc.freeze()
    whole = config.stash[WHOLE] = config.stash.get(COLLECTED, 0) == sum(1 for _ in run.expected())
    if whole and not sealed.missing:
        _link_latest(run)
        if config.getoption("harness_report") == "html":
            from reports.html import write_report  # sessions that end unsealed need no report

            write_report(run.run.folder)
        return None
    ran = session.exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}
    if whole and ran and not session.shouldstop and not session.shouldfail:
        return [
            f"{sealed.missing} claims were not judged although every item ran: a worker died or the machinery failed; continue by --harness-run {run.run.folder}"
        ]
    return None


COLLECTED = pytest.StashKey[int]()
WHOLE = pytest.StashKey[bool]()
PARTIAL = pytest.StashKey[bool]()


def pytest_configure(config: pytest.Config) -> None:
    """Note whether the command line names single items, and may leave out every pair."""
    chosen = any("::" in argument for argument in config.args) or bool(config.getoption("keyword"))
    config.stash[PARTIAL] = chosen or config.option.markexpr not in {"", "formalization"}


def pytest_harness_gate(config: pytest.Config, minimum: float) -> list[str] | None:
    """Return one line on the problems whose confidence is below the minimum, if there are any."""
    sealed = config.stash.get(SEALED, None)
    if sealed is None:
        return None
    if sealed.missing:
        return [f"no consensus: {sealed.missing} claims are not judged"]
    below = [
        f"{record['problem_id']} ({record['confidence']:.2f})"
        for record in sealed.consensus
        if record["confidence"] < minimum
    ]
    if not below:
        return None
    shown = ", ".join([*below[:10], *(["…"] if len(below) > 10 else [])])
    return [f"{len(below)} problems below --harness-min-confidence {minimum:g}: {shown}"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Show the funnel, the cliques and the least sure problems."""
    sealed = config.stash.get(SEALED, None)
    if sealed is None or is_worker(config) or config.getoption("verbose") < -1:
        return
    folder = sealed.run.run.folder
    if sealed.missing:
        terminalreporter.write_line(
            f"run {folder}: not sealed, {sealed.missing} claims are not judged yet; continue by --harness-run {folder}"
        )
        return
    if not config.stash[WHOLE]:
        terminalreporter.write_line(f"run {folder}: sealed before, and left as it was")
        return
    from rich.console import Console  # only a finished run prints by rich

    from reports.terminal import print_summary  # as above

    shown = io.StringIO()
    width = shutil.get_terminal_size().columns
    print_summary(folder, Console(file=shown, width=width, force_terminal=terminalreporter.hasmarkup), finding_limit=0)
    terminalreporter.ensure_newline()
    terminalreporter.write(shown.getvalue())
    if config.getoption("harness_report") == "html":
        terminalreporter.write_line(f"report: {folder / 'report' / 'index.html'}")


def _link_latest(run: FormalizationRun) -> None:
    """Point `latest` beside the run's folder to it."""
    link = run.run.folder.parent / "latest"
    if link.is_symlink() or not link.exists():
        temporary = link.with_name(f".latest.{os.getpid()}")
        temporary.symlink_to(run.run.folder.name)
        temporary.replace(link)
