"""The labelled examples of a review state: solutions pasted on the Verify page whose judgement a person corrects."""

import json
import sqlite3
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from harness.corpora.labelled_solutions import read_record as read_labelled
from harness.domain import Evidence, Status, Verdict
from harness.errors import HarnessError
from harness.json_form import json_form, read_record
from harness.records.review import MOST_FINDINGS, ExampleLine
from harness.solution.labels import CORRECT, FLAWED
from harness.store.run_folder import dump
from harness.text.characters import storable
from oracles.labels.audit.label_verdict import audit
from reports.review.review_state import LONGEST_TEXT, ReviewState, check_name, iso_time

IN_FORCE = (
    "SELECT * FROM examples AS own WHERE undoes IS NULL"
    " AND NOT EXISTS (SELECT 1 FROM examples AS later WHERE later.undoes = own.uid)"
)
"""The query of the examples that are not withdrawn."""
PastedText = tuple[str, str, str]
"""A person, a question and a solution."""


def add_example(state: ReviewState, example: ExampleLine) -> bool:
    """Store an example; return whether it is new: one with the same `uid` is there already.

    Errors as of `check_example`, and of the file.
    """
    check_example(example)
    with state.changing() as sql:
        if sql.execute("SELECT 1 FROM examples WHERE uid = ?", (example.uid,)).fetchone():
            return False
        append_example(sql, example)
        return True


def withdraw_example(state: ReviewState, example: ExampleLine) -> None:
    """Withdraw an example; the log keeps it. A second withdrawal changes nothing."""
    with state.changing() as sql:
        if not sql.execute("SELECT 1 FROM examples WHERE undoes = ?", (example.uid,)).fetchone():
            at = max(iso_time(state.clock()), example.at)
            append_example(sql, replace(example, uid=uuid.uuid4().hex, undoes=example.uid, at=at))


def example_entries(state: ReviewState) -> list[ExampleLine]:
    """Return the examples and the withdrawals, oldest first."""
    with state.reading() as sql:
        return _examples(sql, "SELECT record FROM examples ORDER BY number")


def examples_in_force(state: ReviewState) -> list[ExampleLine]:
    """Return the examples that are not withdrawn: of one person and one text the last one, oldest first."""
    with state.reading() as sql:
        return list(last_examples(sql).values())


def last_examples(sql: sqlite3.Connection) -> dict[PastedText, ExampleLine]:
    """Return the examples in force by person and text, within a transaction."""
    last: dict[PastedText, ExampleLine] = {}
    for example in _examples(sql, f"{IN_FORCE} ORDER BY at, number"):
        last.pop(pasted_text(example), None)
        last[pasted_text(example)] = example
    return last


def pasted_text(example: ExampleLine) -> PastedText:
    """Return the person and the text of an example, as they are stored."""
    return storable(example.reviewer), storable(example.question), storable(example.solution)


def append_example(sql: sqlite3.Connection, example: ExampleLine) -> None:
    """Add an entry within a transaction."""
    values = (example.uid, example.undoes, example.reviewer, example.at, storable(dump(json_form(example))))
    sql.execute("INSERT INTO examples (uid, undoes, reviewer, at, record) VALUES (?, ?, ?, ?, ?)", values)


def _examples(sql: sqlite3.Connection, query: str) -> list[ExampleLine]:
    return [read_record(ExampleLine, json.loads(row["record"])) for row in sql.execute(query)]


def check_example(example: ExampleLine) -> None:
    """Check that an example can be stored.

    Raises a HarnessError if it is too long, its label is incomplete, or findings speak against the label and nothing answers them.
    """
    check_name(example.reviewer)
    label = example.label
    texts = (example.question, example.solution, label.explanation, example.override)
    if sum(map(len, texts)) > LONGEST_TEXT or len(example.findings) > MOST_FINDINGS:
        raise HarnessError(
            f"an example of {sum(map(len, texts)):,} characters: expected at most {LONGEST_TEXT:,}; shorten it"
        )
    if not example.question.strip() or not example.solution.strip():
        raise HarnessError("an example without a problem or a solution: expected both")
    if label.verdict == CORRECT and any((label.error_type, label.line, label.explanation.strip())):
        raise HarnessError("a correct example with an error: expected no type, no line and no explanation")
    if label.verdict == FLAWED and not (label.line and label.explanation.strip()):
        raise HarnessError("a flawed example: expected the line of the error and why it is wrong")
    if example.findings and not example.override.strip():
        raise HarnessError("the audit speaks against the label: expected a reason why it is right all the same")


def audited_label(record: Mapping[str, Any]) -> Verdict:
    """Return the audit's verdict on a labelled solution, from its own text alone."""
    return audit(read_labelled(record, "example"), None, "example")


def refuting(record: Mapping[str, Any]) -> tuple[Evidence, ...]:
    """Return the findings by which the audit refutes a labelled solution, none where it does not."""
    verdict = audited_label(record)
    return verdict.findings[:MOST_FINDINGS] if verdict.status is Status.REFUTED else ()


def finding_forms(findings: Iterable[Evidence]) -> list[dict[str, Any]]:
    """Return findings as an example keeps them."""
    return [
        {"kind": str(own.cause), "where": own.line, "message": f"found {own.found}, expected {own.expected}"}
        for own in findings
    ]
