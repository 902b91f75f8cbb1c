import { HOOK_EVENTS, TELL_MOMENTS, type AppHooks, type TellEvent } from '../../../apps/ai-app.js';
import type { AppWith } from '../../../apps/index.js';

/** Longer than a hook takes. Without a declared time, some clients stop the last one early. */
const TIMEOUT_MS = 10_000;

/** Hooks by the client's name of the event, in the form that all clients share. */
export type HookSettings = ReturnType<typeof hookSettings>;

/** Returns the events at which an app tells its agent something: at prompts, or `withTools` all. */
export function tellEvents({ tells }: Pick<AppHooks, 'tells'>, withTools: boolean): TellEvent[] {
  return tells.filter(({ moment }) => moment === 'prompt' || withTools);
}

/**
 * Returns a client's settings. `program` starts the shell command, with quotes if needed. Without
 * `withTools`, no call of a tool waits for a hook.
 */
export function hookSettings({ id, hooks }: AppWith<'hooks'>, program: string, withTools: boolean) {
  const { events, unitMs, maxEndMs = TIMEOUT_MS } = hooks;
  const hookOf = (event: string, matcher?: string) => {
    const command = `${program} hook ${event} --client ${id}`;
    const timeout = (event === 'session-end' ? maxEndMs : TIMEOUT_MS) / unitMs;
    const commands = [{ type: 'command', command, timeout }] as const;
    return [{ ...(matcher !== undefined && { matcher }), hooks: commands }] as const;
  };
  return Object.fromEntries([
    ...HOOK_EVENTS.map((event) => [events[event], hookOf(event)] as const),
    ...tellEvents(hooks, withTools).map(
      ({ moment, event, matcher }) => [event, hookOf(moment, matcher)] as const,
    ),
  ]);
}

const EVENTS = [...HOOK_EVENTS, ...TELL_MOMENTS];
const OWN_HOOK = new RegExp(` hook (?:${EVENTS.join('|')}) --client [\\w-]+$`);

/** Returns the `program` of an own hook (see `hookSettings`); undefined for other commands. */
export function programOfHook(command: unknown): string | undefined {
  if (typeof command !== 'string' || !OWN_HOOK.test(command)) return undefined;
  return command.replace(OWN_HOOK, '');
}
