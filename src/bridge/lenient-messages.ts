import { isJsonObject, type Json } from '../model/event.js';
import { objectIn, parseJsonObject } from '../model/text/json-fields.js';

/** Converts arguments to an object: some clients send null or JSON text, which the SDK refuses. */
export function withArguments(message: Json): Json {
  if (!isJsonObject(message)) return message;
  const params = objectIn(message, 'params');
  const given = params?.['arguments'];
  if (!params || (given !== null && typeof given !== 'string')) return message;
  const parsed = given === null ? {} : parseJsonObject(given);
  return parsed ? { ...message, params: { ...params, arguments: parsed } } : message;
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
