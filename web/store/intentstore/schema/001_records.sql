-- A log of intents. Records are only ever appended, and number counts them from 1 without a gap.
CREATE TABLE record (
    number  INTEGER PRIMARY KEY,
    kind    INTEGER NOT NULL,
    id      INTEGER NOT NULL, -- 64 bits without a sign, kept as they are
    attempt INTEGER NOT NULL,
    at      INTEGER NOT NULL, -- ns
    body    BLOB    NOT NULL  -- bytes: TEXT would end at a zero
) STRICT;

-- Who may append: whoever has opened the file last.
CREATE TABLE owner (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    epoch INTEGER NOT NULL
) STRICT;

INSERT INTO owner VALUES (1, 0);
