import * as z from 'zod';
import { isUnlimited } from '../../indexing/search-result.js';
import { allWorkspaces } from '../../model/lookup.js';
import { RECORD_KINDS } from '../../model/records/record-kinds.js';
import { TRACE_KINDS, type Trace } from '../../model/trace.js';
import { periodAsked, QueryTerms, weightOf, type QueryTerm } from '../../search/index.js';
import { ALL_WORKSPACES, isAllWorkspaces, workspaceFailures } from '../../toolkit/context.js';
import { createGarden } from '../shared/example-calls.js';
import { dateFailures, dateRange, parseDateRange } from '../shared/date-range.js';
import { nonEmptyText } from '../shared/inputs.js';
import { recentStates } from '../shared/same-work.js';
import { checkQuery, queryFailures } from '../shared/search-inputs.js';
import { defineTool } from '../services.js';
import { matchNotice } from './shared/match-notice.js';
import { searchNotice } from './shared/nothing-found.js';
import { findInMemory } from './shared/find-in-memory.js';
import { byMeaningIfUnmatched, newestFirstOfWork, type EntityHit } from './shared/memory-hits.js';
import { entityRow, hitText, traceRow, type RowContext } from './shared/memory-rows.js';
import { countElsewhere, memoryScope } from './shared/memory-scope.js';

const BY_WORDS_ONLY = 'Searched by words only, as search by meaning is still starting.';

/** A trace after other hits needs one of these: words of the query, or its meaning. */
const MIN_TRACE_SHARE = 0.5;
const MIN_TRACE_SIMILARITY = 0.5;

const MEMORY_TYPES = ['states', 'records', 'traces'] as const;

const beds = {
  name: 'Beds drawn',
  conversationContext: 'Drew three beds by the wall.',
  activeTask: 'Choose plants',
  activeFiles: ['Garden/Beds.md'],
  nextSteps: ['Ask Ana for seedlings'],
};

