import * as z from 'zod';
import { allWorkspaces, type Named } from '../../model/lookup.js';
import { entityOf, type Memory } from '../../model/memory.js';
import { displayName } from '../../apps/index.js';
import { RECORD_KINDS } from '../../model/records/record-kinds.js';
import { listedTitle } from '../../model/records/record.js';
import type { State } from '../../model/state.js';
import { stateOf } from '../../model/state.js';
import { utcMinute } from '../../model/text/local-minute.js';
import { distinctIds, shortId } from '../../model/text/short-id.js';
import { TRACE_KINDS, type Trace } from '../../model/trace.js';
import { saveOutline } from '../shared/example-calls.js';
import { partInput, validatedText } from '../shared/inputs.js';
import { recordRow, toRecordRow } from '../shared/records/record-rows.js';
import { defineTool, type Services } from '../services.js';
import { findById, type ItemById } from './shared/items-by-id.js';
import { contentOutput, shownContent, splitFields, splitState } from './shared/state-parts.js';

const MAX_CANDIDATES = 10;

const itemId = validatedText((text) =>
  /^[0-9a-z]+$/.test(text.trim().toLowerCase())
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
  description: 'Get a row in full.',
  input: z.strictObject({ id: itemId, part: partInput }),
  output: z.object({
    id: z.string(),
    type: z.enum(['state', ...RECORD_KINDS, 'trace']),
    ...recordRow.omit({ id: true, kind: true, createdAt: true }).partial().shape,
    part: z.number().optional(),
    parts: z.number().optional().describe('Texts and lists continue in the next part'),
    workspace: z.string().optional(),
    createdAt: z.string(),
    name: z.string().optional(),
    ...contentOutput,
    kind: z.enum(TRACE_KINDS).optional(),
    tool: z.string().optional(),
    content: z.string().optional(),
    outcome: z.string().optional(),
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
    unknownPart: {
      error: '"{id}" has no part {part}.',
      advice: 'Pass a part from 1 to {parts}.',
    },
  },
  examples: [
    {
      title: 'An id that nothing has',
      before: [saveOutline],
      params: { id: 's1' },
      error: 'Nothing has the id "s1". Use searchMemory or timeline to get ids; traces expire.',
    },
    {
      title: 'A part that does not exist',
      before: [saveOutline],
      params: { id: 's7cauk', part: 2 },
      error: '"s7cauk" has no part 2. Pass a part from 1 to 1.',
    },
  ],
  async run({ id: typed, part }, { services, memory, fail, addNotice }) {
    const id = typed.trim().toLowerCase();
    const { log, search } = services;
    const items = await findById({ log, scheduler: search.access.scheduler }, memory, id);
    const [item] = items;
    if (!item) return fail('notFound', { id });
    if (items.length > 1)
      return fail('ambiguous', { id, candidates: await describeCandidates(services, items) });
    const found = await readItem(services, memory, item);
    if (!found) return fail('notFound', { id });
    const { facts, parts } = found;
    const content = parts[part - 1];
    if (!content) return fail('unknownPart', { id, part: `${part}`, parts: `${parts.length}` });
    if (part < parts.length)
      addNotice(
        `This is part ${part} of ${parts.length}. Call getMemory with id "${id}" and part ${part + 1} for more.`,
      );
    return { ...facts, ...(parts.length > 1 && { part, parts: parts.length }), ...content };
  },
});

/** Returns an item in parts that fit into an answer; undefined if it cannot be read. */
async function readItem(
  { log, clock }: Services,
  memory: Memory,
  item: ItemById,
): Promise<{ readonly facts: object; readonly parts: readonly object[] } | undefined> {
  const nameOf = (workspaceId: string) =>
    allWorkspaces(memory).find((each) => each.item.id === workspaceId)?.displayName;
  if ('record' in item) {
    const { record } = item;
    const { kind: type, ...row } = toRecordRow(memory, record, clock.now());
    const { title } = record;
    const { body, ...facts } = { ...row, title, type, workspace: nameOf(record.workspaceId) };
    return { facts, parts: body === undefined ? [{}] : splitFields(record, ['body']) };
  }
  if ('head' in item) {
    const state = item.head.read();
    if (!state) return undefined;
    const facts = stateFacts(item.ref, state, nameOf(state.item.workspaceId));
    return { facts, parts: splitState(shownContent(memory, state.item)) };
  }
  const [trace] = await log.readTraces([item.entry]);
  if (!trace) return undefined;
  const { facts, content } = traceFacts(item.ref, trace, nameOf(trace.workspaceId), memory);
  return { facts, parts: splitFields(content, TRACE_FIELDS) };
}

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
  if ('record' in item) return `the ${item.record.kind} "${listedTitle(item.record)}"`;
  if ('head' in item) return `"${item.head.read()?.displayName ?? ''}"`;
  const [trace] = await log.readTraces([item.entry]);
  return `${trace?.kind ?? trace?.tool ?? 'trace'} of ${utcMinute(item.entry.h)}`;
}

function stateFacts(
  ref: string,
  { item, displayName }: Named<State>,
  workspace: string | undefined,
) {
  const { createdAt, isArchived } = item;
  return {
    id: shortId(ref),
    type: 'state',
    name: displayName,
    workspace,
    createdAt,
    ...(isArchived && { isArchived: true }),
  };
}

/** The texts of a trace, most important first. */
const TRACE_FIELDS = ['content', 'outcome', 'files', 'goal', 'memory', 'constraints'] as const;

function traceFacts(ref: string, trace: Trace, workspace: string | undefined, memory: Memory) {
  const { kind, tool, input, outcome, files, goal, constraints, client, sessionId } = trace;
  const state = trace.stateId === undefined ? undefined : stateOf(entityOf(memory, trace.stateId));
  const facts = {
    id: shortId(ref),
    type: 'trace',
    kind: kind ?? 'tool_call',
    ...(kind === undefined && { tool }),
    workspace,
    createdAt: trace.createdAt,
    ...(state && { savedState: state.name }),
    ...(client && { client: displayName(client) }),
    session: sessionId,
  };
  const orNone = (text = '') => (text === '' ? undefined : text);
  const content = {
    content: input,
    outcome: orNone(outcome),
    files,
    goal: orNone(goal),
    memory: orNone(trace.memory),
    constraints: orNone(constraints),
  };
  return { facts, content };
}
