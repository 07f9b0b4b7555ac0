package intent

// Kind is what a record says.
type Kind uint8

// The kinds. Their numbers are in stores: they do not change.
const (
	WasAccepted Kind = 1 // Body is what is to be done
	WasBegun    Kind = 2 // an attempt
	WasDone     Kind = 3 // Body is the result
	HasFailed   Kind = 4 // the attempt, and there will be others; Body is why
	WasGivenUp  Kind = 5 // the attempt failed and was the last one; Body is why
)

// Record is one line of a store.
type Record struct {
	Kind    Kind
	ID      uint64
	Attempt int64 // 0 for WasAccepted
	At      int64 // ns
	Body    string
}

// Store keeps records in order. It is the only thing here that may do input and output; Memory is one for tests and labs.
type Store interface {
	// Append writes one record behind all others and returns nil when it can no longer be lost. It is all or nothing: after a crash the
	// record is there as a whole, or is not there.
	Append(Record) error
	// ReadAt reads records from number from on, in order, into a slice, and returns how many; 0 at the end.
	ReadAt(from int64, into []Record) (int, error)
}

// Memory is a Store that lasts as long as the process. The zero value is empty.
type Memory struct {
	records []Record
}

// Append never fails.
func (m *Memory) Append(r Record) error {
	m.records = append(m.records, r)
	return nil
}

// ReadAt never fails.
func (m *Memory) ReadAt(from int64, into []Record) (int, error) {
	if from < 0 || from >= int64(len(m.records)) {
		return 0, nil
	}
	return copy(into, m.records[from:]), nil
}

// Len is how many records there are.
func (m *Memory) Len() int { return len(m.records) }

// Clone returns an independent copy.
func (m *Memory) Clone() Memory { return Memory{append([]Record(nil), m.records...)} }
