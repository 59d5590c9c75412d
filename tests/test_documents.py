"""Tests of the documents and the project file: their statements, commands and outputs are correct."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

from oracle_factory.command import COMMANDS, GROUPS

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "CONTRIBUTING.md", *sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")))
"""The documents by path; `docs/changelog.md` and `docs/results.md` are links to files elsewhere."""
DOCUMENTS = {name: (ROOT / name).read_text(encoding="utf-8") for name in PAGES}
MANUAL = "\n".join(text for name, text in DOCUMENTS.items() if not (ROOT / name).is_symlink())
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def _tracked() -> list[Path]:
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split(
        "\n"
    )
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def test_every_option_in_the_documents_exists() -> None:
    """`pytest --help` declares each `--harness-*` option that the README and the manual name."""
    command = [sys.executable, "-m", "pytest", "--help"]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    named = set(re.findall(r"--harness-[a-z]+(?:-[a-z]+)*", MANUAL))
    assert named - set(re.findall(r"--harness-[a-z-]+", shown)) == set()


def test_every_command_in_the_documents_exists() -> None:
    """The commands `oracle-factory …` of the documents name sub-commands that exist, and options that these declare."""
    wrong = []
    for name in (*PAGES, "Makefile"):
        text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
        for line in re.findall(
            r"(?:(?:^    |^\$ |\| |`)oracle-factory|\$\(COMMAND\)) ([a-z][^`\n]*)", text, re.MULTILINE
        ):
            words = line.split("#")[0].split()
            entry = next(
                (
                    command
                    for command in reversed(COMMANDS)
                    if words[: command.words.count(" ") + 1] == command.words.split()
                ),
                None,
            )
            if entry is not None:
                declared = {
                    "--help",
                    *(
                        option
                        for parameter in entry.load().params
                        for option in (*parameter.opts, *parameter.secondary_opts)
                    ),
                }
                wrong += [
                    f"{name}: {line}: {word}"
                    for word in words
                    if re.match(r"--?[a-z]", word) and word.split("=")[0] not in declared
                ]
            elif words[0] not in GROUPS or words[1:] not in ([], ["--help"]):
                wrong.append(f"{name}: {line}")
    assert wrong == []


def test_every_make_target_in_the_documents_exists() -> None:
    """Make has each target that the documents name in code."""
    declared = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:`|^\$ )make ([a-z-]+)", MANUAL, re.MULTILINE))
    assert len(named) > 10
    assert named - declared == set()


def test_every_link_in_the_documents_leads_somewhere() -> None:
    """Relative links and pictures of the documents exist."""
    broken = []
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "corpora/mini/README.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        links = re.findall(r"\]\(([^)#]+)\)", text)
        broken += [link for link in links if "://" not in link and not (ROOT / name).parent.joinpath(link).exists()]
    assert broken == []


def test_every_dependency_has_a_reason() -> None:
    """Each requirement in pyproject.toml stands on a line of its own with a comment."""
    lines = re.findall(
        r'^    "([a-z0-9-]+)(?:[<>=!~][^"]*)?",(.*)$', PROJECT.partition("[build-system]")[0], re.MULTILINE
    )
    assert len(lines) > 10
    assert [name for name, rest in lines if not rest.strip().startswith("# ") or len(rest.strip()) < 10] == []


def test_every_dependency_is_pinned() -> None:
    """constraints.txt pins each requirement of the project and its extras to one version, torch to the CPU release."""
    project = tomllib.loads(PROJECT)["project"]
    wanted = [
        *project["dependencies"],
        *(name for extra in project["optional-dependencies"].values() for name in extra),
    ]
    names = {re.split(r"[<>=!~\[]", requirement)[0].lower() for requirement in wanted}
    pins = dict(
        re.findall(r"^([a-z0-9.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert names - pins.keys() == set()
    assert pins["torch"] == "2.13.0"


def test_every_silenced_check_has_a_reason() -> None:
    """A `noqa` or `type: ignore` names its rule and is followed by the reason."""
    silent = re.compile(
        r"#\s*(?:noqa(?!: [A-Z]+\d+(?:, [A-Z]+\d+)*\s+# \S)|type: ignore(?!\[[a-z-]+(?:,[a-z-]+)*\]\s+# \S))"
    )
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in _tracked()
        if path.suffix == ".py" and path != Path(__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if silent.search(line)
    ]
    assert found == []


def test_nothing_of_this_machine_is_in_the_repository() -> None:
    """No tracked text holds an absolute home or work path."""
    path = re.compile(r"(?<![\w.])/(?:home|root|work|Users)/[a-z]")
    texts = [
        file for file in _tracked() if file.suffix in {".py", ".md", ".toml", ".txt", ".yaml", ".js", ".jsonl", ""}
    ]
    assert [str(file) for file in texts if path.search(file.read_text(encoding="utf-8"))] == []


def test_every_path_in_the_texts_exists() -> None:
    """A path below a top-level folder that a document, a docstring or a comment names is there; files of runs and tasks of Inspect aside."""
    tracked = {str(path.relative_to(ROOT)) for path in _tracked()}
    known = tracked | {str(folder) for name in tracked for folder in Path(name).parents}
    rooms = "|".join(sorted({name.split("/")[0] for name in tracked if "/" in name and name[0] != "."}))
    named = re.compile(rf"(?<![\w./-])(?:{rooms})(?:/\w+)+(?:\.\w+)?/?(?![\w.*{{<-])")
    texts = {
        name: (ROOT / name).read_text(encoding="utf-8")
        for name in (*PAGES, *tracked)
        if name.endswith(".md") or (name.endswith((".py", ".toml")) and not name.startswith("tests/"))
    }
    missing = {
        (name, path)
        for name, text in texts.items()
        if Path(name).name not in {"CHANGELOG.md", "changelog.md", "RESULTS.md", "results.md"}
        for path in (found.rstrip("/") for found in named.findall(text))
        if not {path, f"{path}.py"} & known and not re.search(r"^oracle_factory/|/NAME\b|\.jsonl$", path)
    }
    assert missing == set()
