import type { Message, MessagePart } from '../model/message.js';

/** How much of what a model reads at once a conversation takes up. */
export interface ContextUse {
  /** What the next answer has to read, in tokens: as the provider has counted last, and an estimate of what has come since. */
  readonly tokens: number;
  /** Tokens that were sent with the last answer and, by the provider's own count, not read: its server cuts what is too long. */
  readonly unread: number;
}

/** From this share of what a model reads on, it is time to save and go on elsewhere. */
export const NEARLY_FULL = 0.8;

/** The writings that have no blanks between words make about a token of each letter. */
const DENSE = 0x2e80;
/** Most texts have none of these, and an expression looks through a long conversation many times faster than a loop that is new. */
const NOT_PLAIN = /[\u0080-\uffff]/;
const LETTERS_PER_TOKEN = 4;
const OTHER_LETTERS_PER_TOKEN = 2;

/** About how many tokens a text makes: models differ, and none of them need be asked for this. */
export function estimateTokens(text: string): number {
  if (!NOT_PLAIN.test(text)) return Math.ceil(text.length / LETTERS_PER_TOKEN);
  let dense = 0;
  let other = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= DENSE) dense++;
    else if (code >= 0x80) other++;
  }
  const plain = text.length - dense - other;
  return Math.ceil(plain / LETTERS_PER_TOKEN + other / OTHER_LETTERS_PER_TOKEN + dense);
}

const known = new WeakMap<Message, number>();

/** About how many tokens a message is when a model reads it; thoughts are not sent back. */
export function estimateMessage(message: Message): number {
  const tokens =
    known.get(message) ??
    message.parts.reduce((sum, part) => sum + estimateTokens(readOf(part)), 0);
  known.set(message, tokens);
  return tokens;
}

function readOf(part: MessagePart): string {
  switch (part.type) {
    case 'reasoning':
      return '';
    case 'text':
      return part.text;
    case 'data':
      return `${part.source}\n${part.text}`;
    case 'tool':
      return JSON.stringify([part.tool, part.params, part.answer]);
  }
}

/** A server is taken to have cut a request of which it has read less than this share: estimates are not that far off. */
const READ_AT_LEAST = 0.5;
/** And only where so many tokens are missing. */
const WORTH_TELLING = 2000;

/** What the messages of a branch take up, from the first on. `beside` are the tokens of what is sent with them, where nobody has counted yet. */
export function contextUse(path: readonly Message[], beside = 0): ContextUse {
  const at = path.findLastIndex(({ usage }) => usage !== undefined);
  const usage = path[at]?.usage;
  const since = path.slice(at + 1).reduce((sum, message) => sum + estimateMessage(message), 0);
  if (!usage) return { tokens: path.length === 0 ? 0 : since + beside, unread: 0 };
  const sent = path.slice(0, at).reduce((sum, message) => sum + estimateMessage(message), 0);
  const isCut = usage.input < sent * READ_AT_LEAST && sent - usage.input > WORTH_TELLING;
  const before = isCut ? sent : usage.input;
  return { tokens: before + usage.output + since, unread: isCut ? sent - usage.input : 0 };
}
