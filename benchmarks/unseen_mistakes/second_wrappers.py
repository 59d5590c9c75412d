"""Mistakes of the second set around assertions and declarations: brackets, commands, comments, prose, formats that wrap it and texts that repeat it."""

from __future__ import annotations

import json
import re
from html import escape
from typing import TYPE_CHECKING

from benchmarks.unseen_mistakes.formula_notations import (
    SIGNS,
    Notation,
    drawn,
    each_line,
    formulas,
    regular,
    template,
    together,
)
from harness.smtlib.s_expressions import Atom
from harness.smtlib.script import read_script

if TYPE_CHECKING:
    from random import Random

    from benchmarks.unseen_mistakes.formula_notations import Mistake
    from harness.smtlib.s_expressions import Node

_C_SIGNS = {**SIGNS, "and": "&&", "or": "||", "mod": "%", "=": "==", "distinct": "!="}

_C = Notation(
    {key: sign for key, sign in _C_SIGNS.items() if key not in {"xor", "=>"}},
    negation="!{a}",
    choice="({c} ? {a} : {b})",
    chains=False,
)


def _declared(*forms: str) -> Mistake:
    """Write constants by one of some forms, with the places `name` and `sort`."""

    def change(text: str, random: Random) -> str:
        form = random.choice(forms)
        return re.sub(
            r"(?m)^\(declare-const (\S+) (\S+)\)$", lambda match: form.format(name=match[1], sort=match[2]), text
        )

    return change


def _json_tree(node: Node) -> object:
    return node.text if isinstance(node, Atom) else [_json_tree(item) for item in node.items]


def _as_json(text: str, random: Random) -> str:
    trees = [_json_tree(command) for command in read_script(text).commands]
    if random.random() < 0.5:
        return json.dumps({"smtlib": trees}, indent=random.choice([None, 1]))
    return "\n".join(json.dumps(tree) for tree in trees)


def _as_json_parts(text: str, random: Random) -> str:
    kinds = [(line, line.split()[0].strip("(")) for line in text.splitlines() if line.strip()]
    body = {
        "logic": next((line.split()[1].strip(")") for line, kind in kinds if kind == "set-logic"), "ALL"),
        "declarations": [line for line, kind in kinds if kind.startswith("de")],
        random.choice(["assertions", "constraints"]): [line for line, kind in kinds if kind == "assert"],
        "commands": [line for line, kind in kinds if kind in {"check-sat", "get-value"}],
    }
    return json.dumps(body, indent=random.choice([1, 2, None]))


def _yaml(text: str, random: Random) -> str:
    quote = random.choice(["", "'", '"'])
    return "program:\n" + "".join(f"  - {quote}{line}{quote}\n" for line in text.splitlines() if line.strip())


def _table(text: str, _: Random) -> str:
    rows = [
        f"| {number} | `{line}` | {line.split()[0].strip('()')} |"
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]
    return "\n".join(["| Step | SMT-LIB | Purpose |", "|---|---|---|", *rows])


def _transcript(text: str, random: Random) -> str:
    prompt = random.choice(["z3> ", "cvc5> ", ">>> ", "smt> "])
    lines = [
        f"{prompt}{line}" + ("\nsat" if line == "(check-sat)" else "\nsuccess" if random.random() < 0.5 else "")
        for line in text.splitlines()
        if line.strip()
    ]
    return "\n".join(lines)


def _prose(*sentences: str) -> Mistake:
    """Put sentences between the lines."""

    def change(text: str, random: Random) -> str:
        lines: list[str] = []
        for line in text.splitlines():
            if random.random() < 0.4:
                lines.append(random.choice(sentences))
            lines.append(line)
        return "\n".join([random.choice(sentences), *lines])

    return change


def _remarks(form: str) -> Mistake:
    """Say behind each assertion which clue it states, in the comments of another language."""
    return regular(r"(?m)^(\(assert .*\))$", rf"\1{form}")


