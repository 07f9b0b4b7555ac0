package input_test

import (
	"bytes"
	"strconv"
	"testing"

	"seedbed/labs/input"
)

// BenchmarkRead: an op is a log of 10,000 lines; MB/s is the figure to look at.
func BenchmarkRead(b *testing.B) {
	const lines = 10_000
	logs := map[string]func(i int) string{
		"access": func(i int) string {
			return "192.0.2." + strconv.Itoa(i%200) + " - - [10/Oct/2000:13:" + two(i/600%60) + ":" + two(i/10%60) + ` -0700] "GET /item/` + strconv.Itoa(i%977) + ` HTTP/1.1" 200 5120 "https://example.org/" "Mozilla/5.0 (X11; Linux x86_64)"` + "\n"
		},
		"json": func(i int) string {
			return `{"level":"info","ts":` + strconv.Itoa(971211336+i/10) + `.25,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"192.0.2.` + strconv.Itoa(i%200) + `","proto":"HTTP/2.0","method":"GET","host":"example.org","uri":"/item/` + strconv.Itoa(i%977) + `","headers":{"User-Agent":["curl/8.5.0"]}},"duration":0.0004,"status":200}` + "\n"
		},
		"csv": func(i int) string {
			return strconv.Itoa(971211336000+i*97) + ",192.0.2." + strconv.Itoa(i%200) + ",/item/" + strconv.Itoa(i%977) + "\n"
		},
	}
	for _, name := range []string{"access", "json", "csv"} {
		var log bytes.Buffer
		if name == "csv" {
			log.WriteString("time,client_ip,path\n")
		}
		for i := range lines {
			log.WriteString(logs[name](i))
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(log.Len()))
			b.ReportAllocs()
			for b.Loop() {
				r := input.NewReader(input.Options{})
				r.Write(log.Bytes())
				if a, _, err := r.Close(); err != nil || len(a.At) != lines {
					b.Fatal(len(a.At), err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*lines), "ns/line")
		})
	}
}
