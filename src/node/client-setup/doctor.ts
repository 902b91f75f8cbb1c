import { shellQuoted } from '../shell-quoted.js';
import { Refusal } from '../../model/refusal.js';
import { counted } from '../../model/text/counted.js';
import {
  AGREEMENT_DAYS,
  findingsOf,
  isHarmless,
  verify,
  type Copies,
  type ForgottenEvents,
} from '../../storage/index.js';
import { createCaptureSettingsFile } from '../capture/capture-settings-file.js';
import { checkCapture } from '../capture/check-capture.js';
import { expandedValue, missingVaultText } from '../environment.js';
import { findVaultProblem, SETTINGS_FOLDER } from '../find-vault.js';
import { errorCode } from '../modules.js';
import { createForgetStoreFile } from '../forget-store-file.js';
import { FolderCopies } from '../ports/folder-copies.js';
import { createFolderFiles } from '../ports/folder-files.js';
import { createPluginSettings } from '../ports/plugin-settings.js';
import {
  stateFolderFrom,
  stateFolderProblem,
  systemName,
  vaultStateFolder,
} from '../ports/state-folder.js';
import { connectIpc, ipcLocation } from '../serve/ipc-server.js';
import { checkConnection } from './check/check-connection.js';
import { checkObsidianSync } from './check/sync-settings.js';
import { checkPackages } from './check/installed-packages.js';
import { checkHooks } from './check/hook-checks.js';
import { failed, passed, type ConnectionStep, type HealthCheck } from '../../apps/health-check.js';
import { knownProjects } from './check/find-switches.js';
import { findClientConfigs, type HostEnvironment, type SetupModules } from './clients.js';
import { isForVault, optionOf, type OwnEntry } from './entries.js';
import { otherVaultAdvice } from './other-vaults.js';
import { readOwnEntries } from './plan.js';

/** The result for one entry, or for a configuration file that cannot be read. */
export interface EntryReport {
  readonly client: string;
  readonly file: string;
  /** The entry's name; empty if the file cannot be read. */
  readonly name: string;
  /** See `OwnEntry`. */
  readonly vault: string;
  readonly steps: readonly ConnectionStep[];
  /** Why the file cannot be read; empty if it can. */
  readonly problem: string;
}

export interface DoctorReport {
  readonly isOk: boolean;
  readonly entries: readonly EntryReport[];
  readonly vaults: readonly { readonly vault: string; readonly checks: readonly HealthCheck[] }[];
  readonly packages: readonly HealthCheck[];
  /** The state of the links and hooks of this device; empty if there are none. */
  readonly capture: readonly HealthCheck[];
  /** Sentences about what to do although nothing is wrong. */
  readonly advice: readonly string[];
}

export interface DoctorOptions {
  /** Restricts the report to entries for this vault (an absolute path). */
  readonly vault: string | undefined;
  readonly version: string;
  readonly dataFolder: string;
}

/** Checks every entry of every client, and the vaults in them. Writes nothing into a vault. */
export async function diagnose(
  node: SetupModules,
  host: HostEnvironment,
  options: DoctorOptions,
): Promise<DoctorReport> {
  const { vault, dataFolder } = options;
  const entries: EntryReport[] = [];
  const otherEntries: string[] = [];
  const entryByVault = new Map<string, OwnEntry | undefined>();
  if (vault !== undefined) entryByVault.set(vault, undefined);
  const configs = await findClientConfigs(node, host);
  const projects = await knownProjects(node, host);
  for (const config of configs) {
    const { app, file } = config;
    const client = app.id;
    const read = await readOwnEntries(node, config);
    if (typeof read === 'string') {
      entries.push({ client, file, name: '', vault: '', steps: [], problem: read });
      continue;
    }
    for (const entry of read) {
      const isOther = vault !== undefined && !(await isForVault(node, entry, vault));
      if (isOther && entry.vault !== '') {
        otherEntries.push(`${app.title}: "${entry.name}" is for ${entry.vault}`);
        continue;
      }
      if (entry.vault !== '') entryByVault.set(vault ?? entry.vault, entry);
      const steps = await checkConnection(node, host, entry, {
        version: options.version,
        config,
        projects,
      });
      const { name } = entry;
      entries.push({ client, file, name, vault: entry.vault, steps, problem: '' });
    }
  }
  const vaults = [];
  for (const [folder, entry] of entryByVault)
    vaults.push({ vault: folder, checks: await checkVault(node, host, folder, entry, dataFolder) });
  const stateFolder = stateFolderFrom(node, host.env, host.platform);
  const packages = await checkPackages(node, host, configs, stateFolder);
  const isConnected = packages.length > 0 || entries.some(({ name }) => name !== '');
  const { links } = await createCaptureSettingsFile(node, stateFolder).read();
  const others = isConnected ? links : links.filter((link) => link.vault !== vault);
  const advice = [
    ...(isConnected ? [] : [notConnectedText(vault, otherEntries)]),
    ...(await otherVaultAdvice(node, configs, others)),
  ];
  const capture = [
    ...(await checkCapture(node, stateFolder, Date.now())),
    ...(await checkHooks(node, configs, stateFolder, links)),
  ];
  const isOk =
    [...packages, ...capture].every((check) => check.isOk) &&
    entries.every((entry) => entry.problem === '' && entry.steps.every((step) => step.isOk)) &&
    vaults.every(({ checks }) => checks.every((check) => check.isOk));
  return { isOk, entries, vaults, packages, capture, advice };
}

