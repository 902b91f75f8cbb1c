import * as z from 'zod';
import { allWorkspaces, type Named } from '../../model/lookup.js';
import { entityOf, type Memory } from '../../model/memory.js';
import { displayName } from '../../apps/index.js';
import type { State } from '../../model/state.js';
import { stateOf } from '../../model/state.js';
import { distinctIds, shortId } from '../../model/text/short-id.js';
import { TRACE_KINDS, type Trace } from '../../model/trace.js';
import { saveOutline } from '../shared/example-calls.js';
import { validatedText } from '../shared/inputs.js';
import { defineTool, type Services } from '../services.js';
import { findById, type ItemById } from './shared/items-by-id.js';
import { shownContent, splitState } from './shared/state-parts.js';

const MAX_CANDIDATES = 10;

const itemId = validatedText((text) =>
  /^[st][0-9a-z]*$/.test(text.trim().toLowerCase())
    ? undefined
    : 'is not an id; pass the "id" of a row of searchMemory or timeline, such as "s7hq2m"',
);

export const getMemory = defineTool({
  name: 'getMemory',
  isUnlisted: true,
  title: 'Get memory',
  access: 'read',
  action: {
    resource: 'memory',
    name: 'get',
    aliases: [{ action: 'get', when: { resource: undefined } }],
  },
  description: 'Get a search or timeline row in full.',
  input: z.strictObject({ id: itemId }),
  output: z.object({
    id: z.string(),
    type: z.enum(['state', 'trace']),
    workspace: z.string().optional(),
    createdAt: z.string(),
    name: z.string().optional(),
    isArchived: z.literal(true).optional(),
    activeTask: z.string().optional(),
    nextSteps: z.array(z.string()).optional(),
    decisions: z.array(z.string()).optional(),
    questions: z.array(z.string()).optional(),
    activeFiles: z.array(z.string()).optional(),
    tags: z.array(z.string()).optional(),
    description: z.string().optional(),
    conversationContext: z.string().optional(),
    kind: z.enum(TRACE_KINDS).optional(),
    tool: z.string().optional(),
    content: z.string().optional(),
    outcome: z.string().optional(),
    files: z.array(z.string()).optional(),
    goal: z.string().optional(),
    memory: z.string().optional(),
    constraints: z.string().optional(),
    savedState: z.string().optional().describe('Name of the state that the call saved'),
    client: z.string().optional(),
    session: z.string().optional(),
  }),
  failures: {
    notFound: {
      error: 'Nothing has the id "{id}".',
      advice: 'Use searchMemory or timeline to get ids; traces expire.',
    },
    ambiguous: {
      error: 'The id "{id}" is ambiguous: {candidates}.',
      advice: 'Use one of these ids.',
    },
  },
  examples: [
    {
      title: 'An id that nothing has',
      before: [saveOutline],
      params: { id: 's1' },
      answer: {
        success: false,
        error: 'Nothing has the id "s1". Use searchMemory or timeline to get ids; traces expire.',
      },
    },
  ],
  async run({ id: typed }, { services, memory, fail, addNotice }) {
    const id = typed.trim().toLowerCase();
    const { log, search } = services;
    const items = await findById({ log, scheduler: search.access.scheduler }, memory, id);
    const [item] = items;
    if (!item) return fail('notFound', { id });
    if (items.length > 1)
      return fail('ambiguous', { id, candidates: await describeCandidates(services, items) });
    const names = new Map(allWorkspaces(memory).map((each) => [each.item.id, each.displayName]));
    if ('head' in item) {
      const state = item.head.read();
      if (!state) return fail('notFound', { id });
      const [content, ...rest] = splitState(shownContent(memory, state.item));
      if (rest.length > 0)
        addNotice(`This is part 1 of ${rest.length + 1}. Call loadState with part 2 for more.`);
      return { ...stateFacts(item.ref, state, names), ...content };
    }
    const [trace] = await log.readTraces([item.entry]);
    return trace ? traceFacts(item.ref, trace, names, memory) : fail('notFound', { id });
  },
});

async function describeCandidates(
  { log }: Pick<Services, 'log'>,
  items: readonly ItemById[],
): Promise<string> {
  const ids = distinctIds(items.map(({ ref }) => ref));
  const listed = await Promise.all(
    items
      .slice(0, MAX_CANDIDATES)
      .map(async (item, at) => `${ids[at]} (${await describeItem(log, item)})`),
  );
  const more = items.length - listed.length;
  return `${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

async function describeItem(log: Services['log'], item: ItemById): Promise<string> {
  if ('head' in item) return `"${item.head.read()?.displayName ?? ''}"`;
  const [trace] = await log.readTraces([item.entry]);
  return `${trace?.kind ?? trace?.tool ?? 'trace'} of ${item.entry.h.slice(0, 16)}Z`;
}

type WorkspaceNames = ReadonlyMap<string, string>;

function stateFacts(ref: string, { item, displayName }: Named<State>, names: WorkspaceNames) {
  const { workspaceId, createdAt, isArchived } = item;
  return {
    id: shortId(ref),
    type: 'state',
    name: displayName,
    workspace: names.get(workspaceId),
    createdAt,
    ...(isArchived && { isArchived: true }),
  };
}

function traceFacts(ref: string, trace: Trace, names: WorkspaceNames, memory: Memory) {
  const { kind, tool, input, outcome, files, goal, constraints, client, sessionId } = trace;
  const state = trace.stateId === undefined ? undefined : stateOf(entityOf(memory, trace.stateId));
  return {
    id: shortId(ref),
    type: 'trace',
    kind: kind ?? 'tool_call',
    ...(kind === undefined && { tool }),
    workspace: names.get(trace.workspaceId),
    createdAt: trace.createdAt,
    content: input,
    ...(outcome !== '' && { outcome }),
    ...(files && { files }),
    ...(goal && { goal }),
    ...(trace.memory && { memory: trace.memory }),
    ...(constraints && { constraints }),
    ...(state && { savedState: state.name }),
    ...(client && { client: displayName(client) }),
    session: sessionId,
  };
}
