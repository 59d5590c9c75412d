PRAGMA application_id = 1330008662;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE drafts (
    candidate_id TEXT NOT NULL,
    version TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    texts TEXT,
    seconds REAL NOT NULL DEFAULT 0,
    at TEXT NOT NULL,
    PRIMARY KEY (candidate_id, version, reviewer)
) STRICT, WITHOUT ROWID;
INSERT INTO "drafts" VALUES('mini-001:off_by_n:70ae3b64a30a','4cd0a20e04bd','ann','{"lines":["One line that ann wrote.","#### 5"],"explanation":"An explanation of candidate 2."}',0.0,'2026-09-21T14:13:20.000000+00:00');
CREATE TABLE leases (
    candidate_id TEXT PRIMARY KEY,
    version TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    session TEXT NOT NULL,
    until REAL NOT NULL,
    seen REAL NOT NULL,
    UNIQUE (reviewer, session)
) STRICT, WITHOUT ROWID;
INSERT INTO "leases" VALUES('mini-001:off_by_n:70ae3b64a30a','4cd0a20e04bd','ann','1',1790000900.0,1790000000.0);
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
INSERT INTO "log" VALUES(1,'8bf5463dd9cc402eba99f5c36087f7c8','mini-001:off_by_n:a646ac8aa273','d60394cae081','ann','1','accept',NULL,'{"lines":["One line that ann wrote.","#### 5"],"explanation":"An explanation of candidate 0."}','{"lines":["Amara plants 6*9 = <<6*9=54>>54 tomato seedlings.","She plants 4*7 = <<4*7=28>>28 pepper seedlings.","Together that makes 54+28 = <<54+28=82>>82 seedlings.","After the frost 82-11 = <<82-11=70>>70 seedlings are left.","#### 70"],"explanation":"Working this out again gives 71 and not 70."}','[]','',NULL,'',0.0,'2026-09-21T14:13:20.000000+00:00');
INSERT INTO "log" VALUES(2,'bb4165404b2c42a7a6671a72c14778eb','mini-001:digit_transposition:c7ff30005ad3','2978bfdbae6a','ann','1','reject',NULL,'{"lines":["One line that ann wrote.","#### 5"],"explanation":"An explanation of candidate 1."}','{"lines":["Amara plants 6*9 = <<6*9=54>>54 tomato seedlings.","She plants 4*7 = <<4*7=82>>82 pepper seedlings.","Together that makes 54+82 = <<54+82=136>>136 seedlings.","After the frost 136-11 = <<136-11=125>>125 seedlings are left.","#### 125"],"explanation":"Two neighbouring digits were swapped: 82 stands where 28 should."}','[]','','implausible','',0.0,'2026-09-21T14:13:20.000000+00:00');
CREATE TABLE plan (target INTEGER NOT NULL, share REAL NOT NULL) STRICT;
INSERT INTO "plan" VALUES(0,0.0);
CREATE TABLE standing (
    candidate_id TEXT NOT NULL,
    version TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    decision TEXT NOT NULL,
    number INTEGER NOT NULL REFERENCES log (number),
    PRIMARY KEY (candidate_id, version, reviewer)
) STRICT, WITHOUT ROWID;
INSERT INTO "standing" VALUES('mini-001:off_by_n:a646ac8aa273','d60394cae081','ann','accept',1);
INSERT INTO "standing" VALUES('mini-001:digit_transposition:c7ff30005ad3','2978bfdbae6a','ann','reject',2);
CREATE INDEX log_of_reviewer ON log (reviewer, at);
CREATE INDEX log_of_candidate ON log (candidate_id, version, reviewer);
CREATE TRIGGER log_keeps BEFORE UPDATE ON log BEGIN SELECT raise(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_stays BEFORE DELETE ON log BEGIN SELECT raise(ABORT, 'the log is append-only'); END;
CREATE VIEW in_force AS SELECT * FROM log
    WHERE undoes IS NULL AND NOT EXISTS (SELECT 1 FROM log AS later WHERE later.undoes = log.uid);
CREATE INDEX standing_of_reviewer ON standing (reviewer, decision, number);
COMMIT;
