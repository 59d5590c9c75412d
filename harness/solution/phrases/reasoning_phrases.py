"""The sentences of the reasoning traces of problem variants, with slots.

Generators fill the slots; the re-check reads a trace back sentence by sentence. `{name}` is a quantity, `{told}` a step as an equation,
`{worked}` several, `{value}` and `{other}` numbers, `{claim}` and `{second}` what the problem says, `{quotes}` several quotes of it,
`{unknown}` what it does not say, `{side}` more or less, `{answer}` the answer. The first and the second case of a problem with two answers have slots of their own.
"""

from __future__ import annotations

from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)
PHRASES: dict[str, tuple[str, ...]] = {name: tuple(phrases) for name, phrases in _LISTS.mapping("phrases").items()}
OPERATOR_CLASSES: dict[str, int] = _LISTS.mapping("operator_classes")
"""The class that each variant operator of this project makes; its near-twins are solvable."""
NAME_JOINTS = _LISTS.words("name_joints")
"""The words of names of quantities besides those of variables and of the problem."""
