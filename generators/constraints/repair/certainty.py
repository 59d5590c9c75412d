"""The law by which a repair is certain: what the program says after it can only be what the text said.

An edit knows its own place alone. The law looks at the whole: at the names that are new, the assertions that are left, and the text
that has become a comment.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import pairwise

from generators.constraints.repair.edit_kind import SKIPPED
from generators.constraints.repair.syntax.name_similarity import folded_name
from generators.constraints.repair.syntax.operator_spellings import COMPARISONS, operator
from generators.constraints.repair.syntax.remarks import is_denial
from harness.smtlib.commands import ALLOWED, DECLARING
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.printer import write_node, write_script
from harness.smtlib.s_expressions import Atom, Node, NodeGroup, walk
from harness.smtlib.script import Declaration, Script
from harness.smtlib.symbols import BOOL
from harness.text.lexicon import word_lists
from harness.text.numbers.number_words import SCALES, TEENS, TENS, UNITS

_SIGNED = re.compile(r"[+-]\d+(?:\.\d+)?")
_LISTS = word_lists(__file__)
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_.]*[A-Za-z0-9]+)*")
_ASSERTION = re.compile(r"\(\s*assert\b|(?m:^)[^\S\n]*+(?:assert|constraint)\b", re.IGNORECASE)
_ELLIPSIS = re.compile(r"(?m)^[^\w\n]*(?:\.{3}|…)")
_DIRECTIVE = re.compile(r"(?m)^[ \t]*+#[ \t]*+(?:if|ifdef|ifndef|else|endif)\b")
_LIST = re.compile(r"\([-+*/=<>]=?\s[^()\n]*\[\s*+\d+\s*+,\s*+\d+\s*+\]")
_NUMBERED = re.compile(
    r"(?m)^[^;\n]*\b(?:version|variant|alternative|attempt|draft|option)\s+(?:[A-Z]|\d+)\b", re.IGNORECASE
)
_STRUCK = re.compile(r"~~[^~\n]*\([^~\n]*~~|<(?:del|strike|s)>", re.IGNORECASE)
_ARROW = re.compile(r"(?m)^[^;\n]*\s<-\s")
_SPAN = re.compile(r"\d+[-–]\d+")
_WITHDRAWAL = re.compile(rf"\b(?:{_LISTS.either('withdrawals')})\b", re.IGNORECASE)
"""What takes back, in the comment of another language, the assertion before it."""
_REJECTION = re.compile(rf"\b(?:{_LISTS.either('rejections')})\b", re.IGNORECASE)
_PRINTING = frozenset({"eval", "simplify", "echo", "display", "print", "show"})
_REMARK = re.compile(r"\s*(?:;|//|#|--|%|/\*|<!--)")
_CONGRUENCE = re.compile(r"\\pmod\b|\w\s*\(\s*mod\s+\d+\s*\)|(?<![<>!=])=\s*+\w+\s+mod\b|\bcongruent\b", re.IGNORECASE)
_CONGRUENT = re.compile(r"≡|\\equiv\b")
_REMAINDER = re.compile(r"mod\b|%", re.IGNORECASE)
_ARROWS = re.compile(r"->|==>|[→⇒⟹⟶⇨➔➜➞⇛]|rightarrow\b|\\to\b|\bimplies\b", re.IGNORECASE)
_AT_LEAST = re.compile(r">=|(?<!=)=>|&gt;|[≥⩾]|\b(?:ge|geq|gte|least|less)\b|greater", re.IGNORECASE)
_TWICE = re.compile(r"\bnot\s+not\b|!\s*not\b|\bnot\s*!", re.IGNORECASE)
_EQUIVALENCES = frozenset({"<=>", "<->", "#<==>", "iff", "equiv", "equivalent"})
_ORDERS = frozenset({"<", "<=", ">", ">="})
_HIDING = re.compile(r"(?:^|(?<=\s))(?://+|#+|--+|%+|/\*+|<!--|-)\s*$")
_JUNCTIONS = frozenset({"and", "or"})
_LONG = 2
_WORK = 200_000
"""Units of z3's work to decide whether a program can be satisfied: some tens of milliseconds; beyond it nothing is said."""
_WORDS = _LISTS.words("no_names") | UNITS.keys() | TEENS.keys() | TENS.keys() | SCALES.keys()


