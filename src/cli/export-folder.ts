import { clip, Refusal } from '../model/refusal.js';
import type { ExportFile } from '../transfer/export.js';
import { isAnswerName, isGraphFile, isNoteName } from '../transfer/foreign/detect.js';
import { openSource } from '../transfer/import-source.js';
import { IMPORTABLE, type ForeignFile, type Program } from '../transfer/foreign/foreign-memory.js';
import { isSegmentName } from '../storage/index.js';
import { eachInParallel } from '../platform/parallel.js';
import { errorCode, type NodeModules } from '../node/modules.js';
import { realPath } from '../node/real-path.js';

const PARALLEL_WRITES = 16;

/** Throws a `Refusal` unless `folder` is empty or missing, and outside the memory's folder. */
export async function checkExportFolder(
  node: NodeModules,
  folder: string,
  dataFolder: string,
): Promise<void> {
  const { fs, path } = node;
  const shown = clip(folder, 200);
  const names = await fs.readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    if (errorCode(error) === 'ENOTDIR')
      throw new Refusal(`"${shown}" is a file, or inside one. Pass a new or empty folder as --to.`);
    throw toRefusal(`read "${shown}"`, error);
  });
  if (names.length > 0)
    throw new Refusal(`The folder "${shown}" is not empty. Pass a new or empty folder as --to.`);
  const within = path.relative(await realPath(node, dataFolder), await realPath(node, folder));
  if (within !== '..' && !within.startsWith(`..${path.sep}`) && !path.isAbsolute(within))
    throw new Refusal(`"${shown}" is inside Savepoint's data folder. Pass another folder as --to.`);
}

/** Overwrites no files. If `isDurable`, resolves once they would survive a power cut. */
export async function writeExport(
  { fs, path }: NodeModules,
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
      const target = path.join(folder, ...partsOf(file.path));
      await fs.writeFile(target, file.bytes, { flag: 'wx', flush: isDurable });
    });
  } catch (error) {
    throw toRefusal(`finish the export to "${clip(folder, 200)}", which is now incomplete`, error);
  }
}

/** Splits a relative path, which should be safe. As a last line of defence, throws if it is not. */
function partsOf(file: string): string[] {
  const parts = file.split('/');
  if (parts.some((part) => part === '' || part.startsWith('.') || /[\\:\p{Cc}]/u.test(part)))
    throw new Error('An export file is outside its folder');
  return parts;
}

export interface ImportSourceOptions {
  /** The program that wrote the files; detected from them if undefined. */
  readonly from?: Program | undefined;
  /** The vault's absolute path. Files inside it also get their vault path. */
  readonly vault: string;
  readonly isImportableNote: (note: ForeignFile) => boolean;
}

/**
 * Reads the file, or every .jsonl file in the folder and its subfolders, and answers of
 * server-memory in the folder itself; and every note if one is importable, for Basic Memory nothing
 * else. Throws a `Refusal` if there is nothing to import.
 */
export async function readImportSources(
  node: NodeModules,
  target: string,
  { from, vault, isImportableNote }: ImportSourceOptions,
): Promise<ForeignFile[]> {
  const { fs, path } = node;
  const shown = clip(target, 200);
  const read = (files: readonly string[]) => readFiles(node, target, vault, files);
  try {
    if (!(await fs.stat(target)).isDirectory()) return await read([target]);
    const entries = await fs.readdir(target, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    const lines =
      from === 'basic-memory' ? [] : paths.filter((file) => isSegmentName(path.basename(file)));
    const answers =
      from === undefined || from === 'server-memory'
        ? await read(paths.filter((file) => path.dirname(file) === target && isAnswerName(file)))
        : [];
    const graphs = answers.filter(isGraphFile);
    const notes =
      from === undefined || from === 'basic-memory'
        ? await read(paths.filter((file) => isNoteName(path.relative(target, file))))
        : [];
    const sources = [
      ...(await read(lines)),
      ...graphs,
      ...(notes.some(isImportableNote) ? notes : []),
    ];
    if (sources.length > 0) return sources;
  } catch (error) {
    if (errorCode(error) === 'ENOENT')
      throw new Refusal(`"${shown}" does not exist. ${IMPORTABLE}`);
    throw toRefusal(`read "${shown}"`, error);
  }
  throw new Refusal(
    from === 'basic-memory'
      ? `The folder "${shown}" contains no notes of Basic Memory: none has a permalink or a line such as "- [decision] ...".`
      : `The folder "${shown}" contains no .jsonl file, and an export as notes is for people and cannot be imported. ${IMPORTABLE}`,
  );
}

async function readFiles(
  { fs, path }: NodeModules,
  target: string,
  vault: string,
  files: readonly string[],
): Promise<ForeignFile[]> {
  const read: ForeignFile[] = [];
  for (const file of [...files].sort()) {
    const { mtimeMs, size } = await fs.stat(file);
    const inVault = path.relative(vault, file).split(path.sep);
    const isOutside = inVault[0] === '..' || path.isAbsolute(inVault.join(path.sep));
    const name = file === target ? path.basename(file) : path.relative(target, file);
    const source = await openSource(name, {
      size,
      async read(from, to) {
        const handle = await fs.open(file);
        try {
          const bytes = new Uint8Array(to - from);
          const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
          return bytes.subarray(0, bytesRead);
        } finally {
          await handle.close();
        }
      },
    });
    read.push({
      ...source,
      modified: Math.floor(mtimeMs),
      ...(!isOutside && { vaultPath: inVault.join('/') }),
    });
  }
  return read;
}

/** Converts an operating system's error to a `Refusal`; returns anything else unchanged. */
function toRefusal(verb: string, error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined) return error;
  return new Refusal(`Cannot ${verb}: ${reasonOf(code)}`, { cause: error });
}

function reasonOf(code: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full. Free some space, delete the incomplete files, and try again.';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `this program has no permission (${code}). Grant it, or choose another folder.`;
    default:
      return `the disk reported ${code}. Choose another folder, or check the disk.`;
  }
}
