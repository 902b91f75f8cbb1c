import { HOOK_EVENTS } from '../../../apps/ai-app.js';
import type { AppWith } from '../../../apps/index.js';

/** Longer than a hook takes. Without a declared time, some clients stop the last one early. */
const TIMEOUT_MS = 10_000;

/** Hooks by the client's name of the event, in the form that all clients share. */
export type HookSettings = ReturnType<typeof hookSettings>;

/** Returns a client's settings. `program` starts the shell command, with quotes if needed. */
export function hookSettings({ id, hooks: { events, unitMs } }: AppWith<'hooks'>, program: string) {
  const commands = HOOK_EVENTS.map((event) => {
    const command = `${program} hook ${event} --client ${id}`;
    return [
      events[event],
      [{ hooks: [{ type: 'command', command, timeout: TIMEOUT_MS / unitMs }] }],
    ] as const;
  });
  return Object.fromEntries(commands);
}

const OWN_HOOK = new RegExp(` hook (?:${HOOK_EVENTS.join('|')}) --client [\\w-]+$`);

/** Returns the `program` of an own hook (see `hookSettings`); undefined for other commands. */
export function programOfHook(command: unknown): string | undefined {
  if (typeof command !== 'string' || !OWN_HOOK.test(command)) return undefined;
  return command.replace(OWN_HOOK, '');
}
