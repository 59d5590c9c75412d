"""SQL schema of the review state: tables, views, triggers, and the format version of the file."""

VERSION = 2
"""Version 1 had no examples."""
APPLICATION = 0x4F46_5256
"""The application id in the header of the SQLite file, `OFRV`: it marks the file as a review."""

EXAMPLES = """
-- Solutions that people labelled, in order, each as its JSON form. A withdrawal is a row that names the row it withdraws.
CREATE TABLE examples (
    number INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    undoes TEXT UNIQUE REFERENCES examples (uid),
    reviewer TEXT NOT NULL,
    at TEXT NOT NULL,
    record TEXT NOT NULL
) STRICT;
CREATE TRIGGER examples_keep BEFORE UPDATE ON examples BEGIN SELECT raise(ABORT, 'examples are append-only'); END;
CREATE TRIGGER examples_stay BEFORE DELETE ON examples BEGIN SELECT raise(ABORT, 'examples are append-only'); END;
"""
"""The additions of version 2 to version 1."""

DECISIONS = """
-- The decisions, in order. An undo is a row that names the row it undoes.
CREATE TABLE log (
    number INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    candidate_id TEXT NOT NULL,
    version TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    session TEXT NOT NULL,
    decision TEXT NOT NULL CHECK (decision IN ('accept', 'reject', 'skip')),
    undoes TEXT UNIQUE REFERENCES log (uid),
    texts TEXT NOT NULL,
    original TEXT NOT NULL,
    findings TEXT NOT NULL,
    override TEXT NOT NULL,
    reason TEXT,
    note TEXT NOT NULL,
    seconds REAL NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX log_of_reviewer ON log (reviewer, at);
CREATE INDEX log_of_candidate ON log (candidate_id, version, reviewer);
CREATE TRIGGER log_keeps BEFORE UPDATE ON log BEGIN SELECT raise(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_stays BEFORE DELETE ON log BEGIN SELECT raise(ABORT, 'the log is append-only'); END;
-- The decisions in force: rows that are not undone and are no undo.
CREATE VIEW in_force AS SELECT * FROM log
    WHERE undoes IS NULL AND NOT EXISTS (SELECT 1 FROM log AS later WHERE later.undoes = log.uid);
-- The decision in force of each reviewer, from the log.
CREATE TABLE standing (
    candidate_id TEXT NOT NULL,
    version TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    decision TEXT NOT NULL,
    number INTEGER NOT NULL REFERENCES log (number),
    PRIMARY KEY (candidate_id, version, reviewer)
) STRICT, WITHOUT ROWID;
CREATE INDEX standing_of_reviewer ON standing (reviewer, decision, number);
-- The drafts, and the seconds spent so far; texts are null until the reviewer types something.
CREATE TABLE drafts (
    candidate_id TEXT NOT NULL,
    version TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    texts TEXT,
    seconds REAL NOT NULL DEFAULT 0,
    at TEXT NOT NULL,
    PRIMARY KEY (candidate_id, version, reviewer)
) STRICT, WITHOUT ROWID;
-- The leases: one for each candidate, and one for each session.
CREATE TABLE leases (
    candidate_id TEXT PRIMARY KEY,
    version TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    session TEXT NOT NULL,
    until REAL NOT NULL,
    seen REAL NOT NULL,
    UNIQUE (reviewer, session)
) STRICT, WITHOUT ROWID;
CREATE TABLE plan (target INTEGER NOT NULL, share REAL NOT NULL) STRICT;
INSERT INTO plan VALUES (0, 0.0);
"""
"""The schema of version 1."""

LAYOUT = DECISIONS + EXAMPLES
