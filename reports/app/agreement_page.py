"""The Agreement page: agreement of reviewers, their disputes and their time per decision."""

import shlex
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from statistics import median

import streamlit as st

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.records.review import Decision, DecisionLine
from harness.text.characters import spaced
from reports.app.app_context import AppContext, open_candidates, open_state, start
from reports.app.markup import STYLES, Markup, badge, element, notice, show, table
from reports.review.agreement import Agreement, Coefficient, agreement, ratings
from reports.review.candidates import Candidate
from reports.views.tables import value_text

Find = Callable[[str], Candidate | None]

PAGE, MOST_PAIRS, MOST_LINES = 10, 30, 60
RELIABLE, TENTATIVE = 0.8, 0.667
"""K. Krippendorff, Content Analysis, 2004: the least alpha of reliable data, and of data that allow tentative conclusions."""
SCALE = "1 is full agreement, 0 is the agreement of chance. Brackets hold the bootstrap interval over candidates."
UNKNOWN = "not among these candidates"
_DECIDED = {
    Decision.ACCEPT: ("✓ accepted", "confirmed"),
    Decision.REJECT: ("✗ rejected", "refuted"),
    Decision.SKIP: ("skipped", ""),
}


def page(context: AppContext) -> None:
    """Show the agreement and the pace of the reviewers."""
    st.html(STYLES)
    st.title("Agreement")
    source = f"--run {shlex.quote(str(context.run))}" if context.run else "--candidates-dir DIR"
    doubly = f"judge a share of the candidates independently: {start(f'{source} --double 0.2')}"
    try:
        # A missing state is not created.
        standing = open_state(context.state).standing() if context.state.is_file() else []
        if not standing:
            advice = context.lacking or f"To measure agreement, let two reviewers {doubly}"
            notice(f"There is no decision yet in {context.state}. {advice}")
            return
        overall = agreement(ratings(standing))
        _figures(standing, overall)
        if overall.n:
            find: Find = cache(open_candidates(context.candidates).find) if context.candidates else lambda _: None
            _pairs(overall)
            st.subheader("By type of error")
            show(table(["type", "n", "raw", "alpha", "disagreements"], type_rows(standing, find)))
            _disputes(disputes(standing, overall), find)
        else:
            notice(
                f"No candidate was judged by two reviewers yet, so there is nothing to compare. Let two people {doubly}"
            )
        st.subheader("Pace")
        show(table(["reviewer", "accepted", "rejected", "skipped", "median time"], reviewer_rows(standing)))
    except HarnessError as error:
        notice(str(error), kind="error")


def _figures(standing: Sequence[DecisionLine], overall: Agreement) -> None:
    figures = {
        "Decisions": f"{sum(entry.decision is not Decision.SKIP for entry in standing):,}",
        "Judged by two or more": f"{overall.n:,}",
        "Raw agreement": value_text(overall.raw),
        "Krippendorff's alpha": "–" if overall.alpha.value is None else f"{overall.alpha.value:.2f}",
    }
    for column, (title, figure) in zip(st.columns(len(figures)), figures.items(), strict=True):
        column.metric(title, figure)
    if overall.n:
        show(element("p", f"Alpha {overall.alpha}, n = {overall.n:,}. {alpha_sentence(overall.alpha)} {SCALE}"))


def _pairs(overall: Agreement) -> None:
    st.subheader("Pairs of reviewers")
    pairs = sorted(overall.pairs, key=lambda pair: -pair.n)
    rows = []
    for pair in pairs[:MOST_PAIRS]:
        decisions = ", ".join(f"{count:,} {left}/{right}" for (left, right), count in pair.confusion.items())
        names = f"{pair.left} and {pair.right}"
        rows.append([names, f"{pair.n:,}", value_text(pair.raw), str(pair.kappa), decisions])
    show(table(["reviewers", "n", "raw", "Cohen's kappa", "decisions"], rows))
    if len(pairs) > MOST_PAIRS:
        command = runnable("oracle-factory review agreement")
        show(element("p", f"{len(pairs) - MOST_PAIRS:,} more pairs: {command}", kind="muted"))


def type_rows(standing: Iterable[DecisionLine], find: Find) -> list[list[str]]:
    """Return the agreement on each type of error that two reviewers judged, the most judged type first."""
    types: defaultdict[str, list[DecisionLine]] = defaultdict(list)
    for entry in standing:
        candidate = find(entry.candidate_id)
        types[UNKNOWN if candidate is None else candidate.error_type].append(entry)
    agreements = {name: agreement(ratings(entries)) for name, entries in sorted(types.items())}
    return [
        [spaced(name), f"{own.n:,}", value_text(own.raw), str(own.alpha), f"{len(own.disputed):,}"]
        for name, own in sorted(agreements.items(), key=lambda item: -item[1].n)
        if own.n
    ]


