package block_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"seedbed/chapters/cache"
	"seedbed/chapters/cache/block"
	"seedbed/chapters/cache/cachetest"
)

// loader makes a Loader with a clock of its own.
func loader(t testing.TB, change func(*cache.ReadThroughConfig[string])) *block.Loader[string, int] {
	t.Helper()
	cfg := cache.ReadThroughConfig[string]{
		Cache: cache.Config[string]{Capacity: 100}, TTL: int64(time.Minute), Timeout: int64(10 * time.Second),
	}
	if change != nil {
		change(&cfg)
	}
	start := time.Now()
	l, err := block.NewLoader[string, int](cfg, func() int64 { return int64(time.Since(start)) }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestTrap60LoaderKeepsTheClaimsOfSingleFlight: a load may panic, exit, be cancelled or be forgotten, and nobody hangs.
func TestTrap60LoaderKeepsTheClaimsOfSingleFlight(t *testing.T) {
	cachetest.RunLoad(t, cachetest.LoadTarget[*block.Loader[string, int]]{
		New: func() *block.Loader[string, int] { return loader(t, nil) },
		Load: func(ctx context.Context, l *block.Loader[string, int], key string, load func(context.Context) (int, error)) (int, error) {
			return l.Get(ctx, key, load)
		},
		Forget: func(l *block.Loader[string, int], key string) { l.Invalidate(key) },
		Claims: cachetest.FullLoad,
	})
}

func TestPanicReachesTheLeaderAndIsAnErrorToOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := loader(t, nil)
		load := func(context.Context) (int, error) {
			time.Sleep(time.Second)
			panic(errors.ErrUnsupported)
		}
		var all sync.WaitGroup
		var seen any
		all.Go(func() {
			defer func() { seen = recover() }()
			l.Get(t.Context(), "k", load)
		})
		synctest.Wait()
		_, err := l.Get(t.Context(), "k", load)
		all.Wait()
		var p *block.PanicError
		if !errors.As(err, &p) || !errors.Is(err, errors.ErrUnsupported) || len(p.Stack) == 0 {
			t.Errorf("who waited gets %v, want a *PanicError with the value and a stack", err)
		}
		if want := "cache: load panicked: unsupported operation\n\ngoroutine "; !strings.HasPrefix(err.Error(), want) {
			t.Errorf("it says %.60q, want it to begin with %q", err, want)
		}
		if seen != any(p) {
			t.Errorf("the leader recovers %v, want the same *PanicError", seen)
		}
		if s := l.Stats(); s.Loads != 1 || s.Failed != 1 || s.LastFail != error(p) || s.Waiting != 0 {
			t.Errorf("stats %+v, want 1 load, 1 failed", s)
		}
	})
}

// TestTrap60ForgottenLeader: a load that never returns is waited for until Timeout and no longer; then others lead, and what it
// brings in the end is not kept.
func TestTrap60ForgottenLeader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := loader(t, nil)
		stuck := make(chan struct{})
		slow := func(context.Context) (int, error) { <-stuck; return 1, nil } // heeds no context
		var all sync.WaitGroup
		begin := time.Now()
		for range 5 {
			all.Go(func() {
				if _, err := l.Get(t.Context(), "k", slow); !errors.Is(err, block.ErrTimeout) {
					t.Errorf("error %v, want ErrTimeout", err)
				}
			})
		}
		all.Wait()
		if took := time.Since(begin); took != 10*time.Second {
			t.Errorf("callers waited %v, want the timeout, 10s", took)
		}
		v, err := l.Get(t.Context(), "k", func(context.Context) (int, error) { return 2, nil })
		if v != 2 || err != nil {
			t.Errorf("after the timeout the next caller gets %d, %v; want its own load's 2", v, err)
		}
		close(stuck)
		synctest.Wait()
		if v, err = l.Get(t.Context(), "k", slow); v != 2 || err != nil {
			t.Errorf("after the old load came back the key has %d, %v; want 2", v, err)
		}
		if s := l.Stats(); s.Loads != 2 || s.Vain != 1 || s.Waiting != 0 {
			t.Errorf("stats %+v, want 2 loads, 1 in vain", s)
		}
	})
}

// TestLoadOutlivesItsCaller: the context of a load keeps the caller's values and not its cancellation, and ends after Timeout.
func TestLoadOutlivesItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type tag struct{}
		l := loader(t, nil)
		ctx, cancel := context.WithCancel(context.WithValue(t.Context(), tag{}, "trace"))
		begin := time.Now()
		ended := make(chan error, 1)
		go l.Get(ctx, "k", func(ctx context.Context) (int, error) {
			if ctx.Value(tag{}) != "trace" {
				t.Error("the load's context lost the caller's values")
			}
			<-ctx.Done()
			ended <- ctx.Err()
			return 0, ctx.Err()
		})
		synctest.Wait()
		cancel()
		if err := <-ended; !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != 10*time.Second {
			t.Errorf("the load's context ended with %v after %v, want its deadline after 10s", err, time.Since(begin))
		}
		synctest.Wait()
		if _, err := l.Get(ctx, "k", nil); !errors.Is(err, context.Canceled) {
			t.Errorf("with a context that is over already: %v, want context.Canceled, and no load", err)
		}
	})
}