def _continued(text: str, random: Random) -> str | None:
    lines = text.splitlines()
    cut = random.randint(2, max(2, len(lines) - 2))
    begun = "\n".join(lines[:cut])
    note = random.choice(
        [
            "[Output truncated, restarting]",
            "Sorry, let me write the complete program again:",
            "Here is the full version:",
            "Let me start over.",
        ]
    )
    return f"{begun}\n\n{note}\n\n{text}"


def _fences(text: str, random: Random) -> str:
    lines = text.splitlines()
    first = next((number for number, line in enumerate(lines) if line.startswith("(assert")), 1)
    parts = ["\n".join(lines[:first]), "\n".join(lines[first:])]
    mark = random.choice(["```smt2", "```lisp", "~~~", "```"])
    end = "~~~" if mark == "~~~" else "```"
    titles = random.choice(
        [("**Declarations**", "**Constraints**"), ("### Step 1: declare", "### Step 2: assert"), ("First:", "Then:")]
    )
    return "\n\n".join(f"{title}\n{mark}\n{part}\n{end}" for title, part in zip(titles, parts, strict=True))


def _escaped(text: str, random: Random) -> str:
    once = json.dumps(text)
    return random.choice([once, json.dumps(once), f"prog = {once}", f"{{'program': {once}}}"])


def _last_bracket(text: str, random: Random) -> str | None:
    lines = text.splitlines()
    places = [
        number
        for number, line in enumerate(lines)
        if line.startswith("(assert") and number + 1 < len(lines) and lines[number].endswith("))")
    ]
    if not places:
        return None
    place = random.choice(places)
    lines[place] = random.choice([lines[place][:-1], lines[place] + ")", lines[place][1:], "(" + lines[place]])
    return "\n".join(lines)


def _widened(text: str, random: Random) -> str:
    return text.translate({ord(c): chr(ord(c) + 0xFEE0) for c in random.choice(["()", "()=<>+", "=<>", "0123456789"])})


