package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"seedbed/content"
	"seedbed/labs"
	"seedbed/labs/catalog"
	"seedbed/web/text"
)

// readme is the house's README.
func readme(t *testing.T) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// TestTheReadmesCopiesBuild: both ways to an algorithm of ours, as the README has them, end in a program that builds and runs.
func TestTheReadmesCopiesBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two modules")
	}
	source, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	const program = `package main

import "%/limiter"

func main() {
	b, err := limiter.NewTokenBucket(limiter.RateConfig{Rate: limiter.PerSecond(10), Burst: 2})
	if err != nil || !b.TakeAt(0, 2).OK || b.TakeAt(0, 1).OK {
		panic("no limiter")
	}
}
`
	lines := regexp.MustCompile(`(?m)^    (.*\.\./seedbed.*|find internal .*)$`).FindAllStringSubmatch(readme(t), -1)
	if len(lines) != 3 {
		t.Fatalf("the README has %d lines that copy or name its packages, want 3", len(lines))
	}
	for _, row := range []struct {
		commands []string
		path     string
	}{
		{[]string{lines[0][1], strings.ReplaceAll(lines[1][1], "MODULE", "example.org/mine")}, "example.org/mine/internal"},
		{[]string{lines[2][1]}, "seedbed/chapters"},
	} {
		dir := t.TempDir()
		mine := filepath.Join(dir, "mine")
		if err := os.Mkdir(mine, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(source, filepath.Join(dir, "seedbed")); err != nil {
			t.Skip(err)
		}
		for name, text := range map[string]string{"go.mod": "module example.org/mine\n\ngo 1.26\n", "main.go": strings.ReplaceAll(program, "%", row.path)} {
			if err := os.WriteFile(filepath.Join(mine, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for _, command := range append(row.commands, "go build ./...", "go run .") {
			cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
			cmd.Dir, cmd.Env = mine, append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOPROXY=off")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", command, err, out)
			}
		}
	}
}

// TestTheReadmesCommandsRun: each command that it shows is one, and a run that it says to break a check does.
func TestTheReadmesCommandsRun(t *testing.T) {
	shown := regexp.MustCompile(`(?m)^    go run \./cmd/seedbed (.*?)(?:\s+# (.*))?$`).FindAllStringSubmatch(readme(t), -1)
	if len(shown) < 5 {
		t.Fatalf("%d commands were found", len(shown))
	}
	for _, m := range shown {
		if strings.Contains(m[1], "--store") || strings.Contains(m[1], "search") {
			continue // they write files, or take long; scripts of their own run them
		}
		var args []string
		for _, word := range strings.Fields(m[1]) {
			args = append(args, strings.Trim(word, "'"))
		}
		want := 0
		if strings.Contains(m[2], "exit 2") {
			want = exitViolated
		}
		if got := seedbed(t, args...); got.code != want {
			t.Errorf("%s: exit %d, want %d: %s", m[1], got.code, want, got.errout)
		}
	}
}

var (
	embedded = regexp.MustCompile(`<seedbed-lab lab="([^"]*)" spec="([^"]*)"`)
	quoted   = regexp.MustCompile(`'([a-z-]+)\?([^']*)'`)
)

// TestSpecsThatAreShownHaveAnEffect: a setting that is the default would make a reader wonder whether it is taken.
func TestSpecsThatAreShownHaveAnEffect(t *testing.T) {
	texts := map[string]string{"README.md": readme(t)}
	for _, lang := range text.Langs {
		src, err := content.FS.ReadFile(string(lang) + "/guides/api.md")
		if err != nil {
			t.Fatal(err)
		}
		texts[string(lang)+"/guides/api.md"] = string(src)
	}
	for name, src := range texts {
		found := embedded.FindAllStringSubmatch(src, -1)
		if len(found) == 0 {
			t.Errorf("%s shows no embed", name)
		}
		if name == "README.md" { // the guide shows settings that do not fit, too
			found = append(found, quoted.FindAllStringSubmatch(src, -1)...)
		}
		for _, m := range found {
			spec, err := labs.Parse(m[1]+"?"+m[2], catalog.Find)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if got, want := strings.Count(spec.Query(), "=")-1, strings.Count(m[2], "="); got != want {
				t.Errorf("%s: of %s only %d settings have an effect", name, m[0], got)
			}
		}
	}
}
