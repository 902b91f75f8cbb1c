import type { CapturedClient } from '../../../capture/transcript.js';

/** Moments of a session at which a client calls `savepoint hook`. */
export const HOOK_EVENTS = ['session-start', 'turn', 'pre-compact', 'session-end'] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

interface HookFacts {
  /** The client's names of the events. */
  readonly events: Readonly<Record<HookEvent, string>>;
  /** Milliseconds in the client's unit of time. */
  readonly unitMs: number;
  /** Advice for the user once the client has the hooks. */
  readonly advice: string;
}

/**
 * The longest time for a hook, which ends by itself before that. Without a declared time, some
 * clients stop the last one early.
 */
const TIMEOUT_MS = 10_000;

const CLAUDE_EVENTS = {
  'session-start': 'SessionStart',
  turn: 'Stop',
  'pre-compact': 'PreCompact',
  'session-end': 'SessionEnd',
};

/** How each client declares hooks. */
export const HOOK_FACTS: Readonly<Record<CapturedClient, HookFacts>> = {
  'claude-code': {
    events: CLAUDE_EVENTS,
    unitMs: 1000,
    advice: 'Start a new Claude Code session; /hooks lists them.',
  },
  codex: {
    events: CLAUDE_EVENTS,
    unitMs: 1000,
    advice:
      'Codex runs hooks only after you have trusted them, and says nothing otherwise: start Codex, type /hooks and trust those of Savepoint. Do so again whenever they change.',
  },
  gemini: {
    events: {
      'session-start': 'SessionStart',
      turn: 'AfterAgent',
      'pre-compact': 'PreCompress',
      'session-end': 'SessionEnd',
    },
    unitMs: 1,
    advice: 'Restart Gemini CLI. It runs hooks only in folders that you trust.',
  },
};

/** A command in a client's hook settings. */
export interface HookCommand {
  readonly type: 'command';
  readonly command: string;
  /** In the client's unit of time. */
  readonly timeout: number;
}

/** Hooks by the client's name of the event, in the form that all three clients share. */
export type HookSettings = Readonly<
  Record<string, readonly { readonly hooks: readonly HookCommand[] }[]>
>;

/**
 * Returns the settings that make a client call the program. `program` is the start of the shell
 * command, with quotes if needed.
 */
export function hookSettings(client: CapturedClient, program: string): HookSettings {
  const { events, unitMs } = HOOK_FACTS[client];
  return Object.fromEntries(
    HOOK_EVENTS.map((event) => {
      const command = `${program} hook ${event} --client ${client}`;
      return [
        events[event],
        [{ hooks: [{ type: 'command', command, timeout: TIMEOUT_MS / unitMs }] }],
      ];
    }),
  );
}

const OWN_HOOK = new RegExp(` hook (?:${HOOK_EVENTS.join('|')}) --client [\\w-]+$`);

/**
 * Returns the start of the shell command of an own hook (see `hookSettings`); undefined for any
 * other command.
 */
export function programOfHook(command: unknown): string | undefined {
  if (typeof command !== 'string' || !OWN_HOOK.test(command)) return undefined;
  return command.replace(OWN_HOOK, '');
}
