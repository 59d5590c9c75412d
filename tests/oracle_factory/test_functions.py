"""The four functions for Python: their examples, their page, their notebook, and how little an import of them costs."""

import builtins
import contextlib
import doctest
import io
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, cast

import pytest

import oracle_factory
from harness.store import progress_line
from oracle_factory import HarnessError, audit, functions, judge, validate, validate_many, verify, verify_many
from oracle_factory.python_page import python_page
from tests.cases import cases

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "docs" / "python.ipynb"
HEAVY = {
    *("cvc5", "hypothesis", "networkx", "numpy", "pydantic", "pytest"),
    *("rich", "torch", "transformers", "typer", "z3"),
}
JARS = {"problem_id": "jars", "question": "A jar costs $2. How much are 4 jars?", "answer": "4*2=8\n#### 8"}
PROGRAM = "def solve(price: int = 2, jars: int = 4):\n    return price * jars"


@pytest.mark.parametrize("name", oracle_factory.__all__[1:])
def test_examples_of_a_docstring(name: str) -> None:
    """What the docstring of a function shows is what the function returns."""
    (example,) = doctest.DocTestFinder(recurse=False).find(getattr(functions, name), name, module=functions)
    outcome = doctest.DocTestRunner().run(example)
    assert outcome.attempted >= 2
    assert outcome.failed == 0


def test_the_page_is_generated() -> None:
    """`oracle-factory docs python -o docs/python.md` changes nothing."""
    assert (ROOT / "docs" / "python.md").read_text(encoding="utf-8") == python_page()


def test_the_notebook_prints_what_it_shows() -> None:
    """Each of the ten cells of the notebook runs, in order, and prints the output that is stored with it."""
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert len(cells) == 10
    namespace: dict[str, object] = {}
    for cell in (cell for cell in cells if cell["cell_type"] == "code"):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec("".join(cell["source"]), namespace)
        assert printed.getvalue() == "".join("".join(output["text"]) for output in cell["outputs"])


