"""Enumerations that are declared on a line of another language, as in `enum Color { red, green }`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.code_matches import code_matches

_NAME = r"[A-Za-z]\w*"
_VALUE = rf"['\"]?{_NAME}['\"]?"
_FORMS = (
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
        for match in code_matches(form, draft.text):
            values = re.findall(_NAME, match["values"])
            if len(set(values)) == len(values) and not known & {match["sort"], *values}:
                listed = " ".join(f"({value})" for value in values)
                yield RepairChange(
                    match.start(), match.end(), f"(declare-datatypes (({match['sort']} 0)) (({listed})))"
                )
