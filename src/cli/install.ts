import { compareText } from '../model/event.js';
import { clip, Refusal } from '../model/refusal.js';
import { fileTrouble } from '../platform/files.js';
import { errorCode, type NodeModules } from '../node/modules.js';

type Disk = Pick<NodeModules, 'fs' | 'path' | 'crypto'>;

const PLUGIN = 'savepoint';
/** The app's own default; which name a vault has, no file outside of the app tells. */
const CONFIG = `.obsidian`;

/** What makes up the plugin. The manifest is put in place last: an installation that breaks off still shows the version before it. */
const PLUGIN_FILES = ['styles.css', 'main.js', 'manifest.json'] as const;

/** What the app writes when it first opens a vault. A folder `plugins` alone says nothing: other programs have one too. */
const CONFIG_FILES = ['app.json', 'community-plugins.json'];

export interface InstallOptions {
  /** The folder that holds the plugin's files, absolute. */
  readonly source: string;
  /** The version of these. */
  readonly version: string;
  /** The vault, absolute. */
  readonly vault: string;
  /** The name of the vault's settings folder; looked for where absent. */
  readonly config: string | undefined;
}

/** What an installation has found and done. */
export interface Installation {
  /** The plugin's folder, below the vault. */
  readonly folder: string;
  readonly version: string;
  /** `own`: the plugin's folder is the very one that the files come from. `same`: nothing was to be done. */
  readonly outcome: 'installed' | 'updated' | 'mended' | 'same' | 'own';
  /** The version that was there; empty where none was, or none could be read. */
  readonly before: string;
  /** Whether it was not enabled before. */
  readonly hasEnabled: boolean;
  /** Further settings folders of the vault, which were left as they are. */
  readonly others: readonly string[];
}

/** Puts the plugin into a vault and enables it there. Doing it again changes nothing. Throws a `Refusal` in words. */
export async function installPlugin(disk: Disk, options: InstallOptions): Promise<Installation> {
  const { source, version, vault } = options;
  await checkVault(disk, vault);
  const { config, others } = await findConfig(disk, vault, options.config);
  const place = createPlace(disk, vault);
  const folder = `${config}/plugins/${PLUGIN}`;
  const list = `${config}/community-plugins.json`;
  const enabled = enabledText(await place.readText(list), list);
  const before = await readManifest(place, folder);
  const isOwn = await isSamePlace(disk, disk.path.join(vault, folder), source);
  const changed = isOwn ? [] : await changedFiles(disk, place, source, folder);
  await place.createFolder(isOwn ? config : folder);
  await place.replaceAll(changed.map(({ name, bytes }) => ({ file: `${folder}/${name}`, bytes })));
  if (enabled !== undefined)
    await place.replaceAll([{ file: list, bytes: new TextEncoder().encode(enabled) }]);
  const outcome = isOwn
    ? 'own'
    : before === undefined
      ? 'installed'
      : changed.length === 0
        ? 'same'
        : before === version
          ? 'mended'
          : 'updated';
  return {
    folder,
    version,
    outcome,
    before: before ?? '',
    hasEnabled: enabled !== undefined,
    others,
  };
}

/** What was done, in words, and what to do next. */
export function installText({
  folder,
  version,
  outcome,
  before,
  hasEnabled,
  others,
}: Installation): string {
  const done = {
    installed: `Installed Savepoint ${version} in ${folder}.`,
    updated: `${isNewer(before, version) ? 'Put back' : 'Updated'} Savepoint in ${folder} from ${before || 'an unknown version'} to ${version}.`,
    mended: `Savepoint ${version} was already installed in ${folder}, but not as it should be: put its files in place anew.`,
    same: `Savepoint is already installed in ${folder}, same version (${version}).`,
    own: `This program lies in ${folder} itself: there is nothing to copy.`,
  }[outcome];
  const lines = [
    done,
    hasEnabled ? `Enabled it in the vault's list of plugins.` : `It was enabled already.`,
    ...(others.length > 0
      ? [
          `The vault has other settings folders too (${others.join(', ')}): give --config NAME for one of them.`,
        ]
      : []),
    ...(outcome === 'same' && !hasEnabled
      ? []
      : [
          'Next: reload Obsidian, or turn the plugin on under Settings > Community plugins; restricted mode must be off.',
        ]),
  ];
  return lines.map((line) => `${line.replace(/\p{Cc}/gu, '\u{FFFD}')}\n`).join('');
}

