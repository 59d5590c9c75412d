"""Mistakes of models beyond a notation: other languages, answers with prose, lost lines, and traps in which the meaning is lost.

The families were written after the repairs and without regard to them, in two sets one after the other. In each family a reader still sees what the program means; in a
trap nobody can. The file has more than 600 lines because each of the many families is written out.
"""

from __future__ import annotations

import json
import re
from string import ascii_lowercase
from typing import TYPE_CHECKING, TypeAlias

from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup
from harness.smtlib.script import read_script
from tests.generators.constraints.repair.mistake_grammar import Notation, written

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

Mistake: TypeAlias = "Callable[[str, Random], str | None]"
"""Returns the broken text of a program, `None` where the mistake does not touch it."""

_CONST = re.compile(r"\(declare-const (\w+) (\w+)\)")
_ASSERT = re.compile(r"\(assert (.*)\)$")
_SKIPPED = {"let", "forall", "exists", "!", "_"}
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def _names(text: str) -> list[tuple[str, str]]:
    return _CONST.findall(text)


def _lines(change: Callable[[str], str | None]) -> Mistake:
    """Return a mistake that rewrites each line that `change` gives another form."""

    def mistake(text: str, _: Random) -> str | None:
        return "".join(f"{change(line) or line}\n" for line in text.splitlines())

    return mistake


def _declared(form: str, sorts: dict[str, str] | None = None, after: Mistake | None = None) -> Mistake:
    """Return a mistake that declares constants in a form of name and sort."""

    def change(line: str) -> str | None:
        match = _CONST.fullmatch(line)
        if match is None or (sorts is not None and match[2] not in sorts):
            return None
        return form.format(match[1], (sorts or {}).get(match[2], match[2]))

    def mistake(text: str, random: Random) -> str | None:
        changed = _lines(change)(text, random)
        return after(changed, random) if after is not None and changed is not None else changed

    return mistake


def _asserted(form: str) -> Mistake:
    def change(line: str) -> str | None:
        match = _ASSERT.fullmatch(line)
        return form.format(match[1]) if match is not None else None

    return _lines(change)


def _replaced(pattern: str, after: str) -> Mistake:
    return lambda text, _: re.sub(pattern, after, text, flags=re.MULTILINE)


def _one(pattern: str, after: str | Callable[[re.Match[str]], str]) -> Mistake:
    """Return a mistake at one place that a pattern finds, drawn by chance."""

    def mistake(text: str, random: Random) -> str | None:
        places = list(re.finditer(pattern, text, flags=re.MULTILINE))
        if not places:
            return None
        match = random.choice(places)
        put = after(match) if callable(after) else match.expand(after)
        return text[: match.start()] + put + text[match.end() :]

    return mistake


def _noted(notation: Notation) -> Mistake:
    return lambda text, random: written(text, notation, random)


def _then(*mistakes: Mistake) -> Mistake:
    def mistake(text: str, random: Random) -> str | None:
        changed: str | None = text
        for each in mistakes:
            changed = None if changed is None else each(changed, random)
        return changed

    return mistake


def _whole(form: str) -> Mistake:
    return lambda text, _: form.replace("@", text)


def _heads(names: dict[str, str]) -> Mistake:
    return _noted(Notation(operators=tuple(names.items())))


def _terms(rewrite: Callable[[NodeGroup, list[str]], str | None], least: int = 1) -> Mistake:
    """Return a mistake that writes some terms in another way: `rewrite` gets a group and its written arguments."""

    def mistake(text: str, _: Random) -> str | None:
        count = 0

        def write(node: Node) -> str:
            nonlocal count
            if isinstance(node, Atom):
                return node.text
            if node.head in _SKIPPED:
                return write_node(node)
            arguments = [write(item) for item in node.items[1:]]
            changed = rewrite(node, arguments) if isinstance(node.items[0], Atom) else None
            count += changed is not None
            return changed if changed is not None else f"({' '.join([write(node.items[0]), *arguments])})"

        lines = [
            f"(assert {write(command.items[1])})" if command.head == "assert" else write_node(command)
            for command in read_script(text).commands
        ]
        return "\n".join(lines) + "\n" if count >= least else None

    return mistake


