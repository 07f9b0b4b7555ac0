// Reads sections, the one format in which the module speaks: a trace's canonical bytes and all replies (labs/codec.go):
//
//   u32 length of the name · u32 type (0: int64s, 1: bytes) · u64 count · the name, padded to 8 · the payload, padded to 8
//
// Numbers become doubles. They are exact up to 2^53: 104 days in ns, and any count. The one 64-bit pattern in a trace, the fold, is
// not for reading here.

/** The sections of some bytes, each decoded when it is asked for. */
export class Sections {
  private readonly bytes: Uint8Array;
  private readonly places = new Map<string, { at: number; count: number; text: boolean }>();

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < bytes.length; ) {
      const named = view.getUint32(at, true);
      const text = view.getUint32(at + 4, true) === 1;
      const count = view.getUint32(at + 8, true) + view.getUint32(at + 12, true) * 2 ** 32;
      const name = decoder.decode(bytes.subarray(at + 16, at + 16 + named));
      at += 16 + padded(named);
      const size = text ? padded(count) : 8 * count;
      if (at + size > bytes.length) throw new RangeError(`section ${name} ends after the bytes do`);
      let key = name;
      for (let n = 2; this.places.has(key); n++) key = `${name} ${n}`; // shapes: many sections of one name
      this.places.set(key, { at, count, text });
      at += size;
    }
  }

  has(name: string): boolean {
    return this.places.has(name);
  }

  names(): string[] {
    return [...this.places.keys()];
  }

  /** The numbers of every section of a name, in their order. */
  every(name: string): Float64Array[] {
    const out: Float64Array[] = [];
    for (let n = 1, key = name; this.places.has(key); key = `${name} ${++n}`) out.push(this.numbers(key));
    return out;
  }

  /** The text of a section; empty when there is no such section. */
  text(name: string): string {
    const p = this.places.get(name);
    return p?.text ? decoder.decode(this.bytes.subarray(p.at, p.at + p.count)) : "";
  }

  /** The numbers of a section; none when there is no such section. */
  numbers(name: string): Float64Array {
    const p = this.places.get(name);
    if (!p || p.text) return new Float64Array(0);
    const out = new Float64Array(p.count);
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + p.at, 8 * p.count);
    for (let i = 0; i < p.count; i++) out[i] = view.getInt32(8 * i + 4, true) * 2 ** 32 + view.getUint32(8 * i, true);
    return out;
  }
}

const decoder = new TextDecoder();

function padded(n: number): number {
  return Math.ceil(n / 8) * 8;
}
