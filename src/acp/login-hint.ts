import { isJsonObject, type Json } from '../model/event.js';
import type { AgentEntry } from './known-agents.js';

/**
 * Returns how to log in to the agent, in its own words: the commands of its login methods, else
 * their names.
 */
export function loginHint({ command }: AgentEntry, methods: Json | undefined): string {
  const known = Array.isArray(methods) ? methods.filter(isJsonObject) : [];
  const commands = known.flatMap(({ type, args }) =>
    type === 'terminal' && Array.isArray(args)
      ? [[command, ...args.filter((arg) => typeof arg === 'string')].join(' ')]
      : [],
  );
  const names = known.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  return (commands.length > 0 ? commands : names).join('; ');
}
