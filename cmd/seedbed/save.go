package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// save writes a file; "-" is standard output. A regular file is replaced as a whole or not at all, and keeps its mode. What only has a
// name among files (a device, a pipe, a socket's end) is written into and stays what it is; a symbolic link is followed first.
func (a *app) save(name string, data []byte) error {
	if name == "-" {
		_, err := a.out.Write(data)
		return err
	}
	if err := put(name, data); err != nil {
		return a.bad(a.say("error.cannot-write", "file", name, "why", reason(err)))
	}
	return nil
}

func put(name string, data []byte) error {
	mode := fs.FileMode(0o644)
	about, err := os.Stat(name)
	switch {
	case err == nil && !about.Mode().IsRegular():
		return writeInto(name, 0, data)
	case err == nil:
		mode = about.Mode().Perm()
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	default:
		if _, err := os.Lstat(name); err == nil { // a link to a file that is not there yet: the system finds the place
			return writeInto(name, os.O_CREATE, data)
		}
	}
	return replace(name, mode, data)
}

// writeInto writes through a name to what stands behind it.
func writeInto(name string, flag int, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|flag, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// replace puts a new file in the place of a regular one, or of none, in one step.
func replace(name string, mode fs.FileMode, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".seedbed-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	return err
}
