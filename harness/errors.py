"""The errors that report a user's mistake, or a disk that takes no file, each with the next step."""

import errno
import re
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
            f"{path}: cannot be written ({reason}); records written before are kept: correct this, and run the same command again"
        )


def told_of_file(error: OSError) -> str:
    """Return an error of the file system in words: the file that the user named, and the reason."""
    reason = error.strerror or type(error).__name__
    if error.errno in {errno.EEXIST, errno.ENOTDIR}:
        reason = "a file is where a folder is expected"
    if error.filename is None:
        return reason
    # Files are written under another name first: `.answers.jsonl.1234.partial`.
    name = re.sub(r"(^|/)\.([^/]+)\.\d{1,20}\.partial$", r"\1\2", str(error.filename))
    return f"{name}: cannot be read or written ({reason})"
