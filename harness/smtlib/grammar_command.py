"""The command `oracle-factory smt grammar`."""

import sys
from typing import Annotated

import typer

from harness.smtlib.grammar_notation import GrammarNotation


def grammar(
    *,
    notation: Annotated[
        GrammarNotation, typer.Option(help="lark for llguidance, gbnf for llama.cpp.")
    ] = GrammarNotation.LARK,
) -> int:
    """Print the grammar of SMT-LIB 2 for constrained decoding.

    Example: oracle-factory smt grammar --notation gbnf
    """
    from harness.smtlib.grammar import open_grammar

    sys.stdout.write(open_grammar(notation))
    return 0
