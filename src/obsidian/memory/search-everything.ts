import * as z from 'zod';
import type { Savepoint } from '../savepoint.js';

const hitShape = z.object({
  content: z.string(),
  type: z.enum(['state', 'trace']),
  tool: z.string().optional(),
  name: z.string().optional(),
  createdAt: z.string(),
});

/** A state or a tool call that the search has found. */
export type Hit = z.output<typeof hitShape>;

export type Search =
  | { readonly phase: 'searching' }
  | { readonly phase: 'done'; readonly hits: readonly Hit[] }
  | { readonly phase: 'failed'; readonly error: string };

/** At most this many are shown: whoever looks further says more words. */
const LIMIT = 100;

/** Looks into every field of the states and tool calls of a workspace. */
export async function searchEverything(
  savepoint: Savepoint,
  workspaceId: string,
  query: string,
  fault: string,
): Promise<Search> {
  const answer = await savepoint.call(
    'searchMemory',
    { query, workspaceId, limit: LIMIT },
    workspaceId,
  );
  if (!answer.success) return { phase: 'failed', error: answer.error ?? fault };
  return { phase: 'done', hits: z.array(hitShape).parse(answer.data) };
}
