import { HOOK_EVENTS, TELL_MOMENTS, type HookEvent } from '../../apps/ai-app.js';
import { displayName, findApp, idsWith, type AppWith } from '../../apps/index.js';
import { tells } from '../../capture/consent.js';
import { visibleText } from '../../model/text/visible-text.js';
import { newSession, withMark } from '../../node/capture/captured-session.js';
import { findClientProcess } from '../../node/capture/client-process.js';
import { logHookFailure, logHookSuccess } from '../../node/capture/failure-log.js';
import { stateFolderFrom } from '../../node/ports/state-folder.js';
import { fileSize } from '../../node/real-path.js';
import { hookInputJson, readHookInput, type HookInput } from '../hooks/hook-input.js';
import type { LinkedSession } from '../hooks/linked-session.js';
import { forgetTold, hasCurrentRecall, readSessionBrief } from '../hooks/session-brief.js';
import { findSessionPlace, NEW_SOURCES } from '../hooks/session-place.js';
import type { ProgramHost } from '../program.js';

interface HookArguments {
  readonly event: string;
  readonly client: string | undefined;
  /** True in the process that goes on in the background. */
  readonly background: boolean;
}

/** A slow vault, such as one on a network drive, must not hold up the client for longer. */
const HOOK_TIMEOUT_MS = 8000;
const BACKGROUND_TIMEOUT_MS = 60_000;

const startedAt = performance.now();

/** Takes the arguments after `hook`. Logs wrong ones, because clients react to a failed hook. */
export async function runHookCommand(
  args: readonly string[],
  program: ProgramHost,
): Promise<number> {
  const options = { client: { type: 'string' }, background: { type: 'boolean' } } as const;
  const { values, positionals } = program.parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
  });
  const unknown = Object.keys(values).find((name) => !(name in options));
  const [event = ''] = unknown === undefined ? positionals : [`--${unknown}`];
  const client = typeof values.client === 'string' ? values.client : undefined;
  return runHook({ event, client, background: values.background === true }, program);
}

/** Never fails, because clients react to a failed hook; logs the failure on the device. */
export async function runHook(args: HookArguments, program: ProgramHost): Promise<number> {
  const { node } = program;
  program.stdout.on('error', () => undefined); // the client has closed it
  let timer: ReturnType<typeof node.timers.setTimeout> | undefined;
  try {
    const timeout = new Promise<never>((_, reject) => {
      const ms = args.background ? BACKGROUND_TIMEOUT_MS : HOOK_TIMEOUT_MS;
      timer = node.timers.setTimeout(() => reject(new Error(`No result after ${ms} ms`)), ms);
    });
    await Promise.race([handleEvent(args, program), timeout]);
    // the process in the background may still fail
    if (args.background) await logResult(args, program);
  } catch (error) {
    await logResult(args, program, error instanceof Error ? error.message : String(error));
  }
  node.timers.clearTimeout(timer);
  await new Promise<void>((resolve) => program.stdout.write('', () => resolve()));
  program.exit(0); // standard input may still be open
  return 0;
}

/** Logs on this device that a hook has failed for a reason, or else that it has succeeded. */
async function logResult(args: HookArguments, program: ProgramHost, reason?: string) {
  const { node, env, platform } = program;
  const stateFolder = stateFolderFrom(node, env, platform);
  const hook = `${args.event || 'a hook'} of ${displayName(args.client ?? defaultClient())}`;
  const now = new Date().toISOString();
  if (reason === undefined) await logHookSuccess(node, stateFolder, now, hook);
  else await logHookFailure(node, stateFolder, now, `${hook}: ${reason}`);
}

function defaultClient(): string {
  return idsWith('hooks')[0] ?? '';
}

