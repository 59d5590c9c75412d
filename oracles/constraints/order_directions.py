"""The direction in which a program numbers an order, and the assertions that number it the other way than the rest.

`Eve finished above Rob` as `(> eve rob)` and `Eve finished first` as `(= eve 1)` cannot both be meant: a program that counts from
the front has smaller numbers there. Which end has the number one is for the program to choose, so that only what disagrees within
it is found. Only clauses of a few shapes are read, and what is found may still be right: it is a finding, no proof.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.smtlib.grammar import ANSWER
from harness.smtlib.s_expressions import Atom, AtomKind, NodeGroup, walk
from harness.smtlib.script import read_script
from harness.text.lexicon import english
from oracles.constraints.clause_alignment import align_clauses, name_words, text_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from harness.smtlib.s_expressions import Node

_LISTS = english("order_directions")
_FRONT: dict[str, str] = {word: axis for axis, words in _LISTS.mapping("front").items() for word in words.split()}
_BACK: dict[str, str] = {word: axis for axis, words in _LISTS.mapping("back").items() for word in words.split()}
_ORDINALS = {
    word: rank
    for rank, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"), 1
    )
}
_WORD = re.compile(r"[A-Za-z]+")
_UNSURE = re.compile(rf"\b(?:{_LISTS.either('unsure')})\b|n't\b", re.IGNORECASE)
_FLIPPED = {"<": ">", ">": "<"}
_RANKED = re.compile(r"most$|est$")


@dataclass(frozen=True, slots=True)
class OrderClaim:
    """What an assertion and its clause say of an order: the numbers grow from front to back (1), from back to front (-1), or this is open (0)."""

    assertion: int
    clause: int
    axis: str
    direction: int


def opposed_assertions(problem: str, program: str) -> tuple[OrderClaim, ...]:
    """Return the claims of a program that number an order the other way than most of its claims, in order; of two equal parts the later one."""
    claims = list(_claims(problem, program))
    opposed: list[OrderClaim] = []
    for axis in dict.fromkeys(claim.axis for claim in claims):
        own = [claim for claim in claims if claim.axis == axis and claim.direction]
        total = sum(claim.direction for claim in own)
        meant = (total > 0) - (total < 0) or (own[0].direction if own else 0)
        opposed += [claim for claim in own if claim.direction == -meant]
    return tuple(sorted(opposed, key=lambda claim: claim.assertion))


def _claims(problem: str, program: str) -> Iterator[OrderClaim]:
    script = read_script(program)
    alignment = align_clauses(problem, program)
    constants = {
        declaration.name: name_words(declaration.name)
        for declaration in script.declarations
        if declaration.name != ANSWER
    }
    ordered = max((_ordered(node, constants) for node in script.assertions), default=0)
    for number, (node, place) in enumerate(zip(script.assertions, alignment.clause_of, strict=True)):
        if place is None or alignment.clauses[place].asks or not isinstance(node, NodeGroup):
            continue
        text = alignment.clauses[place].text
        words = [word.lower() for word in _WORD.findall(text)]
        names = _names_in_order(text, constants)
        said = {word for word in words if word in _FRONT or word in _BACK} - {
            word for name in names for word in constants[name]
        }
        if _UNSURE.search(text) or len(names) not in {1, 2}:
            continue
        claim = (
            _compared(node, names, words, said) if len(names) == 2 else _ranked(node, names[0], words, said, ordered)
        )
        if claim is not None:
            yield OrderClaim(number, place, *claim)


def _compared(node: NodeGroup, names: list[str], words: list[str], said: set[str]) -> tuple[str, int] | None:
    """Return the order and the direction of `A is older than B`, asserted as `(< a b)`; `None` where these have another form."""
    sign, arguments = node.head, [item.name for item in node.arguments if isinstance(item, Atom)]
    if sign not in _FLIPPED or len(arguments) != 2 or set(arguments) != set(names) or len(said) != 1:
        return None
    word = next(iter(said))
    front = (word in _FRONT) != ("less" in words)
    if arguments[0] != names[0]:
        sign = _FLIPPED[sign]
    return _FRONT.get(word) or _BACK[word], 1 if front == (sign == "<") else -1


def _ranked(node: NodeGroup, name: str, words: list[str], said: set[str], count: int) -> tuple[str, int] | None:
    """Return the order and the direction of `A is the second-newest`, asserted as `(= a 4)`; 0 where the place is the middle, or where it fits neither."""
    values = [item.text for item in node.arguments if isinstance(item, Atom) and item.kind is AtomKind.NUMERAL]
    named = [item.name for item in node.arguments if isinstance(item, Atom) and item.kind is not AtomKind.NUMERAL]
    ranks = [_ORDINALS[word] for word in words if word in _ORDINALS]
    ends = said - _ORDINALS.keys()
    if node.head != "=" or named != [name] or len(values) != 1 or len(ranks) > 1 or len(ends) > 1 or count < 2:
        return None
    if not ends and not ranks:
        return None
    end = next(iter(ends), "first")
    if ranks == [] and not (_RANKED.search(end) or end in {"last", "expensive"}):
        return None
    if end == "expensive" and "most" not in words:
        return None
    front = (end in _FRONT) != ("least" in words)
    rank = ranks[0] if ranks else 1
    if rank > count:
        return None
    value = int(values[0])
    near, far = value == rank, value == count + 1 - rank
    if near == far:
        return _FRONT.get(end) or _BACK[end], 0
    return _FRONT.get(end) or _BACK[end], 1 if near == front else -1


def _names_in_order(text: str, constants: Mapping[str, frozenset[str]]) -> list[str]:
    """Return the constants that a text names, in the order of their first words."""
    words = text_words(text)
    spoken = [name for name, own in constants.items() if own and own <= words]
    plain = [next(iter(text_words(word)), "") for word in _WORD.findall(text)]
    return sorted(spoken, key=lambda name: min(plain.index(word) for word in constants[name] if word in plain))


def _ordered(node: Node, constants: Mapping[str, frozenset[str]]) -> int:
    """Return how many constants an assertion says are all different."""
    if not isinstance(node, NodeGroup) or node.head != "distinct":
        return 0
    names = {part.name for part in walk(node) if isinstance(part, Atom)}
    return len(names & constants.keys())
