/** The texts that an app adds to the messages that a person types. */
export interface AppAdditions {
  /** Names of tags around what nobody has typed, besides those with a hyphen or an underscore. */
  readonly tags?: readonly string[];
  /** Matches the beginning of a message that the app writes in the name of the person. */
  readonly message?: RegExp;
  /** Matches the heading after which the person's own text comes. */
  readonly heading?: RegExp;
}

/** A tag at the beginning of a line, and what follows it there. */
const OPENING = /^<([a-zA-Z]+(?:[-_][\w-]*)?)(?:\s[^>]*)?>(.*)/;
/** A tag at the end of a line that ends what it has opened. */
const CLOSING = /<\/([a-zA-Z]+(?:[-_][\w-]*)?)>\s*$/;

/** Messages that this program writes in the name of the person. */
const OWN_MESSAGE =
  /^(?:Brief of workspace "|Load a saved state \(|Save the state of this conversation \()/;

/** Returns what a person has typed, or `''`. If in doubt, it is the app's. */
export function typedText(text: string, additions: AppAdditions = {}): string {
  const { tags = [], message, heading } = additions;
  const lines = text.split('\n');
  /** Numbers of lines by tag, the last line first. */
  const ends = new Map<string, number[]>();
  for (let at = lines.length - 1; at >= 0; at--) {
    const name = CLOSING.exec(lines[at] ?? '')?.[1];
    if (name === undefined) continue;
    const known = ends.get(name);
    if (known) known.push(at);
    else ends.set(name, [at]);
  }
  const typed: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const [, name = '', after] = OPENING.exec(line) ?? [];
    const isNamed = tags.includes(name);
    const isAdded = isNamed || /[-_]/.test(name);
    const closing = isAdded ? (ends.get(name) ?? []) : [];
    while ((closing.at(-1) ?? at) < at) closing.pop();
    const end = closing.at(-1);
    if (end !== undefined) at = end;
    // it never ends
    else if (isNamed || (isAdded && after?.trim() === '')) break;
    else typed.push(line);
  }
  let rest = typed.join('\n');
  const found = heading?.exec(rest);
  if (found) rest = rest.slice(found.index + found[0].length);
  rest = rest.trim();
  return message?.test(rest) || OWN_MESSAGE.test(rest) ? '' : rest;
}
