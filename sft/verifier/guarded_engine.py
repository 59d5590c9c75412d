"""The engine around every engine: a proved error decides, and a solution with unread lines is never called Correct without doubt."""

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from harness.domain import Exact
from harness.equations.derivation import false_steps
from harness.program.refusal import Refusal
from harness.program.syntax.code_extraction import parse
from harness.solution.labels import FINAL_ANSWER, ErrorType
from harness.text.language import unread_language
from harness.text.markup import without_latex
from harness.text.nouns import article_of
from harness.text.numbers import mentions
from oracles.labels.audit.solution_lines import read_statement
from sft.samples.items import Item, UnreadLine, beyond_limits
from sft.samples.solution_judgement import Engine, Hint, HintKind, Judgement, ShareEstimator
from sft.samples.solution_text import concluded
from sft.verifier.case import EVIDENCE, Case
from sft.verifier.decision import corrected_line
from sft.verifier.unread_lines import MOST_NUMBERS, unread_lines

DERIVED = HintKind("false step of a derivation", ErrorType.COMPUTATIONAL, certainty=0.99)
REARRANGED = HintKind("wrong rearrangement", ErrorType.ALGEBRAIC_SIMPLIFICATION, certainty=0.99)
NOT_COVERED = "wrong steps of true arithmetic"
"""What no engine proves absent that reads the text of a solution alone."""
NO_STEP = "a step was not read: no line states an equation, or a number that the question does not state"
THOUGHT = "its steps stand in thoughts, which are a draft"
UNREAD_CONFIDENCE = 0.5
"""The highest confidence of the verdict `Correct` on a solution with a line that may state something false and was not read."""