def _renamed(use: Callable[[str], str]) -> Mistake:
    """Return a mistake that writes the names in assertions in another way than in their declarations."""

    def mistake(text: str, random: Random) -> str | None:
        names = {name for name, _ in _names(text) if use(name) != name}
        if not names:
            return None
        pattern = re.compile(rf"(?<![\w.-])({'|'.join(map(re.escape, sorted(names)))})(?![\w.-])")
        return _lines(lambda line: pattern.sub(lambda m: use(m[1]), line) if line.startswith("(assert") else None)(
            text, random
        )

    return mistake


def _z3py(text: str, _: Random) -> str | None:
    names = _names(text)
    if not names or "declare-fun" in text or "datatype" in text or "declare-sort" in text or "let" in text:
        return None
    operators = {
        "and": "And",
        "or": "Or",
        "not": "Not",
        "=>": "Implies",
        "distinct": "Distinct",
        "ite": "If",
        "xor": "Xor",
    }
    signs = {"=": "==", "mod": "%", "div": "//"}

    def write(node: Node) -> str:
        if isinstance(node, Atom):
            return {"true": "True", "false": "False"}.get(node.text, node.text)
        arguments = [write(item) for item in node.items[1:]]
        if node.head in operators:
            return f"{operators[node.head]}({', '.join(arguments)})"
        if node.head in {"-", "abs"} and len(arguments) == 1:
            return f"-{arguments[0]}" if node.head == "-" else f"Abs({arguments[0]})"
        if len(arguments) > 2 and node.head in {"<", "<=", ">", ">=", "="}:
            raise ValueError(node.head)
        return f"({f' {signs.get(node.head, node.head)} '.join(arguments)})"

    lines = ["from z3 import *", ""]
    lines += [f"{name} = {sort}('{name}')" for name, sort in names]
    lines += ["s = Solver()"]
    try:
        lines += [
            f"s.add({write(command.items[1])})" for command in read_script(text).commands if command.head == "assert"
        ]
    except ValueError:
        return None
    return "\n".join([*lines, "print(s.check())"]) + "\n"


def _tptp(text: str, _: Random) -> str | None:
    names = _names(text)
    signs = {
        "<": "$less",
        "<=": "$lesseq",
        ">": "$greater",
        ">=": "$greatereq",
        "+": "$sum",
        "-": "$difference",
        "*": "$product",
    }
    joined = {"and": "&", "or": "|", "=>": "=>", "=": "=", "distinct": "!="}

    def write(node: Node) -> str:
        if isinstance(node, Atom):
            return node.text
        arguments = [write(item) for item in node.items[1:]]
        if node.head in signs and len(arguments) == 2:
            return f"{signs[node.head]}({', '.join(arguments)})"
        if node.head in joined and (len(arguments) == 2 or node.head in {"and", "or"}):
            return f"({f' {joined[node.head]} '.join(arguments)})"
        if node.head == "not":
            return f"~ {arguments[0]}"
        raise ValueError(node.head)

    try:
        asserted = [write(c.items[1]) for c in read_script(text).commands if c.head == "assert"]
    except (ValueError, IndexError):
        return None
    sorts = {"Int": "$int", "Bool": "$o", "Real": "$real"}
    if not names or any(sort not in sorts for _, sort in names):
        return None
    lines = [f"tff({name}_type, type, {name}: {sorts[sort]})." for name, sort in names]
    return "\n".join([*lines, *(f"tff(a{n}, axiom, {formula})." for n, formula in enumerate(asserted, 1))]) + "\n"


