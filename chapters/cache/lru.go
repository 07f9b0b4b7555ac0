package cache

// lru is one list, the last used first. It has no state of its own.
type lru struct{}

func (lru) hit(links []link, _ int64, i int32) {
	if links[0].next != i {
		unlink(links, i)
		front(links, 0, i)
	}
}

func (lru) room(links []link, _ int64) int32     { return back(links, 0) }
func (lru) add(links []link, _ int64, i int32)   { front(links, 0, i) }
func (lru) drop(links []link, i int32)           { unlink(links, i) }
func (p lru) clone() policy                      { return p }
func (lru) size() int                            { return 0 }
func (lru) frequency([]link, int64, int32) int64 { return 0 }
