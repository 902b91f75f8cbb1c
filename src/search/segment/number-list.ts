import { resized, type NumberArray } from '../../platform/bytes/bytes.js';

export class NumberList<T extends NumberArray> {
  #values: T;
  #count = 0;

  constructor(Kind: new (length: number) => T) {
    this.#values = new Kind(256);
  }

  push(value: number): void {
    if (this.#count === this.#values.length) {
      this.#values = resized(this.#values, this.#count * 2);
    }
    this.#values[this.#count++] = value;
  }

  get count(): number {
    return this.#count;
  }

  /** Returns a view, valid until the next `push`. */
  values(): T {
    return this.#values.subarray(0, this.#count) as T;
  }

  bytes(): Uint8Array {
    const { buffer, byteOffset, byteLength } = this.values();
    return new Uint8Array(buffer, byteOffset, byteLength);
  }
}
