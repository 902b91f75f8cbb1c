import { isText, isTextList, parseJsonObject } from '../../model/text/json-fields.js';
import type { ClientProject } from '../../toolkit/context-defaults.js';
import { errorCode, type NodeModules } from '../modules.js';
import { createDraftFolder } from '../ports/draft-folder.js';
import { PluginSettings } from '../ports/plugin-settings.js';
import { vaultStateFolder } from '../ports/state-folder.js';
import { DeviceSessions, fileStamps } from './device-sessions.js';

/** A brief as of a moment, with what it depends on besides the log and this device's sessions. */
export interface ComposedBrief {
  readonly text: string;
  readonly stateId?: string | undefined;
  /** Absolute paths of files that it compares, and their stamps at that time. */
  readonly files: readonly string[];
  readonly fileStamps: readonly string[];
  /** Milliseconds since 1970 until which it holds; undefined if it does not depend on the time. */
  readonly until: number | undefined;
}

interface StoredBrief extends ComposedBrief {
  /** Changes with the log and with the sessions on this device. */
  readonly stamp: string;
}

/** Whose brief it is, and of what. */
export interface BriefReader {
  readonly stateFolder: string;
  /** The real path of the vault. */
  readonly vault: string;
  readonly workspaceId: string;
  readonly project: ClientProject;
  /** Id of the session that reads it, if it has begun before; its brief is not stored. */
  readonly session: string;
  /** The version of this program, which may compose another brief from the same files. */
  readonly version: string;
}

/** Folders of the log whose content a brief depends on. */
const LANES = ['core', 'trace', 'session'];

/** Returns the stored brief if it still holds, without reading the log; else composes one. */
export async function readBrief(
  node: NodeModules,
  { stateFolder, vault, workspaceId, project, session, version }: BriefReader,
  compose: (sessions: DeviceSessions) => Promise<ComposedBrief>,
): Promise<ComposedBrief> {
  const { fs, path, crypto } = node;
  const { dataFolder } = await new PluginSettings(node, vault).read();
  const sessions = new DeviceSessions(node, stateFolder, vault);
  if (session !== '') return compose(sessions);
  // Taken before anything is read, so that what changes meanwhile is read next time.
  const stampsNow = () => logStamps(node, path.join(vault, dataFolder));
  const log = await stampsNow();
  const stamp = [version, ...log, ...(await sessions.stamps(workspaceId))].join('\n');
  const folder = path.join(vaultStateFolder(node, stateFolder, vault), 'briefs');
  const key = [workspaceId, project.key, project.folder].join('\n');
  const name = `${crypto.createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`;
  const text = await fs.readFile(path.join(folder, name), 'utf8').catch(() => '');
  const stored = parseJsonObject(text) as StoredBrief | undefined;
  const isCurrent =
    stored?.stamp === stamp &&
    isText(stored.text) &&
    isTextList(stored.files) &&
    isTextList(stored.fileStamps) &&
    Date.now() < (stored.until ?? Infinity) &&
    (await fileStamps(node, stored.files)).join('\n') === stored.fileStamps.join('\n');
  if (isCurrent) return stored;
  const brief = await compose(sessions);
  if (log.length === 0) return brief;
  // the disk may be full
  await store(node, folder, name, { stamp, ...brief }).catch(() => undefined);
  // it may contain what was forgotten meanwhile
  if ((await stampsNow()).join('\n') !== log.join('\n'))
    await fs.rm(path.join(folder, name), { force: true }).catch(() => undefined);
  return brief;
}

async function store(node: NodeModules, folder: string, name: string, brief: StoredBrief) {
  await node.fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const bytes = new TextEncoder().encode(JSON.stringify(brief));
  await createDraftFolder(node, folder).write(name, bytes);
}

/** Returns the stamps of the log's files; none without a log. `dataFolder` is an absolute path. */
export async function logStamps(node: NodeModules, dataFolder: string): Promise<string[]> {
  const { fs, path } = node;
  const lanes = LANES.map(async (lane) => {
    const folder = path.join(dataFolder, lane);
    const entries = await fs
      .readdir(folder, { withFileTypes: true, recursive: true })
      .catch(ignoreMissing);
    const files = (entries ?? []).filter((entry) => !entry.isDirectory());
    return fileStamps(
      node,
      files.map(({ parentPath, name }) => path.join(parentPath, name)),
    );
  });
  return (await Promise.all(lanes)).flat().sort();
}

/** A sync client may remove a folder while it is read. */
function ignoreMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error;
}
