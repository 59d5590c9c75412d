"""The pytest plugin of the product suites: their options, items, order, sealing and terminal summary."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.errors import HarnessError
from harness.plugin import CLAIMS, SEALED_ALL, TOGETHER, is_worker, item_id, selected
from harness.stages import FORMALIZATION, STAGE_BY_NAME, STAGES
from harness.store.latest_run import link_latest
from harness.store.run_folder import run_option
from harness.text.characters import one_line
from properties.engine.session_options import add_options, hold_run, require_files, settings_of
from properties.engine.stage_pages import summary, write_page

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from harness.domain import Verdict
    from properties.engine.inputs import SessionInputs
    from properties.engine.stage_run import Key, StageRun

HERE = Path(__file__).resolve().parent
SUITES = {HERE.parent / stage.suite: stage.name for stage in STAGES if stage.suite}
"""The stage whose claims a module's items are."""
INPUTS: pytest.StashKey[SessionInputs] = pytest.StashKey()
RUNS: pytest.StashKey[dict[str, StageRun]] = pytest.StashKey()
SEALED: pytest.StashKey[list[tuple[str, StageRun, int]]] = pytest.StashKey()
"""The stages that this session filled: name, run, and number of claims that are still open."""


@functools.cache
def stage_of(module: Path) -> str | None:
    """Return the stage whose claims the items of a module are; a module of that name elsewhere is another."""
    return SUITES.get(module.resolve())


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options of the suites."""
    add_options(parser)


def inputs_of(config: pytest.Config) -> SessionInputs:
    """Return what this session judges, loaded on first use.

    Raises:
        pytest.UsageError: the inputs cannot be used.
    """
    if INPUTS not in config.stash:
        from properties.engine.inputs import open_inputs  # as in settings_of

        try:
            config.stash[INPUTS] = open_inputs(
                settings_of(config),
                runs=Path(config.getoption("harness_runs")),
                name=config.getoption("harness_run"),
                worker=getattr(config, "workerinput", {}).get("workerid", "main"),
                reproduced=any("::" in argument and argument.endswith("]") for argument in config.args),
            )
        except HarnessError as error:
            raise pytest.UsageError(one_line(str(error), limit=2000)) from None
    return config.stash[INPUTS]


def stage_run(config: pytest.Config, name: str) -> StageRun:
    """Return this process's part of a stage, opened on first use; errors as in `inputs_of`."""
    runs = config.stash[RUNS]
    if name not in runs:
        inputs = inputs_of(config)
        try:
            runs[name] = importlib.import_module(f"properties.stages.{name}").open_run(inputs)
        except HarnessError as error:
            raise pytest.UsageError(one_line(str(error), limit=2000)) from None
    return runs[name]


@pytest.fixture
def verdict(request: pytest.FixtureRequest) -> Verdict:
    """Return the verdict on the claim of an item; an item that stands for no claim is skipped."""
    run = stage_run(request.config, str(stage_of(request.path)))
    found = run.decide(request.config.stash[KEYS][_claim_of(request.function)][request.param])
    if found.method in run.no_claim:
        pytest.skip(f"{found.method}: {found.reason}")
    return found


def _claim_of(function: Callable[..., object]) -> str:
    return function.__name__.removeprefix("test_")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give every claim its item, unless the session's -m leaves the claim out."""
    config = metafunc.config
    stage = stage_of(metafunc.definition.path)
    if stage is None or "verdict" not in metafunc.fixturenames:
        return
    claim = _claim_of(metafunc.function)
    ids: dict[str, Key] = {}
    if selected(metafunc) and (STAGE_BY_NAME[stage].from_corpus or _constraints_wanted(config)):
        try:
            run = stage_run(config, stage)
            for key in run.expected():
                if key[0] == claim:
                    name = item_id(*run.names(key))
                    while name in ids:
                        name += "'"
                    ids[name] = key
        except pytest.UsageError as error:
            # Raised here it would be a collection error with a traceback; pytest_collection_modifyitems raises it.
            config.stash[MISUSE] = error
        else:
            if not ids and config.option.markexpr and run.nothing is not None:
                config.stash[MISUSE] = pytest.UsageError(run.nothing)
            config.stash[CLAIMS].add(metafunc.definition.path)
    config.stash[KEYS][claim] = ids
    # By plain strings, which the fixture looks up.
    metafunc.parametrize("verdict", list(ids), ids=list(ids), indirect=True)


def pytest_report_collectionfinish(config: pytest.Config) -> list[str]:
    """Print which problems have one item instead of one for each pair."""
    run = config.stash[RUNS].get(FORMALIZATION)
    note = None if run is None else run.note()
    return [] if note is None else [one_line(note, limit=2000)]


