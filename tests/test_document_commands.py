"""The commands of the documents are executed, and print what the documents show.

Every `console` block of the README and of `docs/` is run, page by page, in an empty folder with the bundled corpus. A block
of another language with a `title` is a file of that folder. In the output a line `…` stands for any lines, and `…` within a
line for any characters. A block that follows `<!-- slow -->` is run by `make test-slow`, in a copy of the repository; with
`data: NAME …` it reads folders of the shared data. `<!-- not run: REASON -->` stands before what needs a key, a GPU or a person.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from oracle_factory.command import main

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(page for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")) if not page.is_symlink())
DATA = Path(os.environ.get("SHARED_DATA", ROOT.parent / "shared" / "data"))
BLOCK = re.compile(
    r'(?:^<!-- (?P<note>[^\n]*) -->\n)?^```(?P<language>\w+)?(?: title="(?P<title>[^"\n]+)")?\n(?P<text>.*?)^```$',
    re.MULTILINE | re.DOTALL,
)


class Command(NamedTuple):
    """A command of a page, the note before its block, and the output that the page shows of it."""

    line: str
    note: str
    shown: str


def blocks(page: Path) -> Iterator[re.Match[str]]:
    """Return the fenced blocks of a page."""
    return BLOCK.finditer(page.read_text(encoding="utf-8"))


def commands(page: Path) -> list[Command]:
    """Return the commands of a page, in order."""
    return [
        Command(part.partition("\n")[0], block["note"] or "", part.partition("\n")[2])
        for block in blocks(page)
        if block["language"] == "console"
        for part in re.split(r"^\$ ", block["text"], flags=re.MULTILINE)[1:]
    ]


def write_files(page: Path, folder: Path) -> None:
    """Write the files that a page shows into a folder."""
    for block in blocks(page):
        if block["title"]:
            (folder / block["title"]).write_text(block["text"], encoding="utf-8")


def agrees(printed: str, shown: str) -> bool:
    """Whether an output is the one shown, in which `…` stands for anything within a line, and alone for any lines."""
    lines = [
        r"(?:.*\n)*?" if line == "…" else ".*".join(re.escape(part.rstrip()) for part in line.split("…")) + r" *\n"
        for line in shown.rstrip("\n").split("\n")
    ]
    printed = "\n".join(line.rstrip() for line in printed.rstrip("\n").split("\n")) + "\n"
    return re.fullmatch("".join(lines), printed) is not None


def quick(command: Command) -> bool:
    """Whether a command is run by every test session."""
    return not command.note.startswith(("slow", "not run")) and not command.line.startswith("make ")


@pytest.mark.parametrize(
    ("printed", "shown", "expected"),
    [
        ("a\nb\nc\n", "a\n…\nc", True),
        ("a\nc\n", "a\n…\nc", True),
        ("took 3.1 s\n", "took … s", True),
        ("a\nb\n", "a", False),
        ("a.b\n", "axb", False),
        ("x\na b\n", "a b", False),
    ],
)
def test_an_ellipsis_stands_for_what_varies(printed: str, shown: str, *, expected: bool) -> None:
    """An ellipsis matches any text of a line, or any lines; everything else is compared to the character."""
    assert agrees(printed, shown) is expected


def test_commands_stand_in_console_blocks() -> None:
    """No command hides in an indented block or in a shell block, where it would not be executed."""
    wrong = []
    for page in PAGES:
        text = BLOCK.sub("", page.read_text(encoding="utf-8"))
        wrong += [
            f"{page.name}: {line}"
            for line in re.findall(r"^    (?:oracle-factory|make|pytest) .*$", text, re.MULTILINE)
        ]
        wrong += [f"{page.name}: {block['language']}" for block in blocks(page) if block["language"] in {"sh", "bash"}]
    assert wrong == []


def test_reasons_for_not_running_are_few() -> None:
    """A block that is not run says why; a page that runs nothing shows nothing that was printed."""
    notes = [(page.name, command) for page in PAGES for command in commands(page) if command.note]
    assert [
        entry for entry in notes if not re.match(r"slow(, data: [a-z0-9 ]+)?$|not run: \w+ \w+", entry[1].note)
    ] == []
    assert [entry for entry in notes if entry[1].note.startswith("not run") and entry[1].shown.strip()] == []


@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(map(quick, commands(page)))], ids=lambda page: page.stem
)
def test_commands_of_a_page(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The quick commands of a page end with status 0 and print what the page shows."""
    (tmp_path / "corpora").symlink_to(ROOT / "corpora")
    write_files(page, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    for command in filter(quick, commands(page)):
        words = shlex.split(command.line)
        if words[0] == "oracle-factory" and not set(words) & {"|", ">", ";", "||"}:
            status = main(words[1:])
            printed, errors = capfd.readouterr()
        else:
            done = subprocess.run(["bash", "-c", command.line], capture_output=True, text=True, check=False)
            status, printed, errors = done.returncode, done.stdout, done.stderr
        assert status == 0, f"{command.line}\n{errors}"
        if command.shown.strip():
            assert agrees(printed, command.shown), f"{command.line}\n{printed}"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a copy of the tracked files of the repository, with the environment of this process."""
    folder = tmp_path / "repository"
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines():
        if (ROOT / name).is_file() and not name.startswith(("tests/", "docs/")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    (folder / ".venv").mkdir()
    for entry in Path(sys.prefix).iterdir():
        if not entry.name.startswith("."):
            (folder / ".venv" / entry.name).symlink_to(entry)
    # Newer than the project file: `make` has nothing to install.
    for name in (".created", ".installed", ".installed-llm", ".installed-sft", ".installed-review", ".installed-dev"):
        (folder / ".venv" / name).touch()
    return folder


def is_run(command: Command) -> bool:
    """Whether a command is run at all: what installs is done already."""
    return not command.note.startswith("not run") and not command.line.startswith("make install")


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if any(is_run(command) and not quick(command) for command in commands(page))],
    ids=lambda page: page.stem,
)
def test_all_commands_of_a_page(page: Path, repository: Path) -> None:
    """All commands of a page, in order, end with status 0 and print what the page shows."""
    names = {name for command in commands(page) for name in command.note.partition("data: ")[2].split()}
    for name in sorted(names):
        if not (DATA / name).is_dir():
            pytest.skip(f"the page reads {name} of the shared data, which is not in {DATA}")
        (repository / name).symlink_to(DATA / name)
    write_files(page, repository)
    env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "COV"))} | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(repository),
        "COLUMNS": "200",
    }
    for command in filter(is_run, commands(page)):
        done = subprocess.run(
            ["bash", "-c", command.line], cwd=repository, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command.line}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        if command.shown.strip():
            assert agrees(done.stdout, command.shown), f"{command.line}\n{done.stdout}"
