"""Laws that every terminal report keeps: foreign text is text, lines fit, and no broken stage is printed."""

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.console import Console

from reports.terminal.certified_record import UnknownRecordError
from reports.terminal.certified_stage import print_mutations, print_variants
from reports.terminal.flaw import print_flaw
from reports.terminal.formalization_stage import print_findings, print_summary
from reports.terminal.label_stage import print_labels
from reports.terminal.problem import UnknownProblemError, print_problem
from reports.terminal.template_stage import print_templates
from reports.terminal.trace import print_trace
from reports.terminal.variant import print_variant
from reports.terminal.verifier_stage import print_verifier
from reports.views.artefacts import NotSealedError, TamperedError
from tests.cases import cases
from tests.reports.hostile import ACTING, RUN_NAME, SHORT_FIRST, SHOWN, hostile_records, hostile_run
from tests.reports.judged import judged_run
from tests.reports.stage_records import HOSTILE_PROBLEMS, STAGE_RECORDS, seal_stage, some_records
from tests.reports.terminal.printing import printed

ROOT = Path(__file__).parents[3]
COMMANDS = ("oracle-factory report", "oracle-factory recheck", "ID of a problem: ")


@dataclass(frozen=True, slots=True)
class Printout:
    """A report of a stage, or of one of its items, which `item` finds among the records."""

    stage: str
    print: Callable[..., None]
    item: Callable[[dict[str, list[dict[str, str]]]], str] | None = None
    option: str = ""

    def write(self, run: Path, console: Console, *, text: str = "") -> None:
        """Seal the stage if the run lacks it, and print it; `text` is at the end of every text of the records."""
        if not (run / self.stage).exists():
            self.seal(run, text)
        if self.item is None:
            self.print(run, console)
        else:
            self.print(run, self.item(self.records(text)), console)

    def seal(self, run: Path, text: str = "") -> None:
        """Seal the stage."""
        if self.stage == "verifier":
            judged_run(run, label=text, count=6)
        elif text:
            hostile_run(run, self.stage, text)
        else:
            seal_stage(run, self.stage, self.records())

    def records(self, text: str = "") -> dict[str, list[dict[str, str]]]:
        """Return the records of the stage."""
        if self.stage == "verifier":
            return {}
        if text:
            return hostile_records(self.stage, text)
        return some_records(STAGE_RECORDS[self.stage](), HOSTILE_PROBLEMS[self.stage])


def problem_of(records: dict[str, list[dict[str, str]]]) -> str:
    """Return the id of the first problem."""
    return records["problems"][0]["problem_id"]


def until_hostile(text: str) -> str:
    """Return a text up to its hostile end: a beginning of an id is enough to name a record."""
    return text.partition("</script>")[0]


SUMMARIES = (
    Printout("formalization", print_summary),
    Printout("formalization", print_findings),
    Printout("template", print_templates),
    Printout("mutation", print_mutations),
    Printout("variant", print_variants),
    Printout("label", print_labels),
    Printout("verifier", print_verifier),
)
DETAILS = (
    Printout("formalization", print_problem, problem_of, "--problem"),
    Printout("template", print_trace, problem_of, "--trace"),
    Printout("mutation", print_flaw, lambda records: until_hostile(records["conceptual"][0]["flaw_id"]), "--flaw"),
    Printout(
        "variant", print_variant, lambda records: until_hostile(records["variants"][0]["variant_id"]), "--variant"
    ),
)


Sealed = Callable[[str, Printout, str], Path]


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Sealed:
    """Return the run of a name with the stage of a printout, sealed once for each text that its records end in."""
    folders: defaultdict[str, Path] = defaultdict(lambda: tmp_path_factory.mktemp("sealed"))

    def run(name: str, printout: Printout, text: str) -> Path:
        path = folders[text] / name
        if not (path / printout.stage).exists():
            printout.seal(path, text)
        return path

    return run


