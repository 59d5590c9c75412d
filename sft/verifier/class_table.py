"""A class's answers to one problem, judged by its worked solution: a row a pupil."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.corpora.field_roles import FieldNames, Role, read_fields
from harness.corpora.labelled_solutions import LONGEST_TEXT
from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.records.constraint import table
from harness.solution.labels import FINAL_ANSWER, TypeNames
from harness.store.run_folder import dump
from harness.text.characters import one_line, spaced
from sft.diagnosis.oracle import oracle_of_solution
from sft.diagnosis.oracle_sources import question_key
from sft.samples.items import Item
from sft.samples.record_lines import PIPE, line_bytes, open_input, open_output
from sft.samples.solution_judgement import Judgement
from sft.samples.solution_text import read_item
from sft.verifier.engine_registry import judge, open_engine

PUPIL_FIELDS = ("pupil", "student", "name", "model")
"""The fields that name whose solution a record holds, the first one that is there; else its id, else its number."""
OPTION = "--reference"
LONGEST_NAME, LONGEST_CELL = 60, 200
WIDE = 150
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""


@dataclass(frozen=True, slots=True)
class PupilResult:
    """The judgement on a pupil's solution."""

    pupil: str
    item: Item
    judgement: Judgement

    def row(self, names: TypeNames) -> dict[str, str]:
        """Return the cells of the pupil's row: verdict, first wrong line, what it says, kind of error, and correction; errors have their `names`."""
        own = self.judgement
        verdict = "not judged" if own.error else "wrong" if own.flawed else "right"
        texts = dict(zip(self.item.places(), [*self.item.lines, self.item.answer or ""], strict=False))
        kind = own.error or (spaced(names.of(own.error_type)) if own.flawed and own.error_type else "")
        expected = str((own.diagnosis or {}).get("expected", "")) if own.flawed else ""
        cells = {
            "pupil": self.pupil,
            "verdict": verdict,
            "line": "answer" if own.line == FINAL_ANSWER else own.line,
            "says": "(empty)" if self.item.empty else texts.get(own.line, ""),
            "kind": kind,
            "correction": own.correction or expected,
        }
        return {name: one_line(text, limit=LONGEST_CELL) for name, text in cells.items()}


def verify_class(
    file: str,
    reference: Path,
    output: str | None,
    named: FieldNames,
    *,
    names: TypeNames = TypeNames.OWN,
    quiet: bool = False,
) -> int:
    """Judge the solutions of a file to one problem by its worked solution; return 1 if one cannot be judged, else 0.

    The table is printed, unless `output` is `-` for JSON lines; a file is written as CSV where it ends in `.csv`, else as JSON lines.
    Raises `HarnessError` where a file cannot be used, the worked solution has no answer, or the records are about several problems.
    """
    results = list(_pupil_results(file, reference, named))
    rows = [result.row(names) for result in results]
    if output is not None:
        records = ({"pupil": own.pupil, **names.renamed(own.judgement.record())} for own in results)
        # A text that a spreadsheet would run stands behind an apostrophe.
        cells = (
            {name: f"'{text}" if text.startswith(_FORMULA_SIGNS) else text for name, text in row.items()}
            for row in rows
        )
        as_csv = output.removesuffix(".gz").endswith(".csv")
        with open_output(output) as out:
            for line in table(cells, list(rows[0])) if as_csv else map(dump, records):
                out.write(line_bytes(line))
    if output != PIPE and not quiet:
        _print(rows)
    return int(any(result.judgement.error for result in results))


def _pupil_results(file: str, reference: Path, named: FieldNames) -> Iterator[PupilResult]:
    asked, worked = _read_reference(reference)
    pupils: list[tuple[str, str]] = []
    questions = {question_key(asked): f"{OPTION} {reference}"} if asked else {}
    with open_input(file, named) as given:
        for place, fields in enumerate(given.records(Role.SOLUTION), start=1):
            if isinstance(fields, str):
                raise HarnessError(f"{file}: record {place}: {fields}")
            if fields.question:
                questions.setdefault(question_key(fields.question), f"record {place}")
                asked = asked or fields.question
            own = next((str(fields.given[name]) for name in PUPIL_FIELDS if fields.given.get(name)), "")
            pupils.append((one_line(own or fields.identifier or f"{place}", limit=LONGEST_NAME), fields.solution))
    if not pupils:
        raise HarnessError(f"{file}: the file is empty; expected records with a pupil and a solution")
    if len(questions) > 1:
        first, second = list(questions.values())[:2]
        message = f"{file}: {OPTION} is of one problem, and the questions of {first} and {second} differ; give a file for each problem"
        raise HarnessError(message)
    if not asked:
        message = f'{file}: no record has a question; give it there, or give {OPTION} as a file {{"question": …, "solution": …}}'
        raise HarnessError(message)
    if oracle_of_solution(asked, worked) is None:
        raise HarnessError(f"{OPTION} {reference}: no answer of the worked solution is read; end it with a line #### 5")
    items = [replace(read_item(asked, solution), reference=worked) for _, solution in pupils]
    for (name, _), item, judgement in zip(pupils, items, judge(open_engine("oracle"), items), strict=True):
        yield PupilResult(name, item, judgement)


def _read_reference(path: Path) -> tuple[str, str]:
    """Return the question, empty where it is not there, and the worked solution of a file: a text, or one record."""
    try:
        text = path.read_bytes()[: 4 * LONGEST_TEXT].decode("utf-8-sig", errors="replace")
    except OSError as error:
        message = f"{OPTION} {path}: cannot be read ({error.strerror}); give a file with the worked solution"
        raise HarnessError(message) from None
    if path.suffix == ".txt" or not text.lstrip().startswith(("{", "[")):
        return "", text[:LONGEST_TEXT]
    records = [record for _, record in read_records(path)]
    fields = read_fields(records[0]) if len(records) == 1 and isinstance(records[0], dict) else None
    if fields is None:
        message = f"{OPTION} {path}: expected a text, or one record with a solution, found {len(records):,} records"
        raise HarnessError(message)
    worked = fields.reference or fields.solution
    if not worked:
        raise HarnessError(f"{OPTION} {path}: {fields.missing(Role.SOLUTION)}")
    return fields.question, worked[:LONGEST_TEXT]


def _print(rows: Sequence[dict[str, str]]) -> None:
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for name in rows[0]:
        shown.add_column(name, overflow="fold")
    for row in rows:
        shown.add_row(*map(Text, row.values()))
    counts = Counter(row["verdict"] for row in rows)
    errors = Counter((row["line"], row["kind"]) for row in rows if row["verdict"] == "wrong" and row["line"])
    told = ", ".join(f"{count:,} {name}" for name, count in counts.most_common())
    common = [f"{count:,} in {line}{f', {kind}' if kind else ''}" for (line, kind), count in errors.most_common(3)]
    console = Console(highlight=False)
    console = console if console.is_terminal else Console(highlight=False, width=WIDE)
    console.print(shown)
    console.print(Text(f"{told}{'; errors: ' + '; '.join(common) if common else ''}"), soft_wrap=True)
