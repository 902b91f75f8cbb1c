import { HOOK_EVENTS, type HookEvent } from '../../apps/ai-app.js';
import { displayName, findApp, idsWith, type AppWith } from '../../apps/index.js';
import { consentTo, isExcluded, type ProjectLink } from '../../capture/consent.js';
import { clip } from '../../model/refusal.js';
import { visibleText } from '../../model/text/visible-text.js';
import type { ComposedBrief } from '../../node/capture/brief-cache.js';
import { CaptureSettingsFile } from '../../node/capture/capture-settings-file.js';
import { goneExclusions } from '../../node/capture/moved-exclusions.js';
import { findClientProcess } from '../../node/capture/client-process.js';
import { realPath } from '../../node/real-path.js';
import { logHookFailure, logHookSuccess } from '../../node/capture/failure-log.js';
import type { firstFolder as FirstFolder } from '../../node/capture/read-transcript-file.js';
import { sessionsOf } from '../../node/capture/session-files.js';
import { newSession, withMark } from '../../node/capture/captured-session.js';
import { environmentVault, envValue, isPrivateEnvironment } from '../../node/environment.js';
import { stateFolderFrom } from '../../node/ports/state-folder.js';
import { clientProject } from '../../node/projects/client-project.js';
import { findProjectAndLink, updateLink } from '../../node/projects/find-link.js';
import type { ClientProject } from '../../toolkit/context-defaults.js';
import { hookInputJson, readHookInput, type HookInput } from '../hooks/hook-input.js';
import type { LinkedSession } from '../hooks/linked-session.js';
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
  const app = findApp('hooks', args.client ?? defaultClient());
  if (!event) throw new Error(`Unknown event. Valid: ${HOOK_EVENTS.join(', ')}`);
  if (!app) throw new Error(`Unknown client. Valid: ${idsWith('hooks').join(', ')}`);
  const given = await readHookInput(program, app.hooks);
  if (!given) throw new Error('The input is not a JSON object');
  const { node } = program;
  const size = args.background ? given.size : await sizeOf(node, given.transcript);
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
    if (hasBrief && !isPrivate) {
      const isGoingOn = input.source === 'compact';
      const { text } = await readSessionBrief(program, linked, isGoingOn ? input.session : '');
      printBrief(program, text);
    }
  } finally {
    if (isStart || input.session !== '') await continueInBackground(program, event, app, input);
  }
}

async function sizeOf({ fs }: ProgramHost['node'], file: string): Promise<number | undefined> {
  if (file === '') return undefined;
  return (await fs.stat(file).catch(() => undefined))?.size;
}

function printBrief({ stdout }: ProgramHost, text: string): void {
  const output = { hookEventName: 'SessionStart', additionalContext: visibleText(text) };
  stdout.write(`${JSON.stringify({ hookSpecificOutput: output })}\n`);
}

/** How sessions start whose transcripts do not exist yet. */
const NEW_SOURCES = new Set(['startup', 'clear']);

/**
 * Returns the session of a hook, and its input with the folder in which it began, which decides on
 * its project for good; or what to say instead of a brief if the link is only claimed. Undefined if
 * there is no link or the folder is excluded. A vault in the environment limits hooks to its links.
 */
async function findSessionPlace(
  program: ProgramHost,
  given: HookInput,
  app: AppWith<'hooks'>,
  isBackground: boolean,
): Promise<{ linked: LinkedSession; input: HookInput } | { claimed: string } | undefined> {
  const { node, env } = program;
  const stateFolder = stateFolderFrom(node, env, program.platform);
  const store = new CaptureSettingsFile(node, stateFolder);
  const stored = await store.read();
  if (stored.links.length === 0) return undefined;
  const named = app.projectVariable && envValue(env, app.projectVariable);
  const isNew = NEW_SOURCES.has(given.source);
  const first = isNew ? undefined : await firstFolderOf(node, app.id, given.transcript);
  const folder = named ?? first ?? given.folder;
  if (!node.path.isAbsolute(folder)) return undefined;
  const vault = environmentVault(node, env);
  const realVault = vault && (await realPath(node, vault));
  const links = stored.links.filter((link) => [link.vault, undefined].includes(realVault));
  const began = named ?? first;
  const at = began === undefined ? undefined : await findProjectAndLink(node, links, began);
  const { project, found } =
    at ??
    (await findRegistered(node, stateFolder, links, app.id, given, began !== undefined)) ??
    {};
  if (!project || !found) return undefined;
  // a worktree elsewhere is part of the linked folder
  const places = [project.place.named, found.link.folder];
  const ids = { id: found.link.project, folders: [project.place.folder, found.link.folder] };
  const settings = await store.locate(stored, [...places, given.folder], ids);
  if (places.some((each) => isExcluded(settings, each))) return undefined;
  if (!found.isProved) return { claimed: claimedText(clientProject(project, found)) };
  const { link } = found;
  // the transcript of another project
  if (named !== undefined && first !== undefined) {
    const other = await findProjectAndLink(node, links, first);
    if (other?.found?.link.project !== link.project) return undefined;
  }
  const gone = await goneExclusions(node, stored, link.project, ids.folders);
  if (gone.length > 0) await store.update((same) => same, given.at);
  if (isBackground) await updateLink(node, store, found, project);
  const folders = [project.place.named, await realPath(node, given.folder)];
  const consent = consentTo(settings, link, folders, given.at);
  if (!consent) return undefined;
  const isPrivate = isPrivateEnvironment(env);
  const hasConsent = consent.isCaptured && given.hasConsent && gone.length === 0;
  const isCaptured = hasConsent && !isPrivate;
  const files = sessionsOf(node, stateFolder, link);
  const place = { stateFolder, settings, link, files, project: clientProject(project, found) };
  return { linked: { ...place, isCaptured, isPrivate }, input: { ...given, folder, hasConsent } };
}

