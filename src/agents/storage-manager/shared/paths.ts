import { isHidden, readVaultPath, type VaultPath } from '../../../model/paths.js';
import { clip } from '../../../model/refusal.js';
import { fileName, isDeviceName, nameKeyOnDisk } from '../../../platform/safe-file-names.js';
import type { Files, FolderEntry } from '../../../platform/files.js';
import { sha256 } from '../../../platform/sha256.js';

/** In UTF-8: leaves room for what sync tools put into the name of a copy. */
const NAME_BYTES = 200;

/** What percent codes would bring in where somebody decodes them: controls, dots, slashes, and these in too many bytes. */
const PERCENT_CODES = /%(?:[01][0-9a-f]|2e|2f|5c|7f|c0|c1|e0%80)/iu;

/** Characters that turn the writing direction or that nobody sees; not the joiners, which many scripts and emoji need. */
const UNSEEN = /[\p{Bidi_Control}\u00AD\u200B\u2028\u2029\u2060\uFEFF]/u;

/** A path below the folder that files are kept in, `''` being that folder; or what is wrong with it in words. */
export function readStoredPath(typed: string): { path: VaultPath } | { problem: string } {
  const read = readVaultPath(typed, 'this storage');
  if ('problem' in read) return read;
  for (const part of read.path === '' ? [] : read.path.split('/')) {
    const problem = partProblem(part);
    if (problem !== undefined) return { problem: `holds "${clip(part, 40)}", which ${problem}` };
  }
  return read;
}

/** What is wrong with the path of a file, in words; undefined when nothing is. */
export function filePathProblem(typed: string): string | undefined {
  const read = readStoredPath(typed);
  if ('problem' in read) return read.problem;
  if (read.path === '') return 'is empty; give a path, such as "notes/plan.md"';
  return typed.endsWith('/')
    ? 'ends with "/", as a folder does; give the path of a file'
    : undefined;
}

/** Names must be the same file, and no other, on every platform that a vault may come to. */
function partProblem(part: string): string | undefined {
  if (isHidden(part)) return 'starts with a dot; hidden files are not synced, so use another name';
  if (part.startsWith('~'))
    return 'starts with "~", which stands for a home folder or a passing file; use another name';
  if (/^\s|[\s.]$/u.test(part))
    return 'starts with a blank, or ends with a blank or a dot, which Windows drops; leave it out';
  if (/[<>:"|?*]/u.test(part))
    return 'has one of < > : " | ? *, which Windows cannot have in a name; leave it out';
  if (isDeviceName(part)) return 'is the name of a device on Windows; use another name';
  if (PERCENT_CODES.test(part)) return 'has a percent code; give the plain path';
  if (climbsInDisguise(part))
    return 'stands for dots or slashes in other characters; give the plain path';
  if (UNSEEN.test(part))
    return 'has a character that nobody sees, or that turns the direction of the text; leave it out';
  const bytes = new TextEncoder().encode(part).length;
  return bytes > NAME_BYTES ? `is a name of ${bytes} bytes; use at most ${NAME_BYTES}` : undefined;
}

function climbsInDisguise(part: string): boolean {
  return part
    .normalize('NFKC')
    .split(/[\\/]/u)
    .some((inner) => /^\s*\.+\s*$/u.test(inner));
}

/**
 * The name of the folder for what an id stands for, which may be any text: the id itself where it is plain, else what a person
 * recognises of it, and a hash that tells it from every other.
 */
export async function folderOfId(id: string): Promise<string> {
  if (/^[a-z0-9]{1,40}$/u.test(id) && !isDeviceName(id)) return id;
  const hash = await sha256(JSON.stringify(id)); // as JSON halves of characters differ too
  return `${fileName(id)}-${hash.slice(0, 16)}`;
}

/** Where a stored path leads. */
type StoredPlace =
  | { readonly path: VaultPath }
  /** There is one that some disk would take for it: `twin` is its stored path. */
  | { readonly twin: string }
  /** A link leads out of the folder, or the disk knows a file by this name that is called otherwise. */
  | { readonly elsewhere: true };

/** Looks from `base` on for a stored path as it is spelled on the disk: accents may be written in two ways, which are one name. */
export async function placeOf(
  files: Files,
  base: VaultPath,
  asked: VaultPath,
): Promise<StoredPlace> {
  if (!(await files.isInside(base))) return { elsewhere: true };
  let [path, isThere] = [base, true];
  for (const part of asked === '' ? [] : asked.split('/')) {
    const found: Found = isThere ? await findName(files, path, part) : {};
    if (found === 'elsewhere') return { elsewhere: true };
    const { name, twin } = found;
    if (twin !== undefined) return { twin: `${path}/${twin}`.slice(base.length + 1) };
    isThere = name !== undefined;
    path = `${path}/${name ?? part.normalize('NFC')}`;
    if (!(await files.isInside(path, base))) return { elsewhere: true };
  }
  return { path };
}

/** The name of an entry as it is spelled on the disk, or of one that is too like it. */
interface Entry {
  readonly name?: string;
  readonly twin?: string;
}

type Found = Entry | 'elsewhere';

async function findName(files: Files, folder: VaultPath, part: string): Promise<Found> {
  const found = pick(await files.list(folder), part);
  if (found || !(await files.stat(`${folder}/${part}`))) return found ?? {};
  // Made a moment ago; or the disk has another name for it, as Windows has short ones.
  return pick(await files.list(folder), part) ?? 'elsewhere';
}

function pick(entries: readonly FolderEntry[], part: string): Entry | undefined {
  const names = entries.map(({ name }) => name);
  const name =
    names.find((each) => each === part) ??
    names.find((each) => each.normalize('NFC') === part.normalize('NFC'));
  if (name !== undefined) return { name };
  const twin = names.find((each) => likeness(each) === likeness(part));
  return twin === undefined ? undefined : { twin };
}

/** Some disks take letters of either case, compatible forms, or names with unseen characters in them for the same. */
function likeness(name: string): string {
  return nameKeyOnDisk(name.replace(/\p{Default_Ignorable_Code_Point}/gu, ''));
}
