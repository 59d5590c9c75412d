"""The alignment of all programs of a file with their problems, and the clauses that no assertion states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.smtlib.printer import write_node
from harness.smtlib.script import read_script
from harness.store.run_folder import dump, write_lines
from oracles.constraints.clause_alignment import align_clauses
from oracles.constraints.order_directions import opposed_assertions
from oracles.constraints.rows import PROGRAM

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from oracles.constraints.rows import ConstraintRow

RECORDS, REPORT = "alignment.jsonl", "alignment.md"


def align_rows(
    rows: Sequence[ConstraintRow], folder: Path, text: str, right: tuple[str, str] | None = None
) -> dict[str, int]:
    """Write `alignment.jsonl`, a record for each row with a problem and a program, and `alignment.md`; return the counts.

    `text` names the field of the problem; `right` a field and the value that it has where the program is right.
    """
    records = [record for row in rows if (record := aligned(row.id, row.text(text), row.text(PROGRAM))) is not None]
    lacking = {record["id"] for record in records if record["unstated"]}
    opposed = {record["id"] for record in records if record["opposed"]}
    folder.mkdir(parents=True, exist_ok=True)
    write_lines(folder / RECORDS, (dump(record) + "\n" for record in records))
    write_lines(
        folder / REPORT,
        (f"{line}\n" for record in records if record["unstated"] or record["opposed"] for line in _shown(record)),
    )
    counts = {
        "programs": len(records),
        "with a clause that nothing states": len(lacking),
        "with an order numbered both ways": len(opposed),
    }
    lacking |= opposed
    if right is not None:
        name, value = right
        known = {record["id"] for record in records}
        good = {row.id for row in rows if row.id in known and str(row.record.get(name)) == value}
        counts |= {
            "right programs": len(good),
            "of these accused": len(good & lacking),
            "other programs": len(known - good),
            "of these found": len(lacking - good),
        }
    return counts


def aligned(name: str, problem: str | None, program: str | None) -> dict[str, Any] | None:
    """Return the clauses of a problem with the assertions that state each; `None` without a problem or a program."""
    if not problem or not program:
        return None
    alignment = align_clauses(problem, program)
    asserted = [write_node(node) for node in read_script(program).assertions]
    clauses = [
        {
            "text": clause.text,
            "asks": clause.asks,
            "option": clause.option,
            "assertions": [term for term, at in zip(asserted, alignment.clause_of, strict=True) if at == place],
        }
        for place, clause in enumerate(alignment.clauses)
    ]
    return {
        "id": name,
        "clauses": clauses,
        "unaligned": [term for term, at in zip(asserted, alignment.clause_of, strict=True) if at is None],
        "unstated": [alignment.clauses[place].text for place in alignment.missing],
        "opposed": [alignment.clauses[claim.clause].text for claim in opposed_assertions(problem, program)],
    }


def _shown(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of Markdown of a program: its clauses, what states each, and what nothing states."""
    yield f"## {' '.join(str(record['id']).split())}"
    yield ""
    for clause in record["clauses"]:
        mark = " **(no assertion states this)**" if clause["text"] in record["unstated"] else ""
        mark += " **(numbered the other way than the rest)**" if clause["text"] in record["opposed"] else ""
        yield f"* {_plain(clause['text'])}{mark}"
        yield from (f"    * `{term.replace('`', ' ')}`" for term in clause["assertions"])
    yield ""


def _plain(text: str) -> str:
    """Return a text on one line, without what Markdown or HTML would read in it."""
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>#|&" else sign for sign in " ".join(text.split()))
