"""A file that a command cannot use is named in one line, whatever the command, and nothing is written."""

import json
from pathlib import Path

import pytest

from oracle_factory.command import main
from tests.cases import cases, texts

MISSING, EMPTY, FOREIGN, FOLDER, OTHERS = (
    f"{name}.jsonl" for name in ("missing", "empty", "foreign", "folder", "others")
)
LONG = "x" * 300 + ".jsonl"
CONTENTS = {
    EMPTY: b"",
    FOREIGN: b'{"a": 1}\n{"b": 2}\n',
    OTHERS: b'1\n"a"\nnull\n[]\ntrue\n{"question": 7, "program": {}, "problem_id": []}\n{"question": "\xff\x00',
}
COMMANDS = (
    *texts("""run FILE annotation --out OUT | judge FILE annotation --out OUT | judge mini FILE --out OUT | audit FILE
verify FILE --engine symbolic | validate FILE --engine symbolic | recheck FILE
evaluate FILE --engines symbolic --out runs/some/verifier | train --train FILE --out OUT
formalize --corpus FILE --models annotation -o OUT | env FILE annotation --out OUT | smt filter FILE -o OUT
smt repair FILE -o OUT | smt validate FILE -o OUT | smt align FILE -o OUT | review import FILE | report FILE
compare FILE FILE | next FILE | datasets --run FILE --out OUT | review seal --run FILE"""),
)
UNJUDGED = (
    *texts("""recheck FILE | smt filter FILE -o OUT | smt validate FILE -o OUT | smt align FILE -o OUT
review import FILE | verify FILE --engine symbolic | validate FILE --engine symbolic"""),
)
OTHERWISE = {
    ("recheck FILE", EMPTY): 1,
    ("smt repair FILE -o OUT", EMPTY): 0,
    ("review import FILE", EMPTY): 0,
    **{(command, name): 1 for command in UNJUDGED for name in (FOREIGN, OTHERS)},
}
"""The status where it is not 2: no record is confirmed, nothing is to be repaired or imported, lines cannot be judged."""
SLOW = {("train --train FILE --out OUT", FOREIGN), ("train --train FILE --out OUT", OTHERS)}
"""What needs a model before a record is read."""


@pytest.mark.parametrize(
    "names",
    [(MISSING, OTHERS, LONG), pytest.param((EMPTY, FOREIGN, FOLDER), marks=pytest.mark.slow)],
    ids=["missing", "empty"],
)
@cases("command", COMMANDS)
@cases("place", range(3))
def test_a_file_that_cannot_be_used(
    command: str, names: tuple[str, ...], place: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that is missing, empty, a folder, of other columns or types, or of a name too long, gives status 2 and one line that names it."""
    name = names[place]
    if (command, name) in SLOW:
        return
    for file, content in CONTENTS.items():
        (tmp_path / file).write_bytes(content)
    (tmp_path / FOLDER).mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        status = main(command.replace("FILE", name).replace("OUT", "out").split())
    said = capsys.readouterr().err
    assert "Traceback" not in said
    if (command, name) in OTHERWISE:
        assert status == OTHERWISE[command, name]
        return
    assert (status, said.count("\n"), name in said) == (2, 1, True), said
    left = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert left <= {*CONTENTS, ".lock"}


WRITING = (
    *texts("""audit SOURCE -o OUT | verify SOURCE --engine symbolic -o OUT | validate SOURCE --engine symbolic -o OUT
formalize --corpus SOURCE --models annotation -o OUT | env SOURCE annotation --out OUT
judge SOURCE annotation --out OUT | run SOURCE annotation --out OUT | smt filter PROGRAMS -o OUT
smt repair PROGRAMS -o OUT | smt validate PROGRAMS -o OUT | smt align PROGRAMS -o OUT | docs formats -o OUT
docs python -o OUT | review export --out OUT"""),
)


@cases("command", WRITING)
def test_a_result_that_cannot_be_written(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where a file stands in the place of the folder of the result, one line names what the user named, and no temporary file."""
    (tmp_path / "file").write_text("")
    question = "A baker fills 6 trays with 12 rolls. How many rolls are there?"
    solution = "There are 6*12 = <<6*12=72>>72 rolls.\n#### 72"
    source = {"id": "rolls", "question": question, "answer": solution, "solution": solution}
    program = "(set-logic QF_LIA)\n(declare-const a Int)\n(assert (> a 3))\n(check-sat)\n"
    (tmp_path / "source.jsonl").write_text(json.dumps(source))
    (tmp_path / "programs.jsonl").write_text(json.dumps({"id": "r", "problem": "Who?", "program": program}))
    given = command.replace("SOURCE", "source.jsonl").replace("PROGRAMS", "programs.jsonl").replace("OUT", "file/x")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        status = main(given.split())
    said = capsys.readouterr().err
    assert (status, said.count("\n"), "file" in said) == (2, 1, True), said
    assert ".partial" not in said
    assert "Errno" not in said
