"""The fifth set of mistakes and traps that no repair knew when it was first measured.

Its sources are the interfaces and modelling languages that models know beside SMT-LIB, files that passed through other programs, forms
that are nearly right, and words of languages in other scripts.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from benchmarks.unseen_mistakes.formula_notations import (
    ASSERTION,
    CONSTANT,
    CannotBeWrittenError,
    Notation,
    asserted,
    drawn,
    each_line,
    formulas,
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
    from collections.abc import Mapping
    from random import Random

    from benchmarks.unseen_mistakes.formula_notations import Mistake
    from harness.smtlib.s_expressions import Node

_NUMBERS = {AtomKind.NUMERAL, AtomKind.DECIMAL}
_C = Notation(negation="!({a})", choice="({c} ? {a} : {b})", chains=False).with_signs(
    **{"and": "&&", "or": "||", "mod": "%"}, equal="==", different="!="
)
_ALGEBRA = Notation(
    {"<": "<", ">": ">", "<=": "<=", ">=": ">=", "=": "==", "distinct": "!=", "+": "+", "-": "-", "*": "*"},
    calls={"and": "And", "or": "Or", "not": "Not", "=>": "Implies", "xor": "Xor", "ite": "If", "mod": "Mod"},
    chains=False,
)
_SUMS = Notation(
    {"<": "<", ">": ">", "<=": "<=", ">=": ">=", "=": "=", "+": "+", "-": "-", "*": "*"},
    negation="",
    choice="",
    call="",
    chains=False,
)
_GAMS = _SUMS.with_signs(equal="=e=", less_equal="=l=", greater_equal="=g=")
_JAVA = {"and": "mkAnd", "or": "mkOr", "not": "mkNot", "=>": "mkImplies", "=": "mkEq", "distinct": "mkDistinct"} | {
    "<": "mkLt",
    ">": "mkGt",
    "<=": "mkLe",
    ">=": "mkGe",
    "+": "mkAdd",
    "-": "mkSub",
    "*": "mkMul",
    "ite": "mkITE",
    "mod": "mkMod",
    "xor": "mkXor",
}
_PYSMT = {"and": "And", "or": "Or", "not": "Not", "=>": "Implies", "=": "Equals", "distinct": "AllDifferent"} | {
    "<": "LT",
    ">": "GT",
    "<=": "LE",
    ">=": "GE",
    "+": "Plus",
    "-": "Minus",
    "*": "Times",
    "ite": "Ite",
    "xor": "Xor",
}
_KINDS = {"and": "AND", "or": "OR", "not": "NOT", "=>": "IMPLIES", "=": "EQUAL", "distinct": "DISTINCT"} | {
    "<": "LT",
    ">": "GT",
    "<=": "LEQ",
    ">=": "GEQ",
    "+": "ADD",
    "-": "SUB",
    "*": "MULT",
    "ite": "ITE",
    "xor": "XOR",
    "mod": "INTS_MODULUS",
}


def _called(node: Node, names: Mapping[str, str], call: str, number: str) -> str:
    """Write a formula as calls of an interface; raise `CannotBeWrittenError` where it has none for an operator."""
    if isinstance(node, Atom):
        return number.format(node.text) if node.kind in _NUMBERS else node.text
    if node.head not in names:
        raise CannotBeWrittenError(node.head)
    arguments = ", ".join(_called(item, names, call, number) for item in node.arguments)
    return call.format(names[node.head], arguments)


def _interface(form: str, names: Mapping[str, str], call: str = "{0}({1})", number: str = "{}") -> Mistake:
    return asserted(lambda node, _: form.format(_called(node, names, call, number)))


def _declared(*forms: str, sorts: Mapping[str, str]) -> Mistake:
    """Declare constants as a language does that has a word for each of their sorts."""

    def change(text: str, random: Random) -> str | None:
        found = list(re.finditer(CONSTANT, text))
        if not found or any(match[2] not in sorts for match in found):
            return None
        form = random.choice(forms)
        return re.sub(CONSTANT, lambda match: form.format(match[1], sorts[match[2]]), text)

    return change


def _as_a_whole(text: str, form: str, between: str, row: str) -> str | None:
    """Declare all constants in one place."""
    found = list(re.finditer(CONSTANT, text))
    if len(found) < 2:
        return None
    rows = between.join(row.format(match[1], match[2]) for match in found)
    head, rest = text[: found[0].start()], text[found[0].end() + 1 :]
    return head + form.format(rows) + "\n" + re.sub(CONSTANT + "\n", "", rest)


def _whole(form: str, between: str, row: str) -> Mistake:
    return lambda text, _: _as_a_whole(text, form, between, row)


def _atoms(form: str, *kinds: AtomKind) -> Mistake:
    return replaced(lambda node: form.format(node.text) if isinstance(node, Atom) and node.kind in kinds else None)


def _weights(form: str) -> Mistake:
    """Write `(ite p 1 0)` as the number of a truth value."""

    def change(node: Node) -> str | None:
        if isinstance(node, NodeGroup) and node.head == "ite" and write_node(node).endswith(" 1 0)"):
            return form.format(write_node(node.arguments[0]))
        return None

    return replaced(change)


def _constants(form: str) -> Mistake:
    """Write each use of a declared constant in formulas in another form."""

    def change(text: str, random: Random) -> str | None:
        sorts = {one.name: one.sort for one in read_script(text).declarations if not one.sorts}

        def write(node: Node) -> str | None:
            known = isinstance(node, Atom) and node.text in sorts
            return form.format(node.text, sorts[node.text]) if known and isinstance(node, Atom) else None

        return replaced(write)(text, random)

    return change


def _members(form: str) -> Mistake:
    """Write a small range of a whole number as the set of its values."""

    def change(node: Node) -> str | None:
        if not isinstance(node, NodeGroup) or node.head != "<=" or len(node.arguments) != 3:
            return None
        low, name, high = map(write_node, node.arguments)
        if not (low.isdigit() and high.isdigit() and name.isidentifier() and int(high) - int(low) in range(1, 9)):
            return None
        return form.format(name, ", ".join(map(str, range(int(low), int(high) + 1))))

    return replaced(change)


def _hyphenated(text: str, random: Random) -> str:
    """Part one long word of every third line at its end, as a typesetter does."""
    lines = []
    for number, line in enumerate(text.splitlines()):
        words = list(re.finditer(r"[A-Za-z]{6,}", line)) if number % 3 == 0 else []
        if words:
            word = random.choice(words)
            cut = word.start() + 3
            line = f"{line[:cut]}-\n{line[cut:]}"  # the line as it is printed
        lines.append(line)
    return "\n".join(lines)


def _rows(text: str, _: Random) -> str:
    """Write rows of a table of commas, in which a command stands in quotation marks."""
    rows = (f'{number},"{line}",ok' for number, line in enumerate(text.replace('"', '""').splitlines(), 1))
    return "id,command,state\n" + "\n".join(rows)


def _words(**words: str) -> Mistake:
    """Write operators in the words of another natural language."""
    return lambda text, _: re.sub(
        r"(?<=\()(and|or|not|assert)(?=[\s)])", lambda match: words.get(match[1].replace("not", "not_"), match[1]), text
    )


def _assertion(*forms: str) -> Mistake:
    return drawn(*(regular(ASSERTION, form, single=True) for form in forms))


_NAMED = {"Int": "Int", "Bool": "Bool", "Real": "Real"}

MISTAKES: dict[str, Mistake] = {
    "interface: Java": together(
        _interface("solver.add({});", _JAVA, "ctx.{0}({1})", "ctx.mkInt({})"),
        _declared('IntExpr {0} = ctx.mk{1}Const("{0}");', sorts=_NAMED),
    ),
    "interface: PySMT": together(
        _interface("solver.add_assertion({})", _PYSMT, "{0}({1})", "Int({})"),
        _declared('{0} = Symbol("{0}", {1})', sorts={"Int": "INT", "Bool": "BOOL", "Real": "REAL"}),
    ),
    "interface: kinds of terms": _interface(
        "slv.assertFormula({})", _KINDS, "tm.mkTerm(Kind.{0}, {1})", "tm.mkInteger({})"
    ),
    "interface: C++": together(
        formulas(_C, ("s.add({});",)), _declared('expr {0} = c.{1}_const("{0}");', sorts={"Int": "int", "Bool": "bool"})
    ),
    "modelling: AMPL": together(
        formulas(_SUMS, ("subject to c: {};",), single=True),
        _declared("var {0} {1};", sorts={"Int": "integer", "Bool": "binary"}),
    ),
    "modelling: GAMS": formulas(_GAMS, ("eq.. {};",)),
    "modelling: JuMP": together(
        formulas(_C, ("@constraint(model, {})",)),
        _declared("@variable(model, {0}, {1})", sorts={"Int": "Int", "Bool": "Bin"}),
    ),
    "modelling: Pyomo": formulas(_C, ("model.c = Constraint(expr=({}))", "m.con = pyo.Constraint(expr={})")),
    "algebra: square brackets": together(
        asserted(lambda node, _: f"(assert {_ALGEBRA.write(node)})"),
        lambda text, _: re.sub(r"(And|Or|Not|Implies|Xor|If|Mod)\(((?:[^()]|\([^()]*\))*)\)", r"\1[\2]", text),
    ),
    "algebra: sections": written_as(
        ["<", ">", "<=", ">=", "="], "(({head}) {0} {1})", "((op {head}) {0} {1})", count=2
    ),
    "file: e-mail": each_line("> {0}", ">> {0}", "| {0}"),
    "file: CDATA": template(
        "<program><![CDATA[\n<<>>\n]]></program>", '<?xml version="1.0"?>\n<smt>\n<![CDATA[<<>>]]>\n</smt>'
    ),
    "file: two bytes a letter": lambda text, _: "".join(f"{letter}\0" for letter in text),
    "file: words parted at line ends": _hyphenated,
    "file: rows with quotation marks": _rows,
    "file: JSON in JSON": lambda text, _: json.dumps({"content": json.dumps({"smt": text})}),
    "file: bold keywords": lambda text, _: re.sub(r"(?m)^\(([a-z-]+)", r"(**\1**", text),
    "file: definition list": drawn(
        regular(ASSERTION, r"- assert: \1"), regular(ASSERTION, r"assertion = \1"), regular(ASSERTION, r"* [assert] \1")
    ),
    "form: no blank behind the sign": lambda text, _: re.sub(r"\((<=|>=|<|>|=|\+|\*) (?=[\w(])", r"(\1", text),
    "form: number of a truth value": drawn(_weights("(bool2int {})"), _weights("(b2i {})"), _weights("(indicator {})")),
    "form: arguments with keywords": written_as(
        ["<", ">", "<=", ">=", "="], "({head} :left {0} :right {1})", "({head} :lhs {0} :rhs {1})", count=2
    ),
    "form: an annotation of nothing": drawn(
        regular(ASSERTION, r"(assert (! \1 :note))"),
        regular(ASSERTION, r"(assert (! \1 :weight))"),
        regular(ASSERTION, r"(assert (!! \1))"),
    ),
    "form: numbered assertions": asserted(lambda node, random: f"(assert {random.randint(1, 20)} {write_node(node)})"),
    "form: sets of values": drawn(
        _members("(∈ {0} {{{1}}})"), _members("({0} ∈ {{{1}}})"), _members("(elem {0} #{{{1}}})")
    ),
    "form: sorts at the names": drawn(_constants("{0}:{1}"), _constants("(as {0} {1})"), _constants("(the {1} {0})")),
    "form: marked variables": drawn(_constants("?{0}"), _constants("@{0}"), _constants("%{0}"), _constants("var({0})")),
    "form: decimals of a whole number": _atoms("{}.00", AtomKind.NUMERAL),
    "declared: all in one object": drawn(
        _whole("{{{}}}", ", ", "{0}: {1}"),
        _whole("vars = [{}]", ", ", '("{0}", {1})'),
        _whole("(declare ({}))", " ", "({0} : {1})"),
    ),
    "declared: of a language with types": drawn(
        _declared("let {0}: {1};", "let mut {0}: {1};", sorts={"Int": "i64", "Bool": "bool", "Real": "f64"}),
        _declared("const {0}: {1};", "private {0}: {1};", sorts={"Int": "number", "Bool": "boolean"}),
        _declared("{1} {0}{{}};", "final {1} {0};", sorts={"Int": "int", "Bool": "boolean", "Real": "double"}),
    ),
    "declared: not yet known": drawn(
        regular(CONSTANT, r"(declare-const \1 \2 ?)"),
        regular(CONSTANT, r"(declare-const \1 \2 nil)"),
        regular(CONSTANT, r"(declare-const \1 = ? \2)"),
    ),
    "translation: Chinese": _words(**{"and": "且", "or": "或", "not_": "非", "assert": "断言"}),
    "translation: Russian": _words(**{"and": "и", "or": "или", "not_": "не"}),
    "translation: Italian": _words(**{"and": "e", "or": "oppure", "not_": "non", "assert": "asserisci"}),
}


def _alike(text: str, random: Random) -> str | None:
    """Cut a name in one place to letters with which another one begins, too."""
    names = [one.name for one in read_script(text).declarations if not one.sorts]
    pairs = [(a, b) for a in names for b in names if a != b and a[0] == b[0]]
    if not pairs:
        return None
    name = random.choice(pairs)[0]
    return regular(rf"(?<=[ (]){name}(?=[ )])", f"{name[0]}…", single=True)(text, random)


TRAPS: dict[str, Mistake] = {
    "rule: forbidden": drawn(
        regular(ASSERTION, r":- \1.", single=True),
        regular(ASSERTION, r"<- \1.", single=True),
        regular(ASSERTION, r"⊥ ← \1", single=True),
    ),
    "rule: expected to fail": _assertion(
        r"expect(\1).toBe(false)", r"assertFalse(\1)", r"(assert-fails \1)", r"(should-fail \1)", r"xfail \1"
    ),
    "edit: tracked changes": drawn(
        regular(r"\(assert \((<=|>=|<|>|=) (.*)\)\)", r"(assert ({--\1--}{++distinct++} \2))", single=True),
        regular(ASSERTION, r"(assert {~~\1~>true~~})", single=True),
        regular(ASSERTION, r"<del>(assert \1)</del>", single=True),
    ),
    "time: temporal operators": _assertion(
        r"(assert (always \1))",
        r"(assert (eventually \1))",
        r"(assert (next \1))",
        r"(assert (□ \1))",
        r"(assert (F \1))",
    ),
    "modal: possible": _assertion(
        r"(assert (possible \1))",
        r"(assert (can \1))",
        r"(assert (◇ \1))",
        r"(assert (believes anna \1))",
        r"(assert (likely \1 0.7))",
    ),
    "guard: only sometimes": _assertion(
        r"#[cfg(hard)] (assert \1)",
        r"@skip (assert \1)",
        r"{% if hard %}(assert \1){% endif %}",
        r"DEBUG: (assert \1)",
        r"(assert \1) @ level 2",
    ),
    "place: a hole": written_as(
        ["<", ">", "<=", ">=", "="],
        "({head} _ {1})",
        "({head} {0} …)",
        "({head} {0} ??)",
        "({head} {0} [...])",
        count=2,
        single=True,
    ),
    "name: cut to what two begin with": _alike,
    "verdict: a hand or a cross": _assertion(
        r"(assert \1) 👎", r"❌ (assert \1)", r"(assert \1) ❌", r"🚫 (assert \1)", r"(assert \1)  <-- no!"
    ),
    "speech: said by another": _assertion(
        r'He claims that "(assert \1)".',
        r"Alice would write (assert \1)",
        r"(says anna \1)",
        r"According to the old key: (assert \1)",
    ),
    "operator: of no known meaning": written_as(
        ["<", ">", "<=", ">=", "="],
        "(>< {all})",
        "(≷ {all})",
        "(∝ {all})",
        "(<~ {all})",
        "(={{}}= {all})",
        "(vs {all})",
        count=2,
        single=True,
    ),
    "number of them: lost": written_as(
        ["or", "and"], "(some-of {all})", "(most {all})", "(k-of {all})", "(atleast {all})", single=True
    ),
    "number: a variable for it": regular(r"(?<= )\d+(?=\))", "N", single=True),
}
