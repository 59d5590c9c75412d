"""The law over forms: one solution has one verdict, line and correction, however it is annotated, numbered, marked and spaced."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hypothesis import example, given, strategies as st

from harness.text.markup import without_latex
from sft.samples.solution_judgement import Judgement
from sft.verifier.command import verify
from tests.cases import cases, texts

QUESTION = "Kay packs {a} crates with {b} jars each and sells {c} jars. A jar costs ${d}. How many dollars are the jars that are left worth?"


@dataclass(frozen=True)
class Step:
    """A line of a solution: words, an expression, the stated result and words after it."""

    before: str
    left: str
    result: int
    after: str


def _steps(a: int, b: int, c: int, d: int, off: Sequence[int]) -> list[Step]:
    """Return the steps of a solution; `off` are the errors of their results, which later steps work on."""
    packed = a * b + off[0]
    left = packed - c + off[1]
    return [
        Step("Kay packs", f"{a} * {b}", packed, "jars."),
        Step("Then there are", f"{packed} - {c}", left, "jars left."),
        Step("They are worth", f"{left} * {d}", left * d + off[2], "dollars."),
    ]


WRITTEN: dict[str, Callable[[Step], str]] = {
    "plain": lambda step: f"{step.before} {step.left} = {step.result} {step.after}",
    "annotated": lambda step: (
        f"{step.before} {step.left} = <<{step.left.replace(' ', '')}={step.result}>>{step.result} {step.after}"
    ),
    "dollars": lambda step: f"{step.before} ${_latex(step.left)} = {step.result}$ {step.after}",
    "parentheses": lambda step: f"{step.before} \\({_latex(step.left)} = {step.result}\\) {step.after}",
    "brackets": lambda step: f"{step.before} \\[ {_latex(step.left)} = {step.result} \\] {step.after}",
    "bold": lambda step: f"{step.before} **{step.left} = {step.result}** {step.after}",
}
LINE_FORMS = "{line}|- {line}|* {line}|• {line}|{n}. {line}|{n}) {line}|({n}) {line}|Step {n}: {line}|**Step {n}:** {line}|### Step {n}: {line}"
NUMBERED = LINE_FORMS.split("|")
SPACED = ["{line}\n", "{line}\n\n", "{line}\r\n", "{line}   \n", "\n  {line}\n"]
ANSWERED = [
    *texts(r"""#### {answer} | FINAL ANSWER: {answer} | \boxed{{{answer}}} | The answer is {answer}. | $\boxed{{{answer}}}$
