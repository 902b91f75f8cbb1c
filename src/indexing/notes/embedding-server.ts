import { isJsonObject, type Json } from '../../model/event.js';
import { clip, Refusal } from '../../model/refusal.js';
import { parseJson } from '../../model/text/json-fields.js';
import { toUnitVector } from '../../search/index.js';

/** Address of an embedding model chosen by the user. */
export interface EmbeddingServer {
  readonly protocol: 'ollama' | 'openai';
  /** `http://localhost:11434` for Ollama, `https://api.openai.com/v1` for OpenAI and the like. */
  readonly address: string;
  readonly model: string;
  /** Empty if the server needs none. */
  readonly key: string;
}

export interface RemoteEmbedder {
  /** Identifies the server and the model. Vectors with different ids must not be compared. */
  readonly id: string;
  /** Returns unit vectors times 127, rounded. Throws a `Refusal` for any failure of the server. */
  readonly embed: (texts: readonly string[], signal: AbortSignal) => Promise<Embeddings>;
}

export interface Embeddings {
  readonly vectors: readonly Int8Array[];
  /** As counted by the server, if it says so. */
  readonly tokens: number | undefined;
}

interface Protocol {
  readonly path: string;
  readonly body: (model: string, input: readonly string[]) => Json;
  readonly vectorsIn: (response: Json) => Json | undefined;
  readonly tokensIn: (response: Json) => Json | undefined;
}

const PROTOCOLS: Readonly<Record<EmbeddingServer['protocol'], Protocol>> = {
  ollama: {
    path: '/api/embed',
    body: (model, input) => ({ model, input: [...input], truncate: true }),
    vectorsIn: (response) => field(response, 'embeddings'),
    tokensIn: (response) => field(response, 'prompt_eval_count'),
  },
  openai: {
    path: '/embeddings',
    body: (model, input) => ({ model, input: [...input], encoding_format: 'float' }),
    vectorsIn: (response) => inOrder(field(response, 'data')),
    tokensIn: (response) => field(field(response, 'usage'), 'total_tokens'),
  },
};

export function isEmbeddingProtocol(value: unknown): value is EmbeddingServer['protocol'] {
  return typeof value === 'string' && Object.hasOwn(PROTOCOLS, value);
}

export function createRemoteEmbedder(
  { protocol, address, model, key }: EmbeddingServer,
  send: typeof fetch,
): RemoteEmbedder {
  const { path, body, vectorsIn, tokensIn } = PROTOCOLS[protocol];
  const base = address.trim().replace(/\/+$/, '');
  const headers = {
    'content-type': 'application/json',
    ...(key !== '' && { authorization: `Bearer ${key}` }),
  };
  return {
    id: [protocol, base, model].join(' '),
    async embed(texts, signal) {
      const request = { method: 'POST', headers, body: JSON.stringify(body(model, texts)), signal };
      const response = await send(base + path, request).catch(() => {
        signal.throwIfAborted();
        throw new Refusal(
          `Cannot reach the embeddings server at ${clip(base)}. Start it, or check its address.`,
        );
      });
      const text = await response.text();
      if (!response.ok) throw new Refusal(failureOf(response.status, model, text));
      const parsed = parseJson(text) ?? null; // null for a web page
      const vectors = readVectors(vectorsIn(parsed), texts.length);
      if (!vectors)
        throw new Refusal(
          `The server at ${clip(base)} did not return embeddings. Check the address and the model.`,
        );
      const tokens = tokensIn(parsed);
      return { vectors, tokens: typeof tokens === 'number' ? tokens : undefined };
    },
  };
}

function failureOf(status: number, model: string, body: string): string {
  const text = clip(body.replace(/\s+/g, ' ').trim(), 200);
  const detail = text === '' ? '' : ` It returned: "${text}"`;
  if (status === 401 || status === 403) return `The embeddings server rejected the key.${detail}`;
  if (status === 404)
    return `The embeddings server does not have the model "${clip(model)}" (for Ollama: ollama pull ${clip(model)}).${detail}`;
  if (status === 429) return `The embeddings server is rate-limiting requests.${detail}`;
  return `The embeddings server returned an error (${status}).${detail}`;
}

function field(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

/** Returns the vectors of a list of `{index, embedding}`, by index. */
function inOrder(list: Json | undefined): Json | undefined {
  if (!Array.isArray(list)) return undefined;
  const ordered: Json[] = [];
  list.forEach((entry, at) => {
    const index = field(entry, 'index');
    ordered[typeof index === 'number' ? index : at] = field(entry, 'embedding') ?? null;
  });
  return ordered;
}

const MAX_DIMENSIONS = 4096;

/** Returns undefined unless there are `count` vectors of the same length. */
function readVectors(list: Json | undefined, count: number): Int8Array[] | undefined {
  if (!Array.isArray(list) || list.length !== count) return undefined;
  const rows = list.filter(
    (row): row is number[] => Array.isArray(row) && row.every((value) => Number.isFinite(value)),
  );
  const dimensions = rows[0]?.length ?? 0;
  if (
    rows.length !== count ||
    dimensions === 0 ||
    dimensions > MAX_DIMENSIONS ||
    rows.some((row) => row.length !== dimensions)
  )
    return undefined;
  return rows.map(toUnitVector);
}
