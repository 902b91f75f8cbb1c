import { ActivityRecorder } from '../../apps/transcripts/activity.js';
import { buildCheckpoint } from '../../capture/build-checkpoint.js';
import { checkpointTrace } from '../../capture/checkpoint-trace.js';
import {
  isExcluded,
  isPaused,
  type CaptureSettings,
  type ProjectLink,
} from '../../capture/consent.js';
import { readTranscript } from '../../capture/transcript.js';
import { sessionStatus, type Checkpoint } from '../../model/text/checkpoint.js';
import type { Trace } from '../../model/trace.js';
import type { NodeModules } from '../modules.js';
import { clientProject } from '../projects/client-project.js';
import { findProjectAndLink } from '../projects/find-link.js';
import { CaptureSettingsFile } from './capture-settings-file.js';
import { isRunning } from './client-process.js';
import { MAX_TAIL_BYTES, readTranscriptFile } from './read-transcript-file.js';
import { SessionFiles, type CapturedSession } from './session-files.js';

type Modules = Pick<NodeModules, 'fs' | 'callbackFs' | 'path' | 'os' | 'crypto' | 'timers'>;

/** Sessions of a project whose transcripts are looked at: those of a busy week. */
const MAX_SESSIONS = 25;
/** A transcript without a message of the user in its last part is searched this far back. */
const MAX_SEARCHED_BYTES = 4 * MAX_TAIL_BYTES;

/** Sessions of AI apps on this device in the projects that are linked to a vault. */
export class DeviceSessions {
  readonly #node: Modules;
  readonly #stateFolder: string;
  readonly #vault: string;

  constructor(node: Modules, stateFolder: string, vault: string) {
    this.#node = node;
    this.#stateFolder = stateFolder;
    this.#vault = vault;
  }

  /**
   * Returns the checkpoints of the newest sessions in the projects of a workspace as traces, as if
   * they had been written at their last change.
   */
  async checkpoints(workspaceId: string): Promise<Trace[]> {
    const settings = await new CaptureSettingsFile(this.#node, this.#stateFolder).read();
    const newest = await this.#newest(settings, workspaceId);
    return Promise.all(
      newest.map(async ({ session: known, link }) => {
        const session = await catchUp(this.#node, known);
        const checkpoint = await checkpointOf(this.#node, settings, link, session);
        const { id: sessionId, client, changedAt } = session;
        const trace = checkpointTrace({ workspaceId, sessionId, client }, checkpoint);
        return { ...trace, createdAt: new Date(changedAt).toISOString() };
      }),
    );
  }

  /** Returns a text per session in `checkpoints`, which changes with what it has done. */
  async stamps(workspaceId: string): Promise<string[]> {
    const settings = await new CaptureSettingsFile(this.#node, this.#stateFolder).read();
    const newest = await this.#newest(settings, workspaceId);
    const stamps = newest.map(async ({ session }) => {
      const { client, id, transcript, activity } = session;
      const [file] = await fileStamps(this.#node, [transcript]);
      const isNew = file === undefined && activity.message === '' && activity.answer === '';
      const checkpoint = { ...activity, client: await clientState(this.#node, session) };
      const status = sessionStatus(checkpoint, session.changedAt, Date.now());
      return isNew ? [] : [[client, id, status, JSON.stringify(activity), file].join(' ')];
    });
    return (await Promise.all(stamps)).flat().sort();
  }

  async #newest(settings: CaptureSettings, workspaceId: string) {
    if (isPaused(settings, Date.now())) return [];
    const { fs } = this.#node;
    const vault = await fs.realpath(this.#vault).catch(() => this.#vault);
    const links = settings.links.filter(
      (link) => link.isCaptured && link.vault === vault && link.workspaceId === workspaceId,
    );
    const lists = links.map(async (link) => {
      const files = new SessionFiles(this.#node, this.#stateFolder, link.project);
      return (await files.newest(MAX_SESSIONS))
        .filter(({ folder }) => !isExcluded(settings, folder))
        .map((session) => ({ session, link }));
    });
    return (await Promise.all(lists)).flat();
  }
}

/**
 * Returns a session with what its transcript says now. `hints` is what the client has told the hook
 * itself.
 */
export async function catchUp(
  node: Modules,
  session: CapturedSession,
  hints = { prompt: '', answer: '' },
): Promise<CapturedSession> {
  const recorder = new ActivityRecorder(session.activity);
  recorder.setMessage(hints.prompt);
  recorder.setAnswer(hints.answer);
  const before = recorder.activity();
  const { client, transcript, offset } = session;
  const part = transcript === '' ? undefined : await readTranscriptFile(node, transcript, offset);
  if (!part) return { ...session, activity: before };
  let activity = readTranscript(client, part.lines, before);
  if (activity.message === '') {
    const more = await readTranscriptFile(node, transcript, offset, MAX_SEARCHED_BYTES);
    activity = readTranscript(client, more?.lines ?? [], before);
  }
  return { ...session, activity, offset: part.offset, changedAt: part.changedAt };
}

/** Returns the checkpoint of a session in the project of a link. */
export async function checkpointOf(
  node: Modules,
  { excludedFolders: excluded }: CaptureSettings,
  link: ProjectLink,
  session: CapturedSession,
): Promise<Checkpoint> {
  const real = (path: string) => node.fs.realpath(path).catch(() => path);
  const { project, found } = (await findProjectAndLink(node, [link], session.folder)) ?? {};
  const own = (project && found && clientProject(project, found).folder) ?? link.folder;
  const folders = {
    project: [...new Set([own, await real(own), link.folder])],
    working: session.folder,
    vault: [link.vault],
    home: node.os.homedir(),
    excluded,
  };
  return buildCheckpoint(session.activity, folders, {
    client: await clientState(node, session),
    changedAt: new Date(session.changedAt).toISOString(),
    fromState: session.fromState,
  });
}

/** Returns what is known about the client of a session now. */
async function clientState(
  node: Modules,
  { hasEnded, process }: CapturedSession,
): Promise<Checkpoint['client']> {
  if (hasEnded) return 'ended';
  const isAlive = process && (await isRunning(node, process));
  if (isAlive === undefined) return undefined;
  return isAlive ? 'running' : 'gone';
}

/** Returns texts that change with the files, one for each that can be read. */
export async function fileStamps(
  { fs }: Pick<NodeModules, 'fs'>,
  files: readonly string[],
): Promise<string[]> {
  const stamps = files.map(async (file) => {
    const stats = await fs.stat(file).catch(() => undefined);
    return stats ? [`${file} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`] : [];
  });
  return (await Promise.all(stamps)).flat();
}
