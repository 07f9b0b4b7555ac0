package route

import "seedbed/chapters/pmath"

// SlowStart gives a peer that is new or back a growing part of its weight: max(MinPercent, (max(t, 1 s)/Window)^(1/Aggression)), with t
// since it came (envoyproxy/envoy, arch_overview, load_balancing/slow_start). The floor keeps a light peer from never being chosen,
// so that it could never show that it is warm.
type SlowStart struct {
	Window     int64 // ns, 0..MaxDuration; 0 means none
	MinPercent int64 // 0..100; 0 means 10, Envoy's default
	Aggression int64 // in thousandths, 0..1_000_000; 0 means 1000: linear. Above, the weight grows faster at first
}

func (s *SlowStart) check() error {
	return firstOf(
		within("slow start", s.Window, 0, MaxDuration, "ns"),
		within("slow start percent", s.MinPercent, 0, 100, ""),
		within("slow start aggression", s.Aggression, 0, 1_000_000, "thousandths"),
	)
}

// part is how many of WeightUnit parts of its weight a peer has t after it came. At least 1.
func (s *SlowStart) part(t int64) int64 {
	t = max(t, second)
	if t >= s.Window {
		return WeightUnit
	}
	floor := s.MinPercent * (WeightUnit / 100)
	if floor == 0 {
		floor = 10 * (WeightUnit / 100)
	}
	var grown int64
	if s.Aggression == 0 || s.Aggression == 1000 {
		grown = mulDiv(t, WeightUnit, s.Window)
	} else {
		grown = pmath.Floor64(float64(pmath.Pow(float64(t)/float64(s.Window), 1000/float64(s.Aggression)) * WeightUnit))
	}
	return max(floor, grown)
}

// weight is what peer i counts for now, in 1/WeightUnit.
func (p *Pool) weight(q *peer) int64 {
	if q.state == Warming {
		return q.Weight * p.cfg.SlowStart.part(since(q.since, p.now))
	}
	return q.Weight * WeightUnit
}

// WeightNow is what peer i counts for as of the newest instant seen, in 1/WeightUnit: all its weight unless it is Warming.
func (p *Pool) WeightNow(i int) int64 { return p.weight(&p.peers[i]) }
