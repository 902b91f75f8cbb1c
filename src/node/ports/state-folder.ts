import type { Copies } from '../../storage/integrity/copies.js';
import {
  isWriterRecord,
  type Identities,
  type WriterRecord,
} from '../../storage/write/writer-identity.js';
import type { LaneName } from '../../storage/format/lanes.js';
import { errorCode, type NodeModules } from '../modules.js';

/** Returns the default folder for data that belongs to this device and is not stored in a vault. */
export function defaultStateFolder(
  node: Pick<NodeModules, 'os' | 'path'>,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): string {
  const home = node.os.homedir();
  if (platform === 'win32')
    return node.path.join(
      env['LOCALAPPDATA'] ?? node.path.join(home, 'AppData', 'Local'),
      'savepoint',
    );
  if (platform === 'darwin')
    return node.path.join(home, 'Library', 'Application Support', 'savepoint');
  return node.path.join(
    env['XDG_STATE_HOME'] ?? node.path.join(home, '.local', 'state'),
    'savepoint',
  );
}

/** Returns the folder for one vault inside the state folder. `vault` is the vault's real path, which alone identifies it. */
export function vaultStateFolder(
  node: Pick<NodeModules, 'crypto' | 'path'>,
  stateFolder: string,
  vault: string,
): string {
  return node.path.join(
    stateFolder,
    node.crypto.createHash('sha256').update(vault).digest('hex').slice(0, 16),
  );
}

/** Returns the name of this device in the log: its platform and four random characters, created once. */
export async function readDeviceName(
  node: Pick<NodeModules, 'fs' | 'path' | 'crypto'>,
  stateFolder: string,
  platform: string,
): Promise<string> {
  const { fs, path, crypto } = node;
  const file = path.join(stateFolder, 'device');
  const stored = await fs.readFile(file, 'utf8').catch(() => '');
  if (/^[a-z0-9-]{1,40}$/.test(stored.trim())) return stored.trim();
  const name = `${platform}-${crypto.randomBytes(2).toString('hex')}`;
  await fs.mkdir(stateFolder, { recursive: true, mode: 0o700 });
  await fs.writeFile(file, `${name}\n`);
  return name;
}

/**
 * Returns the port Identities over a folder, with one file for each writer that no process is using. A writer is acquired by
 * renaming its file, which only one process can do. A writer whose process crashes has no file and is never used again.
 */
export function createFolderIdentities(
  node: Pick<NodeModules, 'fs' | 'path' | 'crypto'>,
  folder: string,
): Identities {
  const { fs, path, crypto } = node;
  const newName = (prefix: string) =>
    path.join(folder, `${prefix}-${crypto.randomBytes(8).toString('hex')}`);

  async function acquireFile(name: string, lane: LaneName): Promise<WriterRecord | undefined> {
    const acquired = newName('taken');
    try {
      await fs.rename(path.join(folder, name), acquired);
      const text = await fs.readFile(acquired, 'utf8');
      await fs.rm(acquired);
      const record: unknown = JSON.parse(text);
      return isWriterRecord(record) && name.startsWith(`${lane}-`) ? record : undefined;
    } catch {
      return undefined; // another process was faster, or the file is damaged, so a new writer is used instead
    }
  }

  return {
    async acquire(lane) {
      const names = await fs.readdir(folder).catch((): string[] => []);
      for (const name of names) {
        const record =
          name.startsWith(`${lane}-`) && name.endsWith('.json')
            ? await acquireFile(name, lane)
            : undefined;
        if (record) return record;
      }
      return undefined;
    },
    async release(lane, record) {
      await fs.mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = newName('draft');
      await fs.writeFile(draft, JSON.stringify(record), { mode: 0o600 });
      await fs.rename(draft, path.join(folder, `${lane}-${record.writer}.json`));
    },
  };
}

/** Returns the port Copies over a folder, with one file per vault id, to which every process of this device appends whole lines. */
export function createFolderCopies(node: Pick<NodeModules, 'fs' | 'path'>, folder: string): Copies {
  const { fs, path } = node;
  // A vault id comes from a file that anyone may have written.
  const fileOf = (vaultId: string) =>
    path.join(folder, `${vaultId.replace(/[^a-z0-9]/g, '-').slice(0, 40)}.jsonl`);
  return {
    async add(vaultId, lines) {
      await fs.mkdir(folder, { recursive: true, mode: 0o700 });
      await fs.appendFile(fileOf(vaultId), lines, { mode: 0o600 });
    },
    async read(vaultId) {
      try {
        return await fs.readFile(fileOf(vaultId));
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return new Uint8Array();
        throw error;
      }
    },
  };
}
