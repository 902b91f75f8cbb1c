import { findApp } from '../../apps/index.js';
import { NO_ACTIVITY, type Activity } from '../../apps/transcripts/activity.js';
import { buildCheckpoint } from '../../capture/build-checkpoint.js';
import { checkpointTrace } from '../../capture/checkpoint-trace.js';
import {
  excludedPaths,
  gapsIn,
  isExcluded,
  isPaused,
  withEarlierExclusions,
  type CaptureSettings,
  type Interval,
  type ProjectLink,
} from '../../capture/consent.js';
import {
  parseTranscript,
  readActivity,
  type CaptureRules,
  type Transcript,
  type TranscriptReading,
  type TurnHints,
} from '../../capture/transcript.js';
import { turnKey } from '../../model/event.js';
import { sessionStatus, type Checkpoint } from '../../model/text/checkpoint.js';
import type { Trace } from '../../model/trace.js';
import type { ForgottenOf } from '../../platform/device-access.js';
import type { NodeModules } from '../modules.js';
import { clientProject } from '../projects/client-project.js';
import { findProjectAndLink, innermost } from '../projects/find-link.js';
import { createCaptureSettingsFile } from './capture-settings-file.js';
import { isRunning } from './client-process.js';
import { realPath } from '../real-path.js';
import { withoutExcluded } from './excluded-paths.js';
import { goneExclusions } from './moved-exclusions.js';
import { readTranscriptFile, transcriptFiles } from './read-transcript-file.js';
import { sessionsOf, type SessionFiles } from './session-files.js';
import {
  privateTimes,
  timesOf,
  withMark,
  withoutForgotten,
  type CapturedSession,
} from './captured-session.js';

/** Sessions of a project whose transcripts are looked at: those of a busy week. */
const MAX_SESSIONS = 25;

export type DeviceSessions = ReturnType<typeof createDeviceSessions>;

/** Returns the sessions of AI apps on this device in the projects that are linked to a vault. */
export function createDeviceSessions(node: NodeModules, stateFolder: string, vault: string) {
  const file = createCaptureSettingsFile(node, stateFolder);

  async function newest(settings: CaptureSettings, workspaceId: string) {
    if (isPaused(settings, Date.now())) return [];
    const real = await node.fs.realpath(vault).catch(() => vault);
    const links = settings.links.filter(
      (link) => link.capture !== 'off' && link.vault === real && link.workspaceId === workspaceId,
    );
    const lists = links.map(async (link) => {
      const gone = await goneExclusions(node, settings, link.project, [link.folder]);
      if (gone.length > 0) return [];
      const files = sessionsOf(node, stateFolder, link);
      const found = await files.newest(MAX_SESSIONS);
      const isLeftOut = await Promise.all(
        found.map(async ({ folder }) => {
          if (settings.excludedFolders.length === 0) return false;
          const places = [link.folder, await realPath(node, folder)];
          const moved = await file.locate(settings, places);
          return places.some((place) => isExcluded(moved, place));
        }),
      );
      return found.flatMap((session, index) => (isLeftOut[index] ? [] : { session, link, files }));
    });
    return (await Promise.all(lists)).flat();
  }

  return {
    /** Returns the newest sessions' checkpoints as traces, as if written at their last change. */
    async checkpoints(workspaceId: string, forgottenOf: ForgottenOf): Promise<Trace[]> {
      const settings = await file.read();
      const sessions = await newest(settings, workspaceId);
      const traces = sessions.map(async ({ session: known, link, files }) => {
        const forgotten = known.written && (await forgottenOf(known.written.line));
        if (forgotten?.isWhole) return [];
        const place = { stateFolder, settings, link, files };
        const { session: read } = await catchUp(node, place, known);
        const session = withoutForgotten(read, new Set(forgotten?.turns));
        const checkpoint = await checkpointOf(node, place, session);
        const { id: sessionId, client, changedAt } = session;
        const trace = checkpointTrace({ workspaceId, sessionId, client }, checkpoint);
        return [{ ...trace, createdAt: new Date(changedAt).toISOString() }];
      });
      return (await Promise.all(traces)).flat();
    },
    /** Returns a text per session in `checkpoints`, which changes with what it has done. */
    async stamps(workspaceId: string): Promise<string[]> {
      const sessions = await newest(await file.read(), workspaceId);
      const stamps = sessions.map(async ({ session }) => {
        const { client, id, transcript, activity } = session;
        const [stamp] = await fileStamps(node, [transcript]);
        const isNew = stamp === undefined && activity.turns.length === 0;
        const checkpoint = { ...activity, client: await clientState(node, session) };
        const status = sessionStatus(checkpoint, session.changedAt, Date.now());
        return isNew ? [] : [[client, id, status, JSON.stringify(activity), stamp].join(' ')];
      });
      return (await Promise.all(stamps)).flat().sort();
    },
  };
}

