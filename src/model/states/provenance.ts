import { isJsonObject, type Json, type JsonObject } from '../event.js';
import { counted } from '../text/counted.js';
import { cutText } from '../text/truncate.js';

/** Who saved a state, and where. */
export interface SavedBy {
  /** Name by which the client identified itself, else that of the program. */
  readonly client: string;
  readonly session: string;
  /** Known only for calls of a model in the chat. */
  readonly model?: string;
  /** Name that its owner gave the device. */
  readonly device: string;
}

export interface FileDigest {
  /** SHA-256 of the whole file or, if `sampled`, of samples of its start, middle and end. */
  readonly sha256: string;
  readonly size: number;
  readonly sampled?: true;
}

/** The checked-out commit. A detached head has no branch; a branch without commits no head. */
export interface GitHead {
  /** Commit id. */
  readonly head?: string;
  readonly branch?: string;
}

/** Facts about the moment of saving, which the hash of the state does not cover. */
export interface Provenance {
  readonly by: SavedBy;
  /** Digests of the active files by path; null if missing, no entry if not recorded. */
  readonly files?: Readonly<Record<string, FileDigest | null>>;
  readonly git?: GitHead;
  /** Key of the project that active files like `project:src/a.ts` are in. */
  readonly project?: string | undefined;
  /** Name of that project's folder on the device that saved the state. */
  readonly projectName?: string | undefined;
  /** Id of the state that it continues. */
  readonly continues?: string | undefined;
}

/** Maximum number of visible characters of a device's name. */
export const MAX_DEVICE_NAME_LENGTH = 40;
const MAX_NAME_LENGTH = 100;
const MAX_BRANCH_LENGTH = 250;

/** Text that `toVisibleLine` does not change. */
const PLAIN_LINE = /^[!-~]+(?: [!-~]+)*$/;

/** Returns the text in one line, without invisible characters. */
export function toVisibleLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text;
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/[\p{C}\p{DI}]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

export function provenanceData({ by, files, git, project, projectName }: Provenance): JsonObject {
  const { client, session, model, device } = by;
  return {
    by: {
      client: shorten(client, MAX_NAME_LENGTH),
      session: shorten(session, MAX_NAME_LENGTH * 2),
      ...(model !== undefined && { model: shorten(model, MAX_NAME_LENGTH) }),
      device: shorten(device, MAX_DEVICE_NAME_LENGTH),
    },
    ...(files && Object.keys(files).length > 0 && { files: files as unknown as JsonObject }),
    ...(git && { git: { ...git } }),
    ...(project !== undefined && { project }),
    ...(projectName !== undefined && { projectName: shorten(projectName, MAX_NAME_LENGTH) }),
  };
}

/** Returns the `by` of a `state.new` event, fit for display; undefined if missing or malformed. */
export function readSavedBy(value: Json | undefined): SavedBy | undefined {
  if (!isJsonObject(value)) return undefined;
  const { client, session, model, device } = value;
  if (typeof client !== 'string' || typeof session !== 'string' || typeof device !== 'string')
    return undefined;
  return {
    client: shorten(client, MAX_NAME_LENGTH),
    session: shorten(session, MAX_NAME_LENGTH * 2),
    ...(typeof model === 'string' && { model: shorten(model, MAX_NAME_LENGTH) }),
    device: shorten(device, MAX_DEVICE_NAME_LENGTH),
  };
}

/** Returns app, model and device, as far as known. */
export function saverText({ client = '', model = '', device = '' }: Partial<SavedBy> = {}): string {
  return [client, model, device].filter(Boolean).join('\n');
}

/** Returns the `git` of a `state.new` event; undefined if missing or malformed. */
export function gitHeadIn(value: Json | undefined): GitHead | undefined {
  if (!isJsonObject(value)) return undefined;
  const { head, branch } = value;
  const hasHead = typeof head === 'string' && isCommitId(head);
  const hasBranch = typeof branch === 'string' && branch !== '';
  if (!hasHead && !hasBranch) return undefined;
  return {
    ...(hasHead && { head }),
    ...(hasBranch && { branch: shorten(branch, MAX_BRANCH_LENGTH) }),
  };
}

/** Returns true for a commit id: SHA-1 or SHA-256 in lower-case hex digits. */
export function isCommitId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

export function shortCommit(id: string): string {
  return id.slice(0, 10);
}

/** Returns the digest of a path in `files`; null if there was no file, undefined if unknown. */
export function recordedDigest(
  files: JsonObject | undefined,
  path: string,
): FileDigest | null | undefined {
  const value = files && Object.hasOwn(files, path) ? files[path] : undefined;
  if (value === null) return null;
  if (!isJsonObject(value)) return undefined;
  const { sha256, size, sampled } = value;
  if (typeof sha256 !== 'string' || typeof size !== 'number') return undefined;
  return { sha256, size, ...(sampled === true && { sampled }) };
}

/** Returns how many of a state's files have changed, such as `2 of 5 files changed since`. */
export function changedFilesPhrase(changed: number, count: number): string {
  if (changed === 0)
    return count === 1 ? 'its file is unchanged' : `its ${count} files are unchanged`;
  return `${changed} of ${counted(count, 'file')} changed since`;
}

function shorten(text: string, limit: number): string {
  return cutText(toVisibleLine(text), limit);
}
