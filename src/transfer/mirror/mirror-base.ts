import type { VaultPath } from '../../model/paths.js';
import { noteHash } from './mirror-text.js';

const MARK = /^# Written by Savepoint ([0-9a-f]{32})\n/;

/** Views of the base, with the filters that select their notes. */
const VIEWS: readonly (readonly [name: string, filters: readonly string[]])[] = [
  ['Open questions', ['kind == "question"', 'status == "open"']],
  ['Decisions', ['kind == "decision"', 'status == "open"']],
  ['Open tasks', ['kind == "task" || kind == "phase"', 'status == "open"']],
  ['Replaced decisions', ['kind == "decision"', 'status == "replaced"']],
];
const COLUMNS = ['file.name', 'note.kind', 'note.remind', 'note.created', 'note.client'];

/** Returns the path of the base that shows the records by workspace. */
export function mirrorBasePath(folder: VaultPath): VaultPath {
  return `${folder}/Savepoint.base`;
}

/** Returns a base over the notes below a folder, in English, because devices share it. */
export async function mirrorBase(folder: VaultPath): Promise<string> {
  const lines = [
    'filters:',
    '  and:',
    `    - ${quoted(`file.inFolder(${JSON.stringify(folder)})`)}`,
    "    - 'archived == false'",
    'views:',
    ...VIEWS.flatMap(([name, filters]) => [
      '  - type: table',
      `    name: ${name}`,
      '    filters:',
      '      and:',
      ...filters.map((filter) => `        - ${quoted(filter)}`),
      '    groupBy:',
      '      property: note.workspace',
      '      direction: ASC',
      '    order:',
      ...COLUMNS.map((column) => `      - ${column}`),
    ]),
  ];
  const text = `${lines.join('\n')}\n`;
  return `# Written by Savepoint ${await noteHash(text)}\n${text}`;
}

/** Returns true for a base that some version of Savepoint wrote and nobody has changed. */
export async function isUntouchedBase(content: string): Promise<boolean> {
  const text = content.replaceAll('\r\n', '\n');
  const [mark, hash] = MARK.exec(text) ?? [];
  return mark !== undefined && hash === (await noteHash(text.slice(mark.length)));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
