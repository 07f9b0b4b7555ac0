package breaker

import "strconv"

// RefusedError says that a call was not made. It is not to be retried: the answer would be the same.
type RefusedError struct {
	State      State
	Reason     Reason
	RetryAfter int64 // ns
}

// Error says it in one line: "breaker: open; worth trying in 4000000000 ns".
func (e *RefusedError) Error() string {
	s := "breaker: " + e.Reason.String()
	if e.RetryAfter >= 0 {
		s += "; worth trying in " + strconv.FormatInt(e.RetryAfter, 10) + " ns"
	}
	return s
}

// Do makes a call if the breaker lets it, and returns a *RefusedError if not. judge says what an error means, nil being passed to it as
// well; without one every error is a Failure. A call that panics or ends its goroutine is a Failure, and so is one whose judge does;
// the panic goes on. Changes of state are there to be read with Since.
func Do[T any](l *Locked, call func() (T, error), judge func(error) Outcome) (T, error) {
	t, d := l.Ask()
	if !d.OK {
		var none T
		return none, &RefusedError{State: d.State, Reason: d.Reason, RetryAfter: d.RetryAfter}
	}
	o := Failure
	defer func() { l.Done(t, o) }()
	v, err := call()
	switch {
	case judge != nil:
		o = judge(err)
	case err == nil:
		o = Success
	}
	return v, err
}
