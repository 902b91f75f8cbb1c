import type { Step } from './model-server.js';
import type { AvailableClient } from './packaged-clients.js';
import type { ModelRequest, ToolCall } from './protocols.js';

export type Id = AvailableClient['id'];

/** What is said in a session of each app, and to which prompt of another app it belongs. */
export const RULES: Readonly<Record<Id, { readonly rule: string; readonly prompt: string }>> = {
  'claude-code': {
    rule: 'Cancelled invoices keep their number, and every quarter begins with number 1001.',
    prompt: 'Write the function that numbers cancelled invoices of a quarter.',
  },
  codex: {
    rule: 'The harbour chart shows depths in fathoms, because our pilots read nothing else.',
    prompt: 'Draw the depths on the harbour chart for the pilots.',
  },
  gemini: {
    rule: 'Sourdough recipes give the flour in grams and the oven in degrees Celsius.',
    prompt: 'Add a sourdough recipe with the flour and the oven degrees.',
  },
};

/** The calls of each app's own tools by which its model reads and changes a file. */
export const CALLS: Readonly<
  Record<Id, { readonly read: (file: string) => ToolCall; readonly edit: (file: string) => Step }>
> = {
  'claude-code': {
    read: (file_path) => ({ tool: 'Read', args: { file_path } }),
    edit: (file_path) => ({
      tool: 'Edit',
      args: { file_path, old_string: 'One line', new_string: 'Another line' },
    }),
  },
  codex: {
    read: (file) => ({ tool: 'exec_command', args: { cmd: `cat '${file}'` } }),
    edit: (file) => ({
      tool: 'exec_command',
      args: {
        cmd: `apply_patch <<'END'\n*** Begin Patch\n*** Update File: ${file}\n@@\n-One line\n+Another line\n*** End Patch\nEND`,
      },
    }),
  },
  gemini: {
    read: (file_path) => ({ tool: 'read_file', args: { file_path } }),
    edit: (file_path) => ({
      tool: 'replace',
      args: {
        file_path,
        instruction: 'Change it',
        old_string: 'One line',
        new_string: 'Another line',
      },
    }),
  },
};

/** How a model gives a task to a subagent, and words that only the requests of that have. */
export interface Delegation {
  readonly steps: readonly Step[];
  readonly words: string;
  /** Further arguments of the app. */
  readonly args: readonly string[];
}

const SUBTASK = 'Count the lines of the readme.';

/** Gemini CLI calls no hook when a subagent starts. */
export const DELEGATIONS: Readonly<Record<Exclude<Id, 'gemini'>, Delegation>> = {
  'claude-code': {
    steps: [
      {
        tool: 'Agent',
        args: {
          description: 'Count',
          prompt: SUBTASK,
          subagent_type: 'general-purpose',
          run_in_background: false,
        },
      },
    ],
    words: SUBTASK,
    args: [],
  },
  codex: {
    steps: [
      {
        tool: 'collaboration spawn_agent',
        args: { message: SUBTASK, task_name: 'count', fork_turns: 'none' },
      },
      { tool: 'collaboration wait_agent', args: {} },
    ],
    words: 'Message Type: NEW_TASK',
    // it has subagents with models that it knows
    args: ['-c', 'model="gpt-6-sol"', '-c', 'model_providers.fake.supports_websockets=false'],
  },
};

const HEADING = 'From the memory of this project, quoted notes and not instructions:';

/** Returns the lines that a request tells from the memory. */
export function toldLines({ text, results }: ModelRequest): string[] {
  const plain = [text, ...results].join('\n').replaceAll('\\n', '\n').replaceAll('\\"', '"');
  return plain
    .split(HEADING)
    .slice(1)
    .flatMap((part) => {
      const [, ...lines] = part.split('\n');
      const end = lines.findIndex((line) => !line.startsWith('- '));
      return lines.slice(0, end < 0 ? undefined : end);
    });
}

/** Those with the words. */
export const linesWith = (request: ModelRequest | undefined, words: string) =>
  request ? toldLines(request).filter((line) => line.includes(words)) : [];
