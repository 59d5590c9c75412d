"""The fourth set of mistakes and traps that no repair knew when it was first measured.

Their sources are how chat models write today (drafts, prompts of a shell, patches, comments in the wrong place), how students write
(numbers in words, products without a sign), declarations of half-remembered languages, and texts that lost their encoding.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from benchmarks.unseen_mistakes.formula_notations import (
    ASSERTION,
    CONSTANT,
    Notation,
    asserted,
    drawn,
    each_line,
    formulas,
    operations,
    pattern,
    regular,
    replaced,
    template,
    together,
    written_as,
)
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, AtomKind, NodeGroup
from harness.smtlib.script import read_script

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from benchmarks.unseen_mistakes.formula_notations import Mistake
    from harness.smtlib.s_expressions import Node

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINALS = ("0th", "1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th", "11th", "12th")

_SPOKEN = Notation(
    {"and": "and", "or": "or", "=>": "implies", "=": "equals", "distinct": "differs from"}
    | {"<": "less than", ">": "greater than", "<=": "less than or equal to", ">=": "greater than or equal to"}
    | {"+": "plus", "-": "minus", "*": "times"},
    chains=False,
)
_MOJIBAKE = Notation(negation="Â¬{a}", chains=False).with_signs(
    **{"and": "âˆ§", "or": "âˆ¨"}, implies="â†’", different="â‰\xa0", less_equal="â‰¤", greater_equal="â‰¥"
)
_MATHML = {"=": "eq", "<": "lt", ">": "gt", "<=": "leq", ">=": "geq", "and": "and", "or": "or", "not": "not"} | {
    "+": "plus",
    "-": "minus",
    "*": "times",
    "=>": "implies",
    "distinct": "neq",
}


def _mathml(node: Node) -> str:
    if isinstance(node, Atom):
        return f"<cn>{node.text}</cn>" if node.kind is AtomKind.NUMERAL else f"<ci>{node.text}</ci>"
    return f"<apply><{_MATHML.get(node.head, node.head)}/>{''.join(map(_mathml, node.arguments))}</apply>"


def _tree(node: Node) -> object:
    if isinstance(node, Atom):
        return int(node.text) if node.kind is AtomKind.NUMERAL else node.text
    return {"op": node.head, "args": [_tree(item) for item in node.arguments]}


def _formula(form: str, write: Callable[[Node], str]) -> Mistake:
    return asserted(lambda node, _: form.format(write(node)))


def _numeral(words: tuple[str, ...]) -> Mistake:
    def change(node: Node) -> str | None:
        known = isinstance(node, Atom) and node.kind is AtomKind.NUMERAL and int(node.text) < len(words)
        return words[int(node.text)] if known and isinstance(node, Atom) else None

    return replaced(change)


def _one_numeral(*forms: str) -> Mistake:
    def write(form: str) -> Mistake:
        def change(node: Node) -> str | None:
            return form.format(node.text) if isinstance(node, Atom) and node.kind is AtomKind.NUMERAL else None

        return replaced(change, single=True)

    return drawn(*map(write, forms))


def _constants(form: str) -> Mistake:
    """Write each use of a declared constant in formulas in another form."""

    def change(text: str, random: Random) -> str | None:
        names = {declaration.name for declaration in read_script(text).declarations if not declaration.sorts}
        return replaced(lambda node: form.format(node.text) if isinstance(node, Atom) and node.text in names else None)(
            text, random
        )

    return change


def _booleans(yes: str, no: str) -> Mistake:
    """Compare each truth value that is an operand of `and`, `or`, `not` or `=>` with a word."""

    def change(text: str, random: Random) -> str | None:
        names = {
            declaration.name
            for declaration in read_script(text).declarations
            if declaration.sort == "Bool" and not declaration.sorts
        }

        def write(node: Node) -> str | None:
            if not isinstance(node, NodeGroup) or node.head not in {"and", "or", "not", "=>"}:
                return None
            if not all(isinstance(item, Atom) and item.text in names for item in node.arguments):
                return None
            if node.head == "not":
                return f"(= {write_node(node.arguments[0])} {no})"
            return f"({node.head} {' '.join(f'(= {write_node(item)} {yes})' for item in node.arguments)})"

        return replaced(write)(text, random)

    return change


def _several(form: str, between: str) -> Mistake:
    """Declare the constants of a sort in one command."""

    def change(text: str, _: Random) -> str | None:
        sorts: dict[str, list[str]] = {}
        for match in re.finditer(CONSTANT, text):
            sorts.setdefault(match[2], []).append(match[1])
        first = re.search(CONSTANT, text)
        if first is None or not any(len(names) > 1 for names in sorts.values()):
            return None
        lines = "".join(form.format(between.join(names), sort) + "\n" for sort, names in sorts.items())
        head, rest = text[: first.start()], text[first.end() + 1 :]
        return head + lines + re.sub(CONSTANT + "\n", "", rest)

    return change


def _thought(text: str, random: Random) -> str:
    """Put thoughts with parts of a draft before the program."""
    some = random.choice([line for line in text.splitlines() if line.startswith("(declare")])
    thought = random.choice(
        [
            f"We need constants. Maybe {some}? Yes.",
            "The user wants SMT-LIB. Let me (carefully) encode it: use (assert ...) for each clue.",
            f"First I declare things:\n{some}\nand so on.",
        ]
    )
    return random.choice(
        [
            "<think>\n{}\n</think>\n\n{}",
            "<thinking>{}</thinking>\n{}",
            "<reasoning>\n{}\n</reasoning>\n<answer>\n{}\n</answer>",
        ]
    ).format(thought, text)


def _patch(text: str, _: Random) -> str:
    lines = text.splitlines()
    added = "".join(f"+{line}\n" for line in lines)
    return f"--- /dev/null\n+++ b/puzzle.smt2\n@@ -0,0 +1,{len(lines)} @@\n{added}"


def _gutter(text: str, random: Random) -> str:
    form = random.choice(["{1:>4} | {0}", "{1:>3}: {0}", "[{1:02}] {0}", "L{1}  {0}"])
    return "".join(form.format(line, number) + "\n" for number, line in enumerate(text.splitlines(), 1))


def _prompts(text: str, random: Random) -> str:
    prompt, answer = random.choice([("z3> ", "success"), ("smt> ", ""), ("In [{}]: ", ""), (">>> ", "ok"), ("$ ", "")])
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        lines.append(prompt.format(number) + line)
        lines += [answer] if answer else []
    return "\n".join(lines)


def _enumeration(form: str, between: str) -> Mistake:
    def change(text: str, _: Random) -> str | None:
        found = re.search(r"(?m)^\(declare-datatypes \(\((\w+) 0\)\) \(\((.*)\)\)\)$", text)
        if found is None:
            return None
        values = re.findall(r"\((\w+)\)", found[2])
        return text.replace(found[0], form.format(found[1], between.join(values)))

    return change


def _product(node: Node) -> str | None:
    if isinstance(node, NodeGroup) and node.head == "*" and len(node.arguments) == 2:
        first, second = node.arguments
        if isinstance(first, Atom) and isinstance(second, Atom):
            if second.kind is AtomKind.NUMERAL:
                first, second = second, first
            if first.kind is AtomKind.NUMERAL and second.kind is not AtomKind.NUMERAL:
                return f"{first.text}{second.text}"
    return None


def _assertion(*forms: str) -> Mistake:
    return drawn(*(regular(ASSERTION, form, single=True) for form in forms))


MISTAKES: dict[str, Mistake] = {
    "chat: a comment that takes the end": drawn(
        regular(ASSERTION, r"(assert \1 ; as the text says)"), regular(ASSERTION, r"(assert \1 ; clue)", single=True)
    ),
    "chat: thoughts before it": _thought,
    "chat: a patch": _patch,
    "chat: prompts of a shell": _prompts,
    "chat: line numbers at the edge": _gutter,
    "chat: a listing": template(
        "\\begin{lstlisting}[language=Lisp]\n<<>>\n\\end{lstlisting}",
        "\\begin{verbatim}\n<<>>\n\\end{verbatim}",
        ".. code-block:: smt2\n\n<<>>",
        "[code]\n<<>>\n[/code]",
    ),
    "chat: a keyword before the formula": drawn(
        regular(ASSERTION, r"(assert :formula \1)"),
        regular(ASSERTION, r"(assert (formula \1))"),
        regular(ASSERTION, r"(assert (constraint \1))"),
    ),
    "chat: the command on its own line": drawn(
        regular(ASSERTION, r"assert:\n    \1"),
        regular(ASSERTION, r"ASSERT\n  \1;"),
        regular(ASSERTION, r"- assert:\n  - \1"),
    ),
    "chat: trees in JSON": _formula("(assert {})", lambda node: json.dumps(_tree(node))),
    "chat: MathML": _formula("(assert {})", _mathml),
    "chat: quoted formulas": drawn(regular(ASSERTION, r"(assert '\1)"), regular(ASSERTION, r"(assert `\1)")),
    "encoding: signs": formulas(_MOJIBAKE, ("(assert {})", "assert {}")),
    "encoding: escaped twice": lambda text, _: (
        text.replace("&", "&amp;amp;").replace("<", "&amp;lt;").replace(">", "&amp;gt;")
    ),
    "encoding: numeric entities": lambda text, _: (
        text.replace("<", "&#60;").replace(">", "&#x3E;").replace("=", "&#61;")
    ),
    "student: products without a sign": replaced(_product),
    "student: numbers in words": _numeral(_NUMBERS),
    "student: ordinals": _numeral(_ORDINALS),
    "student: between": written_as(
        ["<="], "(between {1} {0} {2})", "({1} between {0} and {2})", "(in-range {1} {0} {2})", count=3
    ),
    "student: spoken signs": formulas(_SPOKEN, ("(assert ({}))", "assert {}", "Assert that {}.")),
    "student: spoken calls": drawn(
        written_as([">="], "(at-least {0} {1})", "(is-at-least {0} {1})", count=2),
        written_as(["<="], "(at-most {0} {1})", "(no-more-than {0} {1})", count=2),
        written_as([">"], "(greater-than {0} {1})", "(more-than {0} {1})", "(exceeds {0} {1})", count=2),
        written_as(["="], "(equal-to {0} {1})", "(equals? {0} {1})", "(same {0} {1})", count=2),
    ),
    "student: sentences around it": together(
        drawn(
            regular(CONSTANT, r"Let \1 be of sort \2."),
            regular(CONSTANT, r"Declare \1 as \2."),
            regular(CONSTANT, r"\1 is an unknown \2."),
        ),
        drawn(
            regular(ASSERTION, r"We require \1."),
            regular(ASSERTION, r"Constraint: \1."),
            regular(ASSERTION, r"It holds that \1."),
        ),
    ),
    "form: constants as calls": _constants("({})"),
    "form: numbers in parentheses": replaced(
        lambda node: f"({node.text})" if isinstance(node, Atom) and node.kind is AtomKind.NUMERAL else None
    ),
    "form: truth values compared": drawn(
        _booleans("true", "false"), _booleans("True", "False"), _booleans("yes", "no")
    ),
    "form: another name of not-and": drawn(
        operations("not", lambda args: f"(nand {args[0][5:-1]})" if args[0].startswith("(and ") else None),
        operations("not", lambda args: f"(nor {args[0][4:-1]})" if args[0].startswith("(or ") else None),
        operations("not", lambda args: f"(not= {args[0][3:-1]})" if args[0].startswith("(= ") else None),
    ),
    "declared: several": drawn(
        _several("(declare-consts ({}) {})", " "),
        _several("(declare-const {} {})", " "),
        _several("(declare-vars {} : {})", ", "),
    ),
    "declared: without or with parentheses": drawn(
        regular(CONSTANT, r"(declare-fun \1 \2)"),
        regular(CONSTANT, r"(declare-const \1 () \2)"),
        regular(CONSTANT, r"(declare-fun (\1) \2)"),
    ),
    "declared: of another solver": drawn(
        regular(CONSTANT, r"(define \1 :: \2)"),
        regular(CONSTANT, r"(def-const \1 \2)"),
        regular(CONSTANT, r"(make-const \2 \1)"),
    ),
    "declared: values": drawn(
        _enumeration("(declare-enum {0} ({1}))", " "),
        _enumeration("(declare-datatype {0} ({1}))", " | "),
        _enumeration("(declare-sort {0} {{{1}}})", ", "),
        _enumeration("(define-sort {0} (Enum {1}))", " "),
    ),
    "ending: the values": pattern(
        "get-value",
        "(get-value {bare})",
        "(get-values ({bare}))",
        "(print {bare})",
        "(get-value [{bare}])",
        "(show-value {bare})",
    ),
    "translation: Spanish": lambda text, _: re.sub(
        r"(?<=[\s(])(and|or|not|assert)(?=[\s)])",
        lambda match: {"and": "y", "or": "o", "not": "no", "assert": "afirmar"}[match[1]],
        text,
    ),
    "translation: French": lambda text, _: re.sub(
        r"(?<=[\s(])(and|or|not|distinct|true|false)(?=[\s)])",
        lambda match: {
            "and": "et",
            "or": "ou",
            "not": "non",
            "distinct": "différents",
            "true": "vrai",
            "false": "faux",
        }[match[1]],
        text,
    ),
}


def _removed(text: str, random: Random) -> str | None:
    """Mark an assertion as removed by a patch."""
    lines = text.splitlines()
    places = [number for number, line in enumerate(lines) if line.startswith("(assert")]
    if len(places) < 2:
        return None
    place = random.choice(places)
    return "\n".join([f"{'-' if number == place else ' '}{line}" for number, line in enumerate(lines)])


TRAPS: dict[str, Mistake] = {
    "chat: removed by a patch": _removed,
    "chat: a draft alone": template(
        "<think>\n<<>>\nWait, that is wrong, because the second clue says the opposite.\n</think>",
        "First attempt:\n<<>>\nThis is unsatisfiable, so one assertion must go.",
        "Here is what NOT to write:\n<<>>",
    ),
    "number: some": _one_numeral("several", "few", "couple", "{}-ish", "dozens", "(about {})", "half"),
    "number: another scale": _one_numeral("{}k", "{}e", "{}/", "{}!", "{}th-last", "{}^"),
    "number: a hole": _one_numeral("{{value}}", "${{n}}", "%d", "<N>", "#{}", "?{}", "__NUM__"),
    "operator: nearly": written_as(
        ["=", "<", ">", "<=", ">="],
        "(=~ {all})",
        "(~= {all})",
        "(!> {all})",
        "(≲ {all})",
        "(roughly {all})",
        count=2,
        single=True,
    ),
    "operator: one of two": written_as(
        ["or", "xor", "and"], "(either {all})", "(and/or {all})", "(combine {all})", "(| {all} |)", single=True
    ),
    "operator: lost in the encoding": written_as(
        ["=", "<", ">", "<=", ">=", "and", "or"], "(? {all})", "(\ufffd {all})", "(â {all})", "({0} ? {1})", single=True
    ),
    "operator: an open end": written_as(
        ["<", "<=", ">", ">="],
        "(until {all})",
        "(before {all})",
        "({0} up to {1})",
        "({0} from {1})",
        "(within {all})",
        count=2,
        single=True,
    ),
    "command: not asserted": _assertion(
        r"(assert? \1)",
        r"(assert-unlikely \1)",
        r"(dis-assert \1)",
        r"(check-assert \1)",
        r"(suppose \1)",
        r"(hope \1)",
        r"(refute \1)",
    ),
    "command: only asked": _assertion(
        r"(query \1)", r"(prove \1)", r"(assert-not \1)", r"(goal \1)", r"(deny \1)", r"(eval \1)"
    ),
    "each line: rejected": each_line("# rejected: {0}", "DEPRECATED {0}", "(old) {0}"),
}