def doubts(original: Script, repaired: Script, new: Collection[str], problem: str = "") -> tuple[str, ...]:
    """Return why a program without faults may not say what the original text says; empty where the repair is certain.

    `new` are the names that the repair declared because the text does not; `problem` is the text that the program was written for; a new name that occurs in it is less doubtful.
    """
    reasons = (
        *_doubtful_names(original, repaired, new, problem),
        *_split_names(original),
        *_lost_assertions(original, repaired),
        *_lost_statements(original, repaired),
        *_rejections(original),
        *_empty_assertions(original, repaired),
        *_cut_text(original, repaired),
        *_ellipses(original),
        *_readings(original),
        *_new_readings(original, repaired),
        *_beside(original),
        *_versions(original),
        *_units(original, new),
    )
    return tuple(dict.fromkeys(reasons)) or tuple(_contradiction(original, repaired))


def _doubtful_names(original: Script, repaired: Script, new: Collection[str], problem: str) -> Iterator[str]:
    said = folded_name(problem)
    used = {part.name for formula in repaired.assertions for part in walk(formula) if isinstance(part, Atom)}
    unused = {
        name: symbol.sort for name, symbol in repaired.scope.symbols.items() if name not in used and not symbol.sorts
    }
    for declaration in repaired.declarations:
        name = declaration.name
        if name not in new:
            continue
        if declaration.sorts:
            yield f"{name} is no function that the program declares"
        elif not _PLAIN.fullmatch(name) or name.lower() in _WORDS or operator(name) is not None:
            yield f"{name} may be no name"
        elif any(declaration.sort == sort for sort in unused.values()):
            yield f"{name} may be {min(unused)}, which is declared and not used"
        elif _in_last_open_form(original, name):
            yield f"{name} stands in the form that is not closed at the end of the text"
        elif not _is_confirmed(original, repaired, declaration, said):
            yield f"{name} is not declared and stands in one assertion alone"


def _in_last_open_form(original: Script, name: str) -> bool:
    """Tell whether a name stands in the last form alone, and that is not closed: the text may have been cut there."""
    unclosed = [fault.at.offset for fault in original.faults if fault.kind is ScriptFaultKind.UNCLOSED]
    last = original.commands[-1] if original.commands else None
    if last is None or last.at.offset not in unclosed:
        return False
    return not any(_holds(command, name) for command in original.commands[:-1])


def _is_confirmed(original: Script, repaired: Script, declaration: Declaration, said: str) -> bool:
    """Tell whether a name occurs in the problem's text, or in two assertions at least, one of which has no other fault."""
    if len(declaration.name) > _LONG and folded_name(declaration.name) in said:
        return True
    holding = [formula for formula in repaired.assertions if _holds(formula, declaration.name)]
    if len(holding) < 2:
        return False
    wrong = [fault.at.offset for fault in original.faults if fault.kind is not ScriptFaultKind.UNDECLARED]
    return any(
        _holds(command, declaration.name) and not any(command.at.offset <= offset < command.end for offset in wrong)
        for command in original.commands
        if command.head == "assert"
    )


def _holds(node: Node, name: str) -> bool:
    return any(isinstance(part, Atom) and part.name == name for part in walk(node))


def _split_names(original: Script) -> Iterator[str]:
    """Yield the doubt about names that one declaration lists, and that stand side by side wherever they stand."""
    for command in original.commands:
        names = [item.text for item in command.arguments if isinstance(item, Atom) and len(item.text) > _LONG]
        if not command.head.startswith("declare") or len(names) < 3:
            continue
        for left, right in pairwise(names[:-1]):
            together = re.findall(rf"(?<![\w.-]){re.escape(left)}\s+{re.escape(right)}(?![\w.-])", original.text)
            if len(together) > 1 and len(together) == len(
                re.findall(rf"(?<![\w.-]){re.escape(left)}(?![\w.-])", original.text)
            ):
                yield f"{left} {right} may be one name"


