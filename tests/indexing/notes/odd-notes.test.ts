import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolderFiles } from '../../../src/node/ports/folder-files.js';
import { createMemoryBlobs } from '../../fakes/memory-blobs.js';
import { createTestVault, type TestVault } from '../../fakes/test-vault.js';
import { createFolder, node } from '../../node/folders.js';
import { perTier } from '../../tier.js';

/** Creates a vault on a disk. */
function createVault(notes: Readonly<Record<string, string | Uint8Array>>) {
  const folder = createFolder();
  const put = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  for (const [path, content] of Object.entries(notes)) put(path, content);
  const blobs = createMemoryBlobs();
  const start = () => createTestVault({ wrap: () => createFolderFiles(node, folder), blobs });
  return { ...start(), folder, put, start };
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const PICTURE = `![](data:image/png;base64,${'iVBORw0KGgo/AAA+zebra'.repeat(150_000)})`;
/** Returns about this number of characters. */
const linesOf = (length: number) => {
  const line = (at: number) =>
    `Line ${at % 997} of a log that says the same words in ${at % 97} lines.\n`;
  return Array.from({ length: length / 60 }, (_, at) => line(at)).join('');
};

const BEFORE = 'The walrus is before.\n';
const AFTER = '\nThe heron is after.\n';

it.each<[string, string | Uint8Array, string]>([
  ['a NUL', `${BEFORE}One\0 two.${AFTER}`, 'one'],
  ['a block of NULs, as a power cut leaves', `${BEFORE}${'\0'.repeat(20_000)}${AFTER}`, 'walrus'],
  ['UTF-16, little-endian', utf16(`${BEFORE}Grüße.${AFTER}`), 'grüße'],
  ['UTF-16, big-endian', utf16(`${BEFORE}Grüße.${AFTER}`).swap16(), 'grüße'],
  ['a pasted picture', `${BEFORE}Marmot ${PICTURE} otter.${AFTER}`, 'marmot otter'],
  ['2,000,000 characters', `${BEFORE}${linesOf(2_100_000)}${AFTER}`, 'walrus'],
  ['20 MB', `${BEFORE}${linesOf(perTier(3_000_000, 20_000_000, 20_000_000))}${AFTER}`, 'walrus'],
  [
    'bytes that are not UTF-8',
    Buffer.concat([Buffer.from(BEFORE), Buffer.from([0xff, 0xe4, 0x80]), Buffer.from(AFTER)]),
    'walrus',
  ],
  ['frontmatter without an end', `---\ntags: [x\n${BEFORE}\n# Otter\n${AFTER}`, 'otter'],
  [
    'frontmatter with a line that is no property',
    `---\ntitle: Shed\nOtters here.\n---\n${BEFORE}${AFTER}`,
    'otters',
  ],
  [
    'frontmatter that begins with no property',
    `---\nOtters here\nand: there\n---\n${BEFORE}${AFTER}`,
    'otters',
  ],
  [
    'a property with 3,000 characters',
    `---\nabout: ${'long '.repeat(600)} otter\n---\n${BEFORE}${AFTER}`,
    'otter',
  ],
])(
  'a search finds the text before and after %s',
  { timeout: 120_000 },
  async (_, content, within) => {
    const vault = createVault({ 'Odd.md': content });
    for (const query of ['walrus', 'heron', within]) {
      const answer = await vault.call('searchContent', { query, mode: 'keyword' });
      expect([query, answer]).toMatchObject([query, { data: [{ path: 'Odd.md' }] }]);
      if (query !== within) expect(JSON.stringify(answer)).toContain(query);
      expect(answer).not.toHaveProperty('notice');
    }
    expect(await vault.data('indexStatus')).not.toHaveProperty('notSearched');
  },
);

const HUGE = Buffer.alloc(64_000_001, 'otter ');
const PICTURE_FILE = Buffer.from(Array.from({ length: 9000 }, (_, at) => (at * at * 7919) >> 5));

it('the text that no search reads is named, with the reason', { timeout: 120_000 }, async () => {
  const vault = createVault({
    'Logs/Huge walrus.md': HUGE,
    'Logs/Walrus picture.md': PICTURE_FILE,
    'Logs/Walrus in Greek.md': Buffer.from(Array.from({ length: 99 }, (_, at) => 0xe1 + (at % 24))),
    'Logs/Unmarked walrus.md': utf16('Walrus').subarray(2),
    'Logs/Empty.md': '',
    'House/Walrus.md': 'The walrus has a house.',
  });
  const notSearched = [
    { path: 'Logs/Huge walrus.md', reason: 'larger than 64 MB' },
    { path: 'Logs/Unmarked walrus.md', reason: 'not text in UTF-8 or UTF-16' },
    { path: 'Logs/Walrus in Greek.md', reason: 'not text in UTF-8 or UTF-16' },
    { path: 'Logs/Walrus picture.md', reason: 'not text in UTF-8 or UTF-16' },
  ];
  const search = (from: TestVault, rootFolder: string, query = 'walrus') =>
    from.call('searchContent', { query, rootFolder, mode: 'keyword' });
  const notice =
    'Not searched for words: "Logs/Huge walrus.md" (larger than 64 MB), "Logs/Unmarked walrus.md" (not text in UTF-8 or UTF-16), "Logs/Walrus in Greek.md" (not text in UTF-8 or UTF-16), 1 other note.';
  const found = await search(vault, '/');
  expect(found).toMatchObject({ notice });
  expect((found.data as { path: string }[]).map(({ path }) => path).sort()).toEqual([
    'House/Walrus.md',
    ...notSearched.map(({ path }) => path),
  ]);
  expect(await search(vault, 'Logs')).toMatchObject({ notice });
  expect(await search(vault, 'House')).not.toHaveProperty('notice');
  expect(await vault.data('indexStatus')).toMatchObject({
    notes: { ready: true, done: 6, total: 6 },
    notSearched,
  });
  await vault.toolkit.host.services.search.close();

  const again = vault.start();
  expect(await search(again, 'Logs')).toMatchObject({ notice });
  for (const { path } of notSearched.slice(1)) vault.put(path, 'A readable walrus.');
  rmSync(join(vault.folder, 'Logs/Huge walrus.md'));
  expect(await search(again, 'Logs', 'readable')).not.toHaveProperty('notice');
  expect(await again.data('indexStatus')).not.toHaveProperty('notSearched');
});

it('the data of a pasted picture has no words, and is not shown', async () => {
  const vault = createVault({ 'Odd.md': `${BEFORE}${PICTURE} otter.${AFTER}` });
  const search = (query: string) => vault.data('searchContent', { query, mode: 'keyword' });
  expect(await search('zebra')).toEqual([]);
  const [found] = (await search('otter heron')) as { content: string; line: number }[];
  expect(found).toMatchObject({ line: 2 });
  expect(found!.content).not.toContain('AAA');
});
