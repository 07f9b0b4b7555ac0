package route

// budgetSlices is how finely a Budget sees the age of its deposits.
const budgetSlices = 10

// BudgetConfig describes a Budget.
type BudgetConfig struct {
	Percent   int64 // retries that 100 requests pay for, 0..1000
	PerSecond int64 // retries a second on top, so that a client with few requests may retry at all, 0..1_000_000
	TTL       int64 // ns that an unused deposit lasts, 10..3600e9: at most this, and more than nine tenths of it
}

// FinagleBudget is Finagle's default: 20 percent, 10 a second, 10 s.
func FinagleBudget() BudgetConfig { return BudgetConfig{Percent: 20, PerSecond: 10, TTL: 10 * second} }

// Budget bounds retries by requests: each request pays in a part of a retry, each retry takes a whole one out (twitter/finagle,
// finagle-core, service/RetryBudget.scala). Without it, three attempts at each of three layers make 27 requests of one just when the
// last layer is down.
//
// From the first instant on, in a time T with N requests, the retries stay within N × Percent/100 + T × PerSecond; so the requests
// sent are at most 1 + Percent/100 + PerSecond/λ times those asked for at λ a second. Finagle grants PerSecond × TTL at once at the
// start; here the reserve fills from 0, which is what makes this bound hold from the first second on.
//
// O(1), flat. The zero value grants nothing.
type Budget struct {
	cfg    BudgetConfig
	begun  bool
	now    int64
	oldest int64               // number of the oldest slice that counts
	left   [budgetSlices]int64 // of the deposits of each slice, in parts of a retry
	floor  int64               // parts
}

// retryParts is how many parts make one retry: a nanosecond brings PerSecond of them, a request Percent/100 of all.
const retryParts = second

// NewBudget returns a *RangeError for a field out of range.
func NewBudget(cfg BudgetConfig) (Budget, error) {
	return Budget{cfg: cfg}, firstOf(
		within("budget percent", cfg.Percent, 0, 1000, ""),
		within("budget per second", cfg.PerSecond, 0, 1_000_000, ""),
		within("budget TTL", cfg.TTL, budgetSlices, 3600*second, "ns"),
	)
}

// DepositAt counts one request. Count only first attempts: a retry that paid for the next would let them breed.
func (b *Budget) DepositAt(now int64) {
	if b.cfg.TTL == 0 {
		return
	}
	b.advance(now)
	s := &b.left[b.slice(b.number(b.now))]
	*s = min(*s+b.cfg.Percent*(retryParts/100), maxInt64/budgetSlices)
}

// WithdrawAt takes out one retry, or reports false and takes nothing. The oldest deposits are spent first and the reserve last.
func (b *Budget) WithdrawAt(now int64) bool {
	if b.cfg.TTL == 0 {
		return false
	}
	b.advance(now)
	if b.parts() < retryParts {
		return false
	}
	due := int64(retryParts)
	for k := range int64(budgetSlices) {
		s := &b.left[b.slice(b.oldest+k)]
		part := min(*s, due)
		*s -= part
		due -= part
	}
	b.floor -= due
	return true
}

// BalanceAt is how many retries could be taken out.
func (b *Budget) BalanceAt(now int64) int64 {
	if b.cfg.TTL == 0 {
		return 0
	}
	b.advance(now)
	return b.parts() / retryParts
}

// parts saturates, as the slices do.
func (b *Budget) parts() int64 {
	n := b.floor
	for _, s := range b.left {
		n = later(n, s)
	}
	return n
}

func (b *Budget) number(at int64) int64 { return floorDiv(at, b.cfg.TTL/budgetSlices) }
func (b *Budget) slice(number int64) int64 {
	return number - floorDiv(number, budgetSlices)*budgetSlices
}

// advance lets the reserve grow and drops the slices that are too old.
func (b *Budget) advance(now int64) {
	if !b.begun {
		b.begun, b.now = true, now
		b.oldest = b.number(now) - (budgetSlices - 1)
	}
	if now <= b.now {
		return
	}
	reserve := b.cfg.PerSecond * b.cfg.TTL
	b.floor += mulUpTo(since(b.now, now), b.cfg.PerSecond, reserve-b.floor)
	b.now = now
	oldest := b.number(now) - (budgetSlices - 1)
	for k := b.oldest; k < min(oldest, b.oldest+budgetSlices); k++ {
		b.left[b.slice(k)] = 0
	}
	b.oldest = max(b.oldest, oldest)
}

// Clone returns an independent copy.
func (b *Budget) Clone() Budget { return *b }

// Size is 112 bytes: eleven numbers of parts and three of time.
func (b *Budget) Size() int { return 8 * (budgetSlices + 4) }
