"""What a command cannot use is told in one line that names it, whatever the command: options, names and files that do not fit together."""

import gzip
import json
import os
from pathlib import Path

import pytest

from oracle_factory.command import main
from tests.cases import cases, lines_beside
from tests.reports.stage_records import formalization_records, seal_stage
from tests.sft.judged_files import RECORDS

FILES = {
    "file": "",
    "others/letter.txt": "",
    "empty.jsonl": "",
    "short.jsonl": '{"problem_id": "x", "question": "How many?"}\n',
    "twice.jsonl": "".join(f'{{"id": "{name}", "question": "?"}}\n' for name in "pqp"),
    "foreign.jsonl": '{"problem_id": "other-1", "model": "m", "response": "x"}\n',
    "solved.jsonl": json.dumps(RECORDS["human"]),
}
MISUSE = lines_beside(__file__, "misuse.jsonl")
"""A command line, and words of the line that it ends with."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with files that fit nothing, and a run."""
    made = tmp_path_factory.mktemp("misuse")
    for name, text in FILES.items():
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_text(text)
    (made / "broken.jsonl.gz").write_bytes(gzip.compress(b"{}\n" * 50)[:-10])
    seal_stage(made / "runs" / "small", "formalization", formalization_records())
    return made


@cases(("line", "words"), [*MISUSE, (f"recheck nowhere --jobs {'9' * 5_000}", "--jobs: expected a ")])
def test_what_cannot_be_used_is_told_in_one_line(
    line: str, words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The status is 2, the line names the command and what was expected, nothing in it acts, and no file is made."""
    before = {path for path in folder.rglob("*") if path.is_file()}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name in [name for name in os.environ if name.endswith("_API_KEY")]:
            patch.delenv(name)
        assert main(line.split(" ")) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"oracle-factory {line.partition(' ')[0]}")
    assert words in told
    assert ("Traceback" in told, "\x1b" in told, told.count("\n")) == (False, False, 1)
    left = {path.name for path in folder.rglob("*") if path.is_file() and path not in before}
    assert left <= {".lock", "answers.sqlite", "answers.sqlite.lock"}


PROBLEM = '{"question": "x", "class_label": 1, "sample_id": "a"}\n'
CLASSES, NO_QUESTION = "odd.jsonl:1: expected 'class_label' 0, 1 or 2", "odd.jsonl:1: no question in the fields"
ODD = {
    "evaluate-validator FILE --out run/validator": [
        ('{"question": "x", "class_label": 3}', CLASSES),
        ('{"question": "x", "class_label": true}', CLASSES),
        *((line, NO_QUESTION) for line in ('{"class_label": 1}', "[1]", "{")),
        (2 * PROBLEM, "is repeated"),
        ("", "no problem to judge"),
    ],
    "smt format --run made --problems FILE": [
        ("{broken\n", "odd.jsonl: odd-1: "),
        ('{"id": "a"}\n', "odd.jsonl: a: expected a text 'problem'"),
        ("[]\n", "odd.jsonl: odd-1: expected an object"),
        ("", "has no problem"),
    ],
}
"""A command on a file, and what the file holds with words of the line that it ends with."""


@cases(("command", "content", "words"), [(command, *odd) for command, listed in ODD.items() for odd in listed])
def test_a_line_that_is_no_record_is_told_with_its_number(
    command: str, content: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The status is 2, one short line names the file, the line and what was expected, and nothing is written."""
    path = tmp_path / "odd.jsonl"
    path.write_text(content, encoding="utf-8", errors="surrogateescape")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        assert main(command.replace("FILE", path.name).split()) == 2
    told = capsys.readouterr().err
    assert words in told
    assert ("Traceback" in told, "\x1b" in told, told.count("\n"), len(told) < 1_000) == (False, False, 1, True)
    assert {own.name for own in tmp_path.rglob("*") if own.is_file()} <= {path.name, ".lock"}
