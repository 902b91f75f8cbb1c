import * as z from 'zod';
import type { Savepoint } from '../savepoint.js';

const hitShape = z.object({
  content: z.string(),
  type: z.enum(['state', 'trace']),
  tool: z.string().optional(),
  name: z.string().optional(),
  createdAt: z.string(),
});

/** A state or tool call found by the search. */
export type MemoryHit = z.output<typeof hitShape>;

export type Search =
  | { readonly phase: 'searching' }
  | { readonly phase: 'done'; readonly hits: readonly MemoryHit[] }
  | { readonly phase: 'failed'; readonly error: string };

/** Maximum number of hits shown; the user can refine the query. */
const MAX_HITS = 100;

/** Searches all fields of a workspace's states and tool calls. */
export async function searchEverything(
  savepoint: Savepoint,
  workspaceId: string,
  query: string,
  fault: string,
): Promise<Search> {
  const answer = await savepoint.call(
    'searchMemory',
    { query, workspaceId, limit: MAX_HITS },
    workspaceId,
  );
  if (!answer.success) return { phase: 'failed', error: answer.error ?? fault };
  return { phase: 'done', hits: z.array(hitShape).parse(answer.data) };
}
