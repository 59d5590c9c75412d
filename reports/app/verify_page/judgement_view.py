"""Display of a judgement on a solution, line by line with the evidence or beside the oracle, or on a problem."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from harness.equations.equation import StatedEquation, Truth
from harness.records.label import ComparedRow
from harness.solution.labels import FINAL_ANSWER
from harness.text.characters import one_line, spaced
from harness.text.number_forms import format_value
from oracles.labels.audit.solution_lines import LineStatement, read_statement
from reports.app.markup import Content, Markup, badge, element, show
from sft.diagnosis.step_comparison import DIFFERS, SAME
from sft.samples.items import Item
from sft.samples.problem_judgement import ProblemJudgement
from sft.samples.solution_judgement import LONGEST_EXPLANATION, Hint, Judgement
from sft.validator.problem_text import ProblemText
from sft.verifier.case import EVIDENCE, Case
from sft.verifier.solution_steps import Operand, OperandSource, SolutionSteps, steps_of

LONGEST_SHOWN, MOST_SHOWN = 300, 12
LONGEST_LINE, LONGEST_PROGRAM, MOST_INPUTS = 1_000, 2_000, 40
_SIGNS = {SAME: ("=", "the line works out this step"), DIFFERS: ("≠", "the first line that differs")}
MARKS = {
    "accused": ("✗", "here is the error"),
    "false": ("✗", "a false equation"),
    "suspect": ("!", "something to look at"),
    "holds": ("✓", "every equation holds"),
    "nothing": ("·", "nothing to check"),
}
"""The marks of a line with their signs and words."""
_HOLDS = {
    Truth.FALSE: ("✗", "does not hold"),
    Truth.UNKNOWN: ("?", "cannot be decided"),
    Truth.ROUNDED: ("✓", "holds, rounded"),
    Truth.TRUE: ("✓", "holds"),
}
"""The truths of an equation, the worst first."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged solution, with the name and the time of the engine; where an oracle judged, the `rows` compare both."""

    item: Item
    judgement: Judgement
    engine: str
    seconds: float
    rows: tuple[ComparedRow, ...] = ()


def show_solution_judgement(judged: Judged) -> None:
    """Show the verdict on a solution, and the evidence for and against each line, or the oracle beside the lines."""
    judgement = judged.judgement
    about = element("p", _confidence(judgement.confidence, judged.engine, judged.seconds), kind="muted")
    if judgement.error:
        headline: list[Content] = [badge("? Not judged", kind="unknown"), " by this engine"]
        about = element("p", f"The solution could not be judged: {judgement.error}", kind="complaint")
    elif judgement.flawed:
        where = "the final answer" if judgement.line == FINAL_ANSWER else judgement.line
        kind = spaced(str(judgement.error_type or judgement.error_class or ""))
        told = f"{f' on {where}' if where else ''}{f': {kind}' if kind else ''}"
        headline = [badge("✗ Flawed", kind="refuted"), told]
    else:
        headline = [badge("✓ Correct", kind="confirmed"), " according to this engine"]
    if judged.rows:
        lines: list[Content] = [comparison_element(judged.rows, judgement.diagnosis or {})]
    else:
        legend = [badge(f"{sign} {words}", kind=mark) for mark, (sign, words) in MARKS.items()]
        lines = [element("div", list(line_elements(judged.item, judgement)), kind="judged")]
        lines.append(element("p", legend, kind="legend"))
    uncovered = f"Correct does not cover {judgement.not_covered}: give a worked solution."
    show(
        element("h3", headline),
        about,
        element("p", uncovered, kind="muted") if judgement.not_covered else None,
        element("p", judgement.explanation[:LONGEST_EXPLANATION], kind="finding") if judgement.explanation else None,
        lines,
    )


def show_problem_judgement(question: str, judgement: ProblemJudgement, seconds: float) -> None:
    """Show the verdict of engine `symbolic` on a problem, with the words of the evidence marked in the text."""
    text = ProblemText.of(question).text
    verdict = "not judged" if judgement.problem_class is None else judgement.problem_class.word
    kind = {"solvable": "confirmed", "contradictory": "refuted"}.get(verdict, "unknown")
    kinds = [""] * len(text)
    for hint in judgement.evidence:
        start = text.find(hint.found) if hint.found else -1
        if start >= 0:
            kinds[start : start + len(hint.found)] = ["eq found"] * len(hint.found)
    show(
        element("h3", badge(verdict, kind=kind)),
        element("p", _confidence(judgement.confidence, "symbolic", seconds), kind="muted"),
        element("p", judgement.reason, kind="finding"),
        element("p", _pieces(text, kinds), kind="question"),
        [
            element(
                "p",
                *(badge(hint.kind), element("b", f"“{one_line(hint.found, limit=LONGEST_SHOWN)}”"), " "),
                f"speaks for {hint.problem_class.word}: {one_line(hint.says, limit=LONGEST_SHOWN)}",
            )
            for hint in judgement.evidence
        ],
    )


