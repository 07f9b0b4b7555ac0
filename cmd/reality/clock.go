package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// verdict is one decision of limit_req as nginx's debug log tells it.
type verdict struct {
	at     int64 // ms on nginx's own clock, which stands still while it handles what one wait brought
	ok     bool
	excess int64 // in 1/1000 of a request: what is above the rate, this request included
	delay  int64 // ms for which nginx holds the request back
}

var (
	debugLine = regexp.MustCompile(`\] \d+#\d+: (?:(\*\d+) )?(.*)$`)
	roundLine = regexp.MustCompile(`^epoll timer: `)
	deltaLine = regexp.MustCompile(`^timer delta: (\d+)$`)
	alarmLine = regexp.MustCompile(`^event timer add: \d+: (\d+):(\d+)$`)
	limitLine = regexp.MustCompile(`^limit_req\[\d+\]: (-?\d+) (\d+)\.(\d{3})$`)
	delayLine = regexp.MustCompile(`^delaying request, `)
)

// verdictsOf reads nginx's debug log. No variable of nginx tells at which instant limit_req decided: $msec is another clock, read later.
// But nginx reads its clock once in each round of its event loop, and the log tells by how much it went on ("timer delta") and, when
// an alarm is set, where it stands (the instant of the alarm minus its distance). Both must agree; an error says where they do not.
func verdictsOf(log string) ([]verdict, error) {
	r := logReader{waiting: map[string]int{}}
	r.beginRound()
	for n, line := range strings.Split(log, "\n") {
		m := debugLine.FindStringSubmatch(strings.TrimRight(line, "\r"))
		if m == nil {
			continue
		}
		if err := r.line(m[1], m[2]); err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	return r.all, r.endRound()
}

// logReader is the state of verdictsOf.
type logReader struct {
	all   []verdict
	known bool  // whether the clock is
	clock int64 // at the end of the last round
	round struct {
		first, delta, exact int64 // the first verdict of it; what the log said, -1 for nothing
	}
	waiting map[string]int // the verdict that a connection waits for, until its alarm is set
}

// line reads what the log says of a connection, or of none.
func (r *logReader) line(connection, text string) error {
	if roundLine.MatchString(text) {
		err := r.endRound()
		r.beginRound()
		return err
	}
	if m := deltaLine.FindStringSubmatch(text); m != nil {
		r.round.delta = number(m[1])
		return nil
	}
	if m := alarmLine.FindStringSubmatch(text); m != nil {
		at := number(m[2]) - number(m[1])
		if r.round.exact >= 0 && r.round.exact != at {
			return fmt.Errorf("the clock stands at %d and at %d in one round", r.round.exact, at)
		}
		r.round.exact = at
		if i, ok := r.waiting[connection]; ok {
			r.all[i].delay = number(m[1])
			delete(r.waiting, connection)
		}
		return nil
	}
	if m := limitLine.FindStringSubmatch(text); m != nil {
		r.all = append(r.all, verdict{ok: m[1] == "0", excess: number(m[2])*1000 + number(m[3])})
		return nil
	}
	if delayLine.MatchString(text) {
		r.waiting[connection] = len(r.all) - 1
	}
	return nil
}

func (r *logReader) beginRound() {
	r.round.first, r.round.delta, r.round.exact = int64(len(r.all)), -1, -1
}

// endRound gives the verdicts of a round their instant.
func (r *logReader) endRound() error {
	at, told := r.round.exact, r.round.exact >= 0
	if r.known && r.round.delta >= 0 {
		if told && at != r.clock+r.round.delta {
			return fmt.Errorf("the clock stands at %d; %d ms after %d it should stand at %d", at, r.round.delta, r.clock, r.clock+r.round.delta)
		}
		at, told = r.clock+r.round.delta, true
	}
	if !told {
		r.known = false // until the next alarm
		if int(r.round.first) < len(r.all) {
			return errors.New("the log does not tell the time of a decision")
		}
		return nil
	}
	r.known, r.clock = true, at
	for i := r.round.first; i < int64(len(r.all)); i++ {
		r.all[i].at = at
	}
	return nil
}

// number reads digits that a pattern has found.
func number(digits string) int64 {
	n, _ := strconv.ParseInt(digits, 10, 64)
	return n
}

// clockLines are lines of the log by which verdictsOf tells the time, from the round of the first decision on, as they are but for date
// and process.
func clockLines(log string, most int) []string {
	var lines []string
	round, decided := 0, false
	for line := range strings.SplitSeq(log, "\n") {
		m := debugLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if roundLine.MatchString(m[2]) && !decided {
			round = len(lines)
		}
		decided = decided || limitLine.MatchString(m[2])
		for _, form := range []*regexp.Regexp{roundLine, deltaLine, alarmLine, limitLine} {
			if form.MatchString(m[2]) {
				lines = append(lines, strings.TrimSpace(m[1]+" "+m[2]))
			}
		}
	}
	return lines[round:min(round+most, len(lines))]
}