@pytest.mark.parametrize("text", SHORT_FIRST, ids=["short", "long"])
@cases("printout", (*SUMMARIES, *DETAILS))
def test_foreign_text_is_shown_and_not_acted_on(sealed: Sealed, printout: Printout, text: str) -> None:
    """Markup stays as written, and no control character of the data reaches the terminal."""
    run = sealed(RUN_NAME, printout, text)
    for color in (False, True):
        shown = printed(lambda console: printout.write(run, console, text=text), width=8_000, color=color)
        assert SHOWN[:50] in shown
        assert not (ACTING - {"\x1b"} if color else ACTING) & set(shown)
        assert "alert(1)>␛" not in shown, "markup was read as markup"


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", [pytest.param("", marks=pytest.mark.slow), *SHORT_FIRST], ids=["none", "short", "long"]
)
@cases("printout", (*SUMMARIES, *DETAILS))
def test_lines_fit_the_console(sealed: Sealed, printout: Printout, text: str) -> None:
    """No line is wider than the console, but commands to copy and lists of one line an item."""
    if printout.print is print_findings or (printout.stage == "verifier" and text):
        return  # every finding is one uncut line
    run = sealed("run", printout, text)
    for width in (80, 200) if printout.stage == "verifier" else (40, 60, 80, 200):  # engines' figures need 80 columns
        shown = printed(lambda console: printout.write(run, console, text=text), width=width)
        lines = [line.rstrip() for line in shown.splitlines() if not any(command in line for command in COMMANDS)]
        assert max(map(len, lines)) <= width


@cases("printout", (*SUMMARIES, *DETAILS))
def test_broken_stage_is_not_printed(tmp_path: Path, printout: Printout) -> None:
    """A stage that is missing, changed or not sealed is refused, with the command that makes it."""
    item = () if printout.item is None else (printout.item(printout.records()),)
    (tmp_path / "bare").mkdir()
    with pytest.raises(NotSealedError, match=f"no {printout.stage} stage; run it: "):
        printout.print(tmp_path / "bare", *item, Console(quiet=True))
    run = tmp_path / "run"
    printout.seal(run)
    path = next(path for path in sorted((run / printout.stage).glob("*.jsonl")) if path.stat().st_size)
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(TamperedError, match=rf"{path.name}: expected sha256"):
        printout.print(run, *item, Console(quiet=True))
    (run / printout.stage / "manifest.json").unlink()
    with pytest.raises(NotSealedError, match="no manifest"):
        printout.print(run, *item, Console(quiet=True))


@cases("printout", DETAILS)
def test_unknown_id_is_answered_with_the_closest(tmp_path: Path, printout: Printout) -> None:
    """A mistyped id is answered with the ids that were meant and the command that shows the first."""
    printout.seal(tmp_path)
    known = problem_of(printout.records())
    with pytest.raises(
        (UnknownProblemError, UnknownRecordError),
        match=rf"did you mean {known[:-2]}.*\? .*{printout.option} {known[:-2]}",
    ):
        printout.print(tmp_path, f"{known[:-1]}8", Console(quiet=True))
    with pytest.raises((UnknownProblemError, UnknownRecordError), match="oracle-factory report"):
        printout.print(tmp_path, "xyzzy", Console(quiet=True))


@cases(
    ("stage", "words"),
    [
        ("formalization", "no problems"),
        ("mutation", "0 flawed solutions of 0 of 0 problems"),
        ("variant", "0 variants of 0 of 0 problems"),
    ],
)
def test_empty_stage_has_a_summary(tmp_path: Path, stage: str, words: str) -> None:
    """A stage that made nothing says so."""
    seal_stage(tmp_path, stage, {})
    printout = next(printout for printout in SUMMARIES if printout.stage == stage)
    assert words in printed(lambda console: printout.print(tmp_path, console))


@cases("arguments", [["formalization"], ["mutation"], ["mutation", "--flaw", "mini-001"]])
def test_terminal_without_unicode_is_served(tmp_path: Path, arguments: list[str]) -> None:
    """On an ASCII terminal, characters that it lacks are shown as escapes."""
    stage, *options = arguments
    run = hostile_run(tmp_path / "run", stage)
    done = subprocess.run(
        [sys.executable, "-m", "oracle_factory", "report", str(run), *options],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr, done.stdout.isascii()) == (0, b"", True)
