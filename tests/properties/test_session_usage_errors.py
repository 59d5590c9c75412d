"""Does misuse end a session with status 4 and one message, with workers and without?"""

from pathlib import Path

import pytest

from tests.properties.session_process import InputFiles, SessionOutcome, SessionTerminal

MISUSE = {
    "corpus": ("--harness-corpus=nowhere.jsonl", "corpus 'nowhere.jsonl': no such file"),
    "formalizations": ("--harness-formalizations=nowhere", "formalizations 'nowhere': no such file or folder"),
    "slice": ("--harness-slice=3/2", "--harness-slice '3/2': expected K/N"),
    "empty slice": ("--harness-slice=7/7", "no formalization speaks of the 0 selected problems"),
    "problem": ("--harness-problems=nobody", "--harness-problems 'nobody': no such problem id"),
    "weights": ("--harness-weights=0.7;0.3", "--harness-weights '0.7;0.3': expected numbers"),
    "one weight": ("--harness-weights=0.7", "--harness-weights '0.7': expected two numbers"),
    "nan": ("--harness-weights=nan,1", "--harness-weights 'nan,1': expected numbers"),
    "negative": ("--harness-weights=-1,1", "--harness-weights '-1,1': expected numbers"),
    "bonus": ("--harness-bonus=", "--harness-bonus '': expected numbers"),
    "minimum": ("--harness-min-confidence=nan", "expected a number such as 0.5, found 'nan'"),
    "item": ("properties/test_formalization.py::test_ut1[nobody]", "test_ut1"),
}


def _says_once(ended: SessionOutcome, message: str) -> tuple[int, int, bool]:
    """Return the status, how often the message stands there, and whether a traceback does."""
    traced = any(word in ended.output for word in ("Traceback", "INTERNALERROR", "raise ", "Error:"))
    return ended.status, ended.output.count(message), traced


@pytest.mark.parametrize("name", MISUSE)
def test_misuse_is_one_message(name: str, tiny: InputFiles, terminal: SessionTerminal) -> None:
    """A wrong option ends with status 4 and one message that shows its value; no traceback."""
    option, message = MISUSE[name]
    ended = terminal.run(tiny, target=option) if "::" in option else terminal.run(tiny, option)
    if name == "formalizations":
        assert (ended.status, message in ended.output) == (4, True)
        return
    assert _says_once(ended, message) == (4, 1, False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["corpus", "weights", "item"])
def test_misuse_is_one_message_with_workers(name: str, tiny: InputFiles, terminal: SessionTerminal) -> None:
    """The same holds where workers meet the mistake."""
    option, message = MISUSE[name]
    ended = terminal.run(
        tiny, *(() if "::" in option else (option,)), processes=2, target=option if "::" in option else "properties"
    )
    assert _says_once(ended, message) == (4, 1, False)


def test_empty_formalizations_are_misuse(tiny: InputFiles, terminal: SessionTerminal, tmp_path: Path) -> None:
    """A formalizations file without a record ends with status 4."""
    (tmp_path / "empty.jsonl").touch()
    ended = terminal.run(InputFiles(tiny.corpus, tmp_path / "empty.jsonl"))
    assert _says_once(ended, "no formalizations in") == (4, 1, False)


def test_other_corpus_without_formalizations_is_misuse(tiny: InputFiles, terminal: SessionTerminal) -> None:
    """Only the bundled corpus brings formalizations; any other says how to give them."""
    ended = terminal.run(None, f"--harness-corpus={tiny.corpus}")
    assert _says_once(ended, "say what formalizes it by --harness-formalizations PATH") == (4, 1, False)


@pytest.mark.parametrize("processes", [0, pytest.param(2, marks=pytest.mark.slow)])
def test_run_folder_of_other_inputs_is_refused(tiny: InputFiles, terminal: SessionTerminal, processes: int) -> None:
    """A named run is never continued on other inputs."""
    terminal.run(tiny, "--harness-run=mine", "-k", "test_ut1")
    ended = terminal.run(tiny, "--harness-run=mine", "--harness-problems=t-1", processes=processes)
    assert _says_once(ended, "the folder holds a run on other inputs, options or code") == (4, 1, False)
