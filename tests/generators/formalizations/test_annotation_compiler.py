"""Tests of the compiler: a solution becomes a template that reproduces it, or is refused with a reason and a line."""

import builtins
import json
import keyword
import math
import time
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from generators.formalizations.annotation_compiler import (
    LONGEST_QUESTION,
    LONGEST_SOLUTION,
    MODEL,
    MOST_LINES,
    MOST_NUMBERS,
    NOTHING_ANNOTATED,
    formalize,
    formalize_all,
)
from harness.corpora.problems import load_corpus
from harness.corpora.responses import Rejection
from harness.domain import Problem, Response, Status
from harness.program.refusal import Refusal, RefusalReason
from harness.text.number_forms import format_value
from oracles.template_claims import judge_template, read_solution
from tests.cases import cases
from tests.generators.formalizations.compiled import compiled, of, problem

NAMES = ["Ann", "Bo", "The class", "Each of them"]
NOUNS = ["apples", "pens", "boxes of pens", "dollars", "kg of rice", "hours", "class", "if", "%", "lambda", ""]


def written(value: Fraction, form: str) -> str:
    """Write a number as a question or a line does."""
    plain = format_value(value)
    if form == "separators" and value.denominator == 1:
        return f"{int(value):,}"
    if form == "percent" and (value * 100).denominator == 1:
        return f"{int(value * 100)}%"
    return f"${plain}" if form == "money" else plain


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Draw a problem as GSM8K has them: inputs in the question, lines with true annotations, the gold answer last."""
    forms = st.sampled_from(["plain", "plain", "plain", "separators", "money", "percent"])
    halves = st.sampled_from([Fraction(1, 2), Fraction(1, 4), Fraction(5, 2), Fraction(2)])
    inputs = draw(st.lists(halves | st.integers(1, 5000).map(Fraction), min_size=2, max_size=5))
    told = [f"{written(value, draw(forms))} {draw(st.sampled_from(NOUNS))}".strip() for value in inputs]
    known, lines = list(inputs), []
    for _ in range(draw(st.integers(1, 5))):
        left, right = draw(st.sampled_from(known)), draw(st.sampled_from([*known, Fraction(12), Fraction(3)]))
        values = {"+": left + right, "*": left * right}
        if left >= right:
            values["-"] = left - right
        if right and (left / right).denominator in {1, 2, 4, 5, 10}:
            values["/"] = left / right
        sign, noun = draw(st.sampled_from(sorted(values))), draw(st.sampled_from(NOUNS))
        calculation = f"{format_value(left)}{sign}{format_value(right)}"
        prose = f"{written(left, draw(forms))} {noun} {sign} {format_value(right)} = "
        shown = draw(st.sampled_from(["", f"{calculation} = ", prose]))
        result = f"<<{calculation}={format_value(values[sign])}>>{written(values[sign], draw(forms))}"
        lines.append(f"{draw(st.sampled_from(NAMES))} has {shown}{result} {noun}.")
        known.append(values[sign])
        between = ["", "That is all.", f"Of {format_value(left)} there were {format_value(right)}."]
        lines += [draw(st.sampled_from(between))] if draw(st.booleans()) else []
    return problem(f"{', '.join(told)}?", "\n".join(lines), format_value(known[-1]))


@given(problems())
def test_a_solution_is_given_back(given_problem: Problem) -> None:
    """The template is read, traced, laid over every line without a difference, renders the very solution, and answers gold."""
    found = of(given_problem)
    assert format_value(found.trace.answer.value) == given_problem.gold
    assert (found.text.mismatches, found.text.render(), found.template.repairs) == ((), given_problem.solution, ())


@cases("name", sorted({*dir(builtins), *keyword.kwlist, *keyword.softkwlist, *dir(math), "math", "solve", "answer"}))
def test_any_noun_names_an_input_and_a_result(name: str) -> None:
    """Words that are Python's own, as nouns of the question and of the line, do not change what is computed."""
    found = compiled(
        f"There are 6 {name}, 4 pens?", f"<<6*4=24>>24 {name}\n<<24/5=4>>4 {name}\n<<4/3=1.33>>1.33", "1.33"
    )
    assert (found.trace.answer.value, found.text.faithful) == (Fraction(133, 100), True)