def _lost_assertions(original: Script, repaired: Script) -> Iterator[str]:
    written = len(_ASSERTION.findall(SKIPPED.sub(" ", original.text)))
    if written > len(repaired.assertions):
        yield f"{written} assertions are written, {len(repaired.assertions)} are left"


def _lost_statements(original: Script, repaired: Script) -> Iterator[str]:
    """Yield the doubt about commands before the question, other than assertions, whose formulas no assertion has.

    `(eval (> x 3))` prints, but a writer may have meant that it holds.
    """
    known = {declaration.name for declaration in repaired.declarations}
    checks = [node.at.offset for node in original.nodes if isinstance(node, NodeGroup) and node.head == "check-sat"]
    asserted = {write_node(formula) for formula in repaired.assertions}
    for node in original.nodes:
        if not isinstance(node, NodeGroup) or node.head not in _PRINTING or (checks and node.at.offset > checks[-1]):
            continue
        for formula in node.arguments:
            if write_node(formula) not in asserted and any(_holds(formula, name) for name in known):
                yield f"({node.head} …) before the question may state a formula"


def _rejections(original: Script) -> Iterator[str]:
    """Yield the doubt about a sentence before or behind the commands that rejects the program."""
    groups = [node for node in original.nodes if isinstance(node, NodeGroup) and node.head in ALLOWED]
    if groups and (
        _REJECTION.search(original.text, 0, groups[0].at.offset) or _REJECTION.search(original.text, groups[-1].end)
    ):
        yield "a sentence beside the program may reject it"


def _empty_assertions(original: Script, repaired: Script) -> Iterator[str]:
    before = set(original.assertions)
    for formula in repaired.assertions:
        named = any(isinstance(part, Atom) and part.name in repaired.scope.symbols for part in walk(formula))
        if not named and formula not in before:
            yield "an assertion speaks of no constant"


def _cut_text(original: Script, repaired: Script) -> Iterator[str]:
    """Yield the doubt about a text that may have lost its end, or assertions: a form left open, or a constant that nothing is said of."""
    if not original.commands:
        return
    checked = any(command.head.startswith("check-sat") for command in original.commands)
    unclosed = [fault.at.offset for fault in original.faults if fault.kind is ScriptFaultKind.UNCLOSED]
    if not checked and any(offset >= original.commands[-1].at.offset for offset in unclosed):
        yield "the text ends within a form and has no (check-sat): it may have been cut"
    if checked and not unclosed:
        return
    used = {part.name for formula in repaired.assertions for part in walk(formula) if isinstance(part, Atom)}
    bodies = {
        part.name
        for declaration in repaired.declarations
        if declaration.body is not None
        for part in walk(declaration.body)
        if isinstance(part, Atom)
    }
    constants = (declaration.name for declaration in repaired.declarations if declaration.body is None)
    name = next((name for name in constants if name not in used | bodies), None)
    if name is not None:
        lack = "a form is not closed" if checked else "there is no (check-sat)"
        yield f"{name} is declared and not used, and {lack}: the text may have been cut"


def _ellipses(original: Script) -> Iterator[str]:
    if _ELLIPSIS.search(original.text):
        yield "a line of dots stands for what is left out"
    if _DIRECTIVE.search(original.text):
        yield "a directive of another language may leave out what is behind it"
    if _LIST.search(original.text):
        yield "numbers in brackets may be a range"
    if _NUMBERED.search(original.text):
        yield "the text numbers its versions"
    if _STRUCK.search(original.text):
        yield "a command is struck out"


