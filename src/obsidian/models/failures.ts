import { ModelFailure } from '../../chat/language-model.js';
import { clip } from '../../model/refusal.js';
import { text } from '../i18n/index.js';

/** What a provider answered instead of a stream. */
export interface BadAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A provider's refusal as a failure in words: what is wrong, and what to do. */
export function failureOfAnswer(
  provider: string,
  model: string,
  { status, body, headers }: BadAnswer,
  now: number,
): ModelFailure {
  const words = text.chat.failures;
  const said = messageIn(body);
  const detail = said === '' ? '' : words.said(clip(said, 200));
  const wait = retryAfter(headers, now);
  const again = wait === undefined ? words.again : words.againIn(Math.ceil(wait / 1000));
  if (status === 401 || status === 403)
    return new ModelFailure('key', words.key(provider) + detail);
  if (isAboutContext(said)) return new ModelFailure('context', words.tooLong(model) + detail);
  if (status === 402 || /quota|billing|credit|balance/i.test(said))
    return new ModelFailure('quota', words.quota(provider) + detail);
  if (status === 404) return new ModelFailure('model', words.model(provider, clip(model)) + detail);
  if (status === 413) return new ModelFailure('context', words.tooMuch(provider) + detail);
  if (status === 429)
    return new ModelFailure('busy', words.tooMany(provider, again) + detail, wait);
  if (status === 529 || status === 503)
    return new ModelFailure('busy', words.overloaded(provider, again) + detail, wait);
  if (status >= 500)
    return new ModelFailure('broken', words.broken(provider, status, again) + detail, wait);
  return new ModelFailure('refused', words.refused(provider, status) + detail);
}

/** What no answer came from: the network, or the rules of web pages. */
export function failureOfNetwork(provider: string, url: string, isOnline: boolean): ModelFailure {
  const { local, offline, unreachable } = text.chat.failures;
  const isLocal = /^https?:\/\/(?:localhost|127\.|\[::1\])/.test(url);
  if (isLocal) return new ModelFailure('network', local(provider, url));
  return isOnline
    ? new ModelFailure('cors', unreachable(provider))
    : new ModelFailure('network', offline);
}

/** Milliseconds, from the header that says so in seconds or as a date. */
export function retryAfter(headers: BadAnswer['headers'], now: number): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}

/** The provider's own sentence: of JSON the message in it, of a web page its title. */
function messageIn(body: string): string {
  try {
    const found = findMessage(JSON.parse(body));
    if (found !== undefined) return found;
  } catch {
    // Not JSON: a gateway's page, or nothing.
  }
  return (/<title>([^<]{1,200})/i.exec(body)?.[1] ?? (body.startsWith('<') ? '' : body)).trim();
}

function findMessage(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return findMessage(value[0]);
  if (typeof value !== 'object' || value === null) return undefined;
  if ('message' in value && typeof value.message === 'string') return value.message;
  return 'error' in value ? findMessage(value.error) : undefined;
}

function isAboutContext(said: string): boolean {
  return /context.{0,20}(length|window|size)|too many tokens|prompt is too long|maximum.{0,30}tokens|input.{0,20}too long/i.test(
    said,
  );
}
