"""What the terminal reports print."""

import io
from collections.abc import Callable

from rich.console import Console


def printed(write: Callable[[Console], object], *, width: int = 120, color: bool = False) -> str:
    """Return what is printed on a console of a width, in colour if `color`."""
    stream = io.StringIO()
    write(Console(file=stream, width=width, force_terminal=color, highlight=False))
    return stream.getvalue()


def words(text: str) -> list[str]:
    """Return the lines of a printout with their spaces collapsed."""
    return [" ".join(line.split()) for line in text.splitlines()]
