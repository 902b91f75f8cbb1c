type NumberArray = Uint8Array | Uint16Array | Uint32Array | Float64Array;

export class NumberList<T extends NumberArray> {
  readonly #Kind: new (length: number) => T;
  #values: T;
  #count = 0;

  constructor(Kind: new (length: number) => T) {
    this.#Kind = Kind;
    this.#values = new Kind(256);
  }

  push(value: number): void {
    if (this.#count === this.#values.length) {
      const larger = new this.#Kind(this.#count * 2);
      larger.set(this.#values);
      this.#values = larger;
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