def _beside(original: Script) -> Iterator[str]:
    """Yield the doubt about an assertion that the words on its line take back, or that is written behind the sign of a comment.

    Where the same sign is before every assertion, it is a mark of the list, not of a comment.
    """
    asserted = [number for number, node in enumerate(original.nodes) if _is_assertion(node)]
    hidden = []
    for number in asserted:
        node = original.nodes[number]
        groups = [other for other in original.nodes[max(0, number - 40) : number] if isinstance(other, NodeGroup)]
        line = original.text.rfind("\n", 0, node.at.offset) + 1
        before = original.text[max([line, *(group.end for group in groups)]) : node.at.offset]
        following = (other.at.offset for other in original.nodes[number + 1 :] if isinstance(other, NodeGroup))
        newline = original.text.find("\n", node.end)
        end = min(next(following, len(original.text)), newline if newline >= 0 else len(original.text))
        behind = original.text[node.end : end]
        taken_back = _WITHDRAWAL.search(behind) if _REMARK.match(behind) else is_denial(behind)
        if is_denial(before) or (taken_back and not behind.lstrip().startswith(";")):
            yield "words beside an assertion may take it back"
        sign = _HIDING.search(before)
        hidden.append(sign[0].strip() if sign else "")
    if len(set(hidden)) > 1:
        yield "an assertion is behind the sign of a comment"


def _versions(original: Script) -> Iterator[str]:
    """Yield the doubt about a text that holds two programs, the first of which asserts what the second does not."""
    parts: list[set[Node]] = [set()]
    declared: set[Node] = set()
    for command in original.commands:
        if command.head.startswith("declare-") and command.arguments:
            if command.arguments[0] in declared and parts[-1]:
                parts.append(set())
                declared.clear()
            declared.add(command.arguments[0])
        elif command.head == "assert":
            parts[-1].update(command.arguments)
    formulas = Counter(command.arguments for command in original.commands if command.head == "assert")
    names = Counter(c.arguments[0] for c in original.commands if c.head.startswith("declare-") and c.arguments)
    beside = len(parts) == 1 and len(names) > 1 and min(names.values()) > 1 and min(formulas.values(), default=2) < 2
    if beside or any(not first <= second for first, second in pairwise(parts)):
        yield "the text holds two programs, which assert different things"


