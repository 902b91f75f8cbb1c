import { hiddenCharacterProblem } from '../../../model/names.js';
import { isHidden, readVaultPath, type VaultPath } from '../../../model/paths.js';
import { clip } from '../../../model/refusal.js';
import {
  isDeviceName,
  nameKeyOnDisk,
  toFileName,
  windowsNameProblem,
} from '../../../platform/safe-file-names.js';
import type { Files, FolderEntry } from '../../../platform/files.js';
import { sha256 } from '../../../platform/sha256.js';

/** Limit in UTF-8. Leaves room for the suffix that sync tools add to conflict copies. */
const MAX_NAME_BYTES = 200;

/** A single listing may miss a file that another program is creating or replacing. */
const MAX_LISTINGS = 3;

/** Percent codes that decode to control characters, dots or slashes, also in overlong UTF-8. */
const PERCENT_CODES = /%(?:[01][0-9a-f]|2e|2f|5c|7f|c0|c1|e0%80)/iu;

/** Parses a path relative to the storage folder, which is `''`. A problem is a predicate. */
export function parseStoredPath(typed: string): { path: VaultPath } | { problem: string } {
  const read = readVaultPath(typed, 'this storage');
  if ('problem' in read) return read;
  for (const part of typed.split('/')) {
    const problem = part === '' || part === '.' ? undefined : partProblem(part);
    if (problem !== undefined) return { problem: `contains "${clip(part, 40)}", which ${problem}` };
  }
  return read;
}

/** Returns the problem with the path of a file as a predicate; undefined if it is valid. */
export function filePathProblem(typed: string): string | undefined {
  const read = parseStoredPath(typed);
  if ('problem' in read) return read.problem;
  if (read.path === '') return 'is empty; pass a path, such as "notes/plan.md"';
  return typed.endsWith('/')
    ? 'ends with "/", as a folder does; pass the path of a file'
    : undefined;
}

/** A name must mean the same single file on every platform. The problem is a predicate. */
function partProblem(part: string): string | undefined {
  if (isHidden(part)) return 'starts with a dot; hidden files are not synced, so use another name';
  if (part.startsWith('~'))
    return 'starts with "~", which marks home folders and temporary files; use another name';
  const onWindows = windowsNameProblem(part);
  if (onWindows !== undefined) return onWindows;
  if (PERCENT_CODES.test(part)) return 'has a percent code; pass the decoded path';
  if (isDisguisedTraversal(part))
    return 'has characters that some systems read as dots or slashes; use plain characters';
  const hidden = hiddenCharacterProblem(part);
  if (hidden !== undefined) return hidden;
  const bytes = new TextEncoder().encode(part).length;
  return bytes > MAX_NAME_BYTES ? `has ${bytes} bytes; use at most ${MAX_NAME_BYTES}` : undefined;
}

function isDisguisedTraversal(part: string): boolean {
  return part
    .normalize('NFKC')
    .split(/[\\/]/u)
    .some((inner) => /^\s*\.+\s*$/u.test(inner));
}

/** Returns a safe id as it is, and for any other text a readable part with a unique hash. */
export async function idToFolderName(id: string): Promise<string> {
  if (/^[a-z0-9]{1,40}$/u.test(id) && !isDeviceName(id)) return id;
  const hash = await sha256(JSON.stringify(id)); // JSON keeps lone surrogates distinct
  return `${toFileName(id)}-${hash.slice(0, 16)}`;
}

type ResolvedPath =
  | { readonly path: VaultPath }
  /** Stored path of an existing file that some file systems would treat as the same file. */
  | { readonly collidesWith: string }
  /** A link out of the folder, or an alias of another file (such as a Windows short name). */
  | { readonly isAlias: true };

/** Returns the spelling on disk. Composed and decomposed accents are the same name. */
export async function resolveStoredPath(
  files: Files,
  base: VaultPath,
  stored: VaultPath,
): Promise<ResolvedPath> {
  if (!(await files.isInside(base))) return { isAlias: true };
  let path: VaultPath = base;
  let exists = true;
  for (const part of stored === '' ? [] : stored.split('/')) {
    const match: NameMatch | 'alias' = exists ? await matchName(files, path, part) : {};
    if (match === 'alias') return { isAlias: true };
    const { name, similar }: NameMatch = match;
    if (similar !== undefined) return { collidesWith: `${path}/${similar}`.slice(base.length + 1) };
    exists = name !== undefined;
    path = `${path}/${name ?? part.normalize('NFC')}`;
    if (!(await files.isInside(path, base))) return { isAlias: true };
  }
  return { path };
}

interface NameMatch {
  /** As spelled on disk. */
  readonly name?: string;
  /** An existing name that some file systems would treat as the same name. */
  readonly similar?: string;
}

async function matchName(
  files: Files,
  folder: VaultPath,
  part: string,
): Promise<NameMatch | 'alias'> {
  for (let listing = 1; listing <= MAX_LISTINGS; listing++) {
    const match = matchEntry(await files.list(folder), part);
    if (match || !(await files.stat(`${folder}/${part}`))) return match ?? {};
  }
  return 'alias'; // such as a short name on Windows
}

function matchEntry(entries: readonly FolderEntry[], part: string): NameMatch | undefined {
  const names = entries.map(({ name }) => name);
  const name =
    names.find((each) => each === part) ??
    names.find((each) => each.normalize('NFC') === part.normalize('NFC'));
  if (name !== undefined) return { name };
  const similar = names.find((each) => collisionKey(each) === collisionKey(part));
  return similar === undefined ? undefined : { similar };
}

/** Equal for names that some file system may treat as equal. */
function collisionKey(name: string): string {
  return nameKeyOnDisk(name.replace(/\p{Default_Ignorable_Code_Point}/gu, ''));
}
