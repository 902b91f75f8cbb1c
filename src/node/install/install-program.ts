import { isNewerVersion } from '../../platform/versions.js';
import type { NodeModules } from '../modules.js';
import { createDraftFolder } from '../ports/draft-folder.js';
import { preparePrivateStateFolder } from '../ports/state-folder.js';
import {
  CURRENT_VERSION,
  LAUNCHER,
  launcherSource,
  PARTS,
  PROGRAM_FILE,
  wrapped,
} from './launcher.js';
import { isFile } from '../real-path.js';
import { orRefuse } from '../system-errors.js';

export interface ProgramSource {
  /** The absolute path of main.js. */
  readonly file: string;
  readonly version: string;
}

/** Files next to main.js that the command `install` needs. */
const PLUGIN_FILES = ['manifest.json', 'styles.css'];
/** The embedding table in main.js: a string of ASCII characters without escapes. */
const TABLE = /\/\*table\*\/"([^"\\]*)"/;
/** The name of a version's folder: the version and the first digits of the program's hash. */
const VERSION_FOLDER = /^(\d+\.\d+\.\d+)-[0-9a-f]{8}$/;
/** The current version and the one before, which programs may still be running. */
const MAX_VERSIONS = 2;

function programFolder({ path }: NodeModules, stateFolder: string): string {
  return path.join(stateFolder, 'program');
}

/** Returns the path of the launcher, which stays the same when another version is installed. */
export function launcherPath(node: NodeModules, stateFolder: string): string {
  return node.path.join(programFolder(node, stateFolder), LAUNCHER);
}

/**
 * Installs the program in the state folder and returns the path of its launcher. A newer installed
 * version stays the current one. Throws a `Refusal` if the folder cannot be written.
 */
export async function installProgram(
  node: NodeModules,
  stateFolder: string,
  source: ProgramSource,
): Promise<string> {
  const folder = programFolder(node, stateFolder);
  await preparePrivateStateFolder(node, stateFolder);
  await orRefuse(
    async () => {
      await node.fs.mkdir(folder, { recursive: true, mode: 0o700 });
      await installVersion(node, folder, source);
    },
    (code) =>
      `Savepoint cannot be installed in ${folder} (${code}). Let this user write there, or set SAVEPOINT_STATE to another folder. Nothing was done.`,
  );
  return launcherPath(node, stateFolder);
}

/** Returns the installed version if it is older than this one. */
export async function olderProgram(
  node: NodeModules,
  stateFolder: string,
  version: string,
): Promise<string | undefined> {
  const current = await currentVersion(node, programFolder(node, stateFolder));
  const installed = current && versionOf(current);
  return installed !== undefined && isNewerVersion(version, installed) ? installed : undefined;
}

/** Installs the program over an earlier installed version, because clients start that one. */
export async function updateProgram(
  node: NodeModules,
  stateFolder: string,
  source: ProgramSource,
): Promise<void> {
  if ((await olderProgram(node, stateFolder, source.version)) !== undefined)
    await installProgram(node, stateFolder, source);
}

/** Removes all versions and the launcher. Returns their folder, if any. Throws a `Refusal`. */
export async function removeProgram(
  node: NodeModules,
  stateFolder: string,
  isDryRun = false,
): Promise<string | undefined> {
  const folder = programFolder(node, stateFolder);
  if (!(await node.fs.stat(folder).catch(() => undefined))) return undefined;
  if (isDryRun) return folder;
  await orRefuse(
    () => node.fs.rm(folder, { recursive: true }),
    (code) =>
      `${folder} cannot be removed (${code}). Quit the AI apps that use it, then try again.`,
  );
  return folder;
}

