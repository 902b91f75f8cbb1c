import type { Message, MessagePart } from '../model/message.js';
import { estimateTokens } from '../model/text/estimate-tokens.js';

/** A conversation's share of the model's context window. */
export interface ContextUsage {
  /** Tokens in the next request: the provider's last count and an estimate of later messages. */
  readonly tokens: number;
  /** Estimated tokens that the provider's server cut from the last request; 0 if it read all. */
  readonly truncatedTokens: number;
}

/** Share of the context window above which the user is advised to save a state and move on. */
export const NEARLY_FULL_SHARE = 0.8;

const estimates = new WeakMap<Message, number>();

/** Estimates the tokens that a message adds to a request; reasoning is not sent back. */
export function estimateMessageTokens(message: Message): number {
  const tokens =
    estimates.get(message) ??
    message.parts.reduce((sum, part) => sum + estimateTokens(sentText(part)), 0);
  estimates.set(message, tokens);
  return tokens;
}

/** More messages than this are estimated in slices. */
const MAX_ESTIMATED_AT_ONCE = 100;

/** Returns true if the tokens of all messages but a few have been estimated before. */
export function isEstimated(path: readonly Message[]): boolean {
  return path.filter((message) => !estimates.has(message)).length <= MAX_ESTIMATED_AT_ONCE;
}

/** Pauses after each message. */
export function* estimateSteps(path: readonly Message[]): Generator<undefined, void> {
  for (const message of path) {
    estimateMessageTokens(message);
    yield;
  }
}

function sentText(part: MessagePart): string {
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

/** A lower share of the estimate means truncation: estimates are at most about twice too high. */
const MIN_READ_SHARE = 0.4;
/** Smaller differences are not reported as truncation. */
const MIN_TRUNCATED_TOKENS = 2000;

/**
 * Returns the usage of a branch; `path` starts with its first message. `extraTokens` (such as tool
 * descriptions) count only until a provider has reported a number.
 */
export function contextUsage(path: readonly Message[], extraTokens = 0): ContextUsage {
  const at = path.findLastIndex(({ usage }) => usage !== undefined);
  const usage = path[at]?.usage;
  const since = sumTokens(path.slice(at + 1));
  if (!usage) return { tokens: path.length === 0 ? 0 : since + extraTokens, truncatedTokens: 0 };
  const sent = sumTokens(path.slice(0, at));
  const missing = sent - usage.input;
  const isTruncated = usage.input < sent * MIN_READ_SHARE && missing > MIN_TRUNCATED_TOKENS;
  const before = isTruncated ? sent : usage.input;
  return { tokens: before + usage.output + since, truncatedTokens: isTruncated ? missing : 0 };
}

function sumTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateMessageTokens(message), 0);
}
