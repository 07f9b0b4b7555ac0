package intenttest

import (
	"fmt"
	"strings"
	"sync"

	"seedbed/chapters/intent"
)

// random is a stream of numbers: SplitMix64 (Steele, Lea and Flood, 2014).
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (r *random) below(n int) int { return int(r.next() % uint64(n)) }

// record draws one, at the ends of its ranges now and then.
func (r *random) record() intent.Record {
	bodies := []string{"", "two cups", "两只杯子", "\x00\xff\xfe", "line\nline\r\n", "'; --", strings.Repeat("long ", 1+r.below(4000))}
	ids := []uint64{0, 1, 1 << 63, 1<<64 - 1, r.next()}
	times := []int64{0, -7, -1 << 63, 1<<63 - 1, int64(r.next())}
	return intent.Record{
		Kind: intent.Kind(1 + r.below(5)), ID: ids[r.below(len(ids))], Attempt: int64(r.below(3)),
		At: times[r.below(len(times))], Body: bodies[r.below(len(bodies))],
	}
}

// fill appends n records.
func (r *random) fill(s intent.Store, n int) ([]intent.Record, string) {
	var all []intent.Record
	for i := range n {
		rec := r.record()
		if err := s.Append(rec); err != nil {
			return nil, fmt.Sprintf("append %d: %v", i, err)
		}
		all = append(all, rec)
	}
	return all, ""
}

// read reads a store to its end, in pages of one size.
func read(s intent.Store, from int64, page int) ([]intent.Record, string) {
	var all []intent.Record
	into := make([]intent.Record, page)
	for at := from; ; {
		n, err := s.ReadAt(at, into)
		switch {
		case err != nil:
			return nil, fmt.Sprintf("read from %d: %v", at, err)
		case n < 0 || n > page:
			return nil, fmt.Sprintf("read from %d: %d records into %d places", at, n, page)
		case n == 0:
			return all, ""
		case len(all) > 100_000:
			return nil, "reading does not come to an end"
		}
		all = append(all, into[:n]...)
		at += int64(n)
	}
}

// differ finds the first record that is not as it should be.
func differ(got, want []intent.Record) string {
	show := func(r intent.Record) string {
		if len(r.Body) > 40 {
			r.Body = r.Body[:40] + "…"
		}
		return fmt.Sprintf("{%d %d %d %d %q}", r.Kind, r.ID, r.Attempt, r.At, r.Body)
	}
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("record %d is %s, want %s", i, show(got[i]), show(want[i]))
		}
	}
	if len(got) != len(want) {
		return fmt.Sprintf("%d records, want %d", len(got), len(want))
	}
	return ""
}

func ordered(g *Target, seed uint64) string {
	r, s := random(seed), g.New()
	want, wrong := r.fill(s, r.below(40))
	if wrong != "" {
		return wrong
	}
	got, wrong := read(s, 0, 64)
	if wrong != "" {
		return wrong
	}
	return differ(got, want)
}

func paged(g *Target, seed uint64) string {
	r, s := random(seed), g.New()
	want, wrong := r.fill(s, 1+r.below(40))
	if wrong != "" {
		return wrong
	}
	for range 8 {
		from := r.below(len(want) + 1)
		got, wrong := read(s, int64(from), 1+r.below(9))
		if wrong == "" {
			wrong = differ(got, want[from:])
		}
		if wrong != "" {
			return fmt.Sprintf("from record %d: %s", from, wrong)
		}
	}
	for _, beyond := range []int64{int64(len(want)) + 1, 1 << 40} {
		if n, err := s.ReadAt(beyond, make([]intent.Record, 3)); n != 0 || err != nil {
			return fmt.Sprintf("read from %d, past the end: %d records, %v", beyond, n, err)
		}
	}
	return ""
}

func apart(g *Target, seed uint64) string {
	r, one, other := random(seed), g.New(), g.New()
	if _, wrong := r.fill(one, 3); wrong != "" {
		return wrong
	}
	got, wrong := read(other, 0, 4)
	if wrong == "" && len(got) > 0 {
		wrong = fmt.Sprintf("%d records of another store", len(got))
	}
	return wrong
}

// follows plays calls against one log that stays open and one that is opened before each.
func follows(g *Target, seed uint64) string {
	r, s, still := random(seed), g.New(), &intent.Memory{}
	cfg := intent.Config{MaxOpen: 6, MaxDone: 3, MaxAttempts: 3, Lease: 1 << 40}
	stays, err := intent.New(cfg, still)
	if err != nil {
		return err.Error()
	}
	var claims []intent.Claim
	for step := range int64(60) {
		opened, err := intent.New(cfg, s)
		if err != nil {
			return fmt.Sprintf("step %d: open: %v", step, err)
		}
		id := uint64(r.below(12))
		var mine, theirs any
		switch op := r.below(3); {
		case op == 0 || len(claims) == 0 && op == 2:
			a, err1 := opened.AcceptAt(step, id, "x")
			b, err2 := stays.AcceptAt(step, id, "x")
			mine, theirs = fmt.Sprint(a, err1), fmt.Sprint(b, err2)
		case op == 1: // which one is claimed depends on what was begun before a restart: so let both begin the same
			if stays.Backlog() == 0 || len(claims) > 0 {
				continue
			}
			a, _, err1 := opened.ClaimAt(step)
			b, _, err2 := stays.ClaimAt(step)
			mine, theirs = fmt.Sprint(a, err1), fmt.Sprint(b, err2)
			claims = append(claims, a)
		default:
			a, err1 := opened.FinishAt(step, claims[0], "sent")
			b, err2 := stays.FinishAt(step, claims[0], "sent")
			mine, theirs = fmt.Sprint(a, err1), fmt.Sprint(b, err2)
			claims = nil
		}
		if mine != theirs {
			return fmt.Sprintf("step %d: opened anew it answers %v, else %v", step, mine, theirs)
		}
	}
	return ""
}

func concurrent(g *Target, seed uint64) string {
	const writers, each = 8, 12
	s := g.New()
	var all sync.WaitGroup
	for id := range uint64(writers) {
		all.Go(func() {
			for k := range int64(each) {
				s.Append(intent.Record{Kind: intent.WasAccepted, ID: id, At: k, Body: strings.Repeat(string(rune('a'+id)), 1+int(k)*50)}) // what is missing is found below
			}
		})
	}
	all.Wait()
	got, wrong := read(s, 0, 7)
	if wrong != "" {
		return wrong
	}
	next := [writers]int64{}
	for i, r := range got {
		if r.ID >= writers || r.At != next[r.ID] || r.Body != strings.Repeat(string(rune('a'+r.ID)), 1+int(r.At)*50) {
			return fmt.Sprintf("record %d, of writer %d, is number %d with %d bytes; want number %d, whole", i, r.ID, r.At, len(r.Body), next[min(r.ID, writers-1)])
		}
		next[r.ID]++
	}
	if len(got) != writers*each {
		return fmt.Sprintf("%d records of %d", len(got), writers*each)
	}
	return ""
}

func durable(g *Target, seed uint64) string {
	r, s := random(seed), g.New()
	var want []intent.Record
	for range 3 {
		more, wrong := r.fill(s, r.below(10))
		if wrong != "" {
			return wrong
		}
		want = append(want, more...)
		s = g.Reopen(s)
		got, wrong := read(s, 0, 5)
		if wrong == "" {
			wrong = differ(got, want)
		}
		if wrong != "" {
			return "opened again: " + wrong
		}
	}
	return ""
}
