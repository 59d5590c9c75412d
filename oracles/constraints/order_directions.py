"""The direction in which a program numbers an order, and the assertions that number it the other way than the rest.

`Eve finished above Rob` as `(> eve rob)` and `Eve finished first` as `(= eve 1)` cannot both be meant: a program that counts from
the front has smaller numbers there. Which end has the number one is for the program to choose, so that only what disagrees within
it is found. Only clauses of a few shapes are read, and what is found may still be right: it is a finding, not a proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.smtlib.grammar import ANSWER
from harness.smtlib.s_expressions import Atom, AtomKind, NodeGroup, walk
from harness.smtlib.script import read_script
from harness.text.lexicon import english
from harness.text.numbers import ORDINALS
from oracles.constraints.clause_alignment import align_clauses, name_words, stem, words_in

if TYPE_CHECKING:
    from collections.abc import Iterator

_LISTS = english("order_directions")
_FRONT, _BACK = _LISTS.by_word("front"), _LISTS.by_word("back")
_UNSURE, _BARE, _ENDS = _LISTS.words("unsure"), _LISTS.words("bare"), _LISTS.pattern("ends")
_LESS, _LEAST, _MOST = (_LISTS.words(name) for name in ("less", "least", "most"))
_RANKS = {word: rank for rank, word in enumerate(ORDINALS, 1)}


@dataclass(frozen=True, slots=True)
class OrderClaim:
    """What an assertion and its clause say of an order: the numbers grow from front to back (1), from back to front (-1), or this is open (0)."""

    assertion: int
    clause: int
    axis: str
    direction: int


def opposed_assertions(problem: str, program: str) -> tuple[OrderClaim, ...]:
    """Return the claims of a program that number an order the other way than most of its claims, in order; of two equal parts the later one."""
    claims = [claim for claim in _claims(problem, program) if claim.direction]
    opposed: list[OrderClaim] = []
    for axis in dict.fromkeys(claim.axis for claim in claims):
        own = [claim for claim in claims if claim.axis == axis]
        total = sum(claim.direction for claim in own)
        meant = (total > 0) - (total < 0) or own[0].direction
        opposed += [claim for claim in own if claim.direction == -meant]
    return tuple(sorted(opposed, key=lambda claim: claim.assertion))


def _claims(problem: str, program: str) -> Iterator[OrderClaim]:
    script, alignment = read_script(program), align_clauses(problem, program)
    constants = {item.name: name_words(item.name) for item in script.declarations if item.name != ANSWER}
    ordered = 0
    for node in script.assertions:
        if isinstance(node, NodeGroup) and node.head == "distinct":
            names = {part.name for part in walk(node) if isinstance(part, Atom)}
            ordered = max(ordered, len(names & constants.keys()))
    for number, (node, place) in enumerate(zip(script.assertions, alignment.clause_of, strict=True)):
        if place is None or alignment.clauses[place].asks or not isinstance(node, NodeGroup):
            continue
        text = alignment.clauses[place].text
        words = [word.casefold() for word in words_in(text)]
        stems = [stem(word) for word in words]
        spoken = {name: min(map(stems.index, own)) for name, own in constants.items() if own and own <= {*stems}}
        named = sorted(spoken, key=spoken.__getitem__)
        known = (_FRONT.keys() | _BACK.keys()) & {*words} - {word for name in named for word in constants[name]}
        if _UNSURE & {*words} or "n't" in text or len(named) not in {1, 2}:
            continue
        pair = len(named) == 2
        claim = _compared(node, named, words, known) if pair else _ranked(node, named[0], words, known, ordered)
        if claim is not None:
            yield OrderClaim(number, place, *claim)


def _compared(node: NodeGroup, names: list[str], words: list[str], known: set[str]) -> tuple[str, int] | None:
    """Return the order and the direction of `A is older than B`, asserted as `(< a b)`; `None` where these have another form."""
    arguments = [item.name for item in node.arguments if isinstance(item, Atom)]
    if node.head not in {"<", ">"} or len(arguments) != 2 or {*arguments} != {*names} or len(known) != 1:
        return None
    (word,) = known
    front = (word in _FRONT) != bool(_LESS & {*words})
    smaller = (node.head == "<") == (arguments[0] == names[0])
    return _FRONT.get(word) or _BACK[word], 1 if front == smaller else -1


def _ranked(node: NodeGroup, name: str, words: list[str], known: set[str], count: int) -> tuple[str, int] | None:
    """Return the order and the direction of `A is the second-newest`, asserted as `(= a 4)`; 0 where the place is the middle, or where it fits neither."""
    values = [int(item.text) for item in node.arguments if isinstance(item, Atom) and item.kind is AtomKind.NUMERAL]
    named = [item.name for item in node.arguments if isinstance(item, Atom) and item.kind is not AtomKind.NUMERAL]
    ranks, ends = [_RANKS[word] for word in words if word in _RANKS], known - _RANKS.keys()
    if node.head != "=" or named != [name] or len(values) != 1 or len(ranks) > 1 or len(ends) > 1 or count < 2:
        return None
    end = next(iter(ends), ORDINALS[0])
    if (end in _BARE and not _MOST & {*words}) or max(ranks, default=1) > count:
        return None
    if not ranks and not (ends and _ENDS.fullmatch(end)):
        return None
    rank = ranks[0] if ranks else 1
    front = (end in _FRONT) != bool(_LEAST & {*words})
    near, far = values[0] == rank, values[0] == count + 1 - rank
    return _FRONT.get(end) or _BACK[end], 0 if near == far else 1 if near == front else -1
