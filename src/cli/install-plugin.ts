import { compareText, isJsonObject } from '../model/event.js';
import { clip, Refusal } from '../model/refusal.js';
import { parseJson } from '../model/text/json-fields.js';
import { fileErrorText } from '../platform/files.js';
import { errorCode, type NodeModules } from '../node/modules.js';
import { exists, isFolder, isSameFolder } from '../node/real-path.js';
import { isNewerVersion } from '../platform/versions.js';
import { ifNoEntry, orRefuse } from '../node/system-errors.js';

const PLUGIN_ID = 'savepoint';
/** A vault may use another one, but no file outside the app says which. */
const DEFAULT_CONFIG_FOLDER = `.obsidian`;

/** The manifest is last, so that an interrupted installation still shows the old version. */
const PLUGIN_FILES = ['styles.css', 'main.js', 'manifest.json'] as const;

/** Only Obsidian writes these when it first opens a vault; others have a folder `plugins` too. */
const CONFIG_FILES = ['app.json', 'community-plugins.json'];

export interface InstallOptions {
  /** The absolute path of the folder with the plugin's files. */
  readonly source: string;
  /** The version of those files. */
  readonly version: string;
  /** An absolute path. */
  readonly vault: string;
  /** The name of the vault's settings folder; detected if undefined. */
  readonly config: string | undefined;
}

export interface Installation {
  /** The plugin's folder, relative to the vault. */
  readonly folder: string;
  readonly version: string;
  /** `own`: the files come from the plugin's folder itself. `repaired`: some files differed. */
  readonly outcome: 'installed' | 'updated' | 'repaired' | 'same' | 'own';
  /** The previous version; empty if there was none, or it could not be read. */
  readonly before: string;
  readonly hasEnabled: boolean;
  /** Other settings folders of the vault, which were not changed. */
  readonly others: readonly string[];
}

/** Repeating the installation changes nothing. Throws a `Refusal`. */
export async function installPlugin(
  node: NodeModules,
  options: InstallOptions,
): Promise<Installation> {
  const { source, version, vault } = options;
  await checkVault(node, vault);
  const { config, others } = await findConfig(node, vault, options.config);
  const target = createVaultFolder(node, vault);
  const folder = `${config}/plugins/${PLUGIN_ID}`;
  const list = `${config}/community-plugins.json`;
  const enabled = enabledText(await target.readText(list), list);
  const before = await readManifest(target, folder);
  const isOwn = await isSameFolder(node, node.path.join(vault, folder), source);
  const changed = isOwn ? [] : await changedFiles(node, target, source, folder);
  await target.createFolder(isOwn ? config : folder);
  await target.replaceAll(changed.map(({ name, bytes }) => ({ file: `${folder}/${name}`, bytes })));
  if (enabled !== undefined)
    await target.replaceAll([{ file: list, bytes: new TextEncoder().encode(enabled) }]);
  return {
    folder,
    version,
    outcome: isOwn ? 'own' : outcomeOf(before, version, changed.length > 0),
    before: before ?? '',
    hasEnabled: enabled !== undefined,
    others,
  };
}

function outcomeOf(
  before: string | undefined,
  version: string,
  hasChanged: boolean,
): Installation['outcome'] {
  if (before === undefined) return 'installed';
  if (!hasChanged) return 'same';
  return before === version ? 'repaired' : 'updated';
}

