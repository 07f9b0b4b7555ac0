package shardstore

import "seedbed/chapters/shard"

// Missing is a row that the owner has in an older version than the other store, or in the same version with other content.
type Missing struct{ Owner, Other shard.Row }

// compare finds the rows that the owner lacks or has older, in the order of keys. It reads both files from end to end.
func (m *migration) compare(owner string) (out []Missing, err error) {
	const all = 1 << 30
	this, that := m.stores[0], m.stores[1]
	if owner == that.Name() {
		this, that = that, this
	}
	has, err := this.Rows(0, all)
	if err != nil {
		return nil, err
	}
	rows, err := that.Rows(0, all)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		for len(has) > 0 && has[0].Key < r.Key {
			has = has[1:]
		}
		is := shard.Row{Key: r.Key}
		if len(has) > 0 && has[0].Key == r.Key {
			is = has[0]
		}
		if is.Version < r.Version || is.Version == r.Version && is != r {
			out = append(out, Missing{is, r})
		}
	}
	return out, nil
}

// empty empties a store, and keeps what the owner lacks of it.
func (m *migration) empty(f *File, o shard.Order) error {
	all, err := m.owners.Load()
	if err != nil {
		return err
	}
	var only []Missing
	if len(all.Parts) > 0 {
		if only, err = m.compare(all.Parts[0].Shard); err != nil {
			return err
		}
	}
	if err := f.Turn(o); err != nil {
		return err
	}
	m.missing = append(m.missing, only...)
	return nil
}
