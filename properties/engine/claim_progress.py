"""The progress of a session of pytest: claims done of all, findings so far, and the time left, in place of a letter for each claim."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from harness.store.stage_progress import StageProgress

if TYPE_CHECKING:
    from collections.abc import Callable, Generator


@dataclass(slots=True)
class ReporterStream:
    """The terminal of pytest as a stream; what is captured while a test runs is not written to it."""

    reporter: pytest.TerminalReporter

    def isatty(self) -> bool:
        """Tell whether a person reads it."""
        return bool(self.reporter.isatty) and self.reporter.hasmarkup

    def write(self, text: str) -> int:
        """Write a state of the line, or a whole line."""
        if not self.isatty():
            self.reporter.ensure_newline()
        self.reporter.write(text)
        return len(text)

    def flush(self) -> None:
        """Let the terminal show what was written."""
        self.reporter.flush()


@dataclass(eq=False, slots=True)
class ClaimProgress:
    """Counts the claims of a session as their reports arrive, in the process that controls it.

    It is a plugin of the session; `is_claim` tells of the path of a module, below the root, whether its items are claims.
    """

    reporter: pytest.TerminalReporter
    is_claim: Callable[[str], bool]
    findings: int = 0
    _ended: bool = False
    _progress: StageProgress = field(init=False)

    def __post_init__(self) -> None:
        self._progress = StageProgress("judging", ReporterStream(self.reporter), noun="claims")  # type: ignore[arg-type]  # what a progress asks of a stream

    def begin(self, total: int) -> None:
        """Hear how many claims the session judges."""
        self._progress.began(total)

    @pytest.hookimpl(wrapper=True)
    def pytest_report_teststatus(self, report: pytest.TestReport, config: pytest.Config) -> Generator[None, Any, Any]:
        """Show no letter for a claim while claims are judged, unless each is to have its line; the summary names them as ever."""
        status = yield
        if self._ended or config.getoption("verbose") > 0 or not self.is_claim(report.nodeid.partition("::")[0]):
            return status
        return status[0], "", ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the report on a claim; a claim whose set-up failed has no other."""
        ended = report.when == "call" or (report.when == "setup" and report.failed)
        if ended and self.is_claim(report.nodeid.partition("::")[0]):
            self.findings += getattr(report, "harness_finding", False)
            self._progress.advanced(1, findings=self.findings)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Generator[None]:
        """Remove the line."""
        self._ended = True
        self._progress.cleared()
        return (yield)
