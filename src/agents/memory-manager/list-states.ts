import * as z from 'zod';
import { isInRange } from '../../indexing/search-result.js';
import { stampTime } from '../../model/event.js';
import { stateHeads, statesNamed, type StateHead } from '../../model/lookup.js';
import { nameKey } from '../../model/names.js';
import { dateFailures, dateRange, parseDateRange } from '../shared/date-range.js';
import { saveDraft, saveOutline } from '../shared/example-calls.js';
import { textList } from '../shared/inputs.js';
import { pageInput, takePage } from '../shared/page.js';
import { readSaver } from '../shared/provenance.js';
import { defineTool } from '../services.js';
import { stateRow, toStateRow } from './shared/state-row.js';

export const listStates = defineTool({
  name: 'listStates',
  title: 'List states',
  access: 'read',
  usesWorkspace: () => true,
  action: { resource: 'state', name: 'list' },
  description: 'List the states in the current workspace, newest first.',
  input: z.strictObject({
    includeArchived: z.boolean().default(false),
    tags: textList.default([]).describe('Only with all of these'),
    dateRange: dateRange.optional(),
    ...pageInput,
  }),
  output: z.array(stateRow),
  failures: {
    ...dateFailures,
    unknownPage: {
      error: 'There is no state "{after}" to continue after.',
      advice: 'Pass the value of more.after from the page before, or leave it out.',
    },
  },
  examples: [
    {
      title: 'List the states that can be resumed',
      before: [saveOutline, saveDraft],
      params: {},
      data: [{ name: 'Draft one' }, { name: 'Outline', description: 'Chapters fixed' }],
    },
    {
      title: 'Of a period',
      before: [saveOutline],
      params: { dateRange: { end: '2020-12-31' } },
      data: [],
    },
    {
      title: 'In pages',
      before: [saveOutline, saveDraft],
      params: { limit: 1 },
      more: { total: 2, after: 'Draft one' },
      data: [{ name: 'Draft one' }],
    },
    {
      title: 'The next page',
      before: [saveOutline, saveDraft],
      params: { limit: 1, after: 'Draft one' },
      data: [{ name: 'Outline' }],
    },
    {
      title: 'By tag, including archived states',
      before: [saveOutline, saveDraft, { tool: 'archiveState', params: { name: 'Draft one' } }],
      params: { includeArchived: true, tags: ['Draft'] },
      data: [{ name: 'Draft one', isArchived: true }],
    },
  ],
  run({ includeArchived, tags, dateRange, limit, after }, call) {
    const { memory, workspace, services, fail, addMore } = call;
    const range = parseDateRange(dateRange, fail, services.clock.now());
    const reader = readSaver(call);
    const wanted = tags.map(tagKey);
    const hasWanted = (own: readonly string[] = []) =>
      wanted.every((tag) => own.some((other) => tagKey(other) === tag));
    const all = stateHeads(memory, workspace.id);
    // without reading the states themselves
    const isListed = (head: StateHead) =>
      (includeArchived || !head.isArchived) &&
      isInRange(head.entity.created ? stampTime(head.entity.created) : '', range) &&
      (wanted.length === 0 || hasWanted(head.read()?.item.tags));
    return takePage({
      items: remaining(),
      total: all.filter(isListed).length,
      limit,
      toRow: (head) => {
        const state = head.read();
        return state && toStateRow(memory, state, reader);
      },
      keyOf: ({ name }) => name,
      addMore,
    });

    function remaining(): StateHead[] {
      if (after === undefined) return all.filter(isListed);
      const [last] = statesNamed(memory, workspace.id, after);
      const position = all.findIndex(({ id }) => id === last?.item.id);
      if (position < 0) return fail('unknownPage', { after });
      return all.slice(position + 1).filter(isListed);
    }
  },
});

/** Returns a tag as it is compared, without the `#` that Obsidian shows. */
function tagKey(tag: string): string {
  return nameKey(tag.replace(/^#/, ''));
}
