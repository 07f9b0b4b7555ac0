package runs

import "container/list"

// cache keeps outcomes by the text of their Spec, in at most so many bytes; what has not been asked for the longest goes first. It
// is not safe for concurrent use.
type cache struct {
	most, bytes int
	byKey       map[string]*list.Element
	byUse       *list.List // of *kept, the last used first
}

type kept struct {
	key     string
	outcome outcome
	bytes   int
}

// errorBytes is about what an outcome without a result takes: the Spec's text, the error.
const errorBytes = 1 << 10

func newCache(most int) cache {
	return cache{most: most, byKey: map[string]*list.Element{}, byUse: list.New()}
}

func (c *cache) get(key string) (outcome, bool) {
	e, ok := c.byKey[key]
	if !ok {
		return outcome{}, false
	}
	c.byUse.MoveToFront(e)
	return e.Value.(*kept).outcome, true
}

// put keeps an outcome unless it alone would take more than a quarter of all, so that one large run does not push out many small ones.
func (c *cache) put(key string, o outcome) {
	n := errorBytes + len(key)
	if o.result != nil {
		n += o.result.bytes()
	}
	if n > c.most/4 {
		return
	}
	if e, ok := c.byKey[key]; ok {
		c.drop(e)
	}
	c.byKey[key] = c.byUse.PushFront(&kept{key, o, n})
	c.bytes += n
	for c.bytes > c.most {
		c.drop(c.byUse.Back())
	}
}

func (c *cache) drop(e *list.Element) {
	k := c.byUse.Remove(e).(*kept)
	delete(c.byKey, k.key)
	c.bytes -= k.bytes
}
