/**
 * A failure that is part of the contract: its message says what is wrong and what to do next, in words for the caller.
 * Anything else that is thrown is a bug and never reaches the caller as text.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Text from outside, short enough to stand in a message. */
export function clip(text: string, limit = 80): string {
  const characters = Array.from(text.slice(0, limit * 2 + 2));
  return characters.length > limit ? `${characters.slice(0, limit).join('')}…` : text;
}
