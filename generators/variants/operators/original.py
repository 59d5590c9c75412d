"""The solvable variant that is the original problem without an edit, with its solution and answer."""

from collections.abc import Iterator
from random import Random

from generators.variants.question.question_edit import QuestionChange
from generators.variants.variant_operator import VariantExample, VariantProposal, variant_operator
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass

NAME = "original"
_QUESTION = "A stall has 4 crates of 6 melons each. By noon 9 melons are sold. How many melons are left?"
EXAMPLES = (
    VariantExample(
        "\n# L1\ncrates = 4 # 4 crates\nmelons = 6 # 6 melons\nstocked = crates * melons\n"
        "# L2\nsold = 9 # 9 are sold\nleft = stocked - sold\n",
        _QUESTION,
        (_QUESTION,),
    ),
)


@variant_operator(NAME, problem_class=ProblemClass.SOLVABLE, examples=EXAMPLES)
def original(subject: VariantSubject, random: Random) -> Iterator[VariantProposal]:  # noqa: ARG001  # every operator takes both
    """Yield the problem without an edit, with its solution and answer."""
    problem = subject.source.problem
    answer = (problem.gold or "").strip()
    yield VariantProposal(
        subject,
        NAME,
        ProblemClass.SOLVABLE,
        QuestionChange(()),
        subject.system,
        solution=problem.solution,
        answer=answer,
    )
