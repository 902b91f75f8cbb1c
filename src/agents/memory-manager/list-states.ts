import * as z from 'zod';
import { stateHeads, statesNamed, type Named, type StateHead } from '../../model/lookup.js';
import { nameKey } from '../../model/names.js';
import type { State } from '../../model/state.js';
import { saveDraft, saveOutline } from '../shared/example-calls.js';
import { textList } from '../shared/inputs.js';
import { listedDescription, pageInput, takePage } from '../shared/page.js';
import { defineTool } from '../services.js';

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
    ...pageInput,
  }),
  output: z.array(
    z.object({
      name: z.string(),
      description: z.string().optional(),
      isArchived: z.literal(true).optional(),
    }),
  ),
  failures: {
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
      answer: {
        success: true,
        data: [{ name: 'Draft one' }, { name: 'Outline', description: 'Chapters fixed' }],
      },
    },
    {
      title: 'In pages',
      before: [saveOutline, saveDraft],
      params: { limit: 1 },
      answer: {
        success: true,
        more: { total: 2, after: 'Draft one' },
        data: [{ name: 'Draft one' }],
      },
    },
    {
      title: 'The next page',
      before: [saveOutline, saveDraft],
      params: { limit: 1, after: 'Draft one' },
      answer: { success: true, data: [{ name: 'Outline' }] },
    },
    {
      title: 'By tag, including archived states',
      before: [saveOutline, saveDraft, { tool: 'archiveState', params: { name: 'Draft one' } }],
      params: { includeArchived: true, tags: ['Draft'] },
      answer: { success: true, data: [{ name: 'Draft one', isArchived: true }] },
    },
  ],
  run({ includeArchived, tags, limit, after }, { memory, workspace, fail, addMore }) {
    const wanted = tags.map(tagKey);
    const hasWanted = (own: readonly string[] = []) =>
      wanted.every((tag) => own.some((other) => tagKey(other) === tag));
    const all = stateHeads(memory, workspace.id);
    const isListed = (head: StateHead) =>
      (includeArchived || !head.isArchived) &&
      (wanted.length === 0 || hasWanted(head.read()?.item.tags));
    const { rows, more } = takePage({
      items: remaining(),
      total: all.filter(isListed).length,
      limit,
      toRow: (head) => {
        const state = head.read();
        return state && toRow(state);
      },
      keyOf: ({ name }) => name,
    });
    addMore(more);
    return rows;

    function remaining(): StateHead[] {
      if (after === undefined) return all.filter(isListed);
      const [last] = statesNamed(memory, workspace.id, after);
      const position = all.findIndex(({ id }) => id === last?.item.id);
      if (position < 0) return fail('unknownPage', { after });
      return all.slice(position + 1).filter(isListed);
    }
  },
});

function toRow({ item: { description, isArchived }, displayName }: Named<State>) {
  return {
    name: displayName,
    ...(description !== undefined && { description: listedDescription(description) }),
    ...(isArchived && { isArchived: true }),
  };
}

/** Returns a tag in the form in which it is compared, without the `#` that Obsidian shows. */
function tagKey(tag: string): string {
  return nameKey(tag.replace(/^#/, ''));
}
