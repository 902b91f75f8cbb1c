import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { recordedSession } from './captured-project.js';
import { commandInProcess, runInProcess } from './in-process.js';
import { runProgram, temporaryFolder } from './program.js';
import type { CapturedClient, SessionStep } from './transcripts.js';

/** When a client asks what to tell its agent, and its names of the events. */
export type Moment = 'prompt' | 'tool' | 'subagent' | 'failure';

const EVENTS: Readonly<Record<CapturedClient, Readonly<Record<Moment, string>>>> = {
  'claude-code': {
    prompt: 'UserPromptSubmit',
    tool: 'PostToolUse',
    failure: 'PostToolUseFailure',
    subagent: 'SubagentStart',
  },
  codex: {
    prompt: 'UserPromptSubmit',
    tool: 'PostToolUse',
    failure: 'PostToolUse',
    subagent: 'SubagentStart',
  },
  gemini: { prompt: 'BeforeAgent', tool: 'AfterTool', failure: 'AfterTool', subagent: '' },
};

/** A linked project whose agents are told what its memory knows at the moment. */
export interface ToldProject {
  readonly vault: string;
  readonly state: string;
  readonly project: string;
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs a command in this process, and returns what it prints. */
  run(...args: string[]): Promise<string>;
  /** Lets a client work in the project, to the end of the session. */
  work(client: CapturedClient, id: string, ...steps: SessionStep[]): Promise<void>;
  /** Begins a session as a client does, and waits until what can be told is stored. */
  start(client: CapturedClient, id: string, source?: string): Promise<string>;
  /** Ends a turn of a session, and waits likewise. */
  turn(client: CapturedClient, id: string): Promise<void>;
  /** Returns what a hook of the program tells the agent; empty for nothing. */
  told(client: CapturedClient, moment: Moment, input: object, env?: object): Promise<string>;
  prompted(client: CapturedClient, session: string, prompt: string): Promise<string>;
  /** Calls a tool in the workspace. */
  call(tool: string, params: object): Promise<void>;
}

interface ToldOptions {
  /** The level of `--tell`; undefined for the default. */
  readonly tell?: string;
  readonly capture?: string;
  readonly vault?: string;
  readonly state?: string;
  readonly workspace?: string;
  /** True if the vault has the workspace. */
  readonly isKnown?: boolean;
}

/** Creates a project that is linked to a workspace of a vault. */
export async function toldProject({
  tell,
  capture = 'all',
  vault = realpathSync(temporaryFolder()),
  state = realpathSync(temporaryFolder('state')),
  workspace = 'App',
  isKnown = false,
}: ToldOptions = {}): Promise<ToldProject> {
  const project = realpathSync(temporaryFolder('project'));
  const transcripts = temporaryFolder('transcripts');
  const env = { ...process.env, SAVEPOINT_STATE: state };
  const inProcess = async (args: readonly string[], input = '') => {
    const printed = await runInProcess(transcripts, env, args, input);
    const [, output = '', code] = /^([^]*)exit (\d+)$/.exec(printed) ?? [];
    if (code !== '0') throw new Error(`${args.join(' ')}: ${printed}`);
    return output;
  };
  // in the project, because its files are named by it
  const call = async (tool: string, params: object, ...where: string[]) => {
    const args = ['call', tool, '--vault', vault, ...where, '--json', JSON.stringify(params)];
    const { code, stdout } = await commandInProcess(args, { cwd: project, env });
    if (code !== 0) throw new Error(`${tool}: ${stdout}`);
  };
  const description = { description: 'd', rootFolder: 'A', purpose: 'p' };
  if (!isKnown) await call('createWorkspace', { name: workspace, ...description });
  const place = ['--project', project, '--workspace', workspace, '--vault', vault];
  const level = tell === undefined ? [] : ['--tell', tell];
  await inProcess(['link', ...place, '--capture', capture, ...level]);
  const hook = (client: CapturedClient, event: string, input: object, ...more: string[]) =>
    inProcess(
      ['hook', event, '--client', client, ...more],
      JSON.stringify({ cwd: project, hook_event_name: event, ...input }),
    );
  const told: ToldProject['told'] = async (client, moment, input, more = {}) => {
    const event = moment === 'failure' ? 'tool' : moment;
    for (;;) {
      const late = lateCount(state);
      const { code, stdout, stderr } = await runProgram(['hook', event, '--client', client], {
        cwd: project,
        env: { ...env, ...more },
        input: JSON.stringify({
          session_id: 'asking',
          cwd: project,
          hook_event_name: EVENTS[client][moment],
          ...input,
        }),
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      // again if a busy machine has made it late
      if (lateCount(state) === late) return toldIn(stdout, EVENTS[client][moment]);
    }
  };
  return {
    vault,
    state,
    project,
    workspace,
    env,
    told,
    run: (...args) => inProcess(args),
    call: (tool, params) => call(tool, params, '--workspace', workspace),
    prompted: (client, session, prompt) => told(client, 'prompt', { session_id: session, prompt }),
    async work(client, id, ...steps) {
      const { input, record } = recordedSession({ transcripts }, client, id);
      await hook(client, 'session-start', { ...input, source: 'startup' }, '--background');
      record(...steps);
      await hook(client, 'session-end', input, '--background');
    },
    async turn(client, id) {
      await hook(client, 'turn', { session_id: id }, '--background');
    },
    async start(client, id, source = 'startup') {
      const input = { session_id: id, source };
      const brief = await hook(client, 'session-start', input);
      await hook(client, 'session-start', input, '--background');
      return toldIn(brief, 'SessionStart');
    },
  };
}

/** Returns the text in a hook's output, which must be in the form that all clients accept. */
export function toldIn(stdout: string, event: string): string {
  if (stdout === '') return '';
  const { hookSpecificOutput, ...others } = JSON.parse(stdout) as {
    hookSpecificOutput: { hookEventName: string; additionalContext: string };
  };
  const { hookEventName, additionalContext, ...unknown } = hookSpecificOutput;
  expect({ others, unknown, hookEventName }).toEqual({
    others: {},
    unknown: {},
    hookEventName: event,
  });
  expect(additionalContext).not.toBe('');
  return additionalContext;
}

/** Returns how often a hook of this device was too late. */
export function lateCount(state: string): number {
  try {
    return readFileSync(join(state, 'capture', 'told.log'), 'utf8').split(' late\n').length - 1;
  } catch {
    return 0;
  }
}

/** What a client sends after a command that failed with this output. */
export function failedCall(client: CapturedClient, command: string, output = 'lint: no'): object {
  switch (client) {
    case 'claude-code':
      return { tool_name: 'Bash', tool_input: { command }, error: `Exit code 2\n${output}` };
    case 'codex':
      return { tool_name: 'Bash', tool_input: { command }, tool_response: `${output}\n` };
    case 'gemini': {
      const llmContent = `<untrusted_context>\nOutput: ${output}\nExit Code: 2\nProcess Group PGID: 1\n</untrusted_context>`;
      const tool_response = { llmContent, returnDisplay: output };
      return { tool_name: 'run_shell_command', tool_input: { command }, tool_response };
    }
  }
}

/** What a client sends after the same command that passed; undefined if it sends nothing. */
export function passedCall(client: CapturedClient, command: string): object | undefined {
  const llmContent =
    '<untrusted_context>\nOutput: fine\nProcess Group PGID: 1\n</untrusted_context>';
  if (client === 'claude-code') return undefined;
  return client === 'codex'
    ? { tool_name: 'Bash', tool_input: { command }, tool_response: 'fine\n' }
    : { tool_name: 'run_shell_command', tool_input: { command }, tool_response: { llmContent } };
}
