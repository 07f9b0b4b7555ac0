package text_test

import (
	"fmt"

	"seedbed/content"
	"seedbed/labs"
	"seedbed/labs/catalog"
	"seedbed/web/text"
)

// A run is codes and numbers; its sentences come from the texts of its lab.
func Example() {
	texts, err := text.Load(content.FS)
	if err != nil {
		fmt.Println(err) // each fault as file:line: message
		return
	}
	spec, err := labs.Parse("window-edge?use=fixed", catalog.Find)
	if err != nil {
		fmt.Println(texts.Error(text.EN, err))
		return
	}
	run, err := labs.Run(spec, labs.Options{})
	if err != nil {
		fmt.Println(texts.Error(text.EN, err))
		return
	}
	layout := spec.Lab.Layout(spec.Config(nil))
	fmt.Println(texts.Lab(text.EN, spec.Lab.ID).Verdict(&spec, &layout, 0, run.Verdicts[0]))
	_, err = labs.Parse("window-edge?limit=0", catalog.Find)
	fmt.Println(texts.Error(text.EN, err))
	fmt.Println(texts.Error(text.ZH, err))
	// Output:
	// fixed window: request 101 at 1.001 s was one too many; 200 admitted within 2 ms, the limit is 100 in 1 s
	// limit: 0 is outside 1..100000
	// limit：0 超出范围；范围是 1..100000
}

func ExampleNumber() {
	fmt.Println(text.Number(text.EN, labs.Nanos, 1_001_000_000))
	fmt.Println(text.Number(text.EN, labs.PerSecond, 50_000))
	fmt.Println(text.Number(text.ZH, labs.PerSecond, 50_000))
	fmt.Println(text.Number(text.EN, labs.Bytes, 1536))
	// Output:
	// 1.001 s
	// 50 per second
	// 每秒50
	// 1.5 KiB
}
