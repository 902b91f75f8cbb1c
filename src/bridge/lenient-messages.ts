import { isJsonObject, type Json } from '../model/event.js';
import { parseJsonObject, textIn } from '../model/text/json-fields.js';

/**
 * Leaves out null in `params`, such as that of `cursor`, and converts arguments that are JSON text:
 * some clients send these, and the SDK refuses them.
 */
export function withParams(message: Json): Json {
  if (!isJsonObject(message) || !('params' in message)) return message;
  const { params: given, ...rest } = message;
  if (given === null) return rest;
  if (!isJsonObject(given)) return message;
  const params = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const text = textIn(params, 'arguments');
  const parsed = text === undefined ? undefined : parseJsonObject(text);
  return { ...rest, params: { ...params, ...(parsed && { arguments: parsed }) } };
}

/** Media types that the SDK requires a client to accept. */
export const STREAMABLE_TYPES = 'application/json, text/event-stream';

/** Returns the answer as one JSON document if the client accepts JSON, but no event stream. */
export async function inAcceptedType(answer: Response, accept: string): Promise<Response> {
  const isJsonOnly = /\bapplication\/json\b/i.test(accept) && !/text\/|\*\/\*/i.test(accept);
  if (!isJsonOnly || answer.headers.get('content-type') !== 'text/event-stream') return answer;
  const messages = (await answer.text()).split(/\r?\n/u).flatMap((line) => {
    const message = line.startsWith('data:') ? parseJsonObject(line.slice(5)) : undefined;
    return message && 'id' in message && !('method' in message) ? [message] : [];
  });
  return new Response(JSON.stringify(messages.length === 1 ? messages[0] : messages), {
    status: answer.status,
    headers: { 'content-type': 'application/json' },
  });
}