function notConnectedText(vault: string | undefined, otherEntries: readonly string[]): string {
  if (vault === undefined)
    return 'No client on this machine is connected yet. Run "savepoint connect --vault DIR" to see which ones can be.';
  const others =
    otherEntries.length > 0 ? ` Other vaults are connected: ${otherEntries.join('; ')}.` : '';
  return `No client is connected to the vault "${vault}" yet.${others} Run "savepoint connect CLIENT --vault ${shellQuoted(vault)}" to connect one.`;
}

async function checkVault(
  node: SetupModules,
  host: HostEnvironment,
  vault: string,
  entry: OwnEntry | undefined,
  dataFolder: string,
): Promise<HealthCheck[]> {
  const folder = await node.fs.realpath(vault).catch(() => undefined);
  if (folder === undefined)
    return [
      failed(
        'vault',
        missingVaultText(node, host.env, vault) ?? `There is no folder "${vault}".`,
        'restore the folder, or reconnect the vault at its new location',
      ),
    ];
  const env = { ...host.env, ...entry?.env };
  const option = expandedValue(optionOf(entry?.args ?? [], 'state'));
  const stateFolder = option
    ? node.path.resolve(option)
    : stateFolderFrom(node, env, host.platform);
  const deviceFolder = vaultStateFolder(node, stateFolder, folder);
  const copies = new FolderCopies(node, { stateFolder, deviceFolder, vault: folder });
  return [
    ...(entry?.args.includes('--create') ? [] : await checkIsVault(node, folder)),
    await checkStateFolder(node, stateFolder),
    await checkSocket(node, host, deviceFolder),
    ...(await checkMemory(node, folder, dataFolder, copies, deviceFolder, host.platform)),
    ...(await checkObsidianSync(node, folder)),
    ...(await checkSettings(node, folder)),
  ];
}

async function checkIsVault(node: SetupModules, folder: string): Promise<HealthCheck[]> {
  const found = await findVaultProblem(node, folder);
  if (!found) return [];
  const fix =
    found.enclosing === undefined
      ? `connect the folder that contains ${SETTINGS_FOLDER}, or connect this one with --create`
      : `connect the vault that contains it, ${found.enclosing}`;
  return [failed('vault', found.problem, fix)];
}

/** Reports what of the settings is not understood, and so restricted; else nothing. */
async function checkSettings(node: SetupModules, folder: string): Promise<HealthCheck[]> {
  // settings that cannot be read are reported where they are needed
  const settings = await createPluginSettings(node, folder)
    .read()
    .catch(() => undefined);
  const { excludedFolders = [], unclear = [] } = settings ?? {};
  const checks: HealthCheck[] = [];
  if (excludedFolders.includes('')) {
    const text = 'An entry is not understood, so no note is searched.';
    const fix = 'update Savepoint, or remove that entry in its settings in Obsidian';
    checks.push(failed('excluded folders', text, fix));
  }
  if (unclear.length > 0) {
    const text = `${unclear.join(', ')} in the settings cannot be understood, so what they may forbid is forbidden.`;
    const fix = 'update Savepoint, or set these permissions again in its settings in Obsidian';
    checks.push(failed('permissions', text, fix));
  }
  return checks;
}

