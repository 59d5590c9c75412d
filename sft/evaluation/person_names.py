"""The names of people in a text, and their replacement by other first names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

# Names that are words too, or a month, a flower, a place (April, Grace, Rose, Will, Mark, Jordan), are left out: they may not be one.
_WOMEN = """Abigail Alexandra Alice Alicia Amanda Amelia Amy Andrea Angela Anna Anne Annie Ashley Barbara Betty Brenda Carla
Carmen Carol Caroline Catherine Cheryl Chloe Christina Cindy Clara Claire Cynthia Daisy Danielle Deborah Debra Denise Diana
Donna Dorothy Elena Elizabeth Ella Ellen Emily Emma Erica Erin Evelyn Fiona Gina Gloria Hannah Heather Helen Isabella Jane
Janet Janice Jasmine Jean Jenna Jennifer Jenny Jessica Jill Joan Joanna Judy Julia Julie Karen Kate Katherine Kathy Katie
Kelly Kim Kimberly Kristen Laura Lauren Leah Linda Lisa Lori Lucy Lydia Maggie Margaret Maria Marie Martha Mary Megan Melanie
Melissa Michelle Mia Miranda Molly Monica Nancy Naomi Natalie Nicole Nina Nora Olivia Pamela Patricia Paula Rachel Rebecca
Sabrina Samantha Sandra Sandy Sara Sarah Sharon Shelly Sheila Sophia Sophie Stephanie Susan Suzy Tamara Tanya Teresa Tina
Valerie Vanessa Veronica Victoria Wendy Yolanda Zoe"""
_MEN = """Aaron Adam Adrian Alan Albert Alex Alexander Alfred Andrew Andy Anthony Arnold Arthur Ben Benjamin Bernard Bob Bobby
Brad Brandon Brian Bruce Bryan Calvin Carl Carlos Charles Charlie Chris Christopher Craig Daniel Danny Darren Dave David Dennis
Derek Donald Doug Douglas Dylan Eddie Edward Edwin Eli Elijah Eric Ethan Eugene Felix Francis Fred Gabriel Gary George Gerald
Gordon Greg Gregory Harold Harry Henry Howard Hugo Ian Isaac Ivan Jacob Jake James Jason Jeff Jeffrey Jeremy Jerry Jesse Jim
Jimmy Joe Joel John Johnny Jonathan Joseph Josh Joshua Juan Julian Justin Keith Ken Kenneth Kevin Kyle Larry Lawrence Leo
Leonard Liam Louis Lucas Luis Luke Malcolm Manuel Marcus Mario Martin Matt Matthew Max Michael Miguel Mike Nathan Neil
Nicholas Nick Noah Oliver Oscar Patrick Paul Pedro Peter Philip Phillip Ralph Raymond Richard Rick Robert Roger Ron Ronald Roy
Russell Ryan Sam Samuel Scott Sean Simon Stan Stephen Steve Steven Ted Terry Theodore Thomas Tim Timothy Todd Tom Tommy Tony
Travis Tyler Victor Vincent Walter Warren Wayne William Zach Zachary"""
WOMEN, MEN = frozenset(_WOMEN.split()), frozenset(_MEN.split())
_WORD = re.compile(r"(?<![\w'’-])[A-Z][a-z]+(?![\w-])")


def people(text: str) -> list[str]:
    """Return the names of people in a text in the order they come, each once."""
    return list({word: None for word in _WORD.findall(text) if word in WOMEN or word in MEN})


def renaming(text: str, draw: Random) -> dict[str, str]:
    """Return for each name another of the same sex that the text does not hold, no two the same."""
    said = {word.lower() for word in re.findall(r"\w+", text)}
    taken: set[str] = set()
    chosen = {}
    for name in people(text):
        pool = sorted((WOMEN if name in WOMEN else MEN) - taken)
        free = [other for other in pool if other.lower() not in said]
        chosen[name] = draw.choice(free)
        taken.add(chosen[name])
    return chosen


def renamed(text: str, names: dict[str, str]) -> str:
    """Return a text with the names exchanged wherever they stand as words, all at once."""
    return _WORD.sub(lambda word: names.get(word[0], word[0]), text)