def _constraints_wanted(config: pytest.Config) -> bool:
    """Tell whether constraint problems were asked for: they come from no corpus, so a session that names nothing has none."""
    named = any("test_smt" in argument for argument in config.args)
    return bool(config.option.markexpr) or named or bool(config.getoption("harness_smt_problems"))


MISUSE = pytest.StashKey[pytest.UsageError]()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """End the session if its inputs cannot be used; else order the claims.

    Flaws and variants come last; the claims about a template come one after the other, so that it is read once.

    Raises:
        pytest.UsageError: they cannot be used.
    """
    if MISUSE in config.stash:
        raise config.stash[MISUSE]
    # A stage without a claim, such as one -m leaves out, has an empty parameter set, which pytest would call skipped.
    items[:] = [item for item in items if not (stage_of(item.path) and item.name.endswith("[NOTSET]"))]
    if config.stash[RUNS]:
        items.sort(key=_order)


def _order(item: pytest.Item) -> tuple[bool, str]:
    stage = stage_of(item.path)
    made = stage is not None and STAGE_BY_NAME[stage].from_oracles
    together = item.name.partition("[")[2] if stage is not None and STAGE_BY_NAME[stage].by_problem else ""
    return made, together


KEYS: pytest.StashKey[dict[str, dict[str, Key]]] = pytest.StashKey()
"""By claim and id of an item, the key of the verdict."""


def pytest_collection_finish(session: pytest.Session) -> None:
    """Note which stages the session fills, and begin them."""
    config = session.config
    if not config.stash[RUNS]:
        return
    from properties.engine.stage_run import RARELY

    # The collected items live as long as the session; the garbage collector need not look at them again.
    gc.freeze()
    gc.set_threshold(*RARELY)
    claims = (stage_of(item.path) for item in session.items if isinstance(item, pytest.Function))
    config.stash[COLLECTED] = Counter(stage for stage in claims if stage is not None)
    _begin(config, [item.nodeid for item in session.items])


def _begin(config: pytest.Config, items: Sequence[str]) -> None:
    """Tell each stage whether the session, whose items have these ids, also judges formalizations.

    Raises:
        pytest.UsageError: a stage cannot be made so.
    """
    if config.option.collectonly:
        return
    runs = config.stash[RUNS]
    if not is_worker(config) and any(config.stash[COLLECTED][name] for name in runs):
        hold_run(config, inputs_of(config))
    judging = runs.get(FORMALIZATION) if config.stash[COLLECTED][FORMALIZATION] else None
    try:
        for name, run in runs.items():
            if config.stash[COLLECTED][name]:
                run.begin(judging)
                if not is_worker(config) and _whole(config, name, run):
                    with contextlib.suppress(HarnessError):  # the items that need what is missing say so
                        run.prepare()
    except HarnessError as error:
        raise pytest.UsageError(one_line(str(error), limit=2000)) from None
    _show_progress(config, items)


def _show_progress(config: pytest.Config, items: Sequence[str]) -> None:
    """Print where an interrupted run continues, and begin to show the progress of the session."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if (
        is_worker(config)
        or reporter is None
        or config.pluginmanager.has_plugin(PROGRESS)
        or config.getoption("verbose") < -1
    ):
        return
    from properties.engine.claim_progress import ClaimProgress  # as in settings_of

    collected = config.stash[COLLECTED]
    for name, run in config.stash[RUNS].items():
        known = len(run.claims.known)
        if collected[name] and known and not run.claims.stage.sealed:
            reporter.ensure_newline()
            folder = run.inputs.run.folder
            reporter.write_line(f"{name}: continues in {folder}, where {known:,} claims were judged before")
    names = {item_id(problem)[:-1] for run in config.stash[RUNS].values() for problem in run.problem_ids()}
    progress = ClaimProgress(reporter, functools.partial(problem_of, config.rootpath, names))
    config.pluginmanager.register(progress, PROGRESS)
    progress.begin(items)


def problem_of(root: Path, names: Container[str], item: str) -> str | None:
    """Return the problem of an item's claim, one of the names if its id is not cut off; `None` if it is no claim."""
    path, _, claim = item.partition("::")
    if stage_of(root / path) is None:
        return None
    words = claim.partition("[")[2].split(":")
    heads = (":".join(words[:count]) for count in range(len(words), 0, -1))
    return next((head for head in heads if head in names), words[0])


