package report_test

import (
	"fmt"

	"seedbed/content"
	"seedbed/labs"
	"seedbed/labs/catalog"
	"seedbed/web/report"
	"seedbed/web/text"
)

func ExampleRun_Summary() {
	texts, err := text.Load(content.FS)
	if err != nil {
		fmt.Println(err)
		return
	}
	spec, err := labs.Parse("layered-limit", catalog.Find)
	if err != nil {
		fmt.Println(err)
		return
	}
	trace, err := labs.Run(spec, labs.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	layout := spec.Lab.Layout(spec.Config(nil))
	run := report.Run{Spec: &spec, Trace: trace, Layout: &layout, Words: texts.Lab(text.EN, spec.Lab.ID)}
	fmt.Printf("%.29s…\n", run.Summary())
	// Output: {"spec":"layered-limit?v=1","…
}
