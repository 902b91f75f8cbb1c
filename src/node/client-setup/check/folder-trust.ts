import type { NodeModules } from '../../modules.js';
import { envValue } from '../../environment.js';
import type { ClientConfig, HostEnvironment } from '../clients.js';
import { parseJsonConfig } from '../json-config.js';
import { readText } from '../plan.js';
import { CheckError } from './check-error.js';

type Modules = Pick<NodeModules, 'fs' | 'path'>;
type Fields = Readonly<Record<string, unknown>>;

const MAX_NAMED_FOLDERS = 3;
const HOW_TO_TRUST =
  'start gemini in your project and choose to trust the folder, or pass --skip-trust if nobody is there to ask';

/**
 * Says in which folders Gemini CLI starts servers: in those that the user has trusted, unless
 * folder trust is off. Throws a `CheckError` if the list of these folders is malformed, because
 * Gemini CLI then does not start at all.
 */
export async function describeTrust(
  modules: Modules,
  host: HostEnvironment,
  { file }: ClientConfig,
): Promise<string> {
  const settings = readFields((await readText(modules, file)) ?? '');
  const security = asFields(settings?.['security']);
  if (asFields(security?.['folderTrust'])?.['enabled'] === false)
    return 'folder trust is off, so servers start in every folder';
  const list =
    envValue(host.env, 'GEMINI_CLI_TRUSTED_FOLDERS_PATH') ??
    modules.path.join(modules.path.dirname(file), 'trustedFolders.json');
  const levels = readFields((await readText(modules, list)) ?? '');
  if (!levels)
    throw new CheckError(
      `Gemini CLI cannot read its list of trusted folders, ${list}.`,
      'correct that file, which must be a JSON object',
    );
  const folders = trustedFolders(modules.path, levels);
  if (folders.length === 0)
    return `servers start only in trusted folders, and none is trusted yet: ${HOW_TO_TRUST}`;
  const named = folders.slice(0, MAX_NAMED_FOLDERS).join(', ');
  const more = folders.length - MAX_NAMED_FOLDERS;
  return `servers start only in trusted folders: ${named}${more > 0 ? ` and ${more} more` : ''}; elsewhere, ${HOW_TO_TRUST}`;
}

function trustedFolders(path: NodeModules['path'], levels: Fields): string[] {
  return Object.entries(levels).flatMap(([folder, level]) => {
    if (level === 'TRUST_FOLDER') return [folder];
    return level === 'TRUST_PARENT' ? [path.dirname(folder)] : [];
  });
}

function readFields(text: string): Fields | undefined {
  const read = parseJsonConfig(text, false);
  return 'data' in read ? asFields(read.data) : undefined;
}

function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined;
}