def line_elements(item: Item, judgement: Judgement) -> Iterator[Markup]:
    """Yield the lines of a solution in order, the final answer last; an accused final answer is added if it is missing."""
    hints, steps = list(judgement.evidence), steps_of(item)
    if any(item.lines) or item.answer:  # further hints of the kinds of evidence that need no model, each once
        signals = EVIDENCE.signals_of(Case(item)).values()
        hints = list(dict.fromkeys([*hints, *(hint for signal in signals for hint in signal.shown)]))
    for number, text in enumerate(item.annotated):
        place = f"L{number + 1}"
        own = [hint for hint in hints if hint.line == place]
        operands = [operand for step in steps.steps if step.place == number for operand in step.operands]
        yield _block(place, text, own, _origins(operands, steps), accused=judgement.flawed and judgement.line == place)
    if item.answer is not None or judgement.line == FINAL_ANSWER:
        accused = judgement.flawed and judgement.line == FINAL_ANSWER
        own = [hint for hint in hints if hint.line == FINAL_ANSWER]
        yield _block(FINAL_ANSWER, item.answer or "", own, None, accused=accused)


def _confidence(confidence: float, engine: str, seconds: float) -> str:
    return f"{confidence:.0%} sure, by the {engine} engine in {seconds:.2f} s"


def _block(place: str, text: str, hints: Sequence[Hint], origins: Markup | None, *, accused: bool) -> Markup:
    """Return a line with its mark, its equations and the evidence for and against it."""
    statement = read_statement("" if place == FINAL_ANSWER else text)
    equations = [(equation, _truth(equation, statement)) for equation in statement.equations]
    truths = {truth for _, truth in equations}
    if accused:
        mark = "accused"
    elif Truth.FALSE in truths:
        mark = "false"
    elif hints:
        mark = "suspect"
    else:
        mark = "holds" if truths and not statement.unread and truths <= {Truth.TRUE, Truth.ROUNDED} else "nothing"
    kinds = [""] * len(text)
    for worst in reversed(_HOLDS):  # overlapping equations get the mark of the worst one
        for equation, truth in equations[:MOST_SHOWN]:
            if truth is worst:
                kinds[equation.start : equation.end] = [f"eq {truth}"] * (equation.end - equation.start)
    sign, words = MARKS[mark]
    told_false = {hint.found for hint in hints if hint.expected}
    details = [
        *(_evidence(hint) for hint in hints[:MOST_SHOWN]),
        *(
            _equation(text[equation.start : equation.end], equation, truth)
            for equation, truth in equations[:MOST_SHOWN]
            if not (truth is Truth.FALSE and text[equation.start : equation.end] in told_false)
        ),
        element("li", f"? an equation here was not read: {statement.unread}", kind="muted")
        if statement.unread
        else None,
        origins,
    ]
    content = [element("div", _pieces(text, kinds), kind="text"), element("ul", details) if any(details) else None]
    return element(
        "div",
        *(element("span", sign, kind="sign", title=words), element("b", place), element("div", content)),
        kind=f"judged-line {mark}",
    )


def _truth(equation: StatedEquation, statement: LineStatement) -> Truth:
    # The audit decides what is false: an equation that ends in a correct annotation is not.
    return Truth.UNKNOWN if equation.truth is Truth.FALSE and equation not in statement.false else equation.truth


def _evidence(hint: Hint) -> Markup:
    expected: list[Content] = []
    if hint.expected:
        expected = [", expected ", element("code", one_line(hint.expected, limit=LONGEST_SHOWN))]
    found = element("code", one_line(hint.found, limit=LONGEST_SHOWN))
    return element("li", element("b", hint.kind.name), ": found ", found, expected, kind="evidence")


def _equation(written: str, equation: StatedEquation, truth: Truth) -> Markup:
    sign, words = _HOLDS[truth]
    if truth is Truth.FALSE and equation.left.value is not None:
        words += f"; the left side gives {one_line(format_value(equation.left.value), limit=60)}"
    return element(
        "li", f"{sign} ", element("code", one_line(written, limit=LONGEST_SHOWN)), f" {words}", kind=str(truth)
    )


def _origins(operands: Sequence[Operand], steps: SolutionSteps) -> Markup | None:
    """Return where the numbers that a line computes with may come from."""
    phrases = {}
    for operand in operands:
        results = " or ".join(dict.fromkeys(f"L{steps.steps[step].place + 1}" for step in operand.made))
        origin = {
            OperandSource.QUESTION: "the question",
            OperandSource.RESULT: f"the result of {results}",
            OperandSource.EITHER: f"the question, or the result of {results}",
            OperandSource.KNOWN: "common knowledge",
            OperandSource.DERIVED: "a small conversion of a number before it",
            OperandSource.NOWHERE: "neither the question nor a line before it",
        }[operand.source]
        phrases[f"{one_line(format_value(operand.value), limit=40)} from {origin}"] = operand.source
    shown = dict(list(phrases.items())[:MOST_SHOWN])
    kind = "suspicious" if OperandSource.NOWHERE in shown.values() else "muted"
    return element("li", ", ".join(shown), kind=kind) if shown else None


def _pieces(text: str, kinds: Sequence[str]) -> list[Content]:
    """Return a text in pieces of one kind; a piece with a kind is a mark of that class."""
    pieces: list[Content] = []
    start = 0
    for kind, group in groupby(kinds[: len(text)]):
        end = start + sum(1 for _ in group)
        pieces.append(element("mark", text[start:end], kind=kind) if kind else text[start:end])
        start = end
    return pieces


def comparison_element(rows: Sequence[ComparedRow], diagnosis: Mapping[str, Any]) -> Markup:
    """Return the rows of both sides, and below them what proves the diagnosis."""
    head = element("div", element("b", "This solution"), element("span"), element("b", "Right way"), kind="side head")
    return element("div", head, [_compared_row(row) for row in rows], list(_proofs(diagnosis)), kind="sides")


def _compared_row(row: ComparedRow) -> Markup:
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
