import { describe, expect, it, test } from 'vitest';
import { findTool } from '../../../../src/toolkit/toolkit.js';
import { createTestVault } from '../../../fakes/test-vault.js';
import * as z from 'zod';
import { createState } from '../../../../src/agents/memory-manager/create-state.js';
import { createWorkspace } from '../../../../src/agents/memory-manager/create-workspace.js';
import { nameProblem } from '../../../../src/model/names.js';
import {
  dateInput,
  dateOfInput,
  typedLines,
  assignError,
  firstWords,
  freeName,
  preferenceLines,
  preferenceRows,
  readPreferences,
  readTags,
  requiredFields,
  schemaProblems,
} from '../../../../src/obsidian/ui/forms/values.js';
import { contentOf } from '../../../fakes/events.js';

const labels = {
  name: 'Name',
  rootFolder: 'Folder',
  purpose: 'Purpose',
  description: 'Description',
  preferences: 'Preferences',
};

describe('a date field', () => {
  it('shows the day of a time, and stands for the start of its day', () => {
    expect(dateInput(dateOfInput('2027-01-15'))).toBe('2027-01-15');
    expect(new Date(dateOfInput('2027-01-15') ?? '').getHours()).toBe(0);
  });

  it('can be empty or invalid', () => {
    expect(dateInput(undefined)).toBe('');
    expect(dateOfInput('')).toBeUndefined();
    expect(dateOfInput('soon')).toBeUndefined();
  });
});

describe('lines and tags', () => {
  it('are trimmed, and empty ones are dropped', () => {
    expect(typedLines(' first\n\n  \nsecond  \r\n')).toEqual(['first', 'second']);
    expect(readTags(' #auth, in progress,,# ')).toEqual(['auth', 'in progress']);
    expect(readTags('C#')).toEqual(['C#']);
  });
});

