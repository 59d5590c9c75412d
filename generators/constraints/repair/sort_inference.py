"""Inference of the sorts of undeclared constants: the sort checker tries each sort that a name may have at all its uses."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from generators.constraints.repair.program_draft import command_faults
from harness.smtlib.s_expressions import Atom, NodeGroup, walk
from harness.smtlib.script import Script
from harness.smtlib.sort_checker import Signature, SymbolScope
from harness.smtlib.vocabulary import INT, NUMBERS, REAL

MOST_WORK = 60_000
"""Nodes that are checked for all names; the names that are left then have no signature."""
_UNKNOWN = ""


@dataclass(frozen=True, slots=True)
class InferredSort:
    """The inferred sort of a name. `assumed`: its uses do not determine it; `counted`: they allow whole and real numbers."""

    sort: str
    assumed: bool = False
    counted: bool = False


@dataclass(slots=True)
class SortInference:
    """What is known of some names of a script, by the commands that use them; a sort that is not known fits everywhere."""

    script: Script
    names: Collection[str]
    conflicts: set[str] = field(default_factory=set)
    _scope: SymbolScope = field(init=False)
    _commands: list[tuple[NodeGroup, int]] = field(default_factory=list)
    _uses: dict[str, set[int]] = field(default_factory=dict)
    _left: int = MOST_WORK

    def __post_init__(self) -> None:
        for command in dict.fromkeys(self.script.commands):
            if not command.head.startswith(("declare-", "set-")):
                nodes = list(walk(command))
                self._commands.append((command, len(nodes)))
                for name in {node.name for node in nodes if isinstance(node, Atom)} & set(self.names):
                    self._uses.setdefault(name, set()).add(len(self._commands) - 1)
        unknown = dict.fromkeys(self._uses, Signature((), _UNKNOWN))
        self._scope = replace(self.script.scope, symbols={**self.script.scope.symbols, **unknown}, bound={})

    def fits(self, name: str, signature: Signature) -> bool:
        """Tell whether a name may have a signature: with it no use has a fault that it lacks with an unknown one; false once `MOST_WORK` is spent."""
        fits = name in self._uses and self._faults(name, signature) <= self._faults(name, self._scope.symbols[name])
        return fits and self._left >= 0

    def result(self) -> dict[str, InferredSort]:
        """Return a sort for each name that is used: what is certain first, then Int, where whole numbers fit or nothing is known."""
        found: dict[str, InferredSort] = {}
        best: dict[str, list[str]] = {}
        while waiting := [name for name in self._uses if name not in found and name not in self.conflicts]:
            best |= {name: self._best_sorts(name) for name in waiting if name not in best}
            settled = [name for name in waiting if len(best[name]) == 1]
            counted = [name for name in waiting if set(best[name]) == NUMBERS]
            for name in settled or counted or waiting[:1]:
                if name in best:
                    sort = best[name][0] if settled else REAL if self._scope.reals else INT
                    fits = self.fits(name, Signature((), sort))
                    if self._left < 0:
                        return found
                    if not fits and not settled:
                        self.conflicts.add(name)
                    self._scope.symbols[name] = Signature((), sort)
                    found[name] = InferredSort(sort, not fits or not (settled or counted), not settled)
                    best = {other: sorts for other, sorts in best.items() if not self._uses[other] & self._uses[name]}
        return found

    def _best_sorts(self, name: str) -> list[str]:
        """Return the sorts with which the uses of a name have the fewest faults."""
        sorts = sorted(self._scope.sorts) if self._left >= 0 else []
        counts = {sort: self._faults(name, Signature((), sort)) for sort in sorts}
        return [sort for sort, count in counts.items() if count == min(counts.values())]

    def _faults(self, name: str, signature: Signature) -> int:
        """Return how many faults the uses of a name have if it has this signature."""
        known, self._scope.symbols[name] = self._scope.symbols[name], signature
        count = 0
        for command, size in (self._commands[place] for place in self._uses[name]):
            self._left -= size
            count += len(command_faults(command, self._scope)) if self._left >= 0 else 0
        self._scope.symbols[name] = known
        return count
