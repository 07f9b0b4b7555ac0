package lab

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"testing"

	"seedbed/labs"
	"seedbed/web/text"
)

var update = flag.Bool("update", false, "write the goldens anew")

// numberRow is one number in every form that both sides write.
type numberRow struct {
	Unit  string `json:"unit"`
	Scale int64  `json:"scale"`
	Value int64  `json:"value"`
	EN    string `json:"en"`
	ZH    string `json:"zh"`
	Plain string `json:"plain"`
}

// TestNumbersOfTheClient keeps the table against which the client's tests hold its own writing of numbers (web/client/lab/number.ts):
// a reader must not see 1.001 s turn into 1001 ms when the script takes over.
func TestNumbersOfTheClient(t *testing.T) {
	const golden = "../../client/lab/testdata/numbers.json"
	var rows []numberRow
	for u := labs.Count; u <= labs.Ratio; u++ {
		s := u.Scale()
		values := []int64{0, 1, -1, 7, 999, 1000, 1001, 1024, 1536, 12_345, 102_528, 999_999, 1_000_000, 1_001_000, 1_048_576, 1_500_000_000, 1_001_000_000, 60_000_000_000, s, -s, 3 * s, s / 2, s/2 + s, 1 << 52}
		slices.Sort(values)
		for _, v := range slices.Compact(values) {
			rows = append(rows, numberRow{u.Code(), s, v, text.Number(text.EN, u, v), text.Number(text.ZH, u, v), u.Format(v)})
		}
	}
	got, err := json.MarshalIndent(rows, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is not what the server writes today; run go test ./web/view/lab -update, then the client's tests", golden)
	}
}
