import { ModelFailure } from '../../chat/language-model.js';
import { clip } from '../../model/refusal.js';

/** What a provider answered instead of a stream. */
export interface BadAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A provider's refusal as a failure in words: what is wrong, and what to do. */
export function failureOfAnswer(provider: string, model: string, { status, body, headers }: BadAnswer, now: number): ModelFailure {
  const said = messageIn(body);
  const detail = said === '' ? '' : ` It said: "${clip(said, 200)}"`;
  const wait = retryAfter(headers, now);
  const again = wait === undefined ? 'Try again in a minute.' : `Try again in ${Math.ceil(wait / 1000)} seconds.`;
  if (status === 401 || status === 403)
    return new ModelFailure('key', `${provider} does not accept the key. Check it under Settings, Savepoint, Models.${detail}`);
  if (isAboutContext(said))
    return new ModelFailure('context', `The conversation is too long for ${model}. Save a state and go on in a new conversation.${detail}`);
  if (status === 402 || /quota|billing|credit|balance/i.test(said))
    return new ModelFailure('quota', `${provider} has no credit left for this key. Add some there, or choose another provider.${detail}`);
  if (status === 404)
    return new ModelFailure('model', `${provider} does not know the model "${clip(model)}". Choose one from its list.${detail}`);
  if (status === 413) return new ModelFailure('context', `The message is too long for ${provider}. Send less at once.${detail}`);
  if (status === 429) return new ModelFailure('busy', `${provider} gets too many requests from this key. ${again}${detail}`, wait);
  if (status === 529 || status === 503) return new ModelFailure('busy', `${provider} is overloaded. ${again}${detail}`, wait);
  if (status >= 500) return new ModelFailure('broken', `${provider} has a fault of its own (${status}). ${again}${detail}`, wait);
  return new ModelFailure('refused', `${provider} refused the request (${status}). Choose another model, or try again.${detail}`);
}

/** What no answer came from: the network, or the rules of web pages. */
export function failureOfNetwork(provider: string, url: string, isOnline: boolean): ModelFailure {
  const isLocal = /^https?:\/\/(?:localhost|127\.|\[::1\])/.test(url);
  if (isLocal)
    return new ModelFailure(
      'network',
      `${provider} does not answer at ${url}. Start it; if it runs, let it accept requests from Obsidian (for Ollama: OLLAMA_ORIGINS=app://obsidian.md*).`,
    );
  if (!isOnline) return new ModelFailure('network', 'This device is offline. Connect it, and try again.');
  return new ModelFailure(
    'cors',
    `${provider} cannot be reached from here: the network, a firewall or its own rules (CORS) refused. Check the address, then try again.`,
  );
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
  return /context.{0,20}(length|window|size)|too many tokens|prompt is too long|maximum.{0,30}tokens|input.{0,20}too long/i.test(said);
}
