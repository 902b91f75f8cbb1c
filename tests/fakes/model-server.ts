import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type Protocol = 'anthropic' | 'responses' | 'chat' | 'google';

/** A piece of a model's answer, for any protocol. */
export type Saying =
  | { text: string }
  | { reasoning: string }
  | { call: { id: string; name: string; args: unknown; raw?: string } };

/** A response: a model's answer, or an error of the server. */
export interface Script {
  readonly says?: readonly Saying[];
  /** Finish reason. Derived from the pieces by default. */
  readonly end?: 'length';
  /** True to end the stream early, without the protocol's final event. */
  readonly isBroken?: boolean;
  /** Milliseconds between pieces. */
  readonly pace?: number;
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The body as it was sent. */
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export interface ModelServer {
  /** Origin, without a path. */
  readonly origin: string;
  readonly requests: ModelRequest[];
  /** Upcoming responses, in order. The last one is repeated. */
  readonly scripts: Script[];
  close(): Promise<void>;
}

export interface ServerOptions {
  /** False to refuse requests from web pages. */
  readonly cors?: boolean;
  readonly models?: readonly string[];
  /** Additional properties of each listed model, under the provider's names. */
  readonly facts?: object;
  /** Answer of Ollama's `/api/show` about a model; null for a server without this path. */
  readonly shown?: object | null;
}

/** Starts a local server that implements a provider's documented protocol. */
export async function startModelServer(
  protocol: Protocol,
  scripts: Script[],
  { cors = true, models = ['small', 'large'], facts = {}, shown = {} }: ServerOptions = {},
): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    if (cors) allow(request, response);
    if (request.method === 'OPTIONS') return void response.writeHead(cors ? 204 : 403).end();
    if (request.method === 'GET')
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(modelList(protocol, models, facts)));
    if (request.url === '/api/show')
      return void response.writeHead(shown ? 200 : 404).end(JSON.stringify(shown));
    void readBody(request).then(async (text) => {
      const body = JSON.parse(text) as Record<string, unknown>;
      requests.push({ path: request.url ?? '', headers: request.headers, text, body });
      const script = scripts.length > 1 ? scripts.shift()! : scripts[0]!;
      await answer(protocol, script, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    scripts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function allow(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
  response.setHeader(
    'access-control-allow-headers',
    request.headers['access-control-request-headers'] ?? '*',
  );
  response.setHeader('access-control-allow-methods', 'GET, POST');
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

function modelList(protocol: Protocol, models: readonly string[], facts: object): unknown {
  const methods = { supportedGenerationMethods: ['generateContent'] };
  if (protocol === 'google')
    return {
      models: models.map((id) => ({ name: `models/${id}`, displayName: id, ...methods, ...facts })),
    };
  return {
    object: 'list',
    data: models.map((id) => ({ id, object: 'model', type: 'model', display_name: id, ...facts })),
    has_more: false,
  };
}

async function answer(protocol: Protocol, script: Script, response: ServerResponse): Promise<void> {
  const { status = 200, headers = {}, body, says = [], isBroken = false, pace = 0 } = script;
  if (status !== 200 || body !== undefined)
    return void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(body ?? '');
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    ...headers,
  });
  const events = [...encoders[protocol](says, script)];
  for (const event of isBroken ? events.slice(0, Math.ceil(events.length / 2)) : events) {
    if (response.destroyed) return;
    response.write(event);
    if (pace > 0) await sleep(pace);
  }
  if (isBroken) response.destroy();
  else response.end();
}

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const named = (value: { type: string }) => `event: ${value.type}\n${data(value)}`;
const hasCall = (says: readonly Saying[]) => says.some((saying) => 'call' in saying);
const argsText = ({ args, raw }: { args: unknown; raw?: string }) => raw ?? JSON.stringify(args);

/** Splits a text in two, so that the client has to join the pieces. */
const halves = (text: string) =>
  [text.slice(0, Math.ceil(text.length / 2)), text.slice(Math.ceil(text.length / 2))].filter(
    (half) => half !== '',
  );

const encoders: Record<Protocol, (says: readonly Saying[], script: Script) => Iterable<string>> = {
  *anthropic(says, { end }) {
    const usage = {
      input_tokens: 100,
      output_tokens: 1,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    };
    yield named({
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'small',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
    } as { type: string });
    yield named({ type: 'ping' });
    for (const [index, saying] of says.entries()) {
      const start = (block: unknown) =>
        named({ type: 'content_block_start', index, content_block: block } as { type: string });
      const delta = (piece: unknown) =>
        named({ type: 'content_block_delta', index, delta: piece } as { type: string });
      if ('text' in saying) {
        yield start({ type: 'text', text: '' });
        for (const text of halves(saying.text)) yield delta({ type: 'text_delta', text });
      } else if ('reasoning' in saying) {
        yield start({ type: 'thinking', thinking: '', signature: '' });
        for (const thinking of halves(saying.reasoning))
          yield delta({ type: 'thinking_delta', thinking });
        yield delta({ type: 'signature_delta', signature: 'c2ln' });
      } else {
        yield start({ type: 'tool_use', id: saying.call.id, name: saying.call.name, input: {} });
        for (const partial_json of halves(argsText(saying.call)))
          yield delta({ type: 'input_json_delta', partial_json });
      }
      yield named({ type: 'content_block_stop', index } as { type: string });
    }
    const usual = hasCall(says) ? 'tool_use' : 'end_turn';
    const stop_reason = end === 'length' ? 'max_tokens' : usual;
    yield named({
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: 20 },
    } as { type: string });
    yield named({ type: 'message_stop' });
  },
  *chat(says, { end }) {
    const chunk = (delta: unknown, finish_reason: string | null = null) =>
      data({
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1_700_000_000,
        model: 'small',
        choices: [{ index: 0, delta, finish_reason }],
      });
    yield chunk({ role: 'assistant', content: '' });
    let index = 0;
    for (const saying of says) {
      if ('text' in saying) for (const content of halves(saying.text)) yield chunk({ content });
      else if ('reasoning' in saying)
        for (const reasoning_content of halves(saying.reasoning))
          yield chunk({ reasoning_content });
      else {
        const { id, name } = saying.call;
        yield chunk({
          tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }],
        });
        for (const piece of halves(argsText(saying.call)))
          yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
        index++;
      }
    }
    yield chunk({}, end ?? (hasCall(says) ? 'tool_calls' : 'stop'));
    yield data({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'small',
      choices: [],
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    });
    yield 'data: [DONE]\n\n';
  },
  *responses(says, { end }) {
    let sequence_number = 0;
    const event = (type: string, more: object) =>
      named({ type, sequence_number: sequence_number++, ...more } as { type: string });
    const response = {
      id: 'resp_1',
      object: 'response',
      created_at: 1_700_000_000,
      model: 'small',
      status: 'in_progress',
      output: [],
    };
    yield event('response.created', { response });
    for (const [output_index, saying] of says.entries()) {
      const item_id = `item_${output_index}`;
      if ('text' in saying) {
        const item = {
          id: item_id,
          type: 'message',
          role: 'assistant',
          status: 'in_progress',
          content: [],
        };
        yield event('response.output_item.added', { output_index, item });
        for (const delta of halves(saying.text))
          yield event('response.output_text.delta', {
            item_id,
            output_index,
            content_index: 0,
            delta,
            logprobs: [],
          });
        const content = [{ type: 'output_text', text: saying.text, annotations: [], logprobs: [] }];
        yield event('response.output_item.done', {
          output_index,
          item: { ...item, status: 'completed', content },
        });
      } else if ('reasoning' in saying) {
        yield event('response.output_item.added', {
          output_index,
          item: { id: item_id, type: 'reasoning', summary: [] },
        });
        yield event('response.reasoning_summary_part.added', {
          item_id,
          output_index,
          summary_index: 0,
          part: { type: 'summary_text', text: '' },
        });
        for (const delta of halves(saying.reasoning))
          yield event('response.reasoning_summary_text.delta', {
            item_id,
            output_index,
            summary_index: 0,
            delta,
          });
        yield event('response.output_item.done', {
          output_index,
          item: {
            id: item_id,
            type: 'reasoning',
            summary: [{ type: 'summary_text', text: saying.reasoning }],
          },
        });
      } else {
        const { id: call_id, name } = saying.call;
        const item = {
          id: item_id,
          type: 'function_call',
          call_id,
          name,
          arguments: '',
          status: 'in_progress',
        };
        yield event('response.output_item.added', { output_index, item });
        for (const delta of halves(argsText(saying.call)))
          yield event('response.function_call_arguments.delta', { item_id, output_index, delta });
        yield event('response.output_item.done', {
          output_index,
          item: { ...item, arguments: argsText(saying.call), status: 'completed' },
        });
      }
    }
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 120,
    };
    if (end === 'length')
      yield event('response.incomplete', {
        response: {
          ...response,
          status: 'incomplete',
          incomplete_details: { reason: 'max_output_tokens' },
          usage,
        },
      });
    else
      yield event('response.completed', {
        response: { ...response, status: 'completed', incomplete_details: null, usage },
      });
  },
  *google(says, { end }) {
    const chunk = (parts: unknown[], finishReason?: string) =>
      data({
        candidates: [
          { content: { parts, role: 'model' }, index: 0, ...(finishReason && { finishReason }) },
        ],
        usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
        modelVersion: 'small',
      });
    for (const saying of says) {
      if ('text' in saying) for (const text of halves(saying.text)) yield chunk([{ text }]);
      else if ('reasoning' in saying)
        for (const text of halves(saying.reasoning)) yield chunk([{ text, thought: true }]);
      else yield chunk([{ functionCall: { name: saying.call.name, args: saying.call.args } }]);
    }
    yield chunk([{ text: '' }], end === 'length' ? 'MAX_TOKENS' : 'STOP');
  },
};
