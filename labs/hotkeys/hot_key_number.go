package hotkeys

import (
	"slices"

	"seedbed/chapters/hotkey"
	"seedbed/labs"
)

// number is what a hot number is kept in. It lies in one place until its key is named, and from then on as the remedy has it.
type number struct {
	spread bool // the remedy has begun
	empty  bool // it is known that nothing is left, so nobody is asked any more

	added  int64      // in truth
	main   int64      // in the one place, for none, copies and local
	live   hotkey.Sum // in parts
	told   hotkey.Sum // as readers have it, from the last look
	behind int64      // by how much readers read too little, at most

	left       int64   // in the one place
	lefts      []int64 // in each copy
	parts      hotkey.Stock
	sold       int64
	askedAgain int64 // parts that were asked beyond the first
}

func (n *number) clone() number {
	c := *n
	c.live, c.told, c.parts, c.lefts = n.live.Clone(), n.told.Clone(), n.parts.Clone(), slices.Clone(n.lefts)
	return c
}

// server is one server of the application, with what it keeps of hot keys.
type server struct {
	values  hotkey.Local[int64] // versions of values
	pending int64               // added or sold here and not yet written back
	view    int64               // what was left when it asked last
	until   int64               // when it asks again
}

// begin makes what holds the number, and the servers.
func (s *hotKey) begin(servers int) {
	var err error
	s.live, err = hotkey.NewSum(s.copies.N)
	labs.Must(err)
	s.told = s.live.Clone()
	s.left, s.lefts = s.stock, make([]int64, s.copies.N)
	s.servers = make([]server, servers)
	for i := range s.servers {
		s.servers[i].values, err = hotkey.NewLocal[int64](hotkey.LocalConfig{Keys: maxTop, TTL: s.ttl})
		labs.Must(err)
	}
}

// begun reports whether the remedy holds for the number, and begins it when the key has been named. There is no way back: parts are
// not put together again because a counter has changed its mind.
func (s *hotKey) begun(id int64) bool {
	if !s.spread && s.cure != cureNone && s.named(id) {
		s.spread = true
		for i := range s.lefts {
			s.lefts[i] = s.left
		}
		var err error
		s.parts, err = hotkey.NewStock(s.left, s.copies.N)
		labs.Must(err)
	}
	return s.spread
}

// readLocal answers from what a server keeps, and reports whether it could. If not, it keeps what is now read.
func (s *hotKey) readLocal(env *labs.Env, id int64) bool {
	values := &s.servers[s.choose.Below(int64(len(s.servers)))].values
	version, ok := values.GetAt(env.Now(), uint64(id))
	if !ok {
		values.PutAt(env.Now(), env.Now(), uint64(id), s.version)
		return false
	}
	s.localHits++
	if id == s.hotID() && version != s.version {
		s.old++
	}
	env.Add(columnLocal, 1)
	env.Emit(hotLocal, entityServers, s.requests, id)
	return true
}

// add adds one to the hot number.
func (s *hotKey) add(env *labs.Env, id int64) {
	s.added++
	switch {
	case !s.begun(id):
		s.main++
		s.addAt(env, id, s.home(id))
	case s.cure == cureCopies: // each copy must hear of it
		s.main++
		for i := range s.copies.N {
			s.addAt(env, id, s.copies.Shard(uint64(id), i))
		}
	case s.cure == cureLocal:
		i := s.choose.Below(int64(len(s.servers)))
		v := &s.servers[i]
		if v.pending == 0 {
			env.At(env.Now()+s.ttl, eventFlush, 0, i, 0)
		}
		v.pending++
		env.Add(columnLocal, 1)
		env.Emit(hotLocal, entityServers, s.requests, id)
	default:
		part := s.part()
		s.live.Add(part, 1)
		s.addAt(env, id, s.copies.Shard(uint64(id), part))
	}
	s.lag()
}

func (s *hotKey) addAt(env *labs.Env, id int64, shard int) {
	s.ask(env, shard)
	env.Emit(hotAdd, entityShard+shard, s.requests, id)
}

// lag notes how far behind the truth a reader would be.
func (s *hotKey) lag() { s.behind = max(s.behind, s.added-s.readable()) }

// readable is the number as it is read.
func (s *hotKey) readable() int64 { return s.main + s.told.Value() }

// flush writes back what a server has added up: one operation, whatever it comes to.
func (s *hotKey) flush(env *labs.Env, v *server) {
	s.main += v.pending
	v.pending = 0
	s.addAt(env, s.hotID(), s.home(s.hotID()))
}

// settle merges the parts of the number, once a second, and shows what there is.
func (s *hotKey) settle(env *labs.Env) {
	if s.holds == holdsLikes {
		if s.spread && s.cure == cureSplit {
			for i := range s.copies.N {
				s.ask(env, s.copies.Shard(uint64(s.hotID()), i))
			}
			s.told.Merge(&s.live)
		}
		env.Set(columnAdded, s.added)
		env.Set(columnTold, s.readable())
	}
	env.Set(columnSold, s.sold)
}

// sell lets one buyer take one.
func (s *hotKey) sell(env *labs.Env, id int64) {
	switch {
	case s.empty:
		s.soldOut(env)
		return
	case !s.begun(id):
		s.takeFrom(env, &s.left, s.home(id))
		s.empty = s.left == 0
	case s.cure == cureCopies: // each copy counts down for itself
		part := s.part()
		s.takeFrom(env, &s.lefts[part], s.copies.Shard(uint64(id), part))
		s.empty = slices.Max(s.lefts) == 0
	case s.cure == cureLocal:
		s.sellLocal(env, id)
	default:
		part := s.part()
		ok, asked := s.parts.Take(part, 1)
		for i := range asked {
			s.ask(env, s.copies.Shard(uint64(id), part+i))
		}
		s.askedAgain += int64(asked - 1)
		if s.empty = !ok; ok {
			s.sale(env, s.copies.Shard(uint64(id), part))
		} else {
			s.soldOut(env)
		}
	}
}

// takeFrom takes one from a number on a shard.
func (s *hotKey) takeFrom(env *labs.Env, left *int64, shard int) {
	s.ask(env, shard)
	if *left <= 0 {
		s.soldOut(env)
		return
	}
	*left--
	s.sale(env, shard)
}

// sellLocal sells by what a server believes to be left. Now and then it writes back what it has sold and asks what is left in truth.
func (s *hotKey) sellLocal(env *labs.Env, id int64) {
	v := &s.servers[s.choose.Below(int64(len(s.servers)))]
	shard := s.home(id)
	if env.Now() >= v.until {
		s.ask(env, shard)
		s.left -= v.pending
		v.pending, v.view, v.until = 0, s.left, env.Now()+s.ttl
	}
	if v.view <= v.pending {
		s.empty = s.left <= 0
		s.soldOut(env)
		return
	}
	v.pending++
	s.sale(env, shard)
}

// sale counts what is sold, against what there was.
func (s *hotKey) sale(env *labs.Env, shard int) {
	s.sold++
	env.Emit(hotSell, entityShard+shard, s.requests, s.sold)
	if s.sold > s.stock {
		env.Fail(checkSold, s.requests, s.sold, s.stock)
	}
}

func (s *hotKey) soldOut(env *labs.Env) {
	env.Add(columnSoldOut, 1)
	env.Emit(hotSoldOut, entityServers, s.requests, s.sold)
}
