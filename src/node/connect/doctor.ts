import { Refusal } from '../../model/refusal.js';
import { findingsOf } from '../../storage/integrity/findings.js';
import { verify } from '../../storage/integrity/verify.js';
import { createFolderFiles } from '../ports/folder-files.js';
import { findLive, livePlace } from '../serve/ipc-server.js';
import { errorCode, type NodeModules } from '../modules.js';
import { defaultStateFolder, vaultStateFolder } from '../ports/state-folder.js';
import { CLIENT_FACTS, findPlaces, type ClientId, type Host } from './clients.js';
import { optionOf, ownEntries, type OwnEntry } from './entries.js';
import { isSameFolder, readPlace } from './plan.js';
import { proveConnection, type ProofStep } from './prove.js';

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly isWell: boolean;
  readonly text: string;
  /** What to do about it; empty where nothing is to be done. */
  readonly mend: string;
}

/** How it stands with one entry, or with a file that cannot be read. */
export interface EntryReport {
  readonly client: ClientId;
  readonly file: string;
  /** The entry's name; empty where the file cannot be read. */
  readonly name: string;
  readonly vault: string;
  readonly steps: readonly ProofStep[];
  /** What is wrong beside the steps; empty where nothing is. */
  readonly trouble: string;
}

export interface DoctorReport {
  readonly isWell: boolean;
  readonly entries: readonly EntryReport[];
  readonly vaults: readonly { readonly vault: string; readonly checks: readonly Check[] }[];
  /** What is wrong with the whole; empty where nothing is. */
  readonly trouble: string;
}

export interface DoctorOptions {
  /** Only entries for this vault count; absolute. All of them where absent. */
  readonly vault: string | undefined;
  readonly version: string;
  readonly dataFolder: string;
}

/** Looks at every entry of every client on this machine, and at the vaults that they name. Writes nothing into a vault. */
export async function examine(
  node: NodeModules,
  host: Host,
  { vault, version, dataFolder }: DoctorOptions,
): Promise<DoctorReport> {
  const entries: EntryReport[] = [];
  const elsewhere: string[] = [];
  const folders = new Map<string, OwnEntry | undefined>(
    vault === undefined ? [] : [[vault, undefined]],
  );
  for (const place of await findPlaces(node, host)) {
    const { client, file } = place;
    const read = await readPlace(node, place).catch((error: unknown) => {
      if (error instanceof Refusal) return error;
      throw error;
    });
    if (read instanceof Refusal) {
      entries.push({ client, file, name: '', vault: '', steps: [], trouble: read.message });
      continue;
    }
    for (const entry of ownEntries(read.servers)) {
      if (vault !== undefined && !(await isSameFolder(node, entry.vault, vault))) {
        elsewhere.push(`${CLIENT_FACTS[client].title}: "${entry.name}" is for ${entry.vault}`);
        continue;
      }
      folders.set(vault ?? entry.vault, entry);
      entries.push({
        client,
        file,
        name: entry.name,
        vault: entry.vault,
        steps: await proveConnection(node, host, entry, { version }),
        trouble: '',
      });
    }
  }
  const vaults = [];
  for (const [folder, entry] of folders)
    vaults.push({
      vault: folder,
      checks: await checkFolder(node, host, folder, entry, dataFolder),
    });
  const trouble = entries.some(({ name }) => name !== '') ? '' : nothingText(vault, elsewhere);
  const areWell = entries.every(
    (entry) => entry.trouble === '' && entry.steps.every(({ isDone }) => isDone),
  );
  const isWell =
    trouble === '' &&
    areWell &&
    vaults.every(({ checks }) => checks.every((check) => check.isWell));
  return { isWell, entries, vaults, trouble };
}

function nothingText(vault: string | undefined, elsewhere: readonly string[]): string {
  if (vault === undefined)
    return 'No client on this machine is connected. Run "savepoint connect --vault DIR" to see which could be.';
  const others =
    elsewhere.length > 0 ? ` Other vaults are connected: ${elsewhere.join('; ')}.` : '';
  return `No client is connected to the vault "${vault}".${others} Run "savepoint connect CLIENT --vault DIR" for it.`;
}

