"""Units and currencies beside numbers, as in `5 kg`, `$5` and `USD 5`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, walk
from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)
_CODES = _LISTS.words("currencies")
_MEASURES = _LISTS.words("measures")
_PRICE = re.compile(rf"(?P<sign>[{''.join(_LISTS.ordered('signs'))}])(?P<number>\d+(?:\.\d+)?)")
_JOINED = re.compile(r"(?P<number>\d+(?:\.\d+)?)(?P<unit>[A-Za-z]+)")
_NUMBERS = frozenset({AtomKind.NUMERAL, AtomKind.DECIMAL})


@edit_kind(
    "quantity",
    order=158,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (> x $3))\n(assert (< x $9))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(assert (< x 9))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (<= 2 kg x 9 kg))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (<= 2 x 9))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (<= 2 x 9 days))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (<= 2 x 9))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (<= 2 hours x 90 minutes))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (<= 2 x 90))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (= x (* 5 apples)))\n(assert (< 3 apples x))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const apples Int)\n(assert (= x (* 5 apples)))\n(assert (< 3 apples x))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (<= x 90 percent))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const percent Int)\n(assert (<= x 90 percent))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def quantity(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the number alone; where there are several units, or some numbers have none, they may have to be converted."""
    if draft.script.valid:
        return
    changes: list[tuple[str, int, int, str]] = []
    variables: set[str] = set()
    multiplied = False
    for command in draft.script.commands:
        for group in walk(command):
            if isinstance(group, NodeGroup):
                found = list(_within(draft, group))
                taken = sum(not after for *_, after in found)
                # `(* 5 apples)` multiplies by a constant that is not declared.
                variables |= {unit for unit, *_, after in found if not after and len(group.items) - taken < 3}
                multiplied |= bool(taken) and group.head == "*"
                changes += found
    words = {unit for unit, *_, after in changes if not after}
    variables |= {word for word in words if not _stands_beside_numbers(draft.text, word)}
    changes = [change for change in changes if change[0] not in variables]
    units = {unit.lower().removesuffix("s") for unit, *_ in changes}
    note = f"there are several units: {', '.join(sorted(units))}" if len(units) > 1 else ""
    if multiplied and not note:
        note = "a number may be multiplied by what is taken for its unit"
    if not note and len(changes) < _numbers(draft):
        note = "not every number has the unit: it may have to be converted"
    for _, start, end, after in changes:
        yield RepairChange(start, end, after, not note, note)


def _numbers(draft: ProgramDraft) -> int:
    """Return how many numbers the assertions hold, with their signs of a currency or without."""
    return sum(
        isinstance(node, Atom)
        and (node.kind in _NUMBERS or any(form.fullmatch(node.text) for form in (_PRICE, _JOINED)))
        for command in draft.script.commands
        if command.head == "assert"
        for node in walk(command)
    )


def _stands_beside_numbers(text: str, word: str) -> bool:
    """Tell whether a word stands before or after a number wherever it stands."""
    places = len(re.findall(rf"(?<![\w.-]){re.escape(word)}(?![\w.-])", text))
    number = r"\d+(?:\.\d+)?"
    pattern = rf"(?<![\w.-])(?:{number}[ \t]+{re.escape(word)}|{re.escape(word)}[ \t]+{number})(?![\w.-])"
    return len(re.findall(pattern, text)) == places


def _within(draft: ProgramDraft, group: NodeGroup) -> Iterator[tuple[str, int, int, str]]:
    """Yield the unit, the place and the text that is left of each quantity among the items of a group."""
    known = draft.script.scope.symbols
    skip: Node | None = None
    for number, item in enumerate(group.items):
        following = group.items[number + 1] if number + 1 < len(group.items) else None
        if item is skip or not isinstance(item, Atom) or item.name in known:
            continue
        price, joined = _PRICE.fullmatch(item.text), _JOINED.fullmatch(item.text)
        before_number = isinstance(following, Atom) and following.kind in _NUMBERS
        unit = isinstance(following, Atom) and following.name not in known and _is_unit(following.text)
        if price is not None:
            yield price["sign"], item.at.offset, item.end, price["number"]
        elif joined is not None and joined["unit"] not in known and _is_unit(joined["unit"]):
            yield joined["unit"], item.at.offset, item.end, joined["number"]
        elif item.text in _CODES and before_number and following is not None:
            yield item.text, item.at.offset, following.at.offset, ""
        elif item.kind in _NUMBERS and unit and isinstance(following, Atom):
            yield following.text, item.end, following.end, ""
            skip = following


def _is_unit(word: str) -> bool:
    """Tell whether a word is a unit or the code of a currency, by which nothing is multiplied."""
    singular = word.lower().removesuffix("s")
    return word in _CODES or word.lower() in _MEASURES or singular in _MEASURES
