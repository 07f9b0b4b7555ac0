package culprit

import "seedbed/labs"

// How services work and call each other.
const (
	workers                = 24           // of a service
	patience               = 1300 * milli // who would wait longer for a worker is turned away at once
	waitNoted              = 100 * milli  // who waited longer than this for a worker is written down
	slowCache              = 50 * milli   // as is an answer of the cache that took longer
	timeout                = second       // of a call
	attempts               = 2            // of a call that times out
	hasty                  = 30 * milli   // the time-out of callers in a retry storm
	stubborn               = 8            // and their attempts
	failTime               = 3 * milli    // an error comes at once
	cacheTime              = 2 * milli    // on average, as are the next three
	queryTime              = 8 * milli
	askOutside             = 12 * milli
	missShare              = 300_000    // of what is asked of a cache, parts in a million
	largeFrom              = 60         // articles in a large basket
	hop                    = 200_000    // ns to a service
	handle                 = 48 * milli // about what a call takes: by this a pool is too small
	maxSpans               = 120
	firstArticle, nArticle = 1000, 200
)

// span is one piece of work in a trace.
type span struct {
	parent, entity, word, outcome int32 // the parent's index, -1 for the root
	began, took, waited           int64
}

// request is one order on its way through the shop.
type request struct {
	trace, article, keys int64
	began                int64
	spans                [maxSpans]span
	n                    int
	lines                [maxLines]line
	held                 int
	lost                 span // where spans go that have no room
}

// walk carries an order through the services and returns when it ended. It runs at the instant of the arrival: a service's workers are
// known by when they will be free, which is exact as long as orders reach it in the order of their arrival, and nearly so else.
func (s *state) walk(env *labs.Env, r *request) (end int64, ok bool) {
	root := r.open(-1, gateway, wordHandle, r.began)
	end, code := s.serve(env, r, root, gateway, r.began)
	r.at(root).outcome = int32(code)
	return end, code < 0
}

// open begins a span.
func (r *request) open(parent int, who, word int, at int64) int {
	if r.n == maxSpans {
		return -1
	}
	r.spans[r.n] = span{parent: int32(parent), entity: int32(entityOf(who)), word: int32(word), outcome: -1, began: at}
	r.n++
	return r.n - 1
}

func (r *request) at(i int) *span {
	if i < 0 {
		return &r.lost
	}
	return &r.spans[i]
}

// call is one service calling another, again where it times out.
func (s *state) call(env *labs.Env, r *request, parent, from, to int, t int64) (end int64, code int) {
	limit, most := int64(timeout), attempts
	switch to {
	case orders:
		limit, most = 4*timeout, 1 // it calls five others, and an order is not placed twice
	case pricing:
		limit = 2 * timeout
	}
	if s.luck.Chance(s.in.at(retryStorm, to, r.began)) {
		limit, most = hasty, stubborn
	}
	for range most {
		i := r.open(parent, to, wordHandle, t)
		end, code = s.serve(env, r, i, to, t+hop)
		p := r.at(i)
		if end-t > limit {
			p.took, p.outcome = limit, codeTimeout
			t += limit
			r.write(line{at: t, who: from, level: wordError, code: codeTimeout, span: i, took: limit})
			code = codeTimeout
			continue
		}
		p.took, p.outcome = end-t, int32(code)
		if code == codeConnect {
			r.write(line{at: end, who: from, level: wordError, code: code, span: i, took: p.took})
		}
		if p.took > s.slowHTTP {
			r.write(line{at: end, who: from, level: wordWarn, code: codeSlowHTTP, span: i, took: p.took})
		}
		return end, code
	}
	return t, code
}

// serve is what a service does for one call. The code is -1 when all went well.
func (s *state) serve(env *labs.Env, r *request, i, who int, t int64) (end int64, code int) {
	began := t
	w, wait, code := s.admit(r, i, who, t)
	if code >= 0 {
		s.count(env, who, failTime, false)
		return t + failTime, code
	}
	t += wait
	t, code = s.work(env, r, i, who, t)
	p := r.at(i)
	p.waited, p.took = wait, t-began
	if w >= 0 {
		s.free[who][w] = t
	}
	s.busy[who] += t - began - wait
	s.count(env, who, t-began, code < 0)
	return t, code
}

// admit finds a worker, or says why there is none. The two services in front have as many as they need.
func (s *state) admit(r *request, i, who int, t int64) (worker int, wait int64, code int) {
	if who >= nPlace {
		return -1, 0, -1
	}
	if s.meets(expiredCert, who, r.began) {
		return 0, 0, codeConnect
	}
	worker = 0
	for k, n := 1, int(s.capacity(who, r.began)); k < n; k++ {
		if s.free[who][k] < s.free[who][worker] {
			worker = k
		}
	}
	wait = max(0, s.free[who][worker]-t)
	switch {
	case wait > patience:
		r.write(line{at: t, who: who, level: wordError, code: codePool, span: i, took: wait})
		return 0, 0, codePool
	case wait > waitNoted:
		r.write(line{at: t + wait, who: who, level: wordWarn, code: codePool, span: i, took: wait})
	}
	return worker, wait, -1
}

