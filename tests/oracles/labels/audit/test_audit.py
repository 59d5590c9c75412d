"""Tests of the label audit: it confirms correct labels and locates each planted fault."""

from dataclasses import dataclass
from typing import Any

from hypothesis import given, strategies as st

from harness.corpora.labelled_solutions import LabelledSolution, read_record
from harness.domain import Problem, Status, Verdict
from oracles.labels.audit.causes import AuditCause
from oracles.labels.audit.label_verdict import audit
from tests.cases import cases

Record = dict[str, Any]


def judged(record: Record, problem: Problem | None = None) -> Verdict:
    """Return the verdict on a record."""
    found = read_record(record, "file#0")
    assert isinstance(found, LabelledSolution)
    return audit(found, problem, "p-1")


def causes(verdict: Verdict) -> set[tuple[str, str]]:
    """Return line and cause of each finding."""
    return {(finding.line, finding.cause) for finding in verdict.findings}


def flawed(
    text: str, /, line: str = "L1", error_type: str = "computational_error", *, explanation: str = "", **more: str
) -> Record:
    """Return a record whose flawed solution is labelled."""
    details = {"error_type": error_type, "erroneous_line_number": line, "explanation": explanation}
    return {"flawed_solution": text, "label": {"verdict": "Flawed", "error_details": details}, **more}


@dataclass(frozen=True)
class Chain:
    """A solution whose every line computes with the result before it: steps of a sign and a number."""

    start: int
    steps: tuple[tuple[str, int], ...]

    def values(self, *, wrong: int | None = None, by: int = 0) -> list[int]:
        """Return the result of each line; one of them may be off."""
        found: list[int] = []
        for place, (sign, number) in enumerate(self.steps):
            before = found[-1] if found else self.start
            value = before + number if sign == "+" else before * number
            found.append(value + by if place == wrong else value)
        return found

    def lines(self, values: list[int], *, annotated: bool = True) -> list[str]:
        """Return the lines that state these results."""
        shown = []
        for (sign, number), before, value in zip(self.steps, [self.start, *values], values, strict=False):
            note = f"<<{before}{sign}{number}={value}>>" if annotated else ""
            shown.append(f"Now there are {before} {sign} {number} = {note}{value} clips.")
        return shown

    def solution(self, values: list[int], *, annotated: bool = True) -> str:
        """Return the whole solution."""
        return "\n".join([*self.lines(values, annotated=annotated), f"#### {values[-1]}"])


# Results beyond 1,000 are none of the numbers that occur in any text.
CHAINS = st.builds(
    Chain,
    st.integers(1_001, 1_999),
    st.lists(st.tuples(st.just("+"), st.integers(101, 999)) | st.tuples(st.just("*"), st.integers(2, 9)), min_size=3, max_size=5).map(tuple),
)  # fmt: skip
OFF = st.integers(-50, 50).filter(bool)
QUESTION = "How many clips are there?"


@st.composite
def slips(draw: st.DrawFn) -> tuple[Chain, int, int, bool]:
    """Draw a chain, the place of its wrong line, how far it is off, and whether it is annotated."""
    chain = draw(CHAINS)
    return chain, draw(st.integers(0, len(chain.steps) - 1)), draw(OFF), draw(st.booleans())


@given(slips())
def test_a_right_label_is_confirmed(slip: tuple[Chain, int, int, bool]) -> None:
    """One wrong line, everything after it computed from what it states; with and without the correct solution."""
    chain, place, by, annotated = slip
    text = chain.solution(chain.values(wrong=place, by=by), annotated=annotated)
    right = chain.solution(chain.values(), annotated=annotated)
    for more in ({}, {"solution": right, "question": QUESTION}):
        verdict = judged(flawed(text, f"L{place + 1}", **more))
        assert (verdict.status, verdict.findings, verdict.checked > 0) == (Status.CONFIRMED, (), True)


@given(slips(), st.data())
def test_a_label_on_another_line_is_refuted(slip: tuple[Chain, int, int, bool], data: st.DataObject) -> None:
    """A label on another line is refuted, and the line with the false equation is named."""
    chain, place, by, annotated = slip
    other = data.draw(st.sampled_from([index for index in range(len(chain.steps)) if index != place]))
    text = chain.solution(chain.values(wrong=place, by=by), annotated=annotated)
    assert (f"L{place + 1}", AuditCause.ANOTHER_LINE) in causes(judged(flawed(text, f"L{other + 1}")))


