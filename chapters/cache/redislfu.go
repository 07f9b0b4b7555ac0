package cache

// redisLFU evicts, of a few slots looked at by chance and the worst ones that it remembers from before, the one with the lowest
// logarithmic counter. No list is kept: a use writes four bytes.
//
// Source: redis/redis, src/evict.c: evictionPoolPopulate and performEvictions; maxmemory-samples is 5 and the pool holds 16. Redis
// believes what it noted in the pool; here an entry that has been used since is looked at again.
type redisLFU struct {
	log     Logarithm
	samples int
	random  stream
	pool    [poolSize]noted // the lowest counter first
	pooled  int
}

const poolSize = 16

// noted is a slot that was looked at.
type noted struct {
	hash  uint64
	slot  int32
	count uint8
}

func (p *redisLFU) hit(links []link, now int64, i int32) {
	links[i].mark = uint32(p.log.UseAt(now, LogCounter(links[i].mark), &p.random))
}

func (p *redisLFU) add(links []link, now int64, i int32) {
	links[i].mark = uint32(p.log.StartAt(now))
}

func (p *redisLFU) drop([]link, int32) {}

// room is asked when each slot is used: any number above the heads is somebody's.
func (p *redisLFU) room(links []link, now int64) int32 {
	for {
		for range p.samples {
			i := heads + int32(p.random.Below(int64(len(links)-heads)))
			p.note(noted{links[i].hash, i, p.log.CountAt(now, LogCounter(links[i].mark))})
		}
		for p.pooled > 0 {
			n := p.pool[0]
			copy(p.pool[:], p.pool[1:p.pooled])
			p.pooled--
			l := &links[n.slot]
			if l.used && l.hash == n.hash && p.log.CountAt(now, LogCounter(l.mark)) <= n.count {
				return n.slot
			}
		}
	}
}

// note keeps the worst slots seen, each once. Of equal ones the first stays before.
func (p *redisLFU) note(n noted) {
	for i := range p.pooled {
		if p.pool[i].slot == n.slot && p.pool[i].hash == n.hash {
			copy(p.pool[i:], p.pool[i+1:p.pooled])
			p.pooled--
			break
		}
	}
	if p.pooled == poolSize {
		if n.count >= p.pool[poolSize-1].count {
			return
		}
		p.pooled--
	}
	i := p.pooled
	for ; i > 0 && p.pool[i-1].count > n.count; i-- {
		p.pool[i] = p.pool[i-1]
	}
	p.pool[i] = n
	p.pooled++
}

func (p *redisLFU) frequency(links []link, now int64, i int32) int64 {
	return int64(p.log.CountAt(now, LogCounter(links[i].mark)))
}

func (p *redisLFU) clone() policy { c := *p; return &c }

func (p *redisLFU) size() int { return 16*poolSize + 16 }
