import type { FolderTrust } from '../../../apps/ai-app.js';
import type { JsonObject } from '../../../model/event.js';
import type { NodeModules } from '../../modules.js';
import { envValue } from '../../environment.js';
import type { ClientConfig, HostEnvironment } from '../clients.js';
import { lineOfSetting, readConfigData } from '../config-text.js';
import { readUtf8File } from '../plan.js';
import { CheckError } from './check-error.js';

const MAX_NAMED_FOLDERS = 3;

/**
 * Describes the folders in which an app starts servers: trusted ones, unless folder trust is off.
 * Throws a `CheckError` if one of the projects is marked as not trusted, or the list is malformed,
 * because the app then does not start at all.
 */
export async function describeTrust(
  modules: NodeModules,
  host: HostEnvironment,
  { app, file, folder }: ClientConfig,
  { isOff, list: name, listVariable, advice }: FolderTrust,
  projects: readonly string[],
): Promise<string> {
  const settings = readFields((await readUtf8File(modules, file)) ?? '');
  if (settings && isOff(settings)) return 'folder trust is off, so servers start in every folder';
  const list = envValue(host.env, listVariable) ?? modules.path.join(folder, name);
  const text = (await readUtf8File(modules, list)) ?? '';
  const levels = readFields(text);
  if (!levels)
    throw new CheckError(
      `${app.title} cannot read its list of trusted folders, ${list}.`,
      'correct that file, which must be a JSON object',
    );
  const [distrusted] = projects.filter((project) => levels[project] === 'DO_NOT_TRUST');
  if (distrusted !== undefined)
    throw new CheckError(
      `${app.title} starts no server in ${distrusted}, which ${list}:${lineOfSetting(text, list, [distrusted])} marks as not trusted.`,
      'remove that line, then trust the folder when you are asked',
    );
  const folders = trustedFolders(modules.path, levels);
  if (folders.length === 0)
    return `servers start only in trusted folders, and none is trusted yet: ${advice}`;
  const named = folders.slice(0, MAX_NAMED_FOLDERS).join(', ');
  const more = folders.length - MAX_NAMED_FOLDERS;
  return `servers start only in trusted folders: ${named}${more > 0 ? ` and ${more} more` : ''}; elsewhere, ${advice}`;
}

function trustedFolders(path: NodeModules['path'], levels: JsonObject): string[] {
  return Object.entries(levels).flatMap(([folder, level]) => {
    if (level === 'TRUST_FOLDER') return [folder];
    return level === 'TRUST_PARENT' ? [path.dirname(folder)] : [];
  });
}

function readFields(text: string): JsonObject | undefined {
  const read = readConfigData(text, 'jsonc');
  return 'data' in read ? (read.data as JsonObject) : undefined;
}
