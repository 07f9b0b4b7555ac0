package calc

import "math/bits"

// nat is a natural number of any size: limbs of 32 bits, the lowest first, without leading zeros, so that nil is 0. The operations
// never write into their operands. They are those of the schoolbook, since the numbers of a sheet have a few limbs; math/big would
// do the same and bring fmt along, which costs readers 100 KiB of module.
type nat []uint32

func natOf(v uint64) nat { return nat{uint32(v), uint32(v >> 32)}.trim() }

func (a nat) trim() nat {
	for len(a) > 0 && a[len(a)-1] == 0 {
		a = a[:len(a)-1]
	}
	return a
}

func (a nat) zero() bool { return len(a) == 0 }

func (a nat) one() bool { return len(a) == 1 && a[0] == 1 }

// bits is the number of binary digits.
func (a nat) bits() int {
	if len(a) == 0 {
		return 0
	}
	return 32*(len(a)-1) + bits.Len32(a[len(a)-1])
}

func (a nat) cmp(b nat) int {
	if len(a) != len(b) {
		if len(a) < len(b) {
			return -1
		}
		return 1
	}
	for i := len(a) - 1; i >= 0; i-- {
		if a[i] < b[i] {
			return -1
		}
		if a[i] > b[i] {
			return 1
		}
	}
	return 0
}

func (a nat) add(b nat) nat {
	if len(a) < len(b) {
		a, b = b, a
	}
	out := make(nat, len(a)+1)
	carry := uint64(0)
	for i := range a {
		carry += uint64(a[i])
		if i < len(b) {
			carry += uint64(b[i])
		}
		out[i] = uint32(carry)
		carry >>= 32
	}
	out[len(a)] = uint32(carry)
	return out.trim()
}

// sub is a − b for a ≥ b.
func (a nat) sub(b nat) nat {
	out := make(nat, len(a))
	borrow := uint64(0)
	for i := range a {
		d := uint64(a[i]) - borrow
		if i < len(b) {
			d -= uint64(b[i])
		}
		out[i] = uint32(d)
		borrow = d >> 63
	}
	return out.trim()
}

func (a nat) mul(b nat) nat {
	out := make(nat, len(a)+len(b))
	for i, x := range a {
		carry := uint64(0)
		for j, y := range b {
			carry += uint64(x)*uint64(y) + uint64(out[i+j])
			out[i+j] = uint32(carry)
			carry >>= 32
		}
		out[i+len(b)] = uint32(carry)
	}
	return out.trim()
}

// shl is a·2^s for s < 32, with one limb more than a, which may be 0.
func (a nat) shl(s uint) nat {
	out := make(nat, len(a)+1)
	for i, x := range a {
		v := uint64(x) << s
		out[i] |= uint32(v)
		out[i+1] = uint32(v >> 32)
	}
	return out
}

func (a nat) shr(s uint) nat {
	out := make(nat, len(a))
	for i := range a {
		v := uint64(a[i])
		if i+1 < len(a) {
			v |= uint64(a[i+1]) << 32
		}
		out[i] = uint32(v >> s)
	}
	return out.trim()
}

// div is the quotient and the remainder of a by b, for b > 0: Knuth's algorithm D (The Art of Computer Programming, volume 2, 4.3.1).
func (a nat) div(b nat) (quotient, rest nat) {
	if a.cmp(b) < 0 {
		return nil, a
	}
	if len(b) == 1 {
		q, r := a.divSmall(b[0])
		return q, natOf(uint64(r))
	}
	// Both are shifted until the divisor's highest bit is set: then a guess by its two highest limbs is at most 1 too large.
	s := uint(bits.LeadingZeros32(b[len(b)-1]))
	u, v := a.shl(s), b.shl(s)[:len(b)]
	n := len(v)
	q := make(nat, len(u)-n)
	for j := len(u) - n - 1; j >= 0; j-- {
		high := uint64(u[j+n])<<32 | uint64(u[j+n-1])
		guess, left := high/uint64(v[n-1]), high%uint64(v[n-1])
		for guess>>32 != 0 || guess*uint64(v[n-2]) > left<<32|uint64(u[j+n-2]) {
			guess--
			left += uint64(v[n-1])
			if left>>32 != 0 {
				break
			}
		}
		if takeProduct(u[j:j+n+1], v, guess) {
			guess--
			giveBack(u[j:j+n+1], v)
		}
		q[j] = uint32(guess)
	}
	return q.trim(), u[:n].trim().shr(s)
}

// takeProduct subtracts guess·v from u, which has one limb more, and tells whether that went below zero.
func takeProduct(u, v nat, guess uint64) bool {
	carry, borrow := uint64(0), uint64(0)
	for i, x := range v {
		carry += guess * uint64(x)
		d := uint64(u[i]) - uint64(uint32(carry)) - borrow
		u[i] = uint32(d)
		borrow = d >> 63
		carry >>= 32
	}
	d := uint64(u[len(v)]) - carry - borrow
	u[len(v)] = uint32(d)
	return d>>63 != 0
}

// giveBack adds v to u; the carry cancels what takeProduct borrowed.
func giveBack(u, v nat) {
	carry := uint64(0)
	for i, x := range v {
		carry += uint64(u[i]) + uint64(x)
		u[i] = uint32(carry)
		carry >>= 32
	}
	u[len(v)] += uint32(carry)
}

func (a nat) divSmall(b uint32) (nat, uint32) {
	out := make(nat, len(a))
	rest := uint64(0)
	for i := len(a) - 1; i >= 0; i-- {
		rest = rest<<32 | uint64(a[i])
		out[i] = uint32(rest / uint64(b))
		rest %= uint64(b)
	}
	return out.trim(), uint32(rest)
}

// gcd is the greatest common divisor of two numbers above 0.
func (a nat) gcd(b nat) nat {
	for !b.zero() {
		_, r := a.div(b)
		a, b = b, r
	}
	return a
}

// sqrt is ⌊√a⌋, by Newton's iteration from above.
func (a nat) sqrt() nat {
	if a.zero() {
		return nil
	}
	half := (a.bits() + 1) / 2
	x := make(nat, half/32+1)
	x[half/32] = 1 << (half % 32) // 2^half > √a
	for {
		q, _ := a.div(x)
		next := x.add(q).shr(1)
		if next.cmp(x) >= 0 {
			return x
		}
		x = next
	}
}

// pow10 is 10^n, and 1 for n < 0.
func pow10(n int) nat {
	p := natOne
	for ; n >= 9; n -= 9 {
		p = p.mul(nat{1_000_000_000})
	}
	for ; n > 0; n-- {
		p = p.mul(nat{10})
	}
	return p
}

// decimal is the number in decimal digits.
func (a nat) decimal() string {
	if a.zero() {
		return "0"
	}
	var out []byte // from the last digit
	for !a.zero() {
		var part uint32
		a, part = a.divSmall(1_000_000_000)
		for i := 0; i < 9 && (part > 0 || !a.zero()); i++ {
			out = append(out, byte('0'+part%10))
			part /= 10
		}
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return string(out)
}

// natOfDigits reads decimal digits.
func natOfDigits(digits string) nat {
	var n nat
	for i := 0; i < len(digits); i++ {
		n = n.mul(nat{10}).add(natOf(uint64(digits[i] - '0')))
	}
	return n
}
