package routing

// columnOf turns what is or is not so into the value of a column.
func columnOf(is bool) int64 {
	if is {
		return 1
	}
	return 0
}
