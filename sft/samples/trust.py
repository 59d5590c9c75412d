"""The kinds of trust in a sample: who or what says that its label is right and that a person could have written it."""

import enum


class Trust(enum.StrEnum):
    """Why a sample may train, the strongest reason first."""

    GIVEN = "given"
    REVIEWED = "reviewed"
    LABELLED = "labelled by a reviewer"
    CLEAN = "unreviewed, clean"
    WIDENED = "unreviewed, widened"

    @property
    def words(self) -> str:
        """Return the statement that a dataset's card makes."""
        return _WORDS[self]


_WORDS = {
    Trust.GIVEN: "a correct solution of the corpus, or a record of a labelled file, as its source gives it",
    Trust.REVIEWED: "a flawed solution that a reviewer accepted",
    Trust.LABELLED: "a solution that a reviewer pasted and labelled: nothing proves the label, and the audit does not refute it",
    Trust.CLEAN: "nobody reviewed it; it is proved, needs no edit, is plausible, is explained in the words of the problem, and its audit is clean",
    Trust.WIDENED: "nobody reviewed it, and something speaks against it; taken by --include-unreviewed",
}
