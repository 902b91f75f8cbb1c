import * as z from 'zod';
import { splitsPair } from '../../../model/text/truncate.js';
import { utf8Text } from '../../../platform/bytes/bytes.js';
import { sha256 } from '../../../platform/sha256.js';
import { cutToJsonLength } from '../../../toolkit/answer-limit.js';
import type { Tool } from '../../../toolkit/define-tool.js';
import { defineTool, type Services } from '../../services.js';
import {
  checkFile,
  MAX_FILE_BYTES,
  fileFailures,
  filePath,
  storageFolder,
  EXAMPLE_TEXT,
  EXAMPLE_SHA256,
  toStoredPath,
  exampleWrite,
  type StorageScope,
  storageTool,
} from './storage-scope.js';
import { resolveStoredPath } from './paths.js';

/** Maximum number of characters that one call can read. */
const MAX_PART_LENGTH = 100_000;
const DEFAULT_PART_LENGTH = 20_000;
/** Room for the text in an answer, in characters as JSON. */
const MAX_CONTENT_CHARACTERS = 36_000;

export function storageReadTool(scope: StorageScope): Tool<Services> {
  return defineTool({
    ...storageTool(scope, 'Read', 'storage_read'),
    title: `Read ${scope.name} file`,
    access: 'read',
    description: `Read a text file stored for ${scope.owner}.`,
    input: z.strictObject({
      path: filePath,
      offset: z.number().int().min(0).max(MAX_FILE_BYTES).default(0).describe('In characters'),
      limit: z.number().int().min(1).max(MAX_PART_LENGTH).default(DEFAULT_PART_LENGTH),
    }),
    output: z.object({
      content: z.string(),
      size: z.number().describe('Size of the whole file in bytes'),
      sha256: z.string().describe('Hash of the whole file'),
      nextOffset: z.number().optional().describe('Pass it as offset to read the rest'),
    }),
    failures: {
      ...fileFailures,
      notFound: {
        error: 'File "{path}" not found.',
        advice: `Use ${scope.name}StorageList to see the files.{hint}`,
      },
    },
    examples: [
      {
        title: 'A file and its hash',
        before: [exampleWrite(scope, 'beds/plan.md', EXAMPLE_TEXT)],
        params: { path: 'beds/plan.md' },
        data: { content: EXAMPLE_TEXT, size: 26, sha256: EXAMPLE_SHA256 },
      },
      {
        title: 'A part of a file',
        before: [exampleWrite(scope, 'beds/plan.md', EXAMPLE_TEXT)],
        params: { path: 'beds/plan.md', offset: 5, limit: 8 },
        data: { content: 'then sow', nextOffset: 13 },
      },
    ],
    async run({ path: typed, offset, limit }, call) {
      const { services, fail } = call;
      const resolved = await resolveStoredPath(
        services.files,
        await storageFolder(scope, call),
        toStoredPath(typed),
      );
      if ('isAlias' in resolved) return fail('aliasPath', { path: typed });
      if ('collidesWith' in resolved)
        return fail('notFound', { path: typed, hint: ` Did you mean "${resolved.collidesWith}"?` });
      await checkFile(services.files, resolved.path, typed, fail);
      const bytes = await services.files.read(resolved.path);
      if (!bytes) return fail('notFound', { path: typed, hint: '' });
      const { content, next } = fitText(
        utf8Text(bytes) ?? fail('binary', { path: typed }),
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

/**
 * Returns about `limit` characters, as far as they fit into an answer, and the next offset. Never
 * splits a surrogate pair.
 */
function fitText(
  text: string,
  offset: number,
  limit: number,
): { content: string; next: number | undefined } {
  const from = splitsPair(text, offset) ? offset - 1 : offset;
  const end = from + limit;
  const step = limit === 1 ? 1 : -1; // a part is never empty
  const part = text.slice(from, splitsPair(text, end) ? end + step : end);
  const content = cutToJsonLength(part, MAX_CONTENT_CHARACTERS);
  const next = from + content.length;
  return { content, next: next < text.length ? next : undefined };
}