PROGRESS = "harness-progress"
"""The name of the plugin that shows the progress of a session."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: object, ids: list[str]) -> None:
    """Let the controlling process, which collects nothing itself, know which stages its workers fill."""
    config = node.config  # type: ignore[attr-defined]  # xdist's WorkerController
    claims = (stage_of(config.rootpath / name.partition("::")[0]) for name in ids)
    config.stash[COLLECTED] = Counter(stage for stage in claims if stage is not None)
    for stage in config.stash[COLLECTED]:
        stage_run(config, stage)
    _begin(config, ids)


def pytest_harness_finish(session: pytest.Session) -> list[str] | None:
    """Seal the stages that this session filled."""
    config = session.config
    runs = config.stash[RUNS]
    if not runs or config.option.collectonly or session.exitstatus == pytest.ExitCode.USAGE_ERROR:
        return None
    reasons = []
    config.stash[SEALED] = []
    config.stash[SEALED_ALL] = True
    for name, run in runs.items():
        if not config.stash[COLLECTED][name]:
            continue
        missing = run.finish()
        config.stash[SEALED].append((name, run, missing))
        config.stash[SEALED_ALL] &= not missing
        # pytest collects garbage five times before it ends, which takes 0.2 s each over what a large run holds.
        gc.freeze()
        if not _whole(config, name, run):
            continue
        if not missing:
            # `latest` is read by stages whose problems are those of the corpus.
            if STAGE_BY_NAME[name].from_corpus:
                link_latest(run.inputs.run.folder)
            page = write_page(name, run.inputs.run.folder) if config.getoption("harness_report") == "html" else None
            config.stash[REPORTS][name] = page
            continue
        ran = session.exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}
        if ran and not session.shouldstop and not session.shouldfail:
            reasons.append(
                f"{missing} claims were not judged although every item ran: a worker died or the machinery failed; continue with {run_option(run.inputs.run.folder)}"
            )
    return reasons or None


def _whole(config: pytest.Config, name: str, run: StageRun) -> bool:
    """Tell whether the session collected every claim of a stage."""
    return config.stash[COLLECTED][name] == sum(1 for _ in run.expected())


COLLECTED = pytest.StashKey[Counter[str]]()
REPORTS = pytest.StashKey[dict[str, Path | None]]()
"""By stage that this session sealed whole: the path of its report, if it has one."""


def pytest_configure(config: pytest.Config) -> None:
    """Declare the stages' markers, and check that the files which the options name exist."""
    for marker in (marker for stage in STAGES for marker in stage.markers):
        config.addinivalue_line("markers", marker)
    config.stash[TOGETHER] = {stage.suite for stage in STAGES if stage.by_problem}
    config.stash[RUNS] = {}
    config.stash[KEYS] = {}
    config.stash[REPORTS] = {}
    config.stash[COLLECTED] = Counter()
    if not is_worker(config):
        require_files(config)


def pytest_harness_gate(config: pytest.Config, minimum: float) -> list[str] | None:
    """Return one line on the problems whose confidence is below the minimum, if there are any."""
    from properties.engine.problem_sources import sealed_consensus  # as in settings_of

    reasons = []
    for name, run, missing in config.stash.get(SEALED, []):
        if missing:
            reasons.append(f"no consensus: {missing} claims are not judged")
            continue
        agreed = sealed_consensus(run.claims.stage) if name == FORMALIZATION else {}
        below = [f"{own.problem_id} ({own.confidence:.2f})" for own in agreed.values() if own.confidence < minimum]
        if below:
            shown = ", ".join([*below[:10], *(["…"] if len(below) > 10 else [])])
            reasons.append(f"{len(below)} problems below --harness-min-confidence {minimum:g}: {shown}")
    return reasons or None


def pytest_harness_outcome(config: pytest.Config) -> list[str]:
    """Return the result of the formalization stage, if this session sealed it, in one or two sentences."""
    sealed = [run for name, run, missing in config.stash.get(SEALED, []) if name == FORMALIZATION and not missing]
    if not sealed or FORMALIZATION not in config.stash[REPORTS]:
        return []
    from reports.views.run_outcome import outcome_sentence  # sessions that end unsealed need no report

    return [outcome_sentence(sealed[0].inputs.run.folder)]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Show the findings of each stage, or why it is not sealed."""
    if is_worker(config) or config.getoption("verbose") < -1:
        return
    for name, run, missing in config.stash.get(SEALED, []):
        folder = run.inputs.run.folder
        if missing:
            terminalreporter.write_line(
                f"run {folder}: not sealed, {missing} claims are not judged yet; continue with {run_option(folder)}"
            )
        elif name not in config.stash[REPORTS]:
            terminalreporter.write_line(f"run {folder}: sealed before, and left as it was")
        else:
            width = shutil.get_terminal_size().columns
            terminalreporter.ensure_newline()
            terminalreporter.write(summary(name, folder, width=width, colour=terminalreporter.hasmarkup))
            path = config.stash[REPORTS][name]
            terminalreporter.write_line(f"run {folder}: sealed" if path is None else f"report: {path}")