def _json_lists(text: str, _: Random) -> str | None:
    lines = text.splitlines()
    declared = [line for line in lines if line.startswith("(declare")]
    asserted = [line for line in lines if line.startswith("(assert")]
    return (
        json.dumps({"logic": "ALL", "declarations": declared, "assertions": asserted}, indent=1) if declared else None
    )


def _prose_sections(text: str, _: Random) -> str | None:
    lines = text.splitlines()
    declared = "\n".join(line for line in lines if line.startswith("(declare"))
    asserted = "\n".join(line for line in lines if line.startswith("(assert"))
    if not declared:
        return None
    return (
        "Let me formalize this step by step.\n\n**Step 1: Variables** (one for each thing)\n\n```smt2\n"
        f"{declared}\n```\n\nNext, we state the clues:\n\n```smt2\n{asserted}\n```\n\nFinally, we ask the solver:\n\n```smt2\n(check-sat)\n```\n"
        "This gives the answer (see above)."
    )


def _one_conjunction(text: str, _: Random) -> str | None:
    lines = text.splitlines()
    formulas = [match[1] for line in lines if (match := _ASSERT.fullmatch(line))]
    if len(formulas) < 2:
        return None
    head = [line for line in lines if not line.startswith(("(assert", "(check", "(get"))]
    return "\n".join([*head, "(assert (and", *(f"  {formula}" for formula in formulas), "(check-sat)"]) + "\n"


def _grouped(text: str, _: Random) -> str | None:
    names = _names(text)
    if len(names) < 2 or len({sort for _, sort in names}) != 1:
        return None
    rest = [line for line in text.splitlines() if not _CONST.fullmatch(line)]
    logic = [line for line in rest if line.startswith("(set-logic")]
    joined = ", ".join(name for name, _ in names)
    return "\n".join([*logic, f"(declare-const ({joined}) {names[0][1]})", *rest[len(logic) :]]) + "\n"


def _ints(text: str, _: Random) -> str | None:
    names = _names(text)
    if len(names) < 2 or {sort for _, sort in names} != {"Int"}:
        return None
    rest = [line for line in text.splitlines() if not _CONST.fullmatch(line)]
    logic = [line for line in rest if line.startswith("(set-logic")]
    return "\n".join([*logic, f"int {', '.join(name for name, _ in names)};", *rest[len(logic) :]]) + "\n"


def _let(form: str) -> Mistake:
    """Return a mistake in which one sum of an assertion is bound by a `let` in a wrong form."""

    def mistake(text: str, random: Random) -> str | None:
        places = list(re.finditer(r"^\(assert (.*)(\(\+ \w+ \w+\))(.*)\)$", text, re.MULTILINE))
        if not places:
            return None
        match = random.choice(places)
        body = f"{match[1]}total{match[3]}"
        return text[: match.start()] + form.format(match[2], body) + text[match.end() :]

    return mistake


def _lost_line(kept: str) -> Mistake:
    """Return a trap in which an assertion is replaced by a line."""
    return _one(r"^\(assert .*\)$", lambda _: kept)


def _lost_argument(node: NodeGroup, arguments: list[str]) -> str | None:
    return f"({node.head} {arguments[0]})" if node.head in {"<", "<=", ">", ">=", "="} and len(arguments) == 2 else None


def _lost_operator(node: NodeGroup, arguments: list[str]) -> str | None:
    return f"({' '.join(arguments)})" if node.head in {"<", ">", "<=", ">="} and len(arguments) == 2 else None


def _glued(sign: str, head: str) -> Callable[[NodeGroup, list[str]], str | None]:
    def rewrite(node: NodeGroup, arguments: list[str]) -> str | None:
        plain = all(re.fullmatch(r"[a-z]\w*", argument) for argument in arguments)
        return sign.join(arguments) if node.head == head and len(arguments) == 2 and plain else None

    return rewrite


