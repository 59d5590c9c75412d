"""Tests of evaluation traces: they hold the computed values, and a change reaches descendants only."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, strategies as st

from harness.domain import Exact, Response
from harness.program.evaluation.evaluator import Evaluator, evaluate
from harness.program.lifter import lift
from harness.program.refusal import ProgramError, Refusal, RefusalReason
from harness.solution.trace import Trace, VariableRole, propagate, trace_program
from tests.cases import cases


@dataclass(frozen=True)
class Line:
    """An assignment of a generated program; `reads` is kept by the generator."""

    variable: str
    expression: str
    reads: tuple[str, ...] = ()


def traced(code: str) -> Trace:
    """Trace a program."""
    return trace_program(lift(Response("p", "m", code)))


def program_of(lines: list[Line], result: str) -> str:
    """Write a program of assignments."""
    body = "".join(f"    {line.variable} = {line.expression}\n" for line in lines)
    return f"def solve():\n{body}    return {result}"


def python_runs(lines: list[Line]) -> dict[str, Fraction]:
    """Return what Python gives, its literals Fractions."""
    scope: dict[str, Any] = {"Fraction": Fraction}
    for line in lines:
        exact = line.expression if line.reads else f"Fraction('{line.expression}')"
        exec(f"{line.variable} = {exact}", scope)
    return {line.variable: Fraction(scope[line.variable]) for line in lines}


SHAPES = ["{0} + {1}", "{0} - {1} * {0}", "({0} + {1}) / 4", "max({0}, {1})", "{0} * {1} - {2}", "abs({0}) + {1} // 3"]
SHAPES += ["{0}", "{0} / {1}", "{1} if {0} > {2} else {0}", "{0} ** 2"]


@st.composite
def programs(draw: st.DrawFn) -> list[Line]:
    """Draw inputs and then expressions of what came before; the last is the answer."""
    literals = st.integers(-50, 50).map(str) | st.sampled_from(["0.5", "2.25", "-1.5", "0"])
    lines = [Line(f"v{number}", draw(literals)) for number in range(draw(st.integers(1, 4)))]
    for number in range(len(lines), len(lines) + draw(st.integers(1, 7))):
        shape = draw(st.sampled_from(SHAPES))
        names = draw(st.lists(st.sampled_from([line.variable for line in lines]), min_size=3, max_size=3))
        used = [(shape.find(f"{{{place}}}"), name) for place, name in enumerate(names) if f"{{{place}}}" in shape]
        reads = tuple(dict.fromkeys(name for _, name in sorted(used)))
        lines.append(Line(f"v{number}", shape.format(*names), reads))
    return lines


def runnable(lines: list[Line]) -> Trace:
    """Trace a generated program, unless it divides by zero."""
    try:
        return traced(program_of(lines, lines[-1].variable))
    except ProgramError as error:
        assume(error.name != "ZeroDivisionError")
        raise


@given(programs())
def test_values_are_those_of_python(lines: list[Line]) -> None:
    """Exactly, of every variable in the order of the code, and the answer is that of the program."""
    trace = runnable(lines)
    outcome = evaluate(lift(Response("p", "m", program_of(lines, lines[-1].variable))))
    assert ([*trace.values.items()], trace.answer.value) == ([*python_runs(lines).items()], outcome.value)


@given(programs(), st.data(), st.integers(-20, 20) | st.fractions(-20, 20, max_denominator=8))
def test_a_change_is_that_of_the_program_changed(lines: list[Line], data: st.DataObject, value: Exact) -> None:
    """Propagating a value gives what tracing the program gives with a literal in the expression's place."""
    trace = runnable(lines)
    place = data.draw(st.integers(0, len(lines) - 1))
    name = lines[place].variable
    changed = [*lines]
    changed[place] = Line(name, f"Fraction({value.numerator}, {value.denominator})")
    expected: dict[str, Exact] | str
    try:
        expected = dict(traced(program_of(changed, lines[-1].variable)).values)
    except ProgramError as error:
        expected = error.name
    found: dict[str, Exact] | str
    try:
        found = dict(propagate(trace, name, value).values)
    except ProgramError as error:
        found = error.name
    assert found == expected


@given(programs(), st.data())
def test_a_change_computes_its_descendants_and_nothing_else(lines: list[Line], data: st.DataObject) -> None:
    """Others are the identical entries; each descendant is evaluated once, and keeps all but its value."""
    trace = runnable(lines)
    name = data.draw(st.sampled_from([line.variable for line in lines]))
    descendants = trace.descendants(name)
    seen: list[object] = []
    with pytest.MonkeyPatch.context() as patch:
        honest = Evaluator.value
        patch.setattr(Evaluator, "value", lambda self, node, scope: seen.append(node) or honest(self, node, scope))
        try:
            after = propagate(trace, name, trace.values[name] + 1)
        except ProgramError:
            assume(False)
    touched = {name, *descendants}
    kept = [new is old for old, new in zip(trace.entries, after.entries, strict=True)]
    alike = [replace(new, value=old.value) == old for old, new in zip(trace.entries, after.entries, strict=True)]
    assert (seen, kept, all(alike), after.values[name], after.result) == (
        [trace.by_name[variable].expression for variable in descendants],
        [entry.variable not in touched for entry in trace.entries],
        True,
        trace.values[name] + 1,
        trace.result,
    )


