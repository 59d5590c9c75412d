"""The seventh set of mistakes and traps, written without knowledge of the repairs.

Its sources are twelve settings in which programs are really written or passed on, with the mistakes that each makes most often: small and
larger models, models that explain, continue or patch, students, and texts that passed through a PDF, a chat or a spreadsheet.
It has more than 400 lines because its author wrote it as one module.
The module has its own small reader and writer of formulas, so that it shares nothing with what it judges.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, groupby, pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    Mistake = Callable[[str, Random], str | None]
    Node = str | list["Node"]

_CONSTANT = r"\(declare-const (\S+) (\S+)\)"
_ENUMERATION = r"\(declare-datatypes \(\((\w+) 0\)\) \(\(((?:\(\w+\) ?)+)\)\)\)"
_COMPARISONS = ("<", ">", "<=", ">=", "=", "distinct")
_LEVELS = {"=>": 1, "xor": 1, "or": 2, "and": 3, "+": 6, "-": 6, "*": 7, "mod": 7} | dict.fromkeys(_COMPARISONS, 5)


class _NotWrittenError(Exception):
    """A notation has no form for a formula."""


class _Style(NamedTuple):
    signs: dict[str, str]
    calls: Mapping[str, str] = MappingProxyType({})
    negation: str = ""
    choice: str = ""
    application: str = "{0}({1})"
    chains: bool = False
    everywhere: bool = False
    products: bool = False


def _read(text: str) -> list[Node]:
    stack: list[list[Node]] = [[]]
    for part in re.findall(r"[()]|[^\s()]+", text):
        if part == "(":
            stack.append([])
        elif part == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(part)
    return stack[0]


def _text(node: Node) -> str:
    return node if isinstance(node, str) else f"({' '.join(map(_text, node))})"


def _infix(node: Node, style: _Style, above: int = 0) -> str:
    """Write a formula with the operators between their arguments; raise `_NotWrittenError` where that is not possible."""
    if isinstance(node, str):
        return node
    if not node or not isinstance(node[0], str) or node[0] in ("let", "forall", "exists", "!"):
        raise _NotWrittenError
    head, arguments = node[0], node[1:]
    if head in style.calls and (head != "distinct" or len(arguments) > 2 or head not in style.signs):
        return style.calls[head].format(", ".join(_infix(item, style) for item in arguments))
    if head == "not":
        form, level = style.negation.format(_infix(arguments[0], style)), 4
    elif head == "ite":
        form, level = style.choice.format(*(_infix(item, style) for item in arguments)), 8
    elif head in style.signs:
        level = _LEVELS[head]
        form = _joined(head, arguments, style, level)
        level = 3 if head in _COMPARISONS and len(arguments) > 2 else level
    elif head in _LEVELS:
        raise _NotWrittenError
    else:
        form, level = style.application.format(head, ", ".join(_infix(item, style) for item in arguments)), 9
    if not form:
        raise _NotWrittenError
    return f"({form})" if level <= above or (style.everywhere and above and level < 8) else form


def _joined(head: str, arguments: list[Node], style: _Style, level: int) -> str:
    parts = [_infix(item, style, level) for item in arguments]
    sign = style.signs[head]
    if len(parts) == 1 and head == "-":
        return f"-{parts[0]}"
    if len(parts) < 2 or (head in ("=>", "xor") and len(parts) > 2):
        raise _NotWrittenError
    if head in _COMPARISONS and len(parts) > 2 and (head == "distinct" or not style.chains):
        pairs = list(combinations(parts, 2) if head == "distinct" else pairwise(parts))
        if len(pairs) > 6:
            raise _NotWrittenError
        both = [f"{a} {sign} {b}" for a, b in pairs]
        if "and" in style.calls:
            return style.calls["and"].format(", ".join(both))
        return f" {style.signs['and']} ".join(both)
    if style.products and head == "*" and len(parts) == 2 and parts[0].isdigit() and parts[1].isidentifier():
        return "".join(parts)
    return f" {sign} ".join(parts)


_SAME = {sign: sign for sign in ("<", ">", "<=", ">=", "=", "+", "-", "*")}
_PLAIN = _Style(
    _SAME | {"distinct": "!=", "and": "and", "or": "or", "=>": "=>", "xor": "xor", "mod": "mod"},
    negation="not {}",
    choice="ite({}, {}, {})",
    chains=True,
)
_NESTED = _PLAIN._replace(everywhere=True, negation="not ({})", choice="(ite ({}) ({}) ({}))", chains=False)
_PYTHON = _Style(
    _SAME | {"=": "==", "distinct": "!=", "mod": "%"},
    {"and": "And({})", "or": "Or({})", "not": "Not({})", "=>": "Implies({})", "xor": "Xor({})", "ite": "If({})"}
    | {"distinct": "Distinct({})"},
)
_LISTS = _PYTHON._replace(
    calls=dict(_PYTHON.calls) | {"and": "And([{}])", "or": "Or([{}])", "+": "Sum([{}])", "distinct": "Distinct([{}])"}
)
_ALGEBRA = _Style(
    _SAME
    | {"<=": "≤", ">=": "≥", "distinct": "≠", "and": "∧", "or": "∨", "=>": "⇒", "xor": "⊕", "*": "·", "mod": "mod"},
    negation="¬({})",
    chains=True,
    products=True,
)
_MINIZINC = _Style(
    _SAME | {"distinct": "!=", "and": "/\\", "or": "\\/", "=>": "->", "xor": "xor"},  # its `mod` is another one
    {"distinct": "alldifferent([{}])"},
    negation="not ({})",
    choice="if {} then {} else {} endif",
)
_CLP = _Style(
    {"<": "#<", ">": "#>", "<=": "#=<", ">=": "#>=", "=": "#=", "distinct": "#\\=", "+": "+", "-": "-", "*": "*"}
    | {"and": "#/\\", "or": "#\\/", "=>": "#==>", "mod": "mod"},
    {"distinct": "all_different([{}])"},
    negation="#\\ ({})",
)
_SHEET = _Style(
    _SAME | {"distinct": "<>"},
    {"and": "AND({})", "or": "OR({})", "not": "NOT({})", "xor": "XOR({})", "ite": "IF({})", "mod": "MOD({})"}
    | {"=>": "IF({}, TRUE)"},
)


class _Parts(NamedTuple):
    constants: list[tuple[str, str]]
    enumerations: list[tuple[str, list[str]]]
    formulas: list[Node]
    asked: list[str]


def _parts(text: str) -> _Parts | None:
    """Return the parts of a program, or None where it declares more than constants and enumerations."""
    if re.search(r"\((declare-sort|declare-fun|define-\S+|push|pop)", text):
        return None
    if text.count("(declare-datatypes") != len(re.findall(_ENUMERATION, text)):
        return None
    enumerations = [(sort, re.findall(r"\w+", values)) for sort, values in re.findall(_ENUMERATION, text)]
    nodes = [node for node in _read(text) if isinstance(node, list)]
    asked = re.findall(r"\(get-value \((\w+)\)\)", text)
    return _Parts(re.findall(_CONSTANT, text), enumerations, [node[1] for node in nodes if node[0] == "assert"], asked)


def _is(line: str, command: str) -> bool:
    return line.startswith(f"({command} ") or line == f"({command})"


def _each(command: str, *forms: str) -> Mistake:
    """Write each line of a command in a form drawn once; `{0}` is the line, `{1}` what stands behind the command."""

    def change(text: str, random: Random) -> str | None:
        form = random.choice(forms)
        lines = text.splitlines()
        changed = [form.format(x, x[len(command) + 2 : -1]) if _is(x, command) else x for x in lines]
        return None if changed == lines else "\n".join(changed)

    return change


def _one(*forms: str, where: str = "") -> Mistake:
    """Write one assertion in a form; `{0}` is its line, `{1}` its formula."""

    def change(text: str, random: Random) -> str | None:
        lines = text.splitlines()
        places = [i for i, line in enumerate(lines) if _is(line, "assert") and re.search(where, line)]
        if not places:
            return None
        place = random.choice(places)
        lines[place] = random.choice(forms).format(lines[place], lines[place][8:-1])
        return "\n".join(lines)

    return change


def _formulas(style: _Style, *forms: str) -> Mistake:
    """Write all assertions in another notation."""

    def change(text: str, random: Random) -> str | None:
        form = random.choice(forms)
        try:
            lines = [
                form.format(_infix(_read(line)[0][1], style)) if _is(line, "assert") else line
                for line in text.splitlines()
            ]
        except _NotWrittenError:
            return None
        return "\n".join(lines)

    return change


def _sub(pattern: str, *forms: str) -> Mistake:
    def change(text: str, random: Random) -> str | None:
        changed = re.sub(pattern, random.choice(forms), text)
        return None if changed == text else changed

    return change


def _heads(words: dict[str, str]) -> Mistake:
    def change(text: str, _: Random) -> str | None:
        changed = re.sub(r"(?<=\()[^\s()]+(?=\s)", lambda match: words.get(match[0], match[0]), text)
        return None if changed == text else changed

    return change


def _both(*mistakes: Mistake) -> Mistake:
    def change(text: str, random: Random) -> str | None:
        result: str | None = text
        for mistake in mistakes:
            result = mistake(result, random) if result is not None else None
        return result

    return change


def _also(mistake: Mistake) -> Mistake:
    """Make a mistake where it can be made, and else leave the text as it is."""
    return lambda text, random: mistake(text, random) or text


def _rows(text: str, row: Callable[[int, str], str]) -> str:
    return "\n".join(row(number, line) for number, line in enumerate(text.splitlines(), 1))


# 1: a model of one billion weights, asked without an example


def _loop(text: str, random: Random) -> str | None:
    lines = text.splitlines()
    last = max(i for i, line in enumerate(lines) if _is(line, "assert"))
    count = random.randint(1, 2)
    repeated = [line for line in lines[max(0, last + 1 - count) : last + 1] if _is(line, "assert")]
    cut = repeated[0][: random.randint(8, max(9, len(repeated[0]) - 3))]
    return "\n".join([*lines[: last + 1], *repeated * random.randint(3, 6), cut])


def _declared_together(text: str, random: Random) -> str | None:
    form = random.choice(("(declare-const {0} {1})", "(declare-const ({0}) {1})", "(declare-consts {0} {1})"))
    lines: list[str] = []
    for sort, group in groupby(text.splitlines(), lambda x: match[2] if (match := re.match(_CONSTANT, x)) else None):
        members = list(group)
        names = [line.split()[1] for line in members] if sort else []
        lines += [form.format(" ".join(names), sort)] if len(names) > 1 else members
    return None if "\n".join(lines) == text.strip() else "\n".join(lines)


# 2: a code model of seven billion weights


def _commented(text: str, random: Random) -> str | None:
    form = random.choice(("{0}  // {1}", "{0}  # {1}", "# {1}\n{0}", "{0}  /* {1} */"))
    lines = []
    for line in text.splitlines():
        if _is(line, "assert"):
            try:
                line = form.format(line, _infix(_read(line)[0][1], _PLAIN))
            except _NotWrittenError:
                line = form.format(line, "the next clue")
        lines.append(line)
    return "\n".join(lines)


def _enumerated(*forms: str) -> Mistake:
    def change(text: str, random: Random) -> str | None:
        form = random.choice(forms)
        changed = re.sub(_ENUMERATION, lambda x: form.format(x[1], " ".join(re.findall(r"\w+", x[2]))), text)
        return None if changed == text else changed

    return change


# 3: a chat model that explains while it writes

_OPENINGS = (
    "Next, we add the following constraint:",
    "The problem also tells us this, so we write:",
    "Now we translate the next sentence:",
    "This gives us another condition:",
)
_REASONS = ("as stated in the problem", "this follows from the clue", "given", "needed for the puzzle to make sense")


def _steps(text: str, random: Random) -> str:
    parts = ["Sure! Let's build the SMT-LIB2 program step by step."]
    for number, line in enumerate(text.splitlines(), 1):
        opening = random.choice(_OPENINGS) if _is(line, "assert") else "We write:"
        parts.append(f"**Step {number}.** {opening} `{line}`")
    return "\n\n".join([*parts, "Running this in Z3 gives the solution. Let me know if you have questions!"])


def _pieces_and_whole(text: str, random: Random) -> str:
    lines = text.splitlines()
    blocks = [
        ("First, we declare the variables", [line for line in lines if line.startswith("(declare")]),
        ("Then we add the constraints", [line for line in lines if _is(line, "assert")]),
    ]
    parts = [f"{title}:\n\n```smt2\n" + "\n".join(block) + "\n```" for title, block in blocks]
    whole = random.choice(("Putting it all together:", "### Complete program", "So the full code is:"))
    return "\n\n".join([*parts, whole, f"```smt2\n{text.strip()}\n```", "This should print `sat`."])


def _bullets(text: str, random: Random) -> str | None:
    parts = _parts(text)
    if parts is None or parts.enumerations:
        return None
    rows = ["**Variables**", *(f"- `{name}` ({sort})" for name, sort in parts.constants), "", "**Constraints**"]
    rows += [f"- `{_text(formula)}` – {random.choice(_REASONS)}" for formula in parts.formulas]
    return "\n".join([*rows, "", "**Then**", "- `(check-sat)`", *(f"- `(get-value ({name}))`" for name in parts.asked)])


def _table(text: str, random: Random) -> str:
    rows = [f"| {n} | `{line}` | {random.choice(_REASONS)} |" for n, line in enumerate(text.splitlines(), 1)]
    return "\n".join(["| # | Line | Why |", "|---|------|-----|", *rows])


# 4: a model that was trained on the Python interface of Z3


def _python(
    text: str, style: _Style = _PYTHON, body: Callable[[list[Node], _Style], str | None] | None = None
) -> str | None:
    parts = _parts(text)
    if parts is None or any(s not in {"Int", "Bool", "Real", *(e[0] for e in parts.enumerations)} for _, s in parts[0]):
        return None
    rows = ["from z3 import *", ""]
    for sort, values in parts.enumerations:
        rows.append(f"{sort}, ({', '.join(values)}) = EnumSort('{sort}', {values})")
    for sort in dict.fromkeys(sort for _, sort in parts.constants):
        names = [name for name, other in parts.constants if other == sort]
        maker = f"{sort}s" if sort in ("Int", "Bool", "Real") else "Consts"
        single = f"{maker[:-1]}('{names[0]}'" if len(names) == 1 else f"{maker}('{' '.join(names)}'"
        rows.append(f"{', '.join(names)} = {single}{f', {sort})' if maker == 'Consts' else ')'}")
    try:
        written = (body or _added)(parts.formulas, style)
    except _NotWrittenError:
        return None
    return None if written is None else "\n".join([*rows, "", written])


def _added(formulas: list[Node], style: _Style) -> str:
    rows = ["s = Solver()", *(f"s.add({_infix(formula, style)})" for formula in formulas)]
    return "\n".join([*rows, "", "if s.check() == sat:", "    print(s.model())", "else:", "    print('unsat')"])


def _solved(formulas: list[Node], style: _Style) -> str:
    return "solve(\n" + ",\n".join(f"    {_infix(formula, style)}" for formula in formulas) + "\n)"


def _range(node: Node) -> tuple[str, str, str] | None:
    if isinstance(node, list) and len(node) == 4 and node[0] == "<=":
        low, name, high = map(_text, node[1:])
        if low.isdigit() and high.isdigit() and name.isidentifier():
            return name, low, high
    return None


def _looped(formulas: list[Node], style: _Style) -> str | None:
    found = [bounds for formula in formulas if (bounds := _range(formula))]
    if not found:
        return None
    (low, high), count = Counter(bounds[1:] for bounds in found).most_common(1)[0]
    if count < 2:
        return None
    names = [name for name, *bounds in found if bounds == [low, high]]
    rows = ["s = Solver()", f"for x in [{', '.join(names)}]:", f"    s.add(x >= {low}, x <= {high})"]
    others = [formula for formula in formulas if _range(formula) not in [(name, low, high) for name in names]]
    return "\n".join([*rows, *(f"s.add({_infix(formula, style)})" for formula in others), "print(s.check())"])


# 5: a model that answers in its own language


def _introduced(first: str, second: str, last: str) -> Mistake:
    def change(text: str, _: Random) -> str:
        lines = text.splitlines()
        declared = min(i for i, line in enumerate(lines) if line.startswith("(declare"))
        asserted = min(i for i, line in enumerate(lines) if _is(line, "assert"))
        checked = min(i for i, line in enumerate(lines) if _is(line, "check-sat"))
        parts = (lines[:declared], [first], lines[declared:asserted], [second], lines[asserted:checked], [last])
        return "\n".join(line for part in (*parts, lines[checked:]) for line in part)

    return change


def _unless_declared(names: str, mistake: Mistake) -> Mistake:
    return lambda text, random: None if re.search(rf"\(declare-const ({names}) ", text) else mistake(text, random)


def _sorts(names: dict[str, str]) -> Mistake:
    def change(text: str, _: Random) -> str | None:
        changed = re.sub(_CONSTANT, lambda x: f"(declare-const {x[1]} {names.get(x[2], x[2])})", text)
        return None if changed == text else changed

    return change


# 6: a student of algebra; 7: a student of Prolog and MiniZinc; 12: a teacher's sheet


def _congruence(text: str, random: Random) -> str | None:
    form = random.choice(("(assert {0} ≡ {1} (mod {2}))", "(assert ({0} ≡ {1} mod {2}))", "{0} ≡ {1} (mod {2})"))
    lines, count = [], 0
    for line in text.splitlines():
        node = _read(line)[0]
        inner = node[1] if _is(line, "assert") else None
        if isinstance(inner, list) and inner[0] == "=" and inner[1][0] == "mod" and isinstance(inner[2], str):
            try:
                line = form.format(_infix(inner[1][1], _ALGEBRA), inner[2], inner[1][2])
            except _NotWrittenError:
                return None
            count += 1
        lines.append(line)
    return "\n".join(lines) if count else None


def _let_be(text: str, random: Random) -> str | None:
    words = {"Int": ("ℤ", "integers", "an integer"), "Real": ("ℝ", "real numbers", "a real number")}
    words["Bool"] = ("{true, false}", "true or false", "true or false")
    found = re.findall(_CONSTANT, text)
    if not found or any(sort not in words for _, sort in found):
        return None
    rows, symbols = [], random.random() < 0.5
    for sort in dict.fromkeys(sort for _, sort in found):
        names = [name for name, other in found if other == sort]
        many = words[sort][1 if len(names) > 1 else 2]
        rows.append(f"{', '.join(names)} ∈ {words[sort][0]}" if symbols else f"Let {', '.join(names)} be {many}.")
    first = re.search(_CONSTANT, text)
    rest = re.sub(_CONSTANT + "\n", "", text[first.start() :]) if first else ""
    return text[: first.start() if first else 0] + "\n".join(rows) + "\n" + rest


def _applied(node: Node) -> str:
    if isinstance(node, str):
        return node
    if not isinstance(node[0], str) or node[0] in ("let", "forall", "exists"):
        raise _NotWrittenError
    if node[0].isalpha():
        return f"{node[0]}({', '.join(map(_applied, node[1:]))})"
    return f"({' '.join(map(_applied, node))})"


def _word_calls(text: str, _: Random) -> str | None:
    try:
        lines = [
            f"(assert {_applied(_read(line)[0][1])})" if _is(line, "assert") else line for line in text.splitlines()
        ]
    except _NotWrittenError:
        return None
    return None if "\n".join(lines) == text.strip() else "\n".join(lines)


def _minizinc(text: str, random: Random) -> str | None:
    parts = _parts(text)
    sorts = {"Int": "int", "Bool": "bool", "Real": "float"}
    if parts is None:
        return None
    sorts |= {sort: sort for sort, _ in parts.enumerations}
    ranges = {name: f"{low}..{high}" for x in parts.formulas if (r := _range(x)) for name, low, high in [r]}
    merged = random.random() < 0.5
    rows = [f"enum {sort} = {{{', '.join(values)}}};" for sort, values in parts.enumerations]
    for name, sort in parts.constants:
        rows.append(f"var {ranges[name] if merged and name in ranges else sorts[sort]}: {name};")
    try:
        rows += [f"constraint {_infix(x, _MINIZINC)};" for x in parts.formulas if not (merged and _range(x))]
    except _NotWrittenError:
        return None
    return "\n".join([*rows, "solve satisfy;", *(f"output [show({name})];" for name in parts.asked)])


def _domains(text: str, _: Random) -> str | None:
    """Declare the whole numbers with a range as MiniZinc does, and leave the rest as it is."""
    ranges = {r[0]: r[1:] for x in _read(text) if isinstance(x, list) and x[0] == "assert" and (r := _range(x[1]))}
    if not ranges:
        return None
    lines = []
    for line in text.splitlines():
        declared = re.match(_CONSTANT, line)
        if declared and declared[1] in ranges:
            low, high = ranges[declared[1]]
            lines.append(f"var {low}..{high}: {declared[1]};")
        elif not (_is(line, "assert") and _range(_read(line)[0][1])):
            lines.append(line)
    return "\n".join(lines)


_KINDS = {"Int": "whole number", "Bool": "yes/no", "Real": "decimal number"}


def _form(text: str, random: Random) -> str | None:
    parts = _parts(text)
    if parts is None or parts.enumerations or any(sort not in _KINDS for _, sort in parts.constants):
        return None
    rows = [f"Unknown {n}: {name} ({_KINDS[sort]})" for n, (name, sort) in enumerate(parts.constants, 1)]
    word = random.choice(("Rule", "Condition", "Clue"))
    try:
        rows += [f"{word} {n}: {_infix(x, _PLAIN)}" for n, x in enumerate(parts.formulas, 1)]
    except _NotWrittenError:
        return None
    return "\n".join(["WORKSHEET – PUZZLE", *rows, *(f"Asked for: {name}" for name in parts.asked)])


def _spreadsheet(text: str, _: Random) -> str | None:
    parts = _parts(text)
    if parts is None or parts.enumerations or any(sort not in _KINDS for _, sort in parts.constants):
        return None
    rows = ["Name\tType", *(f"{name}\t{_KINDS[sort]}" for name, sort in parts.constants), "Rules\t"]
    try:
        rows += [f"{n}\t={_infix(x, _SHEET)}" for n, x in enumerate(parts.formulas, 1)]
    except _NotWrittenError:
        return None
    return "\n".join(rows)


def _ditto(text: str, random: Random) -> str | None:
    mark, before, lines = random.choice(("〃", '"', '-"-', "ditto")), "", []
    for line in text.splitlines():
        match = re.match(_CONSTANT, line)
        lines.append(f"(declare-const {match[1]} {mark})" if match and match[2] == before else line)
        before = match[2] if match else ""
    return None if "\n".join(lines) == text.strip() else "\n".join(lines)


# 8: copied from a PDF; 9: pasted through a chat or a word processor


def _page_break(text: str, random: Random) -> str:
    lines = text.splitlines()
    place = random.choice([i for i, line in enumerate(lines) if _is(line, "assert")])
    line = lines[place]
    page = random.choice(
        ("\nPage 14 of 32\n\f", "\n\n14 CHAPTER 3. LOGIC PUZZLES\n\n", "\n\f3.2 Worked examples    57\n\n")
    )
    blanks = [match.start() for match in re.finditer(" ", line)][1:]
    if page.startswith("\nPage") and blanks:
        cut = random.choice(blanks)
        lines[place] = line[:cut] + page + line[cut + 1 :]
    else:
        lines[place] = page + line
    return "\n".join(lines)


def _stuck(text: str, random: Random) -> str:
    if random.random() < 0.5:
        text = re.sub(_CONSTANT, r"(declare-const \1\2)", text)
    else:
        text = re.sub(_CONSTANT, r"(declare-const\1 \2)", text)
    return re.sub(r"\(set-logic ", "(set-logic", text)


def _pdf_signs(text: str, random: Random) -> str:
    text = text.replace("-", random.choice("−‐"))
    return re.sub(r"(?<=\S) (?=\S)", lambda _: random.choice((" ", " ", "\u00a0", "\u2009")), text)


def _messages(text: str, random: Random) -> str:
    name, minute = random.choice(("Anna", "Luca M.", "Frau Weber")), 30
    form = random.choice(("[12/03/24, 10:{0}:07] {1}: {2}", "12.03.24, 10:{0} - {1}: {2}"))
    return _rows(text, lambda number, line: form.format(minute + number // 3, name, line))


def _slack(text: str, random: Random) -> str:
    lines = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").splitlines()
    cut = random.randint(2, len(lines) - 2)
    first, second = random.choice((("Anna Schmidt", "Ben"), ("maria.k", "maria.k")))
    head, tail = "\n".join(lines[:cut]), "\n".join(lines[cut:])
    return f"{first}\n  10:32 AM\n{head}\n:+1: 2\n\n{second}\n  10:35 AM\nand the rest:\n{tail}\n(edited)"


def _word_processor(text: str, _: Random) -> str:
    text = re.sub(r"(?m)^\(([a-z])", lambda match: f"({match[1].upper()}", text)
    for plain, typeset in (("(=> ", "(⇒ "), ("(<= ", "(≤ "), ("(>= ", "(≥ "), ("(- ", "(– ")):
        text = text.replace(plain, typeset)
    return text


def _listed(text: str, random: Random) -> str:
    form = random.choice(("•\t{1}", "o   {1}", "– {1}", "{0}) {1}", "({0}) {1}"))
    return _rows(text, lambda number, line: form.format(chr(96 + number) if number < 27 else number, line))


# 10: cut at the limit of tokens and continued; 11: a patch


def _cut(text: str, random: Random, pattern: str) -> int | None:
    """Return a place inside an assertion, behind its first signs, that matches a pattern."""
    places = [
        line.start() + match.start()
        for line in re.finditer(r"(?m)^\(assert .*$", text)
        for match in re.finditer(pattern, line[0])
        if 10 <= match.start() < len(line[0]) - 2
    ]
    return random.choice(places) if places else None


def _continued(*forms: str, pattern: str, again: Callable[[str, int], int]) -> Mistake:
    """Cut a program and continue it from a place that is found from the cut."""

    def change(text: str, random: Random) -> str | None:
        place = _cut(text, random, pattern)
        if place is None:
            return None
        return random.choice(forms).format(text[:place], text[again(text, place) :].strip("\n"))

    return change


def _last_command(text: str, random: Random) -> str:
    text = text.rstrip()
    start = text.rindex("\n") + 1
    return text[: random.randint(start + 5, len(text) - 2)]


def _worse(line: str, random: Random) -> str:
    forms = [line[:-1]]
    if "(<= " in line:
        forms.append(line.replace("(<= ", "(< ", 1))
    if re.search(r" \d+\)", line):
        forms.append(re.sub(r" (\d+)\)", lambda match: f" {int(match[1]) + 1})", line, count=1))
    return random.choice(forms)


def _numbered(text: str, random: Random) -> str | None:
    """Write the number of each line before it."""
    form = random.choice(("{0} {1}", "{0:>3}  {1}", "{0}: {1}"))
    return _rows(text, form.format)


def _patched(form: Callable[[list[str], list[str], str, str], str | None]) -> Mistake:
    """Give the lines before and after a patch, and the line that it replaces and the new one."""

    def change(text: str, random: Random) -> str | None:
        lines = text.strip().splitlines()
        place = random.choice([i for i, line in enumerate(lines) if _is(line, "assert")])
        old = _worse(lines[place], random)
        if old in lines or lines.count(lines[place]) > 1:
            return None
        return form([*lines[:place], old, *lines[place + 1 :]], lines, old, lines[place])

    return change


def _difference(before: list[str], after: list[str], old: str, new: str) -> str:
    size = len(after)
    body = [f"-{a}\n+{b}" if a == old and b == new else f" {b}" for a, b in zip(before, after, strict=True)]
    return "\n".join(["--- a/puzzle.smt2", "+++ b/puzzle.smt2", f"@@ -1,{size} +1,{size} @@", *body])


def _new_file(text: str, _: Random) -> str:
    lines = text.strip().splitlines()
    head = ["--- /dev/null", "+++ b/puzzle.smt2", f"@@ -0,0 +1,{len(lines)} @@"]
    return "\n".join([*head, *(f"+{line}" for line in lines)])


def _search_block(before: list[str], _after: list[str], old: str, new: str) -> str:
    block = f"puzzle.smt2\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE"
    return "\n".join(before) + "\n\nHere is the fix:\n\n" + block


def _said(before: list[str], _after: list[str], old: str, new: str) -> str:
    program = "\n".join(before)
    return f"```smt2\n{program}\n```\n\nThere is one error. Replace `{old}` with `{new}` and it will work."


_CONTINUE = (
    "{0}\n\n[continued]\n\n{1}",
    "{0}\n```\n\nContinuing from where I left off:\n\n```smt2\n{1}\n```",
    "{0}\n\nUser: continue\n\nAssistant: {1}",
)

MISTAKES: dict[str, Mistake] = {
    "1B model: assertions not closed": _sub(r"(?m)^(\(assert .*)\)$", r"\1"),
    "1B model: function without its list": _sub(_CONSTANT, r"(declare-fun \1 \2)", r"(declare-fun \1 (\2))"),
    "1B model: repeats itself until the end": _loop,
    "1B model: constants declared together": _declared_together,
    "1B model: infix in parentheses": _formulas(_NESTED, "(assert ({}))"),
    "code model: operators of C": _heads(
        {"and": "&&", "or": "||", "not": "!", "=": "==", "distinct": "!=", "mod": "%"}
    ),
    "code model: enumerations of old or other forms": _enumerated(
        "(declare-datatypes () (({0} {1})))",
        "(declare-datatype {0} ({1}))",
        "(declare-enum {0} ({1}))",
        "(declare-datatypes ({0}) (({1})))",
        "(define-sort {0} ({1}))",
    ),
    "code model: let without its list": _sub(
        r"\(let \(\((\w+) ([\w.]+)\)\)", r"(let (\1 \2)", r"(let \1 \2", r"(let ((\1 = \2))"
    ),
    "code model: comments of another language": _commented,
    "code model: asks for a value without a list": _sub(
        r"\(get-value \((\w+)\)\)", r"(get-value \1)", r"(print \1)", r"(eval \1)", r"(get-value (\1)"
    ),
    "chat model: a step for each line": _steps,
    "chat model: pieces and then the whole": _pieces_and_whole,
    "chat model: bullets with reasons": _bullets,
    "chat model: a table": _table,
    "Python: a script": lambda text, _: _python(text),
    "Python: solve, and lists in the calls": lambda text, _: _python(text, _LISTS, _solved),
    "Python: a loop for the ranges": lambda text, _: _python(text, _PYTHON, _looped),
    "Python: calls within assertions": _formulas(_PYTHON, "(assert ({}))", "(assert {})", "assert({})"),
    "language: Spanish": _unless_declared(
        "y|o",
        _both(
            _also(_sorts({"Int": "Entero", "Bool": "Booleano"})),
            _also(_heads({"and": "y", "or": "o", "not": "no"})),
            _introduced("Primero declaramos las variables:", "Ahora las restricciones:", "Por último, comprobamos:"),
        ),
    ),
    "language: German": _both(
        _also(_sorts({"Int": "Ganzzahl", "Bool": "Wahrheitswert"})),
        _also(_heads({"and": "und", "or": "oder", "not": "nicht"})),
        _introduced("Zuerst legen wir die Variablen an:", "Nun die Bedingungen:", "Zum Schluss wird geprüft:"),
    ),
    "language: Chinese": _both(
        _also(_sorts({"Int": "整数", "Bool": "布尔"})),
        _introduced("首先声明变量：", "然后添加约束：", "最后求解："),
        lambda text, _: text.replace("(", "（").replace(")", "）"),
    ),
    "language: decimal commas": _sub(r"(?<=[ (])(\d+)\.(\d+)(?=[ )])", r"\1,\2"),
    "algebra: no parentheses within": _formulas(_PLAIN, "(assert {})", "assert {}"),
    "algebra: its signs and products": _formulas(_ALGEBRA, "(assert {})", "assert({})", "(assert ({}))"),
    "algebra: congruences": _congruence,
    "algebra: let them be": _let_be,
    "algebra: words as functions": _word_calls,
    "Prolog: finite domains": _formulas(_CLP, "{}.", "{},", "(assert ({}))"),
    "Prolog: full stops and its comments": _both(
        _introduced("% the unknowns", "% the clues", "% now solve it"),
        lambda text, _: _rows(text, lambda _, line: line if line.startswith("%") else f"{line}."),
    ),
    "MiniZinc: a whole model": _minizinc,
    "MiniZinc: ranges at the declarations": _domains,
    "PDF: a page ends": _page_break,
    "PDF: numbers of the lines": _numbered,
    "PDF: blanks lost": _stuck,
    "PDF: its hyphens and blanks": _pdf_signs,
    "chat window: sender and time": _messages,
    "chat window: Slack": _slack,
    "word processor: corrected while typing": _word_processor,
    "word processor: list items": _listed,
    "cut and continued: the line begun again": _continued(
        *_CONTINUE, pattern=".", again=lambda text, place: text.rindex("\n", 0, place) + 1
    ),
    "cut and continued: within a word": _continued(
        *_CONTINUE, pattern=r"(?<=[a-z]{2})(?=[a-z]{2})", again=lambda _, place: place
    ),
    "cut and continued: the whole again": _continued(
        "{0}\n\nMy answer was cut off. Here is the complete program:\n\n{1}",
        "```smt2\n{0}\n\nSorry, let me write it again from the beginning:\n\n```smt2\n{1}\n```",
        pattern=".",
        again=lambda _text, _place: 0,
    ),
    "cut: in the last command": _last_command,
    "patch: a difference with all lines": _patched(_difference),
    "patch: a new file": _new_file,
    "patch: a block to search and replace": _patched(_search_block),
    "patch: a sentence": _patched(_said),
    "sheet: columns": lambda text, _: re.sub(
        r"(?m)^\((declare-const) (\S+) (\S+)\)$",
        r"\1\t\2\t\3",
        re.sub(r"(?m)^\((set-logic|assert|check-sat|get-value)(?: (.*))?\)$", r"\1\t\2", text),
    ),
    "sheet: names and formulas": _spreadsheet,
    "sheet: a form": _form,
    "sheet: ditto": _ditto,
}


def _unknown_list(formulas: list[Node], style: _Style) -> str | None:
    written = _looped(formulas, style)
    return re.sub(r"for x in \[.*\]:", "for x in people:", written) if written else None


def _offset(*forms: str) -> Mistake:
    return _sub(r"(?m)^\(assert \(= (\w+) \([+-] (\w+) (\d+)\)\)\)$", *forms)


def _chained(text: str, _: Random) -> str | None:
    pattern = r"\(assert \(distinct ((?:\w+ ){2,}\w+)\)\)"
    changed = re.sub(pattern, lambda match: f"(assert {match[1].replace(' ', ' ≠ ')})", text)
    return None if changed == text else changed


def _unknown_bound(text: str, random: Random) -> str | None:
    form = random.choice((r"var \1..n: \2;", r"\2 in \1..N,", r"(assert (in \2 \1..max))"))
    changed = re.sub(r"(?m)^\(assert \(<= (\d+) (\w+) \d+\)\)$", form, text, count=1)
    return None if changed == text else changed


def _glyph(text: str, random: Random) -> str | None:
    """Lose one comparison of an order, as a PDF does whose font names no letters."""
    places = list(re.finditer(r"(?<=\()(<=|>=|<|>)(?= )", text))
    if not places:
        return None
    place = random.choice(places)
    return text[: place.start()] + random.choice("\ufffd□") + text[place.end() :]


def _page_lost(text: str, random: Random) -> str | None:
    place = _cut(text, random, r"(?<=\S) (?=\S)")
    if place is None:
        return None
    return text[:place] + "\n\n14 CHAPTER 3. LOGIC PUZZLES\n\n" + text[text.index("\n", place) + 1 :]


def _cut_off(text: str, random: Random) -> str | None:
    place = _cut(text, random, r"(?<=\S) (?=\S)")
    return None if place is None else text[:place]


def _conflict(before: list[str], after: list[str], old: str, new: str) -> str | None:
    if old.count("(") != old.count(")"):
        return None
    both = f"<<<<<<< HEAD\n{old}\n=======\n{new}\n>>>>>>> fix-puzzle"
    return "\n".join(both if a == old and b == new else b for a, b in zip(before, after, strict=True))


def _unchanged(text: str, random: Random) -> str:
    lines = text.strip().splitlines()
    places = [i for i, line in enumerate(lines) if _is(line, "assert")]
    place = random.choice(places)
    rest = random.choice(("... (rest of the program unchanged) ...", "// ... existing code ...", "[keep the others]"))
    return "\n".join([*lines[: places[0]], rest, lines[place], rest, *lines[places[-1] + 1 :]])


TRAPS: dict[str, Mistake] = {
    "code model: left out": _one("(assert ...)", "(assert (...))", "... add the remaining constraints here ..."),
    "chat model: taken back": _one(
        "{0}\nWait, that is not right.", "{0}\nHmm, no. Actually the clue says the opposite.", "{0}  <- oops, wrong one"
    ),
    "chat model: not sure": _one(
        "I am not sure whether this one is needed: {0}", "Optionally, you could also add `{0}`.", "Perhaps: {0}"
    ),
    "Python: a loop over an unknown list": lambda text, _: _python(text, _PYTHON, _unknown_list),
    "language: a difference of unknown sign": _offset(
        r"(assert (diferencia \1 \2 \3))", r"(assert (Unterschied \1 \2 \3))", r"（assert （差 \1 \2 \3））"
    ),
    "algebra: more or less": _offset(r"(assert \1 = \2 ± \3)", r"(assert \1 ≈ \2 + \3)", r"(assert (≈ \1 (+ \2 \3)))"),
    "algebra: different one by one": _chained,
    "MiniZinc: a bound that nobody gives": _unknown_bound,
    "PDF: a sign without a letter": _glyph,
    "PDF: lines lost at the page": _page_lost,
    "chat window: struck through": _one("~{0}~", "~~{0}~~", "{0} ~deleted~"),
    "chat window: somebody objects": _one(
        "{0}\nBen  10:41 AM\nno, that's wrong, I think", "{0}\n[12/03/24, 10:41] Ben: it's the other way round"
    ),
    "cut: in an assertion": _cut_off,
    "patch: a conflict": _patched(_conflict),
    "patch: the rest unchanged": _unchanged,
    "sheet: a broken reference": _sub(r"(?<= )\d+(?=\)\)\n)", "#REF!", "#NAME?", "#####", "#VALUE!"),
    "sheet: a box without a tick": _one("[ ] {0}", "☐ {0}", "{0}\tno"),
}
