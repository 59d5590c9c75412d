"""The pytest plugin that runs a stage: options, findings, gates, and distribution of problems to workers."""

from __future__ import annotations

import argparse
import math
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.mark.expression import Expression  # pytest has no public way to ask what -m selects

from harness.command_line.termination import leave_at_sigterm
from harness.domain import Status, Verdict
from harness.errors import HarnessError, StorageError
from harness.session_findings import FINDING, count_findings, write_findings, write_gate, write_outcome, write_to_junit
from harness.text.characters import one_line

if TYPE_CHECKING:
    from collections.abc import Generator

    from xdist.scheduler import LoadScopeScheduling
    from xdist.workermanage import WorkerController

BUCKETS = 128
KEPT_REPORTS = 1_000


class Finding(AssertionError):
    """A refuted claim: the product's result, not a defect of the machinery."""


def require(verdict: Verdict) -> None:
    """Pass on CONFIRMED, xfail on UNKNOWN, fail as a finding on REFUTED."""
    if verdict.status is Status.CONFIRMED:
        return
    if verdict.status is Status.UNKNOWN:
        pytest.xfail(verdict_line(verdict))
    raise Finding(verdict_line(verdict))


def verdict_line(verdict: Verdict) -> str:
    """Return a verdict as one printable line of at most 300 characters."""
    return one_line(": ".join(filter(None, (verdict.status.name, verdict.method, verdict.reason))), limit=300)


def selected(metafunc: pytest.Metafunc) -> bool:
    """Tell whether -m may select the test, so that tens of thousands of unselected claims need no items."""
    marks = {mark.name for mark in metafunc.definition.iter_markers()}
    expression = metafunc.config.option.markexpr
    try:
        return not expression or Expression.compile(expression).evaluate(lambda name, /, **_: name in marks)
    except SyntaxError:  # pytest itself reports the error
        return False


def item_id(*parts: str) -> str:
    """Return an id for a test item: printable ASCII, at most 150 characters, problem first."""
    text = ":".join([parts[0], "~".join(parts[1:])])
    clean = "".join(character if "!" <= character <= "~" else f"\\u{ord(character):04x}" for character in text)
    return clean if len(clean) <= 150 else f"{clean[:130]}...{zlib.crc32(text.encode('utf-8', 'surrogatepass')):08x}"


def _finite(text: str) -> float:
    """Return a finite number; errors as argparse expects of a type."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        message = f"expected a number such as 0.5, found {text!r}"
        raise argparse.ArgumentTypeError(message)
    return number


def minimum_confidence(config: pytest.Config) -> float:
    """Return what --harness-gate=consensus asks of each problem."""
    given: float | None = config.getoption("harness_min_confidence")
    return 0.5 if given is None else given


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the `--harness-*` options."""
    group = parser.getgroup("harness", "oracle-factory")
    group.addoption(
        "--harness-corpus",
        default="mini",
        metavar="NAME|PATH",
        help="mini, gsm8k:train, gsm8k:test, or a GSM8K-style JSONL path (PREFIX=path names the problems PREFIX-N)",
    )
    group.addoption(
        "--harness-formalizations",
        action="append",
        default=[],
        metavar="PATH",
        help="JSONL {problem_id, model, response}, plain or .gz, or a folder PROBLEM_ID/MODEL.py; may be given again",
    )
    group.addoption(
        "--harness-labels",
        action="append",
        default=[],
        metavar="PATH",
        help="labelled solutions to audit, JSONL {problem_id, flawed_solution, label}, plain or .gz; may be given again; without --harness-formalizations, only they are judged",
    )
    group.addoption(
        "--harness-problems",
        metavar="0:70|ID,…",
        help="only these problems of the corpus: zero-based ranges and ids, comma-separated",
    )
    group.addoption(
        "--harness-exclude",
        metavar="FILE",
        help="problems that no stage may use: a JSON list of zero-based lines of the corpus or ids",
    )
    group.addoption("--harness-slice", metavar="K/N", help="only the K-th of N interleaved parts of the problems")
    group.addoption(
        "--harness-run",
        metavar="NAME",
        help="the run's folder, a name under --harness-runs or a path; an unfinished run of that name is continued",
    )
    group.addoption("--harness-runs", default="runs", metavar="DIR", help="where runs are kept (default: runs)")
    group.addoption("--harness-seed", type=int, default=0, help="seed of everything random (default: 0)")
    group.addoption(
        "--harness-oracle",
        choices=("parameters", "random"),
        default="parameters",
        help="which member of the clique becomes the oracle (default: the one with most parameters)",
    )
    group.addoption(
        "--harness-weights",
        default="0.7,0.3",
        metavar="ALIGNED,SIMILARITY",
        help="weights of the pairwise quality score (default: 0.7,0.3)",
    )
    group.addoption(
        "--harness-bonus",
        default="1.0,1.1,1.2,1.3",
        metavar="TWO,THREE,…",
        help="confidence bonus for cliques of 2, 3, 4, 5 and more",
    )
    group.addoption(
        "--harness-strict",
        choices=("yes", "no"),
        default="yes",
        help="whether every refuted pair separates two formalizations (default: yes); with no, only differences of logic and rounding do",
    )
    group.addoption(
        "--harness-gate",
        choices=("findings", "consensus", "none"),
        default="findings",
        help="what fails the session: every finding (default), a problem below --harness-min-confidence, or machinery errors only",
    )
    group.addoption(
        "--harness-min-confidence",
        type=_finite,
        metavar="X",
        help="the confidence that a problem needs: of --harness-gate=consensus (default: 0.5) and of the oracles that flaws and variants are made from (default: any)",
    )
    group.addoption(
        "--harness-report",
        choices=("html", "none"),
        default="html",
        help="whether to write runs/<run>/report/index.html (default: html)",
    )


