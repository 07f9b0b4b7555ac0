package main

import (
	"bytes"
	"context"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"seedbed/chapters/shard"
	"seedbed/content"
	"seedbed/web/store/shardstore"
	"seedbed/web/text"
)

// TestAFullDisk: files that may not grow end the run in one line, and hold what was acknowledged until then: the log is without a gap,
// and each row is there as its newest entry says.
func TestAFullDisk(t *testing.T) {
	for _, c := range []struct {
		pages int64
		lang  string
		want  string
	}{
		{3, "en", "seedbed: DIR: no room for open in DIR/old.db; nothing that was acknowledged is lost, make room and run again in an empty folder\n"},
		{9, "en", "seedbed: DIR: no room for write in old; nothing that was acknowledged is lost, make room and run again in an empty folder\n"},
		{9, "zh", "seedbed: DIR：空间不够，old 的 write 没有做成；确认过的一样不少，请腾出空间，换空目录再运行\n"},
	} {
		dir := filepath.Join(t.TempDir(), "kept")
		var out, errout bytes.Buffer
		code := run([]string{"lab", "run", "shard-migrate", "rows=400", "writes=900", "--store", "sqlite", "--keep", dir, "--lang", c.lang},
			world{strings.NewReader(""), &out, &errout, func(string) string { return "" }, t.Context(), wallClock, c.pages})
		if got := strings.ReplaceAll(errout.String(), dir, "DIR"); code != exitBad || got != c.want || out.Len() > 0 {
			t.Errorf("%d pages: exit %d, stdout %q, stderr %q; want exit 1 and %q", c.pages, code, out.String(), got, c.want)
		}
		if c.pages < 9 {
			continue
		}
		f, err := shardstore.Open(filepath.Join(dir, "old.db"), "old", shardstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		state, _ := f.State()
		changes, err := f.Log(0, 1<<20)
		if err != nil || int64(len(changes)) != state.Head || len(changes) < 20 {
			t.Fatalf("the log has %d changes up to %d (%v), want all of them, and enough to say something", len(changes), state.Head, err)
		}
		newest := map[shard.Key]shard.Row{}
		for _, c := range changes {
			newest[c.Row.Key] = c.Row
		}
		rows, err := f.Rows(0, 1<<20)
		if err != nil || len(rows) != len(newest) {
			t.Fatalf("%d rows and %d in the log (%v)", len(rows), len(newest), err)
		}
		for _, r := range rows {
			if newest[r.Key] != r {
				t.Errorf("row %d is %+v, the log says %+v", r.Key, r, newest[r.Key])
			}
		}
	}
}

// TestChaptersShowTrueOutput: where a chapter shows a command of ours and what it says, the command says so: each line, in this order;
// a line "…" stands for any that are left out.
func TestChaptersShowTrueOutput(t *testing.T) {
	shown := regexp.MustCompile("(?m)^```text\n\\$ seedbed (.*)\n((?s:.*?))^```$")
	for _, lang := range text.Langs {
		found := 0
		err := fs.WalkDir(content.FS, string(lang)+"/chapters", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			page, err := fs.ReadFile(content.FS, path)
			for _, m := range shown.FindAllStringSubmatch(string(page), -1) {
				found++
				t.Chdir(t.TempDir())
				got := seedbed(t, append(strings.Fields(m[1]), "--lang", string(lang))...)
				rest := got.out
				for line := range strings.Lines(m[2]) {
					_, after, is := strings.Cut(rest, line)
					switch {
					case line == "…\n":
					case !is:
						t.Errorf("%s: seedbed %s does not say, or not there:\n%s", path, m[1], line)
					default:
						rest = after
					}
				}
			}
			return err
		})
		if err != nil || found == 0 {
			t.Errorf("%s: %d commands are shown (%v), want one at least", lang, found, err)
		}
	}
}

// TestARunOnFilesIsBoundedToo: by time, of which it has more than a run in memory, and by an interrupt.
func TestARunOnFilesIsBoundedToo(t *testing.T) {
	interrupted, stop := context.WithCancel(t.Context())
	stop()
	for name, row := range map[string]struct {
		ctx   context.Context
		bound time.Duration
	}{"by time": {t.Context(), time.Nanosecond}, "by an interrupt": {interrupted, wallClock}} {
		dir := filepath.Join(t.TempDir(), "kept")
		got := start(t, row.ctx, row.bound, nil, "lab", "run", "shard-migrate", "--store", "sqlite", "--keep", dir)
		if got.code != exitStopped || got.out != "" || !strings.HasPrefix(got.errout, "seedbed: run: stopped at ") {
			t.Errorf("%s: exit %d, stdout %q, stderr %q; want exit 3 and one line", name, got.code, got.out, got.errout)
		}
		f, err := shardstore.Open(filepath.Join(dir, "old.db"), "old", shardstore.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		f.Close()
	}
}
