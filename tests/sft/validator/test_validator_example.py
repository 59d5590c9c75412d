"""Test of the validator's example in the README: its command prints what the README shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from oracle_factory.command import main

if TYPE_CHECKING:
    import pytest

README = Path(__file__).resolve().parents[3] / "README.md"


def test_the_example_prints_what_the_readme_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The problems, the command and the answers under “Validate” belong together, byte for byte."""
    section = README.read_text(encoding="utf-8").partition("### Validate\n")[2].partition("\n### ")[0]
    problems, answers = re.findall(r"```json\n(.*?)```", section, re.DOTALL)
    (command,) = re.findall(r"^    oracle-factory (validate .*)$", section, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "problems.jsonl").write_text(problems, encoding="utf-8")
    assert main(command.split()) == 0
    assert capsys.readouterr().out == answers
