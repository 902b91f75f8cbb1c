import { ModelFailure } from '../../chat/language-model.js';
import { clip } from '../../model/refusal.js';
import { parseJson } from '../../model/text/json-fields.js';
import { text } from '../i18n/index.js';
import { isLocalUrl } from './providers.js';

/** Length above which a provider's message is truncated. */
const MAX_MESSAGE_CHARS = 200;

/** A provider's response with an error status. */
export interface ErrorResponse {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** True if the request had images, which may be why it was refused. */
  readonly hasImages?: boolean;
}

/** Returns the failure for an error response; `now` is milliseconds since 1970. */
export function failureFromResponse(
  provider: string,
  model: string,
  { status, body, headers, hasImages = false }: ErrorResponse,
  now: number,
): ModelFailure {
  const texts = text.chat.failures;
  const message = errorMessage(body);
  const detail = message === '' ? '' : texts.said(clip(message, MAX_MESSAGE_CHARS));
  const wait = parseRetryAfter(headers, now);
  const again = wait === undefined ? texts.again : texts.againIn(Math.ceil(wait / 1000));
  if (status === 401 || status === 403)
    return new ModelFailure('key', texts.key(provider) + detail);
  if (isContextError(message)) return new ModelFailure('context', texts.tooLong(model) + detail);
  if (status === 402 || /quota|billing|credit|balance/i.test(message))
    return new ModelFailure('quota', texts.quota(provider) + detail);
  if (status === 404) return new ModelFailure('model', texts.model(provider, clip(model)) + detail);
  if (status === 413) return new ModelFailure('context', texts.tooMuch(provider) + detail);
  if (status === 429)
    return new ModelFailure('busy', texts.tooMany(provider, again) + detail, wait);
  if (status === 529 || status === 503)
    return new ModelFailure('busy', texts.overloaded(provider, again) + detail, wait);
  if (hasImages && status <= 500)
    return new ModelFailure('images', texts.images(provider, status, model) + detail);
  if (status >= 500)
    return new ModelFailure('broken', texts.broken(provider, status, again) + detail, wait);
  return new ModelFailure('refused', texts.refused(provider, status) + detail);
}

/** Failure of a request without a response, because the network failed or CORS blocked it. */
export function failureFromNetwork(provider: string, url: string, isOnline: boolean): ModelFailure {
  const { local, offline, unreachable } = text.chat.failures;
  if (isLocalUrl(url)) return new ModelFailure('network', local(provider, url));
  return isOnline
    ? new ModelFailure('cors', unreachable(provider))
    : new ModelFailure('network', offline);
}

/** Returns the `retry-after` header in milliseconds; it holds seconds or a date. */
export function parseRetryAfter(
  headers: ErrorResponse['headers'],
  now: number,
): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}

/** Returns the provider's message: a JSON body's `message`, an HTML page's title, else the text. */
function errorMessage(body: string): string {
  const found = findMessage(parseJson(body));
  if (found !== undefined) return found;
  const title = /<title>([^<]{1,200})/i.exec(body)?.[1];
  const fallback = body.startsWith('<') ? '' : body;
  return (title ?? fallback).trim();
}

function findMessage(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return findMessage(value[0]);
  if (typeof value !== 'object' || value === null) return undefined;
  if ('message' in value && typeof value.message === 'string') return value.message;
  return 'error' in value ? findMessage(value.error) : undefined;
}

function isContextError(message: string): boolean {
  return /context.{0,20}(length|window|size)|too many tokens|prompt is too long|maximum.{0,30}tokens|input.{0,20}too long/i.test(
    message,
  );
}