@given(slips(), st.data())
def test_a_second_false_equation_is_found(slip: tuple[Chain, int, int, bool], data: st.DataObject) -> None:
    """A second false equation is found in an annotation or in prose."""
    chain, place, by, annotated = slip
    other = data.draw(st.sampled_from([index for index in range(len(chain.steps)) if index != place]))
    values = chain.values(wrong=place, by=by)
    lines = chain.lines(values, annotated=annotated)
    lines[other] = lines[other].replace(f"{values[other]} clips", f"{values[other] + 1} clips")
    verdict = judged(flawed("\n".join([*lines, f"#### {values[-1]}"]), f"L{place + 1}"))
    assert (f"L{other + 1}", AuditCause.FALSE_ELSEWHERE) in causes(verdict)


@given(slips())
def test_a_number_that_was_not_carried_on_is_found(slip: tuple[Chain, int, int, bool]) -> None:
    """In words that no equation shows: the line after the wrong one still tells the correct result."""
    chain, place, by, annotated = slip
    told = "We had {} clips before that, let us not forget."
    right, wrong = chain.values(), chain.values(wrong=place, by=by)
    texts = []
    for values, kept in ((right, right), (wrong, right)):
        lines = chain.lines(values, annotated=annotated)
        lines.insert(place + 1, told.format(kept[place]))
        texts.append("\n".join([*lines, f"#### {values[-1]}"]))
    verdict = judged(flawed(texts[1], f"L{place + 1}", solution=texts[0], question=QUESTION))
    assert causes(verdict) == {(f"L{place + 2}", AuditCause.STALE_NUMBER)}


@given(slips())
def test_a_computational_error_called_conceptual_is_found(slip: tuple[Chain, int, int, bool]) -> None:
    """A computational error that is labelled conceptual is found."""
    chain, place, by, annotated = slip
    text = chain.solution(chain.values(wrong=place, by=by), annotated=annotated)
    assert (f"L{place + 1}", AuditCause.FALSE_IN_CONCEPTUAL) in causes(judged(flawed(text, "L1", "conceptual_error")))


@given(slips())
def test_a_correct_solution_is_confirmed_and_no_flawed_one(slip: tuple[Chain, int, int, bool]) -> None:
    """A `correct` label needs every equation and the gold answer."""
    chain, place, by, annotated = slip
    values = chain.values()
    right, wrong = (
        chain.solution(numbers, annotated=annotated) for numbers in (values, chain.values(wrong=place, by=by))
    )
    problem = Problem("p-1", QUESTION, right, str(values[-1]))
    assert judged({"solution": right, "label": "correct"}, problem).status is Status.CONFIRMED
    assert {AuditCause.CORRECT_BUT_FALSE, AuditCause.CORRECT_BUT_ANOTHER_ANSWER} <= {
        cause for _, cause in causes(judged({"solution": wrong, "label": "correct"}, problem))
    }


RIGHT = "3 + 4 = <<3+4=7>>7 cats\n7 * 5 = <<7*5=35>>35 legs\n35 - 2 = <<35-2=33>>33 left\n#### 33"
WRONG = "3 + 4 = <<3+4=8>>8 cats\n8 * 5 = <<8*5=40>>40 legs\n40 - 2 = <<40-2=38>>38 left\n#### 38"
SWAPPED = "3 + 4 = <<3+4=7>>7 cats\n7 + 5 = <<7+5=12>>12 legs\n12 - 2 = <<12-2=10>>10 left\n#### 10"
PUBLISHED = "The result of this computation should be {}, not {}."


def ended(solution: str, answer: int, *label: str) -> Record:
    """Return a record whose solution ends in another answer."""
    return flawed(f"{solution.rpartition(' ')[0]} {answer}", *label, solution=RIGHT)


