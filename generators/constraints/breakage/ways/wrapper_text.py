"""A program between code fences, explanatory sentences, or both."""

from __future__ import annotations

from random import Random

from generators.constraints.breakage.breakage import EXAMPLE, way
from generators.constraints.repair.program_draft import ProgramDraft

LEADS = (
    "Here is the SMT-LIB program for the problem:",
    "Sure! We (1) declare the constants and (2) assert what the text says.",
    "Program:",
)
TAILS = (
    "This program declares all variables and checks whether the constraints can hold.",
    "The solver answers sat (see the model).",
    "Let me know if you need anything else!",
)


@way("wrapped", example=f"```\n{EXAMPLE}```\n")
def wrapped(draft: ProgramDraft, random: Random) -> str | None:
    """Put the program between fences and sentences, or only the one or the other."""
    if "```" in draft.text or not draft.script.commands:
        return None
    lead, tail = random.choice(LEADS), random.choice(TAILS)
    forms = (f"{lead}\n\n```smt2\n{{}}```\n\n{tail}\n", "```\n{}```\n", f"{lead}\n{{}}{tail}\n")
    return forms[random.randrange(3)].format(draft.text)