def _units(original: Script, new: Collection[str]) -> Iterator[str]:
    """Yield the doubt about a new name that stands behind a number wherever it stands."""
    for name in new:
        places = len(re.findall(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", original.text))
        behind = len(re.findall(rf"(?<![\w.-])\d+(?:\.\d+)?[ \t]+{re.escape(name)}(?![\w.-])", original.text))
        if places == behind:
            yield f"{name} may be the unit of the numbers before it"


def _is_assertion(node: Node) -> bool:
    return isinstance(node, NodeGroup) and node.head.lower().startswith("assert")


def _readings(original: Script) -> Iterator[str]:
    """Yield the doubt about comparisons of three or more arguments that are written as two are, and about `a and b or c`."""
    if _ARROW.search(original.text):
        yield "`<-` may be an arrow, or a comparison with a negative number"
    for command in original.commands:
        for group in walk(command):
            if (
                isinstance(group, NodeGroup)
                and {item.text.lower() for item in group.items[1:] if isinstance(item, Atom)} >= _JUNCTIONS
            ):
                yield "`and` and `or` stand side by side without parentheses"
            if isinstance(group, NodeGroup):
                for item in group.items[1:]:
                    if isinstance(item, Atom) and _SPAN.fullmatch(item.text):
                        yield f"{item.text} may be a difference or a range"
            if not isinstance(group, NodeGroup) or len(group.arguments) < 3 or operator(group.head) not in COMPARISONS:
                continue
            for argument in group.arguments[1:]:
                if isinstance(argument, Atom) and _SIGNED.fullmatch(argument.text):
                    yield f"the sign of {argument.text} may join it to what stands before it"
            if operator(group.head) == "distinct" and not re.search("dist|diff", group.head, re.IGNORECASE):
                yield f"{group.head} of {len(group.arguments)} arguments may say that not all are equal"


def _new_readings(original: Script, repaired: Script) -> Iterator[str]:
    """Yield the doubt about relations that the repair wrote and that other languages mean otherwise."""
    before = set(original.assertions)
    groups = [
        part
        for formula in repaired.assertions
        if formula not in before
        for part in walk(formula)
        if isinstance(part, NodeGroup)
    ]
    heads = {group.head for group in groups}
    if "mod" in heads and (
        _is_congruence(original.text) or any(_is_small_remainder(group) for group in groups if group.head == "mod")
    ):
        yield "`mod` may say that two numbers are congruent"
    if ">=" in heads and _ARROWS.search(original.text) and not _AT_LEAST.search(original.text):
        yield "an arrow between numbers may be no comparison"
    if _TWICE.search(original.text):
        yield "a negation is written twice"
    truths = {name for name, symbol in repaired.scope.symbols.items() if symbol.sort == BOOL}
    for group in groups:
        if group.head in _ORDERS and len(group.arguments) == 2 and all(map(_is_counted_truth, group.arguments)):
            yield f"`{group.head}` between truth values may be an arrow"
        elif (
            group.head == "="
            and len(group.arguments) > 2
            and _is_truth(group.arguments[0], truths)
            and not _applies_equal(original)
        ):
            yield "`p = q = r` may compare the first two with the third"


def _is_congruence(text: str) -> bool:
    """Tell whether a text says that two numbers leave the same remainder, as `x ≡ 3 mod 5` does."""
    lines = ((line, _CONGRUENT.search(line)) for line in text.splitlines())
    return _CONGRUENCE.search(text) is not None or any(
        sign is not None and _REMAINDER.search(line, sign.end()) is not None for line, sign in lines
    )


def _is_small_remainder(group: NodeGroup) -> bool:
    """Tell whether this is the remainder of a number that is smaller than the divisor, such as `(mod 3 5)`, which is the number itself."""
    values = [argument.text for argument in group.arguments if isinstance(argument, Atom)]
    return len(values) == 2 and all(value.isdecimal() for value in values) and len(values[0]) <= len(values[1])


def _is_counted_truth(node: Node) -> bool:
    return (
        isinstance(node, NodeGroup)
        and node.head == "ite"
        and [getattr(item, "text", "") for item in node.items[2:]] == ["1", "0"]
    )


def _is_truth(node: Node, truths: Collection[str]) -> bool:
    if isinstance(node, Atom):
        return node.name in truths or node.text in {"true", "false"}
    return node.head in {"not", "and", "or", "xor", "=>", "=", "distinct", *_ORDERS}


def _applies_equal(original: Script) -> bool:
    """Tell whether the text itself applies an equality to three arguments or more."""
    return any(
        isinstance(part, NodeGroup)
        and len(part.arguments) > 2
        and operator(part.head) == "="
        and part.head.lower() not in _EQUIVALENCES
        for command in original.commands
        for part in walk(command)
    )


def _contradiction(original: Script, repaired: Script) -> Iterator[str]:
    """Yield the doubt about a repair that makes a program unsatisfiable whose readable assertions are satisfiable."""
    before = set(original.assertions)
    readable = [formula for formula in repaired.assertions if formula in before]
    mended = [formula for formula in repaired.assertions if formula not in before]
    if not mended or not readable:
        return
    # The library takes a tenth of a second to load, which a program that needs no repair does not pay.
    import z3

    commands = [command for command in repaired.commands if command.head in DECLARING]
    text = write_script([*commands, *(NodeGroup((Atom("assert"), formula)) for formula in (*readable, *mended))])
    try:
        formulas = z3.parse_smt2_string(text)
        solver = z3.Solver()
        solver.set("rlimit", _WORK)
        solver.add(*formulas[: len(readable)])
        if solver.check() == z3.sat:
            solver.add(*formulas[len(readable) :])
            if solver.check() == z3.unsat:
                yield "the assertions that were repaired contradict the others"
    except z3.Z3Exception as error:
        yield f"z3 does not read it: {str(error)[:200]}"