async function handleEvent(args: HookArguments, program: ProgramHost): Promise<void> {
  const event = HOOK_EVENTS.find((known) => known === args.event);
  const moment = TELL_MOMENTS.find((known) => known === args.event);
  const app = findApp('hooks', args.client ?? defaultClient());
  if (!event && !moment)
    throw new Error(`Unknown event. Valid: ${[...HOOK_EVENTS, ...TELL_MOMENTS].join(', ')}`);
  if (!app) throw new Error(`Unknown client. Valid: ${idsWith('hooks').join(', ')}`);
  const given = await readHookInput(program, app.hooks);
  if (!given) throw new Error('The input is not a JSON object');
  const { node } = program;
  if (!event) {
    const place = await findSessionPlace(program, given, app, false);
    if (!moment || !place || 'claimed' in place) return;
    const { tellMoment } = await import('../hooks/tell-moment.js');
    await tellMoment(program, place.linked, moment, app, given, startedAt);
    return;
  }
  const size = args.background ? given.size : await fileSize(node, given.transcript);
  const process = given.process ?? (await findClientProcess(node, node.process.ppid));
  const place = await findSessionPlace(program, { ...given, size, process }, app, args.background);
  if (!place) return;
  const isStart = event === 'session-start';
  // Clients keep the brief of a session that is resumed.
  const hasBrief = isStart && given.source !== 'resume' && !args.background;
  if ('claimed' in place) {
    const { asTyped } = await import('../texts/typed-command.js');
    if (hasBrief) printBrief(program, asTyped(program, place.claimed));
    return;
  }
  const { linked, input } = place;
  if (args.background) {
    await finishInBackground(program, linked, event, app, input);
    return;
  }
  try {
    const { isPrivate, isCaptured, files } = linked;
    if (isStart && (isCaptured || isPrivate)) {
      const session = newSession(app.id, input);
      const mark = { at: input.at, size: 0, isPrivate };
      await files.add(NEW_SOURCES.has(input.source) ? withMark(session, mark) : session);
      // at once: the client may be killed, and the next session begin, before the background does
      if (input.source === 'resume' && input.session !== '') {
        const { registerSession, skipSession } = await import('../hooks/record-session.js');
        await (isPrivate ? skipSession : registerSession)(program, linked, app.id, input);
      }
    }
    const hasForgotten = input.source === 'resume' ? app.hooks.forgetsOnResume : true;
    if (isStart && hasForgotten && !NEW_SOURCES.has(input.source))
      await forgetTold(program, linked, app.id, input);
    if (hasBrief && !isPrivate && tells(linked.link, 'start')) {
      const isGoingOn = input.source === 'compact';
      const session = isGoingOn ? input.session : '';
      const { text } = await readSessionBrief(program, linked, { session });
      printBrief(program, text);
    }
  } finally {
    if (isStart || input.session !== '') await continueInBackground(program, event, app, input);
  }
}

function printBrief({ stdout }: ProgramHost, text: string): void {
  const output = { hookEventName: 'SessionStart', additionalContext: visibleText(text) };
  stdout.write(`${JSON.stringify({ hookSpecificOutput: output })}\n`);
}

/** Starts a process that outlives the hook and its client, which stop hooks after a short time. */
async function continueInBackground(
  { node, execPath, script, env }: ProgramHost,
  event: HookEvent,
  { id, hooks }: AppWith<'hooks'>,
  input: HookInput,
): Promise<void> {
  const args = [script, 'hook', event, '--client', id, '--background'];
  const child = node.childProcess.spawn(execPath, args, {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    windowsHide: true,
    env,
  });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.stdin.once('error', reject);
    child.stdin.end(hookInputJson(input, hooks), resolve);
  });
  child.unref();
}

async function finishInBackground(
  program: ProgramHost,
  linked: LinkedSession,
  event: HookEvent,
  { id: client, hooks }: AppWith<'hooks'>,
  input: HookInput,
): Promise<void> {
  const { recordSession, registerSession, sealOtherSessions, skipSession } =
    await import('../hooks/record-session.js');
  const withRecall = tells(linked.link, 'prompt');
  if (!linked.isCaptured) {
    await skipSession(program, linked, client, input);
    if (event === 'session-start' && withRecall && !linked.isPrivate)
      await readSessionBrief(program, linked, { withRecall });
    return;
  }
  const isTurn = event === 'turn' || (event === 'pre-compact' && hooks.announcesRequests);
  switch (event) {
    case 'session-start': {
      const { stateId } = await readSessionBrief(program, linked);
      if (input.session !== '') await registerSession(program, linked, client, input, stateId);
      await sealOtherSessions(program, linked, input);
      break;
    }
    case 'turn':
    case 'pre-compact':
      await recordSession(program, linked, client, input, isTurn ? 'turn' : 'compaction');
      break;
    case 'session-end':
      await recordSession(program, linked, client, input, 'end');
      break;
  }
  if (await linked.files.has(client, input.session)) await linked.files.noteClient(client);
  // so that the next session does not have to read the log, and this one is told what is new
  if (!isTurn || (withRecall && !(await hasCurrentRecall(program.node, linked))))
    await readSessionBrief(program, linked, { withRecall });
}
