import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EmbeddingServer } from '../../src/indexing/notes/embedding-server.js';

export interface TestEmbeddingServer {
  readonly ollama: EmbeddingServer;
  readonly openai: EmbeddingServer;
  /** Texts of each answered request. */
  readonly requests: string[][];
  /** Replaces the regular answers: a status and a body, or no answer. */
  answerWith: { readonly status: number; readonly body: string } | 'silence' | undefined;
  readonly close: () => Promise<void>;
}

const MODEL = 'colours';
const KEY = 'sesame';
/** A vector counts the words of a text per group: vehicles, plants, houses. */
const GROUPS = [
  /\b(car|automobile|vehicle|fahrzeug|auto)\b/gi,
  /\b(rose|tomato|flower|blume)e?s?\b/gi,
  /\b(roof|house|shed|haus)\b/gi,
];

/** Starts a local server with the protocols of Ollama and OpenAI. */
export async function startEmbeddingServer({ cors = true } = {}): Promise<TestEmbeddingServer> {
  const server = http.createServer((request, response) => {
    for (const header of cors ? ['origin', 'headers'] : [])
      // Allows requests from web pages, as Ollama does.
      response.setHeader(`access-control-allow-${header}`, '*');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () =>
      answer(request, JSON.parse(Buffer.concat(chunks).toString()) as Asked, response),
    );
  });
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const own: TestEmbeddingServer = {
    ollama: { protocol: 'ollama', address: base, model: MODEL, key: '' },
    openai: { protocol: 'openai', address: `${base}/v1/`, model: MODEL, key: KEY },
    requests: [],
    answerWith: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  function answer(
    request: http.IncomingMessage,
    { model, input }: Asked,
    response: http.ServerResponse,
  ): void {
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    if (own.answerWith === 'silence') return;
    if (own.answerWith) return send(own.answerWith.status, own.answerWith.body);
    if (model !== MODEL)
      return send(404, { error: `model "${model}" not found, try pulling it first` });
    const tokens = input.join(' ').split(/\s+/).length;
    if (request.url === '/api/embed')
      send(200, { model, embeddings: input.map(vectorOf), prompt_eval_count: tokens });
    else if (request.headers.authorization !== `Bearer ${KEY}`)
      return send(401, { error: { message: 'Incorrect API key provided' } });
    else if (request.url === '/v1/embeddings') {
      const data = input
        .map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }))
        .reverse();
      send(200, {
        object: 'list',
        model,
        data,
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      });
    } else return send(404, { error: 'not found' });
    own.requests.push(input);
  }

  return own;
}

interface Asked {
  readonly model: string;
  readonly input: string[];
}

function vectorOf(text: string): number[] {
  return [...GROUPS.map((group) => text.match(group)?.length ?? 0), 0.1];
}
