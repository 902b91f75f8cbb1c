import type { Json } from '../model/event.js';
import { objectsIn } from '../model/text/json-fields.js';
import type { ChatAgent } from './known-chat-agents.js';

/** Returns the commands of the agent's login methods, else their names. */
export function loginHint({ command }: ChatAgent, methods: Json | undefined): string {
  const known = objectsIn(methods);
  const commands = known.flatMap(({ type, args }) =>
    type === 'terminal' && Array.isArray(args)
      ? [[command, ...args.filter((arg) => typeof arg === 'string')].join(' ')]
      : [],
  );
  const names = known.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  return (commands.length > 0 ? commands : names).join('; ');
}
