import { appendFileSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '../../src/model/event.js';
import { readCheckpoint } from '../../src/model/text/checkpoint.js';
import { commandInProcess } from './in-process.js';
import { runProgram, temporaryFolder, type RunResult } from './program.js';
import { linesOf, type CapturedClient, type SessionStep } from './transcripts.js';

/** A project whose sessions are captured. */
export interface CapturedProject {
  readonly vault: string;
  readonly state: string;
  readonly project: string;
  /** The folder of the clients' transcripts. */
  readonly transcripts: string;
  readonly env: NodeJS.ProcessEnv;
  /**
   * Calls a hook, and returns its result. With `--background`, it does the work of the background
   * process itself.
   */
  hook(event: string, input: object, ...args: string[]): Promise<RunResult>;
  /** Returns the brief that a new session of a client gets. */
  brief(client?: CapturedClient, session?: string): Promise<string>;
  /** Runs another command with the project as the working directory. */
  run(...args: string[]): Promise<RunResult>;
  /** Returns the checkpoints in the vault. */
  checkpoints(): JsonObject[];
}

/** Creates a project that is linked to the workspace "App" of a new vault. */
export async function captureProject(capture = 'on'): Promise<CapturedProject> {
  const vault = realpathSync(temporaryFolder());
  const state = realpathSync(temporaryFolder('state'));
  const project = realpathSync(temporaryFolder('project'));
  const env = { ...process.env, SAVEPOINT_STATE: state };
  const run = (...args: string[]) => commandInProcess(args, { cwd: project, env });
  const workspace = { name: 'App', description: 'd', rootFolder: 'App', purpose: 'p' };
  await run('call', 'createWorkspace', '--vault', vault, '--json', JSON.stringify(workspace));
  const linked = await run('link', '--workspace', 'App', '--vault', vault, '--capture', capture);
  if (linked.code !== 0) throw new Error(linked.stderr);
  const hook = (event: string, input: object, ...args: string[]) =>
    runProgram(['hook', event, ...args], {
      cwd: project,
      env,
      input: JSON.stringify({ cwd: project, hook_event_name: event, ...input }),
    });
  return {
    vault,
    state,
    project,
    transcripts: temporaryFolder('transcripts'),
    env,
    hook,
    async brief(client = 'claude-code', session = `brief-${Math.random()}`) {
      const input = { session_id: session, source: 'startup' };
      const { code, stdout, stderr } = await hook('session-start', input, '--client', client);
      if (code !== 0 || stderr !== '') throw new Error(`${code} ${stderr}`);
      if (stdout === '') return '';
      const answer = JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } };
      return answer.hookSpecificOutput.additionalContext;
    },
    run,
    checkpoints: () => checkpointsIn(vault),
  };
}

/** Returns the checkpoints in the log of a vault. */
export function checkpointsIn(vault: string): JsonObject[] {
  const folder = join(vault, 'Savepoint');
  let names: string[] = [];
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => (JSON.parse(line) as { d?: JsonObject }).d?.['checkpoint'])
    .filter(isJsonObject);
}

/** Returns the person's messages in a checkpoint. */
export function messagesIn(checkpoint: JsonObject | undefined): string[] {
  return (readCheckpoint(checkpoint)?.turns ?? []).map(({ message }) => message);
}

/** A session that a client records. */
export interface RecordedSession {
  readonly client: CapturedClient;
  /** The fields that each hook receives. */
  readonly input: { readonly session_id: string; readonly transcript_path: string };
  /** Adds what has happened to the transcript. */
  readonly record: (...steps: SessionStep[]) => void;
}

export function recordedSession(
  { transcripts }: Pick<CapturedProject, 'transcripts'>,
  client: CapturedClient,
  id: string,
): RecordedSession {
  const transcript = join(transcripts, `${id}.jsonl`);
  let count = 0;
  return {
    client,
    input: { session_id: id, transcript_path: transcript },
    record(...steps) {
      for (const step of steps)
        for (const line of linesOf(client, step, count++)) appendFileSync(transcript, `${line}\n`);
    },
  };
}
