import { truncate } from './text/truncate.js';
import { visibleText } from './text/visible-text.js';

/**
 * A failure that is part of the contract: its message tells the caller the problem and the next
 * step. Any other error is a bug, and its message never reaches the caller.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/**
 * Shortens external text to at most `limit` characters for a message, and then shows invisible
 * characters as markers.
 */
export function clip(text: string, limit = 80): string {
  return visibleText(truncate(text, limit));
}
