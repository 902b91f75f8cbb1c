import { describe, expect, it } from 'vitest';
import type { JsonObject, LogEvent } from '../../src/model/event.js';
import { emptyMemory, fold, type Memory } from '../../src/model/memory.js';
import { stateData, type StateContent } from '../../src/model/state.js';
import {
  isStaleNote,
  mirrorFolder,
  mirrorNotes,
  mirrorText,
  readMark,
} from '../../src/transfer/mirror-notes.js';
import { clockText, contentOf, eventOf, workspaceDraft } from '../fakes/events.js';
import { HOSTILE_NAMES } from '../storage/hostile-names.js';

const FOLDER = mirrorFolder('Savepoint');
let count = 0;

const event = (fields: Pick<LogEvent, 't' | 'e' | 'd'>) =>
  eventOf({ ...fields, n: ++count, h: clockText(count) });
const workspace = (name: string, id: string) => event(workspaceDraft(name, id));
const set = (e: string, d: JsonObject) => event({ t: 'set', e, d });

function state(
  name: string,
  ws = 'default',
  more: Partial<StateContent> = {},
  id = `st${count}`,
): LogEvent {
  return event({ t: 'state.new', e: id, d: stateData(ws, contentOf(name, more), `sha${count}`) });
}

const memoryOf = (...events: LogEvent[]) => fold(emptyMemory, events);
const notesOf = (memory: Memory, taken: string[] = []) =>
  [...mirrorNotes(memory, FOLDER, taken)].flatMap((note) => note ?? []);
const pathsOf = (memory: Memory, taken: string[] = []) =>
  notesOf(memory, taken).map(({ path }) => path.slice(FOLDER.length + 1));
const textOf = (memory: Memory) => mirrorText(notesOf(memory)[0]!);

