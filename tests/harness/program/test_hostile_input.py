"""Tests of hostile responses: each ends in a value or a typed reason, without a hang, a crash or exhausted memory."""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest
from hypothesis import example, given, settings, strategies as st

from harness.domain import Problem, Response, Status
from harness.program.dialect import DIALECTS
from harness.program.lifter import Candidate, read_candidate
from harness.program.refusal import RefusalReason
from oracles.alignment.parameter_matching import align
from oracles.equivalence.ladder import EquivalenceJudge
from oracles.gold_answer_screening import screen
from tests.cases import cases, rows

LIMIT = 5.0
MOST_GROWTH = 300_000  # KiB


def solve(body: str) -> str:
    """Return a formalization of one input with the given body; the body's lines are indented."""
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    return f"def solve(a: int = 7):\n{lines}\n"


def given_text(body: str) -> str:
    """Return a formalization that returns an expression."""
    return solve(f"return {body}")


def loop(body: str, before: str = "x = 1", rounds: str = "while True:") -> str:
    """Return a formalization that loops over some lines."""
    inner = "\n".join(f"    {line}" for line in body.split("\n"))
    return solve(f"{before}\n{rounds}\n{inner}\nreturn x")


GIVEN = rows("""a range of a trillion → sum(range(10**12)) | a comprehension over a billion → len([x for x in range(10**9)])
a tower of tens → 10**10**10 | a tower of nines → 9**9**9**9 | a negative tower → (1/3)**(10**9)
a tower of an input → a**(10**9) | a number of 5,000 digits → 2 ** 18000
a fraction of 5,000 digits → Fraction(2 ** 9000, 3 ** 6000) | a huge quotient → 10 ** 400 / 7 ** 10
a huge exponent → 1e999999999 | a tiny exponent → 1e-999999999 | rounding to many digits → round(a / 3, 10**9)
a negative shift → 1 << -1 | a shift → 1 << 10**10 | a complex number → 1j * 1j
a nested comprehension → [[y for y in range(9999)] for x in range(9999)]
symbols of a long text → symbols('a ' * 5000) | an import of os → __import__('os').system('id')
a dunder walk → ().__class__.__bases__[0].__subclasses__() | a dunder walk of a number → (1).__class__.__mro__
a dunder name → __builtins__ | open → open('/etc/passwd').read() | eval → eval('1+1') | exec → exec('import os')
compile → compile('1', '', 'eval') | getattr → getattr(1, '__class__')
an attribute in an f-string → f'{a.__class__.__init__.__globals__}' | a call in an f-string → f'{open(1)}'
format → '{0.__class__}'.format(1) | input → input() | exit → exit() | globals → globals()
a called result → (lambda: 1)() | a called subscript → [1][0]() | a walrus → (x := 5) + x
a starred call → max(*[1, 2]) | a double-starred call → solve(**{'a': 1})
a dict comprehension → {x: x for x in range(3)}
a double comprehension → sum(x * y for x in range(3) for y in range(3)) | a slice → [1, 2, 3][0:2]
a matrix product → a @ a | bytes → b'abc' | an ellipsis → ... | none → None | text → 'seventy-two'
a list → [1, 2] | a dict → {'a': 1} | true → True | infinity → math.inf | a function as a value → max
the module as a value → math | an unknown → Symbol('x') | an equation → Eq(Symbol('x'), 1)
an undefined name → b + 1 | a division by zero → a / 0 | a remainder by zero → a % 0.0
zero to a negative power → 0 ** -1 | a negative root → (-8) ** (1 / 3) | a homoglyph → а
full-width digits → １２ | a deep f-string → f'{f"{a}"}'""")
"""Hostile expressions by what they are; the homoglyph is a Cyrillic letter, the digits are of full width."""
HOSTILE = {
    **{name: given_text(expression) for name, expression in GIVEN},
    "a decimal of thirty thousand digits": given_text("0.1" + "0" * 30_000),
    "a decimal of thirty thousand digits as an input": "def solve(a: float = 0." + "3" * 30_000 + "):\n    return a",
    # Never ending, or nearly so.
    "while true": loop("x = 1"),
    "while true with a big number": loop("y = x * x", "x = 3 ** 4000"),
    "while true with big fractions": loop(
        "y = x * z", "x = Fraction(3 ** 3000, 7 ** 1500)\nz = Fraction(11 ** 1500, 5 ** 2000)"
    ),
    "while true with a list of a range": loop("y = list(range(200000))"),
    "while true with sorting": loop("z = sorted(y)", "x = 1\ny = list(range(10000))"),
    "while true with a maximum": loop("z = max(y)", "x = 1\ny = list(range(10000))"),
    "while true with a copy of a dict": loop("z = y.values()", "x = 1\ny = {}\nfor i in range(9000):\n    y[i] = i"),
    "while true with an unpacking": loop("z = [y for y in range(10)]"),
    "a loop over a trillion": loop("x += 1", rounds="for i in range(10**12):"),
    "nested loops": solve("x = 0\nfor i in range(100000):\n    for j in range(100000):\n        x += 1\nreturn x"),
    "recursion": "def solve(a: int = 7):\n    return solve(a + 1)\n",
    "mutual recursion": "def f(n):\n    return g(n)\ndef g(n):\n    return f(n)\ndef solve(a: int = 7):\n    return f(a)\n",
    "branching recursion": "def f(n):\n    return f(n - 1) + f(n - 1)\ndef solve(a: int = 7):\n    return f(a)\n",
    "recursion in a default": "def f(n=1):\n    return f()\ndef solve(a: int = 7):\n    return f()\n",
    # Numbers that grow.
    "repeated squaring": loop("x = x * x", "x = 3"),
    "repeated squaring of an input": solve("x = a\nfor i in range(60):\n    x = x * x\nreturn x"),
    "doubling an input's term": solve("x = a\nfor i in range(60):\n    x = x + x * a\nreturn x"),
    "a literal of 5,000 digits": given_text("9" * 5000),
    "a parameter of 5,000 digits": f"def solve(a: int = {'9' * 5000}):\n    return a\n",
    "a hexadecimal literal of 20,000 digits": given_text("0x" + "f" * 20000),
    "a hexadecimal parameter of 20,000 digits": f"def solve(a: int = 0x{'f' * 20000}):\n    return a\n",
    "a hexadecimal parameter of 4,000 digits": f"def solve(a: int = 0x{'f' * 4000}):\n    return a\n",
    # Sequences and texts that grow.
    "a dict that holds itself": solve("x = {}\nx[1] = x\nreturn x"),
    "lists that double, compared": solve(
        "x = [1]\ny = [1]\nfor i in range(60):\n    x = [x, x]\n    y = [y, y]\nreturn 1 if x == y else 2"
    ),
    "tuples that double, hashed": solve("x = (1,)\nfor i in range(60):\n    x = (x, x)\nreturn {x: 1}[x]"),
    "tuples that double, searched": solve(
        "x = (1,)\ny = (1,)\nfor i in range(60):\n    x = (x, x)\n    y = (y, y)\nreturn 1 if x in [y] else 2"
    ),
    "tuples that nest": solve("x = (1,)\nfor i in range(60000):\n    x = (x,)\nreturn {x: 1}[x]"),
    "a list growing while it is looped over": loop("y.append(i)", "x = 1\ny = [1]", "for i in y:"),
    "text that doubles": loop("x = x + x", "x = 'ab'"),
    "unknowns without end": solve(
        "x = 0\nfor i in range(50):\n    x = x + Symbol('s' * (i + 1))\nreturn solve_it(Eq(x, 1), x)"
    ),
    # What must never run.
    "an import statement": "import os\n" + given_text("os.getpid()"),
    "an import from subprocess": "from subprocess import run\n" + given_text("run('id')"),
    "a star import": "from os import *\n" + given_text("getpid()"),
    "a renamed getattr": "from math import getattr as g\n" + given_text("g(1, 'real')"),
    "an attribute of a module": "import math\n" + given_text("math.__loader__"),
    "a method of a module": "import numpy\n" + given_text("numpy.load('x')"),
    # Constructs beyond the language.
    "a class": "class A:\n    pass\n" + given_text("A()"),
    "a decorator": "@print\n" + given_text("1"),
    "a lambda": solve("f = lambda n: n\nreturn f(a)"),
    "an async function": "async def solve(a: int = 7):\n    return a\n",
    "an await": "async def solve(a: int = 7):\n    await a\n",
    "star arguments": "def solve(*a):\n    return 1\n",
    "double-star arguments": "def solve(**a):\n    return 1\n",
    "keyword-only arguments": "def solve(*, a=1):\n    return a\n",
    "a starred assignment": solve("x, *y = [1, 2, 3]\nreturn x"),
    "try": solve("try:\n    x = 1 / 0\nexcept ZeroDivisionError:\n    x = 1\nreturn x"),
    "raise": solve("raise ValueError(a)"),
    "assert": solve("assert a > 9\nreturn a"),
    "global": solve("global x\nx = 1\nreturn x"),
    "nonlocal": solve("nonlocal x\nreturn 1"),
    "del": solve("x = 1\ndel x\nreturn x"),
    "with": solve("with open('x') as f:\n    return 1"),
    "yield": solve("yield 1"),
    "yield from": solve("yield from [1]"),
    "match": solve("match a:\n    case 1:\n        return 1\nreturn 2"),
    "a nested function": solve("def g(x):\n    return x\nreturn g(a)"),
    "a loop with else": solve("for i in range(3):\n    pass\nelse:\n    a = 1\nreturn a"),
    "a break outside a loop": solve("break"),
    "a return outside a function": "return 5\nans = 1\n",
    "a conditional definition": "if True:\n    def solve(a: int = 7):\n        return a\n",
    # What is no formalization.
    "two functions": "def f(a=1):\n    return a\ndef g(a=1):\n    return a\n",
    "the same function twice": given_text("1") + given_text("2"),
    "no function": "x = 1\n",
    "required arguments": "def solve(a, b: int = 1):\n    return a + b\n",
    "a default that is a computation": "def solve(a: int = 60 * 24):\n    return a\n",
    "a default that calls": "def solve(a: int = open('x')):\n    return a\n",
    "nothing returned": solve("x = 1"),
    "empty": "",
    "whitespace": " \n\t\n ",
    "a byte-order mark": "\ufeff" + given_text("1"),
    "only a byte-order mark": "\ufeff",
    "a refusal": "I cannot help with that.",
    "an empty fence": "```python\n```",
    "an open fence": "```python\n" + given_text("1"),
    "a thousand fences": "```\n" * 1000,
    "ten thousand ticks": "`" * 10000,
    # Characters.
    "a nul byte": "def solve(a: int = 7):\n    return a\0\n",
    "a nul in JSON": '{"function_code": "def solve():\\n    return 1\\u0000"}',
    "a lone surrogate": given_text("'\ud800'"),
    "a lone surrogate as a name": given_text("\ud800"),
    "a lone surrogate in a comment": solve("return a  # \ud800"),
    "an escaped surrogate in JSON": '{"function_code": "def solve():\\n    return 1 # \\ud800"}',
    "right-to-left characters": given_text("\u202ea\u202c"),
    "carriage returns": given_text("1").replace("\n", "\r"),
    "form feeds": given_text("1").replace("    ", "\f    "),
    "a vertical tab": given_text("1\v+ 1"),
    "a name of a thousand letters": given_text("a" * 1000),
    # Sizes and depths.
    "five megabytes": "x" * 5_000_000,
    "five megabytes of code": "ans = 1\n" * 625_000,
    "five megabytes of JSON": '{"function_code": "' + "x" * 5_000_000 + '"}',
    "a hundred kilobytes of one line": "ans = " + "1 + " * 24_000 + "1",
    "many statements": "x = 1\n" * 16_000 + "ans = x\n",
    "many parameters": "".join(f"p{number} = {number}\n" for number in range(7_000)) + "ans = p1\n",
    "many quotes before a comment": "ans = 1  # " + "'" * 90_001 + "\n",
    "many quotes and a comment": "ans = " + "'" * 90_000 + "#\n",
    "many backslashes and a comment": "ans = '" + "\\" * 90_000 + "#\n",
    "spaces before nothing": "1. " + " " * 90_000 + "(\n",
    "commas": '{"a": 1' + ",   " * 200_000,
    "open parentheses": "(" * 100_000,
    "closed parentheses": given_text("(" * 90 + "1" + ")" * 90),
    "minus signs": "ans = " + "-" * 100_000 + "1",
    "fewer minus signs": "ans = " + "-" * 5_000 + "1",
    "nots": "ans = " + "not " * 20_000 + "1",
    "a long sum": "ans = " + "1+" * 50_000 + "1",
    "a shorter sum": "ans = " + "1+" * 3_000 + "1",
    **{f"a sum of {count}": "ans = " + "1+" * count + "1" for count in (150, 300, 500, 700, 900, 1_200)},
    "a long power": "ans = " + "1**" * 30_000 + "1",
    "a long comparison": "ans = " + "1<" * 40_000 + "1",
    "a long conjunction": "ans = 5 if " + "1 and " * 15_000 + "1 else 6",
    "a long list": "ans = sum([" + "1," * 40_000 + "])",
    "a deep conditional": "ans = " + "1 if 0 else " * 8_000 + "1",
    "deep ifs": "".join(f"{' ' * depth}if 1:\n" for depth in range(95)) + " " * 95 + "ans = 1\n",
    "deep attributes": given_text("a" + ".b" * 30_000),
    "deep subscripts": given_text("a" + "[0]" * 30_000),
    "deep calls": given_text("abs(" * 80 + "a" + ")" * 80),
    "a JSON bomb of lists": '{"function_code": ' + "[" * 100_000,
    "a JSON bomb of objects": '{"a":' * 100_000,
    "a JSON number of 5,000 digits": '{"n": ' + "9" * 5000 + ', "function_code": "def solve():\\n    return 1"}',
    "truncated JSON": '{"function_code": "def solve():\\n    return',
    "JSON without code": '{"answer": 72}',
    "JSON of another type": '{"function_code": 72}',
    "JSON in a list": '[{"function_code": "def solve():\\n    return 1"}]',
    "steps of another type": '{"function_code": "def solve():\\n    x = 1\\n    return x", "logical_steps": [1, null, {"question_inputs": [[], {}]}]}',
}


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `TimeoutError` where the block works longer, by the processor's clock: a hang is then one failed test."""

    def interrupt(_: int, __: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def is_settled(candidate: Candidate) -> bool:
    """Tell whether a candidate has a value, the name of an exception, or a reason that begins with its kind."""
    if candidate.outcome is not None:
        return candidate.reason is None and (candidate.outcome.value is None) is not (candidate.outcome.error is None)
    return candidate.reason is not None and candidate.reason.partition(":")[0] in set(RefusalReason)


@pytest.fixture(scope="module")
def memory_before() -> int:
    """Return what this process has held at most before any of the texts is read, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


FORBIDDEN = {
    *("an import of os", "an import statement", "an import from subprocess", "a star import", "open", "eval", "exec"),
    *("compile", "getattr", "a renamed getattr", "input", "exit", "globals", "a dunder name"),
}


@cases("case", HOSTILE)
def test_hostile_text_ends_in_a_value_or_a_reason(memory_before: int, case: str) -> None:
    """Within seconds there is an exact value, an exception's name, or a typed reason; it is shown, and not refuted against itself.

    What must never run is forbidden, and no program; all texts together take less than 300 MB on top of what the tests hold.
    """
    with limited(LIMIT):
        candidate = read_candidate(Response("p", "m", HOSTILE[case]))
    with limited(LIMIT):
        verdict = screen(Problem("p", "", "#### 72", "72"), candidate)
    assert (is_settled(candidate), verdict.status) == (True, Status.REFUTED)
    with limited(3 * LIMIT):
        inputs = () if candidate.program is None else candidate.program.parameters[:8]
        alignment = align(inputs, inputs, lambda left, right: float(left == right))
        assert EquivalenceJudge("p").judge(candidate, candidate, alignment).status is not Status.REFUTED
    if case in FORBIDDEN:
        assert (candidate.program, str(candidate.reason).partition(":")[0]) == (None, RefusalReason.FORBIDDEN)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory_before < MOST_GROWTH


EXAMPLES = tuple(text for dialect in DIALECTS for text in dialect.examples)
PIECES = (
    *"([{}\"'\\\n#:,=x-\ud800\0",
    *(")", "    ", "```", "**", "//", "9" * 30, "0.1e400", "if a:", "while 1:", "return ", "None", "[]", "lambda:"),
    *("*a", "not "),
)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Cut, repeat and insert pieces at random places of a real formalization."""
    text = draw(st.sampled_from(EXAMPLES))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 20)))
        new = draw(st.one_of(st.sampled_from(PIECES), st.just(text[start:end] * 2), st.just(""), st.text(max_size=3)))
        text = text[:start] + new + text[end:]
    return text


@given(st.text(max_size=200) | mutated())
@settings(max_examples=1500)
@example("a = [b\n")
def test_any_text_and_any_mutated_formalization_is_settled(text: str) -> None:
    """Arbitrary text, and a real formalization whatever changes it suffers, is read without an exception."""
    assert is_settled(read_candidate(Response("p", "m", text)))
