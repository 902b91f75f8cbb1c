import { isText, isTextList, parseJsonObject } from '../../model/text/json-fields.js';
import type { ClientProject } from '../../toolkit/context-defaults.js';
import type { NodeModules } from '../modules.js';
import { createDraftFolder } from '../ports/draft-folder.js';
import { createPluginSettings } from '../ports/plugin-settings.js';
import { vaultStateFolder } from '../ports/state-folder.js';
import { createDeviceSessions, type DeviceSessions, fileStamps } from './device-sessions.js';
import { ifNoEntry } from '../system-errors.js';

/** A brief as of a moment, with what it depends on besides the log and this device's sessions. */
export interface ComposedBrief {
  readonly text: string;
  readonly stateId?: string | undefined;
  /** Absolute paths of files that it compares, and their stamps at that time. */
  readonly files: readonly string[];
  readonly fileStamps: readonly string[];
  /** Milliseconds since 1970 until which it holds; undefined if it does not depend on the time. */
  readonly until: number | undefined;
  /** The text of a `RecallIndex`; absent if it was not wanted. */
  readonly recall?: string | undefined;
}

interface StoredBrief extends Omit<ComposedBrief, 'recall'> {
  /** True if what can be told later is stored, too. */
  readonly hasRecall: boolean;
  /** Changes with the log and with the sessions on this device. */
  readonly stamp: string;
}

/** Of which project a brief is. */
export interface BriefPlace {
  readonly stateFolder: string;
  /** The real path of the vault. */
  readonly vault: string;
  readonly workspaceId: string;
  readonly project: ClientProject;
}

/** Whose brief it is, and of what. */
export interface BriefReader extends BriefPlace {
  /** Id of the session that reads it, if it has begun before; its brief is not stored. */
  readonly session: string;
  /** The version of this program, which may compose another brief from the same files. */
  readonly version: string;
  /** True to store what can be told later, too. */
  readonly withRecall: boolean;
}

/** Folders of the log whose content a brief depends on. */
const LANES = ['core', 'trace', 'session'];

/** Returns the stored brief if it still holds, without reading the log; else composes one. */
export async function readBrief(
  node: NodeModules,
  reader: BriefReader,
  compose: (sessions: DeviceSessions) => Promise<ComposedBrief>,
): Promise<Omit<ComposedBrief, 'recall'>> {
  const { stateFolder, vault, workspaceId, session, version, withRecall } = reader;
  const { fs, path } = node;
  const { dataFolder } = await createPluginSettings(node, vault).read();
  const sessions = createDeviceSessions(node, stateFolder, vault);
  if (session !== '') return compose(sessions);
  // Taken before anything is read, so that what changes meanwhile is read next time.
  const stampsNow = () => logStamps(node, path.join(vault, dataFolder));
  const recallStamp = await stampOfRecall(node, vault);
  const log = await stampsNow();
  const stamp = [version, ...log, ...(await sessions.stamps(workspaceId))].join('\n');
  const files = briefFiles(node, reader);
  const text = await fs.readFile(files.brief, 'utf8').catch(() => '');
  const stored = parseJsonObject(text) as StoredBrief | undefined;
  const isCurrent =
    stored?.stamp === stamp &&
    (stored.hasRecall || !withRecall) &&
    isText(stored.text) &&
    isTextList(stored.files) &&
    isTextList(stored.fileStamps) &&
    Date.now() < (stored.until ?? Infinity) &&
    (await fileStamps(node, stored.files)).join('\n') === stored.fileStamps.join('\n');
  if (isCurrent) return stored;
  const { recall, ...brief } = await compose(sessions);
  if (log.length === 0) return brief;
  const told = recall && `${recallStamp}\n${recall}`;
  const texts = [told, JSON.stringify({ stamp, hasRecall: withRecall, ...brief })];
  for (const [at, file] of [files.recall, files.brief].entries()) {
    // the disk may be full
    if (texts[at] !== undefined) await store(node, file, texts[at]).catch(() => undefined);
    else if (withRecall) await fs.rm(file, { force: true });
  }
  // they may contain what was forgotten meanwhile
  if ((await stampsNow()).join('\n') !== log.join('\n'))
    for (const file of [files.recall, files.brief]) await fs.rm(file, { force: true });
  return brief;
}

const BRIEFS_FOLDER = 'briefs';

/** Returns the absolute paths of the files with what a project's sessions are told. */
export function briefFiles(node: NodeModules, { stateFolder, vault, ...of }: BriefPlace) {
  const folder = node.path.join(vaultStateFolder(node, stateFolder, vault), BRIEFS_FOLDER);
  const key = [of.workspaceId, of.project.key, of.project.folder].join('\n');
  const name = node.crypto.createHash('sha256').update(key).digest('hex').slice(0, 32);
  const file = (extension: string) => node.path.join(folder, `${name}.${extension}`);
  return { brief: file('json'), recall: file('recall'), told: node.path.join(folder, 'told') };
}

/** Returns the stored index of what can be told, and the stamp that `stampOfRecall` had then. */
export async function readStoredRecall(
  { fs }: NodeModules,
  file: string,
): Promise<{ readonly stamp: string; readonly text: string }> {
  const stored = await fs.readFile(file, 'utf8').catch(() => '');
  const end = stored.indexOf('\n');
  return { stamp: stored.slice(0, Math.max(0, end)), text: stored.slice(end + 1) };
}

/** Returns a hash that changes with the states and records, and with what was forgotten. */
export async function stampOfRecall(node: NodeModules, vault: string): Promise<string> {
  const { dataFolder } = await createPluginSettings(node, vault).read();
  const stamps = await logStamps(node, node.path.join(vault, dataFolder), ['core']);
  return node.crypto.createHash('sha256').update(stamps.join('\n')).digest('hex');
}

/** Removes what is prepared for the sessions of a vault. The next one that starts prepares it. */
export async function removeBriefs(node: NodeModules, stateFolder: string, vault: string) {
  const folder = node.path.join(vaultStateFolder(node, stateFolder, vault), BRIEFS_FOLDER);
  await node.fs.rm(folder, { recursive: true, force: true });
}

async function store(node: NodeModules, file: string, text: string) {
  const folder = node.path.dirname(file);
  await node.fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const bytes = new TextEncoder().encode(text);
  await createDraftFolder(node, folder).write(node.path.basename(file), bytes);
}

/** Returns the stamps of the log's files; none without a log. `dataFolder` is an absolute path. */
export async function logStamps(
  node: NodeModules,
  dataFolder: string,
  lanes: readonly string[] = LANES,
): Promise<string[]> {
  const found = lanes.map(async (lane) =>
    fileStamps(node, await filesBelow(node, node.path.join(dataFolder, lane))),
  );
  return (await Promise.all(found)).flat().sort();
}

async function filesBelow(node: NodeModules, folder: string): Promise<string[]> {
  // a sync client may remove the folder meanwhile
  const entries = await node.fs.readdir(folder, { withFileTypes: true }).catch(ifNoEntry([]));
  const found = entries.map(async (entry) => {
    const file = node.path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(node, file) : [file];
  });
  return (await Promise.all(found)).flat();
}
