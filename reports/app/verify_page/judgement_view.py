"""Display of a judgement on a solution or a problem, with the evidence for it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from harness.equations.equation import Truth
from harness.text.characters import one_line, spaced
from reports.app.markup import badge, element, show
from reports.app.verify_page.line_judgements import LineMark, judged_lines
from sft.samples.problem_judgement import VERDICT_OF
from sft.samples.solution_judgement import LONGEST_EXPLANATION
from sft.validator.problem_text import ProblemText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.app.markup import Content, Markup
    from reports.app.verify_page.line_judgements import CheckedEquation, JudgedLine
    from sft.samples.items import Item
    from sft.samples.problem_judgement import ProblemJudgement
    from sft.samples.solution_judgement import Judgement

LONGEST_SHOWN = 300
_SIGNS = {
    LineMark.ACCUSED: ("✗", "here is the error"),
    LineMark.FALSE: ("✗", "a false equation"),
    LineMark.SUSPECT: ("!", "something to look at"),
    LineMark.HOLDS: ("✓", "every equation holds"),
    LineMark.NOTHING: ("·", "nothing to check"),
}
_HOLDS = {
    Truth.TRUE: ("✓", "holds"),
    Truth.ROUNDED: ("✓", "holds, rounded"),
    Truth.FALSE: ("✗", "does not hold"),
    Truth.UNKNOWN: ("?", "cannot be decided"),
}
_WORST = (Truth.FALSE, Truth.UNKNOWN, Truth.ROUNDED, Truth.TRUE)


def show_solution_judgement(item: Item, judgement: Judgement, engine: str, seconds: float) -> None:
    """Show the verdict on a solution, and the evidence for and against each line."""
    show(
        element("h3", _headline(judgement)),
        None if judgement.error else element("p", _sure(judgement.confidence, engine, seconds), kind="muted"),
        element("p", judgement.explanation[:LONGEST_EXPLANATION], kind="finding") if judgement.explanation else None,
        element("p", f"The solution could not be judged: {judgement.error}", kind="complaint")
        if judgement.error
        else None,
        element("div", [_line(line) for line in judged_lines(item, judgement)], kind="judged"),
        element(
            "p", [badge(f"{sign} {words}", kind=str(mark)) for mark, (sign, words) in _SIGNS.items()], kind="legend"
        ),
    )


def show_problem_judgement(question: str, judgement: ProblemJudgement, engine: str, seconds: float) -> None:
    """Show the verdict on a problem, with the words of the evidence marked in the text."""
    text = ProblemText.of(question).text
    kind = {"solvable": "confirmed", "contradictory": "refuted"}.get(_verdict(judgement), "unknown")
    show(
        element("h3", badge(_verdict(judgement), kind=kind)),
        element("p", _sure(judgement.confidence, engine, seconds), kind="muted"),
        element("p", judgement.reason, kind="finding"),
        element("p", _marked(text, [hint.found for hint in judgement.evidence]), kind="question"),
        [
            element(
                "p",
                *(badge(hint.kind), element("b", f"“{one_line(hint.found, limit=LONGEST_SHOWN)}”"), " "),
                f"speaks for {VERDICT_OF[hint.problem_class]}: {one_line(hint.says, limit=LONGEST_SHOWN)}",
            )
            for hint in judgement.evidence
        ],
    )


def _verdict(judgement: ProblemJudgement) -> str:
    return "not judged" if judgement.problem_class is None else str(VERDICT_OF[judgement.problem_class])


def _headline(judgement: Judgement) -> list[Content]:
    if judgement.error:
        return [badge("? Not judged", kind="unknown"), " by this engine"]
    if not judgement.flawed:
        return [badge("✓ Correct", kind="confirmed"), " according to this engine"]
    where = "the final answer" if judgement.line == "FA" else judgement.line
    return [
        badge("✗ Flawed", kind="refuted"),
        f" on {where}: {spaced(str(judgement.error_type or judgement.error_class))}",
    ]


def _sure(confidence: float, engine: str, seconds: float) -> str:
    return f"{confidence:.0%} sure, by the {engine} engine in {seconds:.2f} s"


def _line(line: JudgedLine) -> Markup:
    sign, words = _SIGNS[line.mark]
    told_false = {hint.found for hint in line.hints if hint.expected}
    said: list[Markup] = [
        *(_found(hint.kind.name, hint.found, hint.expected) for hint in line.hints),
        *(
            _equation(equation)
            for equation in line.equations
            if not (equation.truth is Truth.FALSE and equation.written in told_false)
        ),
    ]
    if line.unread:
        said.append(element("li", f"? an equation here was not read: {line.unread}", kind="muted"))
    if line.origins:
        told = ", ".join(f"{one_line(origin.number, limit=40)} from {origin.words}" for origin in line.origins)
        unknown = any(not origin.known for origin in line.origins)
        said.append(element("li", told, kind="suspicious" if unknown else "muted"))
    return element(
        "div",
        element("span", sign, kind="sign", title=words),
        element("b", line.place),
        element(
            "div",
            element("div", _with_equations(line.text, line.equations), kind="text"),
            element("ul", said) if said else None,
        ),
        kind=f"judged-line {line.mark}",
    )


def _found(kind: str, found: str, expected: str) -> Markup:
    return element(
        "li",
        *(element("b", kind), ": found ", element("code", one_line(found, limit=LONGEST_SHOWN))),
        *((", expected ", element("code", one_line(expected, limit=LONGEST_SHOWN))) if expected else ()),
        kind="evidence",
    )


def _equation(equation: CheckedEquation) -> Markup:
    sign, words = _HOLDS[equation.truth]
    due = (
        f"; the left side gives {one_line(equation.due, limit=60)}"
        if equation.truth is Truth.FALSE and equation.due
        else ""
    )
    return element(
        "li",
        f"{sign} ",
        element("code", one_line(equation.written, limit=LONGEST_SHOWN)),
        f" {words}{due}",
        kind=str(equation.truth),
    )


def _with_equations(text: str, equations: Sequence[CheckedEquation]) -> list[Content]:
    """Return a line with its equations marked; overlapping equations get the mark of the worst one."""
    truths: list[Truth | None] = [None] * len(text)
    for truth in reversed(_WORST):
        for equation in equations:
            if equation.truth is truth:
                truths[equation.start : equation.end] = [truth] * (equation.end - equation.start)
    return _runs(text, ["" if truth is None else f"eq {truth}" for truth in truths])


def _marked(text: str, words: Sequence[str]) -> list[Content]:
    """Return a text with the first occurrence of each of `words` marked."""
    kinds = [""] * len(text)
    for word in words:
        start = text.find(word) if word else -1
        if start >= 0:
            kinds[start : start + len(word)] = ["eq found"] * len(word)
    return _runs(text, kinds)


def _runs(text: str, kinds: Sequence[str]) -> list[Content]:
    """Return a text in pieces of one kind; a piece with a kind is an element of that class."""
    pieces: list[Content] = []
    start = 0
    for kind, group in groupby(kinds[: len(text)]):
        end = start + sum(1 for _ in group)
        pieces.append(element("mark", text[start:end], kind=kind) if kind else text[start:end])
        start = end
    return pieces