describe('preferences', () => {
  it('are read from "key: value" lines, whose values may contain colons', () => {
    expect(readPreferences('tone: plain\n\n link : https://a.b \nempty:')).toEqual({
      preferences: { tone: 'plain', link: 'https://a.b', empty: '' },
    });
    expect(readPreferences(' \n')).toEqual({ preferences: {} });
  });

  it('report the line that cannot be parsed', () => {
    expect(readPreferences('tone: plain\njust words')).toEqual({
      problem: 'Write line 2 as a name, a colon and a value, such as "tone: plain".',
    });
    expect(readPreferences('\n: plain')).toEqual({
      problem: 'Write line 2 as a name, a colon and a value, such as "tone: plain".',
    });
    expect(readPreferences('a: 1\na: 2')).toEqual({
      problem: 'Line 2 sets "a" a second time. Keep one of them.',
    });
  });

  it('keep what was not edited as it was', () => {
    const before = { tone: 'plain', 'a:b': 'c', limits: { words: 5 }, isShort: true, none: null };
    const lines = preferenceLines(before);
    expect(lines).toEqual([
      'tone: plain',
      'a:b: c',
      'limits: {"words":5}',
      'isShort: true',
      'none: null',
    ]);
    expect(readPreferences(lines.join('\n'), before)).toEqual({ preferences: before });
    const edited = ['tone: kind', ...lines.slice(2, 4), 'isShort: false'].join('\n');
    expect(readPreferences(edited, before)).toEqual({
      problem: 'Line 4 sets "isShort" a second time. Keep one of them.',
    });
    expect(readPreferences('isShort: false\nlimits: {"words":5}', before)).toEqual({
      preferences: { isShort: 'false', limits: { words: 5 } },
    });
    expect(readPreferences('tone: kind\ntone: plain', before)).toEqual({
      problem: 'Line 2 sets "tone" a second time. Keep one of them.',
    });
  });

  it('treat "__proto__" as an ordinary key', () => {
    const read = readPreferences('__proto__: x');
    expect('preferences' in read && Object.entries(read.preferences)).toEqual([['__proto__', 'x']]);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

test('requiredFields returns the fields that must not be empty', () => {
  const { tool } = findTool(createTestVault().toolkit, 'createState');
  expect([...requiredFields(tool.input)]).toEqual(['name', 'conversationContext', 'activeTask']);
});

describe('schemaProblems', () => {
  it('returns nothing for valid values', () => {
    const values = {
      name: 'Garden',
      description: 'Beds',
      purpose: 'Grow',
      rootFolder: '/',
      workflows: ['Dig'],
      keyFiles: [],
      preferences: {},
    };
    expect(schemaProblems(createWorkspace.input, values, labels)).toEqual([]);
  });

  it('reports each invalid field with its label in the form', () => {
    const values = { name: 'x'.repeat(10_000), description: ' ', purpose: '', rootFolder: '/' };
    expect(schemaProblems(createWorkspace.input, values, labels)).toEqual([
      { field: 'name', text: 'Name has 10000 characters; use at most 200.' },
      { field: 'description', text: 'Description is empty; describe it in a few words.' },
      { field: 'purpose', text: 'Purpose is empty; describe it in a few words.' },
    ]);
  });

  it('identifies the invalid entry of a list', () => {
    const values = { ...contentOf('A'), activeFiles: ['a.md', `${'x'.repeat(1001)}.md`] };
    expect(schemaProblems(createState.input, values as never, { activeFiles: 'Files' })).toEqual([
      { field: 'activeFiles', text: 'Entry 2 has 1004 characters; use at most 1000.' },
    ]);
  });

  it('reports at most one problem per field', () => {
    const schema = z.strictObject({ name: z.array(z.string().min(3, 'is short')) });
    expect(schemaProblems(schema, { name: ['a', 'b'] }, labels)).toEqual([
      { field: 'name', text: 'Entry 1 is short.' },
    ]);
  });
});

describe("a tool's error", () => {
  it('is assigned to the field that it starts with', () => {
    expect(
      assignError('rootFolder "../x" leads outside the vault. Choose another.', labels),
    ).toEqual({
      field: 'rootFolder',
      text: 'Folder "../x" leads outside the vault. Choose another.',
    });
    expect(assignError('"purpose" holds half of a character.', labels)).toEqual({
      field: 'purpose',
      text: 'Purpose holds half of a character.',
    });
    expect(assignError('"preferences.__proto__" cannot be used here.', labels)).toEqual({
      field: 'preferences',
      text: 'Preferences: "__proto__" cannot be used here.',
    });
  });

  it('is assigned to the whole form if it starts with no field', () => {
    for (const error of [
      'Cannot save: the disk is full.',
      'name',
      '"constructor" is odd.',
      'Workspace "name" already exists.',
      'name is wrong.',
    ])
      expect(assignError(error, labels)).toEqual({ text: error });
  });
});

describe('a proposed name', () => {
  it('is the first six words of a text, in one line', () => {
    expect(firstWords('- We drew the\n\nbeds and all three are dry')).toBe(
      'We drew the beds and all',
    );
    expect(firstWords('We drew the beds, all three.')).toBe('We drew the beds, all three');
    expect(firstWords('All tiles are on.')).toBe('All tiles are on');
    expect(firstWords("Can't count the 3.5 kg (yet) of moths")).toBe("Can't count the 3.5 kg");
    expect(firstWords('我们画了花园里的三个花坛并且订购了植物')).not.toContain('植物');
  });

  it.each([
    ['Reading chapter 3 aloud, up to page four. The figures are right.', 'Reading chapter 3 aloud'],
    ['Beds drawn. Next the fence and the gate', 'Beds drawn'],
    ['Version 3.5 is out – tell the others today', 'Version 3.5 is out'],
    ['Treffen am 4. Mai im großen Garten', 'Treffen am 4. Mai im großen'],
    ['Yes, we drew the beds and then more', 'Yes, we drew the beds and'],
    ['We grew 50 % of the seeds indoors', 'We grew 50 % of the seeds'],
    ['花坛画好了，接下来订购植物并且修好栅栏', '花坛画好了'],
  ])('ends with a clause of %s', (typed, name) => {
    expect(firstWords(typed)).toBe(name);
  });

  it('is valid for texts without words, with hidden characters or very long words', () => {
    expect(firstWords('🌱')).toBe('🌱');
    for (const typed of ['🌱'.repeat(200), 'x'.repeat(300), 'Plan \u202egnp.exe', 'A\u0007B'])
      expect(nameProblem(firstWords(typed))).toBeUndefined();
  });

  it('gets a higher number while it is taken', () => {
    const taken = new Set(['Beds', 'Beds 2']);
    expect(freeName('Beds', (name) => taken.has(name))).toBe('Beds 3');
    expect(freeName('Roof', (name) => taken.has(name))).toBe('Roof');
  });
});

it('preferences are shown as rows, groups and lists without JSON', () => {
  const preferences = {
    tone: 'plain',
    isShort: true,
    langs: ['de', 'en'],
    code: { indent: 2, quotes: { kind: 'single' } },
    odd: [{ a: 1 }],
    none: {},
  };
  expect(preferenceRows(preferences)).toEqual([
    ['tone', 'plain'],
    ['isShort', 'true'],
    ['langs', 'de, en'],
    ['code › indent', '2'],
    ['code › quotes › kind', 'single'],
    ['odd', '[{"a":1}]'],
    ['none', '{}'],
  ]);
});
