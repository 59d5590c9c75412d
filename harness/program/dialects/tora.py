"""The ToRA dialect: a program whose last `print` statement shows the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.program.dialect import AnswerPlace, ModuleShape, dialect

if TYPE_CHECKING:
    from harness.program.syntax.code_extraction import ProgramSource

EXAMPLE = """We multiply the boxes by the pens in each.
```python
def pens():
    boxes = 6
    pens_per_box = 12
    return boxes * pens_per_box

print(pens())
```
```output
72
```
"""


@dialect("tora", examples=(EXAMPLE,))
def tora(source: ProgramSource, shape: ModuleShape) -> AnswerPlace | None:
    """Recognise a printed answer where no other convention names it."""
    if source.template or not shape.prints or shape.functions.keys() & {"solve", "solution"}:
        return None
    return None if shape.variables & {"ans", "answer"} else AnswerPlace()
