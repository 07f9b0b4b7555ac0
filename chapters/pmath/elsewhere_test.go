//go:build !js

package pmath_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// portable names the tests that a foreign platform must pass with the constants
// that this one passes with.
const portable = "^(TestGoldenBits|TestBitsOfAMillion|TestSpecialCasesOfOneArgument|TestFloatToInteger)$"

func TestSameBitsInWebAssembly(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is missing: the bits of js/wasm were not checked (apt-get install nodejs)")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatalf("go env GOROOT: %v", err)
	}
	runner := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js")
	runPortable(t, node, "--stack-size=8192", runner, buildFor(t, "js", "wasm"))
}

func TestSameBitsOnArm64(t *testing.T) {
	if runtime.GOARCH == "arm64" {
		t.Skip("this is arm64: the other tests say it already")
	}
	qemu, err := exec.LookPath("qemu-aarch64-static")
	if err != nil {
		t.Skip("qemu-aarch64-static is missing: the bits of arm64 were not checked (apt-get install qemu-user-static)")
	}
	runPortable(t, qemu, buildFor(t, "linux", "arm64"))
}

// buildFor compiles this package's tests for another platform.
func buildFor(t *testing.T, goos, goarch string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "pmath.test")
	cmd := exec.Command("go", "test", "-c", "-o", binary, ".")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go test -c for %s/%s: %v\n%s", goos, goarch, err, out)
	}
	return binary
}

// runPortable runs the portable tests through a foreign machine, and insists that
// each of them ran: a runner that runs nothing also exits 0.
func runPortable(t *testing.T, command ...string) {
	t.Helper()
	out, err := exec.Command(command[0], append(command[1:], "-test.v", "-test.run="+portable)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command[0], err, out)
	}
	for _, name := range strings.Split(strings.Trim(portable, "^$()"), "|") {
		if !bytes.Contains(out, []byte("--- PASS: "+name+" ")) {
			t.Errorf("%s did not run:\n%s", name, out)
		}
	}
}

// TestNoFusedMultiplyAdd reads the machine code for the architectures on which
// the compiler fuses. A product without its float64(…) shows here by name, even
// where no sample happens to round differently.
func TestNoFusedMultiplyAdd(t *testing.T) {
	fused := regexp.MustCompile(`\bFN?M(ADD|SUB)[DS]?\b`)
	for _, arch := range []string{"arm64", "ppc64le", "s390x", "riscv64", "loong64"} {
		asm := assembly(t, arch, ".")
		if !bytes.Contains(asm, []byte("pmath.log2Parts")) {
			t.Fatalf("%s: the listing does not show the package", arch)
		}
		if hit := fused.Find(asm); hit != nil {
			t.Errorf("%s: %s, a fused multiply-add, in the code of this package", arch, hit)
		}
		// The check itself: code that asks for fusing must be caught.
		if !fused.Match(assembly(t, arch, "./testdata/fused")) {
			t.Errorf("%s does not fuse testdata/fused, so the check above can find nothing", arch)
		}
	}
}

func assembly(t *testing.T, arch, pkg string) []byte {
	t.Helper()
	cmd := exec.Command("go", "build", "-gcflags=-S", pkg)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go build -gcflags=-S for %s: %v\n%s", arch, err, out)
	}
	return out
}
