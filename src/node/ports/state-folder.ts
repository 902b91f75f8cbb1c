import { isWriterRecord, type Identities, type WriterRecord } from '../../storage/index.js';
import { Refusal } from '../../model/refusal.js';
import { parseJson } from '../../model/text/json-fields.js';
import { envValue } from '../environment.js';
import { errorCode, type NodeModules, type Platform, type ProcessEnv } from '../modules.js';
import { replaceFile } from './draft-folder.js';
import { exposureOf, type Exposure } from './private-files.js';

/** Returns the default folder for data that belongs to this device and is not stored in a vault. */
export function defaultStateFolder(node: NodeModules, env: ProcessEnv, platform: Platform): string {
  const home = node.os.homedir();
  if (platform === 'win32')
    return node.path.join(
      envValue(env, 'LOCALAPPDATA') ?? node.path.join(home, 'AppData', 'Local'),
      'savepoint',
    );
  if (platform === 'darwin')
    return node.path.join(home, 'Library', 'Application Support', 'savepoint');
  return node.path.join(
    envValue(env, 'XDG_STATE_HOME') ?? node.path.join(home, '.local', 'state'),
    'savepoint',
  );
}

/** Returns the state folder of this device: SAVEPOINT_STATE, or the system's default. */
export function stateFolderFrom(node: NodeModules, env: ProcessEnv, platform: Platform): string {
  return node.path.resolve(
    envValue(env, 'SAVEPOINT_STATE') ?? defaultStateFolder(node, env, platform),
  );
}

/** Returns a vault's folder in the state folder. Only its real path `vault` identifies it. */
export function vaultStateFolder(node: NodeModules, stateFolder: string, vault: string): string {
  return node.path.join(
    stateFolder,
    node.crypto.createHash('sha256').update(vault).digest('hex').slice(0, 16),
  );
}

/** The entries that this program creates in the state folder. */
const STATE_ENTRY = /^(?:device|device-writers|capture|program|[0-9a-f]{16})$/;

/** Returns a vault's folder in the state folder. Both must be this user's, and no link or file. */
export async function openStateFolder(
  node: NodeModules,
  stateFolder: string,
  vault: string,
): Promise<string> {
  await preparePrivateStateFolder(node, stateFolder);
  const vaultFolder = vaultStateFolder(node, stateFolder, vault);
  const innerProblem = await problemWith(node, vaultFolder);
  // Others cannot reach this folder in any mode.
  if (innerProblem && innerProblem !== 'open')
    throw new Refusal(folderProblemText(vaultFolder, innerProblem));
  return vaultFolder;
}

/**
 * Creates a missing state folder with mode 0700, if possible. Throws a `Refusal` if it is a link, a
 * file, another user's or open to others; unless they cannot write to it and it has only own files,
 * because then it is restricted to this user. Owner and mode are not checked on Windows.
 */
export async function preparePrivateStateFolder(
  node: NodeModules,
  stateFolder: string,
): Promise<void> {
  // the check says why it cannot be used
  await node.fs.mkdir(stateFolder, { recursive: true, mode: 0o700 }).catch(() => undefined);
  if ((await problemWith(node, stateFolder)) === 'open') await restrict(node, stateFolder);
  const problem = await problemWith(node, stateFolder);
  if (problem) throw new Refusal(folderProblemText(stateFolder, problem));
}

/** Returns why `openStateFolder` would refuse the folder, without changing it. */
export async function stateFolderProblem(
  node: NodeModules,
  folder: string,
): Promise<string | undefined> {
  const problem = await problemWith(node, folder);
  const isUsable =
    !problem ||
    (problem === 'open' && canRestrict(await node.fs.lstat(folder), await node.fs.readdir(folder)));
  return isUsable ? undefined : folderProblemText(folder, problem);
}

type FolderProblem = Exposure | 'file';

/** Returns undefined if it is this user's alone, missing or unreachable. */
async function problemWith(
  { fs, process }: NodeModules,
  folder: string,
): Promise<FolderProblem | undefined> {
  try {
    const info = await fs.lstat(folder);
    return info.isSymbolicLink() || info.isDirectory() ? exposureOf(process, info) : 'file';
  } catch (error) {
    return errorCode(error) === 'ENOTDIR' ? 'file' : undefined;
  }
}