def _product(form: str) -> Callable[[NodeGroup, list[str]], str | None]:
    def rewrite(node: NodeGroup, arguments: list[str]) -> str | None:
        if node.head != "*" or len(arguments) != 2 or not arguments[0].isdigit() or not arguments[1].isidentifier():
            return None
        return form.format(*arguments)

    return rewrite


def _call(form: str, heads: str, count: int = 2) -> Callable[[NodeGroup, list[str]], str | None]:
    def rewrite(node: NodeGroup, arguments: list[str]) -> str | None:
        return form.format(*arguments) if node.head in heads.split() and len(arguments) == count else None

    return rewrite


def _range(form: str) -> Callable[[NodeGroup, list[str]], str | None]:
    def rewrite(node: NodeGroup, arguments: list[str]) -> str | None:
        if node.head != "<=" or len(arguments) != 3 or not (arguments[0].isdigit() and arguments[2].isdigit()):
            return None
        return form.format(*arguments)

    return rewrite


def _negation_of_two(node: NodeGroup, _: list[str]) -> str | None:
    inner = node.items[1] if node.head == "not" else None
    if not isinstance(inner, NodeGroup) or len(inner.items) != 3:
        return None
    plain = all(isinstance(item, Atom) and item.kind is AtomKind.SYMBOL for item in inner.items)
    return f"(not {write_node(inner.items[1])} {write_node(inner.items[2])})" if plain else None


def _flat(node: NodeGroup, arguments: list[str]) -> str | None:
    """Write a conjunction with a disjunction in it without the inner brackets."""
    if node.head != "and" or len(arguments) != 2 or not arguments[1].startswith("(or "):
        return None
    inner = read_script(f"(assert {arguments[1]})").assertions[0]
    assert isinstance(inner, NodeGroup)
    return f"({arguments[0]} and {' or '.join(map(write_node, inner.arguments))})"


def _cut(text: str, random: Random) -> str | None:
    """Cut a program within its last assertion but one."""
    lines = list(re.finditer(r"^\(assert .*\)$", text, re.MULTILINE))
    if len(lines) < 2:
        return None
    last = lines[-2]
    return text[: last.start() + random.randrange(9, len(last[0]))] + "\n"


def _cut_and_checked(text: str, random: Random) -> str | None:
    cut = _cut(text, random)
    return None if cut is None else f"{cut}(check-sat)\n"


def _two_spellings(text: str, random: Random) -> str | None:
    """Declare a constant a second time in another spelling, and use both."""
    names = [name for name, _ in _names(text) if len(re.findall(rf"\b{name}\b", text)) > 2]
    if not names:
        return None
    name = random.choice(names)
    sort = dict(_names(text))[name]
    text = text.replace(
        f"(declare-const {name} {sort})", f"(declare-const {name} {sort})\n(declare-const {name.title()} {sort});"
    )
    head, found, last = text.rpartition(name)
    return f"{head}{name.title()}{last}" if found else None


def _twice(text: str, _: Random) -> str | None:
    body = "\n".join(line for line in text.splitlines() if not line.startswith("(get-"))
    return f"{body}\n\nWait, let me write the complete program once more.\n\n{body}\n"


def _word_number(match: re.Match[str]) -> str:
    value = int(match[1])
    return _WORDS[value] if value < len(_WORDS) else match[0]


def _signed_unary(node: NodeGroup, arguments: list[str]) -> str | None:
    return f"-{arguments[0]}" if node.head == "-" and len(arguments) == 1 and arguments[0].isidentifier() else None


_CLP = {"=": "#=", "<": "#<", ">": "#>", "<=": "#=<", ">=": "#>=", "distinct": "#\\="}
_CXX = {"=": "==", "distinct": "!=", "and": "&&", "or": "||", "mod": "%"}
_FLAT_SORTS = {"Int": "int", "Bool": "bool", "Real": "real"}

