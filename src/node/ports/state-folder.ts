import type { Copies } from '../../storage/integrity/copies.js';
import {
  isWriterRecord,
  type Identities,
  type WriterRecord,
} from '../../storage/write/writer-identity.js';
import type { Lane } from '../../storage/format/lanes.js';
import { errorCode, type NodeModules } from '../modules.js';

/** Where this device keeps what belongs to it and not to the vault, when nobody says otherwise. */
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

/** The part of the state folder that belongs to one vault, told apart by where the vault is, whatever its name. */
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

/** What this device is called in the log: its platform and four random characters, made once. */
export async function readDeviceName(
  node: Pick<NodeModules, 'fs' | 'path' | 'crypto'>,
  stateFolder: string,
  platform: string,
): Promise<string> {
  const { fs, path, crypto } = node;
  const file = path.join(stateFolder, 'device');
  const held = await fs.readFile(file, 'utf8').catch(() => '');
  if (/^[a-z0-9-]{1,40}$/.test(held.trim())) return held.trim();
  const name = `${platform}-${crypto.randomBytes(2).toString('hex')}`;
  await fs.mkdir(stateFolder, { recursive: true, mode: 0o700 });
  await fs.writeFile(file, `${name}\n`);
  return name;
}

/**
 * The port Identities over a folder: a file for each writer that no process uses. A file is taken by renaming it, which the
 * file system lets one process do; a writer whose process dies is in no file and so never used again.
 */
export function createFolderIdentities(
  node: Pick<NodeModules, 'fs' | 'path' | 'crypto'>,
  folder: string,
): Identities {
  const { fs, path, crypto } = node;
  const newName = (prefix: string) =>
    path.join(folder, `${prefix}-${crypto.randomBytes(8).toString('hex')}`);

  async function takeFile(name: string, lane: Lane): Promise<WriterRecord | undefined> {
    const mine = newName('taken');
    try {
      await fs.rename(path.join(folder, name), mine);
      const text = await fs.readFile(mine, 'utf8');
      await fs.rm(mine);
      const record: unknown = JSON.parse(text);
      return isWriterRecord(record) && name.startsWith(`${lane}-`) ? record : undefined;
    } catch {
      return undefined; // another process was quicker, or the file is damaged: a new writer does as well
    }
  }

  return {
    async take(lane) {
      const names = await fs.readdir(folder).catch((): string[] => []);
      for (const name of names) {
        const record =
          name.startsWith(`${lane}-`) && name.endsWith('.json')
            ? await takeFile(name, lane)
            : undefined;
        if (record) return record;
      }
      return undefined;
    },
    async give(lane, record) {
      await fs.mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = newName('draft');
      await fs.writeFile(draft, JSON.stringify(record), { mode: 0o600 });
      await fs.rename(draft, path.join(folder, `${lane}-${record.writer}.json`));
    },
  };
}

/** The port Copies over a folder: a file for each vault id, to which every process of this device appends whole lines. */
export function createFolderCopies(node: Pick<NodeModules, 'fs' | 'path'>, folder: string): Copies {
  const { fs, path } = node;
  // A vault id comes from a file that anybody may have written.
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
