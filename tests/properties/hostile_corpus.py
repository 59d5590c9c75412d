"""Two hundred hostile records, made by rules: forty hostile texts, each as an answer, a template, a label, a problem and an SMT program."""

import json

from tests.cases import texts
from tests.properties.session_process import Record

MARK = "WITNESS"
"""Stands for the path of a file that must never come to be."""

EXPRESSIONS = (
    *texts("""__import__('os').system('touch WITNESS') | open('WITNESS', 'w').write('x') | eval("open('WITNESS', 'w')")
exec("open('WITNESS', 'w')") | ().__class__.__mro__[1].__subclasses__()
getattr(__builtins__, 'open')('WITNESS', 'w') | (lambda: open('WITNESS', 'w'))() | [open(p, 'w') for p in ['WITNESS']]"""),
    "f\"{open('WITNESS', 'w')}\"",
    *texts("""breakpoint() | 10**10**10 | 2**(2**(2**(2**2)))**9 | int('9' * 100000000) | sum(range(10**15))
max(range(10**12)) | 'x' * 10**12 | [0] * 10**11"""),
    "(" * 300 + "1" + ")" * 300,
    "-" * 5_000 + "1",
    "1" + "+1" * 20_000,
    "9" * 60_000,
    "1e999999",
    "0.1" + "0" * 30_000,
    *texts("""float('nan') | 1 / 0 | n.__class__ | __class__ | print('WITNESS', file=open('WITNESS', 'w'))
`touch WITNESS` | $(touch WITNESS)"""),
)
STATEMENTS = (
    "while True: n += 1",
    "for i in range(10**12): n += i",
    "import os; os.system('touch WITNESS')",
    "with open('WITNESS', 'w') as f: f.write('x')",
    "class A:\n        open('WITNESS', 'w')",
    "def inner(): return inner()\n    return inner()",
    "raise SystemExit(0)",
    "del n; return n\0",
    "global n\n    n = '\u202e\ufeff<script>alert(1)</script>'",
    "assert False, '{{7*7}} {0.__class__} =cmd|/c calc!A1 ../../../../WITNESS'",
)
TEXTS = (*EXPRESSIONS, *STATEMENTS)


def _code(text: str) -> str:
    if text in STATEMENTS:
        return f"def solve(n: int = 6):\n    {text}\n    return n"
    return f"def solve(n: int = 6):\n    return {text}"


def answers(witness: str) -> list[Record]:
    """Return an answer for each text, to a problem of its own."""
    return [
        {"problem_id": f"answer-{place:03}", "model": "hostile", "response": _code(text).replace(MARK, witness)}
        for place, text in enumerate(TEXTS)
    ]


def templates(witness: str) -> list[Record]:
    """Return templates whose code or wording holds each text."""
    records = []
    for place, text in enumerate(TEXTS):
        hostile = text.replace(MARK, witness)
        body = "total = 6 * 2" if place % 2 else f"total = {hostile}"
        step = {
            "line_number": "L1",
            "question_inputs": [hostile if place % 2 else "6"],
            "WK_inputs": [],
            "output_variable": "total",
            "solution_line_template": f"It is {{total}}: {hostile} {{total.__class__}} {{0}}",
        }
        code = f"def solve():\n    # L1\n    {body}\n    # FA\n    answer = total\n    return answer"
        response = json.dumps({"function_code": code, "logical_steps": [step]})
        records.append({"problem_id": f"template-{place:03}", "model": "hostile", "response": response})
    return records


def problems(witness: str) -> list[Record]:
    """Return a problem for each answer and template, and for each text one whose question and solution hold it."""
    plain = [
        {"problem_id": f"{kind}-{place:03}", "question": "What is 6 times 2?", "answer": "6*2=<<6*2=12>>12\n#### 12"}
        for kind in ("answer", "template")
        for place in range(len(TEXTS))
    ]
    hostile = [
        {
            "problem_id": f"problem-{place:03}",
            "question": f"Ann has 6 boxes of 2 pens. {text} How many pens has she?".replace(MARK, witness),
            "answer": f"{text}\n6*2=<<{text}=12>>12\n#### {text if place % 2 else 12}".replace(MARK, witness),
        }
        for place, text in enumerate(TEXTS)
    ]
    return [*plain, *hostile]


def labels(witness: str) -> list[Record]:
    """Return labelled solutions whose lines, numbers and explanation hold each text."""
    return [
        {
            "problem_id": f"label-{place:03}",
            "question": "What is 6 times 2?",
            "solution": "6*2=<<6*2=12>>12\n#### 12",
            "flawed_solution": f"{text}\n6*2=<<{text}=13>>13\n#### 13".replace(MARK, witness),
            "label": {
                "verdict": "Flawed",
                "error_type": "computational_error" if place % 3 else text,
                "erroneous_line_number": "L1" if place % 2 else text,
                "explanation": text.replace(MARK, witness),
            },
        }
        for place, text in enumerate(TEXTS)
    ]


def programs(witness: str) -> list[Record]:
    """Return constraint problems whose program holds each text, or commands that act on files, time and memory."""
    commands = (
        *texts("""(set-option :diagnostic-output-channel "WITNESS") | (set-option :regular-output-channel "WITNESS")
(include "WITNESS") | (push 100000000) | (exit) | (reset) | (declare-const y (_ BitVec 1000000000))
(assert (= (* x x x x x) (+ (* 7 x x) 123456789012345678901234567890)))"""),
        "(assert " + "(not " * 2_000 + "true" + ")" * 2_000 + ")",
        "(define-fun-rec f ((a Int)) Int (f (+ a 1)))\n(assert (= (f 0) x))",
    )
    return [
        {
            "problem": f"Find x. {text}".replace(MARK, witness),
            "program": f"(declare-const x Int)\n{commands[place % len(commands)]}\n(assert (> x {text}))\n(check-sat)\n".replace(
                MARK, witness
            ),
            "domain": "puzzles",
        }
        for place, text in enumerate(TEXTS)
    ]


KINDS = (answers, templates, problems, labels, programs)
"""What makes the records of each kind; the argument is the path of the file that must never come to be."""
