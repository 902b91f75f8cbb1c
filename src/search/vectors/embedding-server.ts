import { isJsonObject, type Json } from '../../model/event.js';
import { clip, Refusal } from '../../model/refusal.js';
import { LANES } from './dot-products.js';

export const EMBEDDING_PROTOCOLS = ['ollama', 'openai'] as const;

/** Where a person's own model tells what texts mean. */
export interface EmbeddingServer {
  readonly protocol: (typeof EMBEDDING_PROTOCOLS)[number];
  /** Such as `http://localhost:11434` for Ollama, or `https://api.openai.com/v1` for what speaks as OpenAI does. */
  readonly address: string;
  readonly model: string;
  /** Empty where none is wanted. */
  readonly key: string;
}

/** A model that tells what texts mean, somewhere else. */
export interface RemoteEmbedder {
  /** Changes with whatever changes its vectors. */
  readonly id: string;
  /**
   * The direction of each text, as whole numbers: a unit vector times 127. With it, how many tokens the server has counted, where it
   * says so. Throws a `Refusal` where the server is not there, refuses, or answers something else.
   */
  readonly embed: (texts: readonly string[], signal: AbortSignal) => Promise<Embeddings>;
}

export interface Embeddings {
  readonly vectors: readonly Int8Array[];
  readonly tokens: number | undefined;
}

/** What a server is asked, and what of its answer is read. */
interface Protocol {
  readonly path: string;
  readonly body: (model: string, input: readonly string[]) => Json;
  readonly vectorsIn: (answer: Json) => Json | undefined;
  readonly tokensIn: (answer: Json) => Json | undefined;
}

const PROTOCOLS: Readonly<Record<EmbeddingServer['protocol'], Protocol>> = {
  ollama: {
    path: '/api/embed',
    body: (model, input) => ({ model, input: [...input], truncate: true }),
    vectorsIn: (answer) => field(answer, 'embeddings'),
    tokensIn: (answer) => field(answer, 'prompt_eval_count'),
  },
  openai: {
    path: '/embeddings',
    body: (model, input) => ({ model, input: [...input], encoding_format: 'float' }),
    vectorsIn: (answer) => inOrder(field(answer, 'data')),
    tokensIn: (answer) => field(field(answer, 'usage'), 'total_tokens'),
  },
};

/** @param ask as `fetch` does */
export function createRemoteEmbedder(
  { protocol, address, model, key }: EmbeddingServer,
  ask: typeof fetch,
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
      const response = await ask(base + path, request).catch(() => {
        signal.throwIfAborted();
        throw new Refusal(
          `The embeddings server does not answer at ${clip(base)}. Start it, or check its address.`,
        );
      });
      const said = await response.text();
      if (!response.ok) throw new Refusal(failureOf(response.status, model, said));
      const answer = parse(said);
      const vectors = readVectors(vectorsIn(answer), texts.length);
      if (!vectors)
        throw new Refusal(
          `What answers at ${clip(base)} gives no embeddings. Check the address and the model.`,
        );
      const tokens = tokensIn(answer);
      return { vectors, tokens: typeof tokens === 'number' ? tokens : undefined };
    },
  };
}

function failureOf(status: number, model: string, said: string): string {
  const detail = clip(said.replace(/\s+/g, ' ').trim(), 200);
  const words = detail === '' ? '' : ` It said: "${detail}"`;
  if (status === 401 || status === 403)
    return `The embeddings server does not accept the key.${words}`;
  if (status === 404)
    return `The embeddings server does not know the model "${clip(model)}" (for Ollama: ollama pull ${clip(model)}).${words}`;
  if (status === 429) return `The embeddings server gets too many requests.${words}`;
  return `The embeddings server refused (${status}).${words}`;
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null; // a web page, or cut off: told as no embeddings
  }
}

function field(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

/** The vectors of a list of `{index, embedding}`, each in its place. */
function inOrder(list: Json | undefined): Json | undefined {
  if (!Array.isArray(list)) return undefined;
  const ordered: Json[] = [];
  list.forEach((entry, at) => {
    const index = field(entry, 'index');
    ordered[typeof index === 'number' ? index : at] = field(entry, 'embedding') ?? null;
  });
  return ordered;
}

/** Longer vectors than this are no embeddings. */
const MOST_DIMENSIONS = 4096;

/** Undefined where these are not `count` vectors of one length. */
function readVectors(list: Json | undefined, count: number): Int8Array[] | undefined {
  if (!Array.isArray(list) || list.length !== count) return undefined;
  const rows = list.filter(
    (row): row is number[] => Array.isArray(row) && row.every((value) => Number.isFinite(value)),
  );
  const dimensions = rows[0]?.length ?? 0;
  if (
    rows.length !== count ||
    dimensions === 0 ||
    dimensions > MOST_DIMENSIONS ||
    rows.some((row) => row.length !== dimensions)
  )
    return undefined;
  return rows.map((row) => toUnit(row));
}

/** Filled up with zeros to a length that is divisible by eight. */
function toUnit(row: readonly number[]): Int8Array {
  const length = Math.hypot(...row);
  const vector = new Int8Array(Math.ceil(row.length / LANES) * LANES);
  if (length > 0)
    row.forEach((value, column) => (vector[column] = Math.round((value * 127) / length)));
  return vector;
}
