"""Tests of the pytest plugin in a project of three tests: it separates findings from defects and reports both."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from harness.command_line.session_options import REPRODUCTION_DEFAULTS, reproduction_options

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]
CONFTEST = """
import pytest
from harness.domain import Status, Verdict
from harness.errors import HarnessError
from properties.suites import require

pytest_plugins = ["properties.plugin"]

@pytest.fixture
def verdict(request):
    status = Status[request.param]
    return Verdict("ut1", "p", "m", None, status, "method", reason=f"because\\n{status.name.lower()}")

@pytest.fixture
def broken():
    raise HarnessError("the machine does not answer")
"""
FINDINGS = """
import pytest
from properties.suites import require

@pytest.mark.parametrize("verdict", ["CONFIRMED", "UNKNOWN", "REFUTED"], indirect=True)
def test_claim(verdict):
    require(verdict)
"""
DEFECT = "\ndef test_defect():\n    assert 1 == 2\n"
GATES = ("findings", "consensus", "none")
BROKEN = "\ndef test_broken(broken):\n    pass\n"


@dataclass(frozen=True, slots=True)
class Ended:
    """What a session left."""

    status: int
    output: str


@dataclass(frozen=True, slots=True)
class Project:
    """A stranger's project that loads the plugin."""

    pytester: pytest.Pytester

    def run(self, tests: str, *options: str) -> Ended:
        """Run its tests, in this process but for those of workers."""
        self.pytester.makeconftest(CONFTEST)
        self.pytester.makeini("[pytest]")
        self.pytester.makepyfile(test_claims=tests)
        run = self.pytester.runpytest_subprocess if "-n2" in options else self.pytester.runpytest_inprocess
        ended = run(*options)
        return Ended(int(ended.ret), ended.stdout.str() + ended.stderr.str())


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Return a project in a folder of its own."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return Project(pytester)


def test_findings_are_told_in_a_line_each(project: Project) -> None:
    """CONFIRMED passes, UNKNOWN xfails with its reason, REFUTED fails on one line without a traceback, though its reason has two."""
    ended = project.run(FINDINGS, "-rx")
    lines = ended.output.splitlines()
    assert "1 failed, 1 passed, 1 xfailed" in lines[-1]
    assert [line for line in lines if "because refuted" in line] == [
        "test_claim[REFUTED] REFUTED: method: because refuted"
    ]
    assert "UNKNOWN: method: because unknown" in ended.output


@pytest.mark.parametrize("defect", [DEFECT, BROKEN, "\nraise ValueError\n"], ids=["test", "fixture", "module"])
def test_defect_fails_under_every_gate(defect: str, project: Project) -> None:
    """A failing test, a broken fixture or a module that cannot be imported is never forgiven; a test keeps its traceback, a fixture its message."""
    ended = [project.run(FINDINGS + defect, f"--harness-gate={gate}") for gate in GATES]
    assert all(session.status for session in ended)
    shown = {DEFECT: "assert 1 == 2", BROKEN: "the machine does not answer"}.get(defect, "ValueError")
    assert all(shown in session.output and "def broken" not in session.output for session in ended)


PRESENTATION = {"gate", "report"}
"""Options that decide nothing about an item."""


def test_reproduce_line_has_every_option_that_decides(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each registered option is named by the line where it is not at its default, but for those that only present findings."""
    registered = {
        option.dest.removeprefix("harness_"): option
        for option in pytestconfig._parser.getgroup("harness").options  # pytest has no other list of them
        if not option.dest.startswith("harness_sft_")  # of a stage without claims
    }
    assert registered.keys() - PRESENTATION == REPRODUCTION_DEFAULTS.keys()
    for name, default in REPRODUCTION_DEFAULTS.items():
        assert registered[name].default == default
        for other in REPRODUCTION_DEFAULTS:
            monkeypatch.setattr(pytestconfig.option, f"harness_{other}", REPRODUCTION_DEFAULTS[other])
        assert reproduction_options(pytestconfig) == []
        monkeypatch.setattr(pytestconfig.option, f"harness_{name}", ["a b", "c"] if default == [] else "other")
        (option,) = registered[name].names()
        expected = [f"{option}=a b", f"{option}=c"] if default == [] else [f"{option}=other"]
        assert reproduction_options(pytestconfig) == expected


@pytest.mark.slow
def test_tests_of_a_module_share_a_worker(project: Project) -> None:
    """With workers, a module's tests run in one process, so that its fixtures are made once."""
    lines = project.run("".join(f"def test_{number}(): pass\n" for number in range(8)), "-n2", "-v").output.splitlines()
    assert len({line.split("]")[0] for line in lines if "PASSED" in line}) == 1