async function checkVault({ fs }: Disk, vault: string): Promise<void> {
  const stats = await fs.stat(vault).catch((error: unknown) => {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  });
  if (!stats)
    throw new Refusal(
      `There is no folder "${clip(vault, 200)}". Give --vault the folder that holds the notes.`,
    );
  if (!stats.isDirectory())
    throw new Refusal(
      `"${clip(vault, 200)}" is a file. Give --vault the folder that holds the notes.`,
    );
}

/** The vault's settings folder: the one that was named, else the usual one, else the only one that looks like one. */
async function findConfig(
  disk: Disk,
  vault: string,
  named: string | undefined,
): Promise<{ config: string; others: string[] }> {
  if (named !== undefined) return { config: checkName(named), others: [] };
  const found = await configFolders(disk, vault);
  const others = found.filter((name) => name !== CONFIG);
  if (others.length < found.length) return { config: CONFIG, others };
  const [only] = found;
  if (only !== undefined && found.length === 1) return { config: only, others: [] };
  const shown = clip(vault, 200);
  if (found.length > 1)
    throw new Refusal(
      `The vault "${shown}" has several settings folders (${found.join(', ')}). Say which one by --config NAME. Nothing was done.`,
    );
  throw new Refusal(
    `"${shown}" holds no settings of Obsidian, so it does not look like a vault. If it is one that was never opened, ` +
      `open it once in Obsidian, or give --config ${CONFIG}. Nothing was done.`,
  );
}

/** The app takes no other names: what does not begin with a dot would be a folder of notes. */
function checkName(name: string): string {
  if (/^\.[^./\\\p{Cc}][^/\\\p{Cc}]*$/u.test(name)) return name;
  throw new Refusal(
    `"${clip(name)}" cannot be the name of a settings folder: it is one name that begins with a dot, such as ${CONFIG}. Nothing was done.`,
  );
}

async function configFolders({ fs, path }: Disk, vault: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of (await fs.readdir(vault)).filter((entry) => entry.startsWith('.'))) {
    const isFolder =
      (await fs.stat(path.join(vault, name)).catch(() => undefined))?.isDirectory() === true;
    const marks =
      isFolder && name !== CONFIG
        ? await Promise.all(CONFIG_FILES.map((file) => isThere(fs, path.join(vault, name, file))))
        : [];
    if ((isFolder && name === CONFIG) || marks.includes(true)) found.push(name);
  }
  return found.sort(compareText);
}

function isThere(fs: Disk['fs'], file: string): Promise<boolean> {
  return fs.access(file).then(
    () => true,
    () => false,
  );
}

async function isSamePlace({ fs }: Disk, one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [one, other].map((place) => fs.realpath(place).catch(() => undefined)),
  );
  return a !== undefined && a === b;
}

interface PluginFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The files of the plugin that are not in its folder as they are here. One that is a link to the one here is. */
async function changedFiles(
  { fs, path }: Disk,
  place: Place,
  source: string,
  folder: string,
): Promise<PluginFile[]> {
  const changed: PluginFile[] = [];
  for (const name of PLUGIN_FILES) {
    const bytes = await fs.readFile(path.join(source, name)).catch((error: unknown) => {
      if (errorCode(error) === undefined) throw error;
      throw new Refusal(
        `"${name}" does not lie beside this program, or cannot be read. Install from a whole release. Nothing was done.`,
      );
    });
    const held = await place.read(`${folder}/${name}`);
    if (!held?.equals(bytes)) changed.push({ name, bytes });
  }
  return changed;
}