function folderProblemText(folder: string, problem: FolderProblem): string {
  const option = 'with --state or SAVEPOINT_STATE';
  switch (problem) {
    case 'link':
      return `The state folder "${folder}" is a link. Choose the folder that it leads to ${option}.`;
    case 'file':
      return `The state folder "${folder}" cannot be used, because a file is in the way. Move the file, or choose another folder ${option}.`;
    case 'foreign':
      return `The state folder "${folder}" belongs to another user. Choose a folder of your own ${option}.`;
    case 'open':
      return `Other users can open the state folder "${folder}". Run chmod 700 "${folder}", or choose another folder ${option}.`;
  }
}

/** Restricts a folder to this user if it may. Ignores failures: the folder is checked again. */
async function restrict({ fs, callbackFs, process }: NodeModules, folder: string): Promise<void> {
  const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = callbackFs.constants;
  const handle = await fs.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(() => undefined);
  try {
    const info = await handle?.stat();
    const isOwn = info && exposureOf(process, info) === 'open';
    if (isOwn && canRestrict(info, await fs.readdir(folder))) await handle?.chmod(0o700);
  } catch {
    // The second check reports it.
  } finally {
    await handle?.close();
  }
}

/** Returns true if nobody else can have written to the folder, and it has only own files. */
function canRestrict({ mode }: { readonly mode: number }, names: readonly string[]): boolean {
  return (mode & 0o022) === 0 && names.every((name) => STATE_ENTRY.test(name));
}

/** Systems whose names people know by another word. */
const SYSTEM_NAMES: Readonly<Record<string, string>> = { win32: 'windows', darwin: 'mac' };

/** Returns the word for a system with which the names of its devices begin. */
export function systemName(platform: string): string {
  return SYSTEM_NAMES[platform] ?? platform;
}

/** Returns this device's name in the log: its system and four random characters, created once. */
export async function readDeviceName(
  node: NodeModules,
  stateFolder: string,
  platform: string,
): Promise<string> {
  const { fs, path, crypto } = node;
  const file = path.join(stateFolder, 'device');
  const stored = await fs.readFile(file, 'utf8').catch(() => '');
  if (/^[a-z0-9-]{1,40}$/.test(stored.trim())) return stored.trim();
  const name = `${systemName(platform)}-${crypto.randomBytes(2).toString('hex')}`;
  await fs.mkdir(stateFolder, { recursive: true, mode: 0o700 });
  await replaceFile(node, file, `${name}\n`);
  return name;
}

/**
 * Returns the port Identities over a folder, with a file for each unused writer. Only one process
 * can acquire a writer, by renaming its file. A writer whose process crashes is never used again.
 */
export function createFolderIdentities(node: NodeModules, folder: string): Identities {
  const { fs, path, crypto } = node;

  async function acquireFile(name: string): Promise<WriterRecord | undefined> {
    const acquired = path.join(folder, `taken-${crypto.randomBytes(8).toString('hex')}`);
    try {
      await fs.rename(path.join(folder, name), acquired);
      const text = await fs.readFile(acquired, 'utf8');
      await fs.rm(acquired);
      const record = parseJson(text);
      return isWriterRecord(record) ? record : undefined;
    } catch {
      // another process was faster, or the file is damaged, so a new writer is used instead
      return undefined;
    }
  }

  return {
    async acquire(lane) {
      const names = await fs.readdir(folder).catch((): string[] => []);
      const isOfLane = (name: string) => name.startsWith(`${lane}-`) && name.endsWith('.json');
      for (const name of names.filter(isOfLane)) {
        const record = await acquireFile(name);
        if (record) return record;
      }
      return undefined;
    },
    async release(lane, record) {
      await fs.mkdir(folder, { recursive: true, mode: 0o700 });
      const file = path.join(folder, `${lane}-${record.writer}.json`);
      await replaceFile(node, file, JSON.stringify(record));
    },
  };
}