export const searchMemory = defineTool({
  name: 'searchMemory',
  title: 'Search memory',
  access: 'read',
  usesWorkspace: ({ workspaceId }) => workspaceId === undefined,
  action: {
    resource: 'search',
    name: 'search',
    when: { resource: 'memory' },
    aliases: [{ action: undefined, when: { resource: 'memory' } }],
  },
  description: 'Search saved states, records and past tool calls.',
  input: z.strictObject({
    query: z.string().describe('"" lists a dateRange'),
    workspaceId: nonEmptyText.optional().describe('Id or name; "all" for every workspace'),
    memoryTypes: z
      .array(z.enum(MEMORY_TYPES))
      .min(1)
      .default([...MEMORY_TYPES]),
    dateRange: dateRange.optional(),
    limit: z.number().int().min(1).max(200).default(20),
  }),
  output: z.array(
    z.object({
      id: z.string().optional().describe('For getMemory'),
      content: z.string(),
      type: z
        .enum(['state', ...RECORD_KINDS, 'trace'])
        .optional()
        .describe('Only if several types are searched'),
      name: z.string().optional(),
      newest: z.string().optional().describe('The newest state of the same work'),
      earlier: z.number().optional().describe('Number of earlier states of the same work'),
      next: z.string().optional().describe('The first next step'),
      outcome: z.string().optional().describe('What has become of a record or state'),
      state: z.string().optional().describe('The state with which the record was saved'),
      workspace: z.string().optional().describe('Only in a search of all workspaces'),
      tool: z.string().optional(),
      kind: z.enum(TRACE_KINDS).optional(),
      context: z.string().optional().describe('Why the call was made'),
      createdAt: z.string().describe('Day of a record, minute of a state or call'),
    }),
  ),
  failures: {
    ...workspaceFailures,
    ...dateFailures,
    ...queryFailures,
  },
  examples: [
    {
      title: 'Find a state by its next steps',
      before: [
        { tool: 'createState', params: beds },
        {
          tool: 'createState',
          params: { ...beds, name: 'Pond', activeFiles: ['Garden/Pond.md'] },
        },
      ],
      params: {
        query: 'seedlings drawn',
        workspaceId: 'default',
        memoryTypes: ['states'],
        limit: 1,
      },
      data: [
        {
          name: 'Beds drawn',
          next: 'Ask Ana for seedlings',
          content: 'Drew three beds by the wall.',
        },
      ],
    },
    {
      title: 'Tool calls in a period',
      before: [{ tool: 'createState', params: beds }],
      params: {
        query: 'beds',
        workspaceId: 'default',
        memoryTypes: ['traces'],
        dateRange: { start: '2020-01-01', end: '2199-12-31' },
      },
      data: [{ tool: 'createState' }],
    },
    {
      title: 'In every workspace',
      before: [{ tool: 'createState', params: beds }, createGarden],
      params: { query: 'seedlings', workspaceId: 'all', memoryTypes: ['states'] },
      data: [{ name: 'Beds drawn', workspace: 'Default' }],
    },
    {
      title: 'What happened lately',
      before: [{ tool: 'createState', params: beds }],
      params: { query: '', workspaceId: 'default', dateRange: { start: '2020-01-01' } },
      data: [{ type: 'state', name: 'Beds drawn' }],
    },
    {
      title: 'No result in the date range',
      before: [{ tool: 'createState', params: beds }],
      params: { query: 'beds', workspaceId: 'default', dateRange: { end: '2021-12-31' } },
      data: [],
    },
  ],
  async run({ query: typed, workspaceId, memoryTypes, dateRange: given, limit }, call) {
    const { memory, workspace, services, fail, addIndexState, addNotice } = call;
    const asked = given === undefined ? periodAsked(typed, services.clock.now()) : undefined;
    const query = asked ? '' : typed;
    const range = asked
      ? { from: asked.first, to: asked.last }
      : parseDateRange(given, fail, services.clock.now());
    checkQuery(query, fail, isUnlimited(range));
    const isAll = isAllWorkspaces(workspaceId);
    const scope = memoryScope(memory, isAll ? undefined : workspace.id);
    const types = memoryTypes.flatMap((type) => (type === 'traces' ? [] : [ENTITY_TYPES[type]]));
    const request = { query, range, limit, types, hasTraces: memoryTypes.includes('traces') };
    let found = await findInMemory(call, scope.searched, request);
    if (found.isEmpty && scope.archived.length > 0) {
      found = await findInMemory(call, scope.archived, request);
      if (!found.isEmpty) addNotice('Only archived workspaces contain this.');
    }
    addIndexState(found.progress);
    if (found.isByWordsOnly) addNotice(BY_WORDS_ONLY);
    const { relevance } = found;
    const terms = new QueryTerms(query, relevance);
    // a session is more than a hint: it is shown when it is all there is
    const isShown = (trace: Trace) =>
      types.length === 0 ||
      (trace.checkpoint !== undefined && found.entities.length === 0) ||
      relevance.similarityOf(trace.input) >= MIN_TRACE_SIMILARITY ||
      weightOf(terms.in(traceText(trace))) >= MIN_TRACE_SHARE * weightOf(terms.terms);
    const traces = found.traces.filter(isShown);
    const termsIn = rememberTerms((hit) => terms.in(hitText(memory, hit)));
    const rareIn = (hit: EntityHit) => terms.rareShare(termsIn(hit));
    const entities = byMeaningIfUnmatched(found.entities, relevance, rareIn);
    const best = entities.find((hit) => 'state' in hit);
    const recent = best ? await recentStates(call, best.state.item.workspaceId) : [];
    const hits = newestFirstOfWork(memory, entities, recent, termsIn);
    const notice = matchNotice(terms, [
      ...hits.map((hit) => hitText(memory, hit)),
      ...traces.map(traceText),
    ]);
    const within = isUnlimited(range) ? [] : ['in the date range'];
    const literal = searchNotice(hits.length + traces.length, found.unmatched, within);
    for (const text of [literal, notice]) if (text !== undefined) addNotice(text);
    const criteria = { query, range, workspaceIds: scope.others, memory };
    const elsewhere =
      types.length > 0 && (await countElsewhere(services.search.memory, criteria, types));
    if (elsewhere)
      addNotice(`${elsewhere}. Pass workspaceId "${ALL_WORKSPACES}" to search all workspaces.`);
    const quota = splitLimit(limit, hits.length, traces.length);
    const shown = hits.slice(0, quota.entities);
    const titles = shown.flatMap((hit) => ('record' in hit ? [hit.record.title] : []));
    const context: RowContext = {
      memory,
      terms,
      relevance,
      titles: new Set(titles),
      hasTypes: memoryTypes.length > 1,
      names: isAll
        ? new Map(allWorkspaces(memory).map(({ item, displayName }) => [item.id, displayName]))
        : undefined,
    };
    return [
      ...shown.map((hit, rank) => entityRow(hit, rank, context)),
      ...traces.slice(0, quota.traces).map((trace, rank) => traceRow(trace, rank, context)),
    ];
  },
});

type TermsIn = (hit: EntityHit) => ReadonlySet<QueryTerm>;

/** Reads each hit once, because ordering compares many pairs. */
function rememberTerms(termsIn: TermsIn): TermsIn {
  const known = new Map<string, ReadonlySet<QueryTerm>>();
  return (hit) => {
    const id = 'record' in hit ? hit.record.id : hit.state.entity.id;
    const terms = known.get(id) ?? termsIn(hit);
    known.set(id, terms);
    return terms;
  };
}

function traceText(trace: Trace): string {
  const { tool, kind, input, outcome, files = [], memory, goal, constraints, client } = trace;
  return [kind ?? tool, input, outcome, ...files, memory, goal, constraints, client].join('\n');
}

const ENTITY_TYPES = { states: 'state', records: 'record' } as const;

/** Splits the limit so that traces never crowd out the rest. A half may use the other's surplus. */
function splitLimit(
  limit: number,
  entities: number,
  traces: number,
): { entities: number; traces: number } {
  const half = Math.ceil(limit / 2);
  const forEntities = Math.min(entities, Math.max(half, limit - traces));
  return { entities: forEntities, traces: Math.min(traces, limit - forEntities) };
}
