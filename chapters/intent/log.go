package intent

import "seedbed/chapters/hashing"

const (
	maxInt64 = 1<<63 - 1
	minInt64 = -1 << 63
)

// Log is the state that follows from the records of a store. Every call is O(1), apart from growing when more are kept than ever before.
type Log struct {
	cfg    Config
	store  Store
	broken *BrokenError // nil while the store can be trusted
	now    int64
	table  table
	lines  [3]line // waiting, claimed, ended; each oldest first
	open   int64   // waiting and claimed
}

// The lines in which an entry can stand.
const (
	waiting = iota
	claimed
	ended
)

// New reads a store from its beginning and returns the log that follows. What somebody had begun waits again, behind the rest: its
// workers are taken to be gone, and if one is not, its result is taken as long as nobody else has begun. It returns a *RangeError for a field out of range,
// a *CorruptError for records that make no sense, and what the store says.
func New(cfg Config, store Store) (Log, error) {
	if err := cfg.check(); err != nil {
		return Log{}, err
	}
	l := Log{cfg: cfg, store: store, now: minInt64, table: newTable()}
	for i := range l.lines {
		l.lines[i] = line{first: none, last: none}
	}
	batch := make([]Record, 64)
	for at := int64(0); ; {
		n, err := store.ReadAt(at, batch)
		if err != nil {
			return Log{}, err
		}
		if n == 0 {
			break
		}
		for _, r := range batch[:n] {
			if why := l.apply(r); why != "" {
				return Log{}, &CorruptError{At: at, ID: r.ID, Why: why}
			}
			at++
		}
	}
	for i := l.lines[claimed].first; i != none; i = l.lines[claimed].first {
		l.put(i, waiting) // behind the rest: it may be what ended the process
	}
	return l, nil
}

// apply is what a record does to the state, the same when it is written and when it is read. It returns what is wrong with it.
func (l *Log) apply(r Record) string {
	i := l.table.find(r.ID)
	if r.Kind == WasAccepted {
		if i != none {
			if l.table.entries[i].state == Open {
				return "accepted twice"
			}
			l.forget(i) // it was by the MaxDone of then
		}
		i = l.table.add(entry{id: r.ID, state: Open, came: r.At, body: r.Body, print: fingerprint(r.Body), line: none})
		l.open++
		l.put(i, waiting)
		return ""
	}
	if i == none || l.table.entries[i].state != Open {
		return "it is not open, and something happens to it"
	}
	e := &l.table.entries[i]
	switch r.Kind {
	case WasBegun:
		if r.Attempt != e.attempt+1 {
			return "attempts do not count up"
		}
		e.attempt = r.Attempt
		l.put(i, claimed)
		return ""
	case HasFailed:
		if r.Attempt != e.attempt {
			return "an attempt fails that is not the last"
		}
		l.put(i, waiting)
		return ""
	case WasDone:
		e.state = Done
	case WasGivenUp:
		e.state = GivenUp
	default:
		return "a kind of record that is not known"
	}
	if r.Attempt != e.attempt {
		return "an attempt ends that is not the last"
	}
	e.body = r.Body
	l.open--
	l.put(i, ended)
	if l.lines[ended].len > l.cfg.MaxDone {
		l.forget(l.lines[ended].first)
	}
	return ""
}

func (l *Log) forget(i int32) {
	l.put(i, none)
	l.table.remove(i)
}

// write appends a record, and applies it only when the store has it. The log is ready.
func (l *Log) write(r Record) error {
	if err := l.store.Append(r); err != nil {
		l.broken = &BrokenError{Err: err}
		return l.broken
	}
	if why := l.apply(r); why != "" {
		panic("intent: wrote a record that makes no sense: " + why) // it was checked against the same state
	}
	return nil
}

// ready lets the time pass, and returns an error when nothing can be written.
func (l *Log) ready(now int64) error {
	l.now = max(l.now, now)
	switch {
	case l.broken != nil:
		return l.broken
	case l.store == nil:
		return &BrokenError{}
	}
	return nil
}

// AcceptAt accepts an intent, or says how it stands if it was accepted before. Only with a nil error and Accepted or Known is it kept.
// The id is chosen by who asks and is the same when asking again: an order's own number.
func (l *Log) AcceptAt(now int64, id uint64, body string) (Receipt, error) {
	if err := l.ready(now); err != nil {
		return Receipt{}, err
	}
	if i := l.table.find(id); i != none {
		e := &l.table.entries[i]
		if e.print != fingerprint(body) {
			return Receipt{Answer: Conflict, State: e.state}, nil
		}
		state, result := l.StatusOf(id)
		return Receipt{Answer: Known, State: state, Result: result}, nil
	}
	if l.open >= l.cfg.MaxOpen {
		return Receipt{Answer: Full}, nil
	}
	if err := l.write(Record{Kind: WasAccepted, ID: id, At: l.now, Body: body}); err != nil {
		return Receipt{}, err
	}
	return Receipt{Answer: Accepted, State: Open}, nil
}