async function checkFolder(
  node: NodeModules,
  host: Host,
  vault: string,
  entry: OwnEntry | undefined,
  dataFolder: string,
): Promise<Check[]> {
  const { path } = node;
  const folder = await node.fs.realpath(vault).catch(() => undefined);
  if (folder === undefined)
    return [
      bad(
        'vault',
        `There is no folder "${vault}".`,
        'put it back where it was, or connect the vault where it is now',
      ),
    ];
  const env = { ...host.env, ...entry?.env };
  const chosen =
    optionOf(entry?.args ?? [], 'state') ??
    env['SAVEPOINT_STATE'] ??
    defaultStateFolder(node, env, host.platform);
  const stateFolder = path.resolve(chosen);
  const ownFolder = vaultStateFolder(node, stateFolder, folder);
  return [
    await checkStateFolder(node, stateFolder),
    await checkSocket(node, host, ownFolder),
    ...(await checkData(node, folder, dataFolder)),
  ];
}

/** The folder itself, or where it is to be made. */
async function checkStateFolder({ fs, path }: NodeModules, folder: string): Promise<Check> {
  const name = 'state folder';
  const mend = 'make it a folder that this user may write, or set SAVEPOINT_STATE to another';
  for (let at = folder; ; at = path.dirname(at)) {
    const stats = await fs.stat(at).catch((error: unknown) => errorCode(error));
    if (stats === 'ENOENT' && path.dirname(at) !== at) continue;
    if (typeof stats !== 'object')
      return bad(name, `${at} cannot be entered (${stats ?? 'unknown'}).`, mend);
    if (!stats.isDirectory()) return bad(name, `${at} is a file.`, mend);
    const code = await fs.access(at, fs.constants.W_OK).then(
      () => undefined,
      (error: unknown) => errorCode(error) ?? 'unknown',
    );
    return code === undefined
      ? good(name, at === folder ? folder : `${folder}, made when it is needed`)
      : bad(name, `${at} cannot be written (${code}).`, mend);
  }
}

async function checkSocket(node: NodeModules, host: Host, ownFolder: string): Promise<Check> {
  const name = 'Obsidian';
  try {
    const live = await findLive(node, livePlace(node, ownFolder, host.env, host.platform));
    live?.close();
    return good(
      name,
      live
        ? 'has this vault open; calls go there'
        : 'does not have this vault open; calls are answered from the folder',
    );
  } catch (error) {
    if (error instanceof Refusal)
      return bad(name, error.message, 'do what this says, then open the vault in Obsidian again');
    const code = errorCode(error);
    if (code === undefined) throw error;
    return bad(
      name,
      `where it would be found cannot be read (${code}).`,
      'let this user read the state folder',
    );
  }
}

async function checkData(node: NodeModules, folder: string, dataFolder: string): Promise<Check[]> {
  const name = 'memory';
  try {
    const files = createFolderFiles(node, folder);
    await files.list('');
    const report = await verify(files, dataFolder);
    if (report.events === 0) return [good(name, `${dataFolder}/ is empty, or not there yet`)];
    const kinds = findingsOf(report).map(({ kind, count }) => `${kind} ${count}`);
    const what = `${report.events} events from ${report.writers.length} writer${report.writers.length === 1 ? '' : 's'}${kinds.length > 0 ? ` (${kinds.join(', ')})` : ''}`;
    return [
      report.isWhole
        ? good(name, `${what}; nothing is missing`)
        : bad(
            name,
            `${what}; not everything is as it was written`,
            'run "savepoint verify" on this vault, which says what to do',
          ),
    ];
  } catch (error) {
    if (error instanceof Refusal) return [bad(name, error.message, 'let this user read the vault')];
    throw error;
  }
}

const good = (name: string, text: string): Check => ({ name, isWell: true, text, mend: '' });
const bad = (name: string, text: string, mend: string): Check => ({
  name,
  isWell: false,
  text,
  mend,
});
