"""Rows of CSV and JSONL files of constraint problems, unreadable rows included, and the files that say which are valid, and what states each clause."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.json_form import json_form, read_record
from harness.records.constraint import COLUMNS, ConstraintProblem, table, write_files
from harness.smtlib.s_expressions import write_node
from harness.smtlib.script import read_script
from harness.store.progress_line import StageProgress
from harness.store.run_folder import Shard, dump, fingerprint, whole_records
from harness.text.characters import kind_of
from oracles.constraints.clause_alignment import align_clauses
from oracles.constraints.program import CHECKS, ConstraintProgram, UnreadableProgramError, first_fault
from oracles.constraints.solver_processes import SolverLimits
from oracles.constraints.validation import Validation, ValidationCase, validate_all

LONGEST_REASONING = 1_000
PROGRAM = "program"
FOREIGN = "foreign"
"""The source and the domain of a problem that names none."""
SHORTEST, LONGEST = 30, 20_000
"""Characters of a program: fewer declare and assert nothing, more are no program of a problem."""
ALIGNMENT = "alignment.jsonl"
Files = dict[str, "Iterable[Any]"]
"""The records or lines of each file, by its name."""
_KEPT_TEXT = 2_000


@dataclass(frozen=True, slots=True)
class ConstraintRow:
    """A row; `unreadable` is the reason if the row has no record."""

    id: str
    record: Mapping[str, Any] = field(default_factory=dict)
    unreadable: str = ""

    def text(self, name: str) -> str | None:
        """Return a field that is a text and not empty."""
        value = self.record.get(name)
        return value if isinstance(value, str) and value else None

    def truth(self, name: str) -> bool | None:
        """Return a field that is a truth value, or the word for one."""
        return {"true": True, "false": False}.get(str(self.record.get(name)).lower())

    @property
    def case(self) -> ValidationCase:
        """Return the program to validate, with what the row says of its answer."""
        return ValidationCase(self.id, self.text(PROGRAM) or "", self.text("gold"), self.truth("satisfiable"))

    @property
    def problem(self) -> ConstraintProblem:
        """Return the row as a problem; a field that is neither a text nor a truth value counts as missing."""
        steps, seed, stated = (self.record.get(name) for name in ("reasoning", "seed", "stated"))
        # In a table, the steps are lines of one cell.
        steps = steps.splitlines() if isinstance(steps, str) else steps if isinstance(steps, list) else []
        return ConstraintProblem(
            id=self.id,
            domain=self.text("domain") or FOREIGN,
            problem=self.text("problem") or "",
            reasoning=tuple(map(str, steps[:LONGEST_REASONING])),
            program=self.text(PROGRAM) or "",
            gold=self.text("gold"),
            satisfiable=self.truth("satisfiable"),
            unique=self.truth("unique"),
            source=self.text("source") or FOREIGN,
            seed=seed if isinstance(seed, int) else None,
            stated=tuple(map(str, stated)) if isinstance(stated, list) else (),
        )

    def cells(self) -> dict[str, str]:
        """Return the row as the three columns of a table."""
        problem = self.problem
        return dict(zip(COLUMNS, (problem.problem, "\n".join(problem.reasoning), problem.program), strict=True))


def read_rows(paths: Iterable[Path], field: str = PROGRAM) -> Iterator[ConstraintRow]:
    """Yield the rows of `.csv` files and of JSON lines, plain or `.gz`, in order; `field` names what holds the program.

    The id of a row without one is the name of its file with its number; a repeated id gets the number too.

    Raises:
        HarnessError: a file cannot be read, or a table has no column of that name.
    """
    seen: set[str] = set()
    for path in paths:
        table = path.suffix == ".csv"
        name = field.lower() if table else field
        for number, record in _table(path, name) if table else read_records(path):
            row = ConstraintRow(f"{path.name.partition('.')[0]}-{number}")
            if isinstance(record, dict):
                own = record.get("id")
                # Another field that holds the program takes the place of one of that name.
                record = record if name == PROGRAM else {**record, PROGRAM: record.get(name)}
                row = ConstraintRow(own if isinstance(own, str) and own else row.id, record)
            else:
                unreadable = record if isinstance(record, Exception) else f"expected an object, found {kind_of(record)}"
                row = replace(row, unreadable=str(unreadable)[:200])
            if row.id in seen:
                row = replace(row, id=f"{row.id}#{number}")
            seen.add(row.id)
            yield row


def _table(path: Path, field: str) -> Iterator[tuple[int, Any]]:
    for number, record in read_records(path):
        cells = {name.lower(): cell for name, cell in record.items()} if isinstance(record, dict) else record
        if isinstance(cells, dict) and field not in cells:
            names = ", ".join(COLUMNS) if field == PROGRAM else field
            found = ", ".join(cells)[:80] or "nothing"
            raise HarnessError(
                f"{path}: expected a table with the columns {names}, found {found}; --field names the program's"
            )
        yield number, cells


def read_constraint_problems(paths: Iterable[Path]) -> list[ConstraintProblem]:
    """Return the problems of JSONL, plain or `.gz`, and CSV with `problem`, `reasoning`, `program`, which may be empty.

    A file without any is a `HarnessError`.
    """
    paths = list(paths)
    found = [row.problem for row in read_rows(paths)]
    if not found:
        raise HarnessError(f"no row in {', '.join(map(str, paths))}: expected JSONL or CSV with problem and program")
    return found


@dataclass(frozen=True, slots=True)
class FilteredRow:
    """A row with the kind of its fault, `None` without one, the place in the program if known, and a message."""

    row: ConstraintRow
    reason: str | None = None
    line: int | None = None
    column: int | None = None
    message: str = ""

    def record(self) -> dict[str, Any]:
        """Return the row with its fault."""
        record = {**self.row.record, "id": self.row.id}
        if self.reason is None:
            return record
        return {**record, "reason": self.reason, "line": self.line, "column": self.column, "message": self.message}


def structural_check(row: ConstraintRow) -> FilteredRow:
    """Judge a row without a solver: its program has a usable length, a declaration, an assertion, and no fault."""
    program = row.text(PROGRAM) or ""
    length = len(program.strip())
    for reason, found, message in (
        ("unreadable-row", row.unreadable, row.unreadable),
        ("no-program", not program, "expected a text 'program'"),
        ("no-problem", row.text("problem") is None, "expected a text 'problem'"),
        ("too-long", len(program) > LONGEST, f"{len(program):,} characters; expected at most {LONGEST:,}"),
        ("too-short", length < SHORTEST, f"{length} characters; expected at least {SHORTEST}"),
    ):
        if found:
            return FilteredRow(row, reason, message=message)
    try:
        read = ConstraintProgram.for_solvers(program)
    except UnreadableProgramError as error:
        fault = error.fault
        return FilteredRow(row, str(fault.kind), fault.at.line, fault.at.column, fault.message)
    if not read.script.declarations and read.fault is None:
        return FilteredRow(row, "no-declaration", message="expected a declaration such as (declare-const x Int)")
    return FilteredRow(row)


def filtered_rows(
    rows: Iterable[ConstraintRow], *, limits: SolverLimits | None = None, workers: int = 0
) -> Iterator[FilteredRow]:
    """Yield a verdict for each row, in order: structural first, then z3 and cvc5, which must read it and agree."""
    checked = list(map(structural_check, rows))
    cases = (ValidationCase(found.row.id, found.row.text(PROGRAM) or "") for found in checked if found.reason is None)
    with closing(validate_all(cases, limits=limits, workers=workers)) as validations:
        for found in checked:
            yield _filtered_row(found.row, next(validations)) if found.reason is None else found


def _filtered_row(row: ConstraintRow, validation: Validation) -> FilteredRow:
    """Return what the solvers make of a row; one without a check gets it."""
    script = ConstraintProgram.for_solvers(row.text(PROGRAM) or "").script
    if validation.valid:
        if all(command.head not in CHECKS for command in script.commands):
            row = replace(row, record={**row.record, PROGRAM: f"{script.text.rstrip()}\n(check-sat)\n"})
        return FilteredRow(row)
    fault = first_fault(script)
    kind, _, message = validation.error.partition(": ")
    if fault is not None and kind == fault.kind:
        return FilteredRow(row, str(fault.kind), fault.at.line, fault.at.column, fault.message)
    return FilteredRow(row, kind, message=message[:_KEPT_TEXT])


def filter_files(verdicts: Sequence[FilteredRow]) -> tuple[Files, Counter[str]]:
    """Return `valid` and `broken` as CSV and JSON lines, each row in one of the two, and the reasons of the broken ones."""
    files: Files = {}
    for name, more in (("valid", ()), ("broken", ("reason", "line", "column"))):
        chosen = [verdict for verdict in verdicts if (verdict.reason is None) == (name == "valid")]
        cells = [{**verdict.record(), **verdict.row.cells()} for verdict in chosen]
        files |= {f"{name}.jsonl": [verdict.record() for verdict in chosen]}
        files |= {f"{name}.csv": table(cells, (*COLUMNS, *more))}
    return files, Counter(str(verdict.reason) for verdict in verdicts if verdict.reason is not None)


def filter_rows(
    rows: Iterable[ConstraintRow], folder: Path, *, limits: SolverLimits | None = None, workers: int = 0
) -> dict[str, int]:
    """Write the files of `filter_files`; return the numbers of all rows, of valid ones, and of broken ones by reason."""
    verdicts = list(filtered_rows(rows, limits=limits, workers=workers))
    files, reasons = filter_files(verdicts)
    write_files(folder, files)
    return {"rows": len(verdicts), "valid": len(verdicts) - reasons.total(), **dict(reasons.most_common())}


def validation_files(validations: Sequence[Validation]) -> Files:
    """Return `validation_results.csv` (`id,valid,error`) and `validation.jsonl`, a record for each program."""
    records = list(map(json_form, validations))
    return {"validation_results.csv": table(records, ("id", "valid", "error")), "validation.jsonl": records}


def validate_rows(
    rows: Iterable[ConstraintRow],
    folder: Path,
    *,
    limits: SolverLimits,
    workers: int = 0,
    progress: StageProgress | None = None,
) -> dict[str, int]:
    """Write the files of `validation_files`, in the order of the rows.

    Each result is written at once to a file beside them. After an interruption, a call with the same rows and limits
    continues from there.

    Returns:
        How many programs there were, of how many what was found, and the kinds of errors.
    """
    cases = [row.case for row in rows]
    folder.mkdir(parents=True, exist_ok=True)
    mark = fingerprint([dump(asdict(limits)), *(dump(asdict(case)) for case in cases)])
    partial = folder / f".validation-{mark}.partial.jsonl"
    validations: dict[int, Validation] = {
        record["place"]: read_record(Validation, record["validation"])
        for record in (whole_records(partial) if partial.is_file() else ())
    }
    kept, missing = len(validations), [place for place in range(len(cases)) if place not in validations]
    found = validate_all((cases[place] for place in missing), limits=limits, workers=workers)
    with closing(Shard(partial)) as shard, closing(found) as results:
        each = progress.over(results, len(missing)) if progress else results
        for place, validation in zip(missing, each, strict=True):
            shard.append({"place": place, "validation": json_form(validation)})
            validations[place] = validation
    ordered = [validations[place] for place in range(len(cases))]
    write_files(folder, validation_files(ordered))
    partial.unlink(missing_ok=True)
    kinds = Counter(validation.error.partition(":")[0] for validation in ordered if validation.error)
    judged = [validation.correct for validation in ordered if validation.correct is not None]
    return {
        "programs": len(ordered),
        **({"judged before": kept} if kept else {}),
        "valid": sum(validation.valid is True for validation in ordered),
        "satisfiable": sum(validation.satisfiable is True for validation in ordered),
        "unique answer": sum(validation.unique is True for validation in ordered),
        **({"with a gold answer": len(judged), "correct": sum(judged)} if judged else {}),
        **dict(kinds.most_common()),
    }


def align_rows(rows: Sequence[ConstraintRow], folder: Path, text: str) -> dict[str, int]:
    """Write `alignment.jsonl`, a record for each row with a problem and a program, and `alignment.md`; return the counts.

    `text` names the field of the problem.
    """
    records = [record for row in rows if (record := aligned(row.id, row.text(text), row.text(PROGRAM))) is not None]
    found = {record["id"] for record in records if record["unstated"]}
    page = (line for record in records if record["id"] in found for line in _markdown(record))
    write_files(folder, {ALIGNMENT: records, "alignment.md": page})
    return {"programs": len(records), "with a clause that nothing states": len(found)}


def aligned(name: str, problem: str | None, program: str | None) -> dict[str, Any] | None:
    """Return the clauses of a problem with the assertions that state each; `None` without a problem or a program."""
    if not problem or not program:
        return None
    alignment = align_clauses(problem, program)
    stated: defaultdict[int | None, list[str]] = defaultdict(list)
    for node, place in zip(read_script(program).assertions, alignment.clause_of, strict=True):
        stated[place].append(write_node(node))
    return {
        "id": name,
        "clauses": [{**asdict(clause), "assertions": stated[place]} for place, clause in enumerate(alignment.clauses)],
        "unaligned": stated[None],
        "unstated": [alignment.clauses[place].text for place in alignment.missing],
    }


def _markdown(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of Markdown of a program: its clauses, what states each, and what nothing states."""
    yield from (f"## {' '.join(str(record['id']).split())}", "")
    for clause in record["clauses"]:
        # Nothing in a text is for Markdown or HTML to read.
        text = "".join(f"\\{sign}" if sign in "\\`*_[]<>#|&" else sign for sign in " ".join(clause["text"].split()))
        text += " **(no assertion states this)**" if clause["text"] in record["unstated"] else ""
        yield f"* {text}"
        yield from (f"    * `{term.replace('`', ' ')}`" for term in clause["assertions"])
    yield ""
