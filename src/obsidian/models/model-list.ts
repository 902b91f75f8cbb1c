import { isJsonObject, type Json, type JsonObject } from '../../model/event.js';
import type { Provider } from './providers.js';

export interface OfferedModel {
  readonly id: string;
  /** Context window in tokens, if the provider lists it. */
  readonly contextLimit: number | undefined;
  readonly price: TokenPrice | undefined;
  /** Undefined if the provider does not say. */
  readonly takesImages: boolean | undefined;
}

/** Price of one token in US dollars. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
}

/** A GET request, or a POST request if it has a body. */
export interface ListRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

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

/** Returns the request for what Ollama says about a model, which its list of models leaves out. */
export function showRequest({ url, headers }: ListRequest, model: string): ListRequest {
  const body = JSON.stringify({ model });
  return { url: url.replace(/(?:\/v1)?\/models$/, '/api/show'), headers, body };
}

/** Returns what the answer to `showRequest` says; undefined if the server is not Ollama. */
export function parseShown(body: unknown): boolean | undefined {
  const capabilities = isJsonObject(body) ? body['capabilities'] : undefined;
  return Array.isArray(capabilities) ? capabilities.includes('vision') : undefined;
}

const NON_CHAT_MODEL =
  /embed|whisper|tts|dall-e|moderation|transcribe|realtime|image|audio|sora|rerank/i;

/** Returns a response's chat models, sorted by id; undefined if it is not a list of models. */
export function parseModelList(body: unknown): OfferedModel[] | undefined {
  const list = isJsonObject(body) ? (body['data'] ?? body['models']) : undefined;
  if (!Array.isArray(list)) return undefined;
  const models = list.flatMap((entry: Json) => (isJsonObject(entry) ? parseModel(entry) : []));
  return models.sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
}

/** Names of models that suit most conversations, by protocol and in order of preference. */
const SENSIBLE_MODELS: Record<Provider['protocol'], readonly RegExp[]> = {
  anthropic: [/sonnet/i],
  openai: [/^gpt-\d+(?:\.\d+)?$/i, /^gpt-\d+[a-z]?$/i],
  google: [/^gemini-[\d.]+-flash$/i, /^gemini.*flash/i],
  compatible: [/^anthropic\/.*sonnet/i],
};

/** Returns a model that suits most chats: the newest of a known family, else the list's first. */
export function sensibleModel(
  { protocol }: Provider,
  models: readonly OfferedModel[],
): string | undefined {
  const newest = SENSIBLE_MODELS[protocol].map((family) =>
    models.findLast(({ id }) => family.test(id)),
  );
  return (newest.find((model) => model !== undefined) ?? models[0])?.id;
}

function parseModel(entry: JsonObject): OfferedModel[] {
  const { id = entry['name'], supportedGenerationMethods: methods } = entry;
  if (typeof id !== 'string' || NON_CHAT_MODEL.test(id)) return [];
  if (Array.isArray(methods) && !methods.includes('generateContent')) return [];
  const limit =
    entry['context_length'] ??
    entry['inputTokenLimit'] ??
    entry['max_input_tokens'] ??
    entry['max_context_length'];
  const contextLimit = typeof limit === 'number' ? limit : undefined;
  const price = parsePrice(entry['pricing']);
  const takesImages = parseImageSupport(entry);
  return [{ id: id.replace(/^models\//, ''), contextLimit, price, takesImages }];
}

/** OpenRouter lists types of input, Mistral whether there is vision, Anthropic image input. */
function parseImageSupport({ architecture, capabilities }: JsonObject): boolean | undefined {
  const inputs = isJsonObject(architecture) ? architecture['input_modalities'] : undefined;
  if (Array.isArray(inputs)) return inputs.includes('image');
  if (!isJsonObject(capabilities)) return undefined;
  const { vision, image_input: input } = capabilities;
  const said = isJsonObject(input) ? input['supported'] : vision;
  return typeof said === 'boolean' ? said : undefined;
}

/** Only OpenRouter lists prices, as text; a negative number means that the price varies. */
function parsePrice(pricing: Json | undefined): TokenPrice | undefined {
  if (!isJsonObject(pricing)) return undefined;
  const [input, output] = [Number(pricing['prompt'] ?? NaN), Number(pricing['completion'] ?? NaN)];
  return input >= 0 && output >= 0 ? { input, output } : undefined;
}
