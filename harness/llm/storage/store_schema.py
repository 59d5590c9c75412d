"""The SQL tables of an answer store; the table of batches is created with the first batch."""

VERSION = 1
SCHEMA = """
CREATE TABLE requests (key TEXT PRIMARY KEY, provider TEXT NOT NULL, model TEXT NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE attempts (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL REFERENCES requests,
    number INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('claimed', 'answered', 'failed')),
    owner TEXT NOT NULL,
    batch TEXT,
    began REAL NOT NULL,
    ended REAL,
    seconds REAL,
    kind TEXT,
    reason TEXT,
    text TEXT,
    stop TEXT,
    input INTEGER NOT NULL DEFAULT 0,
    cached INTEGER NOT NULL DEFAULT 0,
    written INTEGER NOT NULL DEFAULT 0,
    output INTEGER NOT NULL DEFAULT 0,
    cost INTEGER,
    raw BLOB,
    UNIQUE (key, number)
);
CREATE UNIQUE INDEX one_claim ON attempts (key) WHERE state = 'claimed';
CREATE UNIQUE INDEX one_answer ON attempts (key) WHERE state = 'answered';
CREATE TABLE spent (only_row INTEGER PRIMARY KEY CHECK (only_row = 0), amount INTEGER NOT NULL);
INSERT INTO spent VALUES (0, 0);
"""
