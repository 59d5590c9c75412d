"""Programs that the tests of the reports compare."""

from harness.records.formalization import ProgramRecord


def program(code: str) -> ProgramRecord:
    """Return a program of which nothing but its code is known."""
    return ProgramRecord(
        problem_id="p", model="ada", dialect=None, code=code, parameters=(), value=None, reason=None, repairs=()
    )
