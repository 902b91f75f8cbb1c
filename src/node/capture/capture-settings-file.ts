import {
  CAPTURE_LEVELS,
  withGaps,
  type CaptureSettings,
  type ProjectLink,
} from '../../capture/consent.js';
import { isJsonObject, type Json, type JsonObject } from '../../model/event.js';
import { Refusal } from '../../model/refusal.js';
import { isText, isTextList, objectsIn } from '../../model/text/json-fields.js';
import type { NodeModules } from '../modules.js';
import { JsonFile } from '../ports/json-file.js';
import { excludedPlaces } from './moved-exclusions.js';

/** The folder in the state folder for everything about captured sessions. */
export const CAPTURE_FOLDER = 'capture';

const FILE_NAME = 'settings.json';

const NOTHING_LINKED: CaptureSettings = { links: [], excludedFolders: [] };

/** The file in the state folder with what the user allows this device to capture. */
export class CaptureSettingsFile {
  readonly #node: NodeModules;
  readonly #file: JsonFile;
  readonly #path: string;

  constructor(node: NodeModules, stateFolder: string) {
    this.#node = node;
    this.#path = node.path.join(stateFolder, CAPTURE_FOLDER, FILE_NAME);
    this.#file = new JsonFile(node, this.#path);
  }

  /** Returns the settings. If any of the file is damaged, nothing is linked. */
  async read(): Promise<CaptureSettings> {
    return readSettings(await this.#file.read());
  }

  /**
   * Replaces the settings with those that `change` returns, and returns them, with the gaps in
   * capture. Throws a `Refusal` for a damaged file, which may say what is excluded.
   */
  async update(change: (settings: CaptureSettings) => CaptureSettings): Promise<CaptureSettings> {
    return this.#file.update(async (stored) => {
      const settings = readSettings(stored);
      if (settings.isDamaged) throw new Refusal(damageText(this.#path));
      const changed = withGaps(settings, change(settings), Date.now());
      const { places } = settings;
      return {
        ...changed,
        places: await excludedPlaces(this.#node, { ...changed, ...(places && { places }) }),
      };
    });
  }

  /** Returns what is wrong with the file; undefined if nothing is. */
  async problem(): Promise<string | undefined> {
    return (await this.read()).isDamaged && damageText(this.#path);
  }
}

function damageText(file: string): string {
  return `The settings of what is captured are damaged, so nothing is: ${file}. Correct that file, or delete it and link your projects again.`;
}

function readSettings(stored: unknown): CaptureSettings {
  if (stored === undefined) return NOTHING_LINKED;
  const {
    links,
    excludedFolders,
    pausedUntil,
    gaps = [],
    places = {},
  } = isJsonObject(stored) ? stored : {};
  const isWhole =
    Array.isArray(links) &&
    objectsIn(links).filter(isLink).length === links.length &&
    isTextList(excludedFolders) &&
    (pausedUntil === undefined || isTime(pausedUntil)) &&
    Array.isArray(gaps) &&
    isJsonObject(places) &&
    Object.values(places).every(isPlace) &&
    objectsIn(gaps).filter(isGap).length === gaps.length;
  return isWhole ? (stored as CaptureSettings) : { ...NOTHING_LINKED, isDamaged: true };
}

function isLink(value: JsonObject): value is ProjectLink & JsonObject {
  const { project, folder, keys, vault, workspaceId, workspaceName, capture, since } = value;
  return (
    isTextList(keys) &&
    [project, folder, vault, workspaceId, workspaceName].every(isText) &&
    (CAPTURE_LEVELS as readonly unknown[]).includes(capture) &&
    (since === undefined || isTime(since))
  );
}

function isPlace(value: Json): boolean {
  return isJsonObject(value) && isText(value['identity']);
}

function isGap({ kind, of, from, to }: JsonObject): boolean {
  const isKnown = (['pause', 'folder', 'project'] as (typeof kind)[]).includes(kind);
  return isKnown && isText(of) && isFinite(from) && (to === undefined || isFinite(to));
}

function isFinite(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

function isTime(value: unknown): boolean {
  return isText(value) && Number.isFinite(Date.parse(value));
}
