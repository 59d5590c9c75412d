"""An observer of a stage that is judged in a test."""


class Unwatched:
    """An observer that shows nothing."""

    def began(self, total: int) -> None:
        """Hear it."""

    def advanced(self, count: int, *, findings: int) -> None:
        """Hear it."""
