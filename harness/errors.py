"""The error that reports a user's mistake with the wrong value, the expectation and the next step."""


class HarnessError(Exception):
    """A mistake in what the user gave: shown as one message, never as a traceback.

    The message names the value, what was expected, and what to do next.
    """
