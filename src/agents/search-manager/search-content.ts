import * as z from 'zod';
import { counted } from '../../model/text/counted.js';
import { estimateToolTokens } from '../../model/text/estimate-tokens.js';
import { dateFailures, dateRange, parseDateRange } from '../shared/date-range.js';
import { nonEmptyText, textList } from '../shared/inputs.js';
import {
  folderFailures,
  checkQuery,
  queryFailures,
  unfinishedIndex,
  resolveSearchFolder,
} from '../shared/search-inputs.js';
import { SEARCH_MODES } from '../../indexing/notes/note-search.js';
import { isUnlimited } from '../../indexing/search-result.js';
import { defineTool } from '../services.js';
import { searchNotice, unreadNotice } from './shared/nothing-found.js';

const MAX_DUPLICATES_LISTED = 10;

/** Estimated tokens per hit. Ten cost a model at most 1,000, with what apps add. */
const TOKENS_PER_HIT = 85;
/** Fewer hits may take as much as these. */
const FULL_HITS = 10;

/** Maximum number of notes outside the folder to count if there is none inside. */
const MAX_COUNTED_OUTSIDE = 20;

const UNCLEAR_LANGUAGE =
  'The query may not be English, the only language that search by meaning supports. Use mode "keyword" if the results do not fit.';

const SIMILAR_ONLY = 'No word of the query occurs; these notes are only similar in meaning.';

const row = z.object({
  path: z.string(),
  heading: z.string().optional(),
  line: z.number(),
  content: z.string(),
  score: z.number().describe('From 0 to 1: how much of the query the first hit has'),
  why: z.string().describe('Which parts of the note match, and whether its meaning does'),
  also: z
    .array(z.string())
    .optional()
    .describe('Up to ten more notes with nearly the same passage'),
});
type Row = z.infer<typeof row>;

const notes = {
  'Garden/Tomatoes.md':
    '---\ntags: [vegetables]\n---\n# Watering\nWater the tomatoes every second morning.\n',
  'Garden/Shed.md': '# Repairs\nThe roof of the shed leaks. #todo\n',
  'House/Car.md': '# Costs\nThe automobile needs new tyres before winter. #todo\n',
};

export const searchContent = defineTool({
  name: 'searchContent',
  title: 'Search notes',
  access: 'read',
  usesWorkspace: ({ rootFolder }) => rootFolder === undefined,
  action: {
    resource: 'search',
    name: 'search',
    when: { resource: 'notes' },
    aliases: [
      { action: undefined, when: { resource: 'notes' } },
      { action: undefined, when: { resource: 'code' } },
      { action: 'search', when: { resource: 'code' } },
    ],
  },
  description: "Search the vault's notes by keywords and meaning.",
  input: z.strictObject({
    query: nonEmptyText,
    rootFolder: nonEmptyText.optional().describe('Default: the workspace folder; "/" is the vault'),
    mode: z.enum(SEARCH_MODES).default('hybrid'),
    tags: textList.default([]),
    dateRange: dateRange.optional(),
    limit: z.number().int().min(1).max(200).default(10),
  }),
  isTextOnly: true,
  output: z.array(row),
  failures: {
    ...queryFailures,
    ...folderFailures,
    ...dateFailures,
    noMeaning: { error: 'Search by meaning is not available here.', advice: 'Use mode "keyword".' },
    notEnglish: {
      error: 'Search by meaning supports only English, and the query does not look English.',
      advice: 'Use mode "keyword", or ask in English.',
    },
  },
  examples: [
    {
      title: 'By keywords',
      notes,
      params: { query: 'water tomatoes', mode: 'keyword', limit: 1 },
      data: [
        {
          path: 'Garden/Tomatoes.md',
          heading: 'Watering',
          line: 5,
          score: 0.6,
          why: 'title, heading, text',
        },
      ],
    },
    {
      title: 'By meaning, with no words in common',
      notes,
      params: { query: 'vehicle expenses', mode: 'semantic', limit: 1 },
      data: [{ path: 'House/Car.md', heading: 'Costs', why: 'meaning' }],
    },
    {
      title: 'In a folder, with a tag',
      notes,
      params: { query: 'water, roof or tyres', rootFolder: 'Garden', tags: ['todo'] },
      data: [{ path: 'Garden/Shed.md' }],
    },
    {
      title: 'No result in the date range',
      notes,
      params: { query: 'roof', mode: 'keyword', dateRange: { end: '2001-12-31' } },
      data: [],
    },
    {
      title: 'At most two results',
      notes,
      params: { query: 'water roof tyres', limit: 2 },
      data: [{}, {}],
    },
  ],
  async run(
    { query, rootFolder, mode, tags, dateRange: given, limit },
    { services, workspace, fail, addIndexState, addNotice },
  ) {
    checkQuery(query, fail);
    const range = parseDateRange(given, fail, services.clock.now());
    const folder = await resolveSearchFolder(rootFolder, workspace, services, fail);
    const maxTokens = TOKENS_PER_HIT * Math.max(limit, FULL_HITS);
    const criteria = { query, mode, tags, range };
    const answer = await services.search.notes.search({ ...criteria, folder, limit, maxTokens });
    if ('problem' in answer) return fail(answer.problem);
    addIndexState(unfinishedIndex(answer.progress));
    if (mode === 'semantic' && answer.isUnclear) addNotice(UNCLEAR_LANGUAGE);
    const { found, unmatched, exclusion, isSimilarOnly, unread } = answer;
    const within = [
      ...(folder === '' ? [] : [`in "${folder}"`]),
      ...(tags.length === 0 ? [] : [`with ${tags.map((tag) => `#${tag}`).join(' ')}`]),
      ...(isUnlimited(range) ? [] : ['in the date range']),
    ];
    const notice = searchNotice(found.length, unmatched, within);
    for (const text of [notice, unreadNotice(unread)]) if (text !== undefined) addNotice(text);
    if (found.length > 0 && isSimilarOnly) addNotice(SIMILAR_ONLY);
    if (exclusion)
      addNotice(
        `Notes about "${exclusion.excluded}" come last, as the query excludes them; "${exclusion.inclusive}" includes them.`,
      );
    if (found.length === 0 && folder !== '') {
      const all = { ...criteria, folder: '', limit: MAX_COUNTED_OUTSIDE };
      const outside = await services.search.notes.search(all);
      const count = 'found' in outside ? outside.found.length : 0;
      if (count > 0) addNotice(outsideNotice(count));
    }
    const rows = found.map(({ path, heading, line, excerpt, score, why }): Row => ({
      path,
      ...(heading !== undefined && { heading }),
      line,
      content: excerpt.replace(/\s+/gu, ' ').trim(),
      score: Math.round(score * 1000) / 1000,
      why,
    }));
    let room = maxTokens - estimateToolTokens(rows);
    for (let nth = 0; nth < MAX_DUPLICATES_LISTED; nth++)
      for (const [at, { also }] of found.entries()) {
        const path = also[nth];
        if (path === undefined) continue;
        room -= estimateToolTokens([path]);
        if (room > 0) (rows[at]!.also ??= []).push(path);
      }
    return rows;
  },
});

function outsideNotice(count: number): string {
  const isMore = count === MAX_COUNTED_OUTSIDE;
  const number = `${isMore ? 'At least ' : ''}${counted(count, 'note')}`;
  return `${number} outside this folder match${count === 1 ? 'es' : ''}: pass rootFolder "/" to search the whole vault.`;
}
