"""Display of the UT-2 alignments and UT-3 verdicts for pairs of a problem's formalizations."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import streamlit as st

from harness.domain import Status
from harness.text.characters import one_line
from reports.app.markup import element, show, status, table
from reports.app.oracles_page.formalization_columns import alignment_of
from reports.app.oracles_page.pair_phrases import verdict_sentence
from reports.views.verdict_phrases import method_phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.domain import Verdict
    from harness.records.formalization import ProgramRecord
    from reports.app.markup import Content
    from reports.app.oracles_page.oracle_index import ProblemDetails

MOST_PAIRS = 100


def show_alignments(details: ProblemDetails, chosen: Sequence[ProgramRecord]) -> None:
    """Show the UT-3 verdict and the UT-2 alignment of each pair of the chosen formalizations."""
    for first, second in combinations(chosen, 2):
        left, right = first.model, second.model
        verdict = details.verdict("ut3", left, right)
        show(
            element(
                "p",
                *(element("b", left), " and ", element("b", right), "  UT-3 "),
                status(verdict.status.name) if verdict is not None else "did not compare the pair",
                element("span", f"  {method_phrase(verdict)}", kind="muted") if verdict is not None else None,
                kind="pair",
            ),
            element("p", verdict_sentence(verdict, details), kind="finding") if verdict is not None else None,
        )
        alignment = alignment_of(details, left, right)
        if alignment is None:
            continue
        rows: list[list[Content]] = [
            [
                *(element("code", pair.left), element("code", pair.right)),
                *(pair.value, f"{pair.similarity:.2f}"),
            ]
            for pair in alignment.aligned
        ]
        rows += [[element("code", name), "–", "unaligned: it keeps its value", ""] for name in alignment.unaligned_left]
        rows += [
            ["–", element("code", name), "unaligned: it keeps its value", ""] for name in alignment.unaligned_right
        ]
        with st.expander("Alignment of the parameters", expanded=len(chosen) == 2):
            show(table([left, right, "value", "similarity"], rows, kind="alignment"))


def show_pairs(details: ProblemDetails, chosen: Sequence[ProgramRecord]) -> None:
    """Show the UT-3 verdicts of all pairs, refuted pairs first."""
    verdicts = sorted((verdict for verdict in details.verdicts if verdict.claim == "ut3"), key=_most_telling)
    if not verdicts:
        return
    models = {verdict.model for verdict in chosen}
    rows: list[list[Content]] = [
        [
            element(
                "span",
                f"{verdict.left} ~ {verdict.right}",
                kind="strong" if {verdict.left, verdict.right} <= models else "",
            ),
            status(verdict.status.name),
            [verdict_sentence(verdict, details), element("small", method_phrase(verdict))],
        ]
        for verdict in verdicts[:MOST_PAIRS]
    ]
    refuted = sum(verdict.status is Status.REFUTED for verdict in verdicts)
    with st.expander(f"All {len(verdicts):,} pairs, {refuted:,} of them refuted", expanded=False):
        show(table(["pair", "UT-3", "what was found"], rows, kind="pairs"))
        if len(verdicts) > MOST_PAIRS:
            show(element("p", f"{len(verdicts) - MOST_PAIRS:,} more are in verdicts.jsonl.", kind="muted"))


def _most_telling(verdict: Verdict) -> tuple[int, str, str]:
    return verdict.status, one_line(verdict.left), one_line(verdict.right or "")
