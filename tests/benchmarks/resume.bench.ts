import { measureAtSize } from './resume/at-size.js';
import { measurePieces } from './resume/pieces.js';
import type { Figure } from './lib.js';

export const question =
  'Does a fresh agent read back what was saved: from the list of states, and by one search among forty pieces of work?';
export const measures = ['src'];

export async function answer(): Promise<Figure[]> {
  return [...(await measurePieces()), ...(await measureAtSize())];
}
