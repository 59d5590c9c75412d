"""Tests of usage errors: a session ends with status 4 and one message, with and without workers."""

import gzip
import shutil
from pathlib import Path

import pytest

from tests.properties.session_process import InputFiles, SessionOutcome, SessionTerminal

MISUSE = {
    "corpus": ("--harness-corpus=nowhere.jsonl", "corpus 'nowhere.jsonl': no such file"),
    "slice": ("--harness-slice=3/2", "--harness-slice '3/2': expected K/N"),
    "empty slice": ("--harness-slice=7/7", "no formalization is about one of the 0 selected problems"),
    "problem": ("--harness-problems=nobody", "--harness-problems 'nobody': no such problem id"),
    "weights": ("--harness-weights=0.7;0.3", "--harness-weights '0.7;0.3': expected numbers"),
    "one weight": ("--harness-weights=0.7", "--harness-weights '0.7': expected two numbers"),
    "nan": ("--harness-weights=nan,1", "--harness-weights 'nan,1': expected numbers"),
    "negative": ("--harness-weights=-1,1", "--harness-weights '-1,1': expected numbers"),
    "bonus": ("--harness-bonus=", "--harness-bonus '': expected numbers"),
    "minimum": ("--harness-min-confidence=nan", "expected a number such as 0.5, found 'nan'"),
    "item": ("properties/test_formalization.py::test_ut1[nobody]", "test_ut1"),
}

OTHER_INPUTS = ("--harness-run=mine", "--harness-problems=t-1")


def _targets(option: str) -> tuple[str, ...]:
    """Return an option with the suite, or the item that it is."""
    return (option,) if "::" in option else (option, "properties")


def _says_once(ended: SessionOutcome, message: str) -> tuple[int, int, bool]:
    """Return the status, how often the message stands there, and whether a traceback does."""
    traced = any(word in ended.output for word in ("Traceback", "INTERNALERROR", "raise ", "Error:"))
    return ended.status, ended.output.count(message), traced


def test_misuse_is_one_message(
    tiny: InputFiles, terminal: SessionTerminal, judged: SessionOutcome, tmp_path: Path
) -> None:
    """A wrong option, a file that is absent, empty or cut off, or a run on other inputs ends with status 4 and one message; no traceback."""
    empty, cut, absent = tmp_path / "empty.jsonl", tmp_path / "cut.jsonl.gz", tmp_path / "none.jsonl"
    empty.touch()
    cut.write_bytes(gzip.compress(tiny.formalizations.read_bytes())[:-20])
    sessions = {name: (*tiny.options, *_targets(option)) for name, (option, _) in MISUSE.items()}
    messages = {name: message for name, (_, message) in MISUSE.items()}
    for name, options, message in (
        ("empty file", InputFiles(tiny.corpus, empty).options, "no formalizations in"),
        ("cut file", InputFiles(tiny.corpus, cut).options, "cannot be read"),
        (
            "nothing given",
            tiny.options[:1],
            "no formalizations are named; name a file by --harness-formalizations PATH",
        ),
        ("absent problems", (f"--harness-smt-problems={absent}", "-m", "smt"), "none.jsonl': no such file"),
        ("no template", (*tiny.options, "-m", "template"), "--harness-formalizations annotation"),
        ("other inputs", (*tiny.options, *OTHER_INPUTS), "the folder holds a run on other inputs, options or code"),
    ):
        sessions[name], messages[name] = (*options, "properties"), message
    shutil.copytree(judged.run, terminal.folder / "other inputs" / "runs" / "mine")
    # The other session is given two sets of formalizations, and says of each what is wrong.
    sessions["absent"] = (*tiny.options, "--harness-formalizations=nowhere", "properties")
    files = {"corpus": "nope.jsonl", "labels": "none.jsonl", "exclude": "nix.json", "smt-problems": "nil.csv"}
    sessions["all absent"] = (*(f"--harness-{option}={name}" for option, name in files.items()), "properties")
    ended = terminal.run_in_turn(sessions)
    (line,) = filter(None, ended.pop("all absent").output.splitlines())
    assert [name for name in files.values() if name not in line] == []
    absent_session = ended.pop("absent")
    assert {name: _says_once(outcome, messages[name]) for name, outcome in ended.items()} == dict.fromkeys(
        ended, (4, 1, False)
    )
    assert absent_session.status == 4
    assert "formalizations 'nowhere': no such file" in absent_session.output


@pytest.mark.slow
@pytest.mark.parametrize("name", ["corpus", "weights", "item", "other inputs"])
def test_misuse_is_one_message_with_workers(
    name: str, tiny: InputFiles, terminal: SessionTerminal, judged: SessionOutcome
) -> None:
    """The same holds where workers meet the mistake."""
    shutil.copytree(judged.run, terminal.folder / "runs" / "mine")
    option, message = MISUSE.get(name, ("", "the folder holds a run on other inputs, options or code"))
    targets = _targets(option) if option else (*OTHER_INPUTS, "properties")
    ended = terminal.execute(terminal.command(*tiny.options, *targets, processes=2))
    assert _says_once(ended, message) == (4, 1, False)