FAMILIES: dict[str, Mistake] = {
    "language: z3 in Python": _z3py,
    "language: TPTP": _tptp,
    "language: CLP(FD)": _noted(Notation(tuple(_CLP.items()), placement="infix")),
    "language: C, one declaration": _then(
        _ints, _noted(Notation(tuple(_CXX.items()), placement="infix", assertion="assert({});"))
    ),
    "language: Alloy": _then(
        _noted(
            Notation((("=", "="), ("distinct", "!="), ("=>", "implies")), placement="infix", assertion="fact {{ {} }}")
        ),
        _replaced(r"^\(declare-const (\w+) Int\)$", r"one sig \1 in Int {}"),
    ),
    "language: MiniZinc domains": _then(
        _replaced(r"^\(declare-const (\w+) Int\)$", r"var int: \1;"),
        _noted(Notation((("distinct", "!="), ("=>", "->")), placement="infix", assertion="constraint {};")),
    ),
    "language: solver.add": _asserted("solver.add({})"),
    "language: Lisp let": _let("(assert (let ((total {0})) {1}))"),
    "language: let*": _let("(assert (let* ((total {0})) {1}))"),
    "language: let of one pair": _let("(assert (let (total {0}) {1}))"),
    "declaration: by sort": _then(
        _declared("(declare-int {0})", {"Int": ""}), _declared("(declare-bool {0})", {"Bool": ""})
    ),
    "declaration: sort first": _declared("({1} {0})", {"Int": "Int", "Bool": "Bool", "Real": "Real"}),
    "declaration: grouped": _grouped,
    "declaration: define-const": _declared("(define-const {0} {1})"),
    "declaration: colon behind arguments": _declared("(declare-fun {0} () : {1})"),
    "declaration: arrow": _declared("(declare-fun {0} () -> {1})"),
    "declaration: in": _declared("(declare-const {0} in {1})"),
    "declaration: type keyword": _declared("(declare-const {0} :type {1})"),
    "declaration: comment behind": _declared("(declare-const {0} {1} // the value of {0}\n)"),
    "declaration: Z": _declared("(declare-const {0} {1})", {"Int": "ℤ", "Bool": "𝔹", "Real": "ℝ"}),
    "declaration: machine sorts": _declared(
        "(declare-const {0} {1})", {"Int": "integer", "Bool": "boolean", "Real": "float"}
    ),
    "name: hyphen in use": _renamed(lambda name: name.replace("_", "-")),
    "name: capital in use": _renamed(str.title),
    "name: camel case in use": _renamed(lambda name: re.sub(r"_(\w)", lambda match: match[1].upper(), name)),
    "name: blank in use": _renamed(lambda name: f'"{name.replace("_", " ")}"' if "_" in name else name),
    "name: call without arguments": _renamed("({})".format),
    "name: Python call": _renamed("{}()".format),
    "operator: arithmetic words": _heads({"+": "plus", "-": "minus", "*": "times"}),
    "operator: add, sub, mul": _heads({"+": "add", "-": "sub", "*": "mul", "mod": "modulo"}),
    "operator: other unequal": _heads({"distinct": "/=", "not": "~"}),
    "operator: iff": _heads({"=>": "->", "xor": "^", "or": "∨", "and": "&"}),
    "operator: all different": _heads({"distinct": "all-different"}),
    "operator: alldifferent call": _terms(
        lambda n, a: f"alldifferent([{', '.join(a)}])" if n.head == "distinct" else None
    ),
    "operator: conditional": _terms(_call("({} ? {} : {})", "ite", 3)),
    "operator: if then else": _terms(_call("(if {} then {} else {})", "ite", 3)),
    "operator: not glued": _terms(
        lambda n, a: f"!{a[0]}" if n.head == "not" and (a[0].isidentifier() or a[0][0] == "(") else None
    ),
    "operator: chain of signs": _terms(_range("({0} ≤ {1} ≤ {2})")),
    "operator: element of a range": _terms(_range("(∈ {1} {{{0}, ..., {2}}})")),
    "operator: equals sign glued": _terms(_call("{}={}", "=")),
    "operator: times glued": _terms(_product("{0}*{1}")),
    "operator: minus sign": _noted(Notation((("-", "−"), ("*", "·")))),
    "operator: sum glued": _terms(_glued("+", "+")),
    "number: leading zeros": _replaced(r"(?<=[ (])(\d{1,2})(?=[ )])", r"0\1"),
    "number: in parentheses": _replaced(r"(?<=[ ])(\d+)(?=[ )])", r"(\1)"),
    "number: point": _replaced(r"(?<=[ ])(\d+)(?=[ )])", r"\1."),
    "comment: block": _replaced(r"^\(assert ", r"/* a clue */ (assert "),
    "comment: dashes": _replaced(r"^(\(assert .*)$", r"\1 -- as the text says"),
    "comment: per cent": _replaced(r"^(\(assert .*)$", r"% the next clue, in (short)\n\1"),
    "comment: HTML": _replaced(r"^(\(assert .*)$", r"<!-- clue --> \1"),
    "assertion: that": _asserted("(assert that {})"),
    "assertion: hard": _asserted("(assert-hard {})"),
    "assertion: add": _asserted("(add {})"),
    "assertion: named wrongly": _asserted("(assert {} :named c)"),
    "assertion: numbered": _asserted("(assert 1: {})"),
    "assertion: one conjunction left open": _one_conjunction,
    "assertion: doubled parentheses": _asserted("(assert ({}))"),
    "assertion: true": _asserted("(assert (= {} true)"),
    "logic: hyphen": _replaced(r"\(set-logic QF_", "(set-logic QF-"),
    "logic: text": _replaced(r"\(set-logic (\w+)\)", r'(set-logic "\1")'),
    "logic: bare": _replaced(r"\(set-logic (\w+)\)", r"set-logic \1"),
    "check: bare": _replaced(r"\(check-sat\)", "check-sat"),
    "check: other word": _replaced(r"\(check-sat\)", "(check-satisfiability)"),
    "answer: prose and fences": _prose_sections,
    "answer: thoughts": _whole("<think>\nThe clues (all of them) give bounds: x < 3, say.\n</think>\n@"),
    "answer: tags": _whole("<program>\n@</program>\n"),
    "answer: end of turn": _whole("@<|im_end|>\n<|endoftext|>"),
    "answer: instruction tags": _whole("[INST] Write it. [/INST] Sure! Here it is:\n\n@</s>"),
    "answer: JSON lists": _json_lists,
    "answer: Python list": lambda text, _: repr(text.splitlines()),
    "answer: line numbers": lambda text, _: "".join(
        f"{n:>3} | {line}\n" for n, line in enumerate(text.splitlines(), 1)
    ),
    "answer: diff": lambda text, _: "".join(f"+{line}\n" for line in text.splitlines()),
    "answer: shell": lambda text, _: f"$ cat > p.smt2 <<'EOF'\n{text}EOF\n$ z3 p.smt2\nsat\n",
    "answer: transcript": _whole("@sat\n((x 3))\n"),
    "answer: written twice": _twice,
    "answer: blanks of other kinds": lambda text, _: text.replace(" ", "\u00a0").replace("(assert", "\u200b(assert"),
    "answer: other parentheses": lambda text, _: text.replace("(", "（").replace(")", "）"),
    "answer: line ends with a backslash": lambda text, _: text.replace("\n", " \\\n"),
}
"""What a reader still understands, by name."""

