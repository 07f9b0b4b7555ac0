package degrade

import "seedbed/chapters/hashing"

// whole is how finely a share of the users can be told apart.
const whole = 10_000

// hand is a share of the users that somebody has put on a level.
type hand struct {
	until int64
	share int64 // of whole; 0 when nobody holds anything
	level Level
}

func (h *hand) expire(now int64) {
	if now >= h.until {
		*h = hand{}
	}
}

// HoldAt puts a share of the users on a level until an instant, whatever the signals say; NoEnd is until Release. The others are where
// the signals want them. A later hold takes the place of an earlier one. It returns a *RangeError, and changes nothing, for a level that
// is not there and a share outside 0..100.
//
// Give every hold an end: a switch that was forgotten is the next incident.
func (l *Ladder) HoldAt(now int64, level Level, percent, until int64) (Changes, error) {
	if err := firstOf(within("level", int64(level), 0, Levels-1, ""), within("percent", percent, 0, 100, "")); err != nil {
		return Changes{}, err
	}
	l.advance(now)
	l.hand = hand{until: until, share: percent * (whole / 100), level: level}
	l.hand.expire(l.now)
	return l.tell(), nil
}

// ReleaseAt leaves everybody to the signals.
func (l *Ladder) ReleaseAt(now int64) Changes {
	l.advance(now)
	l.hand = hand{}
	return l.tell()
}

// HeldAt is what a hand holds at now; a share of 0 percent is nothing.
func (l *Ladder) HeldAt(now int64) (level Level, percent int64) {
	h := l.hand
	h.expire(max(l.now, now))
	return h.level, h.share / (whole / 100)
}

// LevelAt is the level for a user. What the signals have changed until now is told by the next call that returns Changes.
func (l *Ladder) LevelAt(now int64, user string) Level {
	return l.levelAt(now, hashing.Sum64String(l.cfg.Seed, user))
}

// LevelOfAt is LevelAt for users that are numbers already.
func (l *Ladder) LevelOfAt(now int64, user uint64) Level {
	return l.levelAt(now, hashing.Mix64(user^l.cfg.Seed))
}

// levelAt is in the share by the high half of the hash, as evenly as 2^32 goes into whole.
func (l *Ladder) levelAt(now int64, hash uint64) Level {
	l.advance(now)
	if int64(hash>>32*whole>>32) < l.hand.share {
		return l.hand.level
	}
	return l.level
}
