"""Mistakes of the second set in formulas: the notation of other languages, operators, choices, bindings and quantifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.unseen_mistakes.formula_notations import (
    CALLS,
    SIGNS,
    Notation,
    drawn,
    formulas,
    regular,
    replaced,
    written_as,
)
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, NodeGroup

if TYPE_CHECKING:
    from random import Random

    from benchmarks.unseen_mistakes.formula_notations import Mistake
    from harness.smtlib.s_expressions import Node

_LEAN = Notation(negation="¬{a}", every="∀ {v} : {s}, {a}", call="{f} {args}", chains=False).with_signs(
    **{"and": "∧", "or": "∨"}, implies="→", different="≠", less_equal="≤", greater_equal="≥"
)

_TEX = Notation(negation="\\neg {a}", every="\\forall {v} \\in {s}: {a}").with_signs(
    **{"and": "\\land", "or": "\\lor"}, implies="\\rightarrow", different="\\neq", less_equal="\\leq"
)

_Z3PY = Notation(
    signs={"=": "==", "<": "<", ">": ">", "<=": "<=", ">=": ">=", "+": "+", "-": "-", "*": "*", "mod": "%"},
    calls=CALLS,
    chains=False,
)

_C_SIGNS = {**SIGNS, "and": "&&", "or": "||", "mod": "%", "=": "==", "distinct": "!="}

_C = Notation(
    {key: sign for key, sign in _C_SIGNS.items() if key not in {"xor", "=>"}},
    negation="!{a}",
    choice="({c} ? {a} : {b})",
    chains=False,
)

_ZINC = Notation(
    choice="if {c} then {a} else {b} endif",
    different="alldifferent([{args}])",
    chains=False,
    every="forall ({v} in {s}) ({a})",
).with_signs(**{"and": "/\\", "or": "\\/"}, implies="->", different="!=")

_CLP = Notation(
    {
        "and": "#/\\",
        "or": "#\\/",
        "=>": "#==>",
        "xor": "#\\",
        "=": "#=",
        "<": "#<",
        ">": "#>",
        "<=": "#=<",
        ">=": "#>=",
        "+": "+",
        "-": "-",
        "*": "*",
        "distinct": "#\\=",
    },
    negation="#\\ {a}",
    different="all_different([{args}])",
    chains=False,
)

_CVC = Notation(
    choice="IF {c} THEN {a} ELSE {b} ENDIF",
    negation="NOT {a}",
    different="DISTINCT({args})",
    binding="LET {v} = {s} IN {a}",
    every="FORALL ({v} : INT) : {a}",
    chains=False,
).with_signs(**{"and": "AND", "or": "OR", "xor": "XOR"}, different="/=")

_TPTP = Notation(
    {"and": "&", "or": "|", "=>": "=>", "xor": "<~>", "=": "=", "distinct": "!="},
    calls={
        "<": "$less",
        ">": "$greater",
        "<=": "$lesseq",
        ">=": "$greatereq",
        "+": "$sum",
        "-": "$difference",
        "*": "$product",
    },
    negation="~ {a}",
    choice="$ite({c}, {a}, {b})",
    different="$distinct({args})",
    every="! [{v}: $int] : {a}",
    chains=False,
)

_ENGLISH = Notation(choice="{a} if {c} else {b}", chains=False).with_signs(
    **{"<": "is less than", ">": "is greater than"},
    equal="equals",
    less_equal="is at most",
    greater_equal="is at least",
    different="is different from",
    implies="implies",
)

_ALLOY = Notation(choice="{c} => {a} else {b}", chains=False, call="{f}[{args}]").with_signs(
    implies="implies", less_equal="=<", different="!="
)

_PLUSCAL = Notation(
    negation="~{a}",
    choice="IF {c} THEN {a} ELSE {b}",
    every="\\A {v} \\in {s} : {a}",
    binding="LET {v} == {s} IN {a}",
    chains=False,
).with_signs(**{"and": "/\\", "or": "\\/", "mod": "%"}, different="#", less_equal="=<")


def _counts(text: str, random: Random) -> str | None:
    """Add Booleans as if they were numbers, instead of `ite`."""
    form = random.choice([r"\1", r"(* 1 \1)", r"(int \1)", r"(bool2int \1)"])
    return regular(r"\(ite (\w+|\(= \w+ \w+\)) 1 0\)", form)(text, random)


def _weights(text: str, random: Random) -> str | None:
    return regular(
        r"\(ite (\w+) (\d+) 0\)",
        random.choice([r"(* \2 \1)", r"(* \1 \2)", r"(if \1 \2 0)", r"(\1 ? \2 : 0)", r"(ite \1 then \2 else 0)"]),
    )(text, random)


def _sign_styles(*styles: dict[str, str]) -> Mistake:
    """Write operators in prefix position by other words."""

    def change(text: str, random: Random) -> str | None:
        style = random.choice(styles)
        return replaced(lambda node: style.get(node.text) if isinstance(node, Atom) else None)(text, random)

    return change


def _bound(*forms: str) -> Mistake:
    """Write `(let ((v a)) b)` by one of some forms."""
    return drawn(*(_bound_by("let", form) for form in forms))


def _bound_by(head: str, form: str) -> Mistake:
    def change(node: Node) -> str | None:
        if not isinstance(node, NodeGroup) or node.head != head or not isinstance(node.items[1], NodeGroup):
            return None
        bound = node.items[1].items[0]
        if not isinstance(bound, NodeGroup) or len(node.items[1].items) != 1:
            return None
        return form.format(v=write_node(bound.items[0]), s=write_node(bound.items[1]), a=write_node(node.items[2]))

    return replaced(change)


FRAMES = ("(assert {})", "(assert ({}))", "assert {}", "assert({});")

FORMULAS: dict[str, Mistake] = {
    "formula: Lean": formulas(_LEAN, ("(assert ({}))", "(assert {})", "axiom h : {}")),
    "formula: LaTeX": formulas(_TEX, ("(assert ${}$)", "(assert {})", "(assert \\({}\\))")),
    "formula: Z3Py": formulas(_Z3PY, ("(assert {})", "s.add({})", "solver.add({})", "(assert ({}))")),
    "formula: one of Z3Py": formulas(_Z3PY, ("(assert {})", "(assert ({}))"), single=True),
    "formula: C": formulas(_C, FRAMES),
    "formula: one of C": formulas(_C, ("(assert {})", "(assert ({}))"), single=True),
    "formula: MiniZinc": formulas(_ZINC, ("constraint {};", "(assert {})", "(constraint {})")),
    "formula: CLP": formulas(_CLP, ("(assert {})", "(assert ({}))", "{},")),
    "formula: CVC": formulas(_CVC, ("ASSERT {};", "(assert {})", "ASSERT ({});")),
    "formula: TPTP": formulas(_TPTP, ("(assert ({}))", "tff(clue, axiom, {}).")),
    "formula: English": formulas(_ENGLISH, ("(assert ({}))", "(assert {})")),
    "formula: one of English": formulas(_ENGLISH, ("(assert ({}))", "(assert {})"), single=True),
    "formula: Alloy": formulas(_ALLOY, ("fact {{ {} }}", "(assert {})", "(assert {{ {} }})")),
    "formula: TLA": formulas(_PLUSCAL, ("(assert {})", "(assert ({}))", "ASSUME {}")),
    "formula: calls": formulas(
        Notation(calls={sign: sign for sign in (*CALLS, "=", "<", ">", "<=", ">=", "+", "-", "*", "mod")}),
        ("(assert {})",),
    ),
    "signs: words": _sign_styles(
        {
            "<": "less-than",
            ">": "greater-than",
            "<=": "less-or-equal",
            ">=": "greater-or-equal",
            "=": "equals",
            "distinct": "not-equal",
        },
        {
            "<": "lt",
            ">": "gt",
            "<=": "leq",
            ">=": "geq",
            "=": "eq",
            "distinct": "neq",
            "+": "add",
            "*": "mul",
            "-": "sub",
        },
        {"and": "conj", "or": "disj", "=>": "imp", "not": "neg", "=": "equiv"},
        {
            "<": "is-less-than",
            ">": "is-greater-than",
            "=": "is-equal-to",
            "distinct": "is-not-equal-to",
            "+": "plus",
            "*": "times",
            "-": "minus",
        },
        {"and": "AND", "or": "OR", "not": "NOT", "=>": "IMPLIES", "distinct": "DISTINCT", "ite": "ITE"},
        {"ite": "if-then-else", "=>": "implication", "distinct": "pairwise-distinct"},
    ),
    "signs: symbols": _sign_styles(
        {"and": "∧", "or": "∨", "not": "¬", "=>": "⇒", "distinct": "≠", "<=": "≤", ">=": "≥"},
        {"and": "⋀", "or": "⋁", "=>": "⟹", "<=": "⩽", ">=": "⩾", "*": "×", "-": "−"},
        {
            "and": "\\wedge",
            "or": "\\vee",
            "not": "\\neg",
            "=>": "\\implies",
            "<=": "\\le",
            ">=": "\\ge",
            "distinct": "\\ne",
        },
        {"distinct": "/=", "<=": "=<", "=>": "->", "and": "&", "or": "|", "not": "!"},
        {"distinct": "<>", "=": "==", "and": "&&", "or": "||", "not": "~"},
        {"distinct": "=/=", "=": ":=:", "=>": "-->", "*": "·"},
        {"and": "&amp;&amp;", "<": "&lt;", ">": "&gt;", "<=": "&lt;=", ">=": "&gt;=", "=>": "=&gt;"},
    ),
    "signs: a space within": drawn(regular(r"\(<= ", "(< = "), regular(r"\(>= ", "(> = "), regular(r"\(=> ", "(= > ")),
    "signs: at the second place": written_as(["=", "<", "<=", "and", "=>"], "({0} {head} {1})", count=2),
    "signs: between and before": written_as(["and", "or", "+"], "({head} {signs})"),
    "signs: commas between": written_as(["and", "or", "+", "distinct", "="], "({head} {commas})"),
    "signs: a list of operands": written_as(
        ["and", "or", "+", "distinct"],
        "({head} [{all}])",
        "({head} (list {all}))",
        "({head} {{{all}}})",
        "({head} ({all}))",
    ),
    "negation: stuck to its formula": written_as(["not"], "not{0}", "!{0}", "-{0}", "¬{0}", count=1),
    "negation: not of equal": written_as(
        ["distinct"], "(not = {0} {1})", "(!= {0} {1})", "(not= {0} {1})", "(not {0} = {1})", count=2
    ),
    "distinct: another name": drawn(
        *(
            written_as(["distinct"], form, count=count)
            for form in ("(all-different {all})", "(alldifferent {all})", "(all_diff {all})", "(AllDistinct {all})")
            for count in (3, 4)
        )
    ),
    "implication: if then": written_as(["=>"], "(if {0} then {1})", count=2),
    "implication: only if": written_as(["=>"], "({0} only if {1})", count=2),
    "implication: arrows": written_as(["=>"], "({0} ==> {1})", "({0} |-> {1})", "(--> {0} {1})", count=2),
    "choice: Lisp": written_as(["ite"], "(cond ({0} {1}) (else {2}))", "(cond ({0} {1}) (true {2}))", count=3),
    "choice: words": written_as(
        ["ite"], "(if {0} then {1} else {2})", "(ite {0} ? {1} : {2})", "(ite ({all}))", count=3
    ),
    "choice: a Boolean added": _counts,
    "choice: a Boolean times a weight": _weights,
    "chain: signs between": written_as(["<=", "<"], "({signs})", "{signs}", count=3),
    "chain: two formulas in one": written_as(["<=", "<"], "({head} {0} {1}) ({head} {1} {2})", count=3),
    "chain: a joined pair": written_as(["<=", "<"], "(({head} {0} {1}) and ({head} {1} {2}))", count=3),
    "let: a binding without brackets": _bound(
        "(let {v} {s} {a})",
        "(let ({v} {s}) {a})",
        "(let [{v} {s}] {a})",
        "(let (({v} = {s})) {a})",
        "(let (({v} := {s})) {a})",
    ),
    "let: in": _bound(
        "(let (({v} {s})) in {a})", "(let {v} = {s} in {a})", "(let {v} := {s} in {a})", "(let* (({v} {s})) {a})"
    ),
    "quantifier: binding": drawn(
        *(
            _bound_by("forall", form)
            for form in (
                "(forall ({v} {s}) {a})",
                "(forall (({v} : {s})) {a})",
                "(forall {v} {s} {a})",
                "(forall (({v} {s})) . {a})",
                "(forall [{v} : {s}] {a})",
                "(∀ (({v} {s})) {a})",
                "(for-all (({v} {s})) {a})",
                "(forall {v} : {s} . {a})",
                "(forall ({v} : {s}), {a})",
            )
        )
    ),
}
