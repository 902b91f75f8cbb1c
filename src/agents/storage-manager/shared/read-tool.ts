import * as z from 'zod';
import { sha256 } from '../../../platform/sha256.js';
import type { Tool } from '../../../toolkit/define-tool.js';
import { defineTool, type Services } from '../../services.js';
import {
  checkFile,
  FILE_LIMIT,
  fileFailures,
  filePath,
  folderOf,
  plan,
  planSha,
  storedPath,
  textOf,
  writeCall,
  type Side,
} from './side.js';
import { placeOf } from './paths.js';

/** Of a part that is read in one call, in characters. */
const PART_LIMIT = 100_000;
const USUAL_PART = 20_000;

export function storageReadTool(side: Side): Tool<Services> {
  return defineTool({
    name: `${side.name}StorageRead`,
    title: `Read ${side.name} file`,
    access: 'read',
    action: { resource: 'storage', name: `${side.name}Read` },
    description: `Read a text file kept for ${side.owner}.`,
    input: z.strictObject({
      path: filePath,
      offset: z.number().int().min(0).max(FILE_LIMIT).default(0).describe('In characters'),
      limit: z.number().int().min(1).max(PART_LIMIT).default(USUAL_PART),
    }),
    output: z.object({
      content: z.string(),
      size: z.number().describe('Bytes of the whole file'),
      sha256: z.string().describe('Of the whole file'),
      nextOffset: z.number().optional().describe('Where the rest begins'),
    }),
    failures: {
      ...fileFailures,
      notFound: {
        error: 'File "{path}" not found.',
        advice: `Use ${side.name}StorageList to see the files.{hint}`,
      },
    },
    examples: [
      {
        title: 'A file and its hash',
        before: [writeCall(side, 'beds/plan.md', plan)],
        params: { path: 'beds/plan.md' },
        answer: { success: true, data: { content: plan, size: 26, sha256: planSha } },
      },
      {
        title: 'A part of it',
        before: [writeCall(side, 'beds/plan.md', plan)],
        params: { path: 'beds/plan.md', offset: 5, limit: 8 },
        answer: { success: true, data: { content: 'then sow', nextOffset: 13 } },
      },
    ],
    async run({ path: asked, offset, limit }, call) {
      const { services, fail } = call;
      const place = await placeOf(services.files, await folderOf(side, call), storedPath(asked));
      if ('elsewhere' in place) return fail('elsewhere', { path: asked });
      if ('twin' in place)
        return fail('notFound', { path: asked, hint: ` Did you mean "${place.twin}"?` });
      await checkFile(services.files, place.path, asked, fail);
      const bytes = await services.files.read(place.path);
      if (!bytes) return fail('notFound', { path: asked, hint: '' });
      const { content, next } = partOf(
        textOf(bytes) ?? fail('binary', { path: asked }),
        offset,
        limit,
      );
      return {
        content,
        size: bytes.length,
        sha256: await sha256(bytes),
        ...(next !== undefined && { nextOffset: next }),
      };
    },
  });
}

/** At least one whole character from `offset` on, and where the next part begins if there is one. */
function partOf(
  text: string,
  offset: number,
  limit: number,
): { content: string; next: number | undefined } {
  const from = isInPair(text, offset) ? offset - 1 : offset;
  const to = isInPair(text, from + limit) ? from + limit + (limit === 1 ? 1 : -1) : from + limit;
  return { content: text.slice(from, to), next: to < text.length ? to : undefined };
}

/** Whether a cut here would halve a character of two code units. */
function isInPair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