/** A hook's knowledge of the session that has called it. */
export interface HookCall extends Pick<TurnHints, 'prompt' | 'answer'> {
  /** In milliseconds since the epoch. */
  readonly at: number;
  /** Size of the transcript then, in bytes; undefined if it is not known. */
  readonly size: number | undefined;
}

/** A transcript, and whether any entry in it was understood. */
export type ReadTranscript = Transcript & Pick<TranscriptReading, 'isUnderstood'>;

/** Where a session belongs, with everything that the user allows. */
export interface SessionPlace {
  readonly stateFolder: string;
  readonly settings: CaptureSettings;
  readonly link: ProjectLink;
  /** The sessions of the link's project. */
  readonly files: SessionFiles;
}

/** Updates a session from its transcript. Omits the transcript if empty or of another project. */
export async function catchUp(
  node: NodeModules,
  place: SessionPlace,
  session: CapturedSession,
  call?: HookCall,
): Promise<{ readonly session: CapturedSession; readonly read?: ReadTranscript }> {
  const { client, transcript: path } = session;
  const files = await transcriptFiles(node, path, findApp('hooks', client)?.hooks.transcript);
  const stamp = (await fileStamps(node, files)).join('\n');
  if (!call && stamp === session.stamp) return { session };
  const [main, ...others] = await Promise.all(files.map((each) => readTranscriptFile(node, each)));
  const { size = 0, createdAt = -Infinity, changedAt = session.changedAt } = main ?? {};
  const then = call?.size ?? size;
  const marked = call ? withMark(session, { at: call.at, size: then, isPrivate: false }) : session;
  const lines = others.flatMap((other) => other?.lines ?? []).map(({ text }) => ({ text }));
  const transcript = parseTranscript(client, [...(main?.lines ?? []), ...lines]);
  const now = Date.now();
  const rules = await captureRules(node, place, marked, transcript, (end) =>
    timesOf(marked, end, createdAt, now),
  );
  const noted = { ...marked, stamp, changedAt, isUnattended: transcript.isUnattended };
  const [first] = transcript.folders;
  if (first !== undefined && !rules.isOwn(first))
    return { session: { ...noted, activity: NO_ACTIVITY } };
  const from = session.marks.at(-1)?.at ?? createdAt;
  const hints = {
    prompt: '',
    answer: '',
    ...call,
    size: then,
    time: { from, to: call?.at ?? now },
  };
  const reading = readActivity(transcript, rules, hints, session.activity);
  const { activity, isUnderstood } = reading;
  const known = session.hasEnded && isGoingOn(session.activity, activity) ? reopened(noted) : noted;
  const hasContent = transcript.hasNoJson || transcript.entries.length > 0;
  const forgotten = new Set(session.forgotten?.map((id) => turnKey(client, session.id, id)));
  return {
    session: withoutForgotten({ ...known, activity }, forgotten),
    ...(hasContent && { read: { ...transcript, isUnderstood } }),
  };
}

/** True if the user has gone on in a session that was over. */
function isGoingOn(before: Activity, now: Activity): boolean {
  return now.turnCount > before.turnCount || (before.isFinished && !now.isFinished);
}

/** Returns a session that goes on after its end, in a process that no hook has named. */
function reopened(session: CapturedSession): CapturedSession {
  return { ...session, isSealed: false, hasEnded: false, process: undefined };
}

