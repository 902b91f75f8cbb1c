import type { ChatAgentProcess } from '../../src/acp/chat-agent-process.js';
import type { JsonObject } from '../../src/model/event.js';

const UPDATES_PER_SECOND = 2000;
const SECONDS = 5;
const SESSION_ID = 'busy';

/**
 * Starts an agent in this window that answers each prompt with 2,000 updates per second for 5
 * seconds.
 */
export function startBusyAgent(): ChatAgentProcess {
  let receive: (chunk: Uint8Array) => void = () => undefined;
  const send = (...messages: JsonObject[]) => {
    const lines = messages.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
    receive(new TextEncoder().encode(`${lines.join('\n')}\n`));
  };
  return {
    listen: (onData) => (receive = onData),
    pause: () => undefined,
    resume: () => undefined,
    write(text) {
      const { id, method } = JSON.parse(text) as { id: number; method: string };
      if (method === 'initialize') send({ id, result: { protocolVersion: 1 } });
      else if (method === 'session/new') send({ id, result: { sessionId: SESSION_ID } });
      else if (method === 'session/prompt')
        void sendUpdates(send).then(() => send({ id, result: { stopReason: 'end_turn' } }));
      return Promise.resolve();
    },
    lastOutput: () => '',
    end: () => Promise.resolve(),
  };
}

/** Sends what is due a hundred times per second, as a pipe delivers it. */
async function sendUpdates(send: (...messages: JsonObject[]) => void): Promise<void> {
  const start = performance.now();
  let sent = 0;
  while (sent < UPDATES_PER_SECOND * SECONDS) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const due = Math.min(
      UPDATES_PER_SECOND * SECONDS,
      Math.floor(((performance.now() - start) / 1000) * UPDATES_PER_SECOND),
    );
    const updates = Array.from({ length: due - sent }, (_, at) => updateOf(sent + at));
    sent = due;
    if (updates.length === 0) continue;
    send(
      ...updates.map((update) => ({
        method: 'session/update',
        params: { sessionId: SESSION_ID, update },
      })),
    );
  }
}

/**
 * Returns words mostly, and sometimes a thought, a tool call with its progress, a plan or the used
 * tokens.
 */
function updateOf(at: number): JsonObject {
  const text = at % 40 === 39 ? 'done.\n\n' : 'word ';
  const call = `call-${Math.floor(at / 500)}`;
  switch (at % 500) {
    case 100:
      return {
        sessionUpdate: 'tool_call',
        toolCallId: call,
        title: `Read ${call}.md`,
        kind: 'read',
        status: 'in_progress',
      };
    case 150:
    case 200:
      return {
        sessionUpdate: 'tool_call_update',
        toolCallId: call,
        content: [{ type: 'content', content: { type: 'text', text: `${at} lines` } }],
      };
    case 250:
      return { sessionUpdate: 'tool_call_update', toolCallId: call, status: 'completed' };
    case 300:
      return {
        sessionUpdate: 'plan',
        entries: [{ content: `Step ${at}`, priority: 'medium', status: 'pending' }],
      };
    case 350:
      return { sessionUpdate: 'usage_update', used: at, size: 200_000 };
    case 400:
      return { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Hm. ' } };
    default:
      return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  }
}
