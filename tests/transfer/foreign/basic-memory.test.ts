import { describe, expect, it } from 'vitest';
import { allWorkspaces } from '../../../src/model/lookup.js';
import { entityOf } from '../../../src/model/memory.js';
import { allRecords } from '../../../src/model/records/lookup-record.js';
import { readBasicMemory } from '../../../src/transfer/foreign/basic-memory.js';
import { createReadStats } from '../../../src/transfer/foreign/foreign-memory.js';
import { NO_TASK } from '../../../src/transfer/foreign/knowledge.js';
import { verify } from '../../../src/storage/integrity/verify.js';
import { START_TIME } from '../../fakes/deterministic.js';
import { createVault, ROOT } from '../../storage/helpers.js';
import { bringIn, rememberedIn } from './importing.js';
import { fileOf } from './nexus-vault.js';
import { readReport } from '../../fakes/reports/read-report.js';

const TEXT = `---
title: Signing in
type: decision
permalink: notes/signing-in
tags: [auth, api]
status: active
created: 2025-07-08
---
# Signing in

Some words of its own.

- [decision] Tokens are short #security (since May)
- [ ] not this, a task
- [x] nor this
- [a link](x.md) nor this
- depends_on [[User table]] (for now)
- [[Bare]]
\`\`\`
- [code] nor this
\`\`\`
`;

const OBSERVED =
  'Observed:\n- [decision] Tokens are short #security (since May)\n\nRelated:\n- depends_on [[User table]] (for now)\n- relates_to [[Bare]]';

async function bringNotes(...notes: ReturnType<typeof fileOf>[]) {
  const vault = createVault();
  const report = await bringIn(vault.files, 'basic-memory', notes);
  return { vault, report, ...(await rememberedIn(vault)) };
}

