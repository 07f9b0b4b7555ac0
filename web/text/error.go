package text

// Error says an error to people: that of labs.Error and labs.Bound in the language, any other as it is.
func (t *Texts) Error(lang Lang, err error) string { return err.Error() }
