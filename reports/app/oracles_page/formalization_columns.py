"""Formalizations of a problem in columns, with the lines marked that differ from the first one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from harness.domain import ParameterAlignment
from harness.text.characters import one_line
from reports.app.markup import badge, element, show, status, visible_text
from reports.app.oracles_page.formalization_comparison import MatchKind, compare, read_traced

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.records.formalization import ProgramRecord
    from reports.app.markup import Markup
    from reports.app.oracles_page.formalization_comparison import CodeMark, FormalizationComparison, TracedFormalization
    from reports.app.oracles_page.oracle_index import ProblemDetails

Marks = dict[int, list[tuple[MatchKind, str]]]
"""The marks of each line of code, with their reasons."""
MOST_LINES = 400
LEGEND = {
    MatchKind.ONLY_HERE: "computes a quantity that no line of the other program computes",
    MatchKind.UNALIGNED: "a parameter without a partner",
}


def show_side_by_side(details: ProblemDetails, chosen: Sequence[ProgramRecord]) -> None:
    """Show formalizations in columns; the lines on which each differs from the first are marked."""
    marks: list[Marks] = [{} for _ in chosen]
    remarks = []
    traced = [read_traced(program) for program in chosen]
    for place in range(1, len(chosen)):
        compared = _compared(details, chosen[0], chosen[place], traced[0], traced[place])
        if isinstance(compared, str):
            remarks.append(f"{chosen[0].model} and {chosen[place].model} are not compared line by line: {compared}.")
        else:
            _add(marks[0], compared.left, chosen[place].model)
            _add(marks[place], compared.right, chosen[0].model)
    for column, program, own in zip(st.columns(len(chosen), gap="small"), chosen, marks, strict=True):
        with column:
            _column(details, program, own)
    used = {kind for own in marks for reasons in own.values() for kind, _ in reasons}
    show(
        element("p", [badge(LEGEND[kind], kind=str(kind)) for kind in LEGEND if kind in used], kind="legend"),
        [element("p", remark, kind="muted") for remark in remarks],
    )


def _compared(
    details: ProblemDetails,
    first: ProgramRecord,
    second: ProgramRecord,
    left: TracedFormalization | str,
    right: TracedFormalization | str,
) -> FormalizationComparison | str:
    if isinstance(left, str):
        return _unfollowed(first, left)
    if isinstance(right, str):
        return _unfollowed(second, right)
    alignment = alignment_of(details, first.model, second.model)
    return "UT-2 did not align them" if alignment is None else compare(left, right, alignment)


def _unfollowed(program: ProgramRecord, why: str) -> str:
    return f"{program.model} cannot be traced ({one_line(why, limit=120)})"


def alignment_of(details: ProblemDetails, left: str, right: str) -> ParameterAlignment | None:
    """Return the UT-2 alignment of a pair with `left` on the left side, or `None`."""
    verdict = details.verdict("ut2", left, right)
    alignment = None if verdict is None else verdict.alignment
    if verdict is None or alignment is None or verdict.left == left:
        return alignment
    return ParameterAlignment(
        aligned=tuple(replace(pair, left=pair.right, right=pair.left) for pair in alignment.aligned),
        unaligned_left=alignment.unaligned_right,
        unaligned_right=alignment.unaligned_left,
    )


def _add(marks: Marks, code_marks: Sequence[CodeMark], other: str) -> None:
    for mark in code_marks:
        if mark.kind is MatchKind.ONLY_HERE:
            marks.setdefault(mark.line, []).append(
                (mark.kind, f"{mark.variable}: no variable of {other} has these values")
            )
        elif mark.kind is MatchKind.UNALIGNED:
            marks.setdefault(mark.line, []).append(
                (mark.kind, f"{mark.variable}: no parameter of {other} is its partner")
            )


def _column(details: ProblemDetails, program: ProgramRecord, marks: Mapping[int, list[tuple[MatchKind, str]]]) -> None:
    model = program.model
    screening = details.verdict("ut1", model)
    reason = program.reason or (None if screening is None else screening.reason)
    show(
        element("p", element("b", model), " ", badge(_standing(details, program)), kind="column-head"),
        element(
            "p",
            *("value ", element("b", one_line(program.value or "none", limit=40)), "  UT-1 "),
            status(screening.status.name) if screening is not None else "was not run",
            element("span", f"  {program.dialect or 'no dialect'}", kind="muted"),
        ),
        element("p", one_line(str(reason), limit=300), kind="complaint") if reason else None,
        [element("p", f"repaired: {one_line(repair, limit=200)}", kind="muted") for repair in program.repairs],
        _code(program.code or "", marks),
    )


def _standing(details: ProblemDetails, program: ProgramRecord) -> str:
    consensus = details.listed.consensus
    if program.reason is not None:
        return "unreadable"
    if consensus is None or program.model not in consensus.clique:
        return "outside the clique"
    return "oracle" if program.model == consensus.oracle else "in the clique"


def _code(code: str, marks: Mapping[int, list[tuple[MatchKind, str]]]) -> Markup:
    """Return code with numbered lines; lines that differ are marked, with the reason in the tooltip."""
    rows = []
    for number, line in enumerate(visible_text(code).split("\n")[:MOST_LINES], start=1):
        own = marks.get(number, [])
        kinds = {kind for kind, _ in own}
        kind = str(MatchKind.ONLY_HERE if MatchKind.ONLY_HERE in kinds else MatchKind.UNALIGNED) if own else ""
        rows.append(
            element(
                "span",
                element("i", str(number)),
                line or " ",
                kind=f"line {kind}".strip(),
                title="; ".join(reason for _, reason in own),
            )
        )
    return element("pre", rows, kind="code")
