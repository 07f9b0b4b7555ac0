package input_test

import (
	"fmt"
	"io"
	"strings"

	"seedbed/labs/input"
)

func ExampleReader() {
	log := strings.NewReader(`192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.1" 200 5
192.0.2.2 - - [10/Oct/2000:13:55:38 -0700] "GET / HTTP/1.1" 200 5
192.0.2.2 - - [10/Oct/2000:13:55:38 -0700] "\x16\x03\x01" 400 157
192.0.2.1 - - [10/Oct/2000:13:55:37 -0700] "GET /a HTTP/1.1" 200 5
`)
	r := input.NewReader(input.Options{})
	if _, err := io.Copy(r, log); err != nil {
		fmt.Println(err)
		return
	}
	arrivals, report, err := r.Close()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(arrivals.At, arrivals.Key)
	fmt.Println("input=" + arrivals.Digest())
	fmt.Println(report.Lines, "lines:", report.Requests(), "requests,", report.Comments(), "comments,", report.Rejected(), "rejected")
	for _, f := range report.First {
		fmt.Println("line", f.Line, "is not a request:", f.Why)
	}
	fmt.Println(report.OutOfOrder, "out of order, by", report.MaxDisorder, "ns at most; resolution", report.Resolution, "ns")
	// Output:
	// [0 1000000000 2000000000] [0 0 1]
	// input=92d4cd582fc1f0ca1815a5152ecbf551
	// 4 lines: 3 requests, 0 comments, 1 rejected
	// line 3 is not a request: bytes that are no HTTP request
	// 1 out of order, by 1000000000 ns at most; resolution 1000000000 ns
}
