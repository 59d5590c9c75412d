"""`oracle-factory flaws`: a display on request that writes nothing."""

from pathlib import Path

import pytest

from oracle_factory.command import main
from tests.cases import cases


def test_the_flaws_of_a_problem_are_shown_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The list holds every flaw of the problem, each of which is shown in full by its id."""
    monkeypatch.chdir(tmp_path)
    assert main(["flaws", "mini-013"]) == 0
    ids = [word for word in capsys.readouterr().out.split() if word.startswith("mini-013:")]
    assert len(ids) > 20
    assert main(["flaws", ids[0]]) == 0
    shown = capsys.readouterr().out
    assert ids[0] in shown
    assert "explanation" in shown
    assert list(tmp_path.iterdir()) == []


@cases(
    ("name", "told"),
    [
        ("nobody", "'nobody': no such problem in --corpus mini; ids look like 'mini-001'"),
        ("mini-013:nothing", "no such flaw; list all by the id of the problem alone, 'mini-013'"),
    ],
)
def test_an_unknown_id_is_a_mistake(name: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The message names what is asked for and where the ids are."""
    assert main(["flaws", name]) == 2
    assert told in capsys.readouterr().err


def test_a_solution_that_cannot_be_compiled_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A broken annotation gives no flaw, and a line that says so."""
    corpus = tmp_path / "broken.jsonl"
    corpus.write_text('{"id": "a", "question": "2 and 2?", "answer": "It is 2 + <<+2=4>>4.\\n#### 4"}\n')
    assert main(["flaws", "a", "--corpus", str(corpus)]) == 1
    assert "no flawed solution was made" in capsys.readouterr().out