async function installVersion(
  node: NodeModules,
  folder: string,
  { file, version }: ProgramSource,
): Promise<void> {
  const { fs, path, crypto } = node;
  const files = createDraftFolder(node, folder);
  const current = await currentVersion(node, folder);
  const code = await fs.readFile(file);
  const hash = crypto.createHash('sha256').update(code).digest('hex').slice(0, 8);
  const name = `${version}-${hash}`;
  const isOlder = current !== undefined && isNewerVersion(versionOf(current), version);
  if (!isOlder) await copyVersion(node, path.join(folder, name), file, code);
  const encode = (text: string) => new TextEncoder().encode(text);
  const launcher = launcherSource();
  const installed = await fs.readFile(path.join(folder, LAUNCHER), 'utf8').catch(() => '');
  if (!isOlder && installed !== launcher) await files.write(LAUNCHER, encode(launcher));
  if (!isOlder && current !== name) await files.write(CURRENT_VERSION, encode(`${name}\n`));
  await removeOldVersions(node, folder, isOlder ? [current] : [name, current]);
}

/** Copies a program to the folder of its version, unless that is complete. */
async function copyVersion(
  { fs, path, crypto }: NodeModules,
  folder: string,
  file: string,
  code: Uint8Array,
): Promise<void> {
  const isThere = () => isFile({ fs }, path.join(folder, PROGRAM_FILE));
  if (await isThere()) return;
  const draft = `${folder}.${crypto.randomBytes(6).toString('hex')}.part`;
  try {
    await fs.mkdir(draft, { mode: 0o700 });
    for (const name of PLUGIN_FILES) {
      const bytes = await fs.readFile(path.join(path.dirname(file), name)).catch(() => undefined);
      if (bytes) await fs.writeFile(path.join(draft, name), bytes);
    }
    const text = new TextDecoder().decode(code);
    for (const part of PARTS)
      await fs.writeFile(path.join(draft, `${part}.js`), partOf(text, part));
    await fs.writeFile(path.join(draft, PROGRAM_FILE), code);
    await fs.rename(draft, folder);
  } catch (error) {
    await fs.rm(draft, { recursive: true, force: true });
    if (!(await isThere())) throw error; // otherwise another program was faster
  }
}

/** Returns the modules up to the part's mark; without one, a program that loads main.js. */
function partOf(code: string, part: (typeof PARTS)[number]): string {
  const mark = new RegExp(`/\\*${part}:([\\w$]+)\\*/`).exec(code);
  if (!mark) return wrapped(`module.exports = require(__dirname + '/${PROGRAM_FILE}');`);
  const modules = withoutTable(code.slice(0, mark.index));
  return wrapped(`${modules}\nmodule.exports = ${mark[1]}().${part}Part();`);
}

/** Replaces the embedding table in the code by a call that reads it from main.js when needed. */
function withoutTable(code: string): string {
  const found = TABLE.exec(code);
  const [all, table] = found ?? [];
  if (!found || all === undefined || table === undefined) return code;
  const end = found.index + all.length - 1;
  const read = `require("node:fs").readFileSync(__dirname+"/${PROGRAM_FILE}","latin1").slice(${end - table.length},${end})`;
  return `${code.slice(0, found.index)}${read}${code.slice(found.index + all.length)}`;
}

async function currentVersion(
  { fs, path }: NodeModules,
  folder: string,
): Promise<string | undefined> {
  const text = await fs.readFile(path.join(folder, CURRENT_VERSION), 'utf8').catch(() => '');
  const name = text.trim();
  if (!VERSION_FOLDER.test(name)) return undefined;
  const stats = await fs.stat(path.join(folder, name, PROGRAM_FILE)).catch(() => undefined);
  return stats?.isFile() ? name : undefined;
}

function versionOf(name: string): string {
  return VERSION_FOLDER.exec(name)?.[1] ?? '';
}

async function removeOldVersions(
  { fs, path }: NodeModules,
  folder: string,
  kept: readonly (string | undefined)[],
): Promise<void> {
  const names = (await fs.readdir(folder)).filter((name) => VERSION_FOLDER.test(name));
  const versions = await Promise.all(
    names.map(async (name) => ({
      name,
      at: (await fs.stat(path.join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  );
  versions.sort((a, b) => b.at - a.at);
  for (const { name } of versions.slice(MAX_VERSIONS))
    if (!kept.includes(name))
      await fs.rm(path.join(folder, name), { recursive: true, force: true });
}
