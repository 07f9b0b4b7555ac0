package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// The most bytes that a file of somebody's own notes may have: of text, all of which is parsed, and of anything else, such as a picture.
const (
	mostText  = 1 << 20
	mostOther = 16 << 20
)

// folder is somebody's own notes: the regular files below a folder, none of them out of bounds. A symbolic link may lead from one to
// another and not out of the folder; a pipe, which has no end, or a device is no note. What is refused can be neither read nor looked
// at, and the error says why.
type folder struct{ files fs.FS }

// openFolder opens the folder of that name. It stays open as long as it is used.
func openFolder(dir string) (fs.FS, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return folder{root.FS()}, nil
}

// Stat refuses what may not be read, before it is opened: to open a pipe is to wait for whoever writes it.
func (f folder) Stat(name string) (fs.FileInfo, error) {
	about, err := fs.Stat(f.files, name)
	if err != nil || about.IsDir() {
		return about, err
	}
	refuse := func(why string) (fs.FileInfo, error) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New(why)}
	}
	most := int64(mostOther)
	if ext := path.Ext(name); ext == ".md" || ext == ".yaml" {
		most = mostText
	}
	switch {
	case !about.Mode().IsRegular():
		return refuse("not a regular file")
	case about.Size() > most:
		return refuse(fmt.Sprintf("larger than %d MiB", most>>20))
	}
	return about, nil
}

func (f folder) Open(name string) (fs.File, error) {
	if _, err := f.Stat(name); err != nil {
		return nil, err
	}
	return f.files.Open(name)
}

func (f folder) ReadFile(name string) ([]byte, error) {
	if _, err := f.Stat(name); err != nil {
		return nil, err
	}
	return fs.ReadFile(f.files, name)
}

func (f folder) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(f.files, name) }
