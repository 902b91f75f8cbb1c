import { readFileSync } from 'node:fs';

/** The table that the program carries. */
export function packedTable(): string {
  return readFileSync(new URL('../../assets/meaning.txt', import.meta.url), 'utf8');
}
