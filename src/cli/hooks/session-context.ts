import { ActivityRecorder } from '../../apps/transcripts/activity.js';
import { buildCheckpoint } from '../../capture/build-checkpoint.js';
import { consentTo, type CaptureSettings, type ProjectLink } from '../../capture/consent.js';
import { readTranscript } from '../../capture/transcript.js';
import type { Checkpoint } from '../../model/text/checkpoint.js';
import { CaptureSettingsFile } from '../../node/capture/capture-settings-file.js';
import { MAX_TAIL_BYTES, readTranscriptFile } from '../../node/capture/read-transcript-file.js';
import { SessionFiles, type CapturedSession } from '../../node/capture/session-files.js';
import { envValue } from '../../node/environment.js';
import { environmentVault } from '../../node/known-vault.js';
import { projectKeysOf } from '../../node/projects/find-project.js';
import type { ProgramHost } from '../program.js';
import { stateFolderOf } from '../state-folder.js';
import type { HookInput } from './hook-input.js';

/** A session in a linked project. */
export interface LinkedSession {
  readonly stateFolder: string;
  readonly settings: CaptureSettings;
  readonly link: ProjectLink;
  /** True if the user allows the session to be captured. */
  readonly isCaptured: boolean;
  /** The sessions of the project. */
  readonly files: SessionFiles;
}

/** A transcript without a message of the user in its last part is searched this far back. */
const MAX_SEARCHED_BYTES = 4 * MAX_TAIL_BYTES;

/**
 * Returns the session that a hook is called for; undefined if its project is not linked, it is
 * private, or its folder is excluded. A vault in the environment restricts the hooks of a client to
 * the links of that vault.
 */
export async function findLinkedSession(
  program: ProgramHost,
  { folder }: Pick<HookInput, 'folder'>,
): Promise<LinkedSession | undefined> {
  const { node, env } = program;
  const stateFolder = stateFolderOf(program, undefined);
  const settings = await new CaptureSettingsFile(node, stateFolder).read();
  if (settings.links.length === 0 || !node.path.isAbsolute(folder)) return undefined;
  const found = await projectKeysOf(node, folder);
  if (!found) return undefined;
  const consent = consentTo(settings, {
    projects: found.keys,
    folder: await node.fs.realpath(folder).catch(() => folder),
    isPrivate: (envValue(env, 'SAVEPOINT_PRIVATE') ?? '0') !== '0',
    now: Date.now(),
  });
  const vault = environmentVault(node, env);
  const isOtherVault =
    vault !== undefined &&
    consent !== undefined &&
    (await node.fs.realpath(vault).catch(() => vault)) !== consent.link.vault;
  if (!consent || isOtherVault) return undefined;
  const files = new SessionFiles(node, stateFolder, consent.link.project);
  return { stateFolder, settings, ...consent, files };
}

/**
 * Returns a session with what its transcript says now. `hints` is what the client has told the hook
 * itself.
 */
export async function catchUp(
  { node }: Pick<ProgramHost, 'node'>,
  session: CapturedSession,
  hints: Pick<HookInput, 'prompt' | 'answer'> = { prompt: '', answer: '' },
): Promise<CapturedSession> {
  const recorder = new ActivityRecorder(session.activity);
  recorder.setTask(hints.prompt);
  recorder.setAnswer(hints.answer);
  const before = recorder.activity();
  const { client, transcript, offset } = session;
  const part = transcript === '' ? undefined : await readTranscriptFile(node, transcript, offset);
  if (!part) return { ...session, activity: before };
  let activity = readTranscript(client, part.lines, before);
  if (activity.task === '') {
    const more = await readTranscriptFile(node, transcript, offset, MAX_SEARCHED_BYTES);
    activity = readTranscript(client, more?.lines ?? [], before);
  }
  return { ...session, activity, offset: part.offset, changedAt: part.changedAt };
}

/** Returns the checkpoint of a session. */
export async function checkpointOf(
  { node }: Pick<ProgramHost, 'node'>,
  { settings, link }: Pick<LinkedSession, 'settings' | 'link'>,
  session: CapturedSession,
): Promise<Checkpoint> {
  const real = (path: string) => node.fs.realpath(path).catch(() => path);
  const project = await projectKeysOf(node, session.folder);
  const own = project?.keys[0] === link.project ? project.folder : link.folder;
  const folders = {
    project: [...new Set([own, await real(own), link.folder])],
    working: session.folder,
    vault: [link.vault],
    home: node.os.homedir(),
    excluded: settings.excludedFolders,
  };
  return buildCheckpoint(session.activity, folders, session.fromState);
}