HOSTILE = st.sampled_from(
    [
        *("<<", ">>", "<<<<", ">>>>", "//", "\n", "\n", "\r\n", "# L1", "```"),
        *"=*+-/() \n%${}\r\x0b\x0c\x1c\x85\u2028\ud800\0\\\"'`#",
        *("3", "4", "12", "007", "1,250", "1,2", "3.", ".5", "5%", "25 %", "1" * 50, "٣", "²", "½", "half", "twice"),
        *("<<3*4=12>>12", "<<1/3=.33>>0.33", "<<100/3=33.33>>", "<<7/2=3>>", "<<7/2=4>>", "<<12=12>>", "<<3*4=3*4>>"),
        *("<<3*4=12.>>", "<<007*2=14>>", "<<1,2*1=12>>", "3 boxes * 4 pens = 12 pens", "3*4=12", "1/2 = 50%", "5/0"),
        *("__import__('os').system('x')", "lambda", "class", "é", "\u202e", "{constant}", "{answer}", "L1", "# WK"),
    ]
)
SOLUTIONS = (
    st.binary(max_size=60).map(lambda data: data.decode("utf-8", "replace"))
    | st.text(st.characters(exclude_categories=()), max_size=60)
    | st.lists(HOSTILE, max_size=14).map("".join)
    | st.lists(HOSTILE, max_size=14).map(lambda parts: "<<3*4=12>>12 apples\n" + "".join(parts))
)


@given(SOLUTIONS, SOLUTIONS, st.none() | st.sampled_from(["12", "50%", "x", "1/0"]))
def test_any_solution_is_given_back_or_refused(question: str, solution: str, gold: str | None) -> None:
    """With a typed reason, and nothing else ever happens; what compiles is read, traced and gives back each line."""
    try:
        found = compiled(question, solution, gold)
    except Refusal as refusal:
        reason = refusal.reason
    else:
        reason = None
        assert (found.text.mismatches, found.text.render()) == ((), solution)
    assert reason in {
        None,
        RefusalReason.NO_ANNOTATION,
        RefusalReason.SEVERAL_ANNOTATIONS,
        RefusalReason.MALFORMED_ANNOTATION,
        RefusalReason.FALSE_ANNOTATION,
        RefusalReason.CONTROL_CHARACTER,
    }


# A solution, the reason it is refused for, and the line.
REFUSED: list[tuple[str, RefusalReason, int | None]] = [
    ("", RefusalReason.NO_ANNOTATION, None),
    ("He has 3+4 = 7 apples.", RefusalReason.NO_ANNOTATION, None),
    ("<<1+1=2>>2\n<<1+1=2>> and <<2+2=4>>", RefusalReason.SEVERAL_ANNOTATIONS, 2),
    ("<<1+1=2>>2\n\n<<1+1=2", RefusalReason.MALFORMED_ANNOTATION, 3),
    ("<<1+1=2>>2\n7>>", RefusalReason.MALFORMED_ANNOTATION, 2),
    ("<<1 1=2>>", RefusalReason.MALFORMED_ANNOTATION, 1),
    ("<<1+1=>>", RefusalReason.MALFORMED_ANNOTATION, 1),
    ("<<1+1=2>>{2}", RefusalReason.MALFORMED_ANNOTATION, 1),
    ("<<x+1=2>>", RefusalReason.MALFORMED_ANNOTATION, 1),
    ("<<1+1=2>>\n<<1+1=3>>", RefusalReason.FALSE_ANNOTATION, 2),
    ("<<7/2=5>>", RefusalReason.FALSE_ANNOTATION, 1),
    ("<<7/3=2.3>>\n<<7/3=2.34>>", RefusalReason.FALSE_ANNOTATION, 2),
    ("<<5/0=0>>", RefusalReason.FALSE_ANNOTATION, 1),
    ("<<5/(2-2)+1=1>>", RefusalReason.FALSE_ANNOTATION, 1),
    ("<<5//0=0>>", RefusalReason.FALSE_ANNOTATION, 1),
    ("<<1+1=1/0>>", RefusalReason.FALSE_ANNOTATION, 1),
    ("<<1+1=2>>\ud800", RefusalReason.CONTROL_CHARACTER, 1),
    ("<<1+1=2>>" + "\n" * MOST_LINES, RefusalReason.TOO_LARGE, None),
    ("<<1+1=2>>" + " " * LONGEST_SOLUTION, RefusalReason.TOO_LARGE, None),
]


