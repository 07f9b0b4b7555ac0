package picture

import (
	"slices"
	"testing"

	"seedbed/labs"
	"seedbed/web/text"
)

// TestFactsOfShardsAndLogs: what a shard and its log say at an instant of a migration, in both languages.
func TestFactsOfShardsAndLogs(t *testing.T) {
	for _, c := range []struct {
		spec, entity string
		lang         text.Lang
		want         []string
	}{
		{"shard-migrate?at=0s", "old", text.EN, []string{"owner · epoch 1", "open · fence 1"}},
		{"shard-migrate?at=0s", "new", text.EN, []string{"not the owner", "closed"}},
		{"shard-migrate?at=1.7s", "old", text.EN, []string{"owner · epoch 1", "reads only · fence 2"}},
		{"shard-migrate?at=1.7s", "new", text.ZH, []string{"不是所有者", "关闭 · 栅栏2"}},
		{"shard-migrate?at=1.7s", "old-log", text.EN, []string{"183 of 183 carried", "fence at 183"}},
		{"shard-migrate?at=1.7s", "new-log", text.EN, []string{"at 0"}},
		{"shard-migrate?at=1.7s", "coordinator", text.EN, nil},
		{"hot-owner", "shard-1", text.EN, nil}, // a shard that tells nothing
	} {
		in := pictureOf(t, c.spec, c.lang)
		i := in.Layout.Entity(c.entity)
		if i < 0 {
			i = slices.IndexFunc(in.Layout.Entities, func(e labs.Entity) bool { return e.Kind == labs.Shard })
		}
		if got := newScene(in).facts(&in.Layout.Entities[i]); !slices.Equal(got, c.want) {
			t.Errorf("%s: %s says %q, want %q", c.spec, c.entity, got, c.want)
		}
	}
}
