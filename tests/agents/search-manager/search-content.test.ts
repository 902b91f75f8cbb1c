import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/model/refusal.js';
import type { Files } from '../../../src/platform/files.js';
import { createMemoryBlobs } from '../../fakes/memory-blobs.js';
import {
  createTestVault,
  garden,
  type TestVault,
  type TestVaultOptions,
} from '../../fakes/test-vault.js';

interface Row {
  path: string;
  heading?: string;
  line: number;
  content: string;
  score: number;
  why: string;
  also?: string[];
}

async function search(vault: TestVault, params: Record<string, unknown>): Promise<Row[]> {
  return (await vault.data('searchContent', { mode: 'keyword', ...params })) as Row[];
}

const paths = async (vault: TestVault, params: Record<string, unknown>) =>
  (await search(vault, params)).map(({ path }) => path);

function vaultWith(notes: Record<string, string>, options: TestVaultOptions = {}): TestVault {
  const vault = createTestVault(options);
  for (const [path, text] of Object.entries(notes)) vault.files.put(path, text);
  return vault;
}

const NOTES = {
  'Garden/Tomatoes.md':
    '---\ntags: [vegetables]\naliases: [Love apples]\n---\n# Watering\n\nWater the tomatoes every second morning.\n',
  'Garden/Shed.md': 'The roof of the shed leaks. #todo/soon\n',
  'House/Car.md': '# Costs\nThe automobile needs new tyres before winter. #todo\n',
};

/** Records which notes are read. */
function counted(): { wrap: (files: Files) => Files; reads: string[] } {
  const reads: string[] = [];
  return {
    reads,
    wrap: (files) => ({
      ...files,
      read(path, from) {
        if (path.endsWith('.md') && !path.startsWith('Savepoint/')) reads.push(path);
        return files.read(path, from);
      },
    }),
  };
}

