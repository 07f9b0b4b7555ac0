package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"seedbed/chapters/shard"
	"seedbed/labs"
	"seedbed/labs/sharding"
	"seedbed/web/report"
	"seedbed/web/store/shardstore"
	"seedbed/web/text"
)

// storeFlags say where a run keeps its rows, and whether they stay.
type storeFlags struct{ kind, keep string }

// stored is a run on files: where they are, and each position that the migration came to.
type stored struct {
	dir       string // empty when the files are gone with the run
	positions []shardstore.Position
}

// checkStore refuses a store that there is not, or that the lab or the outputs asked for do not go with.
func (a *app) checkStore(spec *labs.Spec, f *runFlags) error {
	switch s := &f.store; {
	case s.kind == "" && s.keep != "":
		return a.bad(a.say("error.keep-without-store"))
	case s.kind == "":
		return nil
	case s.kind != "sqlite":
		return a.bad(a.say("error.unknown-value", "flag", "--store", "got", s.kind, "want", "sqlite"))
	case spec.Lab.ID != sharding.ShardMigrate.ID:
		return a.bad(a.say("error.no-store", "lab", spec.Lab.ID, "want", sharding.ShardMigrate.ID))
	}
	for _, out := range []struct {
		name string
		set  bool
	}{{"--csv", f.csv}, {"--svg", f.svg != ""}, {"--events", f.events != ""}} {
		if out.set {
			return a.bad(a.say("error.store-with", "got", out.name))
		}
	}
	return nil
}

// patience is how many times as long as in memory a run may take on files: the default run waits some eight hundred times for the disk,
// which with a slow one is all the time that a run in memory has.
const patience = 6

// runStored runs a Spec on files: in the folder that --keep names, else in one that goes when the run is over.
func (a *app) runStored(spec labs.Spec, opts labs.Options, f *storeFlags) (*labs.Runner, *stored, error) {
	s := &stored{dir: f.keep}
	dir, err := a.folder(f.keep)
	if err != nil {
		return nil, nil, err
	}
	if f.keep == "" {
		defer os.RemoveAll(dir)
	}
	opts.Stop = a.stopAfter(patience * a.bound)
	runner, err := shardstore.Migrate(spec, dir, shardstore.Options{MaxPages: a.pages}, opts, func(p shardstore.Position) {
		s.positions = append(s.positions, p)
	})
	if err != nil {
		return nil, nil, a.storeFailed(err, dir)
	}
	return runner, s, nil
}

// folder is the one for the files. One that is not there is made, in a folder that is.
func (a *app) folder(keep string) (dir string, err error) {
	if keep == "" {
		keep = os.TempDir()
		dir, err = os.MkdirTemp("", "seedbed-")
	} else if dir, err = keep, os.Mkdir(keep, 0o755); errors.Is(err, fs.ErrExist) {
		err = nil
		if is, e := os.Stat(keep); e == nil && !is.IsDir() {
			err = errors.New(a.say("store.no-folder"))
		}
	}
	if err != nil {
		return "", a.bad(a.say("error.store-unwritable", "file", keep, "why", reason(err)))
	}
	return dir, nil
}

// storeFailed turns what a run on files came to into how the command ends.
func (a *app) storeFailed(err error, dir string) error {
	var in *shardstore.OpenError
	var full *shardstore.FullError
	var spec *labs.Error
	var bound *labs.Bound
	switch {
	case errors.As(err, &spec), errors.As(err, &bound):
		return a.failed(err)
	case errors.As(err, &full):
		return a.bad(a.say("error.store-full", "store", full.Store, "op", full.Op, "dir", dir))
	case errors.As(err, &in):
		why := in.Why
		if in.Err != nil {
			why = reason(in.Err)
		}
		return a.bad(a.say("error.store-"+in.Code, "file", in.Path, "why", why))
	}
	return a.bad(a.say("error.store-failed", "dir", dir, "why", err.Error()))
}

// mostAlike is how many lines of one kind are printed one after the other before the rest of them is only counted.
const mostAlike = 3

// print writes for people what the coordinator did, where both stores then stood and under which epoch, and the rows that an owner
// lacked.
func (s *stored) print(a *app) {
	rows := [][]string{{
		"  " + a.say("store.at"), a.say("store.owner"), a.say("store.epoch"), a.say("store.log", "store", "old"), a.say("store.applied", "store", "new"),
		a.say("store.log", "store", "new"), a.say("store.applied", "store", "old"), a.say("store.did"),
	}}
	count := func(n int64) string { return text.Number(a.lang, labs.Count, n) }
	for i := 0; i < len(s.positions); i++ {
		p := &s.positions[i]
		if n := s.alike(i); n > mostAlike {
			rows = append(rows, s.row(a, p, count), []string{"  ⋮", "", "", "", "", "", "", a.say("store.more", "n", strconv.Itoa(n-2))})
			i += n - 1
			p = &s.positions[i]
		}
		rows = append(rows, s.row(a, p, count))
	}
	fmt.Fprintf(a.out, "%s\n", columns(rows, "rlrrrrrl"))
	lacked := false
	for i := range s.positions {
		s.printMissing(a, &s.positions[i])
		lacked = lacked || len(s.positions[i].Missing) > 0
	}
	if lacked {
		fmt.Fprintln(a.out)
	}
}

