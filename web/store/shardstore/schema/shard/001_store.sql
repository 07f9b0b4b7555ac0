-- One partition's copy on one shard. Gate, cursor and head are the one row of store; they change in one transaction with the rows.
CREATE TABLE store (
    id             INTEGER PRIMARY KEY CHECK (id = 1),
    name           TEXT    NOT NULL,
    mode           INTEGER NOT NULL DEFAULT 0,
    serves_epoch   INTEGER NOT NULL DEFAULT 0,
    serves_writer  TEXT    NOT NULL DEFAULT '',
    fence_epoch    INTEGER NOT NULL DEFAULT 0,
    fence_writer   TEXT    NOT NULL DEFAULT '',
    since          INTEGER NOT NULL DEFAULT 0,
    cursor_epoch   INTEGER NOT NULL DEFAULT 0,
    cursor_writer  TEXT    NOT NULL DEFAULT '',
    cursor_step    INTEGER NOT NULL DEFAULT 0,
    cursor_next    INTEGER NOT NULL DEFAULT 0,
    cursor_applied INTEGER NOT NULL DEFAULT 0,
    cursor_since   INTEGER NOT NULL DEFAULT 0,
    head           INTEGER NOT NULL DEFAULT 0, -- position of the newest change
    kept           INTEGER NOT NULL DEFAULT 0  -- changes after this one are in log
) STRICT;

-- Values are blobs: a value is bytes, and TEXT would end at a zero.
CREATE TABLE rows (
    key     INTEGER PRIMARY KEY,
    version INTEGER NOT NULL CHECK (version > 0),
    deleted INTEGER NOT NULL CHECK (deleted IN (0, 1)),
    value   BLOB    NOT NULL
) STRICT;

CREATE TABLE log (
    position INTEGER PRIMARY KEY,
    epoch    INTEGER NOT NULL,
    writer   TEXT    NOT NULL,
    key      INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    deleted  INTEGER NOT NULL,
    value    BLOB    NOT NULL
) STRICT;
