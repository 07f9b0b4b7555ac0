package bridge

// guard runs calls, and turns a panic into the reply "crash", then and ever after. Its zero value is ready.
type guard struct {
	reply  []byte // reused from call to call
	broken string // what the panic said, once there was one
}

func (g *guard) call(f func(out []byte) []byte) (reply []byte) {
	if g.broken != "" {
		return appendFault(g.reply[:0], "crash", g.broken)
	}
	defer func() {
		if fault := recover(); fault != nil {
			g.broken = message(fault)
			reply = appendFault(g.reply[:0], "crash", g.broken)
		}
	}()
	g.reply = f(g.reply[:0])
	return g.reply
}

// message is what a panic said.
func message(fault any) string {
	switch f := fault.(type) {
	case error:
		return f.Error()
	case string:
		return f
	}
	return "a panic without words"
}
