import { isJsonObject, type Json, type JsonObject } from '../../model/event.js';
import type { Provider } from './providers.js';

/** A model that a provider offers. */
export interface OfferedModel {
  readonly id: string;
  /** How much it reads at most, in tokens, where the provider says so. */
  readonly contextLimit: number | undefined;
  readonly price: TokenPrice | undefined;
}

/** What a token costs, in US dollars. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
}

export interface ListRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** How a provider is asked for its models. */
export function listRequest({ protocol }: Provider, baseUrl: string, apiKey: string): ListRequest {
  const url = `${baseUrl.replace(/\/+$/, '')}/models`;
  switch (protocol) {
    case 'anthropic': {
      const headers = {
        'x-api-key': apiKey,
        'anthropic-version': '2023-06-01',
        'anthropic-dangerous-direct-browser-access': 'true',
      };
      return { url: `${url}?limit=1000`, headers };
    }
    case 'google':
      return { url: `${url}?pageSize=1000`, headers: { 'x-goog-api-key': apiKey } };
    case 'openai':
    case 'compatible':
      return { url, headers: apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` } };
  }
}

/** What does not talk, by the names that providers give such models. */
const OTHER_KINDS =
  /embed|whisper|tts|dall-e|moderation|transcribe|realtime|image|audio|sora|rerank/i;

/** The models that can talk, by their names; undefined where this is no list of models. */
export function readModelList(answer: unknown): OfferedModel[] | undefined {
  const list = isJsonObject(answer) ? (answer['data'] ?? answer['models']) : undefined;
  if (!Array.isArray(list)) return undefined;
  const models = list.flatMap((entry: Json) => (isJsonObject(entry) ? offered(entry) : []));
  return models.sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
}

function offered(entry: JsonObject): OfferedModel[] {
  const { id = entry['name'], supportedGenerationMethods: methods } = entry;
  if (typeof id !== 'string' || OTHER_KINDS.test(id)) return [];
  if (Array.isArray(methods) && !methods.includes('generateContent')) return [];
  const limit =
    entry['context_length'] ??
    entry['inputTokenLimit'] ??
    entry['max_input_tokens'] ??
    entry['max_context_length'];
  const contextLimit = typeof limit === 'number' ? limit : undefined;
  return [{ id: id.replace(/^models\//, ''), contextLimit, price: priceIn(entry['pricing']) }];
}

/** OpenRouter says it, as text; a price below nothing stands for one that varies. */
function priceIn(pricing: Json | undefined): TokenPrice | undefined {
  if (!isJsonObject(pricing)) return undefined;
  const [input, output] = [Number(pricing['prompt'] ?? NaN), Number(pricing['completion'] ?? NaN)];
  return input >= 0 && output >= 0 ? { input, output } : undefined;
}
