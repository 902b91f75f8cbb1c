/** What an app adds to the messages that a person types. */
export interface AppAdditions {
  /** Names of tags around what nobody has typed, besides those with a hyphen or an underscore. */
  readonly tags?: readonly string[];
  /** Matches the beginning of a message that the app writes in the name of the person. */
  readonly message?: RegExp;
  /** Matches the heading after which the person's own text comes. */
  readonly heading?: RegExp;
}

/** A block of whole lines, from a tag at the beginning of one to its end at the end of one. */
const BLOCK = /^<([a-zA-Z]+(?:[-_][\w-]*)?)(?:\s[^>\n]*)?>[^]*?<\/\1>[^\S\n]*$/gm;
/** A tag on a line of its own that never ends. */
const OPEN_BLOCK = /^<[a-zA-Z]+[-_][\w-]*(?:\s[^>\n]*)?>[^\S\n]*$[^]*/m;

/** Messages that this program writes in the name of the person. */
const OWN_MESSAGE =
  /^(?:Brief of workspace "|Load a saved state \(|Save the state of this conversation \()/;

/** Returns what a person has typed, or `''`. If in doubt, it is the app's. */
export function typedText(
  text: string,
  { tags = [], message, heading }: AppAdditions = {},
): string {
  const isAdded = (name: string) => /[-_]/.test(name) || tags.includes(name);
  let rest = text.replace(BLOCK, (block: string, name: string) => (isAdded(name) ? '' : block));
  rest = rest.replace(OPEN_BLOCK, '');
  for (const tag of tags) rest = rest.replace(new RegExp(`^<${tag}(?:\\s[^>]*)?>[^]*`, 'm'), '');
  const at = heading?.exec(rest);
  if (at) rest = rest.slice(at.index + at[0].length);
  rest = rest.trim();
  return message?.test(rest) || OWN_MESSAGE.test(rest) ? '' : rest;
}
