package runs

import (
	"sync"

	"seedbed/labs"
)

// Result is a finished run. Nothing in it may be written: it is shared by all who asked.
type Result struct {
	Spec   labs.Spec
	Trace  *labs.Trace
	Layout *labs.Layout
	Digest string

	mu    sync.Mutex
	drawn map[string]*drawn
}

// drawn is something made of a result, once.
type drawn struct {
	once sync.Once
	made any
}

// Once returns what make gives for the key, which is called once in the life of the result: for pictures and pages, which many ask
// for at the same time. What it gives must not be written. Each key costs memory as long as the result is kept, so keys are few, such
// as a picture's language and form, and what they hold is at most some hundred kilobytes in all.
func (r *Result) Once(key string, make func() any) any {
	r.mu.Lock()
	if r.drawn == nil {
		r.drawn = map[string]*drawn{}
	}
	d := r.drawn[key]
	if d == nil {
		d = &drawn{}
		r.drawn[key] = d
	}
	r.mu.Unlock()
	d.once.Do(func() { d.made = make() })
	return d.made
}

// What a result takes beside its trace, roughly: a handful of pictures and pages, and the texts of the Spec.
const resultOverhead = 512 << 10

// bytes is about what the result takes in memory.
func (r *Result) bytes() int {
	n := resultOverhead
	for i := range r.Trace.Columns {
		n += 8 * cap(r.Trace.Columns[i].Values)
	}
	const logged = 40 // bytes of a labs.Logged
	return n + logged*(cap(r.Trace.Log)+cap(r.Trace.Marks))
}
