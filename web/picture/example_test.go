package picture_test

import (
	"fmt"
	"strings"

	"seedbed/content"
	"seedbed/labs"
	"seedbed/labs/catalog"
	"seedbed/web/picture"
	"seedbed/web/text"
)

// A run is drawn in the words of one language; what the picture says in words, for who does not see it, stands in its <desc>.
func Example() {
	texts, err := text.Load(content.FS)
	if err != nil {
		panic(err)
	}
	spec, err := labs.Parse("window-edge?use=fixed", catalog.Find)
	if err != nil {
		panic(err)
	}
	trace, err := labs.Run(spec, labs.Options{})
	if err != nil {
		panic(err)
	}
	layout := spec.Lab.Layout(spec.Config(nil))
	svg := string(picture.Run(picture.Picture{
		Lab: spec.Lab, Spec: &spec, Trace: trace, Layout: &layout,
		Words: texts.Lab(text.EN, spec.Lab.ID), UI: texts.UI(text.EN), Lang: text.EN,
	}))

	_, rest, _ := strings.Cut(svg, "<desc>")
	description, _, _ := strings.Cut(rest, "</desc>")
	for _, sentence := range strings.SplitAfter(description, ". ") {
		fmt.Println(strings.TrimSpace(sentence))
	}
	// Output:
	// The check “no window over the limit” is broken: fixed window: request 101 at 1.001 s was one too many; 200 admitted within 2 ms, the limit is 100 in 1 s.
	// fixed window: 200 admitted, 0 refused, at most 200 against 100.
	// two counters: 100 admitted, 100 refused, at most 100 against 100.
	// sliding log: 100 admitted, 100 refused, at most 100 against 100.
	// bucketed window: 100 admitted, 100 refused, at most 100 against 100.
}