/** Formats the result of an installation, with the next step. */
export function installText(installation: Installation): string {
  const { folder, version, outcome, before, hasEnabled, others } = installation;
  const done = {
    installed: `Installed Savepoint ${version} in ${folder}.`,
    updated: `${isNewerVersion(before, version) ? 'Downgraded' : 'Updated'} Savepoint in ${folder} from ${before || 'an unknown version'} to ${version}.`,
    repaired: `Savepoint ${version} was already installed in ${folder}, but some files were missing or changed: reinstalled them.`,
    same: `Savepoint is already installed in ${folder}, same version (${version}).`,
    own: `This program is in ${folder} itself: there is nothing to copy.`,
  }[outcome];
  const lines = [
    done,
    hasEnabled ? `Enabled it in the vault's list of plugins.` : `It was already enabled.`,
    others.length > 0 &&
      `The vault has other settings folders too (${others.join(', ')}): use --config NAME to select one of them.`,
    (outcome !== 'same' || hasEnabled) &&
      'Next: reload Obsidian, or turn the plugin on under Settings > Community plugins; restricted mode must be off.',
  ].filter((line) => line !== false);
  return lines.map((line) => `${line.replace(/\p{Cc}/gu, '\u{FFFD}')}\n`).join('');
}

async function checkVault({ fs }: NodeModules, vault: string): Promise<void> {
  const stats = await fs.stat(vault).catch((error: unknown) => {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  });
  if (stats?.isDirectory()) return;
  const shown = `"${clip(vault, 200)}"`;
  const problem = stats ? `${shown} is a file.` : `There is no folder ${shown}.`;
  throw new Refusal(`${problem} Pass the folder that contains your notes as --vault.`);
}

/** Returns the settings folder: the given one, the default, or the only one that looks like it. */
async function findConfig(
  node: NodeModules,
  vault: string,
  given: string | undefined,
): Promise<{ config: string; others: string[] }> {
  if (given !== undefined) return { config: checkName(given), others: [] };
  const found = await configFolders(node, vault);
  const others = found.filter((name) => name !== DEFAULT_CONFIG_FOLDER);
  if (others.length < found.length) return { config: DEFAULT_CONFIG_FOLDER, others };
  const [only] = found;
  if (only !== undefined && found.length === 1) return { config: only, others: [] };
  const shown = clip(vault, 200);
  if (found.length > 1)
    throw new Refusal(
      `The vault "${shown}" has several settings folders (${found.join(', ')}). Select one with --config NAME. Nothing was done.`,
    );
  throw new Refusal(
    `"${shown}" contains no Obsidian settings, so it does not look like a vault. If it is one that was never opened, ` +
      `open it once in Obsidian, or pass --config ${DEFAULT_CONFIG_FOLDER}. Nothing was done.`,
  );
}

/** Throws a `Refusal` for an invalid name. A folder without a leading dot contains notes. */
function checkName(name: string): string {
  if (/^\.[^./\\\p{Cc}][^/\\\p{Cc}]*$/u.test(name)) return name;
  throw new Refusal(
    `"${clip(name)}" is not a valid name for a settings folder: it must be one name that starts with a dot, such as ${DEFAULT_CONFIG_FOLDER}. Nothing was done.`,
  );
}

async function configFolders(node: NodeModules, vault: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of (await node.fs.readdir(vault)).filter((entry) => entry.startsWith('.'))) {
    if (!(await isFolder(node, node.path.join(vault, name)))) continue;
    const markers = await Promise.all(
      CONFIG_FILES.map((file) => exists(node, node.path.join(vault, name, file))),
    );
    if (name === DEFAULT_CONFIG_FOLDER || markers.includes(true)) found.push(name);
  }
  return found.sort(compareText);
}

interface PluginFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Returns files that are missing or different in the plugin's folder. Follows symbolic links. */
async function changedFiles(
  { fs, path }: NodeModules,
  target: VaultFolder,
  source: string,
  folder: string,
): Promise<PluginFile[]> {
  const changed: PluginFile[] = [];
  for (const name of PLUGIN_FILES) {
    const bytes = await fs.readFile(path.join(source, name)).catch((error: unknown) => {
      if (errorCode(error) === undefined) throw error;
      throw new Refusal(
        `"${name}" is not in the folder of this program, or cannot be read. Install from a complete release. Nothing was done.`,
      );
    });
    const installed = await target.read(`${folder}/${name}`);
    if (!installed?.equals(bytes)) changed.push({ name, bytes });
  }
  return changed;
}