TRAPS: dict[str, Mistake] = {
    "cut in an assertion": _cut,
    "cut in an assertion, with a check": _cut_and_checked,
    "an argument lost": _terms(_lost_argument),
    "an operator lost": _terms(_lost_operator),
    "an operator that is a word": _terms(_call("(beats {} {})", "< >")),
    "an operator in doubt": _terms(_call("(<? {} {})", "< <=")),
    "two signs": _terms(_call("(<> {} {} {})", "<=", 3)),
    "an ellipsis for an assertion": _lost_line("..."),
    "an ellipsis in an assertion": _lost_line("(assert ...)"),
    "and so on": _lost_line("(assert (and so on))"),
    "to do": _lost_line("(assert TODO)"),
    "a sentence for an assertion": _lost_line("The second one comes right after the first one."),
    "a sentence in an assertion": _lost_line('(assert "the second is after the first")'),
    "words in an assertion": _lost_line("(assert (the second is after the first))"),
    "a number in doubt": _one(r"(?<= )\d+(?=\))", lambda _: "?"),
    "a number by a letter": _one(r"(?<= )\d+(?=\))", lambda _: "N"),
    "a unit": _one(r"(?<= )(\d+)(?=\))", lambda match: f"{match[1]}kg"),
    "a share": _one(r"(?<= )(\d+)(?=\))", lambda match: f"{match[1]}%"),
    "about a number": _one(r"(?<= )(\d+)(?=\))", lambda match: f"~{match[1]}"),
    "a pronoun": _one(r"(?<=[ ])[a-z]\w+(?=\)\)$)", lambda _: "it"),
    "two spellings declared": _two_spellings,
    "and with or, no brackets": _terms(_flat),
    "a condition without its other case": _terms(_call("(ite {0} {1})", "ite", 3)),
    "a binding lost": _let("(assert {1})"),
    "a relation of three": _terms(_range("(between {1} {0} {2})")),
    "natural numbers": _declared("(declare-const {0} {1})", {"Int": "Nat"}),
    "two sorts": _one(r"^\(declare-const (\w+) Int\)$", r"(declare-const \1 Int)\n(declare-const \1 Bool)"),
    "difference glued": _terms(_glued("-", "-")),
    "not of two": _terms(_negation_of_two),
    "a count": _terms(
        lambda n, a: (
            f"(at least one of {' '.join(a)})"
            if n.head == "or" and len(a) == 2 and all(x.isidentifier() for x in a)
            else None
        )
    ),
    "perhaps": _asserted("(assert (maybe {}))"),
}
"""What nobody can understand for certain, by name: a repair is none, or says so."""


