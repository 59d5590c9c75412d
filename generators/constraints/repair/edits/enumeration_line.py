"""Enumerations that are declared on a line of another language, as in `enum Color { red, green }`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.code_matches import COMMENTS, code_matches

_NAME = r"[A-Za-z]\w*"
_VALUE = rf"['\"]?{_NAME}['\"]?"
_FORMS = (
    re.compile(
        rf"(?m)^[ \t]*+\([ \t]*+(?:declare-(?:datatype|enum|sort|enumeration)|define-(?:enum|sort|type)|deftype|defenum)[ \t]++(?P<sort>{_NAME})[ \t]*+[({{\[][ \t]*+(?:(?:Enum|enum|one-of|oneof)[ \t]++)?(?P<values>{_VALUE}(?:[ \t]*+[,|][ \t]*+{_VALUE})++)[ \t]*+[)}}\]][ \t]*+\)[ \t]*+$"
    ),
    re.compile(
        rf"(?m)^[ \t]*+\([ \t]*+(?:declare-(?:datatype|enum|sort)|define-(?:enum|sort|type)|deftype)[ \t]++(?P<sort>{_NAME})[ \t]*+\([ \t]*+(?:Enum|enum|one-of|oneof)[ \t]++(?P<values>{_NAME}(?:[ \t]++{_NAME})++)[ \t]*+\)[ \t]*+\)[ \t]*+$"
    ),
    re.compile(
        rf"(?m)^[ \t]*+(?:data|datatype|type|sort)[ \t]++(?P<sort>{_NAME})[ \t]*+:?=[ \t]*+\|?[ \t]*+(?P<values>{_NAME}(?:[ \t]*+\|[ \t]*+{_NAME})++)[ \t]*+[;.]?[ \t]*+$"
    ),
    re.compile(
        rf"(?m)^[ \t]*+(?P<sort>{_NAME})[ \t]*+(?:::?=|:)[ \t]*+\|?[ \t]*+(?P<values>{_NAME}(?:[ \t]*+\|[ \t]*+{_NAME})++)[ \t]*+[;.]?[ \t]*+$"
    ),
    re.compile(
        rf"(?m)^[ \t]*+(?:enum|type|sort|datatype)(?:[ \t]++(?:class|struct))?[ \t]++(?P<sort>{_NAME})[ \t]*+[:=]*+[ \t]*+[{{(\[][ \t]*+(?P<values>{_VALUE}(?:[ \t]*+[,;|][ \t]*+{_VALUE})++)[ \t]*+[,;]?[ \t]*+[}})\]][ \t]*+[;.]?[ \t]*+$"
    ),
    re.compile(
        rf"(?m)^[ \t]*+(?P<sort>{_NAME})(?:[ \t]*+,[^=\n]*+)?[ \t]*+=[ \t]*+(?:Enum|EnumSort|enum)\([ \t]*+['\"](?P=sort)['\"][ \t]*+,[ \t]*+[\[({{]?[ \t]*+(?P<values>{_VALUE}(?:[ \t]*+,[ \t]*+{_VALUE})++)[ \t]*+,?[ \t]*+[\])}}]?[ \t]*+\)[ \t]*+;?[ \t]*+$"
    ),
)


@edit_kind(
    "enumeration_line",
    order=109,
    examples=(
        RepairExample(
            "enum Color { red, green }\n(declare-const c Color)\n(assert (= c red))\n(check-sat)\n",
            "(declare-datatypes ((Color 0)) (((red) (green))))\n(declare-const c Color)\n(assert (= c red))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-datatype Color (red | green))\n(define-sort Size (Enum small large))\n(declare-const c Color)\n(declare-const s Size)\n(assert (= (= c red) (= s large)))\n(check-sat)\n",
            "(declare-datatypes ((Color 0)) (((red) (green))))\n(declare-datatypes ((Size 0)) (((small) (large))))\n(declare-const c Color)\n(declare-const s Size)\n(assert (= (= c red) (= s large)))\n(check-sat)\n",
        ),
        RepairExample(
            "data Color = Red | Green\n(declare-const c Color)\n(assert (= c Red))\n(check-sat)\n",
            "(declare-datatypes ((Color 0)) (((Red) (Green))))\n(declare-const c Color)\n(assert (= c Red))\n(check-sat)\n",
        ),
        RepairExample(
            "Color = Enum('Color', ['red', 'green'])\n(declare-const c Color)\n(assert (= c red))\n(check-sat)\n",
            "(declare-datatypes ((Color 0)) (((red) (green))))\n(declare-const c Color)\n(assert (= c red))\n(check-sat)\n",
        ),
    ),
)
def enumeration_line(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Declare the sort by its values, unless it or one of them is declared."""
    if draft.script.valid:
        return
    known = (
        draft.script.scope.symbols.keys() | {sort.name for sort in draft.script.enumerations} | {*draft.script.sorts}
    )
    for form in _FORMS:
        # A bar between values is no quotation mark.
        for match in code_matches(form, draft.text, COMMENTS):
            values = re.findall(_NAME, match["values"])
            # What is read of a command of its own has declared the sort already.
            taken = set() if match[0].lstrip().startswith("(") else known & {match["sort"], *values}
            if len(set(values)) == len(values) and not taken:
                listed = " ".join(f"({value})" for value in values)
                yield RepairChange(
                    match.start(), match.end(), f"(declare-datatypes (({match['sort']} 0)) (({listed})))"
                )