@dataclass(frozen=True, slots=True)
class GuardedEngine:
    """Judges by the first proved error: a false equation that the label audit certifies, or a false step of a derivation such as `2x = 10`, `x = 6`.

    `engine` is asked about the other solutions. One with a line beyond the limits and without such an error is not judged. The lines that were not read are
    listed in each judgement, and lower the confidence of `Correct` to one half. `any_script`: the engine reads texts in every script.
    """

    engine: Engine
    any_script: bool = False

    @property
    def name(self) -> str:
        """Return the name of the engine that is asked."""
        return self.engine.name

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield a judgement on each item, in order."""
        unread = [unread_lines(Case(item), any_script=self.any_script) for item in items]
        read = [concluded(item) for item in items]
        known = [
            proved(Case(item)) or (Judgement.unjudged(reason) if (reason := beyond_limits(lines)) else None)
            for item, lines in zip(read, unread, strict=True)
        ]
        views = items if self.any_script else [without_form(item) for item in read]
        proved_ones = sum(of is not None and of.flawed for of in known)
        engine = self.engine.beside(proved_ones) if isinstance(self.engine, ShareEstimator) else self.engine
        asked = iter(engine.judge([item for item, of in zip(views, known, strict=True) if of is None]))
        for item, view, lines, judged in zip(read, views, unread, known, strict=True):
            if judged is None:
                judged = next(asked)
                if judged.flawed and _works_in_thoughts(item, view):
                    judged = replace(Judgement.unjudged(THOUGHT), evidence=judged.evidence)
                # A language model reads other languages, of which no step is read here.
                if not (self.any_script and unread_language("\n".join(item.lines), item.question)):
                    judged = _by_what_is_read(item, judged)
            judged = _with_unread(lines, judged, reads_all=self.any_script)
            covers = judged.flawed or judged.error or self.any_script
            yield judged if covers else replace(judged, not_covered=NOT_COVERED)


def without_form(item: Item) -> Item:
    """Return an item, its answer concluded, as engines read it: without annotations and LaTeX, so that the form gives no hint, and without what the solution takes back."""
    claimed = Case(replace(item, annotated=item.lines)).solution.claimed
    return replace(item, lines=tuple(" ".join(without_latex(line).split()) for line in claimed), annotated=claimed)


def _by_what_is_read(item: Item, judged: Judgement) -> Judgement:
    """Return a judgement that is `Correct` only where a step was read and the final answer does not contradict the lines."""
    if judged.flawed or judged.error:
        return judged
    if not _has_step(item):
        return replace(Judgement.unjudged(NO_STEP), evidence=judged.evidence)
    case = Case(replace(item, annotated=item.lines))
    contradicting = [hint for hint in EVIDENCE.require("final_answer").read(case).shown if hint.kind.certainty]
    return judgement_of_hint(case, contradicting[0], contradicting) if contradicting else judged


def _works_in_thoughts(item: Item, view: Item) -> bool:
    """Tell whether a line with an equation is no part of what an engine reads of an item, so that the results that it takes from there come from nowhere."""
    return any(not seen and read_statement(line).equations for line, seen in zip(item.lines, view.lines, strict=True))


def _has_step(item: Item) -> bool:
    """Tell whether the lines work on numbers of the question and come to another: by an equation, or with the numbers of an operation and its result.

    Code is no step, and what the question states itself is none.
    """
    given = {reading for mention in mentions(item.question) for reading in mention.readings}
    works = not given
    derives = in_code = False
    for line in () if _is_code(item.annotated) else item.lines:
        fence = line.lstrip().startswith(("```", "~~~"))
        in_code ^= fence
        if fence or in_code:
            continue
        numbers = {reading for mention in mentions(line) for reading in mention.readings}
        equations = (line[equation.start : equation.end] for equation in read_statement(line).equations)
        works_out = any(equation not in item.question for equation in equations)
        states = works_out or ("=" in line and not numbers <= given) or _operates(numbers, given)
        works = works or (states and not numbers.isdisjoint(given))
        derives = derives or states
    return works and derives


def _operates(numbers: Collection[Exact], given: Collection[Exact]) -> bool:
    """Tell whether a number that the question does not state is the result of an operation on two others of its line."""
    few = [number for number in numbers if number] if len(numbers) <= MOST_NUMBERS else []
    pairs = [(left, right) for left in few for right in few if left != right]
    results = ((left + right, left - right, left * right, Fraction(left) / right) for left, right in pairs)
    made = {result for of_pair in results for result in of_pair}
    return any(number in made for number in few if number not in given)


def _is_code(lines: Sequence[str]) -> bool:
    """Tell whether the lines are a program in Python that calls a function by its name."""
    try:
        nodes = ast.walk(parse("\n".join(lines)))
    except Refusal:
        return False
    return any(isinstance(node, ast.Call) and isinstance(node.func, ast.Name) for node in nodes)


def _with_unread(lines: tuple[UnreadLine, ...], judged: Judgement, *, reads_all: bool) -> Judgement:
    """Return a judgement with the lines that were not read.

    It is no verdict `Correct` if one of them exceeds a limit; if one may state something false in a form that is not read, `Correct` is as likely as
    not, unless the engine reads whole texts by itself (`reads_all`).
    """
    unread = (*lines, *judged.unread)
    reason = beyond_limits(unread)
    if reason and not judged.flawed and not judged.error:
        judged = replace(Judgement.unjudged(reason), evidence=judged.evidence)
    elif lines and not judged.flawed and not reads_all:
        judged = replace(judged, confidence=min(judged.confidence, UNREAD_CONFIDENCE))
    return replace(judged, unread=unread) if unread else judged


def proved(case: Case) -> Judgement | None:
    """Return the judgement by the first false equation that the label audit certifies, or false step of a derivation; `None` without one."""
    steps = []
    for step in false_steps(case.item.lines):
        kind = REARRANGED if step.rearranged else DERIVED
        due = f"{step.due}, as {step.first.written} says"
        steps.append(kind.at(f"L{step.second.place + 1}", step.second.written, due))
    certified = {case.solution.label(place) for place in case.solution.false_lines}
    if not steps and not certified:
        return None
    hints = [hint for kind in EVIDENCE for hint in kind.read(case).shown]
    deciding = [*(hint for hint in hints if hint.kind.equation and hint.line in certified), *steps]
    places = case.item.places()
    first = min(deciding, key=lambda hint: places.index(hint.line), default=None)
    return None if first is None else judgement_of_hint(case, first, [*steps, *hints])


def judgement_of_hint(case: Case, first: Hint, hints: Sequence[Hint]) -> Judgement:
    """Return the judgement that one hint decides; the other hints stand after it in the evidence."""
    where = "The final answer" if first.line == FINAL_ANSWER else first.line
    expected = f" It should be {first.expected}." if first.expected else ""
    why = f"{where} states {first.found}, {article_of(first.kind.name)} {first.kind.name}.{expected}"
    judged = Judgement.of_error(first.kind.error_type, first.line, why, first.kind.certainty)
    evidence = tuple(dict.fromkeys((first, *hints)))
    return replace(judged, correction=corrected_line(case.item, first), evidence=evidence)
