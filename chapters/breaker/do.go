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
		return refuse[T](d)
	}
	o := Failure
	defer func() { l.Done(t, o) }()
	v, err := call()
	o = judged(judge, err)
	return v, err
}

// DoOn is Do for dependency i of a set. Whatever way the call ends, its place in the bulkhead is free then.
func DoOn[T any](l *LockedSet, i int, call func() (T, error), judge func(error) Outcome) (T, error) {
	c, d := l.Ask(i)
	if !d.OK {
		return refuse[T](d)
	}
	o := Failure
	defer func() { l.Done(c, o) }()
	v, err := call()
	o = judged(judge, err)
	return v, err
}

func refuse[T any](d Decision) (T, error) {
	var none T
	return none, &RefusedError{State: d.State, Reason: d.Reason, RetryAfter: d.RetryAfter}
}

func judged(judge func(error) Outcome, err error) Outcome {
	switch {
	case judge != nil:
		return judge(err)
	case err == nil:
		return Success
	}
	return Failure
}
