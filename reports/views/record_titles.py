"""The claims, statuses, roles and classes of records in the order in which reports show them, and their titles."""

from harness.constraint_system import ProblemClass
from harness.domain import Status
from harness.solution.trace import VariableRole
from reports.views.tables import Tone

STATUSES = tuple(Status.__members__)
STATUS_TONES = {Status.CONFIRMED: Tone.GOOD, Status.UNKNOWN: Tone.FAIR, Status.REFUTED: Tone.BAD}
CLAIM_TITLES = {"ut1": "UT-1", "ut2": "UT-2", "ut3": "UT-3", "classes": "Classes"}
CLAIMS = tuple(CLAIM_TITLES)
TRACE_CLAIMS = ("answer", "structure", "provenance", "graph", "lines")
ROLE_TITLES = {
    VariableRole.QUESTION_INPUT: "question input",
    VariableRole.WORLD_KNOWLEDGE_INPUT: "world knowledge",
    VariableRole.INPUT: "input of unknown origin",
    VariableRole.OUTPUT: "output",
    VariableRole.ANSWER: "answer",
}
ROLES = tuple(ROLE_TITLES)
POSITIONS = ("early", "middle", "late")
VARIANT_CLASSES = tuple(problem_class.name.lower() for problem_class in ProblemClass)
"""The classes of problems, by their labels 0, 1 and 2."""
