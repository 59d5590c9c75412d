"""The modules that a program may import, their functions that are evaluated, and the names that need no import."""

import fractions
import math
import typing
from collections.abc import Mapping

_MATH = ("ceil", "fabs", "floor", "sqrt", "trunc")
_SYMPY = ("Eq", "Symbol", "solve", "symbols")
LIBRARY: Mapping[str, frozenset[str]] = {
    "math": frozenset(_MATH),
    "fractions": frozenset({"Fraction"}),
    "sympy": frozenset(_SYMPY),
    "numpy": frozenset(),
    "typing": frozenset(),
    "__future__": frozenset(),
}
"""The modules that a program may import, with the functions that are evaluated."""
CONTENTS: Mapping[str, frozenset[str]] = {
    **{module.__name__: frozenset(dir(module)) for module in (math, fractions, typing)},
    "sympy": LIBRARY["sympy"],
    "numpy": frozenset(),
    "__future__": frozenset({"annotations"}),
}
"""All names of each of these modules that a program may import."""
Place = tuple[str, str | None]
"""A module, or a name of one."""
PRELUDE: Mapping[str, Place] = {
    "math": ("math", None),
    "Fraction": ("fractions", "Fraction"),
    **{name: ("sympy", name) for name in _SYMPY},
    "solve_it": ("prelude", "solve_it"),
}
"""The names that a program may use without an import, as the prompts of the dialects promise."""
BARE = frozenset((*_MATH, *PRELUDE)) - {"math"}
"""The functions of modules that the program language calls by their bare names."""
QUALIFIED: Mapping[str, str] = {
    f"{module}.{name}": name
    for module, names in {**LIBRARY, "prelude": {"solve_it"}}.items()
    for name in names
    if name in BARE
}
"""The bare name of each such function by its name with the module, which it has where the program hides the bare name."""