describe('Basic Memory notes', () => {
  it('are reported with the line if they are not UTF-8, and are read if they are UTF-16', async () => {
    const latin = Uint8Array.from(
      [...'---\npermalink: z\n---\n- [fact] Z\u00fcrich\n'].map((each) => each.charCodeAt(0)),
    );
    const wide = new Uint8Array(
      Uint16Array.from(
        [...'\ufeff---\npermalink: w\n---\n- [fact] wide\n'].map((each) => each.charCodeAt(0)),
      ).buffer,
    );
    const { report, states } = await bringNotes(
      { ...fileOf('one.md', ''), bytes: latin },
      { ...fileOf('two.md', ''), bytes: wide },
    );
    expect(report.troubles).toEqual([{ file: 'one.md', line: 4, kind: 'garbled' }]);
    expect([...states.values()].map((state) => state.conversationContext).sort()).toEqual([
      expect.stringContaining('- [fact] Z\ufffdrich'),
      expect.stringContaining('- [fact] wide'),
    ]);
  });

  it('become states with links if they are in the vault', async () => {
    const { vault, report, states } = await bringNotes(
      fileOf('signing.md', TEXT, { vaultPath: 'Memory/signing.md' }),
    );
    expect(report).toMatchObject({ read: 1, troubles: [], leftOut: [] });
    expect(states.get('Basic Memory/Signing in')).toMatchObject({
      conversationContext: OBSERVED,
      activeFiles: ['Memory/signing.md'],
      nextSteps: [],
      description: 'decision',
      tags: ['auth', 'api', 'security'],
      createdAt: '2025-07-08T00:00:00.000Z',
    });
    expect(await verify(vault.files, ROOT, { now: START_TIME })).toMatchObject({ isWhole: true });
  });

  it('become decisions too, if they are one or observe one', async () => {
    const other = TEXT.replace('type: decision', 'type: note').replace(/permalink: .*/u, '');
    const { vault } = await bringNotes(
      fileOf('signing.md', TEXT, { vaultPath: 'Memory/signing.md' }),
      fileOf('other.md', other),
    );
    const memory = await vault.open().memory();
    const found = allWorkspaces(memory).flatMap(({ item }) => allRecords(memory, item.id));
    expect(found.map(({ kind, title, files }) => [kind, title, Object.keys(files)]).sort()).toEqual(
      [
        ['decision', 'Signing in', ['Memory/signing.md']],
        ['decision', 'Tokens are short #security (since May)', []],
        ['decision', 'Tokens are short #security (since May)', ['Memory/signing.md']],
      ],
    );
    for (const { stateId } of found)
      expect(entityOf(memory, stateId!).created?.t).toBe('state.new');
  });

  it('become states with the full text if they are outside the vault', async () => {
    const { states } = await bringNotes(fileOf('signing.md', TEXT));
    const { conversationContext, activeFiles } = states.get('Basic Memory/Signing in')!;
    expect(activeFiles).toEqual([]);
    expect(conversationContext).toContain('Some words of its own.');
    expect(conversationContext).toMatch(
      /- \[code\] nor this\n```\n\nProperties:\n- permalink: notes\/signing-in\n- status: active\n- created: 2025-07-08$/,
    );
  });

  it('are imported again after a change only if outside the vault', async () => {
    const inside = { vaultPath: 'Memory/signing.md' };
    for (const [more, added] of [
      [inside, 0],
      [{}, 1],
    ] as const) {
      const { vault } = await bringNotes(fileOf('signing.md', TEXT, more));
      const again = await bringIn(vault.files, 'basic-memory', [fileOf('signing.md', TEXT, more)]);
      expect(again.files).toEqual([]);
      const grown = await bringIn(vault.files, 'basic-memory', [
        fileOf('signing.md', `${TEXT}\n- [fact] More\n`, more),
      ]);
      expect(grown.kinds.states.added).toBe(added);
    }
  });

  it('are recognized by a permalink or an observation', async () => {
    const { report, states } = await bringNotes(
      fileOf('a/plain.md', '# Plain\n\n- a [[Link]] in a list\n'),
      fileOf('a/Linked.md', '---\npermalink: x\n---\n', { modified: Date.UTC(2024, 0, 1) }),
      fileOf('b/Observed.md', '* [fact] It rains\n'),
      fileOf('c/Observed.md', '---\npermalink: x\n---\n* [fact] It pours\n'),
    );
    expect(report).toMatchObject({ read: 4, leftOut: [{ why: 'otherNotes', count: 1 }] });
    expect([...states.keys()].sort()).toEqual([
      'Basic Memory/Linked',
      'Basic Memory/Observed',
      'Basic Memory/Observed (Basic Memory)',
    ]);
    expect(states.get('Basic Memory/Linked')?.createdAt).toBe('2024-01-01T00:00:00.000Z');
  });
});

describe('readBasicMemory', () => {
  async function read(...notes: ReturnType<typeof fileOf>[]) {
    const account = createReadStats();
    return { account, ...(await readBasicMemory(notes, account)) };
  }
  const HERE = { vaultPath: 'a.md' };
  const seen = async (text: string) =>
    (await read(fileOf('a.md', `---\npermalink: x\n---\n${text}`, HERE))).states[0]?.content
      .conversationContext;

  it('leaves missing fields empty', async () => {
    const { account, states, workspaces } = await read(fileOf('b/Seen.md', '* [fact] It rains\n'));
    expect(states).toStrictEqual([
      {
        key: 'b/Seen.md',
        at: undefined,
        location: { file: 'b/Seen.md', line: 1 },
        workspace: 'notes',
        isVersioned: true,
        archived: [],
        content: {
          name: 'Seen',
          conversationContext: '* [fact] It rains',
          activeTask: NO_TASK,
          activeFiles: [],
          nextSteps: [],
        },
      },
    ]);
    expect(workspaces).toEqual([
      {
        key: 'notes',
        at: undefined,
        location: { file: 'b/Seen.md', line: 1 },
        changes: [],
        isGuessed: true,
        fields: {
          name: 'Basic Memory',
          description: 'What was noted with Basic Memory',
          rootFolder: '/',
          purpose: 'Find the notes of Basic Memory by what was observed in them',
        },
      },
    ]);
    expect(account).toMatchObject({ read: 1, recognized: 1 });
    expect((await read()).workspaces).toEqual([]);
  });

  it.each([
    [
      'title: >-\n  A folded title that an editor\n  has written',
      'A folded title that an editor has written',
    ],
    [
      'title: A long title about how the billing service talks\n  to the ledger\ndescription: x',
      'A long title about how the billing service talks to the ledger',
    ],
    ['title: "\\xDCbersicht caf\\xE9"', 'Übersicht café'],
    [
      "title: 'It''s a title: with a colon that\n  goes on'",
      "It's a title: with a colon that goes on",
    ],
    ['title: "Quoted \\u2026 over \\\n  \\ two lines \\U0001F600"', 'Quoted … over  two lines 😀'],
    ['title:\n  On the next line,\n  and on\ntags:\n- a', 'On the next line, and on'],
    ['title: |\n  Literal\ntags: [a,\n  b]', 'Literal'],
    ['title: \'"Quoted" words\'', '"Quoted" words'],
  ])('uses the whole title of %j', async (head, name) => {
    const { states } = await read(
      fileOf('n.md', `---\n${head}\npermalink: n/x\n---\n- [fact] x\n`),
    );
    expect(states).toMatchObject([{ key: 'n/x', content: { name } }]);
  });

  it('uses the permalink as key, with the file name if two share it', async () => {
    const { states } = await read(
      ...['a.md', 'b.md'].map((name) => fileOf(name, '---\npermalink: x\n---\n')),
    );
    expect(states.map(({ key }) => key)).toEqual(['x', 'x b.md']);
  });

  it('uses the first valid date, otherwise that of the file', async () => {
    const dates = [
      'created: 2025-03-01',
      'created_at: 2025-02-01',
      'date: 2025-01-01',
      'created: May 5, 2025',
      'created: 2025-99-99',
    ];
    const modified = Date.UTC(2025, 5, 1);
    const notes = dates.map((date, at) =>
      fileOf(`${at}.md`, `---\npermalink: n${at}\n${date}\n---\n`, { modified }),
    );
    const { states, workspaces } = await read(...notes);
    expect(states.map(({ at }) => at)).toEqual([
      ...[2, 1, 0].map((month) => Date.UTC(2025, month, 1)),
      modified,
      modified,
    ]);
    expect(workspaces[0]?.at).toBe(Date.UTC(2025, 0, 1));
  });

  it('finds no observations in the frontmatter, but keeps its values', async () => {
    const head = '---\npermalink: x\npeople: [Ann, Bob]\nlist:\n- [fact] in the head\n---\n';
    expect((await read(fileOf('a.md', head, HERE))).states[0]?.content.conversationContext).toBe(
      '',
    );
    const text = (await read(fileOf('a.md', head))).states[0]?.content.conversationContext;
    expect(text).toMatch(/^Properties:\n/);
    expect(text).toContain('- people: Ann, Bob');
    expect((await read(fileOf('a.md', head.replace('permalink: x\n', '')))).states).toEqual([]);
  });

  it.each([
    ['  - [fact]  It rains  ', 'Observed:\n- [fact] It rains'],
    ['*   [fact]\tIt rains', 'Observed:\n- [fact] It rains'],
    ['  *   depends on  [[Rain]] often  ', 'Related:\n- depends on [[Rain]] often'],
    ['x- [fact] no', ''],
    ['see - [fact] no', ''],
    ['see - like [[Rain]]', ''],
    ['  ```\n- [fact] no\n  ```\n- [fact] yes', 'Observed:\n- [fact] yes'],
    ['with ``` in it\n- [fact] yes', 'Observed:\n- [fact] yes'],
  ])('finds observations and relations in %j', async (text, found) => {
    expect(await seen(text)).toBe(found);
  });
});

describe('odd notes', () => {
  const head = (lines: string, body = '- [fact] one') => `---\n${lines}\n---\n${body}\n`;
  async function bring(text: string, name = 'Own name.md') {
    const { states } = await bringNotes(fileOf(name, text));
    return [...states][0]!;
  }

  it.each([
    ['folded.md', 'A folded title that an editor has written'],
    [
      'long-title.md',
      'A long title about how the billing service talks to the ledger and why we chose events over calls',
    ],
    ['uni.md', 'Übersicht café'],
  ])('%s has its whole title', async (name, title) => {
    expect((await bring(readReport(`basic-memory/${name}`), name))[0]).toBe(
      `Basic Memory/${title}`,
    );
  });

  it.each([
    ['a split list', readReport('basic-memory/tags-json.md')],
    ['JSON text', head(`permalink: a\ntags: '["svelte", "debugging"]'`)],
    ['texts in a list', head(`permalink: a\ntags: ['["svelte"', '"debugging"]']`)],
    ['mappings', head('permalink: a\ntags:\n- name: svelte\n  color: red\n- name: debugging')],
    ['commas', head('permalink: a\ntags: svelte, debugging')],
  ])('have their tags from %s', async (_, text) => {
    expect((await bring(text))[1].tags).toEqual(['svelte', 'debugging']);
  });

  it.each(['title: null', 'title: ~', 'title:', 'title: "~"', 'status: x'])(
    'are called as their file with %s',
    async (line) => {
      expect((await bring(head(`permalink: a\n${line}`)))[0]).toBe('Basic Memory/Own name');
    },
  );

  it('have the name in a mapping as title and type', async () => {
    const text = head('permalink: a\ntitle:\n  name: Beds\ntype:\n  name: guide');
    expect(await bring(text)).toMatchObject(['Basic Memory/Beds', { description: 'guide' }]);
  });

  it('have the properties of a second frontmatter, and not its lines as text', async () => {
    const second = head('title: Inner\npermalink: b\ntags: [x]');
    const [name, state] = await bring(head('title: Outer', `\n${second}`));
    expect([name, state.tags, state.conversationContext]).toEqual([
      'Basic Memory/Outer',
      ['x'],
      '- [fact] one\n\nProperties:\n- permalink: b',
    ]);
  });

  it('keep a rule at the beginning of their text', async () => {
    const [, state] = await bring(head('permalink: a', '---\nWords.\n---'));
    expect(state.conversationContext).toContain('---\nWords.\n---');
  });
});
