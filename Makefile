# The verbs of the house. Running and building need Go and make alone; the tests
# need more, which .ci/need installs or names.

.DEFAULT_GOAL := help
.PHONY: help run build assets test bench size times e2e fuzz reality

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## serve the site on http://127.0.0.1:8080 (ARGS="--addr :9000 --dev" adds flags)
	@go run ./cmd/assets -fast
	go run ./cmd/seedbed serve $(ARGS)

build: assets ## one static binary with everything in it: bin/seedbed
	CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o bin/seedbed ./cmd/seedbed

assets: ## WebAssembly, scripts and styles into web/static/gen
	@go run ./cmd/assets

test: ## everything that CI checks (STEPS="format vet" runs only these)
	@.ci/need
	@.ci/test $(STEPS)

bench: ## our algorithms against well-known libraries, in one run
	cd labs/_bench && go run . $(ARGS)

reality: ## the real nginx, HAProxy, Redis and PostgreSQL against our models (ARGS=-write updates the pages of evidence)
	@.ci/need reality
	go run ./cmd/reality $(ARGS)

size: ## what a reader downloads, against its budgets (PAGE=file or address measures that page)
	@PAGE="$(PAGE)" .ci/size

times: build ## how soon labs answer in a real browser, against their budgets
	@.ci/need
	cd web/e2e && TIMES=1 go test -v -count=1 -run Timing .

e2e: build ## the real binary in a real browser
	@.ci/need
	cd web/e2e && go test -count=1 ./...

fuzz: ## each fuzz test for a while (FUZZTIME=1m), and each property on new draws
	@FUZZTIME="$(FUZZTIME)" .ci/fuzz