FAMILIES |= {
    "answer: YAML": lambda text, _: "program: |\n" + "".join(f"  {line}\n" for line in text.splitlines()),
    "answer: quoted thrice": lambda text, _: "".join(f">>> {line}\n" for line in text.splitlines()),
    "answer: in parentheses": _whole("(\n@)\n"),
    "answer: in a begin": _whole("(begin\n@)\n"),
    "answer: escaped parentheses": lambda text, _: text.replace("(", "\\(").replace(")", "\\)"),
    "answer: escaped tabs": lambda text, _: text.replace("\n", "\\n\\t"),
    "answer: letters": lambda text, _: "".join(
        f"{letter}) {line}\n" for letter, line in zip(ascii_lowercase, text.splitlines(), strict=False)
    ),
    "answer: explained": _whole(
        "@\nExplanation: the solver (z3) returns sat, so x = 3 (say).\n1. First (a)\n2. Second; third"
    ),
    "assertion: tags": _asserted("<assertion>{}</assertion>"),
    "assertion: misspelt": _replaced(r"\(assert ", "(asert "),
    "assertion: compared with True": _asserted("(assert {}) == True"),
    "assertion: arrow before": _asserted("=> (assert {})"),
    "assertion: open on two lines": _asserted("(assert\n  {}\n"),
    "assertion: quotation mark behind": _asserted('(assert {})"'),
    "assertion: first parenthesis lost": _replaced(r"^\(assert", "assert"),
    "check: misspelt": _replaced(r"\(check-sat\)", "(chek-sat)"),
    "check: twice": lambda text, _: text.replace("(check-sat)", "(check-sat)(check-sat)(get-model"),
    "check: display": lambda text, _: text.replace(
        "(check-sat)", "(check-sat)\n(get-info :all-statistics)\n(display answer)"
    ),
    "declaration: misspelt": _replaced(r"\(declare-const ", "(declare-cosnt "),
    "declaration: SQL": _declared("(declare-const {0} {1} NOT NULL)"),
    "declaration: TypeScript": _declared("let {0}: {1};", {"Int": "number", "Bool": "boolean"}),
    "declaration: membership": _declared("{0} ∈ {1}", {"Int": "ℤ", "Bool": "𝔹", "Real": "ℝ"}),
    "declaration: Haskell": _declared("{0} :: {1}"),
    "declaration: Lean": _declared("variable ({0} : {1})"),
    "declaration: quote": _declared("(declare-const '{0} {1})"),
    "declaration: not closed": lambda text, _: "".join(
        f"{line[:-1] if line.startswith('(declare') else line}\n" for line in text.splitlines()
    ),
    "comment: signs of C": _replaced(r"^\(assert", "//* clue *//\n(assert"),
    "logic: another before": lambda text, _: f"(set-logic QF_NRA)\n{text}",
    "operator: is less than": _terms(_call("({} is less than {})", "<")),
    "operator: is at least": _terms(_call("({} is at least {})", ">=")),
    "operator: equals between": _terms(_call("({} equals {})", "=")),
    "operator: implies between": _terms(_call("({} implies {})", "=>")),
    "operator: sum call": _terms(lambda n, a: f"sum({', '.join(a)})" if n.head == "+" and len(a) > 1 else None),
    "operator: distinct of a list": _terms(
        lambda n, a: f"(distinct (list {' '.join(a)}))" if n.head == "distinct" else None
    ),
}
TRAPS |= {
    "one number or another": _one(r"(?<= )(\d+)(?=\))", lambda match: f"{match[1]} or {int(match[1]) + 1}"),
    "a range for a number": _one(r"(?<= )(\d+)(?=\))", lambda match: f"{match[1]}-{int(match[1]) + 2}"),
    "struck out": _one(r"^\(assert (.*)\)$", r"~~(assert (not \1))~~"),
    "an unknown relation for equality": _terms(_call("(neighbors {} {})", "=")),
    "neither": _terms(lambda n, a: f"(neither {' '.join(a)})" if n.head == "or" else None),
    "the rest in a comment": _lost_line("; the remaining clues are encoded in the same way\n(assert etc)"),
    "a declaration lost": _one(r"^\(declare-const (\w+) \w+\)$", "(declare-const)"),
    "a question for an assertion": _asserted("(assert? {})"),
}


