"""The command `oracle-factory formalize`."""

from generators.formalizations.llm_formalizers.formalize_options import FormalizeOptions
from harness.command_line.option_types import from_fields


@from_fields
def formalize(options: FormalizeOptions) -> int:
    """Ask models for formalizations of problems.

    Every answer is kept; nothing is asked twice.

    Example: oracle-factory formalize --models local,annotation --problems 0:10 -o responses.jsonl

    Returns:
        0; 1 if answers are missing; 2 if an option cannot be used; 3 if the budget is reached; 130 if it was
        interrupted. In all cases but 2 the available formalizations are written.
    """
    from generators.formalizations.llm_formalizers.formalization_job import run_job

    return run_job(options)
