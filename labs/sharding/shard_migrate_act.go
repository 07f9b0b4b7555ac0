package sharding

import (
	"seedbed/chapters/shard"
	"seedbed/labs"
)

// This file is what the reader may do to a run of shard-migrate, and what a crash is.

// Act carries out what the reader does.
func (s *migrate) Act(env *labs.Env, do labs.Do) {
	at := numberOf(do.Target)
	switch do.Verb {
	case verbWrite:
		s.begin(env, ask{key: shard.Key(do.Value), stale: do.Target == "stale"})
	case verbCrash:
		if at == coordinator {
			s.left = do.Value
			return
		}
		s.crash(env, at)
	case verbPartition, verbHeal:
		s.cut[at] = do.Verb == verbPartition
		env.Emit(eventPartition+do.Verb-verbPartition, entityOf(at), 0, 0)
	case verbStep:
		s.step(env)
	case verbRollback:
		s.back = true
		s.step(env)
	}
}

// crash takes a process away for a while. What a shard has acknowledged is on its disk; what a migration knows is in the stores.
func (s *migrate) crash(env *labs.Env, who int) {
	if s.down[who] {
		return
	}
	s.down[who] = true
	s.setDown(env, who, 1)
	env.Emit(eventCrash, entityOf(who), 0, 0)
	env.At(env.Now()+s.stay, migrateRestart, uint16(who), 0, 0)
}

func (s *migrate) setDown(env *labs.Env, who int, down int64) {
	if who == coordinator {
		set(env, columnDown, down)
		return
	}
	set(env, columnShard+who*nOfShard+ofDown, down)
}

// numberOf is a shard's or the coordinator's number by its name.
func numberOf(name string) int {
	switch name {
	case "old":
		return 0
	case "new":
		return 1
	}
	return coordinator
}

func entityOf(who int) int {
	if who == coordinator {
		return entityCoordinator
	}
	return entityOld + who
}

func (a *ask) entity() int {
	if a.stale {
		return entityStale
	}
	return entityClient
}
