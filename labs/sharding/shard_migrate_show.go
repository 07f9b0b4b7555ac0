package sharding

import (
	"seedbed/chapters/shard"
	"seedbed/labs"
)

// look is what a shard and its log look like on the stage: the shapes of both.
type look struct {
	shard [labs.ShardShape]int64
	log   [labs.LogShape]int64
}

// unknown is a look that none has, so that the first one is told.
var unknown = look{[labs.ShardShape]int64{-1}, [labs.LogShape]int64{-2}}

// draw tells what the shards and their logs look like from now on, where that has changed.
func (s *migrate) draw(env *labs.Env, are *[2]shard.State) {
	for i := range are {
		is, was := s.lookOf(i, are), &s.looks[i]
		if is.shard != was.shard {
			env.Shape(entityOld+i, is.shard[:])
		}
		if is.log != was.log {
			env.Shape(entityOldLog+i, is.log[:])
		}
		*was = is
	}
}

// lookOf is how shard i and its log look. While a part moves, the log of where it comes from is carried to where it goes, and from the
// cut-over on the other way, so that the old copy follows.
func (s *migrate) lookOf(i int, are *[2]shard.State) (l look) {
	gate := &are[i].Gate
	l.shard = [labs.ShardShape]int64{labs.ShardEpoch: gate.Serves.Epoch, labs.ShardFence: gate.Fence.Epoch, labs.ShardGate: int64(gate.Mode)}
	if s.part.Shard == shardNames[i] {
		l.shard[labs.ShardOwner] = 1
	}
	l.log = [labs.LogShape]int64{-1, -1}
	if s.part.Move.Epoch > 0 && s.part.Shard == shardNames[i] {
		if cursor := &are[1-i].Cursor; cursor.Term.Epoch > 0 {
			l.log[labs.LogCarried] = cursor.Applied
		}
	}
	if gate.Mode == shard.Fenced {
		l.log[labs.LogFence] = are[i].Head
	}
	return l
}