WRAPPERS: dict[str, Mistake] = {
    "bracket: one at an assertion's end": _last_bracket,
    "bracket: other kinds": drawn(
        lambda text, _: text.replace("(", "[").replace(")", "]"),
        lambda text, _: text.replace("(", "{").replace(")", "}"),
        lambda text, _: text.replace("((", "([").replace("))", "])"),
        _widened,
    ),
    "command: misspelt": drawn(
        regular(r"\(check-sat\)", "(check_sat)"),
        regular(r"\(check-sat\)", "check-sat()"),
        regular(r"\(check-sat\)", "(checksat)"),
        regular(r"\(check-sat\)", "(check sat)"),
        regular(r"\(assert ", "(asert "),
        regular(r"\(assert ", "(assrt "),
        regular(r"\(declare-const ", "(declare-cosnt "),
        regular(r"\(declare-const ", "(declareconst "),
        regular(r"\(assert ", "(ASSERT "),
    ),
    "command: another for the values": drawn(
        *(
            regular(r"\(get-value \((.*)\)\)", form)
            for form in (
                r"(get-value \1)",
                r"(get-model \1)",
                r"(eval \1)",
                r"(print \1)",
                r"(display (\1))",
                r"get-value \1",
                r"(get-values \1)",
                r"(show \1)",
                r"print(m[\1])",
            )
        )
    ),
    "command: the logic": drawn(
        *(
            regular(r"\(set-logic (\S+)\)", form)
            for form in (
                r'(set-logic "\1")',
                r"(set-logic: \1)",
                r"(logic \1)",
                r"(set_logic \1)",
                r"(set-option :logic \1)",
                r"set-logic \1",
                r"(set-logic PUZZLES)",
                r"(set-logic 'QF_LIA)",
                r"(set logic \1)",
            )
        )
    ),
    "comment: another language": drawn(
        _remarks(" -- from the text"),
        _remarks(" // clue"),
        _remarks(" # clue (the first)"),
        _remarks(" /* clue */"),
        _remarks(" <!-- clue -->"),
        _remarks(" (* clue *)"),
        _remarks(" {- clue -}"),
        _remarks(" % clue"),
    ),
    "comment: an arrow and prose": drawn(
        _remarks(" <- the clue as a formula"),
        _remarks(" ← as said in the text"),
        _remarks("   This states the clue."),
        _remarks(" => this is what the clue says"),
    ),
    "wrapper: JSON of trees": _as_json,
    "wrapper: JSON of parts": _as_json_parts,
    "wrapper: a list in YAML": _yaml,
    "wrapper: a table": _table,
    "wrapper: a block in YAML": lambda text, random: (
        random.choice(["smtlib: |\n", "answer: >-\n", "program: |-\n"])
        + "".join(f"  {line}\n" for line in text.splitlines())
    ),
    "wrapper: printed line by line": each_line(
        'print("{0}")',
        'puts "{0}"',
        'f.write("{0}\\n")',
        'echo "{0}"',
        'out += "{0}\\n";',
        '"{0}\\n"',
        'lines.append("{0}")',
    ),
    "wrapper: an escaped string": _escaped,
    "wrapper: HTML": lambda text, random: (
        random.choice(["<pre><code>{}</code></pre>", "<code>{}</code>", "<smt2>{}</smt2>", "<![CDATA[{}]]>"]).format(
            escape(text)
        )
        if random.random() < 0.5
        else "<br>\n".join(escape(line) for line in text.splitlines())
    ),
    "wrapper: numbered lines": each_line(
        "{1}. {0}", "{1}) {0}", "[{1}] {0}", "Step {1}: {0}", "{1}: {0}", "  {1} | {0}", "L{1}  {0}", "({1}) {0}"
    ),
    "wrapper: listed lines": each_line("- {0}", "* `{0}`", "> {0}", "+ {0}", "• {0}", "**{0}**", "`{0}`", "|   {0}"),
    "wrapper: code of a host": template(
        'from z3 import *\ns = Solver()\ns.from_string("""\n<<>>\n""")\nprint(s.check())',
        "cat <<'EOF' | z3 -in\n<<>>\nEOF",
        "#!/usr/bin/env z3\n<<>>\n# end",
        '#include "z3.h"\nconst char *p = R"(\n<<>>\n)";',
        "\\begin{verbatim}\n<<>>\n\\end{verbatim}",
        "\\begin{lstlisting}[language=Lisp]\n<<>>\n\\end{lstlisting}",
    ),
    "wrapper: a prompt before it": template(
        "### Instruction:\nTranslate the problem (three friends, see below) into SMT-LIB2.\n\n### Response:\n<<>>",
        "[INST] Write SMT-LIB2 code. [/INST]\n<<>></s>",
        "<|im_start|>assistant\n<<>>\n<|im_end|>",
        "Question: who is the oldest (of all)?\nAnswer: <<>>",
        "<think>\nWe need one constant (each an Int) a person. Then (a < b) is the first clue.\n</think>\n<<>>",
        "Human: formalize it (please).\n\nAssistant: Sure!\n\n<<>>\n\nIs there anything else (e.g. a proof)?",
    ),
    "wrapper: a transcript": _transcript,
    "wrapper: in two fences": _fences,
    "prose: between the lines": _prose(
        "Next, we state the following.",
        "Let me write this (carefully):",
        "Now the clue:",
        "Step 2. Formalize it",
        "We use a constant here, as follows",
        "Note: all names are as in the text",
        "OK, so",
        "Therefore:",
        "**Constraints:**",
        "---",
    ),
    "repeated: begun and written again": _continued,
    "repeated: twice the same": lambda text, random: (
        text + random.choice(["\n", "\nFinal answer:\n", "\nSo the program is:\n\n", "\n```\n```\n"]) + text
    ),
    "repeated: each line twice": lambda text, _: "".join(f"{line}\n{line}\n" for line in text.splitlines()),
    "end: cut within a question": lambda text, random: text[: text.index("(check-sat)") + random.randint(2, 10)],
    "two mistakes: formula and declarations": together(
        formulas(_C, ("assert {};", "(assert {})"), single=True), _declared("{name}: {sort}", "(declare {name} {sort})")
    ),
    "two mistakes: list and chat": together(
        _prose("Next clue.", "Now (again) a clue:"), each_line("- {0}", "    {0}", "> {0}")
    ),
}
