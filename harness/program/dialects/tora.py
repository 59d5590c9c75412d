"""The ToRA dialect: a program whose last `print` statement shows the answer."""

from harness.program.dialect import AnswerPlace, ModuleShape, dialect
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
def tora(_: ProgramSource, shape: ModuleShape) -> AnswerPlace | None:
    """Recognise a printed answer."""
    return AnswerPlace(precedence=40) if shape.prints else None