/** Returns what `firstFolder` does. A session that starts does not have to load that. */
async function firstFolderOf(
  ...args: Parameters<typeof FirstFolder>
): ReturnType<typeof FirstFolder> {
  const { firstFolder } = await import('../../node/capture/read-transcript-file.js');
  return firstFolder(...args);
}

/**
 * Returns the project in which a session was registered, also if it has moved; if it is not known
 * where it began, and nowhere registered, that of the hook's folder.
 */
async function findRegistered(
  node: ProgramHost['node'],
  stateFolder: string,
  links: readonly ProjectLink[],
  client: string,
  given: HookInput,
  isKnown: boolean,
): ReturnType<typeof findProjectAndLink> {
  const registered = await registeredLink(node, stateFolder, links, client, given);
  if (!registered && isKnown) return undefined;
  if (!registered) return findProjectAndLink(node, links, given.folder);
  const own = await findProjectAndLink(node, links, registered.folder);
  if (own?.found) return own;
  const here = await findProjectAndLink(node, links, given.folder);
  return here?.found?.link.project === registered.project ? here : undefined;
}

/** Returns the link in whose project the session was registered when it began. */
async function registeredLink(
  node: ProgramHost['node'],
  stateFolder: string,
  links: readonly ProjectLink[],
  client: string,
  { session, source }: HookInput,
): Promise<ProjectLink | undefined> {
  if (session === '' || NEW_SOURCES.has(source)) return undefined;
  const has = await Promise.all(
    links.map((link) => sessionsOf(node, stateFolder, link).has(client, session)),
  );
  return links.find((_, index) => has[index]);
}

function claimedText({ link }: ClientProject): string {
  return `This folder may belong to the workspace "${clip(link?.workspaceName ?? '')}", but only its git remote or first commit says so, so nothing of it is shown and this session is not captured. To confirm it, the user can run: ${link?.confirmCommand}`;
}

/** Returns the brief. `session` is the id of one that began before, to show its own work. */
async function readSessionBrief(
  program: ProgramHost,
  linked: LinkedSession,
  session = '',
): Promise<ComposedBrief> {
  const { readBrief } = await import('../../node/capture/brief-cache.js');
  const { node, version } = program;
  const { link, stateFolder, project } = linked;
  const reader = { ...link, stateFolder, project, version, session };
  return readBrief(node, reader, async (sessions) => {
    const { composeBrief } = await import('../hooks/compose-brief.js');
    return composeBrief(program, linked, sessions, session);
  });
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
  if (!linked.isCaptured) {
    await skipSession(program, linked, client, input);
    return;
  }
  switch (event) {
    case 'session-start': {
      const { stateId } = await readSessionBrief(program, linked);
      if (input.session !== '') await registerSession(program, linked, client, input, stateId);
      await sealOtherSessions(program, linked, input);
      break;
    }
    case 'turn':
      await recordSession(program, linked, client, input, 'turn');
      break;
    case 'pre-compact': {
      const reason = hooks.announcesRequests ? 'turn' : 'compaction';
      await recordSession(program, linked, client, input, reason);
      break;
    }
    case 'session-end':
      await recordSession(program, linked, client, input, 'end');
      break;
  }
  // so that the next session does not have to read the log
  if (event !== 'turn') await readSessionBrief(program, linked);
}