CASES: dict[str, tuple[Record, str]] = {
    "no such line": (flawed(WRONG, "L4"), "L4 no-such-line"),
    "all holds": (flawed(SWAPPED, "L2"), "L2 no-false-equation-on-the-labelled-line"),
    "the answer comes first": (flawed("\n".join(["#### 38", *WRONG.splitlines()[:3]])), "FA misplaced-answer-line"),
    "the answer is out of the blue": (ended(WRONG, 77), "FA answer-does-not-follow"),
    "the answer is an earlier result": (ended(WRONG, 40), "FA answer-does-not-follow"),
    "the answer is selected wrongly, as labelled": (ended(RIGHT, 35, "FA", "wrong_final_answer_selection"), ""),
    "the gold answer is called a wrong selection": (
        ended(SWAPPED, 33, "FA", "wrong_final_answer_selection"),
        "FA right-answer-called-wrong; FA answer-does-not-follow; L2 label-on-another-line",
    ),
    "nothing was changed": (
        flawed(RIGHT, "L2", "operator_swap", solution=RIGHT),
        "L2 same-as-the-correct-solution; FA flawed-but-right-answer",
    ),
    "an unchanged line is labelled": (
        flawed(SWAPPED, "L1", "operator_swap", solution=RIGHT),
        "L2 label-on-another-line",
    ),
    "the explanation is right": (flawed(WRONG, explanation=PUBLISHED.format(7, 8)), ""),
    "the explanation names another value": (
        flawed(WRONG, explanation=PUBLISHED.format(9, 8)),
        "L1 explanation-disagrees",
    ),
    "the noise of floats is no other value": (
        flawed("0.1 + 0.2 = 0.4\n#### 0.4", explanation=PUBLISHED.format("0.30000000000000004", "0.4")),
        "",
    ),
    "a first error step is silent on later ones": (
        {"steps": ["3 + 4 = 8", "8 + 1 = 10", "10"], "first_error_step": 1, "error_type": "computational_error"},
        "",
    ),
    "a step before the first error is false": (
        {"steps": ["3 + 4 = 8", "8 + 1 = 9", "9"], "first_error_step": 2, "error_type": "conceptual_error"},
        "L1 label-on-another-line",
    ),
    "no line is labelled": (flawed(WRONG, ""), ""),
}


@cases("case", CASES)
def test_each_cause_is_found_and_no_other(case: str) -> None:
    """REFUTED exactly where a cause that refutes is found."""
    record, findings = CASES[case]
    expected = {tuple(finding.split()) for finding in findings.split("; ") if finding}
    verdict = judged(record)
    refuted = any(AuditCause(cause).refutes for _, cause in expected)
    assert (causes(verdict), verdict.status) == (expected, Status.REFUTED if refuted else Status.CONFIRMED)


@cases(
    "record",
    [
        flawed("Let x be the cats.\n2x + 5 = 17\n#### 6", "L2"),
        flawed("Nobody can say.\n#### 6"),
        flawed("3 + 4 = 7 cats\n2x + 5 = 17\n#### 7", "L1", "conceptual_error"),
        flawed("<<15=15>>15 toys\n#### 15"),
        {"solution": "It is five.\nA: 5", "is_correct": True},
    ],
)
def test_what_cannot_be_read_is_unknown(record: Record) -> None:
    """With a typed reason: never a guess, and never agreement."""
    verdict = judged(record)
    assert (verdict.status, str(verdict.reason).partition(":")[0] in {"unread", "nothing-checked"}) == (Status.UNKNOWN, True)  # fmt: skip


def test_an_unread_line_of_the_correct_solution_is_no_doubt() -> None:
    """Nobody changed it, so that the error cannot be there."""
    algebra = "2x + 5 = 17\n"
    assert judged(flawed(algebra + WRONG, "L2", solution=algebra + RIGHT)).status is Status.CONFIRMED


def test_a_final_answer_decides_a_label_that_looked_at_nothing_else() -> None:
    """`is_correct` is about the answer; a false equation under a right answer is a finding all the same."""
    problem = Problem("p-1", QUESTION, RIGHT, "33")
    assert judged({"solution": "33\nA: 33", "is_correct": True}, problem).status is Status.CONFIRMED
    assert judged({"solution": "3\nA: 3", "is_correct": False}, problem).status is Status.CONFIRMED
    wrong = judged({"solution": "33\nA: 33", "is_correct": False}, problem)
    assert causes(wrong) == {("FA", AuditCause.RIGHT_ANSWER_CALLED_WRONG)}
    lucky = judged({"solution": "3 + 4 = 8\nA: 33", "is_correct": True}, problem)
    assert causes(lucky) == {("L1", AuditCause.CORRECT_BUT_FALSE)}