/** Returns the version, '' if malformed. Throws a `Refusal` if the folder has another plugin. */
async function readManifest(target: VaultFolder, folder: string): Promise<string | undefined> {
  const text = await target.readText(`${folder}/manifest.json`);
  if (text === undefined) return undefined;
  const manifest = parseMarked(text);
  if (!isJsonObject(manifest)) return '';
  const { id, version } = manifest;
  if (typeof id === 'string' && id !== PLUGIN_ID)
    throw new Refusal(
      `Another plugin, "${clip(id)}", is in ${folder}. Move it, then install again. Nothing was done.`,
    );
  return typeof version === 'string' ? version : '';
}

/**
 * Adds this plugin to the list of enabled plugins, keeping the rest of the text. Returns undefined
 * if the list contains it. Throws a `Refusal` if the text is not such a list.
 */
export function enabledText(text: string | undefined, file: string): string | undefined {
  if (text === undefined || text.trim() === '') return JSON.stringify([PLUGIN_ID], null, 2);
  const list = parseMarked(text);
  if (!Array.isArray(list) || list.some((id) => typeof id !== 'string'))
    throw new Refusal(
      `${file} is not a list of plugins, so nothing can be added to it. Fix it, or delete it (which disables every plugin), and install again. Nothing was done.`,
    );
  if (list.includes(PLUGIN_ID)) return undefined;
  const [end, before, last] = /([[,]\s*)("(?:[^"\\]|\\.)*")\s*\]\s*$/u.exec(text) ?? [];
  if (end === undefined || before === undefined || last === undefined)
    return JSON.stringify([PLUGIN_ID], null, 2);
  const rest = end.slice(before.length + last.length);
  return `${text.slice(0, -rest.length)},${before.slice(1)}"${PLUGIN_ID}"${rest}`;
}

/** Parses JSON, after a byte order mark too. Returns undefined for invalid JSON. */
function parseMarked(text: string): unknown {
  return parseJson(text.replace(/^\u{FEFF}/u, ''));
}

type VaultFolder = ReturnType<typeof createVaultFolder>;

/** Accesses a vault's files, including its settings, by relative paths. Throws a `Refusal`. */
function createVaultFolder({ fs, path, crypto }: NodeModules, vault: string) {
  const onDisk = (file: string) => path.join(vault, file);

  const attempt = <T>(verb: string, file: string, operation: () => Promise<T>): Promise<T> =>
    orRefuse(operation, (code) => fileErrorText(verb, file, code));

  function read(file: string): Promise<Buffer | undefined> {
    return attempt('read', file, () => fs.readFile(onDisk(file)).catch(ifNoEntry(undefined)));
  }

  /** Writes and syncs a draft next to the file that it will replace. Returns its path. */
  async function writeDraft(file: string, bytes: Uint8Array): Promise<string> {
    const draft = `${file}.${crypto.randomBytes(6).toString('hex')}.tmp`;
    try {
      await fs.writeFile(onDisk(draft), bytes, { flag: 'wx', flush: true });
    } catch (error) {
      await fs.rm(onDisk(draft), { force: true });
      throw error;
    }
    return draft;
  }

  return {
    read,
    readText: async (file: string) => (await read(file))?.toString('utf8'),
    createFolder: (folder: string) =>
      attempt('create the folder', folder, () => fs.mkdir(onDisk(folder), { recursive: true })),
    /** Replaces each file atomically, after all of them have been written as drafts. */
    async replaceAll(
      files: readonly { readonly file: string; readonly bytes: Uint8Array }[],
    ): Promise<void> {
      const written: { draft: string; file: string }[] = [];
      try {
        for (const { file, bytes } of files)
          written.push({
            draft: await attempt('write', file, () => writeDraft(file, bytes)),
            file,
          });
        for (const { draft, file } of written)
          await attempt('write', file, () => fs.rename(onDisk(draft), onDisk(file)));
      } finally {
        for (const { draft } of written) await fs.rm(onDisk(draft), { force: true });
      }
    },
  };
}