def test_an_import_is_light() -> None:
    """`import oracle_factory` imports neither a solver, nor a model, nor the command line."""
    done = subprocess.run(
        [sys.executable, "-c", "import oracle_factory, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    modules = set(done.stdout.split())
    assert "oracle_factory.functions" in modules
    assert not HEAVY & modules


def test_records_files_and_a_kept_run_give_the_same(tmp_path: Path) -> None:
    """Records and files are judged alike; a kept run can be read again, is not judged twice, and is what the report reads."""
    answers = [{"problem_id": "jars", "model": model, "response": PROGRAM} for model in "ab"]
    files = tmp_path / "problems.jsonl", tmp_path / "answers.jsonl"
    files[0].write_text(json.dumps(JARS) + "\n", encoding="utf-8")
    files[1].write_text("".join(f"{json.dumps(answer)}\n" for answer in answers), encoding="utf-8")
    from_records = judge([JARS], answers)
    kept = judge(str(files[0]), files[1], out=tmp_path / "run", processes=1)
    again = judge(files[0], [files[1]], out=tmp_path / "run", processes=1)
    assert from_records.folder is None
    assert kept == again
    assert kept.folder == tmp_path / "run"
    assert (tmp_path / "run" / "formalization" / "manifest.json").is_file()
    ours, theirs = from_records["jars"], kept["jars"]
    assert (ours.consensus, ours.verdicts, ours.look) == (theirs.consensus, theirs.verdicts, theirs.look)
    assert len(ours.verdicts) == 4
    assert [oracle.code for oracle in kept.oracles.values()] == [PROGRAM]


MISUSE: tuple[tuple[Callable[..., object], tuple[Any, ...], dict[str, str], str], ...] = (
    (judge, (["no mapping"], "annotation"), {}, r"problems\[0\]: expected a mapping, found 'no mapping'"),
    (judge, ([], "annotation"), {}, "problems: expected a file or at least one record"),
    (judge, ([JARS], [{"problem_id": "jars", "response": {1, 2}}]), {}, r"answers\[0\]: cannot be written as JSON"),
    (audit, ("nowhere.jsonl",), {}, r"nowhere\.jsonl"),
    (audit, ([],), {}, "found no record"),
    (verify, ("How many?", 3), {}, "expected text as solution, found a number"),
    (validate, ("How many?",), {"engine": "oracle"}, "engine: expected symbolic, zero-shot, found 'oracle'"),
    (validate, (None,), {}, "expected text as question, found null"),
)


@cases(("function", "given", "options", "message"), MISUSE)
def test_misuse_is_one_error(
    function: Callable[..., object], given: tuple[Any, ...], options: dict[str, str], message: str
) -> None:
    """An argument that cannot be used raises `HarnessError`, whose message names it."""
    with pytest.raises(HarnessError, match=message):
        function(*given, **options)


MISSING = [float("nan"), None]


def _frame(rows: list[dict[str, object]]) -> Any:
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(rows)


@pytest.mark.parametrize("form", ["list", "generator", "frame", "series"])
def test_records_in_any_collection_give_the_same(form: str) -> None:
    """Records in a list, a generator, a data frame and a series are audited alike, and a missing value is no text."""
    rows = [{"question": "How many?", "answer": "8*3=240\n#### 240"}, {"question": "Why?", "answer": MISSING[0]}]
    given: Any = {
        "list": lambda: rows,
        "generator": lambda: iter(rows),
        "frame": lambda: _frame(rows),
        "series": lambda: pytest.importorskip("pandas").Series(rows),
    }[form]()
    found = audit(given)
    assert (found.records, len(found.findings), len(found.unread)) == (2, 1, 1)
    assert repr(found) == "<DatasetAudit: 2 records, 1 findings, 1 not read whole>"


def test_frames_of_problems_and_answers_are_judged() -> None:
    """Data frames of problems, whose other answers are missing, and of programs are judged as lists are; the results are a table."""
    problems = _frame([{**JARS, "answer": MISSING[0], "tier": MISSING[0]}])
    judged = judge(problems, _frame([{"problem_id": "jars", "model": model, "response": PROGRAM} for model in "ab"]))
    (row,) = judged.to_pandas().to_dict("records")
    assert (row["problem_id"], row["answer"], row["clique"]) == ("jars", "8", "a, b")
    assert repr(judged).startswith("<JudgedRun: 1 problems, 1 oracles")
    assert repr(judged["jars"]).startswith("<JudgedProblem: jars, answer 8")


NO_RECORDS: list[Any] = [{"question": "q"}, 5, None, b"x", [1, 2], ["text"], {"a", "b"}]


@cases("given", NO_RECORDS)
def test_what_holds_no_records_is_refused(given: Any) -> None:
    """A single mapping, a number, bytes and collections of other things are refused, never read as no findings."""
    with pytest.raises(HarnessError, match=r"expected a (file or records|mapping)"):
        audit(given)
    with pytest.raises(HarnessError, match=r"expected a (file or records|mapping)"):
        judge(given, [{"problem_id": "jars", "model": "a", "response": PROGRAM}])


HOSTILE = "</td></table><script>alert('x')</script><img src=x onerror=alert(1)>&#60;b&#62;\u202e\x1b[31m\n" * 3


class Tags(HTMLParser):
    """The tags of a page, with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[object] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count a tag."""
        self.tags[tag] += 1
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        """Keep a text."""
        self.text += data


def _hostile_results() -> Iterator[Any]:
    name = "</td></table><script>x</script>"
    record = {"id": name, "problem_id": name, "question": f"{HOSTILE} How many are 6*12=73?"}
    yield audit([{**record, "answer": f"{HOSTILE} 8*3=240\n#### {HOSTILE}"}])
    yield verify_many([{**record, "solution": f"6*12=73{HOSTILE}\n#### 73"}, {**record, "solution": HOSTILE}])
    yield validate_many([record, {"question": f"Lena sells several {HOSTILE} for $2 each. How much does she get?"}])
    answers = [{**record, "model": f"{model}{name}", "response": f"{PROGRAM}  # {HOSTILE[:20]}"} for model in "ab"]
    yield judge([record], [*answers, {**record, "model": "c", "response": HOSTILE}])


def test_results_of_hostile_texts_are_short_and_escaped() -> None:
    """Whatever models write, the HTML of each result is one table of rows of its columns without attributes; its `repr` is a short line."""
    for result in _hostile_results():
        page, columns = Tags(result._repr_html_()), list(result.to_pandas().columns)
        assert page.attributes == []
        assert set(page.tags) == {"p", "table", "tr", "th", "td"}, type(result)
        assert (page.tags["th"], page.tags["td"]) == (len(columns), len(columns) * len(result.rows()))
        assert not {"\u202e", "\x1b"} & set(page.text)
        assert len(repr(result)) < 300
        assert "\n" not in repr(result)


class _Display:
    """The display of a notebook: the states of its lines, in order."""

    def __init__(self) -> None:
        self.states: list[str] = []

    def display(self, data: dict[str, str], **_: object) -> "_Display":
        self.update(data)
        return self

    def update(self, data: dict[str, str], **_: object) -> None:
        self.states.append(data["text/plain"])


class ZMQInteractiveShell:
    """What a cell of a notebook runs in."""


@pytest.mark.parametrize("place", ["terminal", "notebook", "pipe", "off"])
def test_progress_is_shown_where_a_person_sees_it(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal and a notebook show a bar, which is removed at the end; a pipe, and a call with `progress=False`, show nothing."""
    monkeypatch.setattr(progress_line, "SHORT", 0.0)
    monkeypatch.setattr(progress_line, "APART", 0.0)
    stream, display = io.StringIO(), _Display()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(stream, "isatty", lambda: place in {"terminal", "off"})
    if place == "notebook":
        monkeypatch.setitem(sys.modules, "IPython", cast("Any", display))
        monkeypatch.setitem(sys.modules, "IPython.display", cast("Any", display))
        monkeypatch.setattr(builtins, "get_ipython", ZMQInteractiveShell, raising=False)
    shown = place != "off"
    audit([{"question": "How many?", "answer": "8*3=240\n#### 240"}] * 3, progress=shown)
    verify_many([{"question": "How many?", "solution": "8*3=24\n#### 24"}] * 3, progress=shown)
    validate_many(PROBLEMS, progress=shown)
    answers = [{"problem_id": "jars", "model": model, "response": PROGRAM} for model in "ab"]
    judge([JARS], answers, processes=1, progress=shown)
    states = display.states if place == "notebook" else re.split("\r|\x1b.K", stream.getvalue())
    seen = [
        stage for stage in ("audit", "verify", "validate", "judge") if any(f"{stage}: 1 of " in own for own in states)
    ]
    assert seen == (["audit", "verify", "validate", "judge"] if place in {"terminal", "notebook"} else [])
    assert "".join(states[-1:]) == ""
    assert bool("".join(states)) is bool(seen)


PROBLEMS = [
    "Lena sells several jars for $2 each. How much does she get?",
    "Lena has 2 jars and buys 3. How many has she?",
]


@pytest.mark.parametrize("form", ["texts", "records", "frame", "series"])
def test_problems_in_any_collection_are_validated_alike(form: str) -> None:
    """Texts and records, in a list, a series and a data frame, are judged alike; a missing one is not judged, and the results are a table."""
    texts = [*PROBLEMS, MISSING[0]]
    given: Any = {
        "texts": lambda: texts,
        "records": lambda: [{"question": text} for text in texts],
        "frame": lambda: _frame([{"question": text} for text in texts]),
        "series": lambda: pytest.importorskip("pandas").Series(texts),
    }[form]()
    judged = validate_many(given)
    assert [own.problem_class and own.problem_class.name for own in judged] == ["UNDERSPECIFIED", "SOLVABLE", None]
    assert list(judged.to_pandas()["verdict"].dropna()) == ["underspecified", "solvable"]


@cases("given", [given for given in NO_RECORDS if given != ["text"] and not isinstance(given, set)])
def test_what_holds_no_problems_is_refused(given: Any) -> None:
    """What is neither a text nor a record is refused."""
    with pytest.raises(HarnessError, match=r"expected a (file or records|mapping)"):
        validate_many([given] if given in (5, b"x") else given)
