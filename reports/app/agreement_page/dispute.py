"""Display of one dispute: the texts and the reasons of each reviewer, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.records.review import Decision, DecisionLine
from harness.text.characters import spaced
from reports.app.markup import badge, element

if TYPE_CHECKING:
    from reports.app.agreement_page.figures import Dispute
    from reports.app.markup import Content, Markup
    from reports.review.candidates.candidates import Candidate

MOST_LINES = 60
_WORDS = {
    Decision.ACCEPT: ("✓ accepted", "confirmed"),
    Decision.REJECT: ("✗ rejected", "refuted"),
    Decision.SKIP: ("skipped", ""),
}


def show_dispute(dispute: Dispute, candidate: Candidate | None) -> Markup:
    """Return a disagreement that opens on a click: the problem, then the reviewers' decisions side by side."""
    texts = {entry.texts for entry in dispute.entries}
    return element(
        "details",
        element(
            "summary",
            *_facts(candidate),
            [
                badge(f"{entry.reviewer} {_WORDS[entry.decision][0]}", kind=_WORDS[entry.decision][1])
                for entry in dispute.entries
            ],
        ),
        _problem(candidate),
        element("div", [_column(entry, candidate, same=len(texts) == 1) for entry in dispute.entries], kind="columns"),
        element("p", f"candidate {dispute.candidate_id}", kind="muted"),
        kind="dispute",
    )


def _facts(candidate: Candidate | None) -> list[Content]:
    if candidate is None:
        return ["not among these candidates "]
    return [element("b", candidate.problem_id), f", {spaced(candidate.error_type)} on {_line_of(candidate)} "]


def _line_of(candidate: Candidate) -> str:
    return str(candidate.record["label"]["error_details"]["erroneous_line_number"])


def _problem(candidate: Candidate | None) -> Markup | None:
    if candidate is None:
        return None
    return element(
        "div",
        element("p", str(candidate.record["question"]), kind="question"),
        element("p", str(candidate.record["solution"]), kind="solution"),
    )


def _column(entry: DecisionLine, candidate: Candidate | None, *, same: bool) -> Markup:
    words, kind = _WORDS[entry.decision]
    edited = entry.texts != entry.original
    return element(
        "div",
        element(
            "p",
            element("b", entry.reviewer),
            " ",
            badge(words, kind=kind),
            element("span", f" {entry.seconds:,.0f} s, {entry.at[:16].replace('T', ' ')}", kind="muted"),
        ),
        element("p", f"because {entry.reason.words}", kind="finding") if entry.reason is not None else None,
        element("p", f"“{entry.note}”", kind="finding") if entry.note else None,
        element("p", f"against the audit: “{entry.override}”", kind="finding") if entry.override else None,
        element("p", "edited" if edited else "as it came", kind="muted"),
        _lines(entry, "" if candidate is None else _line_of(candidate)),
        element("p", element("b", "Why: "), entry.texts.explanation),
        None if same else element("p", "The texts differ.", kind="muted"),
        kind="column",
    )


def _lines(entry: DecisionLine, labelled: str) -> Markup:
    """Return the flawed solution with the reviewer's edits; the labelled line and the edited lines are marked."""
    original, lines = entry.original.lines, entry.texts.lines
    rows = []
    for number, line in enumerate(lines[:MOST_LINES]):
        kinds = ["line"]
        label = "FA" if number + 1 == len(lines) else f"L{number + 1}"
        kinds += ["only"] if label == labelled else []
        kinds += ["unaligned"] if number >= len(original) or original[number] != line else []
        rows.append(element("span", element("i", label), line or " ", kind=" ".join(kinds)))
    return element("pre", rows, kind="code")