/** Checks that the folder is private and writable, or can be created if it does not exist. */
async function checkStateFolder(node: SetupModules, folder: string): Promise<HealthCheck> {
  const { fs, callbackFs, path } = node;
  const name = 'state folder';
  const fix = 'use a folder that this user may write to, or set SAVEPOINT_STATE to another one';
  for (let at = folder; ; at = path.dirname(at)) {
    const stats = await fs.stat(at).catch((error: unknown) => errorCode(error));
    if (stats === 'ENOENT' && path.dirname(at) !== at) continue;
    if (typeof stats !== 'object')
      return failed(name, `${at} cannot be accessed (${stats ?? 'unknown'}).`, fix);
    if (!stats.isDirectory()) return failed(name, `${at} is a file.`, fix);
    const code = await fs.access(at, callbackFs.constants.W_OK).then(
      () => undefined,
      (error: unknown) => errorCode(error) ?? 'unknown',
    );
    if (code !== undefined) return failed(name, `${at} is not writable (${code}).`, fix);
    const problem = await stateFolderProblem(node, folder);
    if (problem !== undefined) return failed(name, problem, 'follow that message');
    return passed(name, at === folder ? folder : `${folder}, created when needed`);
  }
}

async function checkSocket(
  node: SetupModules,
  host: HostEnvironment,
  deviceFolder: string,
): Promise<HealthCheck> {
  const name = 'Obsidian';
  try {
    const location = ipcLocation(node, deviceFolder, host.env, host.platform);
    const connection = await connectIpc(node, location);
    connection?.close();
    return passed(
      name,
      connection
        ? 'has this vault open; calls go there'
        : 'does not have this vault open; calls are answered from the folder',
    );
  } catch (error) {
    if (error instanceof Refusal)
      return failed(name, error.message, 'follow that message, then reopen the vault in Obsidian');
    const code = errorCode(error);
    if (code === undefined) throw error;
    return failed(
      name,
      `The folder of its socket cannot be read (${code}).`,
      'let this user read the state folder',
    );
  }
}

const MAX_SHOWN_REQUESTS = 5;

/** Reports what devices have asked to remove, about which the user of this one can decide. */
function checkRequests(vault: string, open: readonly ForgottenEvents[]): HealthCheck[] {
  if (open.length === 0) return [];
  const shown = open
    .slice(0, MAX_SHOWN_REQUESTS)
    .map(
      ({ key, device, at, count, toldDays }) =>
        `${key.slice(0, 8)} of ${device} (${at.slice(0, 10)}, ${counted(count, 'entry', 'entries')}, told on ${counted(toldDays, 'day')})`,
    );
  const hidden = open.length - shown.length;
  const list = [...shown, ...(hidden > 0 ? [`and ${hidden} more`] : [])].join('; ');
  return [
    failed(
      'requests',
      `${counted(open.length, 'request')} to remove entries for good: ${list}. This device hides them, and removes them after it has told you on ${AGREEMENT_DAYS} days`,
      `see them with "savepoint forget --refuse ID --dry-run --vault ${shellQuoted(vault)}", then keep them with the same command without --dry-run, or remove them with --agree ID`,
    ),
  ];
}

async function checkMemory(
  node: SetupModules,
  folder: string,
  dataFolder: string,
  copies: Copies,
  deviceFolder: string,
  platform: string,
): Promise<HealthCheck[]> {
  const name = 'memory';
  try {
    const files = createFolderFiles(node, folder);
    await files.list('');
    const decisions = await createForgetStoreFile(node, deviceFolder).load();
    const system = systemName(platform);
    const report = await verify(files, dataFolder, { now: Date.now(), copies, decisions, system });
    if (report.events === 0 && report.isWhole)
      return [passed(name, `${dataFolder}/ is empty or does not exist yet`)];
    const findings = findingsOf(report);
    const kinds = findings.map(({ kind, count, places: [first] }) =>
      first ? `${kind} ${count} in ${first.name}` : `${kind} ${count}`,
    );
    const writers = counted(report.writers.length, 'writer');
    const found = kinds.length > 0 ? ` (${kinds.join(', ')})` : '';
    const summary = `${counted(report.events, 'event')} from ${writers}${found}`;
    return [
      findings.every(({ kind }) => isHarmless(kind) || kind === 'asked')
        ? passed(name, `${summary}; nothing is missing`)
        : failed(
            name,
            `${summary}; some data is missing, damaged or forged`,
            `run "savepoint verify --vault ${shellQuoted(folder)}" for details`,
          ),
      ...checkRequests(
        folder,
        report.forgotten.filter(({ isOpen }) => isOpen),
      ),
    ];
  } catch (error) {
    if (error instanceof Refusal)
      return [failed(name, error.message, 'let this user read the vault')];
    throw error;
  }
}
