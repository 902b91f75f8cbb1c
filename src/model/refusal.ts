import { truncate } from './text/truncate.js';
import { visibleText } from './text/visible-text.js';

/** A failure with a message for the caller that gives the next step. Any other error is a bug. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Returns the text of a `Refusal`. Throws any other error. */
export function refusalText(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  throw error;
}

/** Truncates external text for a message and shows invisible characters as markers. */
export function clip(text: string, limit = 80): string {
  return visibleText(truncate(text, limit));
}
