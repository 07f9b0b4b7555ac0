package caching

import (
	"seedbed/labs"
	"seedbed/labs/sim"
)

// job is something that wants a connection.
type job struct {
	number int64 // of all jobs of its pool, from 1
	since  int64 // ns
	slot   int64 // what is to be loaded; −1 for an order
	mark   int64 // the flight's number, or the order's
}

// pool is the connections of a database and the line before them. All wait for equally long before they give up, so whoever gives up is
// at the head.
type pool struct {
	connections, busy int
	line              sim.Line[job]
	taken             int64 // jobs so far
	longest           int   // line
}

// take asks for a connection; when there is none the job waits in the line.
func (p *pool) take(j *job) bool {
	p.taken++
	j.number = p.taken
	if p.busy < p.connections {
		p.busy++
		return true
	}
	p.line.Push(*j)
	p.longest = max(p.longest, p.line.Len())
	return false
}

// release gives a connection back, or hands it to who has waited the longest.
func (p *pool) release() (next job, ok bool) {
	if p.line.Len() == 0 {
		p.busy--
		return job{}, false
	}
	return p.line.Pop(), true
}

// leave takes a job out of the line, unless it has had its turn.
func (p *pool) leave(number int64) (j job, ok bool) {
	if p.line.Len() == 0 || p.line.First().number != number {
		return job{}, false
	}
	return p.line.Pop(), true
}

// wanted is how many have a connection or wait for one.
func (p *pool) wanted() int64 { return int64(p.busy + p.line.Len()) }

// orders is how many orders wait in the line. O(n).
func (p *pool) orders() (n int64) {
	for _, j := range p.line.All() {
		n += labs.Bit(j.slot < 0)
	}
	return n
}

func (p *pool) clone() pool {
	c := *p
	c.line = p.line.Clone()
	return c
}
