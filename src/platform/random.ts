/** Randomness, injected so that tests and simulations can control it. */
export interface Random {
  /** The bytes must be unpredictable. */
  bytes(count: number): Uint8Array;
}

/** 32 unambiguous letters and digits: no l, o, 0 or 1. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

const WRITER_ID = /^[a-km-np-z2-9]{12}$/;

export function createWriterId(random: Random): string {
  return randomText(random, 12);
}

/** Has 80 random bits. */
export function createEntityId(random: Random): string {
  return randomText(random, 16);
}

export function isWriterId(text: string): boolean {
  return WRITER_ID.test(text);
}

function randomText(random: Random, length: number): string {
  let text = '';
  for (const byte of random.bytes(length)) text += ALPHABET.charAt(byte % ALPHABET.length);
  return text;
}
