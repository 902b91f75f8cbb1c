import type { Activity } from '../../src/apps/transcripts/activity.js';
import { buildCheckpoint, type SessionFolders } from '../../src/capture/build-checkpoint.js';
import { parseTranscript, readActivity } from '../../src/capture/transcript.js';
import { currentWork, lastAnswerOf, type Turn } from '../../src/model/text/checkpoint.js';

export const CAPTURED_CLIENTS = ['claude-code', 'codex', 'gemini'] as const;

/** A client whose transcripts can be made. */
export type CapturedClient = (typeof CAPTURED_CLIENTS)[number];

/** One thing that happens in a session. */
export type SessionStep =
  | { readonly kind: 'task' | 'answer'; readonly text: string }
  | { readonly kind: 'read' | 'write'; readonly path: string; readonly fails?: boolean }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly fails?: boolean;
      readonly output?: string;
    }
  | { readonly kind: 'todos'; readonly todos: readonly { text: string; isDone: boolean }[] };

/**
 * Returns the lines that a client adds to its transcript for one step, which is the `index`th of
 * the session.
 */
export function linesOf(
  client: CapturedClient,
  step: SessionStep,
  index: number,
): readonly string[] {
  const call = `call-${index}`;
  return {
    'claude-code': claudeLines,
    codex: codexLines,
    gemini: geminiLines,
  }
    [client](step, call)
    .map((line) => JSON.stringify(line));
}

/** Returns the transcript of a session. */
export function transcriptOf(client: CapturedClient, steps: readonly SessionStep[]): string {
  return steps
    .flatMap((step, index) => linesOf(client, step, index))
    .map((line) => `${line}\n`)
    .join('');
}

/** Returns the activity in the lines of a transcript, all of which may be captured. */
export function activityIn(client: string, lines: readonly string[]): Activity {
  const parsed = parseTranscript(
    client,
    lines.map((text) => ({ text })),
  );
  return readActivity(parsed).activity;
}

/** What a session works on, with its activity. */
export interface SessionWork extends Omit<Activity, 'turns'> {
  readonly turns: readonly Turn[];
  /** The message with which the task began; empty if there is none. */
  readonly task: string;
  /** The person's messages after it. */
  readonly then: readonly string[];
  /** The task before; empty if there was none. */
  readonly before: string;
  /** The last answer to the task. */
  readonly answer: string;
}

/** Folders of which no file is in any. */
const NO_FOLDERS: SessionFolders = {
  project: [],
  working: '',
  vault: [],
  home: '',
  roots: [],
  excluded: [],
};

/** Returns what a checkpoint of this activity says about the task, with the activity. */
export function workOf(activity: Activity): SessionWork {
  const checkpoint = buildCheckpoint(activity, NO_FOLDERS);
  const { task, then, before } = currentWork(checkpoint);
  return {
    ...activity,
    turns: checkpoint.turns,
    task: task?.message ?? '',
    then: then.map(({ message }) => message),
    before,
    answer: lastAnswerOf(checkpoint),
  };
}

/** Returns the work in the lines of a transcript, all of which may be captured. */
export function workIn(client: string, lines: readonly string[]): SessionWork {
  return workOf(activityIn(client, lines));
}

function claudeLines(step: SessionStep, call: string): object[] {
  const user = (content: unknown, more: object = {}) => ({
    type: 'user',
    message: { role: 'user', content },
    isSidechain: false,
    ...more,
  });
  const assistant = (...content: object[]) => ({
    type: 'assistant',
    isSidechain: false,
    message: { role: 'assistant', content },
  });
  const result = (isError: boolean, more: object = {}, content = '…') =>
    user([{ type: 'tool_result', tool_use_id: call, content, is_error: isError }], more);
  const use = (name: string, input: object) =>
    assistant({ type: 'tool_use', id: call, name, input });
  switch (step.kind) {
    case 'task':
      return [user(step.text, { promptId: call })];
    case 'answer':
      return [assistant({ type: 'text', text: step.text })];
    case 'read':
      return [use('Read', { file_path: step.path }), result(step.fails === true)];
    case 'write':
      return [use('Edit', { file_path: step.path }), result(step.fails === true)];
    case 'command':
      return [
        use('Bash', { command: step.command }),
        result(step.fails === true, {}, step.output && `Exit code 2\n${step.output}`),
      ];
    case 'todos':
      return step.todos.flatMap(({ text, isDone }, index) => {
        const id = String(index + 1);
        const update = use('TaskUpdate', { taskId: id, status: 'completed' });
        return [
          result(false, { toolUseResult: { task: { id, subject: text } } }),
          ...(isDone ? [update] : []),
        ];
      });
  }
}

function codexLines(step: SessionStep, call: string): object[] {
  const item = (value: object) => ({
    type: 'event_msg',
    payload: { type: 'item_completed', item: { id: call, ...value } },
  });
  switch (step.kind) {
    case 'task':
      return [item({ type: 'UserMessage', content: [{ type: 'text', text: step.text }] })];
    case 'answer':
      return [item({ type: 'AgentMessage', content: [{ type: 'Text', text: step.text }] })];
    case 'read':
      return [
        item({
          type: 'CommandExecution',
          command: ['/bin/bash', '-lc', `cat ${step.path}`],
          parsed_cmd: [{ type: 'read', cmd: `cat ${step.path}`, path: step.path }],
          exit_code: step.fails === true ? 1 : 0,
        }),
      ];
    case 'write':
      return [
        item({
          type: 'FileChange',
          changes: { [step.path]: { type: 'update' } },
          status: step.fails === true ? 'failed' : 'completed',
        }),
      ];
    case 'command':
      return [
        item({
          type: 'CommandExecution',
          command: ['/bin/bash', '-lc', step.command],
          parsed_cmd: [],
          exit_code: step.fails === true ? 2 : 0,
          ...(step.output !== undefined && { aggregated_output: step.output }),
        }),
      ];
    case 'todos': {
      const plan = step.todos.map(({ text, isDone }) => ({
        step: text,
        status: isDone ? 'completed' : 'pending',
      }));
      const payload = { type: 'function_call', name: 'update_plan' };
      return [
        { type: 'response_item', payload: { ...payload, arguments: JSON.stringify({ plan }) } },
      ];
    }
  }
}

function geminiLines(step: SessionStep, call: string): object[] {
  const used = (name: string, args: object, output = 'done', status = 'success') => {
    const message = { id: call, type: 'gemini', content: '' };
    const result = [{ functionResponse: { id: call, name, response: { output } } }];
    return [message, { ...message, toolCalls: [{ id: call, name, args, status, result }] }];
  };
  switch (step.kind) {
    case 'task': {
      const text = `<hook_context>An earlier brief</hook_context>\n\n${step.text}`;
      return [{ id: call, type: 'user', content: [{ text }] }, { $set: { lastUpdated: 'now' } }];
    }
    case 'answer':
      return [{ id: call, type: 'gemini', content: step.text }];
    case 'read':
      return used('read_file', { file_path: step.path }, '', step.fails ? 'error' : 'success');
    case 'write':
      return used('replace', { file_path: step.path }, '', step.fails ? 'error' : 'success');
    case 'command':
      return used(
        'run_shell_command',
        { command: step.command },
        `Output: ${step.output ?? '…'}\nExit Code: ${step.fails === true ? 2 : 0}\n`,
      );
    case 'todos':
      return used('write_todos', {
        todos: step.todos.map(({ text, isDone }) => ({
          description: text,
          status: isDone ? 'completed' : 'pending',
        })),
      });
  }
}
