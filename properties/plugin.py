"""The pytest plugin of the product suites: their options, items, order and workers, the sealing of stages, and the gate."""

from __future__ import annotations

import contextlib
import gc
import shutil
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness.command_line.session_options import add_session_options
from harness.command_line.termination import leave_at_sigterm
from harness.domain import Verdict
from harness.errors import HarnessError, StorageError
from harness.stages import FORMALIZATION, STAGE_BY_NAME, STAGES
from harness.store.progress_line import StageProgress
from harness.store.run_folder import link_latest, run_option
from harness.text.characters import one_line
from properties import suites

if TYPE_CHECKING:
    from xdist.scheduler import LoadScopeScheduling
    from xdist.workermanage import WorkerController

    from properties.engine.inputs import SessionInputs
    from properties.engine.stage_run import Key, StageRun

BUCKETS = 128
KEPT_REPORTS = 1_000
USAGE_ERROR = "harness_usage_error"
_NO_KEYWORDS: dict[str, Any] = {}
_ONE_LINE_ERRORS = (suites.Finding, pytest.xfail.Exception, StorageError)


@dataclass(eq=False, slots=True)
class SuiteSession:
    """The state of a session; in the controlling process it is a plugin, which counts failures that are no findings, and shows the `progress`.

    `modules` are those whose items are claims; `keys` holds by claim and id of an item the key of the verdict; `collected` counts the items
    of each stage; `missing` has for each stage that this session ended the number of claims that are still open, `pages` the page, if any,
    of each that it sealed whole.
    """

    config: pytest.Config
    inputs: SessionInputs | None = None
    misuse: pytest.UsageError | None = None
    modules: set[Path] = field(default_factory=set)
    runs: dict[str, StageRun] = field(default_factory=dict)
    keys: dict[str, dict[str, Key]] = field(default_factory=dict)
    collected: Counter[str] = field(default_factory=Counter)
    machinery: int = 0
    unwritable: bool = False
    missing: dict[str, int] = field(default_factory=dict)
    pages: dict[str, Path | None] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    passed: bool = False
    progress: StageProgress | None = None

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count one report; discard the terminal's reports on set-up and tear-down, which only --durations reads."""
        self.machinery += report.failed and not suites.is_finding(report)
        self.unwritable |= getattr(report, "harness_storage", False)
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        unremarkable = [] if reporter is None else reporter.stats.get("", [])
        if len(unremarkable) > KEPT_REPORTS and not self.config.getoption("durations"):
            unremarkable.clear()
        # A claim whose set-up failed has no other report.
        ended = report.when == "call" or (report.when == "setup" and report.failed)
        if self.progress is not None and ended and suites.is_claim(self.config, report.nodeid):
            self.progress.advanced(1, findings=suites.is_finding(report))

    @pytest.hookimpl(wrapper=True)
    def pytest_report_teststatus(self, report: pytest.TestReport, config: pytest.Config) -> Generator[None, Any, Any]:
        """Print no letter for a claim while claims are judged, except in verbose mode; the summary names them as usual."""
        status = yield
        if self.progress is None or config.getoption("verbose") > 0 or not suites.is_claim(config, report.nodeid):
            return status
        return status[0], "", ""

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Count a collection error."""
        self.machinery += report.failed

    def opened_inputs(self) -> SessionInputs:
        """Return what the session judges, loaded on first use; inputs that cannot be used raise a `HarnessError`."""
        if self.inputs is None:
            from properties.engine.inputs import open_inputs  # sessions without a stage do not import it

            config = self.config
            self.inputs = open_inputs(
                suites.settings_of(config),
                runs=Path(config.getoption("harness_runs")),
                name=config.getoption("harness_run"),
                worker=getattr(config, "workerinput", {}).get("workerid", "main"),
                reproduced=any("::" in argument and argument.endswith("]") for argument in config.args),
            )
        return self.inputs

    def stage_run(self, name: str) -> StageRun:
        """Return this process's part of a stage, opened on first use; inputs that cannot be used raise a `pytest.UsageError`."""
        if name not in self.runs:
            from properties.engine.stage_run import open_stage_run  # sessions without a stage do not import it

            with suites.usage_errors():
                self.runs[name] = open_stage_run(name, self.opened_inputs())
        return self.runs[name]

    def filled(self) -> list[tuple[str, StageRun]]:
        """Return the stages of which items were collected."""
        return [(name, run) for name, run in self.runs.items() if self.collected[name]]

    def is_whole(self, name: str) -> bool:
        """Tell whether the session collected every claim of a stage."""
        return self.collected[name] == sum(1 for _ in self.runs[name].expected())


