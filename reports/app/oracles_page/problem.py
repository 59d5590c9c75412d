"""Display of one problem on the Oracles page: oracle, confidence, graph and the differences of formalizations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from harness.domain import Provenance
from harness.records.template import TracedVariable
from harness.solution.trace import VariableRole
from harness.text.characters import one_line
from reports.app.markup import badge, element, notice, show, visible_text
from reports.app.oracles_page.dependency_graph import show_graph
from reports.app.oracles_page.formalization_columns import show_side_by_side
from reports.app.oracles_page.formalization_comparison import read_traced
from reports.app.oracles_page.pair_phrases import oracle_status
from reports.app.oracles_page.pair_verdicts import show_alignments, show_pairs
from reports.app.review_page.candidate_links import show_candidates
from reports.views.certainty import probability_sentence
from reports.views.verdict_phrases import confidence_sentence

if TYPE_CHECKING:
    from harness.records.formalization import ProgramRecord
    from reports.app.app_context import AppContext
    from reports.app.oracles_page.oracle_index import ProblemDetails

MOST_CHOSEN = 3
_ROLES = {
    Provenance.QUESTION: VariableRole.QUESTION_INPUT,
    Provenance.WORLD_KNOWLEDGE: VariableRole.WORLD_KNOWLEDGE_INPUT,
}


def show_problem(details: ProblemDetails, context: AppContext) -> None:
    """Show all records of the run about a problem."""
    _head(details)
    oracle = None if details.listed.oracle is None else details.program(details.listed.oracle)
    if oracle is not None:
        _oracle(oracle)
    show(element("h3", "Formalizations side by side"))
    chosen = _chosen(details)
    if chosen:
        show_side_by_side(details, chosen)
        show_alignments(details, chosen)
    show_pairs(details, chosen)
    show_candidates(details.listed.problem_id, details.listed.address, context)


def _head(details: ProblemDetails) -> None:
    listed, standing = details.listed, oracle_status(details)
    problem = listed.problem
    tier = problem.tier
    show(
        element("h2", problem.problem_id),
        element(
            "p",
            badge(standing.title, kind="confirmed" if listed.oracle and not listed.dissenters else "unknown"),
            badge(f"gold {problem.gold or 'none'}"),
            badge(f"tier {tier}") if tier is not None else None,
            kind="badges",
        ),
    )
    left, right = st.columns([3, 2], gap="large")
    with left:
        solution = problem.solution
        show(
            element("p", problem.question, kind="question"),
            element("p", solution, kind="solution") if solution else None,
        )
    with right:
        consensus = listed.consensus
        basis = "" if consensus is None else probability_sentence(consensus).partition(", ")[2]
        sentence = "no consensus was written" if consensus is None else confidence_sentence(consensus)
        members = () if consensus is None else consensus.clique
        chance = "–" if listed.p_right is None else f"{listed.p_right:.3f}"
        show(
            element("p", element("span", chance, kind="big"), " probability that the oracle is right", kind="figure"),
            element("p", basis, kind="muted") if basis else None,
            element("p", element("span", f"{listed.confidence:.2f}", kind="big"), " confidence", kind="figure"),
            element("p", sentence.partition(": ")[2] if ": " in sentence else _after_equals(sentence), kind="muted"),
            element(
                "dl",
                *(element("dt", "Oracle"), element("dd", element("b", listed.oracle or "none"))),
                *(
                    element("dt", f"Clique ({len(members)} of {len(details.programs)})"),
                    element("dd", [badge(member) for member in members] or "none"),
                ),
                *(element("dt", "Standing"), element("dd", [element("p", reason) for reason in standing.doubts])),
                kind="facts",
            ),
        )


def _after_equals(sentence: str) -> str:
    """Return the explanation of a score without the score itself."""
    return sentence.partition(" = ")[2] or sentence


def _oracle(oracle: ProgramRecord) -> None:
    show(element("h3", "The oracle: what ", element("b", oracle.model), " wrote"))
    traced = read_traced(oracle)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.code(visible_text(oracle.code or ""), language="python", line_numbers=True, wrap_lines=True)
    with right:
        if isinstance(traced, str):
            notice(f"No dependency graph: {traced}.")
            return
        show_graph(entries_of(oracle), traced.trace.dead(), f"{oracle.problem_id} by {oracle.model}")


def entries_of(program: ProgramRecord) -> list[TracedVariable]:
    """Return the entries of a formalization's trace as in `traces.jsonl`, empty without a trace."""
    traced = read_traced(program)
    if isinstance(traced, str):
        return []
    # The code alone does not say what its record says: where a value comes from.
    provenances = {parameter.name: parameter.provenance for parameter in program.parameters}
    return [
        TracedVariable(
            variable=entry.variable,
            value=str(entry.value),
            role=_ROLES.get(provenances.get(entry.variable, Provenance.UNKNOWN), entry.role)
            if entry.role.is_input
            else entry.role,
            line=entry.line,
            code=entry.code,
            comment=entry.comment,
            reads=tuple(entry.reads),
        )
        for entry in traced.trace.entries
    ]


def _chosen(details: ProblemDetails) -> list[ProgramRecord]:
    """Ask which formalizations to show; by default the oracle and a dissenter."""
    models = [program.model for program in details.programs]
    if not models:
        notice("No model answered.")
        return []
    consensus = details.listed.consensus
    dissent = [] if consensus is None else [dissenter.model for dissenter in consensus.dissenters]
    wanted = [details.listed.oracle, *dissent, *([] if consensus is None else consensus.clique), *models]
    default = list(dict.fromkeys(model for model in wanted if model in models))[:2]
    names = st.multiselect(
        "Which two or three",
        list(range(len(models))),
        default=[models.index(model) for model in default],
        max_selections=MOST_CHOSEN,
        format_func=lambda number: one_line(models[number], limit=60),
        key=f"oracle-chosen-{details.listed.address}",
        label_visibility="collapsed",
    )
    return [details.programs[number] for number in names]
