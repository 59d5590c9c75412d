"""The mistakes in constraint programs that no repair knew when they were first measured, as families by name, and traps, whose meaning is lost."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom
from harness.smtlib.script import read_script

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from harness.smtlib.s_expressions import Node, NodeGroup

    Mistake = Callable[[str, Random], str | None]


_TWO = {"=", "<", ">", "<=", ">=", "+", "-", "*", "and", "or", "=>"}


def _each(form: str) -> Mistake:
    return lambda text, _: "".join(f"{form.format(line, n)}\n" for n, line in enumerate(text.splitlines(), 1))


def _commands(name: str, form: str) -> Mistake:
    def change(text: str, _: Random) -> str:
        return re.sub(rf"(?m)^\({name} (.*)\)$", lambda match: form.format(*match[1].split(" ", 1), match[1]), text)

    return change


def _declared(form: str, **sorts: str) -> Mistake:
    def change(text: str, _: Random) -> str:
        return re.sub(
            r"(?m)^\(declare-const (\w+) (\w+)\)$",
            lambda match: form.format(match[1], sorts.get(match[2], match[2])),
            text,
        )

    return change


def _asserted(form: str) -> Mistake:
    return lambda text, _: re.sub(r"(?m)^\(assert (.*)\)$", lambda match: form.format(match[1]), text)


def _one(form: str) -> Mistake:
    """Return a mistake in one assertion, drawn by chance."""

    def change(text: str, random: Random) -> str | None:
        places = list(re.finditer(r"(?m)^\(assert (.*)\)$", text))
        if not places:
            return None
        match = random.choice(places)
        return text[: match.start()] + form.format(match[1]) + text[match.end() :]

    return change


def _number(form: str) -> Mistake:
    """Return a mistake in one number, drawn by chance."""

    def change(text: str, random: Random) -> str | None:
        places = list(re.finditer(r"(?<= )[1-9]\d*(?=\))", text))
        if not places:
            return None
        match = random.choice(places)
        return text[: match.start()] + form.format(match[0], int(match[0]) + 1) + text[match.end() :]

    return change


def _terms(rewrite: Callable[[NodeGroup, list[str]], str | None]) -> Mistake:
    def write(node: Node) -> str:
        if isinstance(node, Atom):
            return node.text
        parts = [write(item) for item in node.items]
        own = rewrite(node, parts[1:]) if node.items and isinstance(node.items[0], Atom) else None
        return own or f"({' '.join(parts)})"

    def change(text: str, _: Random) -> str:
        commands = read_script(text).commands
        return "".join(
            f"(assert {write(command.items[1])})\n" if command.head == "assert" else f"{write_node(command)}\n"
            for command in commands
        )

    return change


def _by_sign(names: dict[str, str]) -> dict[str, str]:
    """Return words by the operators of SMT-LIB that they stand for; keywords of Python end in `_`."""
    signs = {
        "eq": "=",
        "lt": "<",
        "gt": ">",
        "le": "<=",
        "ge": ">=",
        "implies": "=>",
        "plus": "+",
        "minus": "-",
        "times": "*",
    }
    return {signs.get(name.rstrip("_"), name.rstrip("_")): word for name, word in names.items()}


def _heads(form: str = "({} {})", **names: str) -> Mistake:
    heads = _by_sign(names)
    return _terms(lambda node, parts: form.format(heads[node.head], " ".join(parts)) if node.head in heads else None)


def _between(**names: str) -> Mistake:
    heads = _by_sign(names)
    return _terms(
        lambda node, parts: (
            f"({parts[0]} {heads[node.head]} {parts[1]})" if node.head in heads and len(parts) == 2 else None
        )
    )


def _used(form: str) -> Mistake:
    """Return a mistake that writes the declared names in assertions in another form."""

    def change(text: str, _: Random) -> str:
        names = {declaration.name for declaration in read_script(text).declarations}
        return "".join(
            re.sub(r"(?<=[ (])[A-Za-z]\w*(?=[ )])", lambda m: form.format(m[0]) if m[0] in names else m[0], line)
            if line.startswith("(assert")
            else line
            for line in text.splitlines(keepends=True)
        )

    return change


def _numerals(form: str) -> Mistake:
    return lambda text, _: "".join(
        re.sub(r"(?<= )\d+(?=[ )])", lambda match: form.format(match[0]), line) if line.startswith("(assert") else line
        for line in text.splitlines(keepends=True)
    )


def _whole(form: str) -> Mistake:
    return lambda text, _: form.replace("@", text)


def _ints(form: str, between: str) -> Mistake:
    def change(text: str, _: Random) -> str:
        return re.sub(
            r"(?m)(?:^\(declare-const \w+ Int\)\n){2,}",
            lambda match: form.replace("@", between.join(re.findall(r"const (\w+)", match[0]))) + "\n",
            text,
        )

    return change


FAMILIES: dict[str, Mistake] = {
    "declared: new": _declared("(new {0} {1})"),
    "declared: defvar": _declared("(defvar {0} {1})"),
    "declared: define": _declared("(define {0} {1})"),
    "declared: let": _declared("(let {0} {1})"),
    "declared: bare": _declared("declare-const {0} {1}"),
    "declared: bare colon": _declared("{0}: {1}"),
    "declared: comma": _declared("(declare-const {0}, {1})"),
    "declared: not closed": _declared("(declare-const {0} {1}"),
    "declared: var with two colons": _declared("var {0} :: {1}"),
    "declared: z3": _declared('{0} = {1}("{0}")'),
    "declared: fun of its name": _declared("(declare-fun ({0}) {1})"),
    "declared: with bounds of words": _declared("(declare-const {0} {1}) any value"),
    "declared: variable": _declared("(declare-variable {0} : {1})"),
    "declared: keyword": _declared("(declare-const :name {0} :sort {1})"),
    "declared: in brackets": _declared("(declare-const [{0} {1}])"),
    "declared: many in C": _ints("int @;", ", "),
    "declared: many in Python": _ints('@ = Ints("...")', ", "),
    "declared: many in MiniZinc": _ints("var int: @;", "; var int: "),
    "declared: many of one": _ints("(declare-consts (@) Int)", " "),
    "declared: forall": _ints("(declare-const* @ Int)", " "),
    "declared: SQL": _declared("CREATE CONST {0} {1};"),
    "declared: Go": _declared("var {0} {1}", Int="int", Bool="bool", Real="float64"),
    "declared: Kotlin": _declared("val {0}: {1}", Bool="Boolean", Real="Double"),
    "declared: arrow": _declared("{0} -> {1}"),
    "asserted: capitals": _asserted("(ASSERT {0})"),
    "asserted: call": _asserted("Assert({0})"),
    "asserted: colon outside": _asserted("Constraint: {0}"),
    "asserted: rule": _asserted("(rule {0})"),
    "asserted: fact": _asserted("(fact {0})"),
    "asserted: in braces": _asserted("{{assert {0}}}"),
    "asserted: nothing around": _asserted("{0}"),
    "asserted: dash": _asserted("- {0}"),
    "asserted: tags": _asserted("<constraint>{0}</constraint>"),
    "asserted: semicolon inside": _asserted("(assert {0};)"),
    "asserted: must hold": _asserted("(must-hold {0})"),
    "asserted: twice": _asserted("(assert (assert {0}))"),
    "asserted: equals true": _asserted("(assert (== {0} True))"),
    "asserted: numbered": _asserted("(assert #1 {0})"),
    "asserted: label with a dash": _asserted("(assert clue-1: {0})"),
    "asserted: keyword": _asserted("(assert :formula {0})"),
    "asserted: addConstraint": _asserted("model.addConstraint({0})"),
    "asserted: Add": _asserted("solver.Add({0})"),
    "asserted: closed by a bracket": _asserted("(assert {0}]"),
    "asserted: last parenthesis lost": _asserted("(assert {0}"),
    "asserted: one too many before": _asserted("((assert {0}))"),
    "operator: capitals": _heads(and_="AND", or_="OR", not_="NOT", implies="IMPLIES", distinct="DISTINCT", ite="ITE"),
    "operator: capitals between": _between(and_="AND", or_="OR", implies="IMPLIES"),
    "operator: words between": _between(
        eq="equals", lt="is less than", gt="is greater than", plus="plus", minus="minus"
    ),
    "operator: is-equal": _heads(eq="is-equal", lt="is-less-than", gt="is-greater-than"),
    "operator: camel": _heads(
        eq="isEqual", lt="lessThan", gt="greaterThan", le="lessThanOrEqual", ge="greaterThanOrEqual"
    ),
    "operator: short": _heads(eq="eql", lt="LT", gt="GT", le="LE", ge="GE"),
    "operator: unique": _heads(distinct="unique"),
    "operator: all-distinct": _heads(distinct="all-distinct"),
    "operator: differ": _heads(distinct="differ"),
    "operator: modulus": _heads(mod="modulus", div="intdiv"),
    "operator: mod between": _between(mod="mod", div="div"),
    "operator: conditional": _terms(lambda n, p: f"(if {p[0]} then {p[1]} else {p[2]})" if n.head == "ite" else None),
    "operator: Python conditional": _terms(lambda n, p: f"({p[1]} if {p[0]} else {p[2]})" if n.head == "ite" else None),
    "operator: when": _terms(lambda n, p: f"(when {p[0]} {p[1]})" if n.head == "=>" and len(p) == 2 else None),
    "operator: only if": _terms(lambda n, p: f"({p[0]} ==> {p[1]})" if n.head == "=>" and len(p) == 2 else None),
    "operator: bars": _terms(lambda n, p: f"({p[0]} || {p[1]})" if n.head == "or" and len(p) == 2 else None),
    "operator: single bars": _terms(lambda n, p: f"(| {' '.join(p)})" if n.head == "or" else None),
    "operator: triple equals": _between(eq="==="),
    "operator: LaTeX": _between(le=r"\leqslant", ge=r"\geqslant", lt=r"\lt", gt=r"\gt", eq="="),
    "operator: entity": _between(le="&leq;", ge="&geq;", lt="&lt;", gt="&gt;"),
    "operator: sum of a list": _terms(lambda n, p: f"(sum [{', '.join(p)}])" if n.head == "+" else None),
    "operator: plus between all": _terms(lambda n, p: f"({' + '.join(p)})" if n.head == "+" else None),
    "operator: and between all": _terms(lambda n, p: f"({' and '.join(p)})" if n.head == "and" else None),
    "operator: commas and an and": _terms(
        lambda n, p: f"(and {', '.join(p[:-1])} and {p[-1]})" if n.head == "and" and len(p) > 1 else None
    ),
    "operator: chain in two": _terms(
        lambda n, p: f"({p[0]} <= {p[1]} and {p[1]} <= {p[2]})" if n.head == "<=" and len(p) == 3 else None
    ),
    "operator: from to": _terms(
        lambda n, p: (
            f"({p[1]} in {p[0]} .. {p[2]})" if n.head == "<=" and len(p) == 3 and (p[0] + p[2]).isdigit() else None
        )
    ),
    "operator: prefix with a colon": _heads("({}: {})", eq="=", lt="<", gt=">", le="<=", ge=">="),
    "operator: bracketed arguments": _terms(lambda n, p: f"{n.head}[{', '.join(p)}]" if n.head.isalpha() else None),
    "operator: braces": _terms(lambda n, p: f"{{{n.head} {' '.join(p)}}}"),
    "operator: square": _terms(lambda n, p: f"[{n.head} {' '.join(p)}]"),
    "operator: postfix": _terms(
        lambda n, p: f"({p[0]} {p[1]} {n.head})" if n.head in {"<", ">"} and len(p) == 2 else None
    ),
    "number: full width": lambda text, _: re.sub(r"(?<= )\d(?=[ )])", lambda m: chr(ord(m[0]) + 0xFEE0), text),
    "number: in an emphasis": _numerals("**{}**"),
    "number: int call": _numerals("(int {})"),
    "number: quotation": _numerals("'{}'"),
    "number: fraction of ones": _numerals("{}.00"),
    "number: tagged": _numerals("#{}"),
    "number: plus before": _numerals("(+ {})"),
    "name: emphasis": _used("*{}*"),
    "name: angle brackets": _used("<{}>"),
    "name: braces": _used("{{{}}}"),
    "name: dollars": _used("${}$"),
    "name: sort behind": _used("{}:Int"),
    "name: keyword": _used(":{}"),
    "name: possessive": _used("{}'s"),
    "name: question mark": _used("?{}"),
    "name: quoted bars": _used("| {} |"),
    "check: call": lambda text, _: text.replace("(check-sat)", "check-sat();"),
    "check: Python": lambda text, _: text.replace("(check-sat)", "assert solver.check() == sat"),
    "check: of the answer": lambda text, _: text.replace("(check-sat)", "(check-sat answer)"),
    "check: solver": lambda text, _: text.replace("(check-sat)", "(run-solver)"),
    "value: colon": lambda text, _: text.replace("(get-value (answer))", "(get-value: answer)"),
    "value: what is": lambda text, _: text.replace("(get-value (answer))", "What is answer?"),
    "value: brackets": lambda text, _: text.replace("(get-value (answer))", "(get-value [answer])"),
    "value: model of": lambda text, _: text.replace("(get-value (answer))", "(get-model answer)"),
    "logic: colon": lambda text, _: re.sub(r"\(set-logic (\w+)\)", r"(set-logic: \1)", text),
    "logic: use": lambda text, _: re.sub(r"\(set-logic (\w+)\)", r"(use-logic \1)", text),
    "logic: two": lambda text, _: re.sub(r"\(set-logic (\w+)\)", r"(set-logic \1 ALL)", text),
    "wrapped: Java": _each('System.out.println("{0}");'),
    "wrapped: C++": _each('std::cout << "{0}" << std::endl;'),
    "wrapped: Ruby": _each("puts '{0}'"),
    "wrapped: sum of texts": _each('  + "{0}\\n"'),
    "wrapped: YAML list": _each('- "{0}"'),
    "wrapped: paragraphs": _each("<p>{0}</p>"),
    "wrapped: table rows": _each("<tr><td>{1}</td><td>{0}</td></tr>"),
    "wrapped: line numbers in brackets": _each("[{1}] {0}"),
    "wrapped: Line": _each("Line {1}: {0}"),
    "wrapped: dots": _each("• {0}"),
    "wrapped: arrows": _each("→ {0}"),
    "wrapped: code each": _each("`{0}`"),
    "wrapped: italics": _each("*{0}*"),
    "wrapped: display": _each("$${0}$$"),
    "wrapped: CRLF": lambda text, _: "Program\r\n" + text.replace("\n", "\r\n"),
    "wrapped: Org": _whole("#+begin_src smt2\n@#+end_src\n"),
    "wrapped: code element": _whole('<code class="smt">\n@</code>\n'),
    "wrapped: heredoc": _whole("cat <<EOF | z3 -in\n@EOF\n"),
    "wrapped: R text": _whole("p <- '\n@'\n"),
    "wrapped: fence of four": _whole("````smt\n@````\n"),
    "wrapped: heading": _whole("## SMT-LIB program\n\n@\n## Answer\n\nThe solver says sat.\n"),
    "wrapped: wish": _whole("Sure, here you go!\n@\nLet me know if (and only if) you need more.\n"),
    "wrapped: lisp": _whole("(progn\n@)\n"),
    "wrapped: brackets": _whole("[\n@]\n"),
    "wrapped: JSON with a comment": _whole('{"smt": "see below"}\n@'),
    "wrapped: section marks": _whole("=== BEGIN ===\n@=== END ===\n"),
}
"""What a reader still understands, by name."""

TRAPS: dict[str, Mistake] = {
    "commented: parentheses and stars": _one("(* (assert {0}) *)"),
    "commented: comment form": _one("(comment (assert {0}))"),
    "commented: ignore": _one("(ignore (assert {0}))"),
    "commented: per cent": _one("% (assert {0})"),
    "commented: dashes": _one("-- (assert {0})"),
    "commented: rem": _one("REM (assert {0})"),
    "commented: if 0": _one("#if 0\n(assert {0})\n#endif"),
    "taken back: tilde": _one("~(assert {0})"),
    "taken back: bang": _one("!(assert {0})"),
    "taken back: deleted": _one("(assert {0}) [deleted]"),
    "taken back: not needed": _one("(assert {0}) not needed"),
    "taken back: struck": _one("<strike>(assert {0})</strike>"),
    "taken back: wrong": _one("wrong: (assert {0})"),
    "taken back: unassert": _one("(unassert {0})"),
    "taken back: assert false of": _one("(assert-false {0})"),
    "conditional: if": _one("if it rains (assert {0})"),
    "conditional: unless": _one("(assert {0}) unless noted"),
    "conditional: assert-if": _one("(assert-if {0})"),
    "doubt: maybe": _one("(assert (possibly {0}))"),
    "doubt: soft": _one("(assert-soft {0} :weight 2)"),
    "doubt: prefer": _one("(prefer {0})"),
    "doubt: should": _one("(should {0})"),
    "doubt: approximately": _number("approximately-{0}"),
    "doubt: many": _number("many"),
    "doubt: null": _number("null"),
    "doubt: nil": _number("nil"),
    "doubt: undefined": _number("undefined"),
    "doubt: NaN": _number("NaN"),
    "doubt: slash": _number("{0}|{1}"),
    "doubt: to": _number("{0}to{1}"),
    "doubt: interval": _number("[{0},{1}]"),
    "doubt: less sign": _number("<{0}"),
    "doubt: letter": _number("k"),
    "doubt: masked": _number("▒▒"),
    "doubt: stars": _number("***"),
    "doubt: days": _number("{0}days"),
    "doubt: dollars": _number("${0}"),
    "relation: older": _terms(lambda n, p: f"(older {' '.join(p)})" if n.head in {"<", ">"} else None),
    "relation: compare": _terms(lambda n, p: f"(compare {' '.join(p)})" if n.head in {"<", ">", "="} else None),
    "relation: sign lost": _terms(lambda n, p: f"(? {' '.join(p)})" if n.head in {"<", ">", "<=", ">="} else None),
    "relation: two signs": _terms(lambda n, p: f"(<|> {' '.join(p)})" if n.head in {"<", ">"} else None),
    "relation: one of": _terms(lambda n, p: f"(one-of {' '.join(p)})" if n.head == "or" else None),
    "relation: exactly": _terms(lambda n, p: f"(exactly-one {' '.join(p)})" if n.head == "or" else None),
    "relation: comma": _terms(lambda n, p: f"({', '.join(p)})" if n.head in {"and", "or"} and len(p) > 1 else None),
    "relation: mixed": _terms(lambda n, p: f"({p[0]} & {p[1]} | {p[0]})" if n.head == "and" and len(p) == 2 else None),
    "lost: argument": _terms(lambda n, p: f"({n.head} {p[0]})" if n.head in {"<", ">", "<=", ">="} else None),
    "lost: middle": _terms(
        lambda n, p: f"({n.head} {p[0]} ... {p[-1]})" if n.head == "distinct" and len(p) > 2 else None
    ),
    "lost: rest": _one("(assert {0}) and so on for the others"),
    "lost: assertion": _one("(assert (see text))"),
    "lost: formula": _one("(assert formula)"),
    "lost: blank": _one("(assert ____)"),
    "lost: dots": _one("(assert …)"),
    "lost: end": lambda text, random: text[: text.rindex("(assert") + random.randint(9, 14)],
    "lost: sort": _declared("(declare-const {0} ???)"),
    "sort: positive": _declared("(declare-const {0} PositiveInt)"),
    "sort: bounded": _declared("(declare-const {0} Int 0 10)"),
    "sort: set": _declared("(declare-const {0} (Set Int))"),
    "sort: optional": _declared("(declare-const {0} Int?)"),
}
"""What nobody can understand for certain, or what was taken back: a repair is none, or says so."""
