/** Randomness, handed in so that tests and simulations can own it. */
export interface Random {
  /** `count` unpredictable bytes. */
  bytes(count: number): Uint8Array;
}

/** 32 letters and digits that no reader confuses: no l, o, 0 or 1. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

const WRITER = /^[a-km-np-z2-9]{12}$/;

/** Twelve characters: a writer of the log. */
export function createWriterId(random: Random): string {
  return randomText(random, 12);
}

/** Sixteen characters, 80 random bits: an entity. */
export function createEntityId(random: Random): string {
  return randomText(random, 16);
}

export function isWriterId(text: string): boolean {
  return WRITER.test(text);
}

function randomText(random: Random, length: number): string {
  let text = '';
  for (const byte of random.bytes(length)) text += ALPHABET.charAt(byte % ALPHABET.length);
  return text;
}