@cases("number", range(len(REFUSED)))
def test_refusals_are_typed_and_name_the_line(number: int) -> None:
    """One example a reason and more."""
    solution, reason, line = REFUSED[number]
    with pytest.raises(Refusal) as refused:
        formalize(problem("", solution))
    assert (refused.value.reason, refused.value.line) == (reason, line)


@pytest.mark.parametrize("question", ["2" * (LONGEST_QUESTION + 1), "2 " * (MOST_NUMBERS + 1)])
def test_a_question_may_be_too_large(question: str) -> None:
    """By its length or by how many numbers it states."""
    with pytest.raises(Refusal, match=r"^too-large: a question"):
        formalize(problem(question, "<<1+1=2>>2"))


def test_limits_hold_at_their_edge() -> None:
    """A hundred lines, and as many characters and numbers as are said, compile."""
    solution = "<<1+1=2>>2" + "\n" * (MOST_LINES - 1)
    assert compiled("1 " * MOST_NUMBERS, solution).text.render() == solution
    long = "<<1+1=2>>2\n" + "x" * (LONGEST_SOLUTION - 11)
    assert compiled("y" * LONGEST_QUESTION, long).text.render() == long


def test_equations_within_equations_are_bounded() -> None:
    """Where every number stands for a dozen others, three times over, the line is refused in no time."""
    sums = "+".join(["6"] * 12), "+".join(["72"] * 12), "+".join(["864"] * 12)
    begin = time.perf_counter()
    with pytest.raises(Refusal, match="too-large"):
        formalize(
            problem(
                "", f"{sums[0]} = 72, {sums[1]} = 864, {sums[2]} = 10368. <<{'+'.join(['10368'] * 30)}={10368 * 30}>>"
            )
        )
    assert time.perf_counter() - begin < 5


def test_formalizers_turn_refusals_into_rejections() -> None:
    """Every problem is answered by a template, as a model would, or rejected by the name of the formalizer, with the reason."""
    response, rejection = formalize_all([problem("", "<<1+1=2>>2"), problem("", "Nobody knows.")])
    assert isinstance(response, Response)
    assert response == Response("p-1", MODEL, response.text, "template", made=True)
    assert json.loads(response.text).keys() == {"function_code", "logical_steps"}
    assert rejection == Rejection(MODEL, "p-1", MODEL, f"no-annotation: {NOTHING_ANNOTATED}")


MINI = load_corpus("mini")
# The last annotation of these is an amount that the solution then divides and rounds in prose.
ROUNDED_IN_PROSE = {"mini-039", "mini-040"}


@cases("problem", MINI)
def test_solutions_of_mini_withstand_every_claim(problem: Problem) -> None:
    """All claims are confirmed, but for the answer of two that round in prose."""
    verdicts = judge_template(problem, read_solution(problem, formalize(problem)))
    refuted = {claim for claim, verdict in verdicts.items() if verdict.status is not Status.CONFIRMED}
    assert refuted == ({"answer"} if problem.problem_id in ROUNDED_IN_PROSE else set())


def outcomes(problems: Iterable[Problem]) -> Counter[str]:
    """Compile, read and judge solutions; count what came of each, and those whose text is not given back."""
    counts: Counter[str] = Counter()
    for solved in problems:
        counts["problems"] += 1
        try:
            response = formalize(solved)
        except Refusal as refusal:
            counts[refusal.reason] += 1
            continue
        reading = read_solution(solved, response)
        verdicts = judge_template(solved, reading)
        counts["given back"] += reading.text is not None and reading.text.render() == solved.solution
        counts["compiled"] += 1
        counts.update(claim for claim, verdict in verdicts.items() if verdict.status is Status.CONFIRMED)
    return counts


def train(shared_data: Path) -> list[Problem]:
    """Return the problems of GSM8K's training set."""
    return load_corpus(str(shared_data / "gsm8k" / "train.jsonl"))


def test_a_slice_of_real_solutions(shared_data: Path) -> None:
    """Of every sixtieth problem at least 95 of a hundred reach gold; every template is faithful."""
    found = outcomes(train(shared_data)[::60])
    assert found["answer"] >= 0.95 * found["problems"]
    assert (
        found["given back"]
        == found["structure"]
        == found["graph"]
        == found["lines"]
        == found["compiled"]
        == found["problems"] - found["no-annotation"] - found["malformed-annotation"]
    )