TEMPLATE = '''def solve():
    """Index: 1.\x0c\u2028 # L9"""
    # L1
    rows = 6 # 6 rows
    weeks = 52 # WK: weeks in a year
    beds = rows * weeks
    #L2
    spare = 5
    half = beds / 2
    # FA
    answer = half
    return answer'''


def test_entries_know_line_role_and_comment() -> None:
    """Labels are those of the comments above, lines counted as Python counts them."""
    trace = traced(TEMPLATE)
    assert [(e.variable, e.line, e.role.value, e.comment, e.code) for e in trace.entries] == [
        ("rows", "L1", "question_input", "6 rows", ""),
        ("weeks", "L1", "world_knowledge_input", "weeks in a year", ""),
        ("beds", "L1", "output", "", "rows * weeks"),
        ("spare", "L2", "input", "", ""),
        ("half", "L2", "output", "", "beds / 2"),
        ("answer", "FA", "answer", "", "half"),
    ]
    assert trace.lines() == ["L1", "L2", "FA"]
    assert [entry.variable for entry in trace.on_line("L2")] == ["spare", "half"]
    others = ("def solve():\n    # L1\n    a = 5\n    # FA\n    return a * 2\n    # L9\n", OTHERS["arguments"][0])
    assert [[entry.line for entry in traced(code).entries] for code in others] == [["L1", "FA"], [None] * 3]


OTHERS = {
    "arguments": ("def solve(a: int = 5, b: float = 0.5):\n    c = a * b\n    return c", ["a", "b", "c"], "c"),
    "a returned expression": ("def solve():\n    a = 5\n    return a * 2", ["a", "answer"], "answer"),
    "no function": ("a = 5\nans = a + 1", ["a", "ans"], "ans"),
    "names outside": ("a = 5\ndef solve():\n    b = a + 1\n    return b", ["a", "b"], "b"),
    "a returned input": ("def solve():\n    a = 5\n    return a", ["a"], "a"),
}


@cases("case", OTHERS)
def test_other_dialects_are_traced(case: str) -> None:
    """Arguments are entries, and an answer that has no name is called answer."""
    code, names, result = OTHERS[case]
    trace = traced(code)
    roles = [entry.role for entry in trace.entries if entry.variable == result]
    assert ([entry.variable for entry in trace.entries], trace.result, roles) == (names, result, [VariableRole.ANSWER])


BODIES = {
    "a branch": "if a > 3:\n        a = 4",
    "a loop": "for i in [1, 2]:\n        a = a + i",
    "an open loop": "while a > 3:\n        a = a - 1",
    "a second assignment": "b = a\n    b = a + 1",
    "an increment": "b = a\n    b += 1",
    "two targets": "b = c = 5",
    "an unpacking": "b, c = 5, 6",
    "a call for nothing": "print(a)",
    "code after the answer": "return a\n    b = a",
}
TWICE = "def twice(x):\n    return x * 2\n\ndef solve():\n    a = 5\n    b = twice(a)\n    return b"
REFUSED = {
    **{
        case: (f"def solve():\n    a = 5\n    {body}\n    return a", RefusalReason.NO_TRACE)
        for case, body in BODIES.items()
    },
    "an empty function": ("def solve():\n    pass", RefusalReason.NO_TRACE),
    "several functions": (TWICE, RefusalReason.NO_TRACE),
    "a printed answer": ("a = 5\nprint(a * 2)", RefusalReason.NO_TRACE),
    "a text": ("def solve():\n    a = 5\n    b = 'five'\n    return a", RefusalReason.NON_NUMERIC),
    "a truth value": ("def solve():\n    a = 5\n    b = a > 3\n    return b", RefusalReason.NON_NUMERIC),
    "a huge number": ("def solve():\n    a = 10\n    b = a ** 10000\n    return b", RefusalReason.BUDGET),
}


@cases("case", REFUSED)
def test_what_is_no_line_of_assignments_is_refused(case: str) -> None:
    """A program that is no list of assignments is refused with the kind of reason."""
    code, reason = REFUSED[case]
    with pytest.raises(Refusal) as caught:
        traced(code)
    assert caught.value.reason == reason


@cases(
    ("body", "name"),
    [("a = 0\n    b = 5 / a", "ZeroDivisionError"), ("a = b\n    b = 5", "NameError"), ("a = 5", "NameError")],
)
def test_what_python_would_raise_is_raised(body: str, name: str) -> None:
    """An exception that Python would raise is a ProgramError of that name."""
    with pytest.raises(ProgramError) as caught:
        traced(f"def solve():\n    {body}\n    return b")
    assert caught.value.name == name


def test_a_variable_that_is_not_there_is_named() -> None:
    """The error names the missing variable and lists those that exist."""
    trace = traced(OTHERS["a returned input"][0])
    with pytest.raises(KeyError, match=r"'b': the trace has no such variable; it has a"):
        propagate(trace, "b", 1)
    divided = traced("def solve():\n    a = 2\n    b = 5 / a\n    c = 10 ** a\n    return b")
    for value, error in ((0, ProgramError), (10**6, Refusal)):
        with pytest.raises(error):
            propagate(divided, "a", value)
    with pytest.raises(KeyError, match="'b': the trace has no such variable; it has a"):
        trace.descendants("b")
