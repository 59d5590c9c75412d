"""Tests of the documents and the project file: their statements, commands and outputs are correct."""

import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "CONTRIBUTING.md", *sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")))
"""The documents; `docs/changelog.md` and `docs/results.md` are links to files elsewhere."""
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def _tracked() -> list[Path]:
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split(
        "\n"
    )
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


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
