import {
  CAPTURE_LEVELS,
  TELL_LEVELS,
  GAP_KINDS,
  withGaps,
  type CaptureSettings,
  type ProjectLink,
} from '../../capture/consent.js';
import { isJsonObject, type Json, type JsonObject } from '../../model/event.js';
import { Refusal } from '../../model/refusal.js';
import { isText, isTextList, objectsIn } from '../../model/text/json-fields.js';
import type { NodeModules } from '../modules.js';
import { createJsonFile } from '../ports/json-file.js';
import { exists } from '../real-path.js';
import {
  goneExclusions,
  movedPlaces,
  notedPlaces,
  placesInProject,
  withPlaces,
} from './moved-exclusions.js';

/** The folder in the state folder for everything about captured sessions. */
export const CAPTURE_FOLDER = 'capture';

const FILE_NAME = 'settings.json';

const NOTHING_LINKED: CaptureSettings = { links: [], excludedFolders: [] };

export type CaptureSettingsFile = ReturnType<typeof createCaptureSettingsFile>;

/** Returns the file in the state folder with what the user allows this device to capture. */
export function createCaptureSettingsFile(node: NodeModules, stateFolder: string) {
  const path = node.path.join(stateFolder, CAPTURE_FOLDER, FILE_NAME);
  const file = createJsonFile(node, path);

  /** Returns the settings. If any of the file is damaged, nothing is linked. */
  const read = async (): Promise<CaptureSettings> => readSettings(await file.read());

  /**
   * Replaces the settings with those that `change` returns, and returns them, with the gaps in
   * capture. Throws a `Refusal` for a damaged file, which may say what is excluded.
   */
  const update = (
    change: (settings: CaptureSettings) => CaptureSettings,
    now = Date.now(),
  ): Promise<CaptureSettings> =>
    file.update(async (stored) => {
      const settings = readSettings(stored);
      if (settings.isDamaged) throw new Refusal(damageText(path));
      const gone = await projectsWithGone(node, settings);
      const changed = withGaps(settings, change(settings), now, gone);
      return { ...changed, places: await notedPlaces(node, changed) };
    });

  return {
    read,
    update,
    /** Adds to settings the places to which `paths` and `project` lead, and stores moved ones. */
    async locate(
      settings: CaptureSettings,
      paths: readonly string[],
      project?: { readonly id: string; readonly folders: readonly string[] },
    ): Promise<CaptureSettings> {
      const moved = await movedPlaces(node, settings, paths);
      if (moved.length > 0) await update((stored) => withPlaces(stored, moved));
      const { id = '', folders = [] } = project ?? {};
      const inner = await placesInProject(node, settings, id, folders);
      return withPlaces(settings, [...moved, ...inner]);
    },
    /** Returns what is wrong with the file; undefined if nothing is. */
    problem: async () => ((await read()).isDamaged ? damageText(path) : undefined),
  };
}

async function projectsWithGone(node: NodeModules, settings: CaptureSettings): Promise<string[]> {
  const projects = settings.links.map(async ({ project, folder }) => {
    if (!(await exists(node, folder))) return [];
    const gone = await goneExclusions(node, settings, project, [folder]);
    return gone.length > 0 ? project : [];
  });
  return (await Promise.all(projects)).flat();
}

function damageText(file: string): string {
  return `The settings of what is captured are damaged, so nothing is: ${file}. Correct that file, or delete it and link your projects again.`;
}

function readSettings(stored: unknown): CaptureSettings {
  if (stored === undefined) return NOTHING_LINKED;
  const fields = isJsonObject(stored) ? stored : {};
  const { links, excludedFolders, pausedUntil, gaps = [], places = {} } = fields;
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
  const { project, folder, keys, vault, workspaceId, workspaceName } = value;
  const { capture, tell, since } = value;
  return (
    isTextList(keys) &&
    [project, folder, vault, workspaceId, workspaceName].every(isText) &&
    (CAPTURE_LEVELS as readonly unknown[]).includes(capture) &&
    (tell === undefined || (TELL_LEVELS as readonly unknown[]).includes(tell)) &&
    (since === undefined || isTime(since))
  );
}

function isPlace(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const { inner, seen } = value;
  return isTextList(seen) && isJsonObject(inner) && Object.values(inner).every(isText);
}

function isGap({ kind, of, from, to }: JsonObject): boolean {
  const isKnown = (GAP_KINDS as readonly unknown[]).includes(kind);
  return (
    isKnown && isText(of) && Number.isFinite(from) && (to === undefined || Number.isFinite(to))
  );
}

function isTime(value: unknown): boolean {
  return isText(value) && Number.isFinite(Date.parse(value));
}
