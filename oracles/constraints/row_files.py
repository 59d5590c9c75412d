"""The files of the commands on rows: those that are valid and broken, their validation, and their alignment."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness.json_form import json_form, read_record
from harness.smtlib.constraint_problem import COLUMNS, table, write_files
from harness.smtlib.printer import write_node
from harness.smtlib.script import read_script
from harness.store.run_folder import Shard, dump, fingerprint, whole_records
from harness.store.stage_progress import StageProgress
from oracles.constraints.clause_alignment import align_clauses
from oracles.constraints.rows import PROGRAM, ConstraintRow, FilteredRow, filtered_rows
from oracles.constraints.validation import Validation, validate_all
from oracles.constraints.worker_pool import SolverLimits

ALIGNMENT = "alignment.jsonl"
Files = dict[str, "Iterable[Any]"]
"""The records or lines of each file, by its name."""


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
