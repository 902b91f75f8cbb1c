import type { CaptureSettings, ProjectLink } from '../../capture/consent.js';
import { isJsonObject, type JsonObject } from '../../model/event.js';
import { isText, isTextList, objectsIn, textsIn } from '../../model/text/json-fields.js';
import type { NodeModules } from '../modules.js';
import { JsonFile } from '../ports/json-file.js';

type Modules = Pick<NodeModules, 'fs' | 'path' | 'crypto' | 'timers'>;

/** The folder in the state folder for everything about captured sessions. */
export const CAPTURE_FOLDER = 'capture';

const FILE_NAME = 'settings.json';

/** The file in the state folder with what the user allows this device to capture. */
export class CaptureSettingsFile {
  readonly #file: JsonFile;

  constructor(node: Modules, stateFolder: string) {
    this.#file = new JsonFile(node, node.path.join(stateFolder, CAPTURE_FOLDER, FILE_NAME));
  }

  /** Returns the settings. If the file is damaged, nothing is linked. */
  async read(): Promise<CaptureSettings> {
    return readSettings(await this.#file.read());
  }

  /** Replaces the settings with those that `change` returns, and returns them. */
  async update(change: (settings: CaptureSettings) => CaptureSettings): Promise<CaptureSettings> {
    return this.#file.update((stored) => change(readSettings(stored)));
  }
}

function readSettings(stored: unknown): CaptureSettings {
  const given = isJsonObject(stored) ? stored : {};
  const { links, excludedFolders, pausedUntil } = given;
  return {
    links: objectsIn(links).filter(isLink),
    excludedFolders: textsIn(excludedFolders),
    ...(isText(pausedUntil) && { pausedUntil }),
  };
}

function isLink(value: JsonObject): value is ProjectLink & JsonObject {
  const { project, folder, keys, vault, workspaceId, workspaceName, isCaptured } = value;
  return (
    isTextList(keys) &&
    [project, folder, vault, workspaceId, workspaceName].every(isText) &&
    typeof isCaptured === 'boolean'
  );
}
