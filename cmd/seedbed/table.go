package main

import (
	"strings"
	"unicode/utf8"
)

// columns lays out rows in columns two spaces apart; align has a letter a column, l or r. The last column is not padded.
func columns(rows [][]string, align string) string {
	widths := make([]int, len(align))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], width(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			if i > 0 {
				line.WriteString("  ")
			}
			pad := strings.Repeat(" ", widths[i]-width(cell))
			if align[i] == 'r' {
				cell = pad + cell
			} else {
				cell += pad
			}
			line.WriteString(cell)
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// width is how many columns of a terminal a text takes: two for Han characters and full-width marks, one for all else that we say.
func width(s string) int {
	n := utf8.RuneCountInString(s)
	for _, r := range s {
		if r >= 0x2E80 && r <= 0x9FFF || r >= 0xF900 && r <= 0xFAFF || r >= 0xFE30 && r <= 0xFE6F || r >= 0xFF00 && r <= 0xFF60 || r >= 0xFFE0 && r <= 0xFFE6 || r >= 0x20000 {
			n++
		}
	}
	return n
}
