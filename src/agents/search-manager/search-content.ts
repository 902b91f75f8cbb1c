import * as z from 'zod';
import { dateFailures, dateRange, readDateRange } from '../shared/date-range.js';
import { filledText, texts } from '../shared/inputs.js';
import {
  folderFailures,
  hasWord,
  indexState,
  queryFailures,
  roundScore,
  searchedFolder,
} from '../shared/search-inputs.js';
import { SEARCH_MODES } from '../../indexing/search-service.js';
import { defineTool } from '../services.js';

/** Of notes with the same passage so many are named. */
const MOST_NAMED = 10;

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
  action: { resource: 'search', name: 'search', when: { resource: 'notes' } },
  description: 'Search the notes of the vault by words and meaning.',
  input: z.strictObject({
    query: filledText,
    rootFolder: z.string().optional().describe('Default: the workspace folder; "/" is the vault'),
    mode: z.enum(SEARCH_MODES).default('hybrid'),
    tags: texts.default([]),
    dateRange: dateRange.optional(),
    limit: z.number().int().min(1).max(200).default(20),
  }),
  output: z.array(
    z.object({
      path: z.string(),
      heading: z.string().optional(),
      line: z.number(),
      content: z.string(),
      score: z.number(),
      why: z.string().describe('What of the note fits, and whether it was found by meaning'),
      also: z
        .array(z.string())
        .optional()
        .describe('Notes with nearly the same passage, the best ten'),
    }),
  ),
  failures: {
    ...queryFailures,
    ...folderFailures,
    ...dateFailures,
    noMeaning: { error: 'Nothing here can search by meaning.', advice: 'Use mode "keyword".' },
    notEnglish: {
      error: 'Search by meaning understands English only, and the query does not look English.',
      advice: 'Use mode "keyword", or ask in English.',
    },
  },
  examples: [
    {
      title: 'By words',
      notes,
      params: { query: 'water tomatoes', mode: 'keyword', limit: 1 },
      answer: {
        success: true,
        data: [
          {
            path: 'Garden/Tomatoes.md',
            heading: 'Watering',
            line: 4,
            score: 1,
            why: 'title, heading, text',
          },
        ],
      },
    },
    {
      title: 'By meaning, where no word is the same',
      notes,
      params: { query: 'vehicle expenses', mode: 'semantic', limit: 1 },
      answer: { success: true, data: [{ path: 'House/Car.md', heading: 'Costs', why: 'meaning' }] },
    },
    {
      title: 'In a folder, with a tag',
      notes,
      params: { query: 'water, roof or tyres', rootFolder: 'Garden', tags: ['todo'] },
      answer: { success: true, data: [{ path: 'Garden/Shed.md' }] },
    },
    {
      title: 'Nothing that old',
      notes,
      params: { query: 'roof', mode: 'keyword', dateRange: { end: '2001-12-31' } },
      answer: { success: true, data: [] },
    },
    {
      title: 'Two of many',
      notes,
      params: { query: 'water roof tyres', limit: 2 },
      answer: { success: true, data: [{ score: 1 }, {}] },
    },
  ],
  async run(
    { query, rootFolder, mode, tags, dateRange: given, limit },
    { services, workspace, fail, say },
  ) {
    if (!hasWord(query)) fail('noWord');
    const range = readDateRange(given, fail);
    const folder = await searchedFolder(rootFolder, workspace, services, fail);
    const answer = await services.search.notes({ query, folder, mode, tags, range, limit });
    if ('problem' in answer) return fail(answer.problem);
    say(indexState(answer.progress));
    return answer.found.map(({ path, heading, line, excerpt, score, why, also }) => ({
      path,
      ...(heading !== undefined && { heading }),
      line,
      content: excerpt.replace(/\s+/gu, ' ').trim(),
      score: roundScore(score),
      why,
      ...(also.length > 0 && { also: also.slice(0, MOST_NAMED) }),
    }));
  },
});
