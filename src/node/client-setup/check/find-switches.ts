import {
  isFalse,
  isTrue,
  switchesOf,
  type AppSwitch,
  type SettingsLayer,
  type SwitchedServer,
} from '../../../apps/switches.js';
import type { JsonObject } from '../../../model/event.js';
import { createCaptureSettingsFile } from '../../capture/capture-settings-file.js';
import type { NodeModules } from '../../modules.js';
import { stateFolderFrom } from '../../ports/state-folder.js';
import { RECONNECT_ADVICE } from './check-error.js';
import type { ClientConfig, HostEnvironment } from '../clients.js';
import { hasMark, lineOfSetting, readConfigData, valueAt } from '../config-text.js';

/** A setting that switches something off, in sentences. */
export interface FoundSwitch {
  readonly text: string;
  readonly fix: string;
  /** False if it only may matter, or is of a project that was not asked for. */
  readonly isCertain: boolean;
  /** True if the client's own list of servers does not show its effect. */
  readonly isUnlisted: boolean;
}

/** A file of settings; `project` is the folder of the project that contains it. */
interface Layer extends SettingsLayer {
  readonly file: string;
  readonly text: string;
  readonly project: string | undefined;
}

/** Returns the folders of the linked projects, and the current one. */
export async function knownProjects(node: NodeModules, { env, platform }: HostEnvironment) {
  const file = createCaptureSettingsFile(node, stateFolderFrom(node, env, platform));
  const { links } = await file.read();
  return [...new Set([...links.map(({ folder }) => folder), node.path.resolve()])];
}

/** Finds the settings that keep a client from using a server, or else from running hooks. */
export async function findSwitches(
  node: NodeModules,
  config: ClientConfig,
  stops: AppSwitch['stops'],
  server: SwitchedServer,
  projects: readonly string[],
): Promise<FoundSwitch[]> {
  const { section } = config.app.config;
  const switches = [
    // relative, because it is the user's
    ...switchesOf('server', '', [node.path.relative(config.folder, config.file)], {
      [`${section}/NAME/enabled`]: isFalse,
      [`${section}/NAME/disabled`]: isTrue,
    }),
    ...(config.switches ?? []),
  ];
  const found = new Map<string, FoundSwitch>();
  const { title, config: form, readsProject } = config.app;
  const text = await node.fs.readFile(config.file, 'utf8').catch(() => '');
  if (form.refusesMark && hasMark(text))
    found.set('', {
      text: `${title} cannot read ${config.file}, because it begins with a byte order mark.`,
      fix: `save it as UTF-8 without one, or ${RECONNECT_ADVICE}`,
      isCertain: true,
      isUnlisted: false,
    });
  const own = readConfigData(text, form.format);
  const settings = ('data' in own ? own.data : {}) as JsonObject;
  for (const each of switches.filter((other) => (other.stops === 'hooks') === (stops === 'hooks')))
    for (const project of [undefined, ...projects]) {
      const layers = await readLayers(node, config, each.files, project);
      for (const place of placesOff(each, server, layers)) {
        const { layer, path } = place;
        const isRead =
          layer.project === undefined || readsProject?.(settings, layer.project) !== false;
        const at = `${layer.file}:${lineOfSetting(layer.text, layer.file, path)}`;
        if (!found.has(at)) found.set(at, describe(config, each, place, at, projects, isRead));
      }
    }
  return [...found.values()];
}

interface Place {
  readonly layer: Layer;
  readonly path: readonly string[];
  /** The project to which it is limited. */
  readonly project: string | undefined;
}

/** Returns where a switch is off: in the last file that says something, or for listed projects. */
function placesOff(
  { setting, isOff }: AppSwitch,
  server: SwitchedServer,
  layers: readonly Layer[],
): Place[] {
  const keys = setting.split('/').map((key) => (key === 'NAME' ? server.name : key));
  const listAt = keys.indexOf('*');
  const said = layers.flatMap((layer) => {
    const listed =
      listAt < 0 ? [] : Object.keys(valueAt(layer.settings, keys.slice(0, listAt)) ?? {});
    const paths =
      listAt < 0
        ? [keys]
        : listed.map((project) => keys.map((key, at) => (at === listAt ? project : key)));
    return paths.flatMap((path) => {
      const value = valueAt(layer.settings, path);
      const off = value === undefined ? undefined : isOff(value, server, layers);
      return off === undefined
        ? []
        : [{ off, layer, path, project: path[listAt] ?? layer.project }];
    });
  });
  return (listAt < 0 ? said.slice(-1) : said).filter(({ off }) => off);
}

function describe(
  { app: { title } }: ClientConfig,
  { stops, caution, isUnlisted }: AppSwitch,
  { layer, path, project }: Place,
  at: string,
  projects: readonly string[],
  isRead: boolean,
): FoundSwitch {
  const keys = path.slice(path.indexOf(project ?? '') + 1);
  const isTable = /\.toml$/.test(layer.file) && keys.length > 1;
  const name = isTable ? `[${keys.slice(0, -1).join('.')}] ${keys.at(-1)}` : keys.join('.');
  const where = project === undefined ? '' : ` in ${project}`;
  const ask = layer.isOfSystem ? ', or ask the administrator of that file' : '';
  const trust = isRead ? '' : ` ${title} reads that file only in a project that you trust.`;
  const effect = stops === 'tools' ? 'offers none of its tools' : 'does not start it';
  const told = caution?.(title, `${name} in ${at}`, where);
  const isOfHooks = stops === 'hooks';
  const text = isOfHooks
    ? `${title} runs no hooks${where}, because ${name} in ${at} switches them off.`
    : `${title} ${effect}${where}, because ${name} in ${at} keeps it from doing so.`;
  const aim = isOfHooks ? 'if its sessions are to be captured' : 'so that it allows this server';
  return {
    text: (told?.says ?? text) + trust,
    fix: told?.fix ?? `change ${name} ${aim}${ask}`,
    isCertain: !caution && isRead && (project === undefined || projects.includes(project)),
    isUnlisted:
      isUnlisted === true || stops === 'tools' || caution !== undefined || project !== undefined,
  };
}

/** Reads those files of a switch that exist, in order. */
async function readLayers(
  { fs, path }: NodeModules,
  { folder, variable }: ClientConfig,
  files: readonly string[],
  project: string | undefined,
): Promise<Layer[]> {
  const layers: Layer[] = [];
  for (const name of files) {
    const isOfProject = name.startsWith('./');
    if (isOfProject && project === undefined) continue;
    const isOfSystem = path.isAbsolute(name);
    const inline = name.startsWith('$') ? (variable?.(name.slice(1)) ?? '') : undefined;
    const named =
      isOfSystem || inline !== undefined
        ? name
        : path.join(isOfProject ? (project ?? '') : folder, name);
    const isFolder = /[\\/]$/.test(name);
    const inFolder = isFolder ? await fs.readdir(named).catch((): string[] => []) : [];
    const parts = inFolder.filter((each) => /^[^.].*\.json$/.test(each)).sort();
    for (const file of isFolder ? parts.map((part) => path.join(named, part)) : [named]) {
      const text = inline ?? (await fs.readFile(file, 'utf8').catch(() => ''));
      const read = readConfigData(text, file.endsWith('.toml') ? 'toml' : 'jsonc');
      if ('problem' in read) continue;
      const settings = read.data as JsonObject;
      layers.push({ file, text, settings, isOfSystem, project: isOfProject ? project : undefined });
    }
  }
  return layers;
}
