package sim

import "testing"

// The first outputs of xoshiro256** from the state 1, 2, 3, 4, as its reference implementation prints them and as other
// implementations (such as the rand_xoshiro crate's tests) list them.
func TestStreamIsXoshiro256StarStar(t *testing.T) {
	r := Stream{s: [4]uint64{1, 2, 3, 4}}
	for i, want := range []uint64{11520, 0, 1509978240, 1215971899390074240, 1216172134540287360, 607988272756665600, 16172922978634559625, 8476171486693032832, 10595114339597558777, 2904607092377533576} {
		if got := r.Uint64(); got != want {
			t.Fatalf("output %d is %d, want %d", i, got, want)
		}
	}
}

func TestBucketsCoverTheirRange(t *testing.T) {
	for v := int64(0); v < 1<<maxBits; v += 1 + v/37 {
		i := bucketOf(v)
		if i < 0 || i >= nBucket || upper(i) < v || (i > 0 && upper(i-1) >= v) {
			t.Fatalf("%d falls into bucket %d, which ends at %d", v, i, upper(i))
		}
	}
	if i := bucketOf(1<<maxBits - 1); i != nBucket-1 {
		t.Errorf("the largest value falls into bucket %d, want the last, %d", i, nBucket-1)
	}
}
