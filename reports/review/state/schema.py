"""SQL schema of the review state: tables, views, triggers, and the format version of the file."""

VERSION = 1
APPLICATION = 0x4F46_5256
"""What SQLite keeps in the file's head, so that no other program's database is taken for a review: `OFRV`."""

LAYOUT = """
-- What was decided, in order. An undo is a row of its own, which names the row it takes back.
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
CREATE TRIGGER log_keeps BEFORE UPDATE ON log BEGIN SELECT raise(ABORT, 'the log is only added to'); END;
CREATE TRIGGER log_stays BEFORE DELETE ON log BEGIN SELECT raise(ABORT, 'the log is only added to'); END;
-- Of which lines the decision counts: those that were not taken back, and take none back.
CREATE VIEW in_force AS SELECT * FROM log
    WHERE undoes IS NULL AND NOT EXISTS (SELECT 1 FROM log AS later WHERE later.undoes = log.uid);
-- The decision of each reviewer that is in force, as the log says.
CREATE TABLE standing (
    candidate_id TEXT NOT NULL,
    version TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    decision TEXT NOT NULL,
    number INTEGER NOT NULL REFERENCES log (number),
    PRIMARY KEY (candidate_id, version, reviewer)
) STRICT, WITHOUT ROWID;
CREATE INDEX standing_of_reviewer ON standing (reviewer, decision, number);
-- What a reviewer typed, and the seconds they spent so far; texts are null until something was typed.
CREATE TABLE drafts (
    candidate_id TEXT NOT NULL,
    version TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    texts TEXT,
    seconds REAL NOT NULL DEFAULT 0,
    at TEXT NOT NULL,
    PRIMARY KEY (candidate_id, version, reviewer)
) STRICT, WITHOUT ROWID;
-- Who holds a candidate: one row, so that nobody else can. A session holds one candidate.
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