describe('searchContent', () => {
  it('returns where and why a note matches', async () => {
    expect(await search(vaultWith(NOTES), { query: 'watering' })).toEqual([
      {
        path: 'Garden/Tomatoes.md',
        heading: 'Watering',
        line: 7,
        score: 1,
        why: 'heading, text',
        content: 'Water the tomatoes every second morning.',
      },
    ]);
  });

  it('shows what answers the query in the whole of the first note, unless it is long', async () => {
    const shownIn = async (paragraphs: number) => {
      const textOf = (name: string, filler: string) =>
        `${name} need sun.\n\n${filler.repeat(paragraphs)}\n\n# Pests of ${name}\n\nSpray the aphids.\n`;
      const vault = vaultWith({
        'Roses.md': textOf('Roses', 'The garden has a fence, which is made of wood.\n\n'),
        'Lilies.md': textOf('Lilies', 'By the pond, frogs sing in the evening for hours.\n\n'),
      });
      const found = await search(vault, { query: 'roses sun aphids' });
      expect(found.map(({ path }) => path)).toEqual(['Roses.md', 'Lilies.md']);
      return found.map(({ content }) => [content.includes('sun'), content.includes('aphids')]);
    };
    const [first, other] = await shownIn(60);
    expect(first).toEqual([true, true]);
    expect(other).not.toEqual([true, true]);
    const [long] = await shownIn(600);
    expect(long).not.toEqual([true, true]);
  });

  it.each([
    ['[[Shed]]', 'Garden/Shed.md'],
    ['- [ ] roof of the shed', 'Garden/Shed.md'],
    ['[Errno 2] tyres', 'House/Car.md'],
    ['[unknown:property] tyres', 'House/Car.md'],
    ['tyres -winter', 'House/Car.md'],
    ['tag:tyres', 'House/Car.md'],
  ])('finds what is pasted: %s', async (query, path) => {
    expect((await paths(vaultWith(NOTES), { query }))[0]).toBe(path);
  });

  it('says that operators were read as words, and what was tried without success', async () => {
    const vault = vaultWith(NOTES);
    const noticeOf = async (params: Record<string, unknown>) =>
      (await vault.call('searchContent', { mode: 'keyword', ...params })) as { notice?: string };
    expect(await noticeOf({ query: 'tyres -winter' })).toMatchObject({
      notice: 'Nothing matches -winter as an operator, so the whole query was read as words.',
    });
    expect(await noticeOf({ query: 'tag:nowhere -shed', rootFolder: 'House' })).toMatchObject({
      notice:
        'Nothing matches in "House", neither with -shed tag:nowhere as an operator nor as words. 1 note outside this folder matches: pass rootFolder "/" to search the whole vault.',
    });
    expect(await noticeOf({ query: 'tyres', tags: ['vegetables'] })).toMatchObject({
      notice: 'Nothing matches with #vegetables.',
    });
    expect(await noticeOf({ query: 'tyres' })).not.toHaveProperty('notice');
  });

  it.each([
    'love apples',
    'tag:vegetables',
    'path:garden "every second"',
    'watering -roof',
    'file:tomatoes',
    'tomatos',
  ])('understands %j', async (query) => {
    expect(await paths(vaultWith(NOTES), { query })).toEqual(['Garden/Tomatoes.md']);
  });

  it('lists near-duplicates with the best match only', async () => {
    const text = `# Pruning\n${Array.from({ length: 60 }, (_, at) => `branch${at}`).join(' ')}`;
    const versions = Object.fromEntries(
      Array.from({ length: 14 }, (_, at) => [
        `Trees/${String(at).padStart(2, '0')}/Apple.md`,
        text,
      ]),
    );
    const vault = vaultWith({ ...NOTES, ...versions, 'Trees/Pear.md': 'A branch0 of the pear.' });
    const rows = await search(vault, { query: 'branch0 branch7' });
    expect(rows.map(({ path }) => path)).toEqual(['Trees/00/Apple.md', 'Trees/Pear.md']);
    expect(rows[0]!.also).toEqual(Object.keys(versions).slice(1, 11));
    expect(rows[1]).not.toHaveProperty('also');
  });

  it('searches the workspace folder or another, ignoring case', async () => {
    const vault = vaultWith({ ...NOTES, 'House/Roof.md': 'The roof of the house.' });
    await vault.data('createWorkspace', garden);
    expect(await paths(vault, { query: 'roof' })).toEqual(['Garden/Shed.md']);
    expect((await paths(vault, { query: 'roof', rootFolder: '/' })).sort()).toEqual([
      'Garden/Shed.md',
      'House/Roof.md',
    ]);
    expect(await paths(vault, { query: 'roof', rootFolder: 'House/' })).toEqual(['House/Roof.md']);
  });

  it('refuses an unknown folder and an invalid path', async () => {
    const vault = vaultWith(NOTES);
    expect(await vault.error('searchContent', { query: 'x', rootFolder: 'Attic' })).toBe(
      'Folder "Attic" not found. Use searchDirectory with query "Attic" and rootFolder "/" to find it.',
    );
    expect(await vault.error('searchContent', { query: 'x', rootFolder: '../other' })).toContain(
      'leads outside the vault',
    );
  });

  it('filters by tags, nested tags and modification dates', async () => {
    const vault = vaultWith(NOTES);
    expect((await paths(vault, { query: 'roof tyres', tags: ['#Todo'] })).sort()).toEqual([
      'Garden/Shed.md',
      'House/Car.md',
    ]);
    expect(await paths(vault, { query: 'roof tyres', tags: ['todo/soon'] })).toEqual([
      'Garden/Shed.md',
    ]);
    vault.clock.advance(24 * 3_600_000);
    vault.files.put('New.md', 'Another roof.');
    expect(await paths(vault, { query: 'roof', dateRange: { start: '2026-11-21' } })).toEqual([
      'New.md',
    ]);
    expect(await paths(vault, { query: 'roof', dateRange: { end: '2026-11-20' } })).toEqual([
      'Garden/Shed.md',
    ]);
  });

  it('lists what changed in a period that is all that is asked for, newest first', async () => {
    const vault = vaultWith(NOTES);
    vault.clock.advance(24 * 3_600_000);
    vault.files.put('First.md', 'Another roof.');
    vault.clock.advance(60_000);
    vault.files.put('Second.md', 'A wall.');
    expect(await paths(vault, { query: 'what did I change today?' })).toEqual([
      'Second.md',
      'First.md',
    ]);
    expect((await paths(vault, { query: 'gestern' })).sort()).toEqual(Object.keys(NOTES).sort());
    vault.files.put('House/Yesterday.md', 'A song.');
    expect((await paths(vault, { query: 'yesterday' }))[0]).toBe('House/Yesterday.md');
    expect(await paths(vault, { query: 'today', rootFolder: 'House' })).toEqual([
      'House/Yesterday.md',
    ]);
    expect(await paths(vault, { query: 'in January' })).toEqual([]);
  });

  it('finds a day in the words of a note, however either writes it, before what changed on it', async () => {
    const vault = vaultWith({
      'Minutes.md': 'We met on November 19, 2020 and again later.',
      'Log.md': '## 2020-11-19\n\nPlanted the hedge.',
      'Others.md': 'In November 2020, 19 trees were cut.',
      ...NOTES,
    });
    for (const query of ['November 19, 2020', '2020-11-19', '19 November 2020'])
      expect((await paths(vault, { query })).slice(0, 2).sort(), query).toEqual([
        'Log.md',
        'Minutes.md',
      ]);
    vault.clock.advance(24 * 3_600_000);
    vault.files.put('Today.md', 'We met on November 20, 2026 to plan the pond.');
    expect((await paths(vault, { query: 'November 20, 2026' })).slice(0, 2)).toContain('Today.md');
  });

  it.each([
    ['email', 'Send an e-mail to Ana.'],
    ['e-mail', 'Send an email to Ana.'],
    ['realtime', 'A real-time clock.'],
    ['co-operate', 'We cooperate with them.'],
    ['1000260', 'It cost 1,000,260 pounds.'],
    ['1,000,260', 'It cost 1000260 pounds.'],
    ['3 511', 'Ticket 3511 is open.'],
  ])('finds %j in %j', async (query, text) => {
    const vault = vaultWith({ ...NOTES, 'Here.md': text });
    expect((await paths(vault, { query }))[0]).toBe('Here.md');
  });

  it('finds remembered words in a row, with one left out or wrong', async () => {
    const words = 'the gate behind the old barn was painted green by our neighbour';
    const scattered = 'A green barn. The neighbour painted it. The gate is old, our old gate.';
    const vault = vaultWith({ 'A.md': scattered, 'B.md': `Note: ${words}.`, ...NOTES });
    for (const query of [
      'gate behind the old barn was painted',
      'gate behind the barn was painted',
      '"gate behind the new barn was painted"',
    ])
      expect((await paths(vault, { query }))[0], query).toBe('B.md');
  });

  it('excludes nothing if a note has the words, and else says what comes last', async () => {
    const vault = vaultWith({
      'Objects.md': '# Create an object with no properties\n\nCall Object.create(null).',
      'Properties.md': 'Properties of an object, and how to create an object with properties.',
      'Dal.md': 'A curry of lentils and spinach.',
      'Thai.md': 'A curry with coconut milk. Coconut milk is rich.',
    });
    const noticeOf = async (query: string) =>
      ((await vault.call('searchContent', { query, mode: 'keyword' })) as { notice?: string })
        .notice;
    const title = 'Create an object with no properties';
    expect((await paths(vault, { query: title }))[0]).toBe('Objects.md');
    expect(await noticeOf(title)).toBeUndefined();
    const query = 'curry without coconut milk';
    expect(await paths(vault, { query })).toEqual(['Dal.md', 'Thai.md']);
    expect(await noticeOf(query)).toBe(
      'Notes about "coconut milk" come last, as the query excludes them; "curry coconut milk" includes them.',
    );
  });

  it('scores by how much of the query a note has, and says if no word occurs', async () => {
    const vault = vaultWith(NOTES);
    const scoreOf = async (query: string) => (await search(vault, { query }))[0]!.score;
    expect(await scoreOf('roof of the shed leaks')).toBe(1);
    expect(await scoreOf('shed with solar panels, batteries and an inverter')).toBeLessThan(0.5);
    const similar = await vault.call('searchContent', { query: 'vehicle expenses' });
    expect(similar).toMatchObject({
      notice: 'No word of the query occurs; these notes are only similar in meaning.',
    });
    expect((similar.data as Row[])[0]!.score).toBeLessThan(0.5);
  });

  it('finds a heading that equals the query, and the note that an address names', async () => {
    const vault = vaultWith({
      'Long.md': '# Pruning\n\nText.\n\n## Winter storage of dahlias\n\nDry, cool, dark.',
      'Dahlias.md': 'Dahlias in winter: storage of dahlias in winter storage.',
      'Garden/index.md': 'Beds.',
      'House/index.md': 'Rooms.',
    });
    expect((await paths(vault, { query: 'winter storage of dahlias' }))[0]).toBe('Long.md');
    const address = 'obsidian://open?vault=Home&file=House%2Findex';
    expect(await paths(vault, { query: address })).toEqual(['House/index.md']);
    const tracked = 'https://example.org/a/pruning?utm_source=mail';
    expect((await paths(vault, { query: tracked }))[0]).toBe('Long.md');
  });

  it('finds notes by meaning without a common word', async () => {
    const vault = vaultWith(NOTES);
    expect(await search(vault, { query: 'vehicle expenses' })).toEqual([]);
    const [semantic] = await search(vault, { query: 'vehicle expenses', mode: 'semantic' });
    expect(semantic).toMatchObject({ path: 'House/Car.md', why: 'meaning' });
    expect((await search(vault, { query: 'vehicle expenses', mode: 'hybrid' }))[0]?.path).toBe(
      'House/Car.md',
    );
    const narrow = { query: 'damage to a building', mode: 'semantic', rootFolder: 'Garden' };
    expect((await paths(vault, narrow))[0]).toBe('Garden/Shed.md');
    expect(await paths(vault, { ...narrow, tags: ['todo'] })).toEqual(['Garden/Shed.md']);
  });

  it('refuses semantic mode in other languages; hybrid mode uses keywords', async () => {
    const vault = vaultWith({ 'Reifen.md': 'Das Auto braucht vor dem Winter neue Reifen.' });
    const query = 'Wann braucht das Auto neue Reifen für den Winter?';
    expect(await vault.error('searchContent', { query, mode: 'semantic' })).toBe(
      'Search by meaning supports only English, and the query does not look English. Use mode "keyword", or ask in English.',
    );
    expect(await paths(vault, { query, mode: 'hybrid' })).toEqual(['Reifen.md']);
  });

  it('warns in semantic mode if the language of the query is unclear', async () => {
    const query = 'Reifenwechsel Werkstatt Kosten';
    const english = vaultWith(NOTES);
    expect(await english.call('searchContent', { query, mode: 'semantic' })).toMatchObject({
      success: true,
      notice: expect.stringContaining('The query may not be English') as string,
    });
    expect(await english.call('searchContent', { query })).toMatchObject({
      notice: 'Nothing matches.',
    });
    const sure = { query: 'vehicle expenses', mode: 'semantic' };
    expect(await english.call('searchContent', sure)).not.toHaveProperty('notice');
    const text = 'Das Auto braucht vor dem Winter neue Reifen, und wir sollten nicht mehr warten.';
    const german = vaultWith({ 'Reifen.md': text });
    expect(await german.error('searchContent', { query, mode: 'semantic' })).toContain(
      'supports only English',
    );
  });

  it('reads a misspelled query by meaning', async () => {
    const vault = vaultWith(NOTES);
    const [hit] = await search(vault, { query: 'vehicel expences', mode: 'semantic' });
    expect(hit).toMatchObject({ path: 'House/Car.md' });
  });

  it('reflects writes, changes, moves and deletions immediately', async () => {
    const vault = vaultWith(NOTES);
    expect(await paths(vault, { query: 'pumpkin' })).toEqual([]);
    vault.files.put('Garden/Pumpkins.md', 'One pumpkin.');
    expect(await paths(vault, { query: 'pumpkin' })).toEqual(['Garden/Pumpkins.md']);
    vault.clock.advance(1);
    vault.files.put('Garden/Pumpkins.md', 'None left.');
    expect(await paths(vault, { query: 'pumpkin left' })).toEqual(['Garden/Pumpkins.md']);
    expect((await search(vault, { query: 'left' }))[0]?.content).toBe('None left.');
    await vault.files.remove('Garden/Pumpkins.md');
    expect(await paths(vault, { query: 'pumpkin left' })).toEqual([]);
  });

  it('never reads excluded, hidden and data folders', async () => {
    const { wrap, reads } = counted();
    const secret = {
      'Diary/2026/Day.md': 'secret roof',
      '.trash/Old.md': 'old roof',
      'Savepoint/States/Mirror.md': 'mirrored roof',
    };
    const vault = vaultWith({ ...NOTES, ...secret }, { wrap, excluded: ['diary'] });
    expect(await paths(vault, { query: 'roof secret old mirrored' })).toEqual(['Garden/Shed.md']);
    expect(reads.filter((path) => !(path in NOTES))).toEqual([]);
  });

  it('reports an unreadable note, and finds the others', async () => {
    const wrap = (files: Files): Files => ({
      ...files,
      read: (path, from) =>
        path === 'Garden/Shed.md'
          ? Promise.reject(new Refusal('No permission.'))
          : files.read(path, from),
    });
    const vault = vaultWith(NOTES, { wrap });
    expect(await paths(vault, { query: 'roof tyres' })).toEqual(['House/Car.md']);
    expect(await paths(vault, { query: 'roof tyres' })).toEqual(['House/Car.md']);
    expect(vault.reports).toEqual(['"Garden/Shed.md" is left out of the search: No permission.']);
  });

  it('retries after the vault could not be read', async () => {
    let isBroken = true;
    const wrap = (files: Files): Files => ({
      ...files,
      list: (folder) =>
        isBroken && folder === 'Garden'
          ? Promise.reject(new Refusal('The disk is away.'))
          : files.list(folder),
    });
    const vault = vaultWith(NOTES, { wrap });
    expect(await vault.call('searchContent', { query: 'roof', mode: 'keyword' })).toMatchObject({
      data: [],
      indexState: { ready: false },
    });
    expect(vault.reports).toEqual(['The notes cannot be read for the search: The disk is away.']);
    isBroken = false;
    expect(await paths(vault, { query: 'roof' })).toEqual(['Garden/Shed.md']);
  });

  it('returns partial results and progress during indexing', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const wrap = (files: Files): Files => ({
      ...files,
      async read(path, from) {
        if (path.startsWith('Old/')) await gate;
        return files.read(path, from);
      },
    });
    const vault = createTestVault({ wrap, maxWaitMs: 1000 });
    for (let at = 0; at < 30; at++) vault.files.put(`Old/${at}.md`, `A roof, number ${at}.`);
    vault.clock.advance(5000);
    for (let at = 0; at < 8; at++) vault.files.put(`New ${at}.md`, `A newer roof, number ${at}.`);
    const asked = vault.call('searchContent', { query: 'roof', mode: 'keyword' });
    for (let turn = 0; turn < 200; turn++) await Promise.resolve();
    vault.clock.advance(1000);
    const answer = await asked;
    expect(answer).toMatchObject({
      success: true,
      indexState: { ready: false, done: 8, total: 38 },
    });
    expect((answer.data as Row[]).every(({ path }) => path.startsWith('New '))).toBe(true);
    await vault.data('createState', {
      name: 'Meanwhile',
      conversationContext: 'c',
      activeTask: 't',
      activeFiles: [],
      nextSteps: ['n'],
    });
    expect(
      await vault.data('searchMemory', {
        query: 'meanwhile',
        workspaceId: 'default',
        memoryTypes: ['states'],
      }),
    ).toHaveLength(1);
    release();
    await expect
      .poll(() => vault.call('searchContent', { query: 'roof', mode: 'keyword', limit: 100 }))
      .not.toHaveProperty('indexState');
    expect(await paths(vault, { query: 'roof', limit: 100 })).toHaveLength(38);
  });

  it('follows a renamed folder', async () => {
    const vault = createTestVault();
    for (let at = 0; at < 400; at++)
      vault.files.put(`Inbox/Note ${at}.md`, `A thought about topic${at} and gardens.`);
    expect(await paths(vault, { query: 'gardens', limit: 200 })).toHaveLength(200);
    for (let at = 0; at < 400; at++) {
      vault.files.put(`Archive/Note ${at}.md`, vault.files.text(`Inbox/Note ${at}.md`));
      await vault.files.remove(`Inbox/Note ${at}.md`);
    }
    const found = await paths(vault, { query: 'gardens', limit: 200 });
    expect([found.length, found.every((path) => path.startsWith('Archive/'))]).toEqual([200, true]);
    expect(await paths(vault, { query: 'topic123' })).toEqual(['Archive/Note 123.md']);
  });

  it('does not reread notes of a persisted index', async () => {
    const blobs = createMemoryBlobs();
    const first = vaultWith(NOTES, { blobs });
    const before = await search(first, { query: 'roof of the shed' });
    // Also waits until every note is embedded.
    await search(first, { query: 'roof', mode: 'hybrid' });
    await first.toolkit.host.services.search.close();
    const { wrap, reads } = counted();
    const second = createTestVault({ blobs, files: first.files, wrap });
    second.files.put('Garden/New.md', 'Something else.');
    expect(await search(second, { query: 'roof of the shed' })).toEqual(before);
    // The new note and the returned one.
    expect([...new Set(reads)].sort()).toEqual(['Garden/New.md', 'Garden/Shed.md']);
  });

  it.each([
    ['truncated contents', 'contents', (bytes: Uint8Array) => bytes.slice(0, bytes.length / 2)],
    [
      'a segment with a wrong byte',
      'segment',
      (bytes: Uint8Array) => bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 1 : byte)),
    ],
    ['a truncated segment', 'segment', (bytes: Uint8Array) => bytes.slice(0, 100)],
    ['no segment', 'segment', () => undefined],
    [
      'vectors with a wrong byte',
      'vectors',
      (bytes: Uint8Array) => bytes.map((byte, at) => (at === 700 ? byte ^ 1 : byte)),
    ],
    ['no vectors', 'vectors', () => undefined],
    [
      'contents of an unknown format',
      'contents',
      () => new TextEncoder().encode('{"format":1,"index":[]}'),
    ],
  ] as const)('rebuilds a persisted index with %s', async (_, part, damage) => {
    const blobs = createMemoryBlobs();
    const first = vaultWith(NOTES, { blobs });
    const questions = [{ query: 'roof' }, { query: 'vehicle expenses', mode: 'semantic' }];
    const answers = (vault: TestVault) =>
      Promise.all(questions.map((question) => search(vault, question)));
    const expected = await answers(first);
    await first.toolkit.host.services.search.close();
    for (const [name, bytes] of [...blobs.records].filter(([other]) =>
      other.startsWith(`notes-${part}`),
    )) {
      const damaged = damage(bytes);
      if (damaged) blobs.records.set(name, damaged);
      else blobs.records.delete(name);
    }
    const second = createTestVault({ blobs, files: first.files });
    expect(await answers(second)).toEqual(expected);
    await second.toolkit.host.services.search.close();
    const third = createTestVault({ blobs, files: first.files });
    expect(await answers(third)).toEqual(expected);
    expect([...second.reports, ...third.reports]).toEqual([]);
  });

  it('works without a persistent index, and warns once', async () => {
    const refuse = () => Promise.reject(new Refusal('The storage of this device is full.'));
    const vault = vaultWith(NOTES, { blobs: { names: refuse, load: refuse, save: refuse } });
    expect(await paths(vault, { query: 'roof' })).toEqual(['Garden/Shed.md']);
    await vault.toolkit.host.services.search.close();
    expect(vault.reports).toEqual([
      'The search index cannot be saved and will be rebuilt next time. The storage of this device is full.',
    ]);
  });

  it('allows two processes to share a persisted index', async () => {
    const blobs = createMemoryBlobs();
    const one = vaultWith(NOTES, { blobs });
    const other = createTestVault({ blobs, files: one.files });
    expect(await paths(one, { query: 'roof' })).toEqual(['Garden/Shed.md']);
    one.files.put('Garden/Pumpkins.md', 'One pumpkin.');
    expect(await paths(other, { query: 'pumpkin' })).toEqual(['Garden/Pumpkins.md']);
    one.files.put('Garden/Leeks.md', 'One leek.');
    expect(await paths(one, { query: 'leek' })).toEqual(['Garden/Leeks.md']);
    await Promise.all([one, other].map((vault) => vault.toolkit.host.services.search.close()));
    const third = createTestVault({ blobs, files: one.files });
    for (const [query, path] of Object.entries({
      roof: 'Garden/Shed.md',
      pumpkin: 'Garden/Pumpkins.md',
      leek: 'Garden/Leeks.md',
    }))
      expect(await paths(third, { query })).toEqual([path]);
  });

  it.each([
    ['with a single long line', 'word '.repeat(60_000) + 'needle'],
    ['with binary content', `\0\x01\x02needle\0${'\xff'.repeat(500)}`],
    ['with broken frontmatter', '---\ntags: [a, "b\n: :\n- - -\nneedle\n'],
    ['without content', ''],
    ['with a single endless word', 'x'.repeat(200_000)],
  ])('indexes a note %s', async (_, text) => {
    const vault = vaultWith({ 'Odd needle.md': text, 'Plain.md': 'Nothing here.' });
    expect(await paths(vault, { query: 'needle' })).toEqual(['Odd needle.md']);
  });

  it.each(['"', '-', '(((', '   ', '""', '-""'])(
    'refuses the query %j, which has no words',
    async (query) => {
      expect(await vaultWith(NOTES).error('searchContent', { query })).toMatch(
        /^(The query contains no words\.|"query" is empty)/,
      );
    },
  );

  it('accepts a query of 10,000 characters', async () => {
    const vault = vaultWith(NOTES);
    expect((await paths(vault, { query: 'roof shed leaks '.repeat(625) }))[0]).toBe(
      'Garden/Shed.md',
    );
    expect(
      await search(vault, { query: `"${'roof "'.repeat(1600)}`, mode: 'hybrid' }),
    ).toBeInstanceOf(Array);
  });
});
