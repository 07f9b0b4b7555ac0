package shardstore

import (
	"database/sql"
	"errors"
	"sync"

	"seedbed/chapters/shard"
)

// group lets writes that come at the same time share a transaction: a commit waits for the disk, and the disk does not care how many
// rows it was for. Each write is judged by itself, in the order in which they came, and is acknowledged after the commit that has it.
// Nobody waits for company: who comes alone is a group of one.
type group struct {
	waiting sync.Mutex
	queue   []*pending // not yet in a transaction, as they came
	leading sync.Mutex // held by who runs a transaction
}

// pending is a write on its way.
type pending struct {
	term    shard.Term
	row     shard.Row // as asked for, then as written
	err     error
	settled bool // row and err are the answer; read and written under leading
}

// maxGroup bounds a transaction: at some 50 µs a row it is a matter of ms.
const maxGroup = 256

// write joins the queue, and when its turn comes either finds itself settled by somebody who led before, or leads.
func (g *group) write(f *File, p *pending) {
	g.waiting.Lock()
	g.queue = append(g.queue, p)
	g.waiting.Unlock()
	g.leading.Lock()
	defer g.leading.Unlock()
	for !p.settled {
		f.settle(g.take())
	}
}

// take takes the oldest writes out of the queue.
func (g *group) take() []*pending {
	g.waiting.Lock()
	defer g.waiting.Unlock()
	n := min(len(g.queue), maxGroup)
	batch := g.queue[:n:n]
	g.queue = g.queue[n:]
	return batch
}

// settle writes a batch in one transaction. Where there is no room for all, each is tried by itself, so that a large one takes no other
// with it. After any other error it is open whether the transaction happened, so nothing is tried again.
func (f *File) settle(batch []*pending) {
	asked := make([]shard.Row, len(batch))
	for i, p := range batch {
		asked[i] = p.row
	}
	err := f.writeAll(batch)
	var full *FullError
	if errors.As(err, &full) && len(batch) > 1 {
		for i, p := range batch {
			p.row, p.err = asked[i], nil
			f.settle(batch[i : i+1])
		}
		return
	}
	for _, p := range batch {
		if err != nil {
			p.err = err
		}
		p.settled = true
	}
}

// writeAll is the transaction. What the gate refuses changes nothing, and says so in its own error.
func (f *File) writeAll(batch []*pending) error {
	return f.db.Write(f.name, "write", func(tx *sql.Tx) error {
		var head int64
		for i, p := range batch {
			s, is, err := stateAndRow(tx, p.row.Key)
			if err != nil {
				return err
			}
			if i == 0 {
				head = s.Head
			}
			s.Head = head // that of the row store is written at the end
			r, why := s.Gate.Accept(p.term, p.row, is)
			if why != shard.Admitted {
				p.err = f.refuse("write", why, p.term, &s, is)
				continue
			}
			p.row = r
			head++
			if _, err := tx.Exec(upsertRow, r.Key, r.Version, r.Deleted, []byte(r.Value)); err != nil {
				return err
			}
			if _, err := tx.Exec(`INSERT INTO log (position, epoch, writer, key, version, deleted, value) VALUES (?, ?, ?, ?, ?, ?, ?)`,
				head, p.term.Epoch, p.term.Writer, r.Key, r.Version, r.Deleted, []byte(r.Value)); err != nil {
				return err
			}
		}
		_, err := tx.Exec(`UPDATE store SET head = ?1 WHERE head <> ?1`, head)
		return err
	})
}