// capacity is how many workers a service has.
func (s *state) capacity(who int, now int64) int64 {
	few := max(1, s.rate*handle/(1000*second))
	if who == pricing {
		few *= 2 // its workers wait for the coupons
	}
	if s.in.at(poolTooSmall, who, now) > 0 {
		return few
	}
	return workers - (workers-few)*s.in.at(threadLeak, who, now)/million
}

// meets draws whether a fault that meets some of the calls meets this one.
func (s *state) meets(c cause, who int, now int64) bool {
	severity := s.in.at(c, who, now)
	return severity > 0 && s.luck.Chance(s.in.share*severity/million)
}

// slower is what a cause adds to a piece of work.
func (s *state) slower(c cause, who int, now int64) int64 {
	severity := s.in.at(c, who, now)
	if severity == 0 {
		return 0
	}
	extra := s.in.extra * severity / million
	return extra*6/10 + s.luck.Exp(extra*4/10)
}

// work is what a service does once it has a worker.
func (s *state) work(env *labs.Env, r *request, i, who int, t int64) (end int64, code int) {
	if s.meets(badFlag, who, r.began) || s.meets(fullDisk, who, r.began) {
		t += failTime
		r.write(line{at: t, who: who, level: wordError, code: codeInternal, span: i, took: failTime})
		return t, codeInternal
	}
	self := services[who].self
	t += self/2 + s.taste.Below(self) + s.slower(memoryLeak, who, r.began)
	if s.meets(badInstance, who, r.began) {
		t += s.slower(badInstance, who, r.began)
	}
	for _, to := range calls[who] {
		if t, code = s.call(env, r, i, who, to, t); code >= 0 {
			return t, code
		}
	}
	if who == gateway {
		return t, -1
	}
	return s.ask(r, i, who, t), -1
}

// calls are whom each service calls, one after another.
var calls = [nService][]int{
	gateway: {users, orders},
	orders:  {cart, pricing, stock, payment, shipping},
	pricing: {coupons},
}

// ask is what a service asks of its cache, its database and others' APIs.
func (s *state) ask(r *request, i, who int, t int64) int64 {
	now := r.began
	took := cacheTime/2 + s.taste.Below(cacheTime)
	if r.article == s.in.hot {
		took += s.slower(hotKey, who, now)
	}
	if r.keys >= largeFrom {
		took += s.slower(bigBatch, who, now)
	}
	t = s.step(r, i, who, wordCache, t, took, slowCache, codeSlowCache)
	if miss := s.slower(cacheExpiry, who, now); miss > 0 || s.taste.Chance(missShare) {
		t = s.step(r, i, who, wordQuery, t, miss+s.taste.Below(2*queryTime), s.slowDB, codeSlowDB)
	}
	took = queryTime/2 + s.taste.Below(queryTime) + s.slower(slowQuery, who, now)
	if s.meets(networkLoss, who, now) {
		took += s.slower(networkLoss, who, now)
	}
	t = s.step(r, i, who, wordQuery, t, took, s.slowDB, codeSlowDB)
	if services[who].outside {
		took = askOutside/2 + s.taste.Below(askOutside) + s.slower(slowThirdParty, who, now)
		t = s.step(r, i, who, wordOutside, t, took, s.slowHTTP, codeSlowHTTP)
	}
	return t
}

// step is one span below a service's own.
func (s *state) step(r *request, parent, who, word int, t, took, slow int64, code int) int64 {
	i := r.open(parent, who, word, t)
	r.at(i).took = took
	if took > slow {
		r.write(line{at: t + took, who: who, level: wordWarn, code: code, span: i, took: took})
	}
	return t + took
}

// count puts a call into the metrics of a service, at the instant at which its order arrived: by then the walk knows how it will end.
func (s *state) count(env *labs.Env, who int, took int64, ok bool) {
	column := columnsEach*who + columnFailed
	if ok {
		column = columnsEach*who + columnOK
	}
	env.Add(column, 1)
	s.seen[who].Add(took)
}

// order draws what an order is about.
func (s *state) order(r *request, now int64) {
	r.n, r.held, r.began = 0, 0, now
	s.trace++
	r.trace = s.trace
	r.article = firstArticle + s.basket.Below(nArticle)
	r.keys = 1 + s.basket.Below(8)
	popular := s.in.cause == hotKey && s.basket.Chance(s.in.share*s.in.severity(now)/million)
	if popular {
		r.article = s.in.hot
	}
	if s.in.cause == bigBatch && s.basket.Chance(s.in.share*s.in.severity(now)/million) {
		r.keys = largeFrom + s.basket.Below(largeFrom)
	}
}
