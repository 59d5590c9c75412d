"""The command `oracle-factory next`."""

from harness.command_line.option_types import from_fields
from properties.next_questions.options import NextOptions


@from_fields
def next_questions(options: NextOptions) -> int:
    """Choose which models to ask next about which problems of a run.

    Questions are ranked by their expected gain per dollar. The gain is the number of further problems that are kept,
    because their oracle is right with at least the probability `--at`, and right. The questions that fit into the
    budget are written to a file that `oracle-factory formalize --questions FILE` takes. Below them are the problems
    that a person should look at.

    Example: oracle-factory next runs/latest --budget 5.00

    Returns:
        0; 2 if an option cannot be used, or the run is not sealed.
    """
    from properties.next_questions.question_list import print_next_questions

    return print_next_questions(options)
