import { PROJECT_PREFIX, toVaultPath, type VaultPath } from '../../model/paths.js';
import type { FileDigest } from '../../model/states/provenance.js';
import type { DeviceAccess, OpenFile, ProjectFolder } from '../../platform/device-access.js';
import { eachInParallel } from '../../platform/parallel.js';
import { findOtherSpelling } from '../../platform/safe-file-names.js';
import { sha256 } from '../../platform/sha256.js';
import type { Services } from '../services.js';

/** Larger files are hashed by samples. */
export const MAX_HASHED_BYTES = 1024 * 1024;
/** Length of each of the three samples of a larger file. */
export const SAMPLE_BYTES = 64 * 1024;
/** Larger files have no samples on devices that cannot read parts of a file. */
const MAX_WHOLE_BYTES = 8 * 1024 * 1024;

/** Maximum number of files whose content a state records. */
const MAX_RECORDED_FILES = 200;
/** Maximum size of the recorded files as JSON. */
const MAX_RECORDED_BYTES = 64 * 1024;
/** Size of a state's content above which no files are recorded, to keep its line short. */
const MAX_CONTENT_BYTES = 256 * 1024;

/** Most notes are shorter, so that one read gets all of them without asking for their size. */
const FIRST_READ_BYTES = 16 * 1024;

const READ_WIDTH = 16;

const encoder = new TextEncoder();

export type FileAccess = Pick<Services, 'files' | 'device'> & {
  /** Its files are read, too. */
  readonly project?: ProjectFolder | undefined;
};

/** Returns access for one call, which lists no folder twice. */
export function listingOnce<Access extends FileAccess>(access: Access): Access {
  const listings = new Map<VaultPath, ReturnType<FileAccess['files']['list']>>();
  const list = (folder: VaultPath) => {
    const listing = listings.get(folder) ?? access.files.list(folder);
    listings.set(folder, listing);
    return listing;
  };
  return { ...access, files: { ...access.files, list } };
}

/** Returns null if nothing is at the path, undefined if it is not a file or cannot be read. */
export function readDigest(
  { files, device }: FileAccess,
  path: VaultPath,
): Promise<FileDigest | null | undefined> {
  const openAt = (at: VaultPath) => device.openFile?.(at) ?? openWhole(files, at);
  return digestOfOpened(device, async () => {
    const file = await openAt(path);
    if (file) return file;
    // Another device may have stored another spelling.
    const existing = await findOtherSpelling(files, path);
    return existing === undefined || existing === path ? undefined : openAt(existing);
  });
}

/** Reads a file that a state names as `project:src/a.ts`. Undefined without a project. */
export async function readProjectDigest(
  { device, project }: FileAccess,
  stored: string,
): Promise<FileDigest | null | undefined> {
  if (!project) return undefined;
  return digestOfOpened(device, () => project.openFile(stored.slice(PROJECT_PREFIX.length)));
}

async function digestOfOpened(
  device: FileAccess['device'],
  open: () => Promise<OpenFile | undefined>,
): Promise<FileDigest | null | undefined> {
  try {
    const file = await open();
    if (!file) return null;
    try {
      return await digestOf(file, device.sha256 ?? sha256);
    } finally {
      file.close();
    }
  } catch {
    // Such as a file without read permission, whose times still show whether it has changed.
    return undefined;
  }
}

/**
 * Returns the contents of active files to store with a state. Omits paths outside the vault, what
 * cannot be read, and files beyond the limits. `contentBytes` is the size of the state's content.
 */
export async function readDigests(
  access: FileAccess,
  paths: readonly string[],
  contentBytes: number,
): Promise<Record<string, FileDigest | null>> {
  if (contentBytes > MAX_CONTENT_BYTES) return {};
  const once = listingOnce(access);
  const wanted = [...new Set(paths)].slice(0, MAX_RECORDED_FILES);
  const digests = new Map<string, FileDigest | null>();
  await eachInParallel(wanted, READ_WIDTH, async (path) => {
    const inVault = toVaultPath(path);
    const digest = await (path.startsWith(PROJECT_PREFIX)
      ? readProjectDigest(once, path)
      : inVault !== undefined && readDigest(once, inVault));
    if (digest !== undefined && digest !== false) digests.set(path, digest);
  });
  let room = MAX_RECORDED_BYTES;
  const entries = wanted.flatMap((path) => {
    const digest = digests.get(path);
    if (digest === undefined) return [];
    room -= jsonBytes(path) + jsonBytes(digest);
    return room >= 0 ? [[path, digest] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** `hashAtOnce` is for short content. */
async function digestOf(
  file: OpenFile,
  hashAtOnce: NonNullable<DeviceAccess['sha256']> | typeof sha256,
): Promise<FileDigest | undefined> {
  const start = await file.read(0, FIRST_READ_BYTES);
  if (start.length < FIRST_READ_BYTES)
    return { sha256: await hashAtOnce(start), size: start.length };
  const size = await file.size();
  if (size === undefined) return undefined;
  if (size <= MAX_HASHED_BYTES) {
    const bytes = await file.read(0, size);
    return { sha256: await sha256(bytes), size: bytes.length };
  }
  const starts = [0, Math.floor((size - SAMPLE_BYTES) / 2), size - SAMPLE_BYTES];
  const samples = await Promise.all(starts.map((from) => file.read(from, SAMPLE_BYTES)));
  const joined = new Uint8Array(SAMPLE_BYTES * starts.length);
  samples.forEach((sample, index) => joined.set(sample, SAMPLE_BYTES * index));
  return { sha256: await sha256(joined), size, sampled: true };
}

/** Opens a file by reading it as a whole. Throws if it is too large for that. */
async function openWhole(
  files: FileAccess['files'],
  path: VaultPath,
): Promise<OpenFile | undefined> {
  const info = await files.stat(path);
  if (!info) return undefined;
  if (info.size > MAX_WHOLE_BYTES) throw new Error(`${path} is too large to be read as a whole`);
  if (info.kind === 'folder') throw new Error(`${path} is a folder`);
  // A pipe has no size, and reading it could take forever.
  const bytes = info.size > 0 ? await files.read(path) : new Uint8Array();
  return (
    bytes && {
      read: (from, length) => Promise.resolve(bytes.subarray(from, from + length)),
      size: () => Promise.resolve(bytes.length),
      close: () => undefined,
    }
  );
}

/** Returns the length in bytes of a value as JSON, with a separator. */
function jsonBytes(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length + 1;
}
