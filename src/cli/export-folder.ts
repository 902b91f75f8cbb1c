import { clip, Refusal } from '../model/refusal.js';
import type { ExportFile } from '../transfer/export.js';
import { isNoteName } from '../transfer/foreign/detect.js';
import type { ForeignFile, Program } from '../transfer/foreign/foreign.js';
import { isSegmentName } from '../storage/format/lanes.js';
import { eachInParallel } from '../storage/read/reader.js';
import { errorCode, type NodeModules } from '../node/modules.js';

type Disk = Pick<NodeModules, 'fs' | 'path'>;

/** So many notes are written at a time. */
const PARALLEL_WRITES = 16;

/**
 * Sees that `folder` (absolute) is empty or not there yet, and neither `dataFolder` nor in it: what lay there would be taken for a
 * part of the memory. Throws a `Refusal` in words.
 */
export async function checkExportFolder(
  { fs, path }: Disk,
  folder: string,
  dataFolder: string,
): Promise<void> {
  const shown = clip(folder, 200);
  const held = await fs.readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    if (errorCode(error) === 'ENOTDIR')
      throw new Refusal(
        `"${shown}" is a file, or lies in one. Give --to a folder that is new or empty.`,
      );
    throw inWords(`look into "${shown}"`, error);
  });
  if (held.length > 0)
    throw new Refusal(
      `The folder "${shown}" is not empty. Give --to a folder that is new or empty.`,
    );
  const within = path.relative(
    await realPath({ fs, path }, dataFolder),
    await realPath({ fs, path }, folder),
  );
  if (within !== '..' && !within.startsWith(`..${path.sep}`) && !path.isAbsolute(within))
    throw new Refusal(
      `"${shown}" is in the folder where Savepoint keeps its data. Give --to another folder.`,
    );
}

/** Where a path leads once every link on it is followed, as far as there is something. */
async function realPath(disk: Disk, target: string): Promise<string> {
  const { fs, path } = disk;
  const real = await fs.realpath(target).catch(() => undefined);
  const above = path.dirname(target);
  return (
    real ??
    (above === target ? target : path.join(await realPath(disk, above), path.basename(target)))
  );
}

/** Writes each file below `folder`; none is written over. Resolves once they would survive a power cut where `isDurable`. */
export async function writeExport(
  { fs, path }: Disk,
  folder: string,
  files: readonly ExportFile[],
  isDurable: boolean,
): Promise<void> {
  try {
    const folders = new Set(
      files.map((file) => path.dirname(path.join(folder, ...partsOf(file.path)))),
    );
    for (const each of folders) await fs.mkdir(each, { recursive: true });
    await eachInParallel(files, PARALLEL_WRITES, async (file) => {
      const handle = await fs.open(path.join(folder, ...partsOf(file.path)), 'wx');
      try {
        await handle.writeFile(file.bytes);
        if (isDurable) await handle.sync();
      } finally {
        await handle.close();
      }
    });
  } catch (error) {
    throw inWords(
      `write all of the export to "${clip(folder, 200)}", and what is there now is not whole`,
      error,
    );
  }
}

/** The parts of a path below the folder of an export. Whoever made it must have made it safe: this is the last look. */
function partsOf(file: string): string[] {
  const parts = file.split('/');
  if (parts.some((part) => part === '' || part.startsWith('.') || /[\\:\p{Cc}]/u.test(part)))
    throw new Error('An export leads out of its folder');
  return parts;
}

export interface SourceWishes {
  /** Whose files are looked for; told by what is found where it is not given. */
  readonly from?: Program | undefined;
  /** The vault's folder (absolute): what lies in it bears its path there. */
  readonly vault: string;
  /** Whether a note is one that can be imported. */
  readonly takesNote: (note: ForeignFile) => boolean;
}

/**
 * The file, or every .jsonl file in the folder and those below it; of Basic Memory, every note instead, and so where there is no
 * .jsonl file but a note that can be imported. Throws a `Refusal` in words.
 */
export async function readImportSources(
  disk: Disk,
  target: string,
  { from, vault, takesNote }: SourceWishes,
): Promise<ForeignFile[]> {
  const { fs, path } = disk;
  const shown = clip(target, 200);
  const read = (files: readonly string[]) => readFiles(disk, target, vault, files);
  try {
    if (!(await fs.stat(target)).isDirectory()) return await read([target]);
    const entries = await fs.readdir(target, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    const lines =
      from === 'basic-memory' ? [] : paths.filter((file) => isSegmentName(path.basename(file)));
    if (lines.length > 0) return await read(lines);
    const notes =
      from === undefined || from === 'basic-memory'
        ? await read(paths.filter((file) => isNoteName(path.relative(target, file))))
        : [];
    if (notes.some(takesNote)) return notes;
  } catch (error) {
    if (errorCode(error) === 'ENOENT')
      throw new Refusal(
        `"${shown}" does not exist. Give the file or folder that "savepoint export" has written.`,
      );
    throw inWords(`read "${shown}"`, error);
  }
  throw new Refusal(
    from === 'basic-memory'
      ? `The folder "${shown}" holds no note of Basic Memory: none has a permalink, and none a line such as "- [decision] ...".`
      : `The folder "${shown}" holds no .jsonl file. Give what "savepoint export" has written; an export as notes is for people and cannot be imported.`,
  );
}

async function readFiles(
  { fs, path }: Disk,
  target: string,
  vault: string,
  files: readonly string[],
): Promise<ForeignFile[]> {
  const read: ForeignFile[] = [];
  for (const file of [...files].sort()) {
    const bytes = await fs.readFile(file);
    const { mtimeMs } = await fs.stat(file);
    const inVault = path.relative(vault, file).split(path.sep);
    const isOutside = inVault[0] === '..' || path.isAbsolute(inVault.join(path.sep));
    const name = file === target ? path.basename(file) : path.relative(target, file);
    read.push({
      name,
      bytes,
      modified: Math.floor(mtimeMs),
      ...(!isOutside && { vaultPath: inVault.join('/') }),
    });
  }
  return read;
}

function inWords(verb: string, error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined) return error;
  const next =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'the disk is full. Free some space, remove what is there, and try again.'
      : code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
        ? `this program has no permission (${code}). Give it, or choose another place.`
        : `the disk answered ${code}. Choose another place, or check the disk.`;
  return new Refusal(`Cannot ${verb}: ${next}`, { cause: error });
}
