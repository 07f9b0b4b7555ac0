package ring

// Algorithm names one of the ways to own keys, for those who choose at run time.
type Algorithm uint8

// The algorithms. Bounded loads are not among them: Loads puts a bound over any.
const (
	AlgorithmModulo Algorithm = iota
	AlgorithmRing
	AlgorithmKetama
	AlgorithmRendezvous
	AlgorithmJump
	AlgorithmMaglev
	AlgorithmMultiProbe
	AlgorithmAnchor
	algorithms
)

var algorithmNames = [algorithms]string{"modulo", "ring", "ketama", "rendezvous", "jump", "maglev", "multi-probe", "anchor"}

// String is the name in lower case, as in "multi-probe".
func (a Algorithm) String() string {
	if a < algorithms {
		return algorithmNames[a]
	}
	return "unknown algorithm"
}

// BuildConfig is the configuration of every algorithm; each reads its own fields. The zero value has every default.
type BuildConfig struct {
	Points   int    // Ring
	Unit     int64  // Ring
	Slots    int    // Maglev
	Probes   int    // MultiProbe
	Capacity int    // Anchor
	Seed     uint64 // all but Ketama
}

// Build makes a snapshot by an algorithm chosen at run time. Errors are those of its constructor, and a *RangeError for an unknown one.
func Build(a Algorithm, cfg BuildConfig, members []Member) (Snapshot, error) {
	switch a {
	case AlgorithmModulo:
		return opened(NewModulo(HashConfig{cfg.Seed}, members))
	case AlgorithmRing:
		return opened(New(Config{Points: cfg.Points, Unit: cfg.Unit, Seed: cfg.Seed}, members))
	case AlgorithmKetama:
		return opened(NewKetama(members))
	case AlgorithmRendezvous:
		return opened(NewRendezvous(HashConfig{cfg.Seed}, members))
	case AlgorithmJump:
		return opened(NewJump(HashConfig{cfg.Seed}, members))
	case AlgorithmMaglev:
		return opened(NewMaglev(MaglevConfig{Slots: cfg.Slots, Seed: cfg.Seed}, members))
	case AlgorithmMultiProbe:
		return opened(NewMultiProbe(MultiProbeConfig{Probes: cfg.Probes, Seed: cfg.Seed}, members))
	case AlgorithmAnchor:
		return opened(NewAnchor(AnchorConfig{Capacity: cfg.Capacity, Seed: cfg.Seed}, members))
	}
	return nil, &RangeError{Field: "algorithm", Got: int64(a), Min: 0, Max: int64(algorithms) - 1}
}

// opened puts a snapshot behind the door, and no nil pointer behind it when there is none.
func opened[S Snapshot](s S, err error) (Snapshot, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}