SESSION = pytest.StashKey[SuiteSession]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options of the suites."""
    add_session_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the stages' markers, and check that the files which the options name exist."""
    for marker in (marker for stage in STAGES for marker in stage.markers):
        config.addinivalue_line("markers", marker)
    config.stash[SESSION] = session = SuiteSession(config)
    if not suites.is_worker(config):
        config.pluginmanager.register(session, "harness-tally")
        leave_at_sigterm()
        suites.require_files(config)


@pytest.fixture
def verdict(request: pytest.FixtureRequest) -> Verdict:
    """Return the verdict on the claim of an item; an item that stands for no claim is skipped."""
    session = request.config.stash[SESSION]
    run = session.stage_run(str(suites.stage_of(request.path)))
    found = run.decide(session.keys[_claim_of(request.function)][request.param])
    if found.method in run.no_claim:
        pytest.skip(f"{found.method}: {found.reason}")
    return found


def _claim_of(function: Callable[..., object]) -> str:
    return function.__name__.removeprefix("test_")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give every claim its item, unless the session's -m leaves the claim out."""
    session = metafunc.config.stash[SESSION]
    stage = suites.stage_of(metafunc.definition.path)
    if stage is None or "verdict" not in metafunc.fixturenames:
        return
    claim = _claim_of(metafunc.function)
    ids: dict[str, Key] = {}
    if suites.selected(metafunc) and (STAGE_BY_NAME[stage].from_corpus or _constraints_wanted(metafunc.config)):
        try:
            run = session.stage_run(stage)
            for key in run.expected():
                if key[0] == claim:
                    name = suites.item_id(*run.names(key))
                    while name in ids:
                        name += "'"
                    ids[name] = key
        except pytest.UsageError as error:
            # Raised here it would be a collection error with a traceback; pytest_collection_modifyitems raises it.
            session.misuse = error
        else:
            if not ids and metafunc.config.option.markexpr and run.nothing is not None:
                session.misuse = pytest.UsageError(run.nothing)
            session.modules.add(metafunc.definition.path)
    session.keys[claim] = ids
    # By plain strings, which the fixture looks up.
    metafunc.parametrize("verdict", list(ids), ids=list(ids), indirect=True)


def _constraints_wanted(config: pytest.Config) -> bool:
    """Tell whether constraint problems were asked for: they come from no corpus, so a session that names nothing has none."""
    named = any("test_smt" in argument for argument in config.args)
    return bool(config.option.markexpr) or named or bool(config.getoption("harness_smt_problems"))