def disputes(standing: Iterable[DecisionLine], overall: Agreement) -> list[list[DecisionLine]]:
    """Return the decisions on each candidate that reviewers judged differently, the latest decision first."""
    judged: defaultdict[str, list[DecisionLine]] = defaultdict(list)
    for entry in standing:
        if entry.decision is not Decision.SKIP:
            judged[f"{entry.candidate_id}@{entry.version}"].append(entry)
    groups = [judged[unit] for unit in overall.disputed]
    return sorted(groups, key=lambda entries: max(entry.at for entry in entries), reverse=True)


def _disputes(disagreements: Sequence[Sequence[DecisionLine]], find: Find) -> None:
    st.subheader(f"Disagreements ({len(disagreements):,})")
    if not disagreements:
        st.text("None: reviewers agree on every candidate that two of them judged.")
        return
    pages = -(-len(disagreements) // PAGE)
    number = st.pagination(pages, key="agreement-page") if pages > 1 else 1
    shown = disagreements[(number - 1) * PAGE : number * PAGE]
    show([_dispute(entries, find(entries[0].candidate_id)) for entries in shown])


def _dispute(entries: Sequence[DecisionLine], candidate: Candidate | None) -> Markup:
    """Return a disagreement that opens on a click: the problem, then the reviewers' decisions side by side."""
    line, badges = "", [_badge(entry, entry.reviewer) for entry in entries]
    if candidate is None:
        summary, problem = element("summary", f"{UNKNOWN} ", badges), None
    else:
        line = str(candidate.record["label"]["error_details"]["erroneous_line_number"])
        facts = f", {spaced(candidate.error_type)} on {line} "
        summary = element("summary", element("b", candidate.problem_id), facts, badges)
        problem = [element("p", str(candidate.record[name]), kind=name) for name in ("question", "solution")]
    columns = element("div", [_column(entry, line) for entry in entries], kind="columns")
    name = element("p", f"candidate {entries[0].candidate_id}", kind="muted")
    return element("details", summary, problem, columns, name, kind="dispute")


def _badge(entry: DecisionLine, name: str = "") -> Markup:
    words, kind = _DECIDED[entry.decision]
    return badge(f"{name} {words}".strip(), kind=kind)


def _column(entry: DecisionLine, labelled: str) -> Markup:
    spent = element("span", f" {entry.seconds:,.0f} s, {entry.at[:16].replace('T', ' ')}", kind="muted")
    reasons = (
        f"because {entry.reason.words}" if entry.reason is not None else "",
        f"“{entry.note}”" if entry.note else "",
        f"against the audit: “{entry.override}”" if entry.override else "",
    )
    original, lines = entry.original.lines, entry.texts.lines
    rows = []
    for number, line in enumerate(lines[:MOST_LINES]):
        label = "FA" if number + 1 == len(lines) else f"L{number + 1}"
        edited = number >= len(original) or original[number] != line
        kinds = ["line", *["only"] * (label == labelled), *["unaligned"] * edited]
        rows.append(element("span", element("i", label), line or " ", kind=" ".join(kinds)))
    return element(
        "div",
        element("p", element("b", entry.reviewer), " ", _badge(entry), spent),
        [element("p", reason, kind="finding") for reason in reasons if reason],
        element("p", "edited" if entry.texts != entry.original else "as it came", kind="muted"),
        element("pre", rows, kind="code"),
        element("p", element("b", "Why: "), entry.texts.explanation),
        kind="column",
    )


def reviewer_rows(standing: Iterable[DecisionLine]) -> list[list[str]]:
    """Return each reviewer's counts of decisions in force, and the median time of those that are not skips."""
    own: defaultdict[str, list[DecisionLine]] = defaultdict(list)
    for entry in standing:
        own[entry.reviewer].append(entry)
    rows = []
    for reviewer, entries in sorted(own.items()):
        kinds = Counter(entry.decision for entry in entries)
        seconds = [entry.seconds for entry in entries if entry.decision is not Decision.SKIP]
        counts = [f"{kinds[decision]:,}" for decision in _DECIDED]
        rows.append([reviewer, *counts, f"{median(seconds):,.0f} s" if seconds else "–"])
    return rows


def alpha_sentence(coefficient: Coefficient) -> str:
    """Return an interpretation of an alpha and of its interval."""
    value, low = coefficient.value, coefficient.low
    if value is None:
        return f"Alpha is undefined: {coefficient.why}."
    if value < TENTATIVE:
        return "Too low to rely on: reviewers use different standards; see the disagreements below."
    if low is None or low < TENTATIVE:
        return f"Too few candidates to be sure: the interval reaches below {TENTATIVE}, or there is none."
    if value < RELIABLE:
        return "Good enough for tentative conclusions only."
    return "Reviewers use the same standard; their decisions are reliable."
