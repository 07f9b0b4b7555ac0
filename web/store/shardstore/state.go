package shardstore

import (
	"database/sql"

	"seedbed/chapters/shard"
	"seedbed/web/store/sqlitefile"
)

// state is the one row of the table store.
type state struct {
	shard.State
	kept int64
}

const (
	stateColumns = `mode, serves_epoch, serves_writer, fence_epoch, fence_writer, since,
		cursor_epoch, cursor_writer, cursor_step, cursor_next, cursor_applied, cursor_since, head, kept`
	selectState = `SELECT ` + stateColumns + ` FROM store`

	upsertRow = `INSERT INTO rows (key, version, deleted, value) VALUES (?, ?, ?, ?)
		ON CONFLICT (key) DO UPDATE SET version = excluded.version, deleted = excluded.deleted, value = excluded.value
		WHERE excluded.version > rows.version`
)

// fields are where the columns go, in their order.
func (s *state) fields() []any {
	g, c := &s.Gate, &s.Cursor
	return []any{
		&g.Mode, &g.Serves.Epoch, &g.Serves.Writer, &g.Fence.Epoch, &g.Fence.Writer, &g.Since,
		&c.Term.Epoch, &c.Term.Writer, &c.Step, &c.Next, &c.Applied, &c.Since, &s.Head, &s.kept,
	}
}

func (s *state) scan(row *sql.Row) error { return row.Scan(s.fields()...) }

func (s *state) store(tx *sql.Tx) error {
	g, c := &s.Gate, &s.Cursor
	_, err := tx.Exec(`UPDATE store SET (`+stateColumns+`) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		g.Mode, g.Serves.Epoch, g.Serves.Writer, g.Fence.Epoch, g.Fence.Writer, g.Since,
		c.Term.Epoch, c.Term.Writer, c.Step, c.Next, c.Applied, c.Since, s.Head, s.kept)
	return err
}

// stateAndRow reads the state and one row, of one instant. The row has version 0 when there is none.
func stateAndRow(q sqlitefile.Ask, k shard.Key) (s state, r shard.Row, err error) {
	var value []byte
	err = q.QueryRow(`SELECT `+stateColumns+`, coalesce(r.version, 0), coalesce(r.deleted, 0), r.value
		FROM store LEFT JOIN rows AS r ON r.key = ?`, k).Scan(append(s.fields(), &r.Version, &r.Deleted, &value)...)
	r.Key, r.Value = k, string(value)
	return s, r, err
}
