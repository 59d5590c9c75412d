"""A solution and the oracle side by side on the Verify page; the certificate and the witness open at a click."""

from collections.abc import Mapping, Sequence
from typing import Any

from harness.records.label import ComparedRow
from harness.solution.labels import FINAL_ANSWER
from harness.text.characters import one_line, spaced
from reports.app.markup import Content, Markup, element
from sft.diagnosis.side_by_side import DIFFERS, SAME

LONGEST_LINE, LONGEST_PROGRAM, MOST_INPUTS = 1_000, 2_000, 40
_SIGNS = {SAME: ("=", "the line works out this step"), DIFFERS: ("≠", "the first line that differs")}


def comparison_element(rows: Sequence[ComparedRow], diagnosis: Mapping[str, Any]) -> Markup:
    """Return the rows of both sides, and below them what proves the diagnosis."""
    head = element("div", element("b", "This solution"), element("span"), element("b", "Right way"), kind="side head")
    return element("div", head, [_row(row) for row in rows], list(_proofs(diagnosis)), kind="sides")


def _row(row: ComparedRow) -> Markup:
    sign, words = _SIGNS.get(row.mark, ("", ""))
    place = "answer" if row.place == FINAL_ANSWER else row.place
    left: list[Content] = [element("b", place), " ", one_line(row.line, limit=LONGEST_LINE)] if row.place else []
    steps = [element("div", one_line(step, limit=LONGEST_LINE)) for step in row.steps]
    tie = element("span", sign, kind="sign", title=words) if sign else element("span")
    return element("div", element("div", left), tie, element("div", steps), kind=f"side {row.mark}".strip())


def _proofs(diagnosis: Mapping[str, Any]) -> list[Markup]:
    """Return the correction, and closed: the certificate, the witness and other changes."""
    found = []
    if diagnosis.get("correction"):
        correction = element("code", one_line(str(diagnosis["correction"]), limit=LONGEST_LINE))
        found.append(element("p", f"{diagnosis['line']} should be ", correction))
    if certificate := diagnosis.get("certificate"):
        about = "Proved: it computes the same as the right way for all inputs"
        if certificate["written"]:
            about = "Proved: with this change it computes the same as the right way for all inputs"
        programs = [element("p", f"{certificate['method']}: "), _program(certificate["program"])]
        programs += [element("p", "As written:"), _program(certificate["written"])] if certificate["written"] else []
        found.append(element("details", element("summary", about), programs))
    if witness := diagnosis.get("witness"):
        inputs = [f"{spaced(name)} = {value}" for name, value in list(witness["inputs"].items())[:MOST_INPUTS]]
        told = f"With {', '.join(inputs)} the right way gives {witness['left']}, this solution {witness['right']}."
        found.append(element("details", element("summary", "Witness"), element("p", told)))
    if others := diagnosis.get("others"):
        changes = [element("li", f"{own['line']}: {spaced(str(own['error_type']))}, {own['now']}") for own in others]
        found.append(element("details", element("summary", "Other changes that make it right"), element("ul", changes)))
    return found


def _program(text: str) -> Markup:
    return element("pre", text[:LONGEST_PROGRAM], kind="code")