// alike is how many positions from i on have the same deeds, and nothing to tell apart from how far they came.
func (s *stored) alike(i int) int {
	n := 1
	for i+n < len(s.positions) && slices.Equal(s.positions[i+n].Did, s.positions[i].Did) && s.positions[i+n].Part.Epoch == s.positions[i].Part.Epoch {
		n++
	}
	return n
}

func (s *stored) row(a *app, p *shardstore.Position, count func(int64) string) []string {
	did := ""
	for _, d := range p.Did {
		this := a.say("store.did."+d.What, "store", d.Store)
		if did != "" {
			this = a.say("store.did-and", "before", did, "this", this)
		}
		did = this
	}
	return []string{
		"  " + text.Number(a.lang, labs.Seconds, p.At), p.Part.Shard, count(p.Part.Epoch), count(p.Old.Head), count(p.New.Cursor.Applied),
		count(p.New.Head), count(p.Old.Cursor.Applied), did,
	}
}

// mostMissing is how many rows are printed each time that an owner lacks some.
const mostMissing = 3

func (s *stored) printMissing(a *app, p *shardstore.Position) {
	if len(p.Missing) == 0 {
		return
	}
	other := "old"
	if p.Part.Shard == other {
		other = "new"
	}
	n := len(p.Missing)
	fmt.Fprintln(a.out, a.say("store.missing", "at", text.Number(a.lang, labs.Seconds, p.At), "owner", p.Part.Shard, "other", other, "n", strconv.Itoa(n)))
	for _, m := range p.Missing[:min(n, mostMissing)] {
		fmt.Fprintf(a.out, "  %s\n", a.say("store.missing-row", "row", strconv.FormatInt(int64(m.Other.Key), 10),
			"owner", p.Part.Shard, "has", a.version(m.Owner), "other", other, "had", a.version(m.Other)))
	}
	if n > mostMissing {
		fmt.Fprintf(a.out, "  %s\n", a.say("store.missing-more", "n", strconv.Itoa(n-mostMissing)))
	}
}

// version says in which version a row is there.
func (a *app) version(r shard.Row) string {
	switch version := strconv.FormatInt(r.Version, 10); {
	case r.Version == 0:
		return a.say("store.no-row")
	case r.Deleted:
		return a.say("store.deleted", "version", version)
	default:
		return a.say("store.version", "version", version, "value", r.Value)
	}
}

// tellKept says where the files are.
func (s *stored) tellKept(a *app) {
	if s.dir != "" {
		var files []string
		for _, name := range shardstore.Names {
			files = append(files, filepath.Join(s.dir, name))
		}
		fmt.Fprintf(a.out, "\n%s\n", a.say("store.kept", "files", strings.Join(files, ", ")))
	}
}

// member is what JSON says of a run on files, behind what it says of every run:
//
//	"store":{"kind":"sqlite","dir":"…",
//	 "positions":[{"t":1.45,"did":[{"what":"fence","store":"old"},…],"owner":"new","epoch":2,
//	  "old":{"mode":"closed","head":175,"applied":0},"new":{…},"missing":[{"row":4,"has":1,"lost":2}]}]}
//
// mode is that of the gate, head the newest position of a log, applied the position in the other's log up to which everything is here.
// A missing row is with the owner in version has, and with the other store in version lost; 0 is no row. dir is absent when the files
// are gone.
func (s *stored) member() report.Member {
	type file struct {
		Mode    string `json:"mode"`
		Head    int64  `json:"head"`
		Applied int64  `json:"applied"`
	}
	type deed struct {
		What  string `json:"what"`
		Store string `json:"store,omitempty"`
	}
	type missing struct {
		Row  shard.Key `json:"row"`
		Has  int64     `json:"has"`
		Lost int64     `json:"lost"`
	}
	type position struct {
		At      json.Number `json:"t"`
		Did     []deed      `json:"did"`
		Owner   string      `json:"owner"`
		Epoch   int64       `json:"epoch"`
		Old     file        `json:"old"`
		New     file        `json:"new"`
		Missing []missing   `json:"missing"`
	}
	at := func(st *shard.State) file { return file{st.Gate.Mode.String(), st.Head, st.Cursor.Applied} }
	list := make([]position, len(s.positions))
	for i := range s.positions {
		p := &s.positions[i]
		to := position{json.Number(labs.Seconds.Format(p.At)), make([]deed, len(p.Did)), p.Part.Shard, p.Part.Epoch, at(&p.Old), at(&p.New), make([]missing, len(p.Missing))}
		for j, d := range p.Did {
			to.Did[j] = deed(d)
		}
		for j, m := range p.Missing {
			to.Missing[j] = missing{m.Other.Key, m.Owner.Version, m.Other.Version}
		}
		list[i] = to
	}
	return report.Member{Name: "store", Value: struct {
		Kind      string     `json:"kind"`
		Dir       string     `json:"dir,omitempty"`
		Positions []position `json:"positions"`
	}{"sqlite", s.dir, list}}
}
