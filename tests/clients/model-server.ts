import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  findTool,
  PROTOCOLS,
  type Json,
  type ModelAnswer,
  type ModelRequest,
  type Protocol,
} from './protocols.js';

/**
 * One answer of the model: a tool call, a text that ends the turn, or none, so that the turn lasts
 * until it is cancelled.
 */
export type Step = ModelAnswer | 'silence';

/** A model server on the loopback interface, which answers with a script instead of a model. */
export interface ModelServer {
  readonly url: string;
  /**
   * Sets the answers for the next turn. Requests that offer no tools, such as for a title, take
   * none of them, nor do those with the words `ofSubagent`, which all get a text.
   */
  script(steps: readonly Step[], ofSubagent?: string): void;
  /** Requests that offer tools, since the last script. */
  readonly requests: readonly ModelRequest[];
  /** True once all answers of the script were given. */
  readonly isAtEnd: boolean;
  /** Requests that could not be answered, with the reason. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

/**
 * The answer to a request that offers no tools, which asks for a title or a summary of the
 * conversation.
 */
export const SUMMARY = 'A few words about it';
/** The answer to every request of a subagent. */
const SUBAGENT_ANSWER = 'The subagent is done.';
/**
 * Calls that give a client time, because it may ask the model before its servers are connected:
 * Claude Code's own tool, or a command.
 */
const WAITING_CALLS: readonly Extract<ModelAnswer, { readonly tool: string }>[] = [
  { tool: 'WaitForMcpServers', args: {} },
  { tool: 'exec_command', args: { cmd: 'sleep 1' } },
];
const MAX_WAITING_CALLS = 60;

export async function startModelServer(): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const problems: string[] = [];
  let steps: Step[] = [];
  let subagentWords: string | undefined;
  let waits = 0;

  /** Returns the next answer, with the name by which the client knows the tool. */
  function nextAnswer(request: ModelRequest): Step {
    const { tools } = request;
    if (tools.length === 0) return { text: SUMMARY };
    requests.push(request);
    if (subagentWords !== undefined && request.text.includes(subagentWords))
      return { text: SUBAGENT_ANSWER };
    const [step] = steps;
    if (!step || step === 'silence' || 'text' in step) return steps.shift() ?? { text: 'Done.' };
    const tool = findTool(tools, step.tool);
    const waiting = WAITING_CALLS.find((call) => tools.includes(call.tool));
    if (tool === undefined && waiting && waits++ < MAX_WAITING_CALLS) return waiting;
    if (tool === undefined) throw new Error(`No tool ends in ${step.tool}: ${tools.join(', ')}`);
    steps.shift();
    const also = step.also?.map((call) => ({ ...call, tool: findTool(tools, call.tool) ?? '' }));
    return { ...step, tool, ...(also && { also }) };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const protocol = PROTOCOLS.find((each) => method === 'POST' && each.matches(url));
    if (!protocol) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const read = protocol.read(await readJson(request), url);
    const next = nextAnswer(read);
    if (next !== 'silence') send(response, protocol, read.isStreamed, next);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      problems.push(String(error));
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    script(next, ofSubagent) {
      steps = [...next];
      subagentWords = ofSubagent;
      requests.length = problems.length = waits = 0;
    },
    requests,
    problems,
    get isAtEnd() {
      return steps.length === 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(
  response: ServerResponse,
  protocol: Protocol,
  isStreamed: boolean,
  answer: ModelAnswer,
): void {
  if (!isStreamed) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(protocol.whole(answer)));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const { event, data } of protocol.stream(answer)) {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`);
  }
  response.end();
}

async function readJson(request: IncomingMessage): Promise<Json> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString()) as Json;
}