// ClaimAt takes up the next intent: one whose lease is over, else the one that has waited longest. It reports false when there is none.
// One that has been tried MaxAttempts times is given up instead, and the next one is looked at.
func (l *Log) ClaimAt(now int64) (Claim, bool, error) {
	if err := l.ready(now); err != nil {
		return Claim{}, false, err
	}
	for {
		i := l.lines[claimed].first
		if i == none || l.table.entries[i].until > l.now {
			i = l.lines[waiting].first
		}
		if i == none {
			return Claim{}, false, nil
		}
		e := &l.table.entries[i]
		if e.attempt >= l.cfg.MaxAttempts {
			if err := l.write(Record{Kind: WasGivenUp, ID: e.id, Attempt: e.attempt, At: l.now, Body: "no result of the last attempt"}); err != nil {
				return Claim{}, false, err
			}
			continue
		}
		if err := l.write(Record{Kind: WasBegun, ID: e.id, Attempt: e.attempt + 1, At: l.now}); err != nil {
			return Claim{}, false, err
		}
		e.until = later(l.now, l.cfg.Lease)
		return Claim{ID: e.id, Attempt: e.attempt, Body: e.body}, true, nil
	}
}

// FinishAt ends an intent with a result. It reports false, and writes nothing, when somebody else has begun it since, or it has ended.
func (l *Log) FinishAt(now int64, c Claim, result string) (bool, error) {
	return l.end(now, c, Record{Kind: WasDone, Body: result})
}

// FailAt says that an attempt came to nothing: the intent goes to the end of the line, or is given up if that was the last attempt. It
// reports false as FinishAt does.
func (l *Log) FailAt(now int64, c Claim, why string) (bool, error) {
	r := Record{Kind: HasFailed, Body: why}
	if c.Attempt >= l.cfg.MaxAttempts {
		r.Kind = WasGivenUp
	}
	return l.end(now, c, r)
}

func (l *Log) end(now int64, c Claim, r Record) (bool, error) {
	if err := l.ready(now); err != nil {
		return false, err
	}
	i := l.table.find(c.ID)
	if i == none || l.table.entries[i].state != Open || c.Attempt < 1 || l.table.entries[i].attempt != c.Attempt {
		return false, nil
	}
	if r.Kind == HasFailed && l.table.entries[i].line != claimed {
		return false, nil // it waits already
	}
	r.ID, r.Attempt, r.At = c.ID, c.Attempt, l.now
	err := l.write(r)
	return err == nil, err
}

// StatusOf is how an intent stands, for a page that says so: with its result when Done, with the reason when GivenUp.
func (l *Log) StatusOf(id uint64) (State, string) {
	i := l.table.find(id)
	if i == none {
		return Unknown, ""
	}
	e := &l.table.entries[i]
	if e.state == Open {
		return Open, ""
	}
	return e.state, e.body
}

// Backlog is how many are open, 0..MaxOpen unless more were found in the store.
func (l *Log) Backlog() int64 { return l.open }

// OldestAt is the age in ns of the one that has waited longest and that nobody works on; 0 when there is none.
func (l *Log) OldestAt(now int64) int64 {
	w := &l.lines[waiting]
	if w.len == 0 {
		return 0
	}
	return since(l.table.entries[w.first].came, max(l.now, now))
}

// Broken is the error after which the log has to be opened anew; nil while it works.
func (l *Log) Broken() error {
	if l.broken == nil {
		return nil
	}
	return l.broken
}

// Clone returns a copy of the state, which reads and writes the store that is given.
func (l *Log) Clone(store Store) Log {
	c := *l
	c.store, c.table = store, l.table.clone()
	return c
}

// Size is 72 bytes an intent that is kept, 4 a place of the index and 4 an entry that is free, and 64; without the bodies.
func (l *Log) Size() int {
	t := &l.table
	return 72*len(t.entries) + 4*len(t.index) + 4*len(t.free) + 64
}

// fingerprint tells bodies apart, two of them wrongly the same once in 2^64 times.
func fingerprint(body string) uint64 { return hashing.Sum64String(0, body) }

// since is to − from, 0 when to is earlier, MaxInt64 when no int64 can say it.
func since(from, to int64) int64 {
	if to <= from {
		return 0
	}
	return int64(min(uint64(to)-uint64(from), maxInt64))
}

// later is at + d for d ≥ 0, at most the last instant that an int64 can name.
func later(at, d int64) int64 {
	if s := at + d; s >= at {
		return s
	}
	return maxInt64
}