// TestRefreshBehindAValue: whoever finds a stale value is not held up, and exactly one refresh runs behind them.
func TestRefreshBehindAValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := loader(t, func(cfg *cache.ReadThroughConfig[string]) {
			cfg.TTL, cfg.Stale, cfg.Retry = int64(time.Second), int64(time.Minute), int64(5*time.Second)
		})
		var loads atomic.Int64
		var fail atomic.Bool
		load := func(context.Context) (int, error) {
			n := loads.Add(1)
			time.Sleep(100 * time.Millisecond)
			if fail.Load() {
				panic("store down")
			}
			return int(n), nil
		}
		get := func(want int) {
			t.Helper()
			begin := time.Now()
			if v, err := l.Get(t.Context(), "k", load); v != want || err != nil {
				t.Errorf("value %d, %v; want %d", v, err, want)
			}
			if loads.Load() > 1 && time.Since(begin) != 0 {
				t.Errorf("waited %v although there was a value", time.Since(begin))
			}
		}
		get(1)
		time.Sleep(2 * time.Second)
		for range 10 {
			get(1)
		}
		synctest.Wait()
		time.Sleep(200 * time.Millisecond)
		get(2)
		if n := loads.Load(); n != 2 {
			t.Errorf("%d loads, want the first and one refresh", n)
		}
		fail.Store(true)
		time.Sleep(2 * time.Second)
		for range 10 { // one refresh fails, and the next waits for Retry
			get(2)
			time.Sleep(200 * time.Millisecond)
		}
		if n := loads.Load(); n != 3 {
			t.Errorf("%d loads, want one failed refresh more", n)
		}
		if s := l.Stats(); s.Failed != 1 || s.LastFail == nil {
			t.Errorf("stats %+v, want the failed refresh", s)
		}
	})
}

func TestAbsentRefusedPutOutdate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := loader(t, func(cfg *cache.ReadThroughConfig[string]) {
			cfg.Negative, cfg.Stale, cfg.Loads = int64(time.Second), int64(time.Minute), 1
		})
		loads := 0
		absent := func(context.Context) (int, error) {
			loads++
			return 0, fmt.Errorf("row 7: %w", block.ErrAbsent)
		}
		for range 3 {
			if _, err := l.Get(t.Context(), "none", absent); !errors.Is(err, block.ErrAbsent) {
				t.Errorf("error %v, want ErrAbsent", err)
			}
		}
		if loads != 1 {
			t.Errorf("%d loads of an absent key, want 1", loads)
		}
		go l.Get(t.Context(), "slow", func(context.Context) (int, error) { time.Sleep(time.Second); return 1, nil })
		synctest.Wait()
		if _, err := l.Get(t.Context(), "other", absent); !errors.Is(err, block.ErrRefused) {
			t.Errorf("a second load at once: error %v, want ErrRefused", err)
		}
		l.Put("slow", 9)
		time.Sleep(2 * time.Second)
		if v, err := l.Get(t.Context(), "slow", absent); v != 9 || err != nil {
			t.Errorf("after Put during a load: %d, %v; want 9", v, err)
		}
		if !l.Outdate("slow") {
			t.Error("Outdate found nothing")
		}
		if v, err := l.Get(t.Context(), "slow", func(context.Context) (int, error) { return 10, nil }); v != 9 || err != nil {
			t.Errorf("outdated: %d, %v; want the old value at once, 9", v, err)
		}
		synctest.Wait()
		if v, err := l.Get(t.Context(), "slow", absent); v != 10 || err != nil {
			t.Errorf("after its refresh: %d, %v; want 10", v, err)
		}
	})
}

func TestBadConfiguration(t *testing.T) {
	_, err := block.NewLoader[string, int](cache.ReadThroughConfig[string]{Cache: cache.Config[string]{Capacity: 1}, TTL: 1}, nil, nil)
	if want := "timeout: 0 is outside 1..2305843009213693952 ns"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}

// A server loads each page once, however many ask for it at the same moment.
func ExampleLoader() {
	start := time.Now()
	pages, err := block.NewLoader[string, string](cache.ReadThroughConfig[string]{
		Cache:   cache.Config[string]{Capacity: 1000, Policy: cache.WTinyLFU},
		TTL:     int64(time.Minute),
		Stale:   int64(time.Hour),
		Timeout: int64(time.Second),
	}, func() int64 { return int64(time.Since(start)) }, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	load := func(context.Context) (string, error) {
		time.Sleep(10 * time.Millisecond)
		return "hello", nil
	}
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() { pages.Get(context.Background(), "/", load) })
	}
	all.Wait()
	page, err := pages.Get(context.Background(), "/", load)
	fmt.Println(page, err, pages.Stats().Loads)
	// Output: hello <nil> 1
}