/** Returns the rules for what may be captured of a transcript. */
async function captureRules(
  node: NodeModules,
  { stateFolder, settings: stored, link, files }: SessionPlace,
  session: CapturedSession,
  { folders, entries }: Transcript,
  timesOfEntry: CaptureRules['timesOf'],
): Promise<CaptureRules> {
  const start = await realPath(node, session.folder);
  const places = await Promise.all(folders.map((folder) => realPath(node, folder)));
  const ids = { id: link.project, folders: [start, link.folder] };
  const store = createCaptureSettingsFile(node, stateFolder);
  const settings = await store.locate(stored, [start, ...places], ids);
  const own = new Set<string>();
  const gaps = new Map<string, Interval[]>();
  const calls = session.marks.map(({ at }) => at);
  const gapsOf = (folder: string, isMissing = false) =>
    gapsIn(settings, link, folder, { isMissing, calls });
  const always = [start, link.folder].flatMap((folder) => gapsOf(folder));
  always.push(...privateTimes(session));
  // What is older than the session is a copy of another one, which may have been private.
  const begin = session.marks[0]?.at ?? Infinity;
  for (const { from, to } of await files.privateElsewhere(session))
    always.push({ from, to: Math.min(to, begin) });
  if (entries.some(({ at }) => at !== undefined && at < begin))
    for (const other of await files.newest(MAX_SESSIONS))
      if (other.id !== session.id)
        for (const { from, to } of privateTimes(other))
          if (from < begin) always.push({ from, to: Math.min(to, begin) });
  for (const folder of folders) {
    const real = await realPath(node, folder);
    if (await isOfProject(node, settings, link, real, start)) own.add(folder);
    const info = real === start || (await node.fs.stat(real).catch(() => undefined));
    gaps.set(folder, [...always, ...gapsOf(real, !info)]);
  }
  return {
    isOwn: (folder) => own.has(folder),
    gaps: (folder) => gaps.get(folder) ?? always,
    timesOf: timesOfEntry,
  };
}

/** Returns true if a folder belongs to the project of a session that began in `start`. */
async function isOfProject(
  node: NodeModules,
  { links }: CaptureSettings,
  { project }: ProjectLink,
  folder: string,
  start: string,
): Promise<boolean> {
  const inner = innermost(links, folder);
  if (!inner && folder === start) return true;
  const at = await findProjectAndLink(node, links, folder);
  if (!at) return inner?.project === project; // the folder no longer exists, for example
  return at.found?.isProved === true && at.found.link.project === project;
}

export async function checkpointOf(
  node: NodeModules,
  { stateFolder, settings, link }: SessionPlace,
  session: CapturedSession,
): Promise<Checkpoint> {
  const real = (path: string) => realPath(node, path);
  const life = { from: session.marks[0]?.at ?? -Infinity, to: session.changedAt };
  const earlier = withEarlierExclusions(settings, life);
  const { project, found } = (await findProjectAndLink(node, [link], session.folder)) ?? {};
  const { folder: own = link.folder, worktree } =
    project && found ? clientProject(project, found) : {};
  const folders = {
    project: [...new Set([own, await real(own), link.folder])],
    working: session.folder,
    vault: [link.vault],
    home: node.os.homedir(),
    roots: await node.fs.readdir(node.path.parse(session.folder).root).catch((): string[] => []),
  };
  const ids = { id: link.project, folders: [...folders.project, session.folder] };
  const store = createCaptureSettingsFile(node, stateFolder);
  const locate = async (paths: readonly string[]) =>
    excludedPaths(await store.locate(earlier, [session.folder, ...paths], ids));
  const all = [session.folder, ...folders.project];
  const { activity, excluded } =
    earlier.excludedFolders.length === 0
      ? { activity: session.activity, excluded: [] }
      : await withoutExcluded(node, locate, session.activity, all);
  const facts = {
    client: await clientState(node, session),
    ...(session.isUnattended && { isUnattended: true }),
    changedAt: new Date(session.changedAt).toISOString(),
    fromState: session.fromState,
    worktree,
  };
  return buildCheckpoint(activity, { ...folders, excluded }, facts, link.capture);
}

async function clientState(
  node: NodeModules,
  { hasEnded, process }: CapturedSession,
): Promise<Checkpoint['client']> {
  if (hasEnded) return 'ended';
  const isAlive = process && (await isRunning(node, process));
  if (isAlive === undefined) return undefined;
  return isAlive ? 'running' : 'gone';
}

/** Returns texts that change with the files, one for each that can be read. */
export async function fileStamps({ fs }: NodeModules, files: readonly string[]): Promise<string[]> {
  const stamps = files.map(async (file) => {
    const stats = await fs.stat(file).catch(() => undefined);
    return stats ? [`${file} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`] : [];
  });
  return (await Promise.all(stamps)).flat();
}
