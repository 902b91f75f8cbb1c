import * as z from 'zod';
import type { VaultPath } from '../../../model/paths.js';
import { joinBytes } from '../../../platform/bytes.js';
import { sha256 } from '../../../platform/sha256.js';
import type { Failures, Tool } from '../../../toolkit/define-tool.js';
import { checkedText } from '../../shared/inputs.js';
import { defineTool, type Services } from '../../services.js';
import {
  checkFile,
  FILE_LIMIT,
  fileFailures,
  filePath,
  folderOf,
  megabytes,
  ofWorkspace,
  plan,
  planSha,
  storedPath,
  textOf,
  writeCall,
  type Side,
} from './side.js';
import { placeOf } from './paths.js';

/** Of a content that is written in one call, in bytes. */
const CONTENT_LIMIT = 1024 * 1024;

const archivedFailure = {
  archived: {
    error: 'Workspace "{name}" is archived, so its files can be read but not written.',
    advice:
      'Use updateWorkspace with isArchived false to restore it, or write in another workspace.',
  },
} as const satisfies Failures;

const shaText = checkedText((text) =>
  /^[0-9a-f]{64}$/iu.test(text)
    ? undefined
    : 'is no SHA-256; give the 64 hex digits that reading the file has answered',
);

const contentText = checkedText((text) => {
  const size = new TextEncoder().encode(text).length;
  return size <= CONTENT_LIMIT
    ? undefined
    : `has ${megabytes(size)} MB; one call writes at most 1 MB, so write the rest with mode "append"`;
});

export function storageWriteTool(side: Side): Tool<Services> {
  const writeFailures: Partial<typeof archivedFailure> =
    side === ofWorkspace ? archivedFailure : {};
  return defineTool({
    name: `${side.name}StorageWrite`,
    title: `Write ${side.name} file`,
    access: 'write',
    action: { resource: 'storage', name: `${side.name}Write` },
    description: `Write a text file for ${side.owner}.`,
    input: z.strictObject({
      path: filePath,
      content: contentText,
      mode: z.enum(['create', 'overwrite', 'append']).default('create'),
      expectedSha: shaText
        .optional()
        .describe('sha256 as last read: fails if the file changed since'),
    }),
    output: z.object({ size: z.number(), sha256: z.string() }),
    failures: {
      ...fileFailures,
      ...writeFailures,
      twin: {
        error: '"{path}" and "{twin}", which is there, would be one file on some devices.',
        advice:
          'Use the path that is there, or one that differs in more than case or way of writing.',
      },
      exists: {
        error: 'File "{path}" already exists.',
        advice: 'Use mode "overwrite" or "append", or another path.',
      },
      changed: {
        error: 'File "{path}" is not as expectedSha says: it was changed or removed since.',
        advice: 'Read it again, and write with the sha256 that you are answered then.',
      },
      full: {
        error: 'File "{path}" would have {size} MB.',
        advice: 'A file holds at most 4 MB. Begin another.',
      },
    },
    examples: [
      {
        title: 'A new file',
        params: { path: 'beds/plan.md', content: plan },
        answer: { success: true, data: { size: 26, sha256: planSha } },
      },
      {
        title: 'More at its end',
        before: [writeCall(side, 'plan.md', 'Dig, then sow')],
        params: { path: 'plan.md', content: ', then water.', mode: 'append' },
        answer: { success: true, data: { size: 26, sha256: planSha } },
      },
      {
        title: 'A name that is taken',
        before: [writeCall(side, 'plan.md', plan)],
        params: { path: 'plan.md', content: 'Rest.' },
        answer: {
          success: false,
          error:
            'File "plan.md" already exists. Use mode "overwrite" or "append", or another path.',
        },
      },
      {
        title: 'Nobody else has written since',
        before: [writeCall(side, 'plan.md', plan)],
        params: { path: 'plan.md', content: 'Rest.', mode: 'overwrite', expectedSha: planSha },
        answer: { success: true, data: { size: 5 } },
      },
      {
        title: 'Somebody has',
        before: [writeCall(side, 'plan.md', 'Rest.')],
        params: { path: 'plan.md', content: 'Dig.', mode: 'overwrite', expectedSha: planSha },
        answer: {
          success: false,
          error:
            'File "plan.md" is not as expectedSha says: it was changed or removed since. Read it again, and write with the sha256 that you are answered then.',
        },
      },
    ],
    async run({ path: asked, content, mode, expectedSha }, call) {
      const { services, workspace, fail } = call;
      const { files } = services;
      if (side === ofWorkspace && workspace.isArchived) fail('archived', { name: workspace.name });
      const base = await folderOf(side, call);
      const find = async (): Promise<VaultPath> => {
        const place = await placeOf(files, base, storedPath(asked));
        if ('elsewhere' in place) return fail('elsewhere', { path: asked });
        if ('twin' in place) return fail('twin', { path: asked, twin: place.twin });
        return place.path;
      };
      const path = await find();
      await checkFile(files, path, asked, fail);
      let sha = '';
      const { size } = await files.update(path, async (before) => {
        await find(); // a twin may have come meanwhile
        if (
          expectedSha !== undefined &&
          (!before || (await sha256(before)) !== expectedSha.toLowerCase())
        )
          fail('changed', { path: asked });
        if (before && mode === 'create') fail('exists', { path: asked });
        const kept = before && mode === 'append' ? [before] : [];
        if (kept.some((bytes) => textOf(bytes) === undefined)) fail('binary', { path: asked });
        const bytes = joinBytes([...kept, new TextEncoder().encode(content)]);
        if (bytes.length > FILE_LIMIT) fail('full', { path: asked, size: megabytes(bytes.length) });
        sha = await sha256(bytes);
        return bytes;
      });
      return { size, sha256: sha };
    },
  });
}
