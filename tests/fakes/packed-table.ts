import { readFileSync } from 'node:fs';

/** Returns the embedding table that the program includes. */
export function packedTable(): string {
  return readFileSync(new URL('../../assets/meaning.txt', import.meta.url), 'utf8');
}
