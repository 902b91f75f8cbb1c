import type { VaultPath } from '../../../model/paths.js';
import { Refusal } from '../../../model/refusal.js';
import type { Files } from '../../../platform/files.js';
import type { Failures, ToolCall } from '../../../toolkit/define-tool.js';
import { checkedText } from '../../shared/inputs.js';
import type { Services } from '../../services.js';
import { filePathProblem, folderOfId, readStoredPath } from './paths.js';

/** Whose files a tool handles. */
export interface Side {
  readonly name: 'workspace' | 'session';
  /** As the descriptions say it. */
  readonly owner: string;
  idOf(this: void, call: Pick<ToolCall<Services>, 'workspace' | 'sessionId'>): string;
}

export const ofWorkspace: Side = {
  name: 'workspace',
  owner: 'the workspace in use',
  idOf: ({ workspace }) => workspace.id,
};

export const ofSession: Side = {
  name: 'session',
  owner: 'this session',
  idOf: ({ sessionId }) => sessionId,
};

/** Of a file, in bytes: no sync service leaves out smaller ones. */
export const FILE_LIMIT = 4 * 1024 * 1024;

export const filePath = checkedText(filePathProblem);

export const fileFailures = {
  elsewhere: {
    error: '"{path}" leads elsewhere, as a link or as a second name of a file.',
    advice: 'Use another path.',
  },
  isFolder: { error: '"{path}" is a folder.', advice: 'Give the path of a file in it.' },
  tooLarge: {
    error: '"{path}" has {size} MB.',
    advice: 'Files are handled here up to 4 MB. Use another file; the person can open this one.',
  },
  binary: {
    error: '"{path}" is no UTF-8 text.',
    advice: 'Only text is handled here. Use another file; the person can open this one.',
  },
} as const satisfies Failures;

type Fail = (
  failure: 'elsewhere' | 'isFolder' | 'tooLarge' | 'binary',
  values: Readonly<Record<string, string>>,
) => never;

/** What the examples keep. */
export const plan = 'Dig, then sow, then water.';
export const planSha = '56287a290d04410b41d6c299d1199d3c526d4b355f70909b4e5e4129fefca016';

export function writeCall({ name }: Side, path: string, content: string) {
  return { tool: `${name}StorageWrite`, params: { path, content } };
}

/** Where the files of a call's side lie. */
export async function folderOf(
  side: Side,
  { services, ...call }: Pick<ToolCall<Services>, 'services' | 'workspace' | 'sessionId'>,
): Promise<VaultPath> {
  return `${services.dataFolder}/files/${side.name}s/${await folderOfId(side.idOf(call))}`;
}

/** The plain form of a path that was checked. */
export function storedPath(typed: string): VaultPath {
  const read = readStoredPath(typed);
  if ('problem' in read) throw new Refusal(`"path" ${read.problem}.`);
  return read.path;
}

/** The call fails for a folder, and for a file too large to be handled; what is not there passes. */
export async function checkFile(
  files: Files,
  path: VaultPath,
  asked: string,
  fail: Fail,
): Promise<void> {
  const info = await files.stat(path);
  if (info?.kind === 'folder') fail('isFolder', { path: asked });
  if (info && info.size > FILE_LIMIT) fail('tooLarge', { path: asked, size: megabytes(info.size) });
}

/** Undefined where the bytes are no UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // the decoder has no other way to say so
  }
}

/** Rounded up, so that what is over a limit looks so. */
export function megabytes(bytes: number): string {
  return (Math.ceil((bytes * 10) / 1024 / 1024) / 10).toFixed(1);
}
