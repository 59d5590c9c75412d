"""Mistakes of the second set in declarations, values, numbers, names and assertions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from benchmarks.unseen_mistakes.formula_notations import (
    ASSERTION,
    drawn,
    pattern,
    regular,
    replaced,
    written_as,
)
from harness.smtlib.s_expressions import Atom, AtomKind

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from benchmarks.unseen_mistakes.formula_notations import Mistake
    from harness.smtlib.s_expressions import Node


def _declarations(text: str) -> list[tuple[str, str]]:
    return re.findall(r"(?m)^\(declare-const (\S+) (\S+)\)$", text)


def _declared(*forms: str) -> Mistake:
    """Write constants by one of some forms, with the places `name` and `sort`."""

    def change(text: str, random: Random) -> str:
        form = random.choice(forms)
        return re.sub(
            r"(?m)^\(declare-const (\S+) (\S+)\)$", lambda match: form.format(name=match[1], sort=match[2]), text
        )

    return change


def _declared_together(*forms: str) -> Mistake:
    """Write the constants of each sort in one command."""

    def change(text: str, random: Random) -> str | None:
        form = random.choice(forms)
        groups: dict[str, list[str]] = {}
        for name, sort in _declarations(text):
            groups.setdefault(sort, []).append(name)
        if not groups or max(map(len, groups.values())) < 2:
            return None
        lines, done = [], set()
        for line in text.splitlines():
            match = re.fullmatch(r"\(declare-const (\S+) (\S+)\)", line)
            if match is None:
                lines.append(line)
            elif match[2] not in done:
                done.add(match[2])
                names = groups[match[2]]
                pairs = " ".join(f"({name} {match[2]})" for name in names)
                lines.append(form.format(sort=match[2], all=" ".join(names), commas=", ".join(names), pairs=pairs))
        return "\n".join(lines)

    return change


def _formed(form: str) -> Callable[[str, Random], str]:
    return lambda number, _: form.format(number)


def _number_forms(*forms: str) -> Mistake:
    """Write numbers by one of some forms, the same in the whole program."""
    return drawn(*(_numbers(_formed(form)) for form in forms))


def _name_forms(*forms: str, everywhere: bool = False) -> Mistake:
    """Write names by one of some forms, the same in the whole program."""
    return drawn(*(_names(form.format, everywhere=everywhere) for form in forms))


def _numbers(change: Callable[[str, Random], str | None], *, single: bool = False) -> Mistake:
    """Write the numerals within assertions in another way."""

    def mistake(text: str, random: Random) -> str | None:
        def new(node: Node) -> str | None:
            numeral = isinstance(node, Atom) and node.kind in {AtomKind.NUMERAL, AtomKind.DECIMAL}
            return change(node.text, random) if isinstance(node, Atom) and numeral else None

        return replaced(new, single=single)(text, random)

    return mistake


def _names(change: Callable[[str], str | None], *, share: float = 1.0, everywhere: bool = False) -> Mistake:
    """Write the declared constants in another way where they are used (and `everywhere`, where they are declared, too)."""

    def mistake(text: str, random: Random) -> str | None:
        names = [name for name, _ in _declarations(text)]
        new = {
            name: written
            for name in names
            if (written := change(name)) is not None
            and written != name
            and not re.search(rf"(?<![\w-]){re.escape(written)}(?![\w-])", text)
        }
        if not new:
            return None
        found = re.compile(rf"(?<![\w|.-])({'|'.join(map(re.escape, new))})(?![\w|.-])")
        lines = [
            found.sub(lambda match: new[match[1]] if random.random() < share else match[1], line)
            if everywhere or not line.startswith("(declare-")
            else line
            for line in text.splitlines()
        ]
        return "\n".join(lines)

    return mistake


def _camel(name: str) -> str | None:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest) if rest else None


def _enumerations(*forms: str) -> Mistake:
    """Write sorts with named values by one of some forms: `name`, `values` and `commas`."""

    def change(text: str, random: Random) -> str | None:
        form = random.choice(forms)
        found = re.compile(r"(?m)^\(declare-datatypes \(\((\S+) 0\)\) \(\((.*)\)\)\)$")
        if not found.search(text):
            return None

        def written(match: re.Match[str]) -> str:
            values = re.findall(r"\((\S+?)\)", match[2])
            return form.format(
                name=match[1], values=" ".join(values), commas=", ".join(values), bars=" | ".join(values)
            )

        return found.sub(written, text)

    return change


def _lost_letter(name: str) -> str | None:
    return name[:2] + "\ufffd" + name[3:] if len(name) > 4 else None


def _ocr(number: str, random: Random) -> str | None:
    if len(number) < 2 or not set(number) & {"0", "1"} or set(number) <= {"0", "1", "."}:
        return None
    return (
        number.replace("0", "O")
        if "0" in number and random.random() < 0.5
        else number.replace("1", "l").replace("0", "O")
    )


def _named_rules(*forms: tuple[str, str]) -> Mistake:
    """State each assertion as a named formula, which is asserted afterwards."""

    def change(text: str, random: Random) -> str | None:
        define, state = random.choice(forms)
        count, lines = 0, []
        for line in text.splitlines():
            match = re.fullmatch(r"\(assert (.*)\)", line)
            if match is None:
                lines.append(line)
                continue
            count += 1
            lines += [define.format(match[1], count), state.format(match[1], count)]
        return "\n".join(lines) if count else None

    return change


def _order(text: str, random: Random) -> str | None:
    """Declare after the use."""
    lines = text.splitlines()
    late = [line for line in lines if line.startswith("(declare-const")]
    if not late:
        return None
    moved = random.sample(late, max(1, len(late) // 2))
    rest = [line for line in lines if line not in moved]
    place = rest.index("(check-sat)")
    return "\n".join([*rest[:place], *moved, *rest[place:]])


def _one_assertion(text: str, _: Random) -> str:
    formulas_alone = " ".join(re.findall(ASSERTION, text))
    return re.sub(r"(?m)^\(assert .*\)\n", "", text).replace("(check-sat)", f"(assert {formulas_alone})\n(check-sat)")


PARTS: dict[str, Mistake] = {
    "declaration: a sort of another language": drawn(
        *(
            regular(rf"(?m)^(\(declare-const \S+) {sort}\)$", rf"\1 {other})")
            for sort, others in (
                (
                    "Int",
                    ("Integer", "INT", "int", "(Int)", "IntSort()", "ℤ", "<Int>", '"Int"', "Integers"),
                ),
                ("Bool", ("Boolean", "bool", "BOOL", "BoolSort()", "𝔹", "Prop", "boolean", "logical")),
            )
            for other in others
        )
    ),
    "declaration: another command": pattern(
        "declare-const",
        "(declare {} {})",
        "(declare-var {} {})",
        "(decl {} {})",
        "(declare-constant {} {})",
        "(const {} {})",
        "(new-const {} {})",
        "(defconst {} {})",
        "(declare_const {} {})",
        "(Declare-const {} {})",
    ),
    "declaration: function without arguments": pattern(
        "declare-const",
        "(declare-fun {} {})",
        "(declare-fun {} : {})",
        "(declare-fun {} () -> {})",
        "(declare-const {} () {})",
        "(declare-fun ({} {}))",
        "(declare-fun {}() {})",
    ),
    "declaration: typed": _declared(
        "(declare-const {name} : {sort})",
        "(declare-const {name}:{sort})",
        "{name} : {sort}",
        "(declare-const ({name} {sort}))",
        "({name} {sort})",
        "(declare-const {name} of type {sort})",
        "(declare-const {name} as {sort})",
        "({sort} {name})",
    ),
    "declaration: another language": _declared(
        "{sort} {name};",
        "var {sort}: {name};",
        "{name} = {sort}('{name}')",
        'const {name} = {sort}("{name}");',
        "let {name}: {sort};",
        "{name}::{sort}",
        "({name} :: {sort})",
        "{name} ∈ {sort}",
        "variable {name} : {sort}",
        "(define {name}::{sort})",
    ),
    "declaration: several in one": _declared_together(
        "(declare-const {all} {sort})",
        "(declare-consts ({all}) {sort})",
        "(declare-const ({all}) {sort})",
        "(declare-consts {pairs})",
        "{commas} = {sort}s('{all}')",
        "(declare-const [{commas}] {sort})",
        "(declare-vars {sort} {all})",
        "{commas} : {sort}",
    ),
    "declaration: after the use": _order,
    "values: an enumeration of another language": _enumerations(
        "enum {name} {{ {commas} }}",
        "(declare-enum {name} ({values}))",
        "(define-sort {name} (enum {values}))",
        "{name} ::= {bars}",
        "datatype {name} = {bars}",
        "(declare-datatype {name} = {bars})",
        "(declare-sort {name} ({values}))",
        "enum {name} = {{{commas}}};",
        "type {name} = {bars}",
        "(define-type {name} (scalar {values}))",
        "(declare-enumeration {name} {values})",
    ),
    "values: brackets of a datatype": _enumerations(
        "(declare-datatypes (({name})) (({values})))",
        "(declare-datatypes ({name} 0) (({values})))",
        "(declare-datatype {name} {values})",
        "(declare-datatype {name} ({values}))",
        "(declare-datatypes {name} ({values}))",
        "(declare-datatype {name} ({commas}))",
        "(declare-datatypes ((({name} 0))) ((({values}))))",
    ),
    "number: quoted": _number_forms('"{}"', "'{}'", "`{}`"),
    "number: a unit": _number_forms("{} minutes", "{} dollars", "{} years", "{} kg"),
    "number: a currency": _number_forms("${}", "€{}", "USD {}", "£{}"),
    "number: of the wrong kind": drawn(
        _numbers(lambda number, _: f"{number}.0" if number.isdigit() else None),
        _numbers(lambda number, _: f"{number}.00" if number.isdigit() else None),
        _numbers(lambda number, _: f"{number}."),
        _numbers(lambda number, _: number.removesuffix(".0") if "." in number else None),
        _numbers(lambda number, _: f"(int {number})" if number.isdigit() else None),
    ),
    "number: leading zeros": _numbers(lambda number, _: f"0{number}" if number.isdigit() else None),
    "number: letters for digits": _numbers(_ocr),
    "number: other digits": drawn(
        _numbers(lambda number, _: number.translate({ord(c): ord(c) + 0xFEE0 for c in "0123456789"})),
        _numbers(lambda number, _: number.translate({ord(c): 0x0660 + int(c) for c in "0123456789"})),
        _numbers(lambda number, _: number.replace(".", ",") if "." in number else None),
    ),
    "number: negative": written_as(["-"], "-{0}", "−{0}", "(-{0})", "~{0}", count=1),
    "name: marked": _name_forms("?{}", "${}", "@{}", ":{}", "{}()", "({})", "${{{}}}", "'{}", "%{}%"),
    "name: quoted": _name_forms('"{}"', "'{}'", "`{}`", "“{}”", "**{}**", "_{}_", "<{}>", "[{}]"),
    "name: of an object": _name_forms("vars['{}']", 'x["{}"]', "self.{}", everywhere=True),
    "name: another case": drawn(_names(str.capitalize), _names(str.upper), _names(str.capitalize, share=0.4)),
    "name: joined in another way": drawn(
        _names(lambda name: name.replace("_", "-")),
        _names(_camel),
        _names(lambda name: name.replace("_", "\\_"), everywhere=True),
        _names(lambda name: name.replace("_", "")),
    ),
    "name: a letter lost": _names(_lost_letter, share=0.5),
    "name: hidden characters": drawn(
        _names(lambda name: name[:2] + "\u200b" + name[2:], share=0.5),
        _names(lambda name: name + "\u00ad", share=0.5),
        _names(lambda name: "\ufeff" + name, share=0.5),
        _names(lambda name: name[:1] + "\u2060" + name[1:], everywhere=True),
    ),
    "assertion: named in another way": drawn(
        *(
            regular(ASSERTION, form)
            for form in (
                r"(assert (! \1 :name c))",
                r"(assert (! \1 :named \"c 1\"))",
                r"(assert \1 :named c)",
                r"(assert :c \1)",
                r'(assert "clue" \1)',
                r"(assert clue: \1)",
                r"(assert (clue: \1))",
                r"(assert [clue] \1)",
                r"(assert (! \1 named clue))",
                r"(assert! \1)",
            )
        )
    ),
    "assertion: another command": drawn(
        *(
            regular(ASSERTION, form)
            for form in (
                r"(add \1)",
                r"(constraint \1)",
                r"(require \1)",
                r"(assume \1)",
                r"(assert that \1)",
                r"(axiom \1)",
                r"(rule \1)",
                r"(fact \1)",
                r"Assert \1",
                r"assert: \1",
                r"(assert := \1)",
                r"(solver.add \1)",
                r"(assert_true \1)",
                r"(must \1)",
                r"\1",
            )
        )
    ),
    "assertion: in several brackets": drawn(
        regular(ASSERTION, r"(assert (\1))"),
        regular(ASSERTION, r"((assert \1))"),
        regular(ASSERTION, r"(assert ((\1)))"),
        regular(ASSERTION, r"(assert [\1])"),
        regular(ASSERTION, r"{assert \1}"),
        regular(ASSERTION, r"<assert \1>"),
    ),
    "assertion: a sentence's end": drawn(
        regular(ASSERTION, r"(assert \1)."),
        regular(ASSERTION, r"(assert \1),"),
        regular(ASSERTION, r"(assert \1.)"),
        regular(ASSERTION, r"(assert \1;)"),
        regular(ASSERTION, r"(assert \1)\\\\"),
    ),
    "assertion: by a named rule": _named_rules(
        ("(define rule{1} {0})", "(assert rule{1})"),
        ("(defun rule{1} () Bool {0})", "(assert (rule{1}))"),
        ("(define-fun rule{1} Bool {0})", "(assert rule{1})"),
        ("(let rule{1} {0})", "(assert rule{1})"),
        ("rule{1} := {0}", "(assert rule{1})"),
        ("rule{1} = {0}", "assert rule{1}"),
        ("(define-fun rule{1} () {0})", "(assert rule{1})"),
    ),
    "assertion: several in one": _one_assertion,
}
