"""The errors that report a user's mistake, or a disk that takes no file, each with the next step."""

from typing import Self


class HarnessError(Exception):
    """A mistake in what the user gave: shown as one message, never as a traceback.

    The message names the value, what was expected, and what to do next.
    """


class StorageError(HarnessError):
    """A file cannot be written: the disk is full or read-only, or access is denied."""

    @classmethod
    def of(cls, path: object, error: OSError) -> Self:
        """Return the error of a path."""
        reason = error.strerror or type(error).__name__
        return cls(
            f"{path}: cannot be written ({reason}); nothing that was written before is lost: mend it, and give the same command again"
        )
