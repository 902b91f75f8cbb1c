import type { VaultPath } from '../../../model/paths.js';
import { Refusal } from '../../../model/refusal.js';
import type { Files } from '../../../platform/files.js';
import { renameParams } from '../../../toolkit/action-aliases.js';
import type { ActionAlias, Fail, Failures, ToolCall } from '../../../toolkit/define-tool.js';
import { validatedText } from '../../shared/inputs.js';
import type { Services } from '../../services.js';
import { filePathProblem, idToFolderName, parseStoredPath } from './paths.js';

/** Scope of a storage tool, which determines whose files it handles. */
export interface StorageScope {
  readonly name: 'workspace' | 'session';
  /** Owner of the files, as tool descriptions name it. */
  readonly owner: string;
  idOf(this: void, call: Pick<ToolCall<Services>, 'workspace' | 'sessionId'>): string;
}

export const WORKSPACE_STORAGE: StorageScope = {
  name: 'workspace',
  owner: 'the current workspace',
  idOf: ({ workspace }) => workspace.id,
};

export const SESSION_STORAGE: StorageScope = {
  name: 'session',
  owner: 'this session',
  idOf: ({ sessionId }) => sessionId,
};

/** Returns what the storage tools have in common. `resource`: a deprecated tool of both scopes. */
export function storageTool(scope: StorageScope, verb: string, resource: string) {
  const name = `${scope.name}Storage${verb}`;
  const key = `${scope.name}_identifier`;
  // `session_identifier` tells the scopes apart.
  const alias: ActionAlias = {
    resource,
    action: undefined,
    ...(scope === SESSION_STORAGE && { when: { [key]: undefined } }),
    convert: (params) => renameParams(params, { [key]: `${scope.name}Id` }),
    notice: `${resource} is deprecated. Use ${name}.`,
  };
  return {
    name,
    usesWorkspace: () => scope === WORKSPACE_STORAGE,
    action: { resource: 'storage', name: `${scope.name}${verb}`, aliases: [alias] },
  };
}

/** Every sync service accepts files of this size. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

export const filePath = validatedText(filePathProblem);

export const fileFailures = {
  aliasPath: {
    error: '"{path}" is a symbolic link, or another name of an existing file.',
    advice: 'Use another path.',
  },
  isFolder: { error: '"{path}" is a folder.', advice: 'Pass the path of a file in it.' },
  tooLarge: {
    error: '"{path}" is {size} MB.',
    advice: 'The limit is 4 MB. Use another file; the user can open this one.',
  },
  binary: {
    error: '"{path}" is not UTF-8 text.',
    advice: 'Only text files are supported. Use another file; the user can open this one.',
  },
} as const satisfies Failures;

export const EXAMPLE_TEXT = 'Dig, then sow, then water.';
export const EXAMPLE_SHA256 = '56287a290d04410b41d6c299d1199d3c526d4b355f70909b4e5e4129fefca016';

export function exampleWrite({ name }: StorageScope, path: string, content: string) {
  return { tool: `${name}StorageWrite`, params: { path, content } };
}

/** The folder holds the files of all agents. */
export function filesFolder(dataFolder: VaultPath): VaultPath {
  return `${dataFolder}/files`;
}

export async function storageFolder(
  scope: StorageScope,
  { services, ...call }: Pick<ToolCall<Services>, 'services' | 'workspace' | 'sessionId'>,
): Promise<VaultPath> {
  return `${filesFolder(services.dataFolder)}/${scope.name}s/${await idToFolderName(scope.idOf(call))}`;
}

/** Returns the normalized path. Throws a `Refusal` if it is invalid. */
export function toStoredPath(typed: string): VaultPath {
  const read = parseStoredPath(typed);
  if ('problem' in read) throw new Refusal(`"path" ${read.problem}.`);
  return read.path;
}

/** Fails the call for a folder or a file over the size limit. A missing file passes. */
export async function checkFile(
  files: Files,
  path: VaultPath,
  typed: string,
  fail: Fail<typeof fileFailures>,
): Promise<void> {
  const info = await files.stat(path);
  if (info?.kind === 'folder') fail('isFolder', { path: typed });
  if (info && info.size > MAX_FILE_BYTES)
    fail('tooLarge', { path: typed, size: formatMegabytes(info.size) });
}

/** Rounds up, so that a size over a limit never seems to be within it. */
export function formatMegabytes(bytes: number): string {
  return (Math.ceil((bytes * 10) / 1024 / 1024) / 10).toFixed(1);
}
