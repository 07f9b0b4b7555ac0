package overload

import (
	"seedbed/chapters/queue"
	"seedbed/labs"
)

// This file is the waiting room of degrade-ladder.

// send has a visitor wait in the room. As it lets in at a fixed rate and nobody leaves it by themselves, the wait is known from the start.
func (s *steps) send(env *labs.Env, k int, v visitor) {
	w := &s.ways[k]
	_, d := w.room.PushAt(env.Now(), queue.NoDeadline)
	if !d.OK { // a million wait
		s.lose(env, k, &job{visitor: v, came: env.Now()}, ladderGiveUp, 0)
		return
	}
	w.roomers.Push(v)
	ahead := int64(w.room.Len()) - 1
	s.tell(env, k, ladderQueue, entityRoom, v.id, ahead)
	if k == s.judged && d.Wait > s.cfg.inRoom {
		env.Fail(checkRoom, v.id, d.Wait, ahead)
	}
	s.wake(env, k)
}

// wake has the next one of the room come in when it is time.
func (s *steps) wake(env *labs.Env, k int) {
	w := &s.ways[k]
	if due, ok := w.room.DueAt(env.Now()); ok && !w.awake {
		w.awake = true
		env.At(due, stepEnter, uint16(k), 0, 0)
	}
	s.set(env, k, ladderColumnRoom, int64(w.room.Len()))
}

// letIn lets the one come in who has waited in the room for the longest. To the need it is one more who comes, as those at the door are: else
// the ladder would take a peak for over that still waits in the room.
func (s *steps) letIn(env *labs.Env, k int) {
	w := &s.ways[k]
	w.awake = false
	if waiter, ok := w.room.PopAt(env.Now()); ok {
		v := w.roomers.Pop()
		w.queued = max(w.queued, waiter.Waited)
		w.arrivals[0].visitors++
		s.tell(env, k, ladderEnter, entityRoom, v.id, waiter.Waited)
		s.count(env, k, ladderColumnEntered)
		s.enter(env, k, job{visitor: v})
	}
	s.wake(env, k)
}
