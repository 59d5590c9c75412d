"""The progress of a session of pytest: claims judged of all, findings so far, and the time left, in place of a letter for each claim."""

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest

from harness.store.stage_progress import StageProgress
from properties.session.claims import is_claim
from properties.session.outcome import is_finding


@dataclass(slots=True)
class ReporterStream:
    """The terminal of pytest as a stream; output that is captured while a test runs is not written to it."""

    reporter: pytest.TerminalReporter

    def isatty(self) -> bool:
        """Tell whether it is an interactive terminal."""
        return bool(self.reporter.isatty) and self.reporter.hasmarkup

    def write(self, text: str) -> None:
        """Write a state of the line, or a whole line."""
        if not self.isatty():
            self.reporter.ensure_newline()
        self.reporter.write(text)

    def flush(self) -> None:
        """Let the terminal show what was written."""
        self.reporter.flush()


@dataclass(eq=False, slots=True)
class ClaimProgress:
    """Counts the claims of a session as their reports arrive, in the process that controls it; it is a plugin of the session."""

    reporter: pytest.TerminalReporter
    _ended: bool = False
    _progress: StageProgress = field(init=False)

    def begin(self, items: Iterable[str]) -> None:
        """Take the ids of the session's items."""
        stream: Any = ReporterStream(self.reporter)
        self._progress = StageProgress("judging", stream, noun="claims")
        self._progress.began(sum(is_claim(self.reporter.config, item) for item in items))

    @pytest.hookimpl(wrapper=True)
    def pytest_report_teststatus(self, report: pytest.TestReport, config: pytest.Config) -> Generator[None, Any, Any]:
        """Print no letter for a claim while claims are judged, except in verbose mode; the summary names them as usual."""
        status = yield
        if self._ended or config.getoption("verbose") > 0 or not is_claim(config, report.nodeid):
            return status
        return status[0], "", ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the report on a claim; a claim whose set-up failed has no other."""
        ended = report.when == "call" or (report.when == "setup" and report.failed)
        if ended and is_claim(self.reporter.config, report.nodeid):
            self._progress.advanced(1, findings=is_finding(report))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Generator[None]:
        """Remove the line."""
        self._ended = True
        self._progress.cleared()
        return (yield)
