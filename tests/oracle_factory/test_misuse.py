"""What a command cannot use is told in one line that names it, whatever the command: options, names and files that do not fit together."""

import gzip
import json
import os
from pathlib import Path

import pytest

from oracle_factory.command import main
from tests.cases import cases
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
RUN = "run mini annotation --out made"
ASK = "formalize --corpus mini --models local -o out"
MAKE = "smt generate --domain puzzles --count 1"
DATA = "datasets --run nowhere --out out"
VERIFY = "verify solved.jsonl"
JUDGE = "evaluate solved.jsonl --rounds 20 --out runs/some/verifier"
MISUSE = [
    ("run nowhere.jsonl annotation --out made", "corpus 'nowhere.jsonl': no such file"),
    ("run mini nowhere.jsonl --out made", "nowhere.jsonl"),
    ("run mini empty.jsonl --out made", "empty.jsonl"),
    ("run mini foreign.jsonl --out made", "none of the 1 formalizations can be judged"),
    ("run short.jsonl --out made", "no formalizations are named"),
    (
        "run others annotation --out made",
        "corpus 'others': a folder without files of records; give a file of JSON lines",
    ),
    (
        "run twice.jsonl annotation --out made",
        "the problem id 'p' occurs twice, in records 1 and 3; ids must be unique",
    ),
    (f"{RUN} --problems mini-999", "--problems 'mini-999': no such problem id"),
    (f"{RUN} --slice 3/2", "--slice '3/2': expected K/N"),
    (f"{RUN} --exclude nowhere.json", "--exclude 'nowhere.json': cannot be read as JSON"),
    (f"{RUN} --evaluation nowhere.jsonl", "nowhere.jsonl: cannot be read"),
    (f"{RUN} --address 127.0.0.1:6379", "--address 127.0.0.1:6379: needs --engine ray, found --engine"),
    (f"{RUN} --levels 1,9", "--levels: expected names of 1, 2, 3, 4, 5, max, validator"),
    (f"{RUN} --processes 0", "--processes"),
    (f"{RUN} --min-clique 0", "--min-clique"),
    (f"{RUN} --min-confidence inf", "--min-confidence: expected a number such as 0.5, found inf"),
    ("run mini annotation --out file", "--out file: is a file; expected a folder"),
    ("run mini annotation --out others", "--out others: holds files that are no part of a run, such as"),
    ("run mini annotation --out file/run", "file"),
    (f"{ASK} --problems mini-999", "--problems 'mini-999': no such problem id"),
    (f"{ASK} --models openai:x --concurrency anthropic=2", "'anthropic' is not among openai"),
    (f"{ASK} --concurrency 0", "--concurrency '0': expected a number from 1"),
    (f"{ASK} --temperature hot", "--temperature 'hot'"),
    (f"{ASK} --models openai:gpt-4.1-mini", "set OPENAI_API_KEY"),
    (f"{ASK} -o .", "is a folder"),
    (f"{ASK} --models nobody:x", "'nobody' is not known"),
    (f"{ASK} --models openai", "expected PROVIDER:MODEL, such as openai:gpt-4.1-mini"),
    (f"{ASK} --models local,local", "'local' is named twice"),
    (f"{ASK} --models openai:{'x' * 200}", "at most 200 characters"),
    (f"{ASK} --batch --models gemini:gemini-2.5-flash", "gemini takes no batches; those that do: anthropic, openai"),
    (f"{ASK} --models openai:gpt-4.1-mini --batch --offline", "--offline sends no request"),
    (f"{ASK} --wait", "--wait: expected with --batch"),
    ("formalize --questions runs/small/formalization/problems.jsonl -o x", "expected a question, found"),
    ("formalize --questions missing -o x", "missing: cannot be read (No such file or directory); make them: "),
    ("formalize --questions missing --models local -o x", "leave --models out"),
    ("formalize -o x", "expected --models"),
    ("next small --budget much", "expected dollars such as 5.00"),
    ("next small --models compatible:mine", "no price of compatible:mine is known"),
    ("next small --dialect prose", "--dialect: expected names of"),
    ("next small --corpus short.jsonl", "--corpus: expected the 2 problems of the run and others, found no"),
    ("smt generate --domain cooking -o out", "'cooking' is not known"),
    (MAKE, "-o: expected the folder"),
    (f"{MAKE} --dry-run", "give --models"),
    (f"{MAKE} -o file", "is a file"),
    ("smt run --run made --from format", "format: "),
    ("smt evaluate --run made", "no programs are generated yet"),
    ("smt filter foreign.jsonl -o empty.jsonl", "empty.jsonl"),
    (f"{JUDGE} --engines unheard", "'unheard' is not known to sft.verifier.engines"),
    (f"{JUDGE} --engines ../x", "expected a name of small letters"),
    (f"{JUDGE} --engines zero-shot-llm", "needs --model"),
    (JUDGE, "expected at least one"),
    (f"{DATA} --splits 1,2", "three shares"),
    (f"{DATA} --balance correct=-1", "shares of zero or more"),
    (f"{DATA} --balance correct=nan", "shares of zero or more"),
    (f"{DATA} --balance computational=1", "expected classes among correct"),
    (f"{DATA} --most-per-problem 0", "at least 1"),
    (f"{DATA} --min-confidence nan", "--min-confidence"),
    (f"{DATA} --min-confidence -1", "--min-confidence"),
    (f"{DATA} --min-clique 0", "--min-clique"),
    (f"{DATA} --min-p-right 1.5", "--min-p-right"),
    (f"{DATA} --levels 9", "expected names of"),
    (f"{VERIFY} --engine symbolic -o /nowhere/out.jsonl", "/nowhere/out.jsonl: cannot be written"),
    (f"{VERIFY} --engine text --endpoint http://127.0.0.1:1/v1", "does not go with --engine text"),
    (f"{VERIFY} --endpoint 127.0.0.1:1 --model m", "expected --endpoint URL"),
    (f"{VERIFY} --adapter /nowhere", "no adapter in /nowhere: expected adapter_config.json; train one: "),
    (f"{VERIFY} --level 9", "level '9', labels 'words': expected a level of 1, 2, 3, 4, 5, max"),
    (f"{VERIFY} --prior 2", "--prior '2': expected the share of flawed solutions"),
    ("verify broken.jsonl.gz --engine symbolic", "cannot be read to its end"),
    (f"{VERIFY} --oracles others", "holds no sealed run of judged programs"),
    (f"{VERIFY} --oracles r --formalizations foreign.jsonl", "--models, --reference, found --oracles and --form"),
    (f"{VERIFY} --models local --formalizations foreign.jsonl", "found --formalizations and --models"),
    (f"{VERIFY} --models local --engine text", "--models goes with --engine oracle, found --engine text"),
    (f"{VERIFY} --budget 1", "--budget and --prices go with --models alone"),
    (f"{VERIFY} --formalizations annotation", "Expected programs of models; worked solutions judge without it"),
    (f"{VERIFY} --corpus solved.jsonl", "goes with --formalizations and --models alone"),
    ("verify - --formalizations foreign.jsonl", "a pipe is read once"),
    ("train --preset=gpt-7", "smollm2-135m"),
    ("train --train=/nowhere.jsonl --epochs=0", "epochs"),
    ("train", "--train"),
    ("report nowhere", "nowhere: expected a run under runs/"),
    ("report small --problem p-10", "did you mean p-1"),
    ("report small --problem mini-061\x1b[31m", "expected the id of a problem"),
    ("report small --min-clique 3", "expected beside --flaw ID or --variant ID"),
    ("recheck broken.jsonl.gz", "broken.jsonl.gz"),
    ("recheck nowhere --jobs 0", "--jobs: expected a "),
    (f"recheck nowhere --jobs {'9' * 5_000}", "--jobs: expected a "),
]
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


@cases(("line", "words"), MISUSE)
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
