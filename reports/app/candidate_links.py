"""Which candidates does a problem have, and where are they reviewed?"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reports.app.session import Context


def show_candidates(problem_id: str, context: Context) -> None:
    """Show a problem's candidates with the way to the page that reviews them."""
