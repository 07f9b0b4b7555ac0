-- Every version of the map stays: who owned what, and when it was decided.
CREATE TABLE part (
    version    INTEGER NOT NULL CHECK (version > 0),
    number     INTEGER NOT NULL CHECK (number >= 0),
    first      INTEGER NOT NULL,
    shard      TEXT    NOT NULL,
    epoch      INTEGER NOT NULL CHECK (epoch > 0),
    move_from  TEXT    NOT NULL,
    move_to    TEXT    NOT NULL,
    move_epoch INTEGER NOT NULL,
    back       INTEGER NOT NULL,
    undo       INTEGER NOT NULL,
    fault      INTEGER NOT NULL,
    PRIMARY KEY (version, number)
) STRICT, WITHOUT ROWID;