def pytest_report_collectionfinish(config: pytest.Config) -> list[str]:
    """Print which problems have one item instead of one for each pair."""
    run = config.stash[SESSION].runs.get(FORMALIZATION)
    note = None if run is None else run.note()
    return [] if note is None else [one_line(note, limit=suites.LONGEST_MESSAGE)]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Raise the `pytest.UsageError` of inputs that cannot be used; else order the claims.

    Flaws and variants come last; the claims about a template come one after the other, so that it is read once.
    """
    session = config.stash[SESSION]
    if session.misuse is not None:
        raise session.misuse
    # A stage without a claim, such as one -m leaves out, has an empty parameter set, which pytest would call skipped.
    items[:] = [item for item in items if not (suites.stage_of(item.path) and item.name.endswith("[NOTSET]"))]
    if session.runs:
        items.sort(key=_order)


def _order(item: pytest.Item) -> tuple[bool, str]:
    stage = suites.stage_of(item.path)
    made = stage is not None and STAGE_BY_NAME[stage].from_oracles
    together = item.name.partition("[")[2] if stage is not None and STAGE_BY_NAME[stage].by_problem else ""
    return made, together


def pytest_collection_finish(session: pytest.Session) -> None:
    """Note which stages the session fills, and begin them."""
    suite = session.config.stash[SESSION]
    if not suite.runs or suite.misuse is not None:
        return
    from properties.engine.stage_run import RARELY

    # The collected items live as long as the session; the garbage collector need not look at them again.
    gc.freeze()
    gc.set_threshold(*RARELY)
    _begin(suite, [item.nodeid for item in session.items])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: WorkerController, ids: list[str]) -> None:
    """Let the controlling process, which collects nothing itself, know which stages its workers fill."""
    _begin(node.config.stash[SESSION], ids)


def _begin(suite: SuiteSession, items: Sequence[str]) -> None:
    """Note which stages the session fills, by the ids of its items, and tell each whether it also judges formalizations; errors as in `stage_run`."""
    config = suite.config
    stages = (suites.stage_of(suites.module_of(config, name)) for name in items if "::" in name)
    suite.collected = Counter(stage for stage in stages if stage is not None)
    for stage in suite.collected:
        suite.stage_run(stage)
    if config.option.collectonly:
        return
    with suites.usage_errors():
        if not suites.is_worker(config) and suite.filled():
            suites.hold_run(config, suite.opened_inputs())
        judging = suite.runs.get(FORMALIZATION) if suite.collected[FORMALIZATION] else None
        for name, run in suite.filled():
            run.begin(judging)
            if not suites.is_worker(config) and suite.is_whole(name):
                with contextlib.suppress(HarnessError):  # the items that need what is missing say so
                    run.prepare()
    _show_progress(suite, items)


def _show_progress(suite: SuiteSession, items: Sequence[str]) -> None:
    """Print where an interrupted run continues, and begin to show the progress of the session."""
    config = suite.config
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if suites.is_worker(config) or reporter is None or suite.progress is not None or config.getoption("verbose") < -1:
        return
    for name, run in suite.filled():
        known = run.claims.count_known()
        if known and not run.claims.stage.sealed:
            reporter.ensure_newline()
            folder = run.inputs.run.folder
            reporter.write_line(f"{name}: continues in {folder}, where {known:,} claims were judged before")
    stream: Any = suites.ReporterStream(reporter)
    suite.progress = StageProgress("judging", stream, noun="claims")
    suite.progress.began(sum(suites.is_claim(config, item) for item in items))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport | None:
    """Report claims briefly: a run may have hundreds of thousands of items, each with three reports.

    A finding, an open claim or the message of a fixture is one line, because a traceback takes 1 ms. Reports on passed items
    have no keywords, because nothing reads them.
    """
    error = None if call.excinfo is None else call.excinfo.value
    if isinstance(error, StorageError):
        item.session.shouldfail = str(error)
    passed = error is None and item.path in item.config.stash[SESSION].modules
    in_a_line = (
        isinstance(error, HarnessError if call.when == "setup" else _ONE_LINE_ERRORS) and call.when != "teardown"
    )
    if not (passed or in_a_line) or item._report_sections:  # noqa: SLF001  # captured output, which full reports carry
        return None
    return pytest.TestReport(
        nodeid=item.nodeid,
        location=item.location,
        keywords=_NO_KEYWORDS,
        outcome="passed" if passed else "failed",
        longrepr=None if passed else str(error),
        when=call.when,  # type: ignore[arg-type]  # a report of an item is never of its collection
        sections=(),
        duration=call.duration,
        start=call.start,
        stop=call.stop,
        user_properties=item.user_properties,
        **({"harness_finding": True} if isinstance(error, suites.Finding) else {}),
        **({"harness_storage": True} if isinstance(error, StorageError) else {}),
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling | None:
    """Send the items of one problem to one worker, which then reads the problem once."""
    if config.getoption("dist") not in {"load", "no"}:
        return None
    from xdist.scheduler import LoadScopeScheduling  # xdist is an optional plugin

    together = {stage.suite for stage in STAGES if stage.by_problem}

    class ByProblem(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
        """Keeps the items of one test function and one bucket of problems together, and all other items by module."""

        def _split_scope(self, nodeid: str) -> str:
            function, bracket, identifier = nodeid.partition("[")
            module = function.partition("::")[0]
            if not bracket or ":" not in identifier:
                return module
            problem = identifier.partition(":")[0]
            return f"{module if module in together else function}#{zlib.crc32(problem.encode()) % BUCKETS}"

    return ByProblem(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: WorkerController, error: object) -> None:
    """Count a dead worker; raise the `pytest.UsageError` of a worker again, which xdist would ignore."""
    if error:
        node.config.stash[SESSION].machinery += 1
    message = getattr(node, "workeroutput", {}).get(USAGE_ERROR)
    if message is not None:
        raise pytest.UsageError(message)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None]:
    """Seal the stages, then let the gate decide the exit status, after all other plugins."""
    config = session.config
    suite = config.stash[SESSION]
    if suites.is_worker(config):
        error = sys.exception()
        if isinstance(error, pytest.UsageError):
            config.workeroutput[USAGE_ERROR] = "\n".join(map(str, error.args))  # type: ignore[attr-defined]  # xdist's
        return (yield)
    if suite.progress is not None:
        suite.progress.cleared()
        suite.progress = None
    decided: int = session.exitstatus
    try:
        suite.failures += _seal(session, suite)
    except HarnessError as failure:
        suite.unwritable |= isinstance(failure, StorageError)
        suite.failures.append(str(failure))
    gate = config.getoption("harness_gate")
    if suite.unwritable:
        decided = pytest.ExitCode.USAGE_ERROR
    elif suite.failures:
        decided = pytest.ExitCode.INTERNAL_ERROR
    elif decided == pytest.ExitCode.TESTS_FAILED and not suite.machinery and gate != "findings":
        decided = pytest.ExitCode.OK
    if gate == "consensus" and decided == pytest.ExitCode.OK:
        suite.failures += _problems_below(suite, minimum_confidence(config))
        if suite.failures:
            decided = pytest.ExitCode.TESTS_FAILED
    suite.passed = decided == pytest.ExitCode.OK
    before = session.exitstatus
    result = yield
    if decided != before:
        session.exitstatus = decided
    return result


def _seal(session: pytest.Session, suite: SuiteSession) -> list[str]:
    """Seal the stages that this session filled; return why the session must fail although no item did, if it must."""
    config = session.config
    if not suite.runs or config.option.collectonly or session.exitstatus == pytest.ExitCode.USAGE_ERROR:
        return []
    from reports.stage_pages import write_stage_page  # sessions without a stage import no reports

    reasons = []
    for name, run in suite.filled():
        suite.missing[name] = missing = run.finish()
        # pytest collects garbage five times before it ends, which takes 0.2 s each over what a large run holds.
        gc.freeze()
        folder, ran = run.inputs.run.folder, session.exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}
        if suite.is_whole(name) and not missing:
            # `latest` is read by stages whose problems are those of the corpus.
            if STAGE_BY_NAME[name].from_corpus:
                link_latest(folder)
            suite.pages[name] = write_stage_page(name, folder) if config.getoption("harness_report") == "html" else None
        elif suite.is_whole(name) and ran and not session.shouldstop and not session.shouldfail:
            reasons.append(
                f"{missing} claims were not judged although every item ran: a worker died or the machinery failed; continue with {run_option(folder)}"
            )
    return reasons


def minimum_confidence(config: pytest.Config) -> float:
    """Return what --harness-gate=consensus asks of each problem."""
    given: float | None = config.getoption("harness_min_confidence")
    return 0.5 if given is None else given


def _problems_below(suite: SuiteSession, minimum: float) -> list[str]:
    """Return one line on the problems whose confidence is below the minimum, if there are any."""
    from properties.engine.problem_sources import sealed_consensus  # sessions without a stage do not import it

    reasons = [f"no consensus: {missing} claims are not judged" for missing in suite.missing.values() if missing]
    if suite.missing.get(FORMALIZATION) == 0:
        agreed = sealed_consensus(suite.runs[FORMALIZATION].claims.stage).values()
        below = [f"{own.problem_id} ({own.confidence:.2f})" for own in agreed if own.confidence < minimum]
        if below:
            shown = ", ".join([*below[:10], *(["…"] if len(below) > 10 else [])])
            reasons.append(f"{len(below)} problems below --harness-min-confidence {minimum:g}: {shown}")
    return reasons


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> Generator[None]:
    """Show the stages and each finding on one line instead of in a section of pytest; findings count as failures of pytest."""
    suite, stats = config.stash[SESSION], terminalreporter.stats
    failed, loud = stats.get("failed", []), config.getoption("verbose") >= -1
    findings = sorted((report for report in failed if suites.is_finding(report)), key=lambda report: str(report.nodeid))
    if findings:
        stats["failed"] = [report for report in failed if not suites.is_finding(report)]
        if not stats["failed"]:
            del stats["failed"]
    try:
        result = yield
    finally:
        if findings and config.getoption("harness_gate") == "findings":
            stats["failed"] = failed
        elif findings:
            suites.count_findings(terminalreporter, findings)
    if loud:
        _write_stages(terminalreporter, suite)
    if findings:
        sealed = bool(suite.missing) and not any(suite.missing.values())
        brief = loud and FORMALIZATION in suite.pages and terminalreporter.verbosity <= 0
        suites.write_findings(terminalreporter, findings, sealed=sealed, listed=not brief)
    minimum = minimum_confidence(config) if suite.passed else None
    suites.write_gate(terminalreporter, suite.failures, minimum=minimum, findings=len(findings))
    return result


def _write_stages(terminal: pytest.TerminalReporter, suite: SuiteSession) -> None:
    """Show what each stage holds, or why it is not sealed."""
    from reports.stage_pages import summary  # sessions without a stage import no reports

    for name, missing in suite.missing.items():
        folder = suite.runs[name].inputs.run.folder
        if missing:
            left = f"not sealed, {missing} claims are not judged yet; continue with {run_option(folder)}"
            terminal.write_line(f"run {folder}: {left}")
        elif name not in suite.pages:
            terminal.write_line(f"run {folder}: sealed before, and left as it was")
        else:
            width = shutil.get_terminal_size().columns
            terminal.ensure_newline()
            terminal.write(
                summary(name, folder, width=width, colour=terminal.hasmarkup, verbose=terminal.verbosity > 0)
            )
            page = suite.pages[name]
            terminal.write_line(f"run {folder}: sealed" if page is None else f"report: {page}")