/** The version that is installed: empty where its manifest cannot be read, undefined where there is none. */
async function readManifest(place: Place, folder: string): Promise<string | undefined> {
  const text = await place.readText(`${folder}/manifest.json`);
  if (text === undefined) return undefined;
  const manifest = parseJson(text);
  if (typeof manifest !== 'object' || manifest === null) return '';
  const { id, version } = manifest as { id?: unknown; version?: unknown };
  if (typeof id === 'string' && id !== PLUGIN)
    throw new Refusal(
      `Another plugin, "${clip(id)}", lies in ${folder}. Take it out of there, then install again. Nothing was done.`,
    );
  return typeof version === 'string' ? version : '';
}

/**
 * The list of enabled plugins with this one added, the rest of its text as it was; undefined where it is in there already.
 * Throws a `Refusal` where the text is no such list.
 */
export function enabledText(text: string | undefined, file: string): string | undefined {
  if (text === undefined || text.trim() === '') return JSON.stringify([PLUGIN], null, 2);
  const list = parseJson(text);
  if (!Array.isArray(list) || list.some((id) => typeof id !== 'string'))
    throw new Refusal(
      `${file} is not a list of plugins, so nothing can be added to it. Put it in order, or remove it (every plugin is then off), and install again. Nothing was done.`,
    );
  if (list.includes(PLUGIN)) return undefined;
  const [end, before, last] = /([[,]\s*)("(?:[^"\\]|\\.)*")\s*\]\s*$/u.exec(text) ?? [];
  if (end === undefined || before === undefined || last === undefined)
    return JSON.stringify([PLUGIN], null, 2);
  const rest = end.slice(before.length + last.length);
  return `${text.slice(0, -rest.length)},${before.slice(1)}"${PLUGIN}"${rest}`;
}

/** A byte order mark is no part of JSON, and some editors write one. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\u{FEFF}/u, ''));
  } catch {
    return undefined;
  }
}

type Place = ReturnType<typeof createPlace>;

/** The files of a vault, its settings too, by their paths below it. Each trouble is a `Refusal` in words. */
function createPlace({ fs, path, crypto }: Disk, vault: string) {
  const onDisk = (file: string) => path.join(vault, file);

  async function attempt<T>(verb: string, file: string, operation: () => Promise<T>): Promise<T> {
    try {
      return await operation();
    } catch (error) {
      const code = errorCode(error);
      if (code === undefined) throw error;
      throw new Refusal(fileTrouble(verb, file, code), { cause: error });
    }
  }

  async function read(file: string): Promise<Buffer | undefined> {
    return attempt('read', file, async () =>
      fs.readFile(onDisk(file)).catch((error: unknown) => {
        if (errorCode(error) === 'ENOENT') return undefined;
        throw error;
      }),
    );
  }

  /** Whole and on the disk, under a name beside the one it is for. */
  async function writeAside(file: string, bytes: Uint8Array): Promise<string> {
    const aside = `${file}.${crypto.randomBytes(6).toString('hex')}.tmp`;
    try {
      const handle = await fs.open(onDisk(aside), 'wx');
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      await fs.rm(onDisk(aside), { force: true });
      throw error;
    }
    return aside;
  }

  return {
    read,
    readText: async (file: string) => (await read(file))?.toString('utf8'),
    createFolder: (folder: string) =>
      attempt('make the folder', folder, () => fs.mkdir(onDisk(folder), { recursive: true })),
    /** Puts each file in its place at once; none is, where one of them cannot be written. */
    async replaceAll(
      files: readonly { readonly file: string; readonly bytes: Uint8Array }[],
    ): Promise<void> {
      const written: { aside: string; file: string }[] = [];
      try {
        for (const { file, bytes } of files)
          written.push({
            aside: await attempt('write', file, () => writeAside(file, bytes)),
            file,
          });
        for (const { aside, file } of written)
          await attempt('write', file, () => fs.rename(onDisk(aside), onDisk(file)));
      } finally {
        for (const { aside } of written) await fs.rm(onDisk(aside), { force: true });
      }
    },
  };
}

/** Whether version `a` comes after version `b`. */
function isNewer(a: string, b: string): boolean {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const at = left?.findIndex((part, index) => part !== right?.[index]) ?? -1;
  return at >= 0 && (left?.[at] ?? 0) > (right?.[at] ?? 0);
}
