"""The equation dialect: the lone arithmetic expression with which corpora such as SVAMP and MAWPS annotate their problems."""

from harness.program.dialect import AnswerPlace, ModuleShape, dialect
from harness.program.syntax.code_extraction import ProgramSource

EXAMPLE = "( 6.0 * 12.0 )"


@dialect("equation", examples=(EXAMPLE,))
def equation(source: ProgramSource, _: ModuleShape) -> AnswerPlace | None:
    """Recognise an expression over numbers, which is read as one step for each operation."""
    return AnswerPlace(variable="answer", precedence=0) if source.equation else None
