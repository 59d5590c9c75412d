"""The features of each place of a solution that may show where its error is, and of which kind."""

import re
from collections.abc import Sequence
from math import log

from harness.answers.gold_answer import read_gold
from harness.domain import Exact
from harness.equations.equation import ParenthesizedExpression
from harness.solution.labels import FINAL_ANSWER
from harness.text.units import FACTS, singular_unit
from harness.text.words import plain_words
from oracles.labels.audit.final_answer import same_number
from sft.verifier.case import Case
from sft.verifier.solution_steps import OperandSource, SolutionStep, SolutionSteps, steps_of
from sft.verifier.wording_model import OPERATORS, OperationDoubt, called_for, doubts

_NAMES = {"+": "plus", "-": "minus", "*": "times", "/": "over"}
_SOURCES = {OperandSource.QUESTION: "from_question", OperandSource.RESULT: "from_result"}
_LETTER = re.compile(r"(?<![A-Za-z'’])[b-hj-zB-HJ-Z](?![A-Za-z'’])")
SURPRISE = 10.0
_WRONG_FACTS = tuple((fact.wrong, fact.alternatives) for fact in FACTS if fact.wrong)


def place_features(case: Case) -> dict[str, dict[str, float]]:
    """Return the features of each place, by its name; all places of all solutions have the same features."""
    steps = steps_of(case.item)
    shared = _of_solution(case, steps)
    doubted = doubts(steps)
    places = case.item.places()
    features = {}
    for number, place in enumerate(places):
        is_answer = place == FINAL_ANSWER
        own = dict.fromkeys(_LINE, 0.0) if is_answer else _of_line(case, steps, number, doubted)
        is_last = number == len(case.item.lines) - 1
        features[place] = {
            **own,
            "position": number / max(1, len(places) - 1),
            "last_line": float(is_last),
            "is_answer": float(is_answer),
            **{f"all_{name}": value for name, value in shared.items()},
            "answer_earlier": is_answer * shared["earlier"],
            "absent_and_last": min(1.0, shared["absent"]) * is_last,
        }
    return features


def _of_solution(case: Case, steps: SolutionSteps) -> dict[str, float]:
    asked = steps.asked
    text = {value for line in case.solution.statements for value in line.numbers}
    chances = called_for(steps)
    unsaid = [place for place in chances if text.isdisjoint(asked.mentions[place].readings)]
    absent = [chances[place] for place in unsaid if not asked.idle(place)]
    answer = None if case.item.answer is None else read_gold(case.item.answer)
    lines = case.solution.statements
    last = [value for value in (*lines[-1].numbers, *lines[-1].results) if value is not None] if lines else []
    stated = [value for line in lines[:-1] for value in (*line.numbers, *line.results) if value is not None]
    off = answer is not None and bool(last) and not any(same_number(answer.value, value) for value in last)
    return {
        "absent": float(len(absent)),
        "absent_chance": max(absent, default=0.0),
        "dangling": float(len(steps.dangling())),
        "off": float(off),
        "earlier": float(off and answer is not None and any(same_number(answer.value, value) for value in stated)),
        "steps": float(len(steps.steps)),
        "numbers": float(len(asked.mentions)),
    }


_LINE = (
    *("steps", "operations", "no_equation", "plain_number", "nowhere", "nowhere_unseen"),
    *("from_question", "from_result", "either", "known", "derived", "old_result", "newest_result", "reused"),
    *("dangling", "partial", "same_result", "same_operands", "many_operands", "surprise", "margin", "wrong_fact"),
    *("percent", "parentheses", "mixed_signs", "letter", "less_over_more", "minus_below", "given_result"),
    *("off_question", "twice_used_question", "identity", *_NAMES.values()),
)


def _of_line(case: Case, steps: SolutionSteps, number: int, doubted: Sequence[OperationDoubt]) -> dict[str, float]:
    features = dict.fromkeys(_LINE, 0.0)
    line, statement = case.item.lines[number], case.solution.statements[number]
    own = [(place, step) for place, step in enumerate(steps.steps) if step.place == number]
    before = [step for step in steps.steps if step.place < number]
    given = {reading for mention in steps.asked.mentions for reading in mention.readings}
    known = given | {step.value for step in before if step.value is not None}
    numbers = [value for value in statement.numbers if value is not None]
    features["steps"] = float(len(own))
    features["no_equation"] = float(not own)
    features["plain_number"] = float(not own and bool(numbers))
    features["off_question"] = float(not own and any(value not in known for value in numbers))
    features["percent"] = float("%" in line)
    features["letter"] = float(bool(_LETTER.search(line)))
    values = [step.value for step in steps.steps]
    dangling = set(steps.dangling())
    for place, step in own:
        _add_step(features, steps, place, step)
        features["dangling"] += place in dangling
        features["same_result"] += step.value in values[:place]
        features["given_result"] += step.value in given
    of_line = [doubt for doubt in doubted if steps.steps[doubt.step].place == number]
    if of_line:
        worst = max(of_line, key=lambda doubt: -log(doubt.stated_probability))
        features["surprise"] = min(SURPRISE, -log(worst.stated_probability))
        features["margin"] = min(SURPRISE, log(max(1e-6, worst.expected_probability) / worst.stated_probability))
    operands = [operand.value for _, step in own for operand in step.operands]
    features["wrong_fact"] = float(_wrong_fact(case, line, operands))
    return features


def _add_step(features: dict[str, float], steps: SolutionSteps, place: int, step: SolutionStep) -> None:
    operations = list(step.operations())
    signs = ["/" if operation.operator == "//" else operation.operator for operation in operations]
    features["operations"] += len(signs)
    for sign in signs:
        if sign in OPERATORS:
            features[_NAMES[sign]] += 1
    features["mixed_signs"] += bool(set(signs) & {"+", "-"}) and bool(set(signs) & {"*", "/"})
    sides = [side for operation in operations for side in (operation.left, operation.right)]
    features["parentheses"] += any(isinstance(side, ParenthesizedExpression) for side in sides)
    features["partial"] += step.value is not None and step.value.denominator > 1
    features["many_operands"] += len(step.operands) > 2
    features["same_operands"] += len({operand.value for operand in step.operands}) < len(step.operands)
    features["identity"] += any(operand.value in {0, 1} for operand in step.operands)
    for operand in step.operands:
        source = operand.source
        features[_SOURCES.get(source, source)] += 1
        if source is OperandSource.NOWHERE:
            features["nowhere_unseen"] += all(operand.value != earlier.value for earlier in steps.steps[:place])
        if operand.made:
            features["newest_result"] += operand.made[-1] == place - 1
            features["old_result"] += operand.made[-1] < place - 1
        if operand.given:
            given, before = set(operand.given), steps.steps[:place]
            users = sum(any(given & set(other.given) for other in earlier.operands) for earlier in before)
            features["reused"] += users > 0
            features["twice_used_question"] += users > 1
    for operation in operations:
        first, second = operation.left.value, operation.right.value
        if first is not None and second is not None:
            features["minus_below"] += operation.operator == "-" and first < second
            features["less_over_more"] += operation.operator in {"/", "//"} and first < second


def _wrong_fact(case: Case, line: str, operands: Sequence[Exact]) -> bool:
    """Tell whether an operand is a value that people take for a fact whose words stand in the question or the line."""
    wanted = [alternatives for wrong, alternatives in _WRONG_FACTS if any(value in operands for value in wrong)]
    if not wanted:
        return False
    words = {singular_unit(word) for word in plain_words(f"{case.item.question} {line}")}
    return any(alternative <= words for alternatives in wanted for alternative in alternatives)