**Answer:** {answer} | <answer>{answer}</answer> | {{"answer": {answer}}} | **{answer}**"""),
    "### Final Answer\n{answer}",
]
FORMS = st.tuples(*(st.sampled_from(form) for form in (list(WRITTEN), NUMBERED, SPACED, ANSWERED)))
OFF = st.sampled_from([(0, 0, 0), (10, 0, 0), (0, -10, 0), (0, 0, 100)])
BASE = ("plain", NUMBERED[0], SPACED[0], ANSWERED[0])


def _latex(expression: str) -> str:
    return expression.replace("*", r"\times")


def _shown(steps: Sequence[Step], answer: int, form: tuple[str, ...]) -> str:
    write, number, space, answered = form
    lines = [number.format(n=n, line=WRITTEN[write](step)) for n, step in enumerate(steps, start=1)]
    return "".join(space.format(line=line) for line in lines) + answered.format(answer=answer)


def _said(judged: Judgement) -> tuple[str | None, str, str]:
    """Return verdict, line and correction; a correction is written as its line is, with `*` or with LaTeX."""
    correction = without_latex(judged.correction).replace("×", "*").replace("**", "")
    return judged.record()["verdict"], judged.line, " ".join(correction.split())


@given(
    st.tuples(st.integers(11, 40), st.integers(5, 9), st.integers(20, 50), st.integers(2, 4)), OFF, st.booleans(), FORMS
)
@example((12, 8, 30, 3), (0, -10, 0), False, ("dollars", NUMBERED[8], SPACED[1], ANSWERED[-1]))
def test_the_form_of_a_solution_moves_no_verdict(
    given_numbers: tuple[int, int, int, int], off: tuple[int, int, int], earlier: bool, form: tuple[str, ...]
) -> None:
    """Every form of a solution is judged as `#### 5` below plain lines: by `symbolic` with line and correction, by `text` with the verdict."""
    a, b, c, d = given_numbers
    steps = _steps(a, b, c, d, off)
    answer = steps[1 if earlier else 2].result
    question = QUESTION.format(a=a, b=b, c=c, d=d)
    texts = [_shown(steps, answer, shape) for shape in (BASE, form)]
    plain, formed = (_said(verify(question, text, engine="symbolic")) for text in texts)
    assert plain == formed
    assert (plain[0], plain[1]) == (
        ("Flawed", f"L{next(n for n, error in enumerate(off, 1) if error)}")
        if any(off)
        else ("Flawed", "FA")
        if earlier
        else ("Correct", "")
    )
    assert verify(question, texts[0]).flawed == verify(question, texts[1]).flawed


COLUMN = "  {a}\n{sign}{space}{b}\n{rule}\n {result}\n"


@given(
    st.integers(60, 99),
    st.integers(11, 40),
    st.sampled_from("+-−×x"),
    st.sampled_from(["---", "=====", "____", "——", "───"]),
    st.sampled_from(["", " ", "   "]),
    st.sampled_from([0, 0, 10]),
)
def test_a_column_states_its_sum(a: int, b: int, sign: str, rule: str, space: str, off: int) -> None:
    """Numbers under each other, a rule and a result are one equation, on the line of the result."""
    due = a + b if sign == "+" else a * b if sign in "×x" else a - b
    text = (
        COLUMN.format(a=a, b=b, sign=sign, rule=rule, space=space, result=due + off)
        + f"{due + off}*2={2 * (due + off)}"
    )
    for engine in ("symbolic", "text"):
        judged = verify(f"Tom has {a} and {b} pens. What is twice what he makes of them?", text, engine=engine)
        assert (judged.line == "L4") is bool(off)


@cases(
    "text",
    [
        "  23\n× 14\n----\n  92\n 230\n----\n 322",
        "  23\n× 14\n----\n  92\n+230\n----\n 322",
        "- 96\n- 30\n----\n 66",
        "5\n96\n- 30\n----\n66",
    ],
)
def test_a_column_that_is_no_one_sum_is_not_judged(text: str) -> None:
    """Long multiplication, a list of numbers over a rule, and a number above a column are unread by name."""
    for engine in ("symbolic", "text"):
        judged = verify("What is 23 times 14, less 96, 30 and 5?", f"{text}\n96-30=66\n#### 66", engine=engine)
        assert judged.record()["verdict"] is None
        assert "column" in judged.error


@cases(
    "question, solution, line",
    [
        ("A pen costs 35 cents. What do 4 pens cost in dollars?", "4*35=140 cents\n#### $1.40", ""),
        ("3 gums cost $0.15 each. How many cents do they cost?", "3*0.15=0.45\n#### 45 cents", ""),
        ("A film lasts 150 minutes. How many hours are 2 films?", "2*150=300 minutes\n#### 5 hours", ""),
        ("A walk is 1500 m. Bo walks it 4 times. How many km?", "4*1500=6000 m\nThe answer is 6 km.", ""),
        ("A walk is 1500 m. Bo walks it 4 times. How many km?", "4*1500=6000 m\nThe answer is 8 km.", "FA"),
        ("3 friends share $10.50. How much does each get?", "10.50/3=3.50\n#### $3.50", ""),
        ("Tom has 66 eggs and buys 3 times as many. How many does he buy?", "66*3=198\n#### 168", "FA"),
        ("12 cartons have 5 eggs each. How many dozen eggs are there?", "12*5=60 eggs\n#### 5 dozen", ""),
        ("Bo has 12 crates of 8 jars, and sells 30.", "12*8=96\n96-30=66\nCheck: 66+30=96.\n#### 66", ""),
    ],
)
def test_an_answer_in_another_unit_is_the_same(question: str, solution: str, line: str) -> None:
    """What only converts a unit is no error in any engine, another amount is one at the final answer."""
    for engine in ("symbolic", "text"):
        assert verify(question, solution, engine=engine).line == line


SPOKEN = texts("""well | sorry | the | question | needs | more | facts | please | tell | me | about | jars | crates | and
I""")
TALK = st.lists(st.sampled_from(SPOKEN), min_size=1, max_size=30).map(" ".join)
NUMBERS = st.lists(st.integers(0, 500), min_size=1, max_size=8).map(lambda numbers: "\n".join(map(str, numbers)))
CODE = st.tuples(st.sampled_from(["x", "jars", "left"]), st.integers(2, 99), st.integers(2, 99)).map(
    lambda parts: f"{parts[0]} = {parts[1]} * {parts[2]}\nprint({parts[0]} - {parts[2]})"
)
FENCED = CODE.map(lambda code: f"Here is a program:\n```python\n{code}\n```")
ANSWER_ALONE = st.tuples(st.sampled_from(ANSWERED), st.integers(0, 999)).map(
    lambda parts: parts[0].format(answer=parts[1])
)
ECHO = QUESTION.format(a=12, b=8, c=30, d=3)


@given(st.one_of(TALK, NUMBERS, CODE, FENCED, ANSWER_ALONE, st.just(ECHO), TALK.map(lambda talk: f"{ECHO} {talk}")))
@example("Here is a program:\n```python\nx = 2 * 30\nprint(x - 30)\n```")
@example("12\n8\n96")
@example("Sure, I can help with 1,000 problems of this kind!")
@example("2 + 2 = 4 is all I know.")
@example("No lo sé, la verdad es que hay muchas respuestas posibles.")
def test_what_works_on_nothing_is_never_correct(text: str) -> None:
    """Talk, numbers, programs, an answer alone and the question again are no solution in any engine."""
    for engine in ("symbolic", "text"):
        assert verify(ECHO, text, engine=engine).record()["verdict"] != "Correct"