describe('mirrorNotes', () => {
  it('puts the notes into the data folder, outside the lanes', () => {
    expect(FOLDER).toBe('Savepoint/notes');
  });

  it('marks notes as generated, and links the files of a state', () => {
    const saved = state(
      'Outline',
      'w',
      { activeFiles: ['Garden/Beds.md'], tags: ['draft'] },
      'id1',
    );
    const text = textOf(memoryOf(workspace('Garden', 'w'), saved));
    expect(text).toMatch(
      /^---\nsavepoint: "id1 [0-9a-f]{8}"\nname: "Outline"\nworkspace: "Garden"\ncreated: \S+\narchived: false\ntags:\n {2}- "draft"\ntask: "Test"\n---\n\n%% .* %%\n\n# Outline\n/,
    );
    expect(text).toContain('\n- [[Garden/Beds.md]]\n');
  });

  it('keeps the notes of archived states', () => {
    const [made, archived] = [
      state('Plan', 'default', {}, 'id2'),
      set('id2', { '/isArchived': true }),
    ];
    expect(textOf(memoryOf(made, archived))).toContain('\narchived: true\n');
    expect(pathsOf(memoryOf(made, archived))).toEqual(['Default/Plan.md']);
  });

  it('keeps note names when later states have the same name', () => {
    const [one, two] = [state('Plan'), state('plan')];
    expect(pathsOf(memoryOf(one))).toEqual(['Default/Plan.md']);
    const both = pathsOf(memoryOf(two, one));
    expect(both[0]).toBe('Default/Plan.md');
    expect(both[1]).toMatch(/^Default\/plan ⟨st\d{1,2}⟩\.md$/);
  });

  it('allocates names by creation time, then by id', () => {
    const at = (minute: number, e: string) =>
      eventOf({
        t: 'state.new',
        e,
        n: ++count,
        h: clockText(minute),
        d: stateData('default', contentOf('Plan'), e),
      });
    const notes = notesOf(memoryOf(at(9, 'cc'), at(5, 'bb'), at(5, 'aa')));
    expect(notes.map(({ state: shown }) => shown.item.id)).toEqual(['aa', 'bb', 'cc']);
  });

  it('marks a note even if its state has an invalid id', () => {
    for (const id of ['a b', 'é', `${'x'.repeat(65)}`])
      expect(readMark(textOf(memoryOf(state('Plan', 'default', {}, id))))).toEqual({
        id: 'unnamed',
        isUntouched: true,
      });
  });

  it.each([
    ['---\nsavepoint: "id1 0123abcd"\n---\n', true],
    ["\ufeff---\r\nsavepoint:\t 'id1 0123abcd' \t\r\n---", true],
    ['---\nname: x\nsavepoint:id1 0123abcd\n---\n', true],
    ['---\nxsavepoint: "id1 0123abcd"\n---\n', false],
    ['---\nsavepoint: "id1 0123abcd" x\n---\n', false],
    ['---\nsavepoint: "id1 0123abcd"x\n---\n', false],
    ['x\n---\nsavepoint: "id1 0123abcd"\n---\n', false],
    ['savepoint: "id1 0123abcd"\n', false],
    ['---\nsavepoint: "id1 0123abcd"\n---x\n', false],
  ])('recognizes a mark in %j: %s', (text, isMarked) => {
    expect(readMark(text)?.id).toBe(isMarked ? 'id1' : undefined);
  });

  it('keeps folder names when a later workspace collides', () => {
    const [first, second] = [workspace('b?a', 'w1'), workspace('b*a', 'w2')];
    const states = [state('One', 'w1'), state('Two', 'w2')];
    expect(pathsOf(memoryOf(first, second, ...states))).toEqual(['b-a/One.md', 'b-a (2)/Two.md']);
  });

  it('avoids paths that already exist', () => {
    const memory = memoryOf(state('Plan'), state('Other'));
    expect(pathsOf(memory, [`${FOLDER}/default/PLAN.md`, `${FOLDER}/Elsewhere/Other.md`])).toEqual([
      'Default/Plan (2).md',
      'Default/Other.md',
    ]);
  });

  it('includes states whose workspace is missing', () => {
    expect(pathsOf(memoryOf(state('Lost', 'nowhere')))).toEqual(['Workspace missing/Lost.md']);
  });

  it('writes file names that are valid on every platform', () => {
    const states = HOSTILE_NAMES.map(([name]) => state(name));
    const paths = pathsOf(memoryOf(...states));
    expect(paths).toHaveLength(HOSTILE_NAMES.length);
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(HOSTILE_NAMES.length);
    for (const path of paths) expect(path).toMatch(/^Default\/[^/<>:"\\|?*#^[\]\p{Cc}]+\.md$/u);
  });
});

describe('the mark of a note', () => {
  const written = () => textOf(memoryOf(state('Plan', 'default', {}, 'id3')));

  it('identifies the state, and that the note is untouched', () => {
    expect(readMark(written())).toEqual({ id: 'id3', isUntouched: true });
  });

  it.each([
    ['an added line', (text: string) => `${text}mine\n`],
    ['an added property', (text: string) => text.replace('\ntask:', '\nmine: 1\ntask:')],
    [
      'quotes removed by another editor of properties',
      (text: string) => text.replace(/savepoint: "(.*)"/, 'savepoint: $1'),
    ],
    ['Windows line breaks', (text: string) => text.replaceAll('\n', '\r\n')],
    [
      'the mark further down',
      (text: string) => text.replace(/^---\n(savepoint:.*\n)(name:.*\n)/, '---\n$2$1'),
    ],
    ['a byte order mark', (text: string) => `\u{FEFF}${text}`],
  ])('survives %s, but shows the edit', (_, change) => {
    expect(readMark(change(written()))).toEqual({ id: 'id3', isUntouched: false });
  });

  it.each([
    '',
    '# Plan',
    '---\nname: x\n---\n',
    '---\nsavepoint: yes\n---\n',
    'savepoint: "id3 00000000"\n',
    '---\nx: 1\n---\nsavepoint: "id3 00000000"\n---\n',
  ])('is absent from %j', (text) => {
    expect(readMark(text)).toBeUndefined();
  });

  it('ignores an invalid id, and keeps the property valid', () => {
    expect(readMark(textOf(memoryOf(state('Plan', 'default', {}, '../x"\n'))))).toEqual({
      id: 'unnamed',
      isUntouched: true,
    });
  });
});

describe('isStaleNote', () => {
  const made = () => state('Plan', 'default', {}, 'id4');

  it('is true if the state has a note at another path', () => {
    const memory = memoryOf(made());
    expect(isStaleNote(textOf(memory), memory)).toBe(true);
  });

  it('is false for edited, unmarked and unknown notes', () => {
    const memory = memoryOf(made());
    expect(isStaleNote(`${textOf(memory)}mine`, memory)).toBe(false);
    expect(isStaleNote('# Mine', memory)).toBe(false);
    expect(isStaleNote(textOf(memory), emptyMemory)).toBe(false);
  });
});