def mistake_of(name: str, program: str, random: Random) -> str | None:
    """Return a program with a mistake of a family or a trap, `None` where it does not touch it or leaves it valid."""
    text = {**FAMILIES, **TRAPS}[name](program, random)
    return None if text is None or text.split() == program.split() or read_script(text).valid else text


def _part(name: str) -> str:
    return name.partition(":")[0]


def mixed_mistakes(program: str, random: Random, count: int) -> tuple[str, tuple[str, ...]] | None:
    """Return a program with mistakes of several families, one after the other where they can be, and their names."""
    names = random.sample(sorted(FAMILIES), len(FAMILIES))
    # A mistake that reads the program comes first, one that wraps it last; each part of a program has one.
    order = {"operator": 0, "answer": 2}
    names = sorted(
        (name for name in names if not name.startswith("language")), key=lambda name: order.get(_part(name), 1)
    )
    parts = set(random.sample(sorted({_part(name) for name in names}), count))
    chosen: list[str] = []
    text = program
    for name in names:
        if _part(name) not in parts:
            continue
        changed = FAMILIES[name](text, random)
        if changed is not None and changed.split() != text.split():
            text = changed
            chosen.append(name)
            parts.remove(_part(name))
    valid = read_script(text).valid
    return None if valid or len(chosen) < 2 else (text, tuple(chosen))
