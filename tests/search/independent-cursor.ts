/** Reads little-endian bytes one after another. */
export class Cursor {
  at = 0;

  constructor(readonly bytes: Uint8Array) {}

  get view(): DataView {
    return new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
  }

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  take(size: number): Cursor {
    check(size <= this.bytes.length - this.at, 'nothing is longer than its section');
    this.at += size;
    return new Cursor(this.bytes.subarray(this.at - size, this.at));
  }

  byte(): number {
    check(!this.isAtEnd, 'nothing is longer than its section');
    return this.bytes[this.at++]!;
  }

  word(): number {
    return this.take(4).view.getUint32(0, true);
  }

  words(count: number): readonly number[] {
    return listOf(count, () => this.word());
  }

  text(size: number): string {
    return textOf(this.take(size).bytes);
  }

  varint(): number {
    const byte = this.byte();
    return byte < 128 ? byte : byte - 128 + 128 * this.varint();
  }

  checkPadding(alignment: number): void {
    const rest = this.bytes.subarray(this.at);
    check(rest.length < alignment && !rest.some(Boolean), 'only padding follows what is described');
  }
}

/** Returns the checksum of docs/search-format.md. */
export function checksumOf(bytes: Uint8Array): number {
  const words = new Cursor(bytes).words(bytes.length / 4);
  const values = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f];
  const inTurn = words.length - (words.length % 4);
  for (const [index, word] of words.entries()) {
    const at = index < inTurn ? index % 4 : 0;
    const rotated = (values[at]! << 13) | (values[at]! >>> 19);
    values[at] = Math.imul(rotated ^ word, 0x9e3779b1);
  }
  const fold = (sum: number, value: number) => {
    const product = Math.imul(sum ^ value, 0x85ebca77);
    return product ^ (product >>> 15);
  };
  return values.reduce(fold, bytes.length) >>> 0;
}

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

export function listOf<T>(count: number, item: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => item(index));
}

/** Throws an error if a rule of the page does not hold. */
export function check(holds: boolean, rule: string): void {
  if (!holds) throw new Error(`This rule is broken: ${rule}.`);
}
