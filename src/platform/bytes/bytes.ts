export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Compares lexicographically, a prefix first. */
export function compareBytes(
  a: Uint8Array,
  aLength: number,
  b: Uint8Array,
  bLength: number,
): number {
  const shorter = Math.min(aLength, bLength);
  for (let at = 0; at < shorter; at++) {
    const difference = a[at]! - b[at]!;
    if (difference !== 0) return difference;
  }
  return aLength - bLength;
}

export type NumberArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** Copies an array to a new, larger one. */
export function resized<T extends NumberArray>(array: T, length: number): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}

export function isEqualBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && compareBytes(a, a.length, b, b.length) === 0;
}

/** Returns the text that is these bytes in UTF-8; undefined if there is none. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // the decoder reports this only by throwing
  }
}
