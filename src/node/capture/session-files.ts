import { appsWith, findApp } from '../../apps/index.js';
import type { Interval, ProjectLink } from '../../capture/consent.js';
import { NO_ACTIVITY } from '../../apps/transcripts/activity.js';
import { isJsonObject } from '../../model/event.js';
import { isText, objectsAt, parseJson } from '../../model/text/json-fields.js';
import type { Removal } from '../../storage/index.js';
import type { NodeModules } from '../modules.js';
import { createJsonFile } from '../ports/json-file.js';
import { exists, fileSize } from '../real-path.js';
import { CAPTURE_FOLDER } from './capture-settings-file.js';
import {
  type CapturedSession,
  newSession,
  withMark,
  privateTimes,
  withoutForgotten,
} from './captured-session.js';
import { isCreated } from '../system-errors.js';

const SESSION_FILE = /^[0-9a-f]{32}\.json$/;
const SEEN = '.seen';

/** Returns the hashes of the lines that hold what was noted of sessions. */
export async function writtenHashes(
  node: NodeModules,
  stateFolder: string,
): Promise<ReadonlySet<string>> {
  const hashes = new Set<string>();
  for (const files of await allSessionFiles(node, stateFolder))
    for (const { written } of await files.newest(Infinity))
      if (written) hashes.add(written.line.hash);
  return hashes;
}

/** Removes sessions, or messages of them, if what they last wrote to the log was removed. */
export async function forgetSessions(
  node: NodeModules,
  stateFolder: string,
  removals: readonly Removal[],
): Promise<void> {
  for (const files of await allSessionFiles(node, stateFolder))
    for (const session of await files.newest(Infinity)) {
      const { line } = session.written ?? {};
      const ofIt = line ? removals.filter(({ hashes }) => hashes.has(line.hash)) : [];
      const turns = new Set(ofIt.flatMap((removal) => removal.turns));
      if (ofIt.some((removal) => removal.turns.length === 0))
        await forgetSession(node, files, session);
      else if (turns.size > 0)
        await files.update(session.client, session.id, (known) =>
          withoutForgotten(known ?? session, turns),
        );
    }
}

/** Removes what was noted of sessions with an id. What follows in them is captured again. */
export async function forgetSessionsNamed(
  node: NodeModules,
  stateFolder: string,
  sessions: readonly Pick<CapturedSession, 'client' | 'id'>[],
): Promise<void> {
  for (const files of await allSessionFiles(node, stateFolder))
    for (const session of await files.newest(Infinity))
      if (sessions.some(({ client, id }) => client === session.client && id === session.id))
        await forgetSession(node, files, session);
}

async function forgetSession(
  node: NodeModules,
  files: SessionFiles,
  { client, id, transcript }: CapturedSession,
): Promise<void> {
  const size = (await fileSize(node, transcript)) ?? 0;
  await files.update(client, id, (known) => ({
    ...newSession(client, { session: id, transcript, folder: known?.folder ?? '' }),
    ...(known?.process && { process: known.process }),
    marks: [
      { at: 0, size: 0, isPrivate: true },
      { at: Date.now(), size, isPrivate: false },
    ],
  }));
}

/** Returns what this device has noted of sessions with an id, of any app and link. */
export async function sessionsNamed(
  node: NodeModules,
  stateFolder: string,
  name: string,
): Promise<CapturedSession[]> {
  const found: CapturedSession[] = [];
  for (const files of await allSessionFiles(node, stateFolder))
    found.push(...(await files.newest(Infinity)).filter(({ id }) => id === name));
  // nothing is noted of one that is private or forgotten
  return found.filter(({ stamp, marks }) => stamp !== '' || !marks.some((mark) => mark.isPrivate));
}

async function allSessionFiles(node: NodeModules, stateFolder: string): Promise<SessionFiles[]> {
  const folder = sessionsFolder(node, stateFolder);
  const names = await node.fs.readdir(folder).catch((): string[] => []);
  return names.map((name) => new SessionFiles(node, node.path.join(folder, name)));
}

function sessionsFolder({ path }: NodeModules, stateFolder: string): string {
  return path.join(stateFolder, CAPTURE_FOLDER, 'sessions');
}

/** Returns the sessions that belong to a link. A project with a new link begins without any. */
export function sessionsOf(
  node: NodeModules,
  stateFolder: string,
  { project, vault, workspaceId }: Pick<ProjectLink, 'project' | 'vault' | 'workspaceId'>,
): SessionFiles {
  const key = [project, vault, workspaceId].join('\n');
  const name = node.crypto.createHash('sha256').update(key).digest('hex').slice(0, 32);
  return new SessionFiles(node, node.path.join(sessionsFolder(node, stateFolder), name));
}

/** Sessions, each in a file of its own in a folder. */
export class SessionFiles {
  readonly #node: NodeModules;
  readonly #folder: string;

  constructor(node: NodeModules, folder: string) {
    this.#node = node;
    this.#folder = folder;
  }

  /** Stores a session unless it is known, so that the next one finds its transcript. */
  async add(session: CapturedSession): Promise<void> {
    if (session.id === '') return;
    const { fs } = this.#node;
    await fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = this.#pathOf(session.client, session.id);
    await isCreated(fs.writeFile(file, JSON.stringify(session), { flag: 'wx', mode: 0o600 }));
  }