class GateHooks:
    """The hooks stages implement."""

    @pytest.hookspec
    def pytest_harness_finish(self, session: pytest.Session) -> list[str] | None:
        """Seal the stages of this session; return why the session must fail although no item did, if it must."""

    @pytest.hookspec
    def pytest_harness_gate(self, config: pytest.Config, minimum: float) -> list[str] | None:
        """Return the problems whose confidence is below the minimum, as reasons to fail the session; `None` if there are none."""

    @pytest.hookspec
    def pytest_harness_outcome(self, config: pytest.Config) -> list[str] | None:
        """Return one summary for each stage of this session; pytest prints them just before its counts."""


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Register the hooks of stages."""
    pluginmanager.add_hookspecs(GateHooks)


def is_worker(config: pytest.Config) -> bool:
    """Tell whether this process is an xdist worker."""
    return hasattr(config, "workerinput")


class FailureTally:
    """The number of failures that are no findings, counted in the controlling process."""

    def __init__(self, config: pytest.Config) -> None:
        """Start at zero."""
        self.machinery = 0
        self.unwritable = False
        self.config = config

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count one report; discard the terminal's reports on set-up and tear-down, which only --durations reads."""
        if report.failed and not getattr(report, "harness_finding", False):
            self.machinery += 1
        self.unwritable |= getattr(report, "harness_storage", False)
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        unremarkable = [] if reporter is None else reporter.stats.get("", [])
        if len(unremarkable) > KEPT_REPORTS and not self.config.getoption("durations"):
            unremarkable.clear()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Count a collection error."""
        self.machinery += report.failed


TALLY = pytest.StashKey[FailureTally]()
SEALED_ALL = pytest.StashKey[bool]()
"""Whether each stage that the session filled is sealed, so that its files are there."""
CLAIMS = pytest.StashKey[set[Path]]()
"""The modules whose items are claims."""
TOGETHER = pytest.StashKey[set[str]]()
"""The modules, as in node ids, whose items about one problem go to one worker for all claims."""


def pytest_configure(config: pytest.Config) -> None:
    """Start the tally."""
    tally = FailureTally(config)
    config.stash[TALLY] = tally
    config.stash[CLAIMS] = set()
    config.stash[SEALED_ALL] = False
    if not is_worker(config):
        config.pluginmanager.register(tally, "harness-tally")
        leave_at_sigterm()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport | None:
    """Report claims briefly: a run may have hundreds of thousands of items, each with three reports.

    A finding, an open claim or the message of a fixture is one line, because a traceback takes 1 ms. Reports on passed items
    have no keywords, because nothing reads them.
    """
    error = None if call.excinfo is None else call.excinfo.value
    told = isinstance(error, HarnessError if call.when == "setup" else _TOLD_IN_A_LINE)
    if isinstance(error, StorageError):
        item.session.shouldfail = str(error)
    if isinstance(error, Finding):
        item.user_properties.append((FINDING, str(error)))
    passed = error is None and item.path in item.config.stash[CLAIMS]
    if not (passed or (told and call.when != "teardown")) or item._report_sections:  # noqa: SLF001  # captured output, which full reports carry
        return None
    return pytest.TestReport(
        nodeid=item.nodeid,
        location=item.location,
        keywords=_NO_KEYWORDS,
        outcome="passed" if passed else "failed",
        longrepr=None if passed else str(error),
        when="teardown" if call.when == "teardown" else "setup" if call.when == "setup" else "call",
        sections=(),
        duration=call.duration,
        start=call.start,
        stop=call.stop,
        user_properties=item.user_properties,
        **({"harness_finding": True} if isinstance(error, Finding) else {}),
        **({"harness_storage": True} if isinstance(error, StorageError) else {}),
    )


_NO_KEYWORDS: dict[str, Any] = {}
_TOLD_IN_A_LINE = (Finding, pytest.xfail.Exception, StorageError)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling | None:
    """Send the items of one problem to one worker, which then reads the problem once."""
    if config.getoption("dist") not in {"load", "no"}:
        return None
    from xdist.scheduler import LoadScopeScheduling  # xdist is an optional plugin

    class ByProblem(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
        """Keeps the items of one test function and one bucket of problems together, and all other items by module."""

        def _split_scope(self, nodeid: str) -> str:
            function, bracket, identifier = nodeid.partition("[")
            if not bracket or ":" not in identifier:
                return nodeid.partition("::")[0]
            problem = identifier.partition(":")[0]
            module = function.partition("::")[0]
            if module in config.stash.get(TOGETHER, ()):
                function = module
            return f"{function}#{zlib.crc32(problem.encode()) % BUCKETS}"

    return ByProblem(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: WorkerController, error: object) -> None:
    """Count a dead worker; end the session on a usage error of a worker, which xdist would ignore.

    Raises:
        pytest.UsageError: the worker raised one.
    """
    if error:
        node.config.stash[TALLY].machinery += 1
    message = getattr(node, "workeroutput", {}).get(USAGE_ERROR)
    if message is not None:
        raise pytest.UsageError(message)


USAGE_ERROR = "harness_usage_error"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None]:
    """Seal the stages, then let the gate decide the exit status, after all other plugins."""
    config = session.config
    if is_worker(config):
        error = sys.exception()
        if isinstance(error, pytest.UsageError):
            config.workeroutput[USAGE_ERROR] = "\n".join(map(str, error.args))  # type: ignore[attr-defined]  # xdist's
        return (yield)
    decided: int = session.exitstatus
    failures: list[str] = []
    tally = config.stash[TALLY]
    try:
        for reasons in config.hook.pytest_harness_finish(session=session):
            failures += reasons or []
    except StorageError as error:
        tally.unwritable = True
        failures.append(str(error))
    except HarnessError as error:
        failures.append(str(error))
    gate = config.getoption("harness_gate")
    if tally.unwritable:
        decided = pytest.ExitCode.USAGE_ERROR
    elif failures:
        decided = pytest.ExitCode.INTERNAL_ERROR
    elif decided == pytest.ExitCode.TESTS_FAILED and not tally.machinery and gate != "findings":
        decided = pytest.ExitCode.OK
    if gate == "consensus" and decided == pytest.ExitCode.OK:
        for reasons in config.hook.pytest_harness_gate(config=config, minimum=minimum_confidence(config)):
            failures += reasons or []
        if failures:
            decided = pytest.ExitCode.TESTS_FAILED
    write_to_junit(config, failures)
    config.stash[FAILURES] = failures
    config.stash[PASSED] = decided == pytest.ExitCode.OK
    before = session.exitstatus
    result = yield
    if decided != before:
        session.exitstatus = decided
    return result


FAILURES = pytest.StashKey[list[str]]()
PASSED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> Generator[None]:
    """Show each finding on one line instead of in a section of pytest; findings count as failures of pytest."""
    failed = terminalreporter.stats.get("failed", [])
    findings = sorted(
        (report for report in failed if getattr(report, "harness_finding", False)),
        key=lambda report: str(report.nodeid),
    )
    others = [report for report in failed if not getattr(report, "harness_finding", False)]
    if findings:
        terminalreporter.stats["failed"] = others
        if not others:
            del terminalreporter.stats["failed"]
    try:
        result = yield
    finally:
        if findings and config.getoption("harness_gate") == "findings":
            terminalreporter.stats["failed"] = failed
        elif findings:
            count_findings(terminalreporter, findings)
    if findings:
        write_findings(terminalreporter, config, findings, sealed=config.stash[SEALED_ALL])
    minimum = minimum_confidence(config) if config.stash.get(PASSED, False) else None
    write_gate(terminalreporter, config, config.stash.get(FAILURES, []), minimum=minimum)
    write_outcome(terminalreporter, config)
    return result
