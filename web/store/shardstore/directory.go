package shardstore

import (
	"database/sql"

	"seedbed/chapters/shard"
	"seedbed/web/store/sqlitefile"
)

// Directory is shard.Owners on SQLite.
type Directory struct{ db sqlitefile.File }

// OpenDirectory opens the map of owners, and makes it when there is no file. The error is an *OpenError when the file is another's.
func OpenDirectory(path string, o Options) (*Directory, error) {
	db, err := sqlitefile.Open(path, &ownerKind, o)
	if err != nil {
		return nil, err
	}
	return &Directory{db}, nil
}

// Close closes the file.
func (d *Directory) Close() error { return d.db.Close() }

// Load returns the newest map; the zero Map when none was published.
func (d *Directory) Load() (m shard.Map, err error) {
	m, err = load(d.db.Reader)
	return m, d.db.Told("owners", "load", err)
}

func load(q sqlitefile.Ask) (m shard.Map, err error) {
	rows, err := q.Query(`SELECT version, first, shard, epoch, move_from, move_to, move_epoch, back, undo, fault
		FROM part WHERE version = (SELECT max(version) FROM part) ORDER BY number`)
	if err != nil {
		return m, err
	}
	defer rows.Close()
	for rows.Next() {
		var p shard.Part
		v := &p.Move
		if err := rows.Scan(&m.Version, &p.First, &p.Shard, &p.Epoch, &v.From, &v.To, &v.Epoch, &v.Back, &v.Undo, &v.Fault); err != nil {
			return shard.Map{}, err
		}
		m.Parts = append(m.Parts, p)
	}
	return m, rows.Err()
}

// Publish takes the next version, if nobody was quicker.
func (d *Directory) Publish(m shard.Map) error {
	return d.db.Write("owners", "publish", func(tx *sql.Tx) error {
		newest, err := load(tx)
		if err != nil {
			return err
		}
		if err := m.Follows(newest); err != nil {
			return err
		}
		for i := range m.Parts {
			p := &m.Parts[i]
			v := &p.Move
			if _, err := tx.Exec(`INSERT INTO part VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
				m.Version, i, p.First, p.Shard, p.Epoch, v.From, v.To, v.Epoch, v.Back, v.Undo, v.Fault); err != nil {
				return err
			}
		}
		return nil
	})
}
