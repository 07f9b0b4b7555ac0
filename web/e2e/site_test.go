package e2e

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// What all scenarios share: one binary, one server, one Chromium.
var (
	binary   string
	site     string          // http://127.0.0.1:PORT
	chromium context.Context // the running browser
)

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	path := findChromium()
	if path == "" {
		if os.Getenv("CI") != "" {
			fmt.Fprintln(os.Stderr, "e2e: no Chromium; CI installs the package chromium")
			return 1
		}
		fmt.Println("e2e: no Chromium on the PATH, so nothing was tried in a browser; install the package chromium")
		return 0
	}
	dir, err := os.MkdirTemp("", "seedbed-e2e-")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(dir)
	if binary = os.Getenv("SEEDBED"); binary == "" {
		binary = filepath.Join(dir, "seedbed")
		for _, args := range [][]string{{"run", "./cmd/assets"}, {"build", "-o", binary, "./cmd/seedbed"}} {
			cmd := exec.Command("go", args...)
			cmd.Dir = filepath.Join("..", "..")
			if out, err := cmd.CombinedOutput(); err != nil {
				return fail(fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out))
			}
		}
	}
	stop, address, err := serve(binary)
	if err != nil {
		return fail(err)
	}
	defer stop()
	site = address
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(filepath.Join(dir, "profile")),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-sync", true), chromedp.Flag("lang", "en"),
	)
	allocator, closeAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	defer closeAllocator()
	var closeBrowser context.CancelFunc
	chromium, closeBrowser = chromedp.NewContext(allocator)
	defer closeBrowser()
	if err := chromedp.Run(chromium); err != nil {
		return fail(fmt.Errorf("chromium did not start: %w", err))
	}
	return m.Run()
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, "e2e:", err)
	return 1
}

func findChromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// serve starts the site on a free port and waits until it says where it is.
func serve(binary string, flags ...string) (stop func(), address string, err error) {
	cmd := exec.Command(binary, append([]string{"serve", "--addr", "127.0.0.1:0"}, flags...)...)
	cmd.Stderr = io.Discard // one line a request
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	stop = func() {
		cmd.Process.Kill()
		cmd.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	at := strings.Index(line, "http://")
	if err != nil || at < 0 {
		stop()
		return nil, "", fmt.Errorf("serve said %q and no address: %w", line, err)
	}
	return stop, strings.TrimRight(strings.TrimSpace(line[at:]), "/"), nil
}

// native runs the binary's own `lab run SPEC --digest`.
func native(t *testing.T, spec string) string {
	t.Helper()
	out, err := exec.Command(binary, "lab", "run", spec, "--digest").Output()
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 2) {
		t.Fatalf("lab run %s: %v", spec, err)
	}
	return strings.TrimSpace(string(out))
}

// clients counts the addresses from which this suite has asked.
var clients atomic.Uint32

// client is a reader with an address of their own: the server limits what each may ask for, and a suite asks for more than a reader would.
func client() *http.Client {
	n := clients.Add(1)
	from := &net.TCPAddr{IP: net.IPv4(127, 1, byte(n>>8), byte(n))}
	return &http.Client{Transport: &http.Transport{DialContext: (&net.Dialer{LocalAddr: from}).DialContext, DisableKeepAlives: true}}
}

// post sends a Spec to the server and returns the digest of its run.
func post(t *testing.T, spec string) string {
	t.Helper()
	response, err := client().Post(site+"/api/runs", "text/plain", strings.NewReader(spec))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		t.Fatalf("POST /api/runs %s: %s: %s", spec, response.Status, body)
	}
	_, rest, _ := strings.Cut(string(body), `"digest":"`)
	digest, _, _ := strings.Cut(rest, `"`)
	return digest
}

// front is a proxy before the site whose faults a scenario chooses.
type front struct {
	*httptest.Server
	mu   sync.Mutex
	gone string // files whose path has this ending are answered with 404
	rate int    // bytes a second to the client, 0 for no bound
	rtt  time.Duration
}

func newFront(t *testing.T) *front {
	t.Helper()
	return newFrontOf(t, site)
}

func newFrontOf(t *testing.T, site string) *front {
	t.Helper()
	target, err := url.Parse(site)
	if err != nil {
		t.Fatal(err)
	}
	f := &front{}
	proxy := httputil.NewSingleHostReverseProxy(target)
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		gone, rate, rtt := f.gone, f.rate, f.rtt
		f.mu.Unlock()
		if gone != "" && strings.HasSuffix(r.URL.Path, gone) {
			http.NotFound(w, r)
			return
		}
		time.Sleep(rtt) // the wire's, not the test's: it is what the scenario is about
		if rate > 0 {
			w = &slowWriter{ResponseWriter: w, rate: rate}
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(f.Close)
	return f
}

func (f *front) set(change func(f *front)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

// slowWriter lets bytes through at a rate.
type slowWriter struct {
	http.ResponseWriter
	rate int
}

func (w *slowWriter) Write(p []byte) (int, error) {
	time.Sleep(time.Duration(len(p)) * time.Second / time.Duration(w.rate))
	return w.ResponseWriter.Write(p)
}
