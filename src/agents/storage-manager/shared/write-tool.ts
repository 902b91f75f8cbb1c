import * as z from 'zod';
import type { VaultPath } from '../../../model/paths.js';
import { joinBytes, utf8Text } from '../../../platform/bytes/bytes.js';
import { sha256 } from '../../../platform/sha256.js';
import type { ExampleSpec, Failures, Tool, ToolCall } from '../../../toolkit/define-tool.js';
import { validatedText } from '../../shared/inputs.js';
import { defineTool, type Services } from '../../services.js';
import {
  checkFile,
  MAX_FILE_BYTES,
  fileFailures,
  filePath,
  storageFolder,
  formatMegabytes,
  WORKSPACE_STORAGE,
  EXAMPLE_TEXT,
  EXAMPLE_SHA256,
  toStoredPath,
  exampleWrite,
  type StorageScope,
  storageTool,
} from './storage-scope.js';
import { resolveStoredPath } from './paths.js';

/** Size limit of the content of one call. */
const MAX_CONTENT_BYTES = 1024 * 1024;

const archivedFailure = {
  archived: {
    error: 'Workspace "{name}" is archived, so its files can be read but not written.',
    advice:
      'Use updateWorkspace with name "{name}" and isArchived false to restore it, or write in another workspace.',
  },
} as const satisfies Failures;

const writeFailures = {
  ...fileFailures,
  nameCollision: {
    error: '"{path}" and the existing "{other}" would be the same file on some devices.',
    advice: 'Use the existing path, or one that differs in more than case or accents.',
  },
  exists: {
    error: 'File "{path}" already exists.',
    advice: 'Use mode "overwrite" or "append", or another path.',
  },
  changed: {
    error: 'File "{path}" does not match expectedSha: it was changed or removed since.',
    advice: 'Read it again, then retry with the sha256 from that answer.',
  },
  full: {
    error: 'File "{path}" would be {size} MB.',
    advice: 'A file can be at most 4 MB. Start another one.',
  },
} as const satisfies Failures;

const shaText = validatedText((text) =>
  /^[0-9a-f]{64}$/iu.test(text)
    ? undefined
    : 'is not a SHA-256; pass the 64 hex digits from the last read',
);

const contentText = validatedText((text) => {
  const size = new TextEncoder().encode(text).length;
  return size <= MAX_CONTENT_BYTES
    ? undefined
    : `is ${formatMegabytes(size)} MB; one call writes at most 1 MB, so write the rest with mode "append"`;
});

const writeInput = z.strictObject({
  path: filePath,
  content: contentText,
  mode: z.enum(['create', 'overwrite', 'append']).default('create'),
  expectedSha: shaText.optional().describe('sha256 as last read: fails if the file changed since'),
});

export function storageWriteTool(scope: StorageScope): Tool<Services> {
  const scopeFailures: Partial<typeof archivedFailure> =
    scope === WORKSPACE_STORAGE ? archivedFailure : {};
  return defineTool({
    ...storageTool(scope, 'Write', 'storage_write'),
    title: `Write ${scope.name} file`,
    access: 'write',
    description: `Write a text file for ${scope.owner}.`,
    input: writeInput,
    output: z.object({ size: z.number(), sha256: z.string() }),
    failures: { ...writeFailures, ...scopeFailures },
    examples: examplesFor(scope),
    async run(params, call) {
      const { workspace, fail } = call;
      if (scope === WORKSPACE_STORAGE && workspace.isArchived)
        fail('archived', { name: workspace.name });
      return writeFile(await storageFolder(scope, call), params, call);
    },
  });
}

async function writeFile(
  base: VaultPath,
  { path: typed, content, mode, expectedSha }: z.output<typeof writeInput>,
  {
    services: { files },
    fail,
  }: Pick<ToolCall<Services, typeof writeFailures>, 'services' | 'fail'>,
): Promise<{ size: number; sha256: string }> {
  async function resolvePath(): Promise<VaultPath> {
    const resolved = await resolveStoredPath(files, base, toStoredPath(typed));
    if ('isAlias' in resolved) return fail('aliasPath', { path: typed });
    if ('collidesWith' in resolved)
      return fail('nameCollision', { path: typed, other: resolved.collidesWith });
    return resolved.path;
  }

  const path = await resolvePath();
  await checkFile(files, path, typed, fail);
  let hash = '';
  const { size } = await files.update(path, async (before) => {
    await resolvePath(); // another file may have been created in the meantime
    if (expectedSha !== undefined) {
      const hashBefore = before && (await sha256(before));
      if (hashBefore !== expectedSha.toLowerCase()) fail('changed', { path: typed });
    }
    if (before && mode === 'create') fail('exists', { path: typed });
    const existing = before && mode === 'append' ? [before] : [];
    if (existing.some((bytes) => utf8Text(bytes) === undefined)) fail('binary', { path: typed });
    const bytes = joinBytes([...existing, new TextEncoder().encode(content)]);
    if (bytes.length > MAX_FILE_BYTES)
      fail('full', { path: typed, size: formatMegabytes(bytes.length) });
    hash = await sha256(bytes);
    return bytes;
  });
  return { size, sha256: hash };
}

function examplesFor(scope: StorageScope): ExampleSpec[] {
  return [
    {
      title: 'Create a file',
      params: { path: 'beds/plan.md', content: EXAMPLE_TEXT },
      data: { size: 26, sha256: EXAMPLE_SHA256 },
    },
    {
      title: 'Append to a file',
      before: [exampleWrite(scope, 'plan.md', 'Dig, then sow')],
      params: { path: 'plan.md', content: ', then water.', mode: 'append' },
      data: { size: 26, sha256: EXAMPLE_SHA256 },
    },
    {
      title: 'A name that is taken',
      before: [exampleWrite(scope, 'plan.md', EXAMPLE_TEXT)],
      params: { path: 'plan.md', content: 'Rest.' },
      error: 'File "plan.md" already exists. Use mode "overwrite" or "append", or another path.',
    },
    {
      title: 'Overwrite an unchanged file',
      before: [exampleWrite(scope, 'plan.md', EXAMPLE_TEXT)],
      params: { path: 'plan.md', content: 'Rest.', mode: 'overwrite', expectedSha: EXAMPLE_SHA256 },
      data: { size: 5 },
    },
    {
      title: 'Refuse to overwrite a changed file',
      before: [exampleWrite(scope, 'plan.md', 'Rest.')],
      params: { path: 'plan.md', content: 'Dig.', mode: 'overwrite', expectedSha: EXAMPLE_SHA256 },
      error:
        'File "plan.md" does not match expectedSha: it was changed or removed since. Read it again, then retry with the sha256 from that answer.',
    },
  ];
}