  /** Returns when the session was private while its project had other links. */
  async privateElsewhere({ client, id }: CapturedSession): Promise<Interval[]> {
    const { fs, path } = this.#node;
    const own = this.#pathOf(client, id);
    const all = path.dirname(this.#folder);
    const folders = await fs.readdir(all).catch((): string[] => []);
    const others = folders.map(async (folder) => {
      const file = path.join(all, folder, path.basename(own));
      const text = file === own ? '' : await fs.readFile(file, 'utf8').catch(() => '');
      const session = readSession(parseJson(text));
      return session ? privateTimes(session) : [];
    });
    return (await Promise.all(others)).flat();
  }

  /** Notes that a client's hooks keep sessions of the project. */
  async noteClient(client: string): Promise<void> {
    const { fs, path } = this.#node;
    await fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = path.join(this.#folder, `${client}${SEEN}`);
    await isCreated(fs.writeFile(file, '', { flag: 'wx', mode: 0o600 }));
  }

  async hasSeen(client: string): Promise<boolean> {
    return exists(this.#node, this.#node.path.join(this.#folder, `${client}${SEEN}`));
  }

  async has(client: string, id: string): Promise<boolean> {
    return exists(this.#node, this.#pathOf(client, id));
  }

  /** `change` receives undefined for a new session. */
  async update(
    client: string,
    id: string,
    change: (known: CapturedSession | undefined) => CapturedSession | Promise<CapturedSession>,
  ): Promise<CapturedSession> {
    return createJsonFile(this.#node, this.#pathOf(client, id)).update((stored) => {
      const known = readSession(stored);
      if (known || stored === undefined) return change(known);
      // it may have said that the session is private
      const start = newSession(client, { session: id, transcript: '', folder: '' });
      return change(withMark(start, { at: Date.now(), size: 0, isPrivate: true }));
    });
  }

  /** Returns the sessions that changed last, newest first. */
  async newest(limit: number): Promise<CapturedSession[]> {
    const sessions = [];
    for (const { name } of (await this.#list()).slice(0, limit))
      sessions.push((await this.#read(name)) ?? []);
    return sessions.flat();
  }

  async #read(name: string): Promise<CapturedSession | undefined> {
    const { fs, path } = this.#node;
    const text = await fs.readFile(path.join(this.#folder, name), 'utf8').catch(() => '');
    return readSession(parseJson(text));
  }

  /**
   * Removes what is noted of sessions that changed before a time, in milliseconds since the epoch,
   * except when they were private or forgotten: they may go on.
   */
  async removeBefore(time: number): Promise<void> {
    const { fs, path } = this.#node;
    for (const { name, at } of await this.#list()) {
      if (at >= time) continue;
      const session = await this.#read(name);
      if (!session || privateTimes(session).length === 0)
        await fs.rm(path.join(this.#folder, name), { force: true });
      else if (session.stamp !== '') {
        const { client, id, transcript, folder, marks } = session;
        const begun = newSession(client, { session: id, transcript, folder });
        await this.update(client, id, () => ({ ...begun, marks, isSealed: true }));
      }
    }
  }

  /** Removes all that is known of the sessions but when they were private. */
  async removeAll(): Promise<void> {
    for (const { client, id, folder, marks } of await this.newest(Infinity)) {
      const start = newSession(client, { session: id, transcript: '', folder });
      if (privateTimes({ marks }).length > 0)
        await this.update(client, id, (known) => ({ ...start, marks: known?.marks ?? marks }));
      else await this.#node.fs.rm(this.#pathOf(client, id), { force: true });
    }
    for (const { id } of appsWith('hooks'))
      await this.#node.fs.rm(this.#node.path.join(this.#folder, `${id}${SEEN}`), { force: true });
    await this.#node.fs.rmdir(this.#folder).catch(() => undefined); // unless some are left
  }

  #pathOf(client: string, id: string): string {
    const { path, crypto } = this.#node;
    const name = crypto.createHash('sha256').update(`${client}\n${id}`).digest('hex').slice(0, 32);
    return path.join(this.#folder, `${name}.json`);
  }

  async #list(): Promise<{ name: string; at: number }[]> {
    const { fs, path } = this.#node;
    const names = await fs.readdir(this.#folder).catch((): string[] => []);
    const files = names
      .filter((name) => SESSION_FILE.test(name))
      .map(async (name) => {
        const stats = await fs.stat(path.join(this.#folder, name)).catch(() => undefined);
        return { name, at: stats?.mtimeMs ?? 0 };
      });
    return (await Promise.all(files)).sort((a, b) => b.at - a.at);
  }
}

function readSession(stored: unknown): CapturedSession | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { client, id, transcript, folder, marks, stamp, activity, changedAt } = stored;
  const isValid =
    [client, id, transcript, folder, stamp].every((text) => typeof text === 'string') &&
    findApp('hooks', client as string) !== undefined &&
    typeof changedAt === 'number' &&
    Array.isArray(marks) &&
    marks.every(isMark) &&
    isJsonObject(activity) &&
    objectsAt(activity, 'turns').every((turn) => TURN_TEXTS.every((key) => isText(turn[key]))) &&
    Object.entries(NO_ACTIVITY).every(([key, none]) => isLike(none, activity[key]));
  return isValid ? (stored as unknown as CapturedSession) : undefined;
}

const TURN_TEXTS = ['id', 'message', 'answer'];

function isMark(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { at, size, isPrivate } = value;
  return typeof at === 'number' && typeof size === 'number' && typeof isPrivate === 'boolean';
}

/** Returns true for a value of the same type; for a list, one of objects. */
function isLike(model: unknown, value: unknown): boolean {
  return Array.isArray(model)
    ? Array.isArray(value) && value.every(isJsonObject)
    : typeof value === typeof model;
}
