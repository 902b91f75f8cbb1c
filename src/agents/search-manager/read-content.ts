import * as z from 'zod';
import { readVaultPath } from '../../model/paths.js';
import { clip } from '../../model/refusal.js';
import { cutToJsonLength, jsonLength } from '../../toolkit/answer-limit.js';
import { nonEmptyText } from '../shared/inputs.js';
import { defineTool } from '../services.js';
import { findNote } from './shared/find-note.js';

/** Room for the text of one answer, in characters as JSON. */
const MAX_PAGE_CHARACTERS = 36_000;

const notes = { 'Garden/Tomatoes.md': '# Watering\nEvery second morning.\n# Soil\nLoam.\n' };

export const readContent = defineTool({
  name: 'readContent',
  title: 'Read note',
  access: 'read',
  action: { resource: 'search', name: 'read' },
  description: 'Read a note, or some of its lines.',
  input: z.strictObject({
    path: nonEmptyText,
    from: z.number().int().min(1).default(1).describe('Line'),
    to: z.number().int().min(1).optional().describe('Line'),
  }),
  output: z.object({
    path: z.string(),
    content: z.string(),
    from: z.number().describe('First line, from 1'),
    to: z.number().describe('Last line'),
    lines: z.number().describe('Lines of the whole note'),
  }),
  failures: {
    pathInvalid: {
      error: 'The path "{path}" {problem}.',
      advice: 'Pass the path of a row of searchContent.',
    },
    notSearched: {
      error: '"{path}" {problem}.',
      advice: 'Only notes that searchContent searches can be read; use searchContent to find one.',
    },
    notFound: {
      error: 'Note "{path}" not found.',
      advice: 'Use searchDirectory with query "{path}" and rootFolder "/" to find it.',
    },
    linesInvalid: {
      error: 'There are no lines {from} to {to} in "{path}", which has {lines} lines.',
      advice: 'Pass line numbers from 1, with "from" up to "to".',
    },
  },
  examples: [
    {
      title: 'A whole note',
      notes,
      params: { path: 'Garden/Tomatoes.md' },
      data: { content: '# Watering\nEvery second morning.\n# Soil\nLoam.\n', lines: 5 },
    },
    {
      title: 'The lines around a hit',
      notes,
      params: { path: 'Garden/Tomatoes.md', from: 3, to: 4 },
      data: { content: '# Soil\nLoam.', from: 3, to: 4 },
    },
    {
      title: 'A note that does not exist',
      params: { path: 'Garden/Peas.md' },
      error:
        'Note "Garden/Peas.md" not found. Use searchDirectory with query "Garden/Peas.md" and rootFolder "/" to find it.',
    },
  ],
  async run({ path: typed, from, to: last }, { services, fail, addNotice }) {
    const shown = clip(typed);
    const read = readVaultPath(typed);
    if ('problem' in read) return fail('pathInvalid', { path: shown, problem: read.problem });
    const note = await findNote(services, read.path);
    if ('problem' in note) return fail('notSearched', { path: shown, problem: note.problem });
    const text = note.path === undefined ? undefined : await note.read();
    if (text === undefined) return fail('notFound', { path: shown });
    const lines = text.split('\n');
    const end = Math.min(last ?? lines.length, lines.length);
    if (from > end)
      return fail('linesInvalid', {
        path: shown,
        from: `${from}`,
        to: `${last ?? from}`,
        lines: `${lines.length}`,
      });
    const page = takeLines(lines, from, end);
    if (page.isCut) addNotice(`Line ${from} is too long to be shown whole.`);
    if (page.to < end)
      addNotice(
        `These are lines ${from} to ${page.to} of ${lines.length}. Call readContent with path "${note.path}" and from ${page.to + 1} for more.`,
      );
    return { path: note.path, content: page.content, from, to: page.to, lines: lines.length };
  },
});

/** Returns as many of these lines (both ends from 1) as fit into an answer, at least one. */
function takeLines(
  lines: readonly string[],
  from: number,
  end: number,
): { content: string; to: number; isCut: boolean } {
  let room = MAX_PAGE_CHARACTERS;
  let to = from - 1;
  while (to < end) {
    room -= jsonLength(lines[to]!);
    if (room < 0 && to >= from) break;
    to++;
    if (room < 0) break;
  }
  const content = lines.slice(from - 1, to).join('\n');
  const isCut = room < 0 && to === from;
  return { content: isCut ? cutToJsonLength(content, MAX_PAGE_CHARACTERS) : content, to, isCut };
}
