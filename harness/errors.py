"""Which mistakes are the user's, and what each one says."""


class HarnessError(Exception):
    """A mistake in what the user gave: shown as one message, never as a traceback.

    The message names the value, what was expected, and what to do next.
    """
