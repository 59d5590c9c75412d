"""The third set of mistakes and traps that no repair knew when it was first measured.

Their sources are others than those of the second set: old and neighbouring formats of solvers and provers, transport and layout of
texts, dictation and translation, and how generation of text goes wrong.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from benchmarks.unseen_mistakes.formula_notations import (
    ASSERTION,
    CONSTANT,
    Notation,
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
from harness.smtlib.s_expressions import Atom, AtomKind
from harness.smtlib.script import read_script

if TYPE_CHECKING:
    from random import Random

    from benchmarks.unseen_mistakes.formula_notations import Mistake
    from harness.smtlib.s_expressions import Node


_COQ = Notation(negation="~ {a}", call="{f} {args}", chains=False).with_signs(
    **{"and": "/\\", "or": "\\/"}, implies="->", different="<>"
)
_SBV = Notation(
    {
        "and": ".&&",
        "or": ".||",
        "=>": ".=>",
        "=": ".==",
        "distinct": "./=",
        "<": ".<",
        ">": ".>",
        "<=": ".<=",
        ">=": ".>=",
    }
    | {"+": "+", "-": "-", "*": "*"},
    negation="sNot {a}",
    choice="ite {c} {a} {b}",
    chains=False,
)
_DAFNY = Notation(negation="!{a}", every="forall {v}: int :: {a}", chains=False).with_signs(
    **{"and": "&&", "or": "||", "mod": "%"}, implies="==>", equal="==", different="!="
)
_ISABELLE = Notation(negation="\\<not> {a}", chains=False).with_signs(
    **{"and": "\\<and>", "or": "\\<or>"},
    implies="\\<longrightarrow>",
    different="\\<noteq>",
    less_equal="\\<le>",
    greater_equal="\\<ge>",
)
_EXCEL = Notation(
    {"=": "=", "<": "<", ">": ">", "<=": "<=", ">=": ">=", "+": "+", "-": "-", "*": "*", "distinct": "<>"},
    calls={"and": "AND", "or": "OR", "not": "NOT", "ite": "IF", "xor": "XOR", "mod": "MOD"},
    chains=False,
)
_RUBY = Notation(choice="({c} ? {a} : {b})", negation="(not {a})", chains=False).with_signs(
    mod="%", equal="==", different="!="
)


def _old_benchmark(text: str, _: Random) -> str | None:
    """Write a benchmark of version 1.2, which has no commands."""
    script = read_script(text)
    if script.enumerations or script.sorts or any(declaration.sorts for declaration in script.declarations):
        return None
    names = [
        f":extrafuns (({declaration.name} {declaration.sort}))"
        for declaration in script.declarations
        if declaration.sort != "Bool"
    ]
    names += [
        f":extrapreds (({declaration.name}))" for declaration in script.declarations if declaration.sort == "Bool"
    ]
    *first, last = [write_node(formula) for formula in script.assertions]
    assumed = "".join(f":assumption {formula}\n" for formula in first)
    lines = "\n".join(names)
    return f"(benchmark puzzle\n:logic {script.logic}\n{lines}\n{assumed}:formula {last}\n)"


def _quoted_printable(text: str, _: Random) -> str:
    """Write as a mail does: `=` by its code, and lines cut at 60 characters by `=`."""
    lines = []
    for line in text.replace("=", "=3D").splitlines():
        while len(line) > 60:
            cut = 60 if "=" not in line[57:60] else 57
            lines.append(line[:cut] + "=")
            line = line[cut:]  # the rest of it
        lines.append(line)
    return "\n".join(lines)


def _wrapped(text: str, random: Random) -> str:
    """Wrap lines at a width, the rest behind the mark of a continued line."""
    mark, width = random.choice([" \\\n    ", "\n> ", " _\n", "↵\n"]), random.choice([40, 48, 56])
    lines = []
    for line in text.splitlines():
        words, parts = line.split(" "), [""]
        for word in words:
            if len(parts[-1]) + len(word) > width:
                parts.append("")
            parts[-1] += f" {word}" if parts[-1] else word
        lines.append(mark.join(parts))
    return "\n".join(lines)


def _dictated(text: str, _: Random) -> str:
    """Say brackets in words, as a speech recogniser writes them."""
    return re.sub(r" +", " ", text.replace("(", " open bracket ").replace(")", " close bracket ")).strip()


def _looped(text: str, random: Random) -> str:
    """Repeat the last lines again and again, and end within one."""
    lines = text.rstrip("\n").splitlines()
    tail = "\n".join(lines[-2:])
    return text + f"{tail}\n" * random.randint(2, 5) + tail[: random.randint(3, len(tail) - 2)]


def _ansi(text: str, random: Random) -> str:
    """Colour names of commands as a terminal does."""
    start, end = random.choice([("\x1b[1;34m", "\x1b[0m"), ("[34m", "[0m"), ('<span class="k">', "</span>")])
    return re.sub(r"(?m)^\(([a-z-]+)", rf"({start}\1{end}", text)


def _stuttered(word: str) -> Mistake:
    """Write a word twice at one of its places, as a sampler does that has lost its place."""
    return regular(rf"\({word} ", rf"({word} {word} ", single=True)


def _translated(**words: str) -> Mistake:
    """Write operators, sorts and commands in the words of another natural language."""
    table = {name.replace("_", "-"): word for name, word in words.items()}
    return lambda text, _: re.sub(
        r"(?<=[\s(])([A-Za-z][\w-]*)(?=[\s)])", lambda match: table.get(match[1].rstrip("-"), match[1]), text
    )


def _signed(*pairs: tuple[str, str]) -> Mistake:
    """Replace operators in prefix position by their names in a neighbouring language."""
    table = dict(pairs)
    return replaced(lambda node: table.get(node.text) if isinstance(node, Atom) else None)


def _digits(form: str) -> Mistake:
    kinds = {AtomKind.NUMERAL, AtomKind.DECIMAL}
    return replaced(lambda node: form.format(node.text) if isinstance(node, Atom) and node.kind in kinds else None)


def _one_digit(*forms: str) -> Mistake:
    kinds = {AtomKind.NUMERAL, AtomKind.DECIMAL}

    def write(form: str) -> Mistake:
        def change(node: Node) -> str | None:
            return form.format(node.text) if isinstance(node, Atom) and node.kind in kinds else None

        return replaced(change, single=True)

    return drawn(*map(write, forms))


def _assertion(*forms: str) -> Mistake:
    return drawn(*(regular(ASSERTION, form, single=True) for form in forms))


def _indented(*heads: str) -> Mistake:
    """Put the last assertions under a head of another language."""

    def change(text: str, random: Random) -> str | None:
        head, lines = random.choice(heads), text.splitlines()
        places = [number for number, line in enumerate(lines) if line.startswith("(assert")][-2:]
        for number in places:
            lines[number] = f"    {lines[number]}"
        return "\n".join([*lines[: places[0]], head, *lines[places[0] :]])

    return change


def _two_columns(text: str, _: Random) -> str | None:
    """Show two versions of the assertions side by side, which differ in a number."""
    rows = []
    for line in text.splitlines():
        other = re.sub(r"\d+", lambda match: str(int(match[0]) + 1), line) if line.startswith("(assert") else line
        rows.append(f"{line} | {other}")
    return "Version A | Version B\n--- | ---\n" + "\n".join(rows) if any("(assert" in row for row in rows) else None


MISTAKES: dict[str, Mistake] = {
    "format: version 1.2": _old_benchmark,
    "format: Coq": together(
        formulas(_COQ, ("Hypothesis H : {}.", "Axiom H : {}.")), regular(CONSTANT, r"Variable \1 : \2.")
    ),
    "format: Dafny": formulas(_DAFNY, ("assume {};", "requires {}", "invariant {}")),
    "format: SBV": formulas(_SBV, ("constrain $ {}", "(assert {})")),
    "format: Isabelle": formulas(_ISABELLE, ('assumes "{}"', "(assert ({}))")),
    "format: a spreadsheet": formulas(_EXCEL, ("={}", "(assert {})")),
    "format: Ruby": formulas(_RUBY, ("assert {}", "(assert {})")),
    "format: Rosette": together(
        _signed(("and", "&&"), ("or", "||"), ("not", "!")),
        regular(r"(?m)^\(declare-const (\S+) Int\)$", r"(define-symbolic \1 integer?)"),
        regular(r"(?m)^\(declare-const (\S+) Bool\)$", r"(define-symbolic \1 boolean?)"),
    ),
    "format: ACL2": _signed(("=", "equal"), ("=>", "implies"), ("ite", "if"), ("distinct", "not-equal")),
    "format: PDDL": regular(CONSTANT, r"(declare-const \1 - \2)"),
    "format: bit-vector signs": _signed(
        ("<", "bvslt"), ("<=", "bvsle"), (">", "bvsgt"), (">=", "bvsge"), ("+", "bvadd")
    ),
    "format: a linear program": drawn(regular(ASSERTION, r"c: (assert \1);"), regular(ASSERTION, r"subject to c: \1;")),
    "format: indexed operators": _signed(("and", "(_ and)"), ("or", "(_ or)"), ("+", "(_ +)"), ("not", "(_ not)")),
    "transport: quoted-printable": _quoted_printable,
    "transport: URL": lambda text, random: quote(text, safe=random.choice(["", "()", " \n"])),
    "transport: wrapped lines": _wrapped,
    "transport: colours": _ansi,
    "transport: CSV": each_line('{1},"{0}"', '"{0}",', "{1};{0};", "{1}\t{0}"),
    "transport: typographer's signs": drawn(
        lambda text, _: text.replace("-", "\u2011"),
        lambda text, _: text.replace("-", "–"),
        lambda text, _: text.replace("fi", "ﬁ").replace("-", "\u2010"),
        lambda text, _: text.replace("<=", "⩽").replace(">=", "⩾").replace("=>", "⇨"),
    ),
    "transport: capital letters": lambda text, _: re.sub(r"(?m)^\(([a-z])", lambda match: f"({match[1].upper()}", text),
    "generation: a word twice": drawn(
        _stuttered("assert"), _stuttered("and"), _stuttered("="), _stuttered("not"), _stuttered("or")
    ),
    "generation: a loop at the end": _looped,
    "generation: no blanks": drawn(
        regular(r" \(", "("), regular(r"\) ", ")"), regular(r"\((<=|>=|=>|[=<>+*-]) ", r"(\1")
    ),
    "generation: blanks in names": drawn(
        regular(r"(\w)_(\w)", r"\1_ \2"), regular(r"-const", " - const"), regular(r"check-sat", "check - sat")
    ),
    "generation: a role in front": template(
        "assistant\n<<>>",
        "AI: <<>>",
        "Response:\n\n<<>>\n\nEnd of response.",
        "Output: <<>>\nScore: 1.0",
        "smt2\n<<>>",
        "lisp\nCopy code\n<<>>",
    ),
    "generation: reasoning in each line": regular(ASSERTION, r"(assert \1) ⟸ from the text"),
    "dictation: brackets": _dictated,
    "translation: German": _translated(**{"and": "und", "or": "oder", "not": "nicht"}, distinct="verschieden"),
    "translation: sorts": drawn(
        _translated(Int="Ganzzahl", Bool="Wahrheitswert"),
        _translated(Int="Entier", Bool="Booléen"),
        _translated(Int="Entero", Bool="Booleano"),
    ),
    "student: implication from the right": written_as(
        ["=>"], "({1} <- {0})", "({1} if {0})", "({1} whenever {0})", count=2
    ),
    "student: comparison with a list": written_as(["="], "(= ({0}, {1}))", "(= [{0}; {1}])", "({0} = = {1})", count=2),
    "student: a sum in words": drawn(
        written_as(["+"], "(sum of {all})", "(sum {commas})", "(the sum of {commas})"),
        written_as(["*"], "(product of {all})", "({0} times {1})", count=2),
    ),
    "student: the question as an assertion": regular(r"(?m)^\(check-sat\)$", "(assert (check-sat))"),
    "student: values of a constant": pattern(
        "declare-const", "(declare-const {0} {1}) (range unrestricted)", "(declare-const {0} {1} :unrestricted)"
    ),
}


TRAPS: dict[str, Mistake] = {
    "list: not ticked": drawn(
        regular(ASSERTION, r"[ ] (assert \1)", single=True),
        regular(ASSERTION, r"☐ (assert \1)", single=True),
        regular(ASSERTION, r"✗ (assert \1)", single=True),
    ),
    "list: confidence": _assertion(
        r"(assert \1) [confidence: 0.4]", r"0.3: (assert \1)", r"(assert \1) (2 of 5 votes)", r"(assert 0.7 \1)"
    ),
    "list: two columns": _two_columns,
    "code: under a head": _indented(
        "def extra_constraints():",
        "for day in days:",
        "while not solved:",
        "with scenario('b'):",
        "try:",
        "lambda:",
        "function optional() {",
    ),
    "code: a message": _assertion(
        r"(assert \1 'violated otherwise')",
        r"raise Error(assert \1)",
        r"return (assert \1)",
        r"(assert-failed \1)",
        r"(assume-not \1)",
    ),
    "number: a footnote": _one_digit("{}[1]", "{}¹", "{}†", "{}^1", "{}(sic)"),
    "number: a blank": _one_digit("____", "[MASK]", "<fill>", "□", "•", "n/a", "NaN"),
    "number: a choice": _one_digit("{} vs 4", "({} or 4)", "{}|4", "{}→4", "{} (was 4)", "{}:=4", "min{}", "{}..."),
    "number: a bound as a value": _one_digit("<{}", ">={}", "≤{}", "{}+", "{}-", "≥{}", "{}++", "max {}"),
    "operator: crossed out": written_as(
        ["<", "<=", "=", "and", "or"],
        "({head}\u0336 {all})",
        "(~~{head}~~ {all})",
        "(<s>{head}</s> {all})",
        "({head}? {all})",
        single=True,
    ),
    "operator: negated for several": written_as(
        ["=", "<=", "<"], "(not-{head} {all})", "({head}/ {all})", "(un{head} {all})", count=3, single=True
    ),
    "operator: exactly, at least": written_as(
        ["or", "xor"],
        "(some {all})",
        "(one-or-two-of {all})",
        "(most {all})",
        "(few {all})",
        "(any-two {all})",
        single=True,
    ),
    "text: said differently behind it": _assertion(
        r"(assert \1) i.e. at most one of them",
        r"(assert \1) meaning the opposite",
        r"(assert \1) (exclusive)",
        r"(assert \1) by default",
        r"(assert \1) modulo typos",
    ),
    "text: a gap": drawn(
        regular(r"(?m)^\(assert .*\n", "[3 lines omitted]\n", single=True),
        regular(r"(?m)^\(assert .*\n", "(...)\n", single=True),
        regular(r"(?m)^\(assert .*\n", "<snip>\n", single=True),
        regular(r"(?m)^\(assert .*\n", "⋮\n", single=True),
    ),
    "text: another time": _assertion(
        r"(assert \1) next year",
        r"formerly (assert \1)",
        r"(assert (eventually \1))",
        r"(assert (always-was \1))",
        r"from Tuesday on (assert \1)",
    ),
    "choice: two names": operations("ite", lambda args: f"(ite {args[0]} {args[1]}/{args[2]})", single=True),
}
